//! `brief`: the changes of a plan, or between two files, condensed: the same change once, the odd ones first.

use std::fmt::Write as _;

use super::args::BriefArgs;
use super::{Console, Failure, diff, open};
use crate::change::difference;
use crate::change::kinds::{Difference, Kind, LeafPrint, Odd, Shape, pattern, siblings};
use crate::change::leaves::Leaf;
use crate::load::brief::{Brief, leaves_of};
use crate::load::{self, Document, schemas};
use crate::stack::{Action, ResourceId};
use crate::terraform::schema::Schemas;
use crate::text::escaped;
use crate::value::Value;

/// Maximum length of a value, in characters.
const MAX_VALUE: usize = 48;

/// Maximum number of changes of one kind that are printed.
const MAX_CHANGES: usize = 8;

/// Maximum number of names that are printed of one kind.
const MAX_NAMES: usize = 6;

pub(super) fn run(args: &BriefArgs, console: &mut Console<'_>) -> Result<u8, Failure> {
    let input = diff::input(&args.file, args.other.as_deref(), console)?;
    let document = open::load(&input, console)?;
    let stack = &document.stack;
    if !stack.is_comparison && !stack.header.kind.has_changes() {
        return Err(Failure::usage(format!(
            "{}: {} holds no changes, expected a plan, or a second file to compare with",
            load::name(&input),
            stack.header.kind
        )));
    }
    let schemas = schemas::of(&input)?
        .map(|found| found.contents)
        .unwrap_or_default();
    let brief = Brief::of(&document, &schemas);
    let page = Page {
        document: &document,
        schemas: &schemas,
    };
    console.out.write_all(page.text(&brief).as_bytes())?;
    Ok(0)
}

/// A file, with everything needed to read the leaves of its resources again.
struct Page<'d> {
    document: &'d Document,
    schemas: &'d Schemas,
}

impl Page<'_> {
    // Writing to a string cannot fail.
    fn text(&self, brief: &Brief) -> String {
        let mut out = self.counts(brief);
        let kinds = &brief.partition.kinds;
        let is_noise = |kind: &&Kind| kind.shape == Shape::NoEffect;
        let is_alone = |kind: &&Kind| kind.alone();
        self.section(
            &mut out,
            "the same change, many times",
            kinds
                .iter()
                .filter(|kind| !is_alone(kind) && !is_noise(kind)),
        );
        self.odd(&mut out, &brief.partition.odd);
        self.section(
            &mut out,
            "on their own, oddest first",
            kinds.iter().filter(is_alone),
        );
        self.section(&mut out, "without effect", kinds.iter().filter(is_noise));
        if !brief.unread.is_empty() {
            _ = writeln!(out, "\n{} could not be read:", brief.unread.len());
            for line in self.names(&brief.unread) {
                _ = writeln!(out, "    {line}");
            }
        }
        out
    }

    /// Example: `21 changes: 2 delete, 2 replace, 17 update`.
    fn counts(&self, brief: &Brief) -> String {
        let kinds = &brief.partition.kinds;
        let total: usize = kinds.iter().map(|kind| kind.members.len()).sum();
        if total == 0 {
            let word = if self.document.stack.is_comparison {
                "differences"
            } else {
                "changes"
            };
            return format!("no {word}\n");
        }
        let of_action = |action: Action| {
            let own = kinds.iter().filter(|kind| kind.action == action);
            let count: usize = own.map(|kind| kind.members.len()).sum();
            (count > 0).then(|| format!("{count} {}", self.document.stack.word(action)))
        };
        let counts: Vec<String> = Action::ALL.into_iter().filter_map(of_action).collect();
        let plural = if total == 1 { "" } else { "s" };
        format!("{total} change{plural}: {}\n", counts.join(", "))
    }

    fn section<'k>(&self, out: &mut String, title: &str, kinds: impl Iterator<Item = &'k Kind>) {
        let mut kinds = kinds.peekable();
        if kinds.peek().is_some() {
            _ = writeln!(out, "\n{title}");
        }
        for kind in kinds {
            self.kind(out, kind);
        }
    }

    fn kind(&self, out: &mut String, kind: &Kind) {
        let sign = kind.action.sign();
        let names = self.names(&kind.members);
        let types: Vec<String> = kind.types.iter().map(|(ty, _)| escaped(ty)).collect();
        let types = match &types[..] {
            [one] => one.clone(),
            [one, .., last] if types.len() == 2 => format!("{one}, {last}"),
            [one, rest @ ..] => format!("{one} and {} more types", rest.len()),
            [] => String::new(),
        };
        if kind.alone() {
            _ = writeln!(
                out,
                "  {sign} {}  {}",
                names.join(", "),
                self.document.stack.word(kind.action)
            );
        } else {
            let count = kind.members.len();
            _ = writeln!(
                out,
                "  {sign} {count} × {}  {types}",
                self.document.stack.word(kind.action)
            );
        }
        let Some(first) = kind.members.first() else {
            return;
        };
        let prints: Vec<LeafPrint> = kind.changes.iter().map(|change| change.leaf).collect();
        let found = self.leaves(*first, &prints);
        for (shared, leaf) in kind.changes.iter().zip(&found).take(MAX_CHANGES) {
            let Some(leaf) = leaf else { continue };
            _ = writeln!(
                out,
                "      {}",
                change(leaf, shared.same_values || kind.members.len() == 1)
            );
        }
        more(out, kind.changes.len(), "changes");
        let also: Vec<LeafPrint> = kind
            .also
            .iter()
            .map(|(leaf, _)| *leaf)
            .take(MAX_CHANGES)
            .collect();
        let also: Vec<String> = self.also(&kind.members, &also);
        if !also.is_empty() {
            _ = writeln!(out, "      and the common {}", also.join(", "));
        }
        if !kind.alone() {
            for name in names.iter().take(MAX_NAMES) {
                _ = writeln!(out, "    {name}");
            }
            if names.len() > MAX_NAMES {
                _ = writeln!(out, "    {} more", names.len() - MAX_NAMES);
            }
        }
    }

    /// The places of changes that some members have.
    fn also(&self, members: &[ResourceId], wanted: &[LeafPrint]) -> Vec<String> {
        let mut open: Vec<LeafPrint> = wanted.to_vec();
        let mut places = Vec::new();
        for member in members {
            if open.is_empty() {
                break;
            }
            let found = self.leaves(*member, &open);
            let mut found = found.into_iter();
            open.retain(|_| match found.next().flatten() {
                Some(leaf) => {
                    places.push(escaped(&pattern(&leaf.path).to_string()));
                    false
                }
                None => true,
            });
        }
        places
    }

    fn odd(&self, out: &mut String, odd: &[Odd]) {
        if !odd.is_empty() {
            _ = writeln!(out, "\nodd ones out");
        }
        for odd in odd {
            let word = self.document.stack.word(odd.action);
            let how = match odd.difference {
                Difference::Unchanged => "does not change",
                Difference::Action => "changes in another way",
                Difference::Places => "changes other properties",
                Difference::Values => "gets other values",
            };
            let name = self.names(&[odd.id]).join(", ");
            _ = writeln!(
                out,
                "  {name}  {how}, unlike {} siblings ({word})",
                odd.n_alike
            );
            for leaf in self
                .leaves(odd.id, &odd.extra)
                .into_iter()
                .flatten()
                .take(MAX_CHANGES)
            {
                _ = writeln!(out, "      {}", change(&leaf, true));
            }
            for leaf in self
                .leaves(odd.example, &odd.missing)
                .into_iter()
                .flatten()
                .take(MAX_CHANGES)
            {
                _ = writeln!(out, "      siblings: {}", change(&leaf, true));
            }
        }
    }

    /// The leaves of a resource with these prints, in their order.
    fn leaves(&self, id: ResourceId, wanted: &[LeafPrint]) -> Vec<Option<Leaf>> {
        let Ok(resource) = self.document.resource(id) else {
            return wanted.iter().map(|_| None).collect();
        };
        let leaves = leaves_of(&resource, self.schemas);
        let name = self.document.stack.identity(id);
        let prints: Vec<LeafPrint> = leaves
            .iter()
            .map(|leaf| LeafPrint::of(leaf, &name))
            .collect();
        let find = |wanted: &LeafPrint| {
            let place = prints.iter().position(|print| print == wanted)?;
            Some(leaves[place].clone())
        };
        wanted.iter().map(find).collect()
    }

    /// The names of resources, siblings in one entry.
    fn names(&self, ids: &[ResourceId]) -> Vec<String> {
        let stack = &self.document.stack;
        let name = |id: &ResourceId| stack.address(*id).unwrap_or(stack.short_name(*id));
        let names = siblings::folded(ids.iter().map(name));
        names.iter().map(|name| escaped(name)).collect()
    }
}

fn more(out: &mut String, count: usize, noun: &str) {
    if count > MAX_CHANGES {
        _ = writeln!(out, "      {} more {noun}", count - MAX_CHANGES);
    }
}

/// A change in one line: `~ tags.release  "1" → "2"`; only the place if the values differ from member to member.
fn change(leaf: &Leaf, has_values: bool) -> String {
    let place = escaped(&pattern(&leaf.path).to_string());
    let mut line = format!("{} {place}", leaf.action.sign());
    let values = match leaf.action {
        difference::Action::Create => short(&leaf.after),
        difference::Action::Delete => short(&leaf.before),
        difference::Action::Update => format!("{} → {}", short(&leaf.before), short(&leaf.after)),
        difference::Action::Same => String::new(),
    };
    match leaf.reason {
        Some(reason) => _ = write!(line, "  {}", reason.words()),
        None if has_values => _ = write!(line, "  {values}"),
        None => line.push_str("  differs in each"),
    }
    if leaf.replaces {
        line.push_str("  forces replacement");
    }
    line
}

/// The beginning of a value.
fn short(value: &Value) -> String {
    let text = if value.is_computed() && !value.is_secret() {
        "(known after apply)".to_owned()
    } else {
        escaped(&value.to_string())
    };
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
