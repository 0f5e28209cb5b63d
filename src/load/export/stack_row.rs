//! Rows of the table of stacks.

use super::super::fleet::{Member, StackSummary};
use super::super::{Document, fleet};
use crate::dataset::{Buffer, Cell};
use crate::value::{Number, Value};

/// A version of a stack.
pub(super) struct Version {
    pub(super) place: String,
    pub(super) stack_id: String,
    pub(super) id: String,
    pub(super) number: i64,
    pub(super) contents: Option<String>,
    /// The facts about the file, or the reason why it could not be read.
    pub(super) facts: Result<Facts, String>,
}

/// The facts about a file that was read.
pub(super) struct Facts {
    summary: StackSummary,
    lineage: Option<String>,
    serial: Option<i64>,
    /// Number of resources that could not be read.
    pub(super) n_unread: u64,
    pub(super) twin_key: Option<String>,
}

impl Facts {
    pub(super) fn of(document: &Document) -> Self {
        let fields = &document.stack.header.fields;
        let field = |name: &str| Some(&fields.iter().find(|(key, _)| key == name)?.1);
        let lineage = field("lineage").and_then(Value::as_str);
        let serial = field("serial").and_then(Value::as_number);
        Self {
            summary: StackSummary::of(document),
            lineage: lineage.filter(|it| !it.is_empty()).map(str::to_owned),
            serial: serial.and_then(Number::to_i64),
            n_unread: 0,
            twin_key: None,
        }
    }
}

impl Version {
    /// The damage to a file that was read in part.
    pub(super) fn damage(&self) -> Option<String> {
        let facts = self.facts.as_ref().ok()?;
        let unread = || match facts.n_unread {
            0 => None,
            n => Some(format!("{n} resources could not be read")),
        };
        facts.summary.damage.clone().or_else(unread)
    }
}

/// A row: a version, with the facts that the fleet knows.
pub(super) struct StackRow {
    version: Version,
    name: String,
    role: &'static str,
    bytes: u64,
    modified: Option<u64>,
    exported: u64,
}

impl StackRow {
    pub(super) fn new(member: &Member, version: Version) -> Self {
        Self {
            version,
            name: member.name.clone(),
            role: member.role.name(),
            bytes: member.bytes,
            modified: member.modified,
            exported: fleet::now(),
        }
    }

    /// A text that no other row has.
    pub(super) fn key(&self) -> String {
        format!("{}:{}\n", self.version.id, self.version.number)
    }

    /// Adds the cells, in the order of the columns.
    pub(super) fn add_to(&self, buffer: &mut Buffer) {
        let version = &self.version;
        let facts = version.facts.as_ref().ok();
        let summary = facts.map(|facts| &facts.summary);
        let text =
            |of: fn(&StackSummary) -> &str| summary.map_or(Cell::Null, |it| Cell::filled(of(it)));
        let count =
            |of: fn(&StackSummary) -> u64| summary.map_or(Cell::Null, |it| Cell::count(of(it)));
        let reference = summary.map(|it| {
            if it.kind.is_pulumi() {
                format!("{}/{}", it.project, it.stack)
            } else {
                version.place.clone()
            }
        });
        let damage = version.damage();
        let others = [
            (&*version.id).into(),
            Cell::Long(version.number),
            (&*self.name).into(),
            (&*version.place).into(),
            self.role.into(),
            summary.map(|it| it.kind.name()).into(),
            text(|it| &it.tool_version),
            text(|it| &it.project),
            text(|it| &it.stack),
            reference.as_deref().into(),
            facts.and_then(|it| it.lineage.as_deref()).into(),
            facts
                .and_then(|it| it.serial)
                .map_or(Cell::Null, Cell::Long),
            Cell::count(self.bytes),
            time(self.modified),
            time(summary.and_then(|it| it.changed)),
            time(Some(self.exported)),
            count(|it| it.n_resources),
            count(|it| it.n_outputs),
            count(|it| it.n_secrets),
            count(|it| it.n_drifted),
            count(|it| it.n_pending),
            count(|it| it.n_problems),
            facts.map_or(Cell::Null, |it| Cell::count(it.n_unread)),
            damage.as_deref().into(),
            version.facts.as_ref().err().map(String::as_str).into(),
            version.contents.as_deref().into(),
            facts.and_then(|it| it.twin_key.as_deref()).into(),
        ];
        buffer.push((&*version.stack_id).into(), &others);
    }
}

/// Seconds since 1970 as milliseconds.
fn time(seconds: Option<u64>) -> Cell<'static> {
    seconds.map_or(Cell::Null, |it| Cell::count(it.saturating_mul(1000)))
}
