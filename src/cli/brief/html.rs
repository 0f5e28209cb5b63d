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
use sha2::{Digest as _, Sha256};

use super::parts::Part;
use super::{Report, text};
use crate::cli::diff::{Reading, pair};
use crate::cli::{Console, Failure};
use crate::json;
use crate::load::brief::page::{self, Entry};
use crate::load::output;
use crate::render::json::{Node, list, node, object};
use crate::stack::{Action, ResourceId};
use crate::text::escaped;
use crate::value::Value;

const FRAME: &str = include_str!("../../../assets/html/frame.html");
const STYLE: &str = include_str!("../../../assets/html/style.css");
const SCRIPT: &str = include_str!("../../../assets/html/script.js");

/// Writes the page into a file; `-` is the standard output. If something fails, the old file stays.
pub(super) fn write_to(
    file: &Path,
    title: &str,
    data: &Node<'_>,
    code: u8,
    console: &mut Console<'_>,
) -> Result<u8, Failure> {
    if file.as_os_str() == "-" {
        return console.answer(code, |out| write(out, title, data));
    }
    let written = output::write(file, |out| write(out, title, data));
    written.map_err(|source| Failure::file(file, source))?;
    Ok(code)
}

/// Writes the page.
fn write(out: &mut dyn Write, title: &str, data: &Node<'_>) -> io::Result<()> {
    let mut rest = FRAME;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        out.write_all(before.as_bytes())?;
        match name {
            "title" => out.write_all(between_tags(title).as_bytes())?,
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
fn between_tags(text: &str) -> String {
    let text = escaped(text).replace('&', "&amp;").replace('<', "&lt;");
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

/// The texts of the pages of several files. A file has its page unless it could not be read.
pub(super) fn of_parts<'p>(parts: &'p [Part<String>], title: &str, counts: &str) -> Node<'p> {
    let part = |part: &'p Part<String>| {
        node([
            ("file", escaped(&part.file).into()),
            ("counts", part.counts().into()),
            ("found", part.found().into()),
            (
                "page",
                part.body().map_or(Node::None, |it| Node::Written(it)),
            ),
        ])
    };
    node([
        ("title", title.into()),
        ("counts", counts.into()),
        ("parts", list(parts, part)),
    ])
}

/// A page as it stands among others. It needs no file any longer.
pub(super) fn part(report: &Report) -> String {
    let mut text = Vec::new();
    let written = json::write_compact(&mut text, &document(report, ""));
    written.expect("memory can be written to");
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// The texts of one file. A resource is the index of its difference.
pub(super) fn document<'r>(report: &'r Report, title: &str) -> Node<'r> {
    let (stack, page) = (&report.document.stack, &report.page);
    let mentioned = page.parts.iter().flat_map(|part| &part.entries);
    let mentioned = mentioned.flat_map(|entry| entry.all_ids().chain(entry.about.iter().copied()));
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
    let word = |it: &Action| vec![it.name(), it.sign(), stack.word(*it)];
    let section = |part: &page::Part| {
        let entries = part.entries.iter().map(|it| row(it, &numbers));
        object(&[
            ("name", &part.title.name()),
            ("title", &part.title.heading()),
            ("count", &part.count),
            ("left", &part.n_without_entry()),
            ("entries", &entries.collect::<Vec<_>>()),
        ])
    };
    let cost = page.cost.iter().map(ToString::to_string);
    let counts: Vec<String> = [text::counts(stack, page)]
        .into_iter()
        .chain(cost)
        .collect();
    let counts = counts.join(" · ");
    let sections: Vec<Value> = page.parts.iter().map(section).collect();
    let reading = Reading::new(&report.document, report.schemas.clone());
    // Each is read when it is written.
    let difference = move |number: usize| {
        let (id, action) = ids[number];
        reading.shown(id, action).into()
    };
    node([
        ("title", escaped(title).into()),
        ("counts", counts.into()),
        (
            "actions",
            Action::ALL.iter().map(word).collect::<Vec<_>>().into(),
        ),
        ("sections", sections.into()),
        ("remarks", (&page.remarks).into()),
        (
            "differences",
            Node::List(numbers.len(), Box::new(difference)),
        ),
    ])
}

fn row(entry: &Entry, numbers: &HashMap<ResourceId, usize>) -> Value {
    let said = entry.with_along().flat_map(|entry| &entry.said);
    let rules = said.filter_map(|said| said.rule.as_ref());
    let rule = rules.flat_map(|rule| {
        let texts = [&rule.id, rule.level.name(), &rule.more].map(escaped);
        texts.into_iter().filter(|text| !text.is_empty())
    });
    let rule: Vec<String> = rule.collect();
    let ids = entry.all_ids().chain(entry.about.iter().copied());
    let ids: Vec<&usize> = ids.filter_map(|id| numbers.get(&id)).collect();
    let names = match entry.share() {
        Some(share) => format!("{share}  {}", text::first_names(entry).join(", ")),
        None => text::names(entry).join(", "),
    };
    let details = entry.details.iter();
    let details = details.map(|it| (it.action.sign(), text::change(it)));
    let along = entry.along.iter();
    let along = along.map(|it| (text::sign(it), text::along(it)));
    let details: Vec<Value> = details.chain(along).map(pair).collect();
    object(&[
        ("action", &entry.action.map_or("", Action::name)),
        ("names", &names),
        ("type", &Some(&entry.ty).filter(|it| !it.is_empty())),
        (
            "says",
            &text::with_cost(text::placed(&entry.says, entry), entry),
        ),
        ("rule", &Some(&rule).filter(|it| !it.is_empty())),
        ("ids", &ids),
        ("details", &details),
        ("more", &entry.n_more),
        ("copies", &Some(&entry.copies).filter(|it| !it.is_empty())),
    ])
}
