//! Paths into the file: for every value in the explorer, the result of `yj` and `yP` selects that very value.
//!
//! The filters and pointers are evaluated by a separate implementation of jq and RFC 6901, over the file as `serde_json` reads
//! it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value as Json;
use stacklens::pulumi::wire;
use stacklens::stack::{Flags, Kind, ResourceId};
use stacklens::tree::Node;
use stacklens::tui::rows::{Fold, Part, Spot};
use stacklens::value::{Payload, Value};

use super::harness::Session;
use crate::made::plan_file;

/// Limits on the part of a file that is walked.
#[derive(Clone, Copy)]
struct Limits {
    resources: usize,
    rows: usize,
}

/// For our own fixtures, which are small.
const OWN: Limits = Limits {
    resources: 100,
    rows: 200,
};

/// For the shared corpus.
const SHARED: Limits = Limits {
    resources: 4,
    rows: 30,
};

/// Larger files of the shared corpus are skipped, because much of the same takes time.
const MAX_BYTES: u64 = 100_000;

/// The values that a jq filter selects, for the filter forms that are copied: `.a["b"][0]`, `.list[] | select(.key == "name") |
/// .a`, `… | fromjson | …`.
fn jq<'d>(document: &'d Json, filter: &str) -> Result<Cow<'d, Json>, String> {
    let mut at = vec![Cow::Borrowed(document)];
    for stage in split_stages(filter) {
        let mut next = Vec::new();
        for value in at {
            next.extend(match value {
                Cow::Borrowed(value) => jq_stage(value, stage.trim())?,
                Cow::Owned(value) => jq_stage(&value, stage.trim())?
                    .into_iter()
                    .map(|it| Cow::Owned(it.into_owned()))
                    .collect(),
            });
        }
        at = next;
    }
    match <[Cow<'d, Json>; 1]>::try_from(at) {
        Ok([value]) => Ok(value),
        Err(all) => Err(format!("{} values", all.len())),
    }
}

/// The parts of a filter between bars that are outside strings.
fn split_stages(filter: &str) -> Vec<&str> {
    let (mut stages, mut start, mut in_string, mut escaped) = (Vec::new(), 0, false, false);
    for (at, char) in filter.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '|' if !in_string => {
                stages.push(&filter[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    stages.push(&filter[start..]);
    stages
}

fn jq_stage<'d>(value: &'d Json, stage: &str) -> Result<Vec<Cow<'d, Json>>, String> {
    if stage == "fromjson" {
        let text = value.as_str().ok_or("fromjson of no string")?;
        let parsed = serde_json::from_str(text).map_err(|it| it.to_string())?;
        return Ok(vec![Cow::Owned(parsed)]);
    }
    if let Some(test) = stage.strip_prefix("select(.") {
        let test = test.strip_suffix(')').and_then(|it| it.split_once(" == "));
        let (key, name) = test.ok_or("select")?;
        let name: Json = serde_json::from_str(name).map_err(|it| it.to_string())?;
        let is_it = value.get(key) == Some(&name);
        return Ok(is_it.then_some(Cow::Borrowed(value)).into_iter().collect());
    }
    let mut rest = stage.strip_prefix('.').ok_or("a path starts with a dot")?;
    let mut at = vec![value];
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix("[]") {
            at = at.iter().filter_map(|it| it.as_array()).flatten().collect();
            rest = behind;
        } else if let Some(inner) = rest.strip_prefix('[') {
            let mut texts = serde_json::Deserializer::from_str(inner).into_iter::<Json>();
            let key = texts.next().ok_or("no key")?.map_err(|it| it.to_string())?;
            let behind = &inner[texts.byte_offset()..];
            rest = behind.strip_prefix(']').ok_or("no ]")?;
            at = at.iter().filter_map(|value| step(value, &key)).collect();
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name.find(['.', '[']).unwrap_or(name.len());
            let key = &name[..end];
            let is_plain = !key.is_empty()
                && !key.starts_with(|it: char| it.is_ascii_digit())
                && key
                    .chars()
                    .all(|it| it.is_ascii_alphanumeric() || it == '_');
            if !is_plain {
                return Err(format!("`{key}` must be quoted"));
            }
            at = at.iter().filter_map(|value| value.get(key)).collect();
            rest = &name[end..];
        }
    }
    Ok(at.into_iter().map(Cow::Borrowed).collect())
}

fn step<'d>(value: &'d Json, key: &Json) -> Option<&'d Json> {
    match key {
        Json::String(key) => value.get(key),
        Json::Number(index) => value.get(usize::try_from(index.as_u64()?).ok()?),
        _ => None,
    }
}

/// Checks that the value in the file is `value`, as shown once its secrets are revealed.
fn agrees(value: &Value, found: &Json) -> Result<(), String> {
    let signature = found.get(wire::SIGNATURE).and_then(Json::as_str);
    let ok = match value.payload() {
        // The ciphertext, or no value if the tool left it out.
        Payload::Sealed(_) => return Ok(()),
        _ if signature == Some(wire::SECRET) => {
            let plain = found
                .get("plaintext")
                .and_then(Json::as_str)
                .ok_or("no plaintext")?;
            let plain: Json = serde_json::from_str(plain).map_err(|it| it.to_string())?;
            return agrees(value, &plain);
        }
        // The mask of an unknown value, or a sentinel.
        Payload::Computed(_) => {
            *found == Json::Bool(true) || found.is_string() || signature == Some(wire::OUTPUT)
        }
        _ if signature == Some(wire::OUTPUT) => {
            return agrees(value, found.get("value").ok_or("no value")?);
        }
        Payload::Null => found.is_null(),
        Payload::Bool(bool) => found.as_bool() == Some(*bool),
        Payload::Number(number) => {
            let wanted: f64 = number.to_string().parse().map_err(|_| "no number")?;
            let has_no_double = !wanted.is_finite() && (signature.is_some() || found.is_string());
            has_no_double
                || found
                    .as_f64()
                    .is_some_and(|found| found.total_cmp(&wanted).is_eq())
        }
        // A string that is not UTF-8 has a signature, and its bytes in base64.
        Payload::String(text) if text.as_str().is_none() => {
            found["value"].as_str() == Some(&BASE64_STANDARD.encode(text.as_bytes()))
        }
        Payload::String(text) => found.as_str() == Some(&*text.to_str_lossy()),
        Payload::Array(items) => {
            let found = found.as_array().ok_or("no array")?;
            for (item, found) in items.iter().zip(found) {
                // Unknown elements are in a separate mask.
                if !(has_unknown(item) && found.is_null()) {
                    agrees(item, found)?;
                }
            }
            items.len() == found.len()
        }
        Payload::Map(map) => {
            let found = found.as_object().ok_or("no object")?;
            for (key, item) in map {
                match found.get(&**key) {
                    Some(found) => agrees(item, found).map_err(|why| format!("{key}: {why}"))?,
                    // Unknown parts are in a separate mask.
                    None if has_unknown(item) => {}
                    None => return Err(format!("no {key}")),
                }
            }
            true
        }
        Payload::Asset(_) | Payload::Archive(_) | Payload::Reference(_) => {
            signature.is_some() || found.is_string()
        }
    };
    if ok {
        Ok(())
    } else {
        Err("another value".to_owned())
    }
}

fn has_unknown(value: &Value) -> bool {
    match value.payload() {
        Payload::Computed(_) => true,
        Payload::Map(map) => map.values().any(has_unknown),
        Payload::Array(items) => items.iter().any(has_unknown),
        _ => false,
    }
}

struct Tally {
    limits: Limits,
    rows: usize,
    resources: usize,
    before: usize,
    /// Refusals, by the text of the status line.
    refused: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn new(limits: Limits) -> Self {
        Self {
            limits,
            rows: 0,
            resources: 0,
            before: 0,
            refused: BTreeMap::new(),
            wrong: Vec::new(),
        }
    }
}

/// Opens every fold of the details, including headings.
fn open_all(session: &mut Session) {
    session.keys("gg");
    for _ in 0..8 {
        let closed = session
            .app
            .views
            .resources
            .detail
            .list
            .rows
            .iter()
            .position(|row| row.fold == Fold::Closed && row.spot == Spot::top(row.spot.part));
        let Some(row) = closed else { break };
        session.app.views.resources.detail.list.cursor.row = row;
        session.keys("zo");
    }
    session.keys("zR");
}

/// Walks the values of a resource in the details.
fn walk(session: &mut Session, document: &Json, id: ResourceId, tally: &mut Tally) {
    if !session
        .app
        .views
        .resources
        .tree
        .select(Node::Resource(id), 20)
    {
        // A drifted resource is in the tree once, and in the list of changes a second time.
        let flags = session.app.session.stack().record(id).flags;
        assert!(flags.contains(Flags::DRIFT_ENTRY), "{id:?}");
        return;
    }
    session.app.window.focus = 0;
    // Any command makes the details follow.
    session.keys("_");
    session.app.window.focus = 1;
    open_all(session);
    session.keys("gg");
    tally.resources += 1;
    let n_rows = session.app.views.resources.detail.list.rows.len();
    walk_rows(session, document, id, n_rows, tally);
}

/// Walks the lines of the change of a resource.
fn walk_change(session: &mut Session, document: &Json, id: ResourceId, tally: &mut Tally) {
    let Some(row) = session.app.views.changes.list.rows().row_of(id) else {
        return;
    };
    session.app.window.focus = 0;
    session.app.views.changes.list.cursor.row = row;
    session.keys("_");
    assert_eq!(session.app.views.changes.difference.subject, Some(id));
    session.app.window.focus = 1;
    session.keys("G");
    let n_rows = session.app.views.changes.difference.cursor.row + 1;
    session.keys("gg");
    walk_rows(session, document, id, n_rows, tally);
}

fn walk_rows(
    session: &mut Session,
    document: &Json,
    id: ResourceId,
    n_rows: usize,
    tally: &mut Tally,
) {
    let is_plan = session.app.session.stack().header.kind == Kind::PulumiPlan;
    for row in 0..n_rows.min(tally.limits.rows) {
        if row > 0 {
            session.keys("j");
        }
        // Remarks and headings of a difference have no value.
        let Some((_, spot)) = session.app.spot() else {
            continue;
        };
        if spot.part == Part::Fields {
            continue;
        }
        tally.rows += 1;
        tally.before += usize::from(matches!(spot.part, Part::Before(_)));
        for (keys, is_filter) in [("yj", true), ("yP", false)] {
            match copy(session, document, id, &spot, keys, is_filter) {
                Ok(()) => {}
                // A value inside a string has no pointer, and one inside a string of YAML has no filter either. The inputs of a
                // Pulumi plan are two maps in the file.
                Err(Wrong::Refused(why))
                    if spot.inside.as_ref().is_some_and(|it| !it.0.is_empty())
                        || is_plan && spot == Spot::top(Part::Inputs) =>
                {
                    *tally.refused.entry(why).or_default() += 1;
                }
                Err(why) => {
                    let name = session.app.session.stack().name(id);
                    let spot = format!("{:?} {} › {:?}", spot.part, spot.path, spot.inside);
                    tally.wrong.push(format!("{name} {spot} {keys}: {why:?}"));
                }
            }
        }
    }
}

#[derive(Debug)]
#[expect(dead_code, reason = "what is wrong is printed")]
enum Wrong {
    Refused(String),
    Selects(String, String),
}

fn copy(
    session: &mut Session,
    document: &Json,
    id: ResourceId,
    spot: &Spot,
    keys: &str,
    is_filter: bool,
) -> Result<(), Wrong> {
    session.copied.clear();
    session.keys(keys);
    let Some(text) = session.copied.pop() else {
        let header = &session.app.session.stack().header;
        let is_upgraded = matches!(&*header.format_version, "1" | "2" | "3");
        if header.kind == Kind::TerraformState && is_upgraded {
            return Ok(());
        }
        // A plan may mark a value that it leaves out as known, which makes it null.
        if session
            .app
            .value_at(Some(id), spot)
            .is_some_and(|it| it.is_null())
        {
            return Ok(());
        }
        let message = session.app.message.as_ref();
        return Err(Wrong::Refused(
            message.map_or_else(String::new, |it| it.text.clone()),
        ));
    };
    let found = if is_filter {
        jq(document, &text)
    } else {
        document
            .pointer(&text)
            .map(Cow::Borrowed)
            .ok_or("nothing there".to_owned())
    };
    let found = found.map_err(|why| Wrong::Selects(text.clone(), why))?;
    // The row of a string that holds a document belongs to the string.
    let inside = spot.inside.clone().filter(|it| !it.0.is_empty());
    let spot = Spot {
        inside,
        ..spot.clone()
    };
    let value = session.app.value_at(Some(id), &spot).expect("it is shown");
    agrees(&value.reveal(), &found).map_err(|why| Wrong::Selects(text, format!("{why}: {found}")))
}

/// The file as `serde_json` reads it. A number that does not fit a double becomes a string.
fn parse(bytes: &[u8]) -> Option<Json> {
    let text = std::str::from_utf8(bytes).ok()?;
    let huge = regex::Regex::new(r"([:\[,]\s*)(-?\d[\d.]*[eE]\+?\d{3,})").unwrap();
    serde_json::from_str(&huge.replace_all(text, "$1\"$2\"")).ok()
}

fn check_file(path: &Path, limits: Limits) -> Option<(Kind, Tally)> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).ok()?;
    let document = parse(&bytes)?;
    let mut session = Session::open_path(path.to_owned(), (120, 40));
    let kind = session.app.session.document.as_ref()?.stack.header.kind;
    let mut tally = Tally::new(limits);
    session.keys("1<wait>iii");
    while session.app.views.resources.detail.parts != stacklens::tui::panes::detail::Parts::Both {
        session.keys("i");
    }
    let ids: Vec<_> = session.app.session.stack().ids().collect();
    // Resources spread over the file, including both ends.
    let every = ids.len().div_ceil(limits.resources).max(1);
    for id in ids.iter().step_by(every).chain(ids.last()) {
        walk(&mut session, &document, *id, &mut tally);
    }
    if kind.has_changes() {
        session.keys("2<wait>.");
        if session.app.views.changes.lists_stories() {
            session.keys("ttt<wait>");
        }
        for id in ids.iter().step_by(every).chain(ids.last()) {
            walk_change(&mut session, &document, *id, &mut tally);
        }
    }
    for wrong in &mut tally.wrong {
        wrong.insert_str(0, &format!("{name}: "));
    }
    Some((kind, tally))
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, into);
        } else {
            into.push(path);
        }
    }
}

#[test]
fn every_path_into_the_file_selects_the_value_that_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["tfstate", "tfplan-json", "pulumi-state", "paths"] {
        files(&root.join("tests/corpus").join(folder), &mut all);
    }
    assert!(!all.is_empty());
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in all {
        let (kind, tally) =
            check_file(&path, OWN).unwrap_or_else(|| panic!("{} does not open", path.display()));
        let (rows, before) = kinds.entry(kind.name()).or_default();
        *rows += tally.rows;
        *before += tally.before;
        wrong.extend(tally.wrong);
    }
    is_right(&wrong);
    for kind in ["pulumi-state", "tfstate", "tfplan-json"] {
        assert!(
            kinds.get(kind).is_some_and(|(rows, _)| *rows > 50),
            "{kind}: {kinds:?}"
        );
    }
    assert!(kinds["tfplan-json"].1 > 10, "{kinds:?}");
}

#[test]
fn no_path_leads_into_what_is_no_document() {
    let mut session = Session::open_bytes("plan", &plan_file(), (120, 40));
    for keys in ["1<wait>jyj", "yP"] {
        session.keys(keys).shows("no path leads into this file");
    }
    assert!(session.copied.is_empty());
}

/// Every path into each file of another corpus selects the value that is shown.
pub(crate) fn check(corpus: &Path) -> Result<(), String> {
    let mut all = Vec::new();
    for folder in [
        "pulumi-state",
        "pulumi-preview",
        "pulumi-plan",
        "terraform-state",
        "terraform-plan-json",
        "terraform-show-json",
    ] {
        files(&corpus.join(folder), &mut all);
    }
    let mut wrong = Vec::new();
    for path in all {
        let is_large = std::fs::metadata(&path).is_ok_and(|it| it.len() > MAX_BYTES);
        if !is_large && let Some((kind, tally)) = check_file(&path, SHARED) {
            let Tally {
                resources,
                rows,
                before,
                refused,
                ..
            } = &tally;
            println!(
                "{} {}: {resources} resources, {rows} rows, {before} before, refused {refused:?}",
                path.display(),
                kind.name()
            );
            wrong.extend(tally.wrong.into_iter().take(4));
        }
    }
    match &wrong[..] {
        [] => Ok(()),
        wrong => Err(wrong.join("\n")),
    }
}

#[track_caller]
fn is_right(wrong: &[String]) {
    let first: Vec<_> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        first.join("\n")
    );
}
