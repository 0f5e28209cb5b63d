//! Opening contents that the person is allowed to open: secrets with the passphrase of the stack, assets on the disk.

use std::fs;

use stacklens::load::asset::Verdict;
use stacklens::pulumi::asset::{Entry, EntryKind, Listing, Stopped};
use stacklens::tui::any_job::Answer;
use stacklens::tui::event::Event;
use stacklens::tui::jobs::verify::Verified;
use stacklens::tui::jobs::verify::{HashAsset, Hashed};
use stacklens::tui::jobs::{Cancel, Ticket};

use super::harness::Session;
use crate::encrypted::{self, Lock};

const WIDE: (u16, u16) = (120, 40);
/// Its passphrase is `open sesame`.
const VAULT: &str = "pulumi-state/vault.json";

#[test]
fn a_passphrase_unlocks_and_each_secret_is_still_revealed_by_itself() {
    let mut session = Session::open(VAULT, WIDE);
    session.keys("gudoor<Enter><Tab>").shows("[secret]");
    session.shows("encrypted · x open").hides("x reveal · y");
    session.keys("x").shows("Unlock the secrets of this stack");
    session.keys("wrong").shows("•••••").hides("wrong");
    session.keys("<Enter>").shows("incorrect passphrase");
    session
        .keys("open sesame<Enter>")
        .shows("unlocked: secrets stay masked");
    session.shows("[secret]").hides("chrysanthemum");
    session
        .keys("x")
        .shows("Reveal a secret?")
        .keys("y")
        .shows("chrysanthemum");
    session.keys("<wait>").hides("chrysanthemum");
    session.keys("jx").hides("porter").keys("y").shows("porter");
    session.keys("<Esc>").hides("porter").shows("[secret]");
    session.keys("L").shows("this stack is unlocked");
}

#[test]
fn stacks_of_other_providers_name_the_command_that_shows_their_secrets() {
    let text = r#"{"version":3,"deployment":{"manifest":{},
        "secrets_providers":{"type":"service","state":{"url":"https://api.example.org"}},"resources":[]}}"#;
    let mut session = Session::open_bytes("s.json", text.as_bytes(), WIDE);
    session
        .keys("L")
        .shows("pulumi stack export --show-secrets");
}

#[test]
fn a_secret_that_nothing_opens_offers_no_key() {
    let state = |provider: &str| {
        format!(
            r#"{{"version":3,"deployment":{{"manifest":{{}},"secrets_providers":{provider},"resources":[
            {{"urn":"urn:pulumi:s::p::k:m:T::one","custom":true,"type":"k:m:T","id":"1",
            "outputs":{{"word":{{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"AAAA"}}}}}}]}}}}"#
        )
    };
    let on = |text: &str| {
        let mut session = Session::open_bytes("s.json", text.as_bytes(), WIDE);
        session.keys("guone<Enter><Tab><wait>");
        session
    };
    let mut service = on(&state(r#"{"type":"service","state":{}}"#));
    service.shows("encrypted").hides("x open").hides("x reveal");
    service.keys("x").shows("nothing to reveal");
    let salt = r#"{"type":"passphrase","state":{"salt":"v1:YQ==:v1:AAAA"}}"#;
    let mut own = on(&state(salt));
    own.shows("encrypted · x open").hides("x reveal");
    let hints = own.text().lines().last().unwrap_or_default().to_owned();
    assert!(hints.contains("x open"), "{hints}");
}

/// A state next to `hello.txt`, which records assets with this hash.
fn with_assets(hash: &str) -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("hello.txt"), "hello\n").unwrap();
    let asset = |fields: &str| {
        format!(
            r#"{{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","hash":"{hash}",{fields}}}"#
        )
    };
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:d::p::a:b:C::box","custom":true,
        "type":"a:b:C","id":"1","inputs":{{"file":{},"gone":{},"far":{},"n":1}}}}]}}}}"#,
        asset(r#""path":"hello.txt""#),
        asset(r#""path":"gone.txt""#),
        asset(r#""uri":"https://example.org/x.zip""#),
    );
    let file = folder.path().join("state.json");
    fs::write(&file, text).unwrap();
    let mut session = Session::open_path(file, WIDE);
    session.keys("gubox<Enter><Tab>");
    (folder, session)
}

#[test]
fn assets_are_verified_against_the_disk_and_urls_are_never_fetched() {
    let hash = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    let (_folder, mut session) = with_assets(hash);
    session
        .keys("v")
        .shows("Verify file")
        .shows("match: the contents");
    session.keys("<Esc>jv").shows("missing: no such file");
    session
        .keys("<Esc>jv")
        .shows("https://example.org/x.zip")
        .shows("never fetched");
    session
        .keys("<Esc>jv")
        .shows("only assets and archives are verified");
    let (_folder, mut session) = with_assets(&hash.replace('5', "6"));
    session.keys("v").shows("mismatch: ").shows(hash);
}

#[test]
fn an_encrypted_state_asks_for_its_passphrase() {
    let text = encrypted::state(Lock::Passphrase("open sesame"));
    let mut session = Session::open_bytes("prod.tfstate", &text, WIDE);
    session
        .shows("This file is encrypted by OpenTofu")
        .shows("passphrase: ");
    session.keys("wrong").shows("•••••").hides("wrong");
    session
        .keys("<Enter>")
        .shows("wrong passphrase or key")
        .shows("This file is encrypted");
    session
        .keys("open sesame<Enter>")
        .shows("decrypted in memory")
        .shows("random_password.door")
        .hides("This file is encrypted")
        .hides("open sesame")
        .hides("marigold");
    session
        .keys("gudoor<Enter><Tab>")
        .shows("[secret]")
        .hides("marigold");
    // The key also works for reading the file again.
    session.keys("R").shows("random_password.door");
}

#[test]
fn an_encrypted_file_can_be_left_alone() {
    let text = encrypted::state(Lock::Passphrase("open sesame"));
    let mut session = Session::open_bytes("prod.tfstate", &text, (80, 24));
    session
        .keys("<Esc>")
        .hides("This file is encrypted by OpenTofu")
        .shows("encrypted by OpenTofu; it needs a passphrase")
        .shows("R try again");
    session
        .keys("R")
        .shows("This file is encrypted by OpenTofu");
}

#[test]
fn a_static_key_is_typed_as_its_digits() {
    let text = encrypted::state(Lock::Static(0xa5));
    let mut session = Session::open_bytes("prod.tfstate", &text, WIDE);
    session.shows("static key (hexadecimal): ");
    let digits = "a5".repeat(32);
    session
        .keys(&format!("{digits}<Enter>"))
        .shows("random_password.door");
}

#[test]
fn an_encrypted_plan_asks_for_its_passphrase() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let json = fs::read(fixtures.join("tests/corpus/tfplan-json/shop.json")).unwrap();
    let mut plans = vec![json];
    // As `tofu plan -out` writes it: a zip archive.
    if let Some(folder) = crate::shared_corpus("an encrypted plan file") {
        plans.extend(fs::read(
            folder.join("terraform-binary-plan/own-a-update.tfplan"),
        ));
    }
    for plan in plans {
        let text = encrypted::envelope(&plan, Lock::Passphrase("p"), "");
        let mut session = Session::open_bytes("plan.tfplan", &text, WIDE);
        session.shows("This file is encrypted by OpenTofu");
        session
            .keys("p<Enter>")
            .shows("decrypted in memory")
            .keys("2<wait>")
            .shows("[2 Changes")
            .shows("Changes · -");
    }
}

#[test]
fn two_encrypted_files_open_with_one_key() {
    use stacklens::load::Input;
    let input = |name: &str, text: String| {
        Input::bytes(
            name,
            encrypted::envelope(text.as_bytes(), Lock::Passphrase("p"), encrypted::OUTSIDE),
        )
    };
    let later = encrypted::STATE.replace("\"length\":8", "\"length\":9");
    let pair = Input::pair(
        input("old.tfstate", encrypted::STATE.to_owned()),
        input("new.tfstate", later),
    );
    let mut session = Session::open_input(pair, WIDE);
    session
        .shows("This file is encrypted by OpenTofu")
        .keys("p<Enter>2<wait>")
        .shows("random_password.door")
        .shows("8 → 9");
}

#[test]
fn a_key_service_is_named_with_what_is_needed() {
    for (kind, name, needs) in [
        ("aws_kms", "AWS KMS", "credentials for its KMS key"),
        ("gcp_kms", "Google Cloud KMS", "credentials for its KMS key"),
        ("openbao", "OpenBao", "a token for its transit key"),
    ] {
        let text = encrypted::state(Lock::Service(kind));
        let mut session = Session::open_bytes("prod.tfstate", &text, WIDE);
        session
            .hides("This file is encrypted by OpenTofu")
            .shows(&format!("the key is held by {name}"))
            .shows(needs);
    }
}

fn hashed(flag: &Cancel, answer: Hashed) -> Event {
    Event::Answer(flag.clone(), Box::new(Answer::<HashAsset>(answer)))
}

#[test]
fn verifying_shows_how_far_it_is_and_esc_stops_it() {
    let (_folder, mut session) = with_assets("00");
    session.holds_verifying = true;
    session.keys("v").shows("Esc stop").shows("reading 0 B");
    let flag = session.verifying.clone().unwrap();
    let progress = |flag: &Cancel, n_read| {
        let size = Some(10_000_000);
        hashed(flag, Hashed::Progress { n_read, size })
    };
    session.event(progress(&flag, 3_000_000));
    session.shows("▓▓▓░░░░░░░ 3.0 MB of 10 MB");
    let dropped = Ticket::default().flag();
    session.event(progress(&dropped, 9_000_000));
    session.shows("3.0 MB of 10 MB");
    assert!(!flag.is_cancelled());
    session.keys("<Esc>").hides("Esc stop");
    assert!(flag.is_cancelled());
    // A late answer is dropped.
    let verified = Verified {
        verdict: Ok(Verdict::Match),
        listing: None,
    };
    session.event(hashed(&flag, Hashed::Verified(verified)));
    session.hides("match");
}

#[test]
fn verifying_ends_when_the_file_below_it_is_exchanged() {
    let (_folder, mut session) = with_assets("00");
    session.holds_verifying = true;
    session.hold().keys("Rv").shows("Esc stop");
    let stop = session.verifying.clone().unwrap();
    assert!(!stop.is_cancelled());
    session.settle().hides("Esc stop");
    assert!(stop.is_cancelled());
}

#[test]
fn a_listing_that_is_not_whole_says_why() {
    for (stopped, want) in [
        (Stopped::Entries, "it has more than 100000 entries"),
        (Stopped::Unpacked, "it unpacks to more than 4.2 GB"),
        (
            Stopped::Broken("cut \u{1b}[31mshort".to_owned()),
            "broken from here on: cut ␛[31mshort",
        ),
    ] {
        let (_folder, mut session) = with_assets("00");
        session.holds_verifying = true;
        session.keys("v");
        let flag = session.verifying.clone().unwrap();
        let entry = Entry {
            name: "first".to_owned(),
            kind: EntryKind::File,
            size: 7,
            is_outside: false,
        };
        let verified = Verified {
            verdict: Ok(Verdict::Match),
            listing: Some(Ok(Listing {
                entries: vec![entry],
                stopped: Some(stopped),
            })),
        };
        session.event(hashed(&flag, Hashed::Verified(verified)));
        session.shows("first").shows(want);
    }
}

#[test]
fn archives_list_what_they_hold_and_flag_what_would_lie_outside() {
    let mut builder = tar::Builder::new(Vec::new());
    for name in ["site/index.html", "../evil"] {
        let mut header = tar::Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(5);
        header.set_cksum();
        builder.append(&header, &b"12345"[..]).unwrap();
    }
    let packed = builder.into_inner().unwrap();
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut zipped, &packed).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("site.tar"), &packed).unwrap();
    fs::write(folder.path().join("site.tgz"), zipped.finish().unwrap()).unwrap();
    let archive = |path: &str| {
        format!(
            r#"{{"4dabf18193072939515e22adb298388d":"0def7320c3a5731c473e5ecbe6d01bc7","path":"{path}","hash":"00"}}"#
        )
    };
    let text = format!(
        r#"{{"version":3,"deployment":{{"manifest":{{}},"resources":[{{"urn":"urn:pulumi:d::p::a:b:C::box","custom":true,
        "type":"a:b:C","id":"1","inputs":{{"a":{},"b":{},"c":{}}}}}]}}}}"#,
        archive("site.tar"),
        archive("site.tgz"),
        archive("gone.zip"),
    );
    let file = folder.path().join("state.json");
    fs::write(&file, text).unwrap();
    let mut session = Session::open_path(file, WIDE);
    session.keys("gubox<Enter><Tab>");
    for _ in 0..2 {
        session
            .keys("v")
            .shows("mismatch")
            .shows("2 entries")
            .shows("site/index.html")
            .shows("../evil  leads out of its folder")
            .keys("<Esc>j");
    }
    session.keys("v").shows("missing").hides("entries");
}
