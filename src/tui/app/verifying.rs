//! Assets and archives: compares the recorded hash with the file on disk, and lists the contents of an archive.

use std::path::{Path, PathBuf};

use super::App;
use crate::load::Origin;
use crate::load::asset::Verdict;
use crate::pulumi::asset::{Listing, MAX_ENTRIES, MAX_UNPACKED, Stopped};
use crate::render::plain;
use crate::tui::any_job::Takes;
use crate::tui::effect::Effect;
use crate::tui::jobs::Ticket;
use crate::tui::jobs::verify::{HashAsset, Hashed, Verified};
use crate::tui::overlays::text::{About, TextLine, TextView};
use crate::tui::overlays::verify::Verify;
use crate::tui::rows::{Span, shown};
use crate::tui::theme::Role;
use crate::tui::widgets::text::plural;
use crate::value::{Archive, Asset, Payload, Shown, Text};

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
        let (facts, is_url) = match value.shown() {
            Shown::Secret(_) => {
                self.say_error("a secret is not verified");
                return;
            }
            Shown::Plain(Payload::Asset(asset)) => asset_facts(asset, &base),
            Shown::Plain(Payload::Archive(archive)) => archive_facts(archive, &base),
            Shown::Plain(_) => {
                self.say_error("only assets and archives are verified; select one");
                return;
            }
        };
        let name = spot.label();
        let title = format!("Verify {name}");
        if is_url {
            let mut lines = facts;
            lines.push(line(&[("", Role::Text)]));
            let text = "A URL is shown, never fetched: this program uses no network.";
            lines.push(line(&[(text, Role::Badge)]));
            let view = TextView::of_lines(title, lines, About::Row);
            self.overlays.push(view);
            return;
        }
        let verify = Verify {
            title,
            facts,
            n_read: 0,
            size: None,
            ticket: Ticket::default(),
        };
        let job = Box::new(HashAsset { value, base });
        self.ask(Effect::Start(verify.ticket.flag(), job));
        self.overlays.push(verify);
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

    fn verified(&mut self, verified: Verified) {
        let Some(verify) = self.overlays.take::<Verify>() else {
            return;
        };
        let mut lines = verify.facts;
        lines.push(TextLine::default());
        lines.extend(verdict(&verified.verdict));
        match verified.listing {
            None => {}
            Some(Ok(listing)) => lines.extend(listed(&listing)),
            Some(Err(why)) => lines.push(line(&[(&shown(&why), Role::Danger)])),
        }
        let view = TextView::of_lines(verify.title, lines, About::Row);
        self.overlays.push(view);
    }
}

impl Takes<HashAsset> for App {
    fn take(&mut self, answer: Hashed) {
        match answer {
            Hashed::Progress { n_read, size } => {
                if let Some(verify) = self.overlays.get_mut::<Verify>() {
                    verify.n_read = n_read;
                    verify.size = size;
                }
            }
            Hashed::Verified(verified) => self.verified(verified),
        }
    }
}

fn line(parts: &[(&str, Role)]) -> TextLine {
    let spans = parts.iter().map(|(text, role)| Span::new(*text, *role));
    TextLine {
        spans: spans.collect(),
        target: None,
    }
}

fn fact(name: &str, text: &str) -> TextLine {
    let name = format!("{name:<10}");
    line(&[(&name, Role::Key), (text, Role::Text)])
}

/// The recorded path or URL and hash, and true if it is a URL.
fn source(path: &Text, uri: &Text, hash: &Text, base: &Path) -> (Vec<TextLine>, bool) {
    let mut facts = Vec::new();
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
    (facts, is_url)
}

fn asset_facts(asset: &Asset, base: &Path) -> (Vec<TextLine>, bool) {
    let (mut facts, is_url) = source(&asset.path, &asset.uri, &asset.hash, base);
    if let Some(text) = &asset.text {
        let size = plain::size(text.as_bytes().len() as u64);
        facts.insert(0, fact("text", &format!("{size} in the file")));
    }
    (facts, is_url && asset.text.is_none())
}

fn archive_facts(archive: &Archive, base: &Path) -> (Vec<TextLine>, bool) {
    let (mut facts, is_url) = source(&archive.path, &archive.uri, &archive.hash, base);
    if let Some(assets) = &archive.assets {
        facts.push(fact("members", &plural(assets.len(), "member")));
        for name in assets.keys().take(MAX_LISTED) {
            facts.push(line(&[("  ", Role::Text), (&shown(name), Role::Text)]));
        }
    }
    (facts, is_url && archive.assets.is_none())
}

fn verdict(verdict: &Result<Verdict, String>) -> Vec<TextLine> {
    let found = |text: &str, role, found: &str| {
        vec![
            line(&[(text, role)]),
            fact("found", &format!("SHA-256 {found}")),
        ]
    };
    match verdict {
        Ok(Verdict::Match) => {
            let text = "match: the contents have the recorded hash";
            vec![line(&[(text, Role::Good)])]
        }
        Ok(Verdict::Mismatch { found: hash }) => found(
            "mismatch: the contents differ from the recorded hash",
            Role::Danger,
            hash,
        ),
        Ok(Verdict::Missing) => {
            vec![line(&[("missing: no such file", Role::Danger)])]
        }
        Ok(Verdict::NotRecorded { found: hash }) => found(
            "nothing to compare with: the file records no hash",
            Role::Badge,
            hash,
        ),
        Err(why) => vec![line(&[(&shown(why), Role::Danger)])],
    }
}

fn listed(listing: &Listing) -> Vec<TextLine> {
    let n = plural(listing.entries.len(), "entry");
    let mut lines = vec![TextLine::default(), line(&[(&n, Role::Title)])];
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
        lines.push(line(&[(&text, Role::Badge)]));
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
        lines.push(line(&[(&end, Role::Danger)]));
    }
    lines
}
