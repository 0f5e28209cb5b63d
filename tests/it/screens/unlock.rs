//! Opening what the person may open: secrets with the passphrase of the stack, assets on the disk.

use std::fs;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);
/// Its passphrase is `open sesame`.
const VAULT: &str = "pulumi-state/vault.json";

#[test]
fn a_passphrase_unlocks_and_each_secret_is_still_revealed_by_itself() {
    let mut session = Session::open(VAULT, WIDE);
    session.keys("gudoor<Enter><Tab>").shows("[secret]");
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

/// A state beside `hello.txt` that records assets with this hash.
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
    session
        .keys("<Esc>jv")
        .shows("missing: there is no such file");
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
