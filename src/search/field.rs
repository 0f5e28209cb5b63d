//! The fields of a query: facts of a resource as a whole, such as `type:aws:s3/*` or `is:secret`, and of its changes, such as
//! `old:t3.micro`.
//!
//! [`FIELDS`] is the one table of them. The parser, the engine, the search in outputs, the completion, the help and `docs/search.md`
//! read it. A new field is a new row; one that asks for a new fact of a resource also needs a [`Condition`].

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::engine::condition::Condition;
use super::outputs;
use super::query::{TermKind, unquote};
use super::{Anchor, Facts, Index, LIMIT, Wild, Word};
use crate::change::sections::Title;
use crate::path::Glob;
use crate::stack::graph::Direction;
use crate::stack::{Action, Flags, Kind, Output, ResourceId};
use crate::text::{ParseError, nearest};
use crate::value::Value;

/// A field.
#[derive(Debug)]
pub struct Field {
    /// The name before the colon.
    pub name: &'static str,
    /// A line of help.
    pub help: &'static str,
    /// The texts that may follow the colon.
    pub(super) values: Values,
    /// Parses the text after the colon.
    pub(super) parse: fn(&str) -> Result<Wanted, ParseError>,
    /// The way to find out if it holds.
    pub(super) test: Test,
}

/// The way to find out if a field holds.
pub(super) enum Test {
    /// The field is about a resource as a whole, or an output.
    Resource {
        /// Prepares the comparison for an index.
        condition: for<'q> fn(&Index, &'q Wanted, &Facts) -> Condition<'q>,
        /// True if the field of an output is one of those wanted.
        is_of: fn(&Output, &Wanted) -> bool,
    },
    /// The field is about a changed value.
    Change(Aspect),
    /// The field is about the sections of the brief.
    Section,
}

impl fmt::Debug for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resource { .. } => "Resource",
            Self::Change(_) => "Change",
            Self::Section => "Section",
        })
    }
}

/// The aspect of a changed value that a field is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aspect {
    /// Its path.
    Path,
    /// The value before.
    Old,
    /// The value after.
    New,
}

/// The texts that may follow the colon of a field.
#[derive(Debug)]
pub(super) enum Values {
    /// Any text.
    Any,
    /// These words only.
    Words(fn() -> Vec<&'static str>),
    /// Property paths of the file.
    Paths,
    /// Any text. These texts of the file are completed, each with the number of resources that have it, or 0 if that is unknown.
    Known(fn(&Index) -> Vec<(&str, u64)>),
}

impl Field {
    /// The words that the field takes. Empty if it takes any text.
    pub fn words(&self) -> Vec<&'static str> {
        match self.values {
            Values::Words(words) => words(),
            Values::Any | Values::Paths | Values::Known(_) => Vec::new(),
        }
    }

    /// True for a text that the field takes after its colon.
    pub(super) fn takes(&self, text: &str) -> bool {
        (self.parse)(text).is_ok()
    }

    /// The help, with the words that the field takes.
    pub fn explained(&self) -> String {
        let words = self.words();
        if words.is_empty() {
            return self.help.to_owned();
        }
        format!("{}: {}", self.help, words.join(", "))
    }

    /// True if the field is about changes. Only a search among changes takes it.
    pub fn is_of_changes(&self) -> bool {
        match self.test {
            Test::Resource { .. } => false,
            Test::Change(_) | Test::Section => true,
        }
    }
}

/// The alternatives of a term: one of them has to hold.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Texts with wildcards.
    Texts(Vec<Wild>),
    /// Actions.
    Actions(Vec<Action>),
    /// Flags, or marks of the person.
    Is(Vec<Is>),
    /// Resources, by identity or name.
    Names(Vec<String>),
    /// Property paths.
    Paths(Vec<Glob>),
    /// Sections of the brief.
    Sections(Vec<Title>),
}

/// An argument of `is:`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Is {
    /// A fact of the file.
    Flag(Flags),
    /// Marked by the person.
    Marked,
    /// Reviewed by the person.
    Reviewed,
    /// New or different since the file was read before.
    Fresh,
}

/// Every field.
pub const FIELDS: &[Field] = &[
    Field {
        name: "type",
        help: "type token, * and ? are wildcards",
        values: Values::Known(Index::types),
        parse: |text| Ok(texts(text)),
        test: Test::Resource {
            condition: |index, wanted, _| {
                let prefixes = index.stack().tables.prefixes.iter();
                Condition::Prefixes(prefixes.map(|it| wanted.has(it.ty())).collect())
            },
            is_of: |_, wanted| wanted.has(outputs::TYPE),
        },
    },
    Field {
        name: "name",
        help: "name or address",
        values: Values::Any,
        parse: |text| Ok(texts(text)),
        test: Test::Resource {
            condition: |_, wanted, _| Condition::Name(wanted.texts()),
            is_of: |output, wanted| wanted.has(&output.name),
        },
    },
    Field {
        name: "id",
        help: "the provider's id",
        values: Values::Any,
        parse: |text| Ok(texts(text)),
        test: Test::Resource {
            condition: |_, wanted, _| Condition::Id(wanted.texts()),
            is_of: |_, _| false,
        },
    },
    Field {
        name: "provider",
        help: "the provider",
        values: Values::Known(|index| {
            let providers = index.stack().tables.providers.iter();
            providers.map(|provider| (&**provider, 0)).collect()
        }),
        parse: |text| Ok(texts(text)),
        test: Test::Resource {
            condition: |index, wanted, _| {
                let providers = index.stack().tables.providers.iter();
                let fits = providers.map(|provider| wanted.has(provider)).collect();
                Condition::Providers(fits, wanted.has(""))
            },
            is_of: |_, _| false,
        },
    },
    Field {
        name: "module",
        help: "module or parent; in a plan also SOURCE@VERSION of the module",
        values: Values::Known(|index| {
            let groups = index.stack().tables.groups.iter();
            groups.map(|group| (&*group.path, 0)).collect()
        }),
        parse: |text| Ok(texts(text)),
        test: Test::Resource {
            condition: |index, wanted, _| {
                let stack = index.stack();
                if stack.header.kind.is_pulumi() {
                    return Condition::Parent(wanted.texts());
                }
                let fits = stack.tables.groups.iter().map(|group| {
                    let call = stack.module_call_of(group);
                    wanted.has(&group.path) || call.is_some_and(|it| wanted.has(&it.to_string()))
                });
                Condition::Groups(fits.collect(), wanted.has(""))
            },
            is_of: |_, _| false,
        },
    },
    Field {
        name: ACTION,
        help: "planned action",
        values: Values::Words(action_names),
        parse: |text| words(text, action, action_names).map(Wanted::Actions),
        test: Test::Resource {
            condition: |_, wanted, _| Condition::Actions(wanted.actions()),
            is_of: |output, wanted| {
                let action = output.action;
                action.is_some_and(|action| wanted.actions().contains(&action))
            },
        },
    },
    Field {
        name: "is",
        help: "flag of the resource",
        values: Values::Words(is_names),
        parse: |text| words(text, is, is_names).map(Wanted::Is),
        test: Test::Resource {
            condition: |_, wanted, facts| {
                let (mut flags, mut sets) = (Flags::NONE, Vec::new());
                for is in wanted.is() {
                    match is {
                        Is::Flag(flag) => flags |= *flag,
                        Is::Marked => sets.push(Arc::clone(&facts.marked)),
                        Is::Reviewed => sets.push(Arc::clone(&facts.reviewed)),
                        Is::Fresh => sets.push(Arc::clone(&facts.fresh)),
                    }
                }
                Condition::Flags(flags, sets)
            },
            is_of: |output, wanted| {
                wanted.is().iter().any(|is| match is {
                    Is::Flag(flag) if *flag == Flags::SECRET => {
                        outputs::has(output, Value::is_secret)
                    }
                    Is::Flag(flag) if *flag == Flags::UNKNOWN => {
                        outputs::has(output, Value::is_computed)
                    }
                    Is::Flag(_) | Is::Marked | Is::Reviewed | Is::Fresh => false,
                })
            },
        },
    },
    Field {
        name: "depends",
        help: "depends on this resource, directly or indirectly",
        values: Values::Any,
        parse: |text| Ok(names(text)),
        test: Test::Resource {
            condition: |index, wanted, _| {
                let graph = &index.stack().graph;
                let users = named(index, wanted).flat_map(|id| graph.reach(id, Direction::UsedBy));
                Condition::Among(users.map(|reached| reached.id).collect())
            },
            is_of: |_, _| false,
        },
    },
    Field {
        name: "uses",
        help: "depends on this resource directly",
        values: Values::Any,
        parse: |text| Ok(names(text)),
        test: Test::Resource {
            condition: |index, wanted, _| {
                let graph = &index.stack().graph;
                let mut users = HashSet::new();
                for id in named(index, wanted) {
                    users.extend(graph.used_by(id).iter().map(|link| link.to));
                }
                Condition::Among(users)
            },
            is_of: |_, _| false,
        },
    },
    Field {
        name: "path",
        help: "in changes: the path of a changed property, or one above it; **.key at any depth",
        values: Values::Paths,
        parse: |text| paths(text).map(Wanted::Paths),
        test: Test::Change(Aspect::Path),
    },
    Field {
        name: "old",
        help: "in changes: the old value of a changed property, * and ? are wildcards",
        values: Values::Any,
        parse: |text| Ok(texts(text)),
        test: Test::Change(Aspect::Old),
    },
    Field {
        name: "new",
        help: "in changes: the new value of a changed property",
        values: Values::Any,
        parse: |text| Ok(texts(text)),
        test: Test::Change(Aspect::New),
    },
    Field {
        name: "kind",
        help: "in changes: the section of the brief",
        values: Values::Words(section_names),
        parse: |text| words(text, section, section_names).map(Wanted::Sections),
        test: Test::Section,
    },
];

/// The field with this name.
pub(super) fn find(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

impl Wanted {
    pub(super) fn texts(&self) -> &[Wild] {
        match self {
            Self::Texts(texts) => texts,
            _ => &[],
        }
    }

    fn actions(&self) -> &[Action] {
        match self {
            Self::Actions(actions) => actions,
            _ => &[],
        }
    }

    fn is(&self) -> &[Is] {
        match self {
            Self::Is(is) => is,
            _ => &[],
        }
    }

    fn names(&self) -> &[String] {
        match self {
            Self::Names(names) => names,
            _ => &[],
        }
    }

    pub(super) fn globs(&self) -> &[Glob] {
        match self {
            Self::Paths(globs) => globs,
            _ => &[],
        }
    }

    pub(super) fn sections(&self) -> &[Title] {
        match self {
            Self::Sections(titles) => titles,
            _ => &[],
        }
    }

    /// True if one of the texts matches.
    fn has(&self, text: &str) -> bool {
        self.texts().iter().any(|wild| wild.matches(text))
    }
}

/// The resources with one of the wanted names as identity or name. If there is none, the resources whose name fits, limited in
/// number because walking the graph from each takes time.
fn named<'i>(index: &'i Index, wanted: &'i Wanted) -> impl Iterator<Item = ResourceId> + 'i {
    wanted.names().iter().flat_map(move |name| {
        let stack = index.stack();
        let found = stack.find(name);
        if !found.is_empty() || name.is_empty() {
            return found;
        }
        let wild = Wild::new(name);
        let fitting = stack.ids().filter(|id| wild.matches(index.name(*id)));
        fitting.take(LIMIT).collect()
    })
}

fn texts(text: &str) -> Wanted {
    let texts = alternatives(text).map(|(_, text)| Wild::new(&text));
    Wanted::Texts(texts.collect())
}

fn names(text: &str) -> Wanted {
    let names = alternatives(text).map(|(_, text)| text);
    Wanted::Names(names.collect())
}

/// Parses property paths.
fn paths(text: &str) -> Result<Vec<Glob>, ParseError> {
    alternatives(text)
        .map(|(offset, path)| {
            Glob::parse_tolerant(&path).map_err(|error| error.within(text, offset))
        })
        .collect()
}

/// Parses the words of a closed list.
fn words<T>(
    text: &str,
    one: fn(&str) -> Option<T>,
    all: fn() -> Vec<&'static str>,
) -> Result<Vec<T>, ParseError> {
    alternatives(text)
        .map(|(offset, word)| {
            one(&word).ok_or_else(|| {
                let near = nearest(&word, all());
                let near =
                    near.map_or_else(String::new, |it| format!("`{it}`, which is alike, or "));
                let expected = format!("{near}one of {}", all().join(", "));
                ParseError::at(text.as_bytes(), offset, expected)
            })
        })
        .collect()
}

/// The alternatives separated by commas outside quotes and brackets, with their byte offsets. An empty text is one empty alternative.
fn alternatives(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut parts = Vec::new();
    let (mut from, mut quoted, mut escaped, mut depth) = (0, false, false, 0_usize);
    for (at, char) in text.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push((from, unquote(&text[from..at])));
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = &text[from..];
    // A comma at the end means that the list is still being typed.
    if !last.is_empty() || parts.is_empty() {
        parts.push((from, unquote(last)));
    }
    parts.into_iter()
}

/// The term for resources with exactly this id of the provider.
pub(super) fn id_is(text: &str) -> Option<TermKind> {
    let wild = Wild::Part(Word::new(text, Anchor::Whole));
    find("id").map(|field| TermKind::Fact(field, Wanted::Texts(vec![wild])))
}

/// The term `action:WORD`, if the word is the name of an action in any case, or `is:drifted`.
pub(super) fn action_of(word: &str) -> Option<TermKind> {
    let word = word.to_ascii_lowercase();
    if matches!(&*word, DRIFT | "drifted") {
        let drifted = Wanted::Is(vec![Is::Flag(Flags::DRIFTED)]);
        return find("is").map(|field| TermKind::Fact(field, drifted));
    }
    let action = action(&word)?;
    let field = find(ACTION)?;
    Some(TermKind::Fact(field, Wanted::Actions(vec![action])))
}

/// The name of the field for actions.
pub(super) const ACTION: &str = "action";

/// The action that a word is the name of: `delete`, `deleted`, and the words of the engines.
fn action(word: &str) -> Option<Action> {
    let is_it = |action: &Action| {
        action.name() == word || action.happened().strip_prefix("was ") == Some(word)
    };
    match word {
        "destroy" | "destroyed" => Some(Action::Delete),
        "changed" => Some(Action::Update),
        "no-op" => Some(Action::Noop),
        _ => Action::ALL.into_iter().find(is_it),
    }
}

fn is(word: &str) -> Option<Is> {
    match word {
        "marked" => Some(Is::Marked),
        "reviewed" => Some(Is::Reviewed),
        "fresh" => Some(Is::Fresh),
        MANAGED => Some(Is::Flag(Flags::CUSTOM)),
        // The entries of a plan for drift stand for resources, which have the other flag.
        DRIFT => Some(Is::Flag(Flags::DRIFTED)),
        _ => Flags::NAMES
            .iter()
            .find(|(_, name)| *name == word)
            .map(|(flag, _)| Is::Flag(*flag)),
    }
}

fn section(word: &str) -> Option<Title> {
    let mut titles = Title::OF_RESOURCES.into_iter();
    titles.find(|title| title.name() == word)
}

fn section_names() -> Vec<&'static str> {
    Title::OF_RESOURCES.into_iter().map(Title::name).collect()
}

fn action_names() -> Vec<&'static str> {
    Action::ALL.into_iter().map(Action::name).collect()
}

fn is_names() -> Vec<&'static str> {
    let names = Flags::NAMES.iter().map(|(_, name)| *name);
    let mut names: Vec<_> = names.filter(|name| *name != DRIFT).collect();
    names.extend(["marked", "reviewed", "fresh", MANAGED]);
    names
}

/// Terraform's word for a resource that Pulumi calls custom.
pub(super) const MANAGED: &str = "managed";

/// A word that means drift.
const DRIFT: &str = "drift";

/// True for a word of `is:` that the tool of a file says.
pub(super) fn says(kind: Kind, word: &str) -> bool {
    match word {
        MANAGED => !kind.is_pulumi(),
        "custom" => kind.is_pulumi(),
        _ => true,
    }
}
