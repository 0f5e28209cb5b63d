//! The page about an asset or an archive: its facts in the file, and whether the file on disk has the recorded hash. An archive is listed.

use std::path::{Path, PathBuf};

use super::text::{About, TextLine, TextView};
use crate::load::asset::Verdict;
use crate::load::{Input, Origin};
use crate::pulumi::asset::{Listing, MAX_ENTRIES, MAX_UNPACKED, Stopped};
use crate::render::plain;
use crate::tui::jobs::Cancel;
use crate::tui::jobs::verify::{HashAsset, Hashed, Verified};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::text::{plural, tenths};
use crate::value::{Payload, Shown, Value};

/// Maximum number of members that are listed. The rest are only counted.
const MAX_LISTED: usize = 10_000;

/// The job that looks at the disk, with the flag of the page that waits for it.
type Work = (Cancel, HashAsset);

/// The page about a value, and its job unless only a URL leads to the contents.
///
/// # Errors
///
/// If the value is no asset or archive that may be shown.
pub fn page(
    name: &str,
    value: Value,
    input: &Input,
) -> Result<(TextView, Option<Work>), &'static str> {
    let base = base(input);
    let Shown::Plain(payload) = value.shown() else {
        return Err("a secret is not verified");
    };
    let (mut lines, is_url) =
        facts(payload, &base).ok_or("only assets and archives are verified; select one")?;
    lines.push(TextLine::default());
    if is_url {
        let text = "A URL is shown, never fetched: this program uses no network.";
        lines.push(TextLine::of(text, Role::Badge));
    }
    let mut page = TextView::of_lines(format!("Verify {name}"), lines, About::Row);
    let job = (!is_url).then(|| {
        let flag = page.begin();
        page.progress(vec![progress(0, None)], false);
        (flag, HashAsset { value, base })
    });
    Ok((page, job))
}

/// Shows an answer of the job on its page.
pub fn take(page: &mut TextView, answer: &Hashed) {
    match answer {
        Hashed::Progress { n_read, size } => page.progress(vec![progress(*n_read, *size)], false),
        Hashed::Verified(verified) => page.progress(result(verified), true),
    }
}

/// The folder that relative paths of assets start from: that of the file, since the program's folder is not known.
fn base(input: &Input) -> PathBuf {
    let folder = match input.sole_origin() {
        Some(Origin::Path(path)) => path.parent(),
        Some(Origin::Object(_) | Origin::Roots(_) | Origin::Stdin | Origin::Bytes { .. })
        | None => None,
    };
    match folder {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn result(verified: &Verified) -> Vec<TextLine> {
    let mut lines = verdict(&verified.verdict);
    match &verified.listing {
        None => {}
        Some(Ok(listing)) => lines.extend(listed(listing)),
        Some(Err(why)) => lines.push(TextLine::of(shown(why), Role::Danger)),
    }
    lines
}

fn progress(n_read: u64, size: Option<u64>) -> TextLine {
    let read = plain::size(n_read);
    let text = match size.filter(|size| *size > 0) {
        Some(size) => {
            format!("{} {read} of {}", tenths(n_read, size), plain::size(size))
        }
        None => format!("reading {read}"),
    };
    TextLine::of(text, Role::Badge)
}

fn line(parts: &[(&str, Role)]) -> TextLine {
    let spans = parts.iter().map(|(text, role)| Span::new(*text, *role));
    spans.collect::<Vec<_>>().into()
}

fn fact(name: &str, text: &str) -> TextLine {
    let name = format!("{name:<10}");
    line(&[(&name, Role::Key), (text, Role::Text)])
}

/// The facts that an asset or an archive has in the file, and true if only a URL leads to its contents.
fn facts(payload: &Payload, base: &Path) -> Option<(Vec<TextLine>, bool)> {
    let mut facts = Vec::new();
    let (path, uri, hash, members) = match payload {
        Payload::Asset(asset) => {
            facts.extend(asset.text.as_ref().map(|text| {
                let size = plain::size(text.as_bytes().len() as u64);
                fact("text", &format!("{size} in the file"))
            }));
            (&asset.path, &asset.uri, &asset.hash, None)
        }
        Payload::Archive(archive) => {
            let members = archive.assets.as_ref();
            (&archive.path, &archive.uri, &archive.hash, members)
        }
        _ => return None,
    };
    let has_contents = !facts.is_empty() || members.is_some();
    let is_url = !uri.as_bytes().is_empty();
    if is_url {
        facts.push(fact("URL", &shown(&uri.to_str_lossy())));
    } else if !path.as_bytes().is_empty() {
        facts.push(fact("path", &shown(&path.to_str_lossy())));
        if Path::new(&*path.to_str_lossy()).is_relative() {
            facts.push(fact("below", &shown(&base.display().to_string())));
        }
    }
    let recorded = match hash.as_bytes() {
        [] => "no hash".to_owned(),
        _ => format!("SHA-256 {}", shown(&hash.to_str_lossy())),
    };
    facts.push(fact("recorded", &recorded));
    if let Some(members) = members {
        facts.push(fact("members", &plural(members.len(), "member")));
        let names = members.keys().take(MAX_LISTED);
        facts.extend(names.map(|name| TextLine::of(format!("  {}", shown(name)), Role::Text)));
    }
    Some((facts, is_url && !has_contents))
}

fn verdict(verdict: &Result<Verdict, String>) -> Vec<TextLine> {
    let (text, role, hash) = match verdict {
        Ok(Verdict::Match) => {
            let text = "match: the contents have the recorded hash";
            (text, Role::Good, None)
        }
        Ok(Verdict::Mismatch { found }) => {
            let text = "mismatch: the contents differ from the recorded hash";
            (text, Role::Danger, Some(found))
        }
        Ok(Verdict::Missing) => ("missing: no such file", Role::Danger, None),
        Ok(Verdict::NotRecorded { found }) => {
            let text = "nothing to compare with: the file records no hash";
            (text, Role::Badge, Some(found))
        }
        Err(why) => return vec![TextLine::of(shown(why), Role::Danger)],
    };
    let hash = hash.map(|hash| fact("found", &format!("SHA-256 {hash}")));
    [TextLine::of(text, role)].into_iter().chain(hash).collect()
}

fn listed(listing: &Listing) -> Vec<TextLine> {
    let n = plural(listing.entries.len(), "entry");
    let mut lines = vec![TextLine::default(), TextLine::of(n, Role::Title)];
    for entry in listing.entries.iter().take(MAX_LISTED) {
        let size = format!("{:>10}  ", plain::size(entry.size));
        let name = shown(&entry.name);
        let warning = if entry.is_outside {
            "  leads out of its folder"
        } else {
            ""
        };
        lines.push(line(&[
            (&size, Role::Dim),
            (&name, Role::Text),
            (warning, Role::Danger),
        ]));
    }
    if listing.entries.len() > MAX_LISTED {
        let text = format!("… only the first {MAX_LISTED} are listed");
        lines.push(TextLine::of(text, Role::Badge));
    }
    let end = listing.stopped.as_ref().map(|stopped| match stopped {
        Stopped::Entries => {
            format!("… it has more than {MAX_ENTRIES} entries; only these were read")
        }
        Stopped::Unpacked => format!(
            "… it unpacks to more than {}; only these entries were read",
            plain::size(MAX_UNPACKED)
        ),
        Stopped::Broken(why) => format!("… broken from here on: {}", shown(why)),
    });
    if let Some(end) = end {
        lines.push(TextLine::of(end, Role::Danger));
    }
    lines
}
