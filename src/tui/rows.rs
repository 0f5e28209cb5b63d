//! Values as flat rows, which the tree and the details pane draw.
//!
//! A [`Row`] has a depth, a fold, a label and parts with roles ([`Span`]), never a color. Only open containers have rows below
//! them, so a large value costs only as much as is looked at. A string that holds JSON is a container like any other. The values
//! in it have an inner path ([`Spot::inside`]). A packed string, such as one in base64, is a container too. It stays the value of its
//! row, and is unpacked only while it is open.
//!
//! Masked by construction: a secret has no rows below it, and its text comes from [`Value::reveal`] only on the row that the
//! person revealed. All text from the file is escaped.

mod preview;
mod spot;
mod strings;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub use preview::{body, leaf, preview};
pub use spot::{Part, Spot};
pub use strings::{decoded, is_long, lossless_text};

pub use super::widgets::span::{Span, Zone};

use indexmap::IndexMap;

use super::command::{Command, CopyCommand, FoldCommand};
use super::keymap::{self, Scope};
use super::theme::Role;
use crate::change::decode::{MAX_DOCUMENT, clear_contents, packing};
use crate::path::{self, Path, Segment};
use crate::pulumi::{passphrase, urn};
use crate::stack::{EdgeKind, Resource, Stack};
pub use crate::text::escaped as shown;
use crate::value::{Payload, Sealed, Shown, Value};

/// The values of a resource, by part. Values before the change are left out if they are the same as now.
pub fn parts(resource: &Resource) -> Vec<(Part, Value)> {
    let values = |part: Part| {
        if let Part::Before(section) = part {
            let old = resource.previous()?.section(section)?;
            let new = resource.current().and_then(|state| state.section(section));
            if new == Some(old) {
                return None;
            }
        }
        match part.place(resource) {
            Some(place) => place.shown_of(resource),
            None => Some(fields(resource)).filter(|_| !resource.fields.is_empty()),
        }
    };
    Part::ALL
        .into_iter()
        .filter_map(|part| Some((part, values(part)?)))
        .collect()
}

/// The fields of a resource besides its properties, as a map.
pub fn fields(resource: &Resource) -> Value {
    let fields = resource.fields.iter();
    Value::from(
        fields
            .map(|(name, value)| (Arc::clone(name), value.clone()))
            .collect::<crate::value::Map>(),
    )
}

/// The fold state of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// Nothing is below the row.
    Leaf,
    /// The rows below are hidden.
    Closed,
    /// The rows below follow.
    Open,
}

impl Fold {
    /// True if the rows below follow, false if they are hidden. `None` if there are none.
    pub fn is_open(self) -> Option<bool> {
        match self {
            Self::Leaf => None,
            Self::Closed => Some(false),
            Self::Open => Some(true),
        }
    }
}

/// The action of Enter on a row that does not fold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leads {
    /// Enter does nothing.
    Nowhere,
    /// Goes to the resource with this URN or address.
    Resource(String),
    /// Opens the whole text of the value.
    Text,
}

/// One row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Nesting depth, from 0.
    pub depth: usize,
    /// The fold state.
    pub fold: Fold,
    /// The key, escaped, or `[3]` for an element. A heading has the name of its part. Empty for a value without a key.
    pub label: String,
    /// Width in cells of the widest label among the siblings. Labels wider than `MAX_ALIGN` do not count.
    pub align: usize,
    /// Sign of the value's change, one cell wide. `None` if the rows show no changes.
    pub sign: Option<Span>,
    /// The value.
    pub body: Vec<Span>,
    /// Remarks for the right margin.
    pub remark: Vec<Span>,
    /// The place of the value.
    pub spot: Spot,
    /// The action of Enter.
    pub leads: Leads,
    /// True if the value is a secret, even while it is revealed.
    pub secret: bool,
}

/// Everything that rows depend on besides the values.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The open containers.
    pub open: &'a HashSet<Spot>,
    /// The one value that the person revealed.
    pub revealed: Option<&'a Spot>,
    /// The resources that each property takes its value from, each with the name to show in the margin and its identity.
    pub sources: &'a HashMap<Path, Vec<(String, String)>>,
    /// The file. Decides the notation for unknown values, and how secrets are shown.
    pub stack: &'a Stack,
}

/// The sign in front of the name of another resource.
pub const LINK: &str = "↗";

/// Maximum width of a label that aligns values, in cells. A wider label does not move the values of its siblings.
const MAX_ALIGN: usize = 28;

/// The resources that the properties take their values from, by property. Each has a name to show and an identity.
pub fn sources(resource: &Resource) -> HashMap<Path, Vec<(String, String)>> {
    let mut sources: HashMap<Path, Vec<(String, String)>> = HashMap::new();
    for edge in &resource.edges {
        if edge.kind != EdgeKind::Property {
            continue;
        }
        if let Some(property) = &edge.property {
            let names = sources.entry(property.clone()).or_default();
            let name = shown(urn_name(&edge.target));
            if !names.iter().any(|(_, target)| *target == edge.target) {
                names.push((name, edge.target.clone()));
            }
        }
    }
    sources
}

/// The name in a URN, or the whole text if it is not a URN.
pub fn urn_name(urn: &str) -> &str {
    urn::parts(urn).map_or(urn, |parts| parts.name)
}

/// The rows of the parts of a resource. `is_open` says whether a part is open, or that it has no heading.
pub fn rows_of_parts(
    parts: &[(Part, Value)],
    look: Look<'_>,
    is_open: impl Fn(Part) -> Option<bool>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (part, value) in parts {
        let top = Spot::top(*part);
        let is_open = is_open(*part);
        rows.extend(is_open.map(|is_open| heading(*part, value, is_open)));
        if is_open != Some(false) {
            let depth = usize::from(is_open.is_some());
            rows.extend(rows_below(value, &top, depth, look));
        }
    }
    rows
}

fn heading(part: Part, value: &Value, open: bool) -> Row {
    let n = value.as_map().map_or(0, crate::value::Map::len);
    Row {
        depth: 0,
        fold: if open { Fold::Open } else { Fold::Closed },
        label: part.name().to_owned(),
        align: 0,
        sign: None,
        body: vec![Span::new(format!(" ({n})"), Role::Dim)],
        remark: Vec::new(),
        spot: Spot::top(part),
        leads: Leads::Nowhere,
        secret: false,
    }
}

/// The rows of the values below `value`, which is usually a map. If it is not a container, the row of the value itself.
fn rows_below(value: &Value, top: &Spot, depth: usize, look: Look<'_>) -> Vec<Row> {
    let mut builder = Builder {
        look,
        rows: Vec::new(),
    };
    let is_container = matches!(
        value.shown(),
        Shown::Plain(Payload::Map(_) | Payload::Array(_))
    );
    if is_container {
        builder.children(value, top, depth);
    } else {
        builder.value(value, top, String::new(), 0, depth);
    }
    builder.rows
}

/// The spots of the containers in the first `levels` levels below `value` that can be opened. No further container is entered
/// once `limit` spots are found.
pub fn containers(value: &Value, top: &Spot, levels: usize, limit: usize) -> Vec<Spot> {
    let mut found = Vec::new();
    let mut waiting = vec![(value.clone(), top.clone(), 0_usize)];
    while let Some((value, spot, depth)) = waiting.pop() {
        if depth >= levels || found.len() >= limit {
            continue;
        }
        for (segment, child) in children_of(&value) {
            let spot = spot.child(segment);
            let is_document = spot.inside.is_none() && packing(&child).is_none();
            let inner = is_document.then(|| decoded(&child)).flatten();
            let (inner, spot) = match inner {
                Some(inner) => (
                    inner.value,
                    Spot {
                        inside: Some(Path::root()),
                        ..spot
                    },
                ),
                None => (child, spot),
            };
            if n_children(&inner) > 0 && matches!(inner.shown(), Shown::Plain(_)) {
                found.push(spot.clone());
                waiting.push((inner, spot, depth + 1));
            }
        }
    }
    found
}

fn n_children(value: &Value) -> usize {
    match value.payload() {
        Payload::Map(map) => map.len(),
        Payload::Array(array) => array.len(),
        Payload::Archive(archive) => archive.assets.as_ref().map_or(0, IndexMap::len),
        _ => 0,
    }
}

fn children_of(value: &Value) -> Vec<(Segment, Value)> {
    let Shown::Plain(payload) = value.shown() else {
        return Vec::new();
    };
    let fields = match payload {
        Payload::Archive(_) => value.fields(),
        _ => None,
    };
    let children = path::children(fields.as_ref().unwrap_or(value));
    children
        .map(|(segment, child)| (segment, child.clone()))
        .collect()
}

struct Builder<'a> {
    look: Look<'a>,
    rows: Vec<Row>,
}

impl Builder<'_> {
    fn children(&mut self, value: &Value, spot: &Spot, depth: usize) {
        let children = children_of(value);
        let labels: Vec<String> = children.iter().map(|(segment, _)| label(segment)).collect();
        let align = labels
            .iter()
            .map(|label| super::widgets::text::width(label))
            .filter(|width| *width <= MAX_ALIGN)
            .max()
            .unwrap_or(0);
        for ((segment, child), label) in children.into_iter().zip(labels) {
            self.value(&child, &spot.child(segment), label, align, depth);
        }
    }

    fn value(&mut self, value: &Value, spot: &Spot, label: String, align: usize, depth: usize) {
        let was_secret = value.is_masked();
        // The row of a ciphertext has nothing to reveal. The unlocked text is shown over the screen.
        let is_sealed = matches!(value.payload(), Payload::Sealed(_));
        let is_revealed = was_secret && !is_sealed && self.look.revealed == Some(spot);
        let revealed;
        let value = if is_revealed {
            revealed = value.reveal();
            &revealed
        } else {
            value
        };
        let inside = Spot {
            inside: Some(Path::root()),
            ..spot.clone()
        };
        let packing = packing(value).filter(|_| spot.inside.is_none());
        let closed = packing.filter(|_| !self.look.open.contains(spot));
        let inner = match (&spot.inside, closed, is_revealed) {
            (Some(_), ..) | (None, Some(_), _) => None,
            (None, None, true) => clear_contents(value, MAX_DOCUMENT),
            (None, None, false) => decoded(value),
        };
        let below = inner.as_ref().map_or(value, |inner| &inner.value);
        let row_spot = match (&inner, packing) {
            (Some(_), None) => inside.clone(),
            (Some(_), Some(_)) | (None, _) => spot.clone(),
        };
        let is_shut = value.is_secret() && packing.is_none();
        let has_children = !is_shut && (closed.is_some() || n_children(below) > 0);
        let open = has_children && self.look.open.contains(&row_spot);
        let fold = match (has_children, open) {
            (false, _) => Fold::Leaf,
            (true, false) => Fold::Closed,
            (true, true) => Fold::Open,
        };
        let mut body = match &inner {
            Some(inner) => strings::document_body(value, inner, open),
            None => preview::body(value, open, self.look.stack.header.kind.is_pulumi()),
        };
        let form = closed.map(|form| Span::new(format!("{} ", form.name()), Role::Container));
        body.splice(0..0, form);
        let leads = self.leads(value, spot, fold);
        if let (Leads::Resource(_), [only]) = (&leads, &mut body[..])
            && only.role == Role::Reference
        {
            only.zone = Zone::Link;
        }
        let remark = self.remark(value, spot, was_secret, is_revealed, &leads);
        self.rows.push(Row {
            depth,
            fold,
            label,
            align,
            sign: None,
            body,
            remark,
            spot: row_spot,
            leads,
            secret: was_secret,
        });
        if open {
            let below = below.clone();
            let spot = if inner.is_some() { &inside } else { spot };
            self.children(&below, spot, depth + 1);
        }
    }

    fn leads(&self, value: &Value, spot: &Spot, fold: Fold) -> Leads {
        if fold != Fold::Leaf {
            return Leads::Nowhere;
        }
        match value.shown() {
            Shown::Plain(Payload::Reference(reference)) => {
                Leads::Resource(reference.urn.to_str_lossy().into_owned())
            }
            Shown::Plain(Payload::String(text)) if urn::parts(&text.to_str_lossy()).is_some() => {
                Leads::Resource(text.to_str_lossy().into_owned())
            }
            Shown::Plain(Payload::String(text)) if is_long(text) => Leads::Text,
            Shown::Plain(Payload::Asset(asset)) if asset.text.is_some() => Leads::Text,
            _ => match self.look.sources.get(&spot.path) {
                Some(names) if spot.inside.is_none() => {
                    names.first().map_or(Leads::Nowhere, |(_, target)| {
                        Leads::Resource(target.clone())
                    })
                }
                _ => Leads::Nowhere,
            },
        }
    }

    fn remark(
        &self,
        value: &Value,
        spot: &Spot,
        was_secret: bool,
        is_revealed: bool,
        leads: &Leads,
    ) -> Vec<Span> {
        let mut remark = Vec::new();
        let mut names: Vec<String> = Vec::new();
        if spot.inside.is_none()
            && let Some(sources) = self.look.sources.get(&spot.path)
        {
            names.extend(sources.iter().map(|(name, _)| name.clone()));
        }
        for dependency in value.dependencies() {
            let name = shown(dependency.name());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if let Some(first) = names.first() {
            let more = match names.len() {
                1 => String::new(),
                n => format!(" +{}", n - 1),
            };
            // The link of a container opens no resource.
            let zone = match leads {
                Leads::Resource(_) => Zone::Link,
                Leads::Nowhere | Leads::Text => Zone::Row,
            };
            remark.push(Span::new(format!("{LINK} {first}{more}"), Role::Reference).of(zone));
        }
        if is_revealed {
            remark.push(revealed_remark());
        } else if was_secret {
            remark.push(secret_remark(value, self.look.stack));
        } else if *leads == Leads::Text {
            let open = keymap::key_of(Command::Fold(FoldCommand::Activate));
            remark.push(Span::new(format!("{open} open"), Role::Dim));
        }
        remark
    }
}

/// The way in which a secret is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opening {
    /// The file holds it.
    Reveal,
    /// The file holds its ciphertext, which the passphrase of the stack opens.
    Passphrase,
    /// Nothing shows it, for this reason.
    Nothing(String),
}

impl Opening {
    /// The way in which a secret of a file is shown.
    pub fn of(value: &Value, stack: &Stack) -> Self {
        match value.payload() {
            Payload::Sealed(Sealed::Redacted) => {
                Self::Nothing("the file does not hold it: the tool left it out".to_owned())
            }
            Payload::Sealed(Sealed::Ciphertext(_)) => match stack.secrets_provider() {
                Some(provider) => passphrase::salt(provider).map_or_else(
                    |error| Self::Nothing(error.to_string()),
                    |_| Self::Passphrase,
                ),
                None => Self::Nothing(
                    "the file holds only ciphertext; export with --show-secrets to see it"
                        .to_owned(),
                ),
            },
            _ => Self::Reveal,
        }
    }
}

/// The remark on a secret: the keys that show and copy it, or why they do not.
pub fn secret_remark(value: &Value, stack: &Stack) -> Span {
    let reveal = keymap::key_of(Command::Reveal);
    let words = match (Opening::of(value, stack), value.payload()) {
        (Opening::Nothing(_), Payload::Sealed(Sealed::Redacted)) => "not in the file".to_owned(),
        (Opening::Nothing(_), _) => "encrypted".to_owned(),
        (Opening::Passphrase, _) => format!("encrypted · {reveal} open"),
        (Opening::Reveal, _) => {
            let choose = keymap::key_of(Command::Copy(CopyCommand::Choose));
            let copy = keymap::key_in(Scope::Yank, Command::Copy(CopyCommand::Secret));
            format!("{reveal} reveal · {choose}{copy} copy")
        }
    };
    Span::new(words, Role::Dim)
}

/// The remark on a revealed secret, with the key that hides it.
pub fn revealed_remark() -> Span {
    let hide = keymap::key_of(Command::HideAll);
    Span::new(format!("revealed · {hide} hides"), Role::Danger)
}

/// A key or an index as a row shows it.
pub fn label(segment: &Segment) -> String {
    match segment {
        Segment::Key(key) if key.is_empty() => "\"\"".to_owned(),
        Segment::Key(key) => shown(key),
        Segment::Index(index) => format!("[{index}]"),
    }
}

#[cfg(test)]
mod tests;
