//! The page of a file without changes: what it holds, by type, provider and module, and what is wrong with it.
//!
//! Law: each entry of the index counts once in each of the three sections, unless it has no provider or no module.

use indexmap::IndexMap;

use super::{Entry, MAX_ENTRIES, Maker, Page, Part, Title, short};
use crate::change::groups::most_frequent;
use crate::change::rules::Level;
use crate::pulumi::urn::display_type;
use crate::stack::{EdgeKind, Flags, Note, Output, ResourceId, Severity, Stack};
use crate::text::{count, escaped, plural};

/// Maximum number of types, providers or modules that are listed. The section counts the rest.
const MAX_KINDS: usize = 12;

/// Width of the longest bar, in cells.
const BAR: usize = 24;

/// The states of a resource that want somebody's attention, each with its words.
const STATES: [(Flags, &str); 5] = [
    (Flags::INIT_ERRORS, "created, but did not come up"),
    (Flags::TAINTED, "will be replaced by the next apply"),
    (
        Flags::PENDING_DELETE,
        "an old copy that is still to be deleted",
    ),
    (
        Flags::PENDING_REPLACEMENT,
        "deleted, and not created again yet",
    ),
    (Flags::DEPOSED, "an old object that is still to be deleted"),
];

impl Maker<'_> {
    /// The page of a file without changes.
    pub(super) fn of_state(&self) -> Page {
        let stack = &self.document.stack;
        let listed: Vec<ResourceId> = stack.ids().collect();
        let parts = [
            self.problems(Level::Danger),
            self.problems(Level::Warning),
            section(Title::Types, &listed, |id| ty(stack, id)),
            section(Title::Providers, &listed, |id| provider(stack, id)),
            section(Title::Modules, &listed, |id| module(stack, id)),
            section(Title::Holding, &listed, |id| holder(stack, id)),
            outputs(stack),
        ];
        Page {
            summary: summary(stack),
            parts: parts.into_iter().filter(|part| part.count > 0).collect(),
            remarks: written(stack).into_iter().collect(),
            ..Page::default()
        }
    }

    /// The problems of the file of one weight, and what policies say. The states of resources are warnings.
    fn problems(&self, level: Level) -> Part {
        let stack = &self.document.stack;
        let is_own = |severity| match severity {
            Severity::Error | Severity::Failure => level == Level::Danger,
            Severity::Warning => level == Level::Warning,
            Severity::Info => false,
        };
        let notes = noted(stack, |note| is_own(note.severity));
        let states = STATES.iter().filter(|_| level == Level::Warning);
        let states = states.filter_map(|(flag, words)| {
            let has = |id: &ResourceId| stack.record(*id).flags.contains(*flag);
            let ids = stack.by_name(stack.ids().filter(has));
            let names = ids.iter().take(MAX_ENTRIES);
            let names = names
                .map(|id| escaped(&stack.placed_name(*id)).into())
                .collect();
            let (_, word) = Flags::NAMES.iter().find(|(it, _)| it == flag)?;
            (!ids.is_empty()).then(|| Entry {
                names,
                query: format!("is:{word}"),
                ids,
                says: (*words).to_owned(),
                ..Entry::default()
            })
        });
        let mut part = Part::empty(Title::Found(level));
        for entry in self.about_no_change(level) {
            part.add(entry.about.len(), || entry);
        }
        for entry in states.chain(notes) {
            part.add(entry.ids.len(), || entry);
        }
        part
    }
}

/// The notes, those of one kind together, in the order of the first of each kind.
fn noted(stack: &Stack, is_own: impl Fn(&Note) -> bool) -> impl Iterator<Item = Entry> {
    let mut kinds: IndexMap<String, Vec<&Note>> = IndexMap::new();
    for note in stack.notes.iter().filter(|note| is_own(note)) {
        kinds.entry(note.kind()).or_default().push(note);
    }
    kinds.into_iter().map(|(kind, notes)| {
        let name = |note: &&Note| match note.resource {
            Some(id) => escaped(&stack.placed_name(id)),
            None => escaped(&note.place),
        };
        let first = &notes[0].message;
        let is_same = notes.iter().all(|note| note.message == *first);
        let names = notes.iter().take(MAX_ENTRIES);
        let ty = |note: &Note| note.resource.map_or("", |id| stack.ty(id));
        let ty_of_first = ty(notes[0]);
        let is_of_one_type = notes.iter().all(|note| ty(note) == ty_of_first);
        Entry {
            ty: if is_of_one_type {
                escaped(ty_of_first)
            } else {
                String::new()
            },
            ids: notes.iter().filter_map(|note| note.resource).collect(),
            names: names.map(|note| name(note).into()).collect(),
            says: if is_same { escaped(first) } else { kind },
            ..Entry::default()
        }
    })
}

/// Example: `41 resources, 3 outputs, 12 secrets`.
fn summary(stack: &Stack) -> String {
    let number = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let counts = [
        (number(stack.counts.resources), "resource"),
        (stack.outputs.len(), "output"),
        (number(stack.counts.secrets), "secret"),
    ];
    let counts = counts.map(|(number, noun)| plural(number, noun));
    counts.join(", ")
}

/// A group of resources, with the query that finds them.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Kind {
    name: String,
    query: String,
}

impl Kind {
    /// Those for which a field of the search language has this text.
    fn of(text: &str, field: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self {
            name: escaped(text),
            query: query(field, text),
        })
    }
}

/// A query for the resources with this text in a field. A wildcard stands for what separates words or alternatives; a pattern with a
/// wildcard has to match as a whole.
fn query(field: &str, text: &str) -> String {
    let is_separator = |letter: char| letter.is_whitespace() || ",|\"'!\\".contains(letter);
    let pattern = text.replace(is_separator, "?");
    if pattern.contains(['?', '*']) {
        format!("{field}:{pattern}")
    } else {
        format!("{field}:^{pattern}$")
    }
}

/// The provider of a resource. Of Pulumi's, which are resources, their package and name say enough; of Terraform's, what comes after the
/// public registry.
fn provider(stack: &Stack, id: ResourceId) -> Option<Kind> {
    let text = stack.provider(id);
    let mut kind = Kind::of(text, "provider")?;
    if stack.header.kind.is_pulumi() {
        let parts: Vec<&str> = text.split("::").collect();
        if let [_, _, ty, name, ..] = parts[..] {
            let package = ty.rsplit(':').next().unwrap_or(ty);
            kind.name = escaped(&format!("{package} {name}"));
        }
        return Some(kind);
    }
    let mut name = text.to_owned();
    for known in [
        "provider[\"",
        "\"]",
        "registry.terraform.io/",
        "registry.opentofu.org/",
    ] {
        name = name.replace(known, "");
    }
    kind.name = escaped(&name);
    Some(kind)
}

/// The module of a resource, or the component that it belongs to.
fn module(stack: &Stack, id: ResourceId) -> Option<Kind> {
    if !stack.header.kind.is_pulumi() {
        let group = stack.record(id).group?;
        return Kind::of(&stack.tables.group(group).path, "module");
    }
    let mut links = stack.graph.depends_on(id).iter();
    let parent = links.find(|link| link.kind == EdgeKind::Parent)?.to;
    let is_stack = stack.record(parent).flags.contains(Flags::STACK);
    if is_stack {
        return None;
    }
    Kind::of(stack.short_name(parent), "module")
}

/// The kinds of the resources, the most frequent first, each with a bar.
fn section(title: Title, ids: &[ResourceId], kind_of: impl Fn(ResourceId) -> Option<Kind>) -> Part {
    let counts = most_frequent(ids.iter().filter_map(|id| kind_of(*id)));
    let most = counts.first().map_or(1, |(_, count)| *count);
    let width = count(most as u64).len();
    let n_kinds = counts.len();
    let entries = counts.into_iter().take(MAX_KINDS).map(|(kind, n)| {
        let number = count(n as u64);
        let bar = "█".repeat((n * BAR).div_ceil(most));
        Entry {
            names: vec![kind.name.into()].into(),
            query: kind.query,
            says: format!("{number:>width$} {bar}"),
            ..Entry::default()
        }
    });
    Part::of(title, n_kinds, entries)
}

/// The type of a resource, as displays print it.
fn ty(stack: &Stack, id: ResourceId) -> Option<Kind> {
    let ty = stack.ty(id);
    let kind = Kind::of(ty, "type")?;
    Some(Kind {
        name: escaped(&display_type(ty)),
        ..kind
    })
}

/// The type of a resource that holds secrets.
fn holder(stack: &Stack, id: ResourceId) -> Option<Kind> {
    let holds = stack.record(id).flags.contains(Flags::SECRET);
    let mut kind = ty(stack, id).filter(|_| holds)?;
    kind.query.push_str(" is:secret");
    Some(kind)
}

/// The outputs of the stack.
fn outputs(stack: &Stack) -> Part {
    let entry = |(number, output): (usize, &Output)| Entry {
        names: vec![escaped(&output.name).into()].into(),
        outputs: vec![number],
        says: short(&output.value),
        ..Entry::default()
    };
    let outputs = stack.outputs.iter().enumerate();
    Part::of(Title::Outputs, stack.outputs.len(), outputs.map(entry))
}

/// When the file was written, as it says itself, and by which tool.
fn written(stack: &Stack) -> Option<String> {
    let header = &stack.header;
    let manifest = header.fields.iter().find(|(name, _)| name == "manifest");
    let time = manifest.and_then(|(_, manifest)| {
        let time = manifest.get("time")?;
        Some(escaped(time.as_str()?))
    });
    let tool = match header.tool_version.as_str() {
        "" => header.tool.name().to_owned(),
        version => format!("{} {}", header.tool.name(), escaped(version)),
    };
    match time {
        Some(time) => Some(format!("written {time} by {tool}")),
        None if header.tool_version.is_empty() => None,
        None => Some(format!("written by {tool}")),
    }
}
