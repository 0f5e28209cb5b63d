//! Example queries that find something in a file.

use super::field::{MANAGED, says};
use super::{Query, TermKind};
use crate::path::Segment;
use crate::stack::{Action, Flags, PathId, ResourceId, Stack};

/// Number of resources that are looked at.
const MAX_LOOKED_AT: usize = 1000;

/// Number of property paths of one resource that are looked at.
const MAX_PATHS: usize = 200;

/// A query with a short description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The query.
    pub query: String,
    /// The description.
    pub help: &'static str,
}

/// Examples for a file, or for its changes. Each finds something. They are chosen from the first resources.
pub fn examples(stack: &Stack, in_changes: bool) -> Vec<Example> {
    let all = stack.ids().take(MAX_LOOKED_AT).filter(|id| {
        let record = stack.record(*id);
        let is_background = Flags::PROVIDER | Flags::STACK | Flags::EXTERNAL;
        let is_hit = !record.flags.is_second_entry() && !record.flags.intersects(is_background);
        let changes = || stack.actions(*id).any(|action| action != Action::Noop);
        is_hit && (!in_changes || changes())
    });
    let all: Vec<ResourceId> = all.collect();
    let mut found = Vec::new();
    let mut add = |query: Option<String>, help| {
        found.extend(query.map(|query| Example { query, help }));
    };
    let names = all.iter().map(|id| stack.short_name(*id));
    let mut names = names.filter(|name| is_word(name));
    add(
        names.next().map(str::to_owned),
        "a word of a name, a type or a path",
    );
    add(ty(stack, &all), "resources of a type");
    if in_changes {
        let actions = Action::ALL.into_iter().filter(|it| *it != Action::Noop);
        let mut actions = actions.filter(|it| {
            all.iter()
                .any(|id| stack.actions(*id).any(|own| own == *it))
        });
        let action = actions.next();
        add(
            action.map(|action| format!("action:{}", action.name())),
            "changes of a kind",
        );
    }
    add(path(stack, &all), "resources with a property");
    add(flag(stack, &all), "a fact of a resource");
    found
}

/// The most frequent type.
fn ty(stack: &Stack, ids: &[ResourceId]) -> Option<String> {
    let mut types: Vec<&str> = ids.iter().map(|id| stack.ty(*id)).collect();
    types.sort_unstable();
    let most = types
        .chunk_by(|one, other| one == other)
        .max_by_key(|it| it.len());
    let ty = most?.first()?;
    let is_plain = !ty.is_empty() && !ty.contains(|char: char| " |,\"".contains(char));
    is_plain.then(|| format!("type:{ty}"))
}

/// The path of a property, of a nested one if there is any.
fn path(stack: &Stack, ids: &[ResourceId]) -> Option<String> {
    let mut best: Option<(usize, String)> = None;
    for id in ids.iter().take(20) {
        let shape = stack.tables.shape(stack.record(*id).shape);
        for path in shape.take(MAX_PATHS) {
            let Some(segments) = keys(stack, path) else {
                continue;
            };
            let text = format!(".{}", segments.join("."));
            let depth = segments.len().min(2);
            let is_better = best.as_ref().is_none_or(|(other, _)| depth > *other);
            if segments.len() <= 2 && is_better && is_pattern(&text) {
                best = Some((depth, text));
            }
        }
        if best.as_ref().is_some_and(|(depth, _)| *depth == 2) {
            break;
        }
    }
    best.map(|(_, text)| text)
}

/// The keys of a property path from the top. `None` for the top, and for a path with an element of an array.
fn keys(stack: &Stack, path: PathId) -> Option<Vec<&str>> {
    let nodes = &stack.tables.paths;
    let mut keys = Vec::new();
    let mut node = nodes.get(path.0 as usize)?;
    while let Some(parent) = node.parent {
        match &node.segment {
            Some(Segment::Key(key)) => keys.push(&**key),
            Some(Segment::Index(_)) | None => return None,
        }
        node = nodes.get(parent.0 as usize)?;
    }
    keys.reverse();
    (!keys.is_empty()).then_some(keys)
}

/// A word that is set on a resource, a rare one if there is any.
fn flag(stack: &Stack, ids: &[ResourceId]) -> Option<String> {
    let wanted = [
        Flags::PROTECTED,
        Flags::TAINTED,
        Flags::PENDING_DELETE,
        Flags::SECRET,
        Flags::DATA,
        Flags::CUSTOM,
    ];
    let is_set = |flag: &Flags| ids.iter().any(|id| stack.record(*id).flags.contains(*flag));
    let flag = wanted.into_iter().find(is_set)?;
    let words = flag.names().chain([MANAGED]);
    let mut words = words.filter(|word| says(stack.header.kind, word));
    Some(format!("is:{}", words.next()?))
}

fn is_word(text: &str) -> bool {
    text.len() > 1 && only_term(text).is_some_and(|kind| matches!(kind, TermKind::Word(_)))
}

fn is_pattern(text: &str) -> bool {
    only_term(text).is_some_and(|kind| matches!(kind, TermKind::Pattern { .. }))
}

/// The kind of the term, if the text is a query of one plain term.
fn only_term(text: &str) -> Option<TermKind> {
    let query = Query::parse(text).ok()?;
    let mut terms = query.terms();
    let term = terms.next().filter(|term| !term.negated)?;
    terms.next().is_none().then(|| term.kind.clone())
}
