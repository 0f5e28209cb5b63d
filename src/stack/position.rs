//! Positions: the lines of programs and configurations that declare resources.

use std::fmt;

use percent_encoding::percent_decode_str;

/// The line that declares a resource.
///
/// The path is a text of a file like any other: escape it to show it, and read nothing outside of the folder that it begins at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The path of the file, relative to the folder of the project or of the root module.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
}

impl Position {
    /// Parses a `sourcePosition` of Pulumi; `None` if it names no line of a file.
    ///
    /// ```
    /// use stacklens::stack::Position;
    ///
    /// let position = Position::of_pulumi("project:///src/my%20site.ts#12,3").unwrap();
    /// assert_eq!(position.to_string(), "src/my site.ts:12");
    /// assert_eq!(Position::of_pulumi("project:///index.ts"), None);
    /// ```
    ///
    /// # Source
    ///
    /// pulumi/pulumi `pkg/resource/deploy/source_eval.go`: a URL with the line and perhaps the column as its fragment.
    pub fn of_pulumi(text: &str) -> Option<Self> {
        let (path, place) = text.strip_prefix("project:///")?.rsplit_once('#')?;
        let line = place.split(',').next()?.parse().ok()?;
        let file = percent_decode_str(path).decode_utf8().ok()?.into_owned();
        (line > 0 && !file.is_empty()).then_some(Self { file, line })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
