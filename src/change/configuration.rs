//! The configuration in a plan file or next to a file, prepared for display: the block that declares each thing, the syntax of each piece of
//! text, and the secrets to mask.
//!
//! # Secrets
//!
//! A source may hold secrets in clear. These are masked, as everywhere else, until the user reveals them:
//!
//! 1. In a resource or data source: the literals of an argument, at any depth below it, if the plan has a secret there or the
//!    provider's schema marks it sensitive or write-only.
//! 2. The literals of a sensitive or ephemeral variable's `default` and of a sensitive output's `value`, of a module call's
//!    argument for such a variable, and of the arguments of `sensitive(…)`.
//! 3. Texts with a name that says "secret" (`db_password`, `API_TOKEN`, `client_secret`, `access_key`). These are names of
//!    arguments, keys of objects, variables, local values, outputs and blocks. The `value` next to a `name` or `key` with such
//!    a text counts too. In `provider`, `backend`, `cloud`, `connection` and `provisioner` blocks any `key` counts too.
//! 4. Every text that is a secret value of the plan or of a sensitive variable, wherever it is, and every stretch of the file,
//!    comments included, that contains such a text of at least six characters.
//!
//! A mask hides the text and its length: each line of it is shown as one `[secret]`. References are not secret and are not
//! masked.

mod credentials;
mod find;
mod mask;
mod paint;
mod secrets;

use std::collections::HashMap;
use std::ops::Range;

pub use credentials::mask_credentials;
pub use find::Declaration;
pub use paint::Paint;
pub use secrets::Secrets;

use crate::stack::{Position, SourceFile, Sources};
use crate::text::{head, join_ranges};
use crate::value::SECRET;
use mask::Variables;

/// Maximum number of bytes of a file that are shown.
pub const MAX_SHOWN: usize = 2 << 20;

/// A configuration.
pub struct Configuration {
    /// Its files, sorted by module and name.
    pub files: Vec<Listing>,
    /// The place of each declaration, by its address in the configuration.
    places: HashMap<String, Declaration>,
}

impl std::fmt::Debug for Configuration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Configuration({} files)", self.files.len())
    }
}

/// A file, line by line.
pub struct Listing {
    /// The address of its module, "" at the root.
    pub module: String,
    /// Its path when the plan was made, relative to the folder of the root module.
    pub path: String,
    /// True if the file has more text than is shown.
    pub is_cut: bool,
    text: String,
    /// The byte range of each line, without its line break.
    lines: Vec<Range<usize>>,
    /// The syntax of each stretch of the text, in order. Text between the stretches is plain.
    pieces: Vec<(Range<usize>, Paint)>,
    /// The masked byte ranges, in order. No two touch.
    masks: Vec<Range<usize>>,
}

/// A part of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The text as in the file. It may hold control characters that must not reach a terminal.
    pub text: String,
    /// The syntax of the text.
    pub paint: Paint,
}

/// The treatment of masked text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masking {
    /// `[secret]` in its place.
    Masked,
    /// As written: the user asked to reveal it.
    Revealed,
}

impl Configuration {
    /// Reads `sources` and masks the secrets in them.
    pub fn new(sources: &Sources, secrets: &Secrets) -> Self {
        let mut sources: Vec<&SourceFile> = sources.files.iter().collect();
        sources.sort_by_key(|file| (&file.module, &file.path));
        let read: Vec<_> = sources.iter().map(|file| file.read()).collect();
        let mut variables = Variables::default();
        for (source, file) in sources.iter().zip(&read) {
            variables.add(&source.module, &file.body);
        }
        let mut secrets = secrets.clone();
        for (source, file) in sources.iter().zip(&read) {
            variables.secret_texts(&source.module, &file.body, &mut |text| {
                secrets.add_text(text);
            });
        }
        let secrets = &secrets;
        let matcher = secrets.matcher();
        let mut places = HashMap::new();
        let mut files = Vec::new();
        for (index, (source, file)) in sources.iter().zip(&read).enumerate() {
            let lines = lines(&source.text);
            find::add(&mut places, index, source, &file.body, &lines);
            let mut masks = mask::of_body(source, &file.body, &variables, secrets);
            masks.extend(matcher.find(&source.text, source.syntax));
            join_ranges(&mut masks);
            let shown = head(&source.text, MAX_SHOWN);
            let end = shown.len();
            let is_there = |line: &&Range<usize>| line.start < end || line.end <= end;
            let lines = lines.iter().take_while(is_there);
            let lines = lines.map(|line| line.start..line.end.min(end));
            files.push(Listing {
                module: source.module_address(),
                path: source.path.clone(),
                is_cut: end < source.text.len(),
                pieces: source
                    .syntax
                    .map_or_else(Vec::new, |syntax| paint::pieces(shown, syntax)),
                masks,
                lines: lines.collect(),
                text: shown.to_owned(),
            });
        }
        Self { files, places }
    }

    /// The place of a declaration, by its address in the configuration: `module.net.aws_vpc.main`, `data.aws_ami.a`,
    /// `module.net` for the call, `output.id`, `var.size`. `None` if no file declares it.
    pub fn find(&self, address: &str) -> Option<&Declaration> {
        self.places.get(address)
    }

    /// Adds that a line of the first file declares `address`: no parser of this program finds that in another language.
    pub fn declare(&mut self, address: String, position: &Position) {
        let line = position.line.saturating_sub(1);
        self.places.insert(address, Declaration::of_line(line));
    }
}

/// The position of each declaration, by its address in the configuration. A declaration that is there twice has none.
pub fn positions(sources: &Sources) -> HashMap<String, Position> {
    let mut places = HashMap::new();
    for (index, source) in sources.files.iter().enumerate() {
        let lines = lines(&source.text);
        find::add(&mut places, index, source, &source.read().body, &lines);
    }
    let only = places.into_iter().filter(|(_, place)| place.is_only);
    let position = |place: Declaration| Position {
        file: sources.files[place.file].path.clone(),
        line: place.lines.start + 1,
    };
    only.map(|(address, place)| (address, position(place)))
        .collect()
}

impl Listing {
    /// The shown text with `[secret]` for masked parts.
    pub fn masked_text(&self) -> String {
        let lines = (0..self.n_lines()).map(|line| {
            let pieces = self.line(line, Masking::Masked);
            pieces
                .into_iter()
                .map(|piece| piece.text)
                .collect::<String>()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Number of lines shown.
    pub fn n_lines(&self) -> usize {
        self.lines.len()
    }

    /// The parts of a line, counted from 0; empty if there is no such line.
    pub fn line(&self, line: usize, masking: Masking) -> Vec<Piece> {
        let Some(range) = self.lines.get(line) else {
            return Vec::new();
        };
        let mut parts: Vec<Piece> = Vec::new();
        let mut at = range.start;
        let masks = match masking {
            Masking::Masked => self.masks_of(range),
            Masking::Revealed => &[],
        };
        for mask in masks {
            self.put(at..mask.start.max(range.start), &mut parts);
            if mask.end > range.start && mask.start < range.end {
                parts.push(Piece {
                    text: SECRET.to_owned(),
                    paint: Paint::Secret,
                });
            }
            at = mask.end.clamp(range.start, range.end);
        }
        self.put(at..range.end, &mut parts);
        parts
    }

    /// True if a part of the line is masked.
    pub fn is_masked(&self, line: usize) -> bool {
        let range = self.lines.get(line);
        range.is_some_and(|range| !self.masks_of(range).is_empty())
    }

    /// The lines that are masked together with `line`: those that its masks reach into. Empty if nothing in the line is masked.
    pub fn masked_with(&self, line: usize) -> Range<usize> {
        let masks = self.lines.get(line).map(|range| self.masks_of(range));
        let (Some(first), Some(last)) = (masks.and_then(<[_]>::first), masks.and_then(<[_]>::last))
        else {
            return line..line;
        };
        let start = self.lines.partition_point(|line| line.end < first.start);
        let end = self.lines.partition_point(|line| line.start < last.end);
        start..end
    }

    /// The masks that overlap these bytes.
    fn masks_of(&self, range: &Range<usize>) -> &[Range<usize>] {
        let start = self.masks.partition_point(|mask| mask.end <= range.start);
        let end = self.masks.partition_point(|mask| mask.start < range.end);
        &self.masks[start..end.max(start)]
    }

    /// Adds the pieces of some bytes of one line.
    fn put(&self, range: Range<usize>, parts: &mut Vec<Piece>) {
        let mut at = range.start;
        let first = self
            .pieces
            .partition_point(|(piece, _)| piece.end <= range.start);
        let mut push = |bytes: Range<usize>, paint| {
            if !bytes.is_empty() {
                parts.push(Piece {
                    text: self.text[bytes].to_owned(),
                    paint,
                });
            }
        };
        for (piece, paint) in &self.pieces[first..] {
            if piece.start >= range.end {
                break;
            }
            let piece = piece.start.max(range.start)..piece.end.min(range.end);
            push(at..piece.start.max(at), Paint::Plain);
            at = piece.end;
            push(piece, *paint);
        }
        push(at..range.end.max(at), Paint::Plain);
    }
}

/// The byte range of each line, without its line break. Text after the last line break is one more line unless it is empty.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let bare = bare.strip_suffix('\r').unwrap_or(bare);
        lines.push(start..start + bare.len());
        start += line.len();
    }
    lines
}

/// The index of the line that a byte is on.
fn line_at(lines: &[Range<usize>], byte: usize) -> usize {
    let behind = lines.partition_point(|line| line.start <= byte);
    behind.saturating_sub(1)
}

#[cfg(test)]
mod tests;
