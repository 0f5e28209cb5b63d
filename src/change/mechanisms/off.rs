//! Off already: a resource that goes and that does nothing by its own values, such as a service that wants no task, a password that ended before
//! the plan was made, or whose object stays. Nothing is lost with it, so its deletion is a note.
//!
//! The values are data, `assets/mechanisms/off.toml`.

use std::collections::HashSet;

use super::places::{all_at, at, text_at};
use super::tables::{OFF, OffEntry};
use super::words::{ends_in, of_type};
use super::{Fact, Notice, Reader, Seen, stays};
use crate::change::quantity::number;
use crate::change::rules::{Level, is_nothing};
use crate::change::texts::plain_text;
use crate::path::Path;
use crate::stack::{Action, Flags, Resource};
use crate::terraform::address::ObjectName;
use crate::text::seconds;
use crate::value::Value;

/// Maximum number of resources that are read to find those that do the work instead.
const MAX_READ: usize = 500;

/// A resource that goes and is off already.
#[derive(Clone, Debug)]
pub(super) struct Idle {
    notice: Notice,
    /// The entry of the table that says so only if another resource does the work instead, with the values that both share.
    instead: Option<(&'static OffEntry, Shared)>,
}

/// Values of a resource, as texts.
type Shared = Vec<String>;

/// A notice about each resource that goes and is off already.
pub(super) fn notices(all: Vec<Idle>, reader: &Reader<'_>) -> Vec<Notice> {
    let stack = reader.stack;
    let ty = |notice: &Notice| stack.ty(notice.ids[0]);
    let waiting = all.iter().filter(|it| it.instead.is_some());
    let types: HashSet<&str> = waiting.map(|it| ty(&it.notice)).collect();
    let staying = reader.some(MAX_READ, stays, |ty| types.contains(ty));
    let is_done = |notice: &Notice, entry: &OffEntry, shared: &Shared| {
        staying.iter().any(|(id, other)| {
            let set = other.current().and_then(|it| it.sets().next());
            let does_it =
                |set: &Value| self::shared(set, entry).as_ref() == Some(shared) && !has(set, entry);
            stack.ty(*id) == ty(notice) && set.is_some_and(does_it)
        })
    };
    let counts = |it: &Idle| {
        let instead = it.instead.as_ref();
        instead.is_none_or(|(entry, shared)| is_done(&it.notice, entry, shared))
    };
    all.into_iter().filter(counts).map(|it| it.notice).collect()
}

/// The values that a resource shares with those that do its work. `None` if one is not known.
fn shared(set: &Value, entry: &OffEntry) -> Option<Shared> {
    let places = entry.instead.iter();
    places.map(|place| text_at(set, place)).collect()
}

/// The resource, if it goes and is off already by its own values.
pub(super) fn find(seen: &Seen<'_>) -> Option<Idle> {
    let goes = matches!(seen.action, Action::Delete | Action::Replace);
    if !goes || !seen.is_managed() {
        return None;
    }
    let ty = of_type(seen.stack.ty(seen.id));
    let idle = |path: Path, says: String| Idle {
        notice: Notice::at(Fact::at(seen.id, path), Level::Note, "off-already", says),
        instead: None,
    };
    if seen.stack.record(seen.id).flags.contains(Flags::DEPOSED) && has_successor(seen) {
        let says = "deposed: another object has taken its place".to_owned();
        return Some(idle(Path::root(), says));
    }
    let kept = said_by(&OFF.keeps, &ty, seen.resource, has_value);
    if let Some((_, path, value)) = kept.filter(|_| seen.action == Action::Delete) {
        let says = format!("only the tool forgets it, the object stays: {path} {value}");
        return Some(idle(path, says));
    }
    let is_past = |_: &OffEntry, value: &Value| {
        let end = value.as_str().and_then(seconds);
        end.is_some_and(|end| seen.stack.written_at().is_some_and(|now| end < now))
    };
    // A table that names the type knows what is lost with it.
    let holds = ty.iter().any(|word| OFF.holds.contains(word));
    let is_idle = |entry: &OffEntry, value: &Value| {
        !(holds && entry.types.is_empty()) && has_value(entry, value)
    };
    let is_off = || said_by(&OFF.idle, &ty, seen.resource, is_idle);
    let (entry, path, value) = said_by(&OFF.ends, &ty, seen.resource, is_past).or_else(is_off)?;
    let heaviest = seen.found.iter().find(|it| it.path.0.is_empty());
    let what = heaviest.map(|it| format!("; otherwise {}", it.rule.says));
    let says = format!("off already, {path} {value}{}", what.unwrap_or_default());
    let instead = if entry.instead.is_empty() {
        None
    } else {
        let set = seen.resource.before.as_ref()?.sets().next()?;
        Some((entry, shared(set, entry)?))
    };
    Some(Idle {
        instead,
        ..idle(path, says)
    })
}

/// True if the object that a deposed one made way for is there, and stays.
fn has_successor(seen: &Seen<'_>) -> bool {
    let stack = seen.stack;
    let own = stack.address(seen.id);
    let named = own.map_or_else(Vec::new, |own| stack.find(ObjectName::parse(own).address));
    let mut others = named.into_iter().filter(|id| *id != seen.id);
    others.any(|id| !stack.record(id).flags.contains(Flags::DEPOSED) && stays(stack, id))
}

/// The property with which an entry of a table says something about a resource of a type with these words, with its value.
fn said_by<'t, 'v>(
    table: &'t [OffEntry],
    ty: &[String],
    resource: &'v Resource,
    says: impl Fn(&OffEntry, &Value) -> bool,
) -> Option<(&'t OffEntry, Path, &'v Value)> {
    // The provider knows more than the program.
    let set = resource.before.as_ref()?.sets().next()?;
    let of_type =
        |entry: &&OffEntry| entry.types.is_empty() || entry.types.iter().any(|it| ends_in(ty, it));
    let is_small = |(place, most): (&String, &f64)| {
        let number = at(set, place).and_then(|(_, value)| number(value));
        number.is_some_and(|number| number <= *most)
    };
    let counts = |entry: &&OffEntry| of_type(entry) && entry.at_most.iter().all(is_small);
    table.iter().filter(counts).find_map(|entry| {
        let mut found = all_at(set, &entry.properties);
        let (path, value) = found.find(|(_, value)| says(entry, value))?;
        Some((entry, path, value))
    })
}

/// True for a value that does nothing, whatever type of resource has it.
pub(super) fn is_idle(set: &Value) -> bool {
    let mut of_any = OFF.idle.iter().filter(|entry| entry.types.is_empty());
    of_any.any(|entry| all_at(set, &entry.properties).any(|(_, value)| has_value(entry, value)))
}

/// True if a resource has one of the values of an entry; a list of texts if one of them is such a value.
pub(super) fn has(set: &Value, entry: &OffEntry) -> bool {
    all_at(set, &entry.properties).any(|(_, value)| {
        let own = std::slice::from_ref(value);
        let each = value.as_array().map_or(own, |items| items.as_slice());
        let mut each = each.iter().filter(|it| !it.is_secret());
        each.any(|value| has_value(entry, value))
    })
}

/// True if a value is one of those of an entry.
fn has_value(entry: &OffEntry, value: &Value) -> bool {
    entry.values.iter().any(|it| is(value, it))
}

/// True if a value is the one that a table names; "" is anything that is empty.
fn is(value: &Value, want: &str) -> bool {
    match plain_text(value) {
        Some(text) => text.eq_ignore_ascii_case(want),
        None => want.is_empty() && is_nothing(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[test]
    fn a_value_is_the_one_of_a_table_however_it_is_written() {
        let json = br#"{"desiredCount": 0, "spec": [{"replicas": 0, "paused": true}], "aliases": [], "enabled": "false"}"#;
        let set = parse(json, Numbers::Exact).unwrap().value;
        let check =
            |place: &str, want: &str| at(&set, place).is_some_and(|(_, value)| is(value, want));
        assert!(check("desired_count", "0"));
        assert!(check("spec.replicas", "0"));
        assert!(check("aliases", ""));
        assert!(check("enabled", "false"));
        assert!(!check("desired_count", "false"));
        assert!(!check("replicas", "0"));
        assert!(!check("spec.paused", "false"));
    }
}
