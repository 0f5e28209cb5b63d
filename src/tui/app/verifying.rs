//! Assets and archives: compares the recorded hash with the file on disk, and lists the contents of an archive.

use std::path::{Path, PathBuf};

use super::App;
use crate::load::Origin;
use crate::load::asset::Verdict;
use crate::pulumi::asset::{Listing, MAX_ENTRIES, MAX_UNPACKED, Stopped};
use crate::render::plain;
use crate::tui::any_job::Takes;
use crate::tui::effect::Effect;
use crate::tui::jobs::verify::{HashAsset, Hashed, Verified};
use crate::tui::overlays::text::{About, TextLine, TextView};
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::text::{plural, tenths};
use crate::value::{Payload, Shown};

/// Maximum number of members that are listed. The rest are only counted.
const MAX_LISTED: usize = 10_000;

impl App {
    /// Starts verifying the selected asset or archive. URLs are shown, never fetched.
    pub(super) fn open_verify(&mut self) {
        let Some((id, spot)) = self.spot() else {
            self.say_error("select an asset or an archive first");
            return;
        };
        let Some(value) = self.value_at(id, &spot) else {
            self.say_error("this value does not exist");
            return;
        };
        let base = self.base();
        let Shown::Plain(payload) = value.shown() else {
            self.say_error("a secret is not verified");
            return;
        };
        let Some((mut lines, is_url)) = facts(payload, &base) else {
            self.say_error("only assets and archives are verified; select one");
            return;
        };
        let name = spot.label();
        let title = format!("Verify {name}");
        lines.push(TextLine::default());
        if is_url {
            let text = "A URL is shown, never fetched: this program uses no network.";
            lines.push(TextLine::of(text, Role::Badge));
        }
        let mut view = TextView::of_lines(title, lines, About::Row);
        if !is_url {
            let job = Box::new(HashAsset { value, base });
            self.ask(Effect::Start(view.begin(), job));
            view.progress(vec![progress(0, None)], false);
        }
        self.overlays.push(view);
    }

    /// The folder that relative paths of assets start from: that of the file, since the program's folder is not known.
    fn base(&self) -> PathBuf {
        let folder = match self.session.input.sole_origin() {
            Some(Origin::Path(path)) => path.parent(),
            Some(Origin::Object(_) | Origin::Roots(_) | Origin::Stdin | Origin::Bytes { .. })
            | None => None,
        };
        match folder {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        }
    }
}

impl Takes<HashAsset> for App {
    fn take(&mut self, answer: Hashed) {
        let (lines, is_done) = match answer {
            Hashed::Progress { n_read, size } => (vec![progress(n_read, size)], false),
            Hashed::Verified(verified) => (result(&verified), true),
        };
        if let Some(view) = self.overlays.get_mut::<TextView>() {
            view.progress(lines, is_done);
        }
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
