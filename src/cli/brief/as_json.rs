//! The page as JSON. `assets/schemas/brief.json` describes it.

use std::sync::Arc;

use super::Report;
use super::parts::{Part, Total};
use crate::change::rules::{Level, Mute};
use crate::json;
use crate::load::brief::page::{self, Cost, Detail, Entry, Said};
use crate::load::cost::Money;
use crate::load::record::Standing;
use crate::render::json::{Node, counts, list, node};
use crate::stack::{Action, ChangeId, ResourceId, Stack};

/// The version of the form. It changes when a field goes away or means something else, not when one is added.
const VERSION: u32 = 2;

/// The document for a page.
pub(super) fn document(report: &Report) -> Node<'_> {
    let (page, stack) = (&report.page, &report.document.stack);
    let header = &stack.header;
    node([
        ("version", VERSION.into()),
        ("kind", header.kind.to_string().into()),
        ("stack", (&header.stack).into()),
        ("project", (&header.project).into()),
        ("is_comparison", stack.is_comparison.into()),
        ("changes", page.n_changes().into()),
        ("changed_outputs", page.changes.n_outputs.into()),
        ("summary", Node::from(&page.summary).or_none()),
        ("actions", actions(&page.changes.resources)),
        ("cost", page.cost.as_ref().map_or(Node::None, cost)),
        ("common", list(&page.common, move |it| change(it, stack))),
        ("sections", list(&page.parts, move |it| section(it, stack))),
        ("muted", list(&page.muted, muted).or_none()),
        ("remarks", (&page.remarks).into()),
        ("review", report.standing.map_or(Node::None, review)),
    ])
}

/// The number of changes by action.
fn actions<'n>(of: &[(Action, usize)]) -> Node<'n> {
    Node::Value(counts(
        of.iter().map(|(action, n)| (action.name(), *n as u64)),
    ))
}

/// The costs of a month.
fn cost(cost: &Cost) -> Node<'_> {
    let n_unpriced = Some(cost.n_unpriced).filter(|n| *n > 0);
    node([
        ("currency", cost.elsewhere.currency().into()),
        ("difference", money(cost.difference.as_ref())),
        ("total", money(cost.total.as_ref())),
        ("elsewhere", cost.n_elsewhere.into()),
        ("difference_elsewhere", money(Some(&cost.elsewhere))),
        ("without_estimate", n_unpriced.into()),
    ])
}

fn money<'n>(money: Option<&Money>) -> Node<'n> {
    let number = money.and_then(Money::number);
    number.map_or(Node::None, |it| Node::Value(it.into()))
}

/// The plan beside the record of its review.
fn review<'n>(standing: Standing) -> Node<'n> {
    node([
        ("reviewed", standing.n_reviewed.into()),
        ("changes", standing.n_changes.into()),
        ("new", standing.n_new.unwrap_or(0).into()),
        ("alike", standing.n_alike.into()),
    ])
}

/// The document for several files, with their total.
pub(super) fn of_parts<'p>(parts: &'p [Part<String>], total: &Total) -> Node<'p> {
    // A part is the brief of a file, or the reason why it has none.
    let part = |part: &'p Part<String>| {
        let of_file = match part.body() {
            Ok(brief) => ("brief", Node::Written(brief)),
            Err(error) => ("error", error.into()),
        };
        node([("file", (&part.file).into()), of_file])
    };
    node([
        ("version", VERSION.into()),
        ("files", total.n_files.into()),
        ("with_dangers", total.n_with_dangers.into()),
        ("unread", total.n_unread.into()),
        ("changes", total.changes.n_resources().into()),
        ("changed_outputs", total.changes.n_outputs.into()),
        ("actions", actions(&total.changes.resources)),
        ("parts", list(parts, part)),
    ])
}

/// A brief as it stands in the document for several files. It needs no file any longer.
pub(super) fn part(report: &Report) -> String {
    let mut text = Vec::new();
    let written = json::write_pretty(&mut text, &document(report));
    written.expect("memory can be written to");
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    // A line feed in a text of JSON is an escape, so each line can be indented.
    text.trim_end().replace('\n', "\n      ")
}

/// A mute with the number of changes of which it leaves something out.
fn muted((mute, n): &(Arc<Mute>, usize)) -> Node<'_> {
    node([
        ("file", (&mute.file).into()),
        ("line", mute.line.into()),
        ("reason", (&mute.reason).into()),
        ("until", (&mute.until).into()),
        ("changes", (*n).into()),
    ])
}

fn section<'p>(part: &'p page::Part, stack: &'p Stack) -> Node<'p> {
    node([
        ("section", part.title.name().into()),
        ("title", part.title.words().into()),
        ("count", part.count.into()),
        ("left_out", part.n_without_entry().into()),
        ("entries", list(&part.entries, move |it| row(it, stack))),
    ])
}

fn row<'p>(entry: &'p Entry, stack: &'p Stack) -> Node<'p> {
    let names: Vec<&String> = entry.names.iter().map(|name| &name.text).collect();
    let n_of_type = Some(entry.n_of_type).filter(|n| *n > 0);
    node([
        ("action", entry.action.map(Action::name).into()),
        ("names", names.into()),
        ("type", Node::from(&entry.ty).or_none()),
        ("says", (&entry.says).into()),
        ("position", (&entry.position).into()),
        ("query", Node::from(&entry.query).or_none()),
        ("of_type", n_of_type.into()),
        ("cost", money(entry.cost.as_ref())),
        ("findings", list(&entry.said, move |it| finding(it, stack))),
        (
            "resources",
            list(&entry.ids, move |it| resource(*it, stack)),
        ),
        (
            "about",
            list(&entry.about, move |it| resource(*it, stack)).or_none(),
        ),
        ("details", list(&entry.details, move |it| change(it, stack))),
        ("more", entry.n_more.into()),
        (
            "along",
            list(&entry.along, move |it| row(it, stack)).or_none(),
        ),
        ("copies", Node::from(&entry.copies).or_none()),
    ])
}

/// Something that is said: by a rule, which has an id, or by a mechanism.
fn finding<'p>(said: &'p Said, stack: &'p Stack) -> Node<'p> {
    let more = said.rule.as_ref().map_or("", |rule| &rule.more);
    let place = move |(id, path): &(ResourceId, String)| {
        node([
            ("urn", stack.urn(*id).into()),
            ("path", Node::from(path).or_none()),
        ])
    };
    node([
        ("level", said.level.name().into()),
        ("says", (&said.says).into()),
        ("rule", said.rule.as_ref().map(|rule| &rule.id).into()),
        ("mechanism", said.mechanism.into()),
        ("more", Node::from(more).or_none()),
        ("places", list(&said.places, place)),
    ])
}

fn resource<'n>(id: ResourceId, stack: &Stack) -> Node<'n> {
    node([
        ("urn", stack.urn(id).into()),
        ("address", stack.address(id).into()),
        ("type", stack.ty(id).into()),
        ("name", stack.short_name(id).into()),
        ("action", stack.effect(id).map(Action::name).into()),
    ])
}

/// A line: a change, or words without an action.
fn change<'n>(detail: &Detail, stack: &Stack) -> Node<'n> {
    let action = (!detail.is_words()).then(|| detail.action.name());
    let id = detail.id.and_then(ChangeId::resource);
    node([
        ("urn", id.map(|id| stack.urn(id)).into()),
        ("level", detail.level.map(Level::name).into()),
        ("action", action.into()),
        ("place", Node::from(&detail.place).or_none()),
        ("before", (&detail.before).into()),
        ("after", (&detail.after).into()),
        ("note", Node::from(&detail.note).or_none()),
    ])
}
