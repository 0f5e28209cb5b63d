//! The page as one HTML file: the brief, every difference, search and filters, for a browser without a network.
//!
//! The file has a frame, a style and a script from `assets/html`, and the texts as JSON, which the script shows as text only. A
//! policy in the frame forbids everything else: no request, no other script.
//!
//! # Law
//!
//! No text of a file becomes markup: it stands in the JSON alone, in which `<` is an escape.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeSeq as _, Serializer};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::{Report, parts, text};
use crate::change::difference;
use crate::cli::diff::{Reading, Shown, is_folded};
use crate::cli::{Console, Failure};
use crate::json;
use crate::load::brief::page::{Detail, Entry, Part};
use crate::load::output;
use crate::render::lines::{Line, Role};
use crate::stack::{Action, ResourceId};

/// Maximum number of names in the line of a group.
const MAX_NAMES: usize = 3;

const FRAME: &str = include_str!("../../../assets/html/frame.html");
const STYLE: &str = include_str!("../../../assets/html/style.css");
const SCRIPT: &str = include_str!("../../../assets/html/script.js");

/// Writes the page into a file; `-` is the standard output. If something fails, the old file stays.
pub(super) fn write_to(
    file: &Path,
    title: &str,
    data: &impl Serialize,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    if file.as_os_str() == "-" {
        return Ok(write(console.out, title, data)?);
    }
    let written = output::write(file, |out| write(out, title, data));
    written.map_err(|source| Failure::file(file, source))
}

/// Writes the page.
fn write(out: &mut dyn Write, title: &str, data: &impl Serialize) -> io::Result<()> {
    let mut rest = FRAME;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        out.write_all(before.as_bytes())?;
        match name {
            "title" => out.write_all(escaped(title).as_bytes())?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => out.write_all(SCRIPT.as_bytes())?,
            "style-hash" => out.write_all(hash(STYLE).as_bytes())?,
            "script-hash" => out.write_all(hash(SCRIPT).as_bytes())?,
            "data" => json::write_compact(&mut WithoutTags(&mut *out), data)?,
            _ => {}
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// The hash by which a browser knows the one style or script that may run.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Text between tags.
fn escaped(text: &str) -> String {
    let text = crate::text::escaped(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON that cannot end the element it stands in. Outside of strings JSON has no `<`.
struct WithoutTags<'o>(&'o mut dyn Write);

impl Write for WithoutTags<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        for (index, piece) in bytes.split(|byte| *byte == b'<').enumerate() {
            if index > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(piece)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The texts of the page. A resource is the index of its difference.
#[derive(serde::Serialize)]
pub(super) struct Data<'r> {
    title: String,
    counts: String,
    actions: Vec<ActionWords>,
    sections: Vec<Section<'r>>,
    remarks: &'r [String],
    differences: Differences<'r>,
}

/// The name of an action, its sign, and its word.
type ActionWords = (&'static str, &'static str, &'static str);

/// The texts of the pages of several files.
#[derive(serde::Serialize)]
pub(super) struct Several<'r> {
    title: &'r str,
    counts: &'r str,
    parts: Vec<Of<'r>>,
}

/// A file with its page, which it has unless it could not be read.
#[derive(serde::Serialize)]
struct Of<'r> {
    file: String,
    counts: String,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'r RawValue>,
}

#[derive(serde::Serialize)]
struct Section<'r> {
    name: &'static str,
    title: String,
    count: usize,
    left: usize,
    entries: Vec<Row<'r>>,
}

#[derive(serde::Serialize)]
struct Row<'r> {
    action: &'static str,
    names: String,
    #[serde(rename = "type", skip_serializing_if = "str::is_empty")]
    ty: &'r str,
    says: &'r str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rule: Vec<String>,
    ids: Vec<usize>,
    details: Vec<(&'static str, String)>,
    more: usize,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    copies: &'r [String],
}

/// The differences, each read when it is written.
struct Differences<'r> {
    reading: Reading<'r>,
    ids: Vec<(ResourceId, Action)>,
}

#[derive(serde::Serialize)]
struct Difference<'s> {
    name: &'s str,
    #[serde(rename = "type")]
    ty: &'s str,
    action: &'static str,
    why: &'s [String],
    parts: Vec<(&'static str, Vec<ShownLine>)>,
}

/// Depth, sign, label, texts with their roles, remark.
type ShownLine = (
    usize,
    &'static str,
    String,
    Vec<(&'static str, String)>,
    &'static str,
);

impl<'r> Several<'r> {
    /// The texts of these parts.
    pub(super) fn of(
        parts: &'r [parts::Part<Box<RawValue>>],
        title: &'r str,
        counts: &'r str,
    ) -> Self {
        let of = |part: &'r parts::Part<Box<RawValue>>| Of {
            file: crate::text::escaped(&part.file),
            counts: part.counts(),
            found: part.found(),
            page: part.body().ok().map(|page| &**page),
        };
        Self {
            title,
            counts,
            parts: parts.iter().map(of).collect(),
        }
    }
}

/// A page as it stands among others. It needs no file any longer.
pub(super) fn part(report: &Report) -> Box<RawValue> {
    let mut text = Vec::new();
    let written = json::write_compact(&mut text, &Data::of(report, ""));
    written.expect("memory can be written to");
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    RawValue::from_string(text).expect("this is JSON")
}

impl<'r> Data<'r> {
    /// The texts of one file.
    pub(super) fn of(report: &'r Report, title: &str) -> Self {
        let (stack, page) = (&report.document.stack, &report.page);
        let mentioned = page.parts.iter().flat_map(|part| &part.entries);
        let mentioned =
            mentioned.flat_map(|entry| entry.all_ids().chain(entry.about.iter().copied()));
        let changed = stack.ids().filter(|id| !stack.record(*id).flags.is_drift());
        let mut numbers = HashMap::new();
        let mut ids = Vec::new();
        for (id, is_mentioned) in changed
            .map(|id| (id, false))
            .chain(mentioned.map(|id| (id, true)))
        {
            let action = stack.record(id).action.unwrap_or(Action::Noop);
            if (action != Action::Noop || is_mentioned) && !numbers.contains_key(&id) {
                numbers.insert(id, ids.len());
                ids.push((id, action));
            }
        }
        let section = |part: &'r Part| Section {
            name: part.title.name(),
            title: part.title.heading(),
            count: part.count,
            left: part.n_without_entry(),
            entries: part.entries.iter().map(|it| row(it, &numbers)).collect(),
        };
        Self {
            title: crate::text::escaped(title),
            counts: text::counts(stack, page),
            actions: Action::ALL
                .iter()
                .map(|it| (it.name(), it.sign(), stack.word(*it)))
                .collect(),
            sections: page.parts.iter().map(section).collect(),
            remarks: &page.remarks,
            differences: Differences {
                reading: Reading::new(&report.document, report.schemas.clone()),
                ids,
            },
        }
    }
}

fn row<'r>(entry: &'r Entry, numbers: &HashMap<ResourceId, usize>) -> Row<'r> {
    let said = entry.with_along().flat_map(|entry| &entry.said);
    let rules = said.filter_map(|said| said.rule.as_ref());
    let rule = rules.flat_map(|rule| {
        let texts = [&rule.id, rule.level.name(), &rule.more].map(crate::text::escaped);
        texts.into_iter().filter(|text| !text.is_empty())
    });
    let ids = entry.all_ids().chain(entry.about.iter().copied());
    let ids = ids.filter_map(|id| numbers.get(&id));
    let along = entry
        .along
        .iter()
        .map(|it| (text::sign(it), text::along(it)));
    Row {
        action: entry.action.map_or("", Action::name),
        names: match entry.share() {
            Some(share) => format!("{share}  {}", all_names(entry)),
            None => text::names(entry).join(", "),
        },
        ty: &entry.ty,
        says: &entry.says,
        rule: rule.collect(),
        ids: ids.copied().collect(),
        details: entry.details.iter().map(detail).chain(along).collect(),
        more: entry.n_more,
        copies: &entry.copies,
    }
}

/// The first names of a group.
fn all_names(entry: &Entry) -> String {
    let names = entry
        .names
        .iter()
        .take(MAX_NAMES)
        .map(|name| name.text.clone());
    names
        .chain(entry.more_than(MAX_NAMES))
        .collect::<Vec<_>>()
        .join(", ")
}

fn detail(detail: &Detail) -> (&'static str, String) {
    (detail.action.sign(), text::change(detail))
}

impl Serialize for Differences<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(self.ids.len()))?;
        for (id, action) in &self.ids {
            let shown = self.reading.shown(*id, *action);
            list.serialize_element(&difference(&shown))?;
        }
        list.end()
    }
}

fn difference(shown: &Shown) -> Difference<'_> {
    let parts = shown.parts.iter();
    let parts = parts.map(|(section, lines)| (section.name(), lines.iter().map(line).collect()));
    Difference {
        name: &shown.identity,
        ty: &shown.ty,
        action: shown.action.name(),
        why: &shown.why,
        parts: parts.collect(),
    }
}

fn line(line: &Line) -> ShownLine {
    let spans = line.unified().into_iter();
    let spans = spans.map(|span| (class(span.role), span.text));
    let sign = match line.action {
        difference::Action::Same => "",
        difference::Action::Create => "+",
        difference::Action::Update => "~",
        difference::Action::Delete => "-",
    };
    let mut label = line.label.clone().unwrap_or_default();
    if !label.is_empty() && !is_folded(line) {
        label.push(':');
    }
    (
        line.depth,
        sign,
        label,
        spans.collect(),
        line.remark().unwrap_or_default(),
    )
}

/// The class of the style.
fn class(role: Role) -> &'static str {
    match role {
        Role::String => "s",
        Role::Changed => "c",
        Role::Number => "n",
        Role::Bool | Role::Null => "b",
        Role::Container => "o",
        Role::Secret => "x",
        Role::Unknown => "u",
        Role::Other => "",
        Role::Note => "d",
    }
}
