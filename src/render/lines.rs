//! A described difference as flat lines with roles, for the pane of the explorer, for Markdown and for plain text.
//!
//! A [`Line`] has a depth, an [`Action`], a label, and a [`Body`]. The parts of the body ([`Span`]) have a [`Role`], never a
//! color. A container is one line with its size, and its children follow one level deeper; there are no closing brackets. One
//! line serves both layouts: [`Line::unified`] puts both sides one after the other. A layout side by side reads the [`Body`].
//!
//! Unchanged lines are folded into a line that counts them. Those near a change ([`Options::context`]) and those that identify
//! the thing (`id`, `name`, `arn`, `tags.Name`) are kept.
//!
//! Every text is escaped and masked: secrets are `[secret]` on every line, since the description has no lines below them.

mod child;
mod text;
mod walk;

pub use text::words;

use crate::change::difference::{Action, Diff, Reason};
use crate::path::Path;
#[cfg(doc)]
use crate::stack::Kind;
use crate::text::{count, plural};
use crate::value::{KNOWN_AFTER_APPLY, Value};
use walk::LineBuilder;

/// The meaning of a part of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// A quoted string.
    String,
    /// The words of a string that differ.
    Changed,
    /// A number.
    Number,
    /// A bool.
    Bool,
    /// Null.
    Null,
    /// A container, by its size or its beginning.
    Container,
    /// A masked value.
    Secret,
    /// A value that is not known yet.
    Unknown,
    /// An asset, an archive, a reference.
    Other,
    /// An arrow or a remark, not a part of a value.
    Note,
}

/// A part of a line. Its text is escaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The text.
    pub text: String,
    /// The meaning of the part.
    pub role: Role,
}

impl Span {
    pub(super) fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
        }
    }
}

/// The value of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// Unchanged: equal on both sides.
    Same(Vec<Span>),
    /// The value is removed.
    Before(Vec<Span>),
    /// The value is added.
    After(Vec<Span>),
    /// One value becomes another.
    Both {
        /// The value before.
        before: Vec<Span>,
        /// The value after.
        after: Vec<Span>,
    },
    /// Unchanged places that are not shown.
    Folded {
        /// Number of places.
        count: usize,
        /// Noun for the places: `attribute`, `element`, `block`, `line`.
        what: &'static str,
    },
    /// Further places, changed or not, that are not shown because there are many ([`Options::most`]).
    More {
        /// Number of places.
        count: usize,
        /// Number of them that changed.
        n_changed: usize,
        /// Noun for the places.
        what: &'static str,
    },
}

/// One line of a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Nesting depth; 0 for the properties of the resource.
    pub depth: usize,
    /// Action on the value. The children of a value that is created or deleted have the same action.
    pub action: Action,
    /// The key, `[3]`, or the name of a block with its label, escaped; `None` for elements of a set and lines of a text.
    pub label: Option<String>,
    /// The value as shown.
    pub body: Body,
    /// True if this very place forces the replacement of the resource.
    pub forces_replacement: bool,
    /// Reason why the place counts as changed although its content is the same.
    pub reason: Option<Reason>,
    /// The path after the change, or before it if the value is deleted. A folded line has the path of its container.
    pub path: Path,
    /// The path inside the JSON that the string at `path` holds, for lines below such a string.
    pub inside: Option<Path>,
}

impl Line {
    /// True if the line itself is a change, not only a line below or beside it.
    pub fn is_change(&self) -> bool {
        self.action != Action::Same
    }

    /// The remark that follows the value.
    pub fn remark(&self) -> Option<&'static str> {
        match self.reason {
            _ if self.forces_replacement => Some("forces replacement"),
            Some(reason) => Some(reason.words()),
            None => match &self.body {
                Body::Both { before, after } if before == after => Some("changed"),
                _ => None,
            },
        }
    }

    /// The body of the line once its secret `sides` are revealed. Secrets inside them stay masked.
    pub fn revealed(&self, sides: &[Value; 2]) -> Body {
        let [before, after] = sides.each_ref().map(|side| text::spans(&side.reveal()));
        match self.body {
            Body::Before(_) => Body::Before(before),
            Body::After(_) => Body::After(after),
            Body::Same(_) | Body::Folded { .. } | Body::More { .. } if before == after => {
                Body::Same(after)
            }
            Body::Both { .. } | Body::Same(_) | Body::Folded { .. } | Body::More { .. } => {
                Body::Both { before, after }
            }
        }
    }

    /// The parts of the value for one column: `before → after` if it has both.
    pub fn unified(&self) -> Vec<Span> {
        self.body.unified()
    }
}

fn folded(count: usize, what: &str) -> Span {
    let text = plural(count, &format!("unchanged {what}"));
    Span::new(format!("… {text}"), Role::Note)
}

fn more(n: usize, n_changed: usize, what: &str) -> Span {
    let text = plural(n, &format!("more {what}"));
    let changed = count(n_changed as u64);
    Span::new(format!("… {text}, {changed} changed"), Role::Note)
}

/// Options for the lines of a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Number of unchanged neighbors to show on each side of a change; elements of lists and lines of texts get one more.
    /// `usize::MAX` folds nothing.
    pub context: usize,
    /// Maximum number of children of one container to lay out; the rest are counted in one line. Laying out a line takes some
    /// microseconds, so a person who waits for a screen is served with [`Options::SCREENFUL`] first.
    pub most: usize,
    /// True if differences in formatting only are opened.
    pub show_noise: bool,
    /// True if values that are known after apply are counted, and not shown, unless they force a replacement.
    pub hides_unknown: bool,
    /// Text for a value that is not known yet ([`Kind::unknown`]).
    pub unknown: &'static str,
}

impl Options {
    /// A limit that is more than any screen shows, yet small enough to lay out at once.
    pub const SCREENFUL: usize = 1_000;

    /// Shows everything, changed or not, in the words of Terraform.
    pub const ALL: Self = Self {
        context: usize::MAX,
        most: usize::MAX,
        show_noise: true,
        hides_unknown: false,
        unknown: KNOWN_AFTER_APPLY,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self {
            context: 0,
            most: usize::MAX,
            show_noise: false,
            hides_unknown: false,
            unknown: KNOWN_AFTER_APPLY,
        }
    }
}

/// The lines of a difference of a resource (or of any value: a leaf is one line without a label).
///
/// ```
/// use stacklens::change::difference::{Context, describe};
/// use stacklens::render::lines::{Options, lines};
/// use stacklens::value::{Map, Value};
///
/// let [old, new] = ["13.4", "14.1"].map(|version| {
///     let entries = [("size", Value::from(20.0)), ("version", Value::from(version))];
///     Value::from(Map::from_iter(entries))
/// });
/// let lines = lines(&describe(&old, &new, Context::default()), Options::default());
/// assert_eq!(lines[0].label.as_deref(), Some("version"));
/// assert_eq!(lines[1].unified()[0].text, "… 1 unchanged attribute");
/// ```
pub fn lines(diff: &Diff, options: Options) -> Vec<Line> {
    lines_and_secrets(diff, options).0
}

/// Like [`lines`], and also gives the two sides of each line whose value is secret, by the index of the line. They are for a
/// person who asks to see one ([`Line::revealed`]).
pub fn lines_and_secrets(diff: &Diff, options: Options) -> (Vec<Line>, Vec<(usize, [Value; 2])>) {
    let mut walk = LineBuilder::new(options);
    walk.root(diff);
    let mut lines = walk.lines;
    for span in lines.iter_mut().flat_map(|line| line.body.spans_mut()) {
        if span.role == Role::Unknown {
            options.unknown.clone_into(&mut span.text);
        }
    }
    (lines, walk.secrets)
}

impl Body {
    /// The parts of the value for one column: `before → after` if it has both.
    pub fn unified(&self) -> Vec<Span> {
        match self {
            Body::Same(spans) | Body::Before(spans) | Body::After(spans) => spans.clone(),
            Body::Both { before, after } => {
                let arrow = Span::new(" → ", Role::Note);
                [before.as_slice(), &[arrow], after].concat()
            }
            Body::Folded { count, what } => vec![folded(*count, what)],
            Body::More {
                count,
                n_changed,
                what,
            } => vec![more(*count, *n_changed, what)],
        }
    }

    fn spans_mut(&mut self) -> impl Iterator<Item = &mut Span> {
        let (one, other) = match self {
            Self::Same(spans) | Self::Before(spans) | Self::After(spans) => (Some(spans), None),
            Self::Both { before, after } => (Some(before), Some(after)),
            Self::Folded { .. } | Self::More { .. } => (None, None),
        };
        one.into_iter().chain(other).flatten()
    }
}

#[cfg(test)]
mod tests;
