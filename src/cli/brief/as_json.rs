//! The page as JSON. `assets/schemas/brief.json` describes it.

use std::sync::Arc;

use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::parts::{self, Total};
use crate::change::rules::{Level, Mute};
use crate::json;
use crate::load::brief::page::{Detail, Entry, Part, Said};
use crate::stack::{Action, ResourceId, Stack};

/// The version of the form. It changes when a field goes away or means something else, not when one is added.
const VERSION: u32 = 2;

/// The document.
#[derive(serde::Serialize)]
pub(super) struct Report<'p> {
    version: u32,
    kind: String,
    stack: &'p str,
    project: &'p str,
    is_comparison: bool,
    changes: usize,
    changed_outputs: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    summary: &'p str,
    actions: Actions<'p>,
    common: Vec<Change<'p>>,
    sections: Vec<Section<'p>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    muted: Vec<Muted<'p>>,
    remarks: &'p [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<Review>,
}

/// A mute with the number of changes of which it leaves something out.
#[derive(serde::Serialize)]
struct Muted<'p> {
    file: &'p str,
    line: usize,
    reason: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<&'p str>,
    changes: usize,
}

/// The plan beside the record of its review.
#[derive(serde::Serialize)]
struct Review {
    reviewed: usize,
    changes: usize,
    new: usize,
    alike: usize,
}

/// The number of changes by action.
struct Actions<'p>(&'p [(Action, usize)]);

#[derive(serde::Serialize)]
struct Section<'p> {
    #[serde(rename = "section")]
    name: &'static str,
    title: &'static str,
    count: usize,
    left_out: usize,
    entries: Vec<Row<'p>>,
}

#[derive(serde::Serialize)]
struct Row<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'static str>,
    names: Vec<&'p str>,
    #[serde(rename = "type", skip_serializing_if = "str::is_empty")]
    ty: &'p str,
    says: &'p str,
    #[serde(skip_serializing_if = "str::is_empty")]
    query: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_type: Option<usize>,
    findings: Vec<Finding<'p>>,
    resources: Resources<'p>,
    #[serde(skip_serializing_if = "Resources::is_empty")]
    about: Resources<'p>,
    details: Vec<Change<'p>>,
    more: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    along: Vec<Row<'p>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    copies: &'p [String],
}

/// Something that is said: by a rule, which has an id, or by a mechanism.
#[derive(serde::Serialize)]
struct Finding<'p> {
    level: &'static str,
    says: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mechanism: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    more: &'p str,
    places: Vec<Place<'p>>,
}

#[derive(serde::Serialize)]
struct Place<'p> {
    urn: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    path: &'p str,
}

/// The resources of an entry. They may be many, so each is made when it is written.
struct Resources<'p> {
    stack: &'p Stack,
    ids: &'p [ResourceId],
}

#[derive(serde::Serialize)]
struct Resource<'p> {
    urn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'p str>,
    #[serde(rename = "type")]
    ty: &'p str,
    name: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'static str>,
}

#[derive(serde::Serialize)]
struct Change<'p> {
    #[serde(skip_serializing_if = "Option::is_none")]
    urn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'static str>,
    /// None for a line of words.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    place: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<&'p str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'p str,
}

impl<'p> Report<'p> {
    /// The document for a page.
    pub(super) fn of(report: &'p super::Report) -> Self {
        let (page, stack) = (&report.page, &report.document.stack);
        let header = &stack.header;
        Self {
            version: VERSION,
            kind: header.kind.to_string(),
            stack: &header.stack,
            project: &header.project,
            is_comparison: stack.is_comparison,
            changes: page.n_changes(),
            changed_outputs: page.changes.n_outputs,
            summary: &page.summary,
            actions: Actions(&page.changes.resources),
            common: page.common.iter().map(|it| change(it, stack)).collect(),
            sections: page.parts.iter().map(|it| section(it, stack)).collect(),
            muted: page.muted.iter().map(muted).collect(),
            remarks: &page.remarks,
            review: report.standing.map(|it| Review {
                reviewed: it.n_reviewed,
                changes: it.n_changes,
                new: it.n_new.unwrap_or(0),
                alike: it.n_alike,
            }),
        }
    }
}

/// The document for several files.
#[derive(serde::Serialize)]
pub(super) struct Reports<'p> {
    version: u32,
    files: usize,
    with_dangers: usize,
    unread: usize,
    changes: usize,
    changed_outputs: usize,
    actions: Actions<'p>,
    parts: Vec<Of<'p>>,
}

/// The part of a file: its brief, or the reason why it has none.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum Of<'p> {
    Read { file: &'p str, brief: &'p RawValue },
    Unread { file: &'p str, error: &'p str },
}

impl<'p> Reports<'p> {
    /// The document for these parts, with their total.
    pub(super) fn of(parts: &'p [parts::Part<Box<RawValue>>], total: &'p Total) -> Self {
        let of = |part: &'p parts::Part<Box<RawValue>>| match part.body() {
            Ok(brief) => Of::Read {
                file: &part.file,
                brief,
            },
            Err(error) => Of::Unread {
                file: &part.file,
                error,
            },
        };
        Self {
            version: VERSION,
            files: total.n_files,
            with_dangers: total.n_with_dangers,
            unread: total.n_unread,
            changes: total.changes.n_resources(),
            changed_outputs: total.changes.n_outputs,
            actions: Actions(&total.changes.resources),
            parts: parts.iter().map(of).collect(),
        }
    }
}

/// A brief as it stands in the document for several files. It needs no file any longer.
pub(super) fn part(report: &super::Report) -> Box<RawValue> {
    let mut text = Vec::new();
    let written = json::write_pretty(&mut text, &Report::of(report));
    written.expect("memory can be written to");
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    // A line feed in a text of JSON is an escape, so each line can be indented.
    let text = text.trim_end().replace('\n', "\n      ");
    RawValue::from_string(text).expect("this is JSON")
}

fn muted((mute, n): &(Arc<Mute>, usize)) -> Muted<'_> {
    Muted {
        file: &mute.file,
        line: mute.line,
        reason: &mute.reason,
        until: mute.until.as_deref(),
        changes: *n,
    }
}

fn section<'p>(part: &'p Part, stack: &'p Stack) -> Section<'p> {
    Section {
        name: part.title.name(),
        title: part.title.words(),
        count: part.count,
        left_out: part.n_without_entry(),
        entries: part.entries.iter().map(|it| row(it, stack)).collect(),
    }
}

fn row<'p>(entry: &'p Entry, stack: &'p Stack) -> Row<'p> {
    let finding = |said: &'p Said| Finding {
        level: said.level.name(),
        says: &said.says,
        rule: said.rule.as_ref().map(|rule| &*rule.id),
        mechanism: said.mechanism,
        more: said.rule.as_ref().map_or("", |rule| &rule.more),
        places: said
            .places
            .iter()
            .map(|(id, path)| Place {
                urn: stack.urn(*id),
                path,
            })
            .collect(),
    };
    Row {
        action: entry.action.map(Action::name),
        names: entry.names.iter().map(|name| &*name.text).collect(),
        ty: &entry.ty,
        says: &entry.says,
        query: &entry.query,
        of_type: Some(entry.n_of_type).filter(|n| *n > 0),
        findings: entry.said.iter().map(finding).collect(),
        resources: Resources {
            stack,
            ids: &entry.ids,
        },
        about: Resources {
            stack,
            ids: &entry.about,
        },
        details: entry.details.iter().map(|it| change(it, stack)).collect(),
        more: entry.n_more,
        along: entry.along.iter().map(|it| row(it, stack)).collect(),
        copies: &entry.copies,
    }
}

fn change<'p>(detail: &'p Detail, stack: &Stack) -> Change<'p> {
    Change {
        urn: detail.id.map(|id| stack.urn(id)),
        level: detail.level.map(Level::name),
        action: (!detail.is_words()).then(|| detail.action.name()),
        place: &detail.place,
        before: detail.before.as_deref(),
        after: detail.after.as_deref(),
        note: &detail.note,
    }
}

impl Serialize for Actions<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(action, count)| (action.name(), count)))
    }
}

impl Resources<'_> {
    fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

impl Serialize for Resources<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.ids.iter().map(|id| Resource {
            urn: self.stack.urn(*id),
            address: self.stack.address(*id),
            ty: self.stack.ty(*id),
            name: self.stack.short_name(*id),
            action: self.stack.effect(*id).map(Action::name),
        }))
    }
}
