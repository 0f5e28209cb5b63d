//! The source of the selected item, in the configuration of a plan file.

use stacklens::tui::theme::{Depth, Palette};

use super::harness::Session;
use crate::made::{configured_plan, plan_file};

const MAIN: &str = "# The network.\nmodule \"net\" {\n  source   = \"./modules/net\"\n  for_each = toset([\"x\"])\n}\n\n\
    output \"id\" {\n  value = module.net[\"x\"].id\n}\n";

const NET: &str = "variable \"size\" {\n  default = 1\n}\n\n\
    resource \"a_b\" \"first\" {\n  # Not squid! for long.\n  secret = \"squid!\"\n  name   = \"n-${var.size}\"\n\
    \x20 text   = <<-EOT\n    one \u{1b}[31m line\n  EOT\n}\n";

const LOCKS: &str = "provider \"registry.terraform.io/hashicorp/a\" {\n  version     = \"1.2.3\"\n  constraints = \"~> 1.0\"\n  hashes = [\n    \"h1:AAAA=\",\n    \"zh:00\",\n  ]\n}\n";

const MODULES: &str =
    r#"[{"Key":"","Dir":"."},{"Key":"net","Source":"./modules/net","Dir":"modules/net"}]"#;

fn plan() -> Vec<u8> {
    let address = "module.net[\"x\"].a_b.first";
    let files = [
        ("tfconfig/modules.json", MODULES),
        ("tfconfig/m-/main.tf", MAIN),
        ("tfconfig/m-net/net.tf", NET),
        (".terraform.lock.hcl", LOCKS),
    ];
    configured_plan(address, &files)
}

fn open(size: (u16, u16)) -> Session {
    Session::open_bytes("tfplan", &plan(), size)
}

#[test]
fn the_block_of_a_resource_is_shown_in_the_file_of_its_module() {
    for keys in ["2", "21<wait>", "21<wait>4<wait>"] {
        let mut session = open((120, 40));
        session.keys(keys).keys("S");
        session
            .shows("modules/net/net.tf · module.net")
            .shows("5 ▌ resource \"a_b\" \"first\" {")
            .shows(" 1   variable \"size\" {")
            .shows("12 ▌ }");
        session.keys("<Esc>").hides("▌ resource");
    }
    // An argument has a separate line.
    let mut session = open((120, 40));
    session.keys("21<wait>").shows("locked 1.2.3");
    session.keys("<Tab>Gk").shows(" secret     ");
    session.keys("Sy").shows("5 ▌ resource");
    assert_eq!(session.copied, ["modules/net/net.tf:7"]);
}

#[test]
fn on_a_wide_screen_the_source_stands_beside_the_panes() {
    let mut session = open((200, 50));
    session.keys("21<wait>S");
    let screen = session.text();
    let line = screen.lines().nth(10).unwrap();
    for wanted in ["modules/net/net.tf · module.net", "Resources", "a_b.first"] {
        assert!(screen.contains(wanted), "{wanted}:\n{screen}");
    }
    assert_eq!(line.matches('│').count(), 6, "{screen}");
    session.resize(159, 50);
    let line = session.text();
    let line = line.lines().nth(10).unwrap();
    assert_eq!(line.matches('│').count(), 2, "{line}");
}

#[test]
fn secrets_in_a_source_are_masked_until_they_are_revealed() {
    let mut session = open((120, 40));
    session
        .keys("S")
        .shows("# Not [secret] for long.")
        .shows("secret = \"[secret]\"")
        .hides("squid");
    session.keys("ggx").shows("nothing on this line is masked");
    session
        .keys("*jjx")
        .shows("Show the masked values at modules/net/net.tf:7")
        .keys("n")
        .hides("squid");
    session
        .keys("xy")
        .shows("secret = \"squid!\"")
        .shows("Not [secret] for long");
    session.keys("X").hides("squid!");
    session.keys("xy").shows("squid!").keys("<wait>");
    session.hides("squid!").shows("hidden again after 30 s");
    session.keys("xy").shows("squid!").keys("j").hides("squid!");
    // Closing hides it too.
    session.keys("kxy<Esc>S").hides("squid!");
}

#[test]
fn places_are_copied() {
    let mut session = open((120, 40));
    session.keys("Sy");
    assert_eq!(session.copied, ["modules/net/net.tf:5"]);
    session.keys("ggy").keys("jjy");
    assert_eq!(
        session.copied[1..],
        ["modules/net/net.tf:1", "modules/net/net.tf:3"]
    );
    // Characters that could move the cursor are visible.
    session.shows("one \u{241b}[31m line");
}

#[test]
fn long_lines_of_a_source_wrap_like_those_of_a_text() {
    for word in ["word ", "word\t"] {
        let long = format!("# begins {} ends\n", word.repeat(30));
        let bytes = configured_plan("a_b.gone", &[("tfconfig/m-/main.tf", &long)]);
        let mut session = Session::open_bytes("tfplan", &bytes, (80, 24));
        session.keys("S<Enter>").shows("# begins").hides("ends");
        session.hides("x reveal");
        session.keys("w").shows("ends").keys("w").hides("ends");
    }
}

#[test]
fn all_files_of_a_configuration_are_listed_with_their_modules() {
    let mut session = open((80, 24));
    session
        .keys("S<Tab>")
        .shows("3 files")
        .shows("main.tf")
        .shows("the root module")
        .shows("modules/net/net.tf");
    session.keys("gg<Enter>").shows("version     = \"1.2.3\"");
    session
        .keys("fj<Enter>")
        .shows("# The network.")
        .shows("main.tf");
    session.keys("fG<Enter>").shows("5 ▌ resource");
    // Modules, and items that no block declares.
    let mut session = open((120, 40));
    session.keys("1<wait>gg").shows("▶   ▾ module.net");
    session
        .keys("S")
        .shows("main.tf")
        .shows("2 ▌ module \"net\" {");
    let bytes = configured_plan("a_b.gone", &[("tfconfig/m-/main.tf", MAIN)]);
    Session::open_bytes("tfplan", &bytes, (120, 40))
        .keys("S")
        .shows("no block of the configuration declares a_b.gone")
        .keys("<Enter>")
        .shows("# The network.")
        .keys("<Esc>")
        .hides("# The network.");
}

#[test]
fn files_without_a_configuration_say_so() {
    for (fixture, why) in [
        (
            "pulumi-state/shop.json",
            "index.ts is not next to this file",
        ),
        (
            "tfplan-json/shop.json",
            "no configuration in this plan or next to it",
        ),
    ] {
        let mut session = Session::open(fixture, (120, 40));
        session.hides("S source").keys("S").shows(why);
    }
    let bytes = configured_plan("a_b.c", &[]);
    let mut session = Session::open_bytes("tfplan", &bytes, (120, 40));
    session
        .keys("gc")
        .shows("this plan file carries no configuration");
}

#[test]
fn sources_are_colored_and_no_size_breaks_them() {
    let mut session = Session::open_bytes("tfplan", &plan_file(), (120, 40));
    session.keys("2S");
    let block = session.style_of("resource", Depth::True, Palette::Dark);
    let name = session.style_of("sensitive", Depth::True, Palette::Dark);
    assert!(block.fg.is_some() && name.fg.is_some() && block.fg != name.fg);
    for size in [(40, 10), (10, 3), (1, 1), (200, 2), (80, 24)] {
        session
            .resize(size.0, size.1)
            .keys("jGkh<Enter>wl<Tab>")
            .text();
        session.keys("<Esc>").text();
    }
}
