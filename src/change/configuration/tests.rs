use super::*;
use crate::path::Path;
use crate::stack::{Resource, State};
use crate::value::{Map, Value};

fn file(module: &str, path: &str, text: &str) -> SourceFile {
    SourceFile {
        module: module.to_owned(),
        path: path.to_owned(),
        syntax: Some(crate::stack::syntax_of(path).unwrap()),
        text: text.to_owned(),
    }
}

fn resource(address: &str, attributes: Value) -> Resource {
    Resource {
        address: Some(address.to_owned()),
        after: Some(State {
            outputs: Some(attributes),
            ..State::default()
        }),
        ..Resource::new(address, "")
    }
}

/// The first file as it is shown.
fn shown_with(files: Vec<SourceFile>, secrets: &Secrets) -> String {
    let configuration = Configuration::new(&Sources { files }, secrets);
    text_of(&configuration.files[0], Masking::Masked)
}

fn text_of(listing: &Listing, masking: Masking) -> String {
    let lines = (0..listing.n_lines()).map(|line| {
        let parts = listing.line(line, masking);
        parts.into_iter().map(|part| part.text).collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(text: &str, want: &str) {
    let secrets = Secrets::default();
    assert_eq!(shown_with(vec![file("", "main.tf", text)], &secrets), want);
}

#[test]
fn names_mask_the_texts_that_they_refer_to() {
    check(
        "resource \"a\" \"b\" {\n  name = \"n\"\n  password = \"hunter2\"\n  password_length = 16\n}",
        "resource \"a\" \"b\" {\n  name = \"n\"\n  password = \"[secret]\"\n  password_length = 16\n}",
    );
    check(
        "x {\n  environment = { DB_HOST = \"h\", DB_PASSWORD = \"hunter2\" }\n  token = \"a${var.b}c\"\n}",
        "x {\n  environment = { DB_HOST = \"h\", DB_PASSWORD = \"[secret]\" }\n  token = \"[secret]${var.b}[secret]\"\n}",
    );
    check(
        "resource \"a\" \"b\" {\n  env {\n    name = \"API_TOKEN\"\n    value = \"t\"\n  }\n  env {\n    name = \"HOST\"\n    value = \"h\"\n  }\n}",
        "resource \"a\" \"b\" {\n  env {\n    name = \"API_TOKEN\"\n    value = \"[secret]\"\n  }\n  env {\n    name = \"HOST\"\n    value = \"h\"\n  }\n}",
    );
    check(
        "x {\n  a = [{ name = \"DB_PASSWORD\", value = \"p\" }, { name = \"HOST\", value = \"h\" }]\n}",
        "x {\n  a = [{ name = \"DB_PASSWORD\", value = \"[secret]\" }, { name = \"HOST\", value = \"h\" }]\n}",
    );
    check(
        "locals {\n  api_token = \"t\"\n}",
        "locals {\n  api_token = \"[secret]\"\n}",
    );
    check(
        "variable \"db_password\" { default = \"p\" }",
        "variable \"db_password\" { default = \"[secret]\" }",
    );
    // In a block with sign-in settings every key counts.
    check(
        "provider \"a\" {\n  region = \"r\"\n  key = \"k\"\n}\nterraform {\n  backend \"b\" {\n    key = \"k\"\n    bucket = \"b\"\n  }\n}\nresource \"a\" \"b\" {\n  key = \"k\"\n}",
        "provider \"a\" {\n  region = \"r\"\n  key = \"[secret]\"\n}\nterraform {\n  backend \"b\" {\n    key = \"[secret]\"\n    bucket = \"b\"\n  }\n}\nresource \"a\" \"b\" {\n  key = \"k\"\n}",
    );
    // A multi-line text is masked line by line.
    check(
        "x {\n  private_key = <<-EOT\n    one\n    two\n  EOT\n}",
        "x {\n  private_key = <<-EOT\n[secret]\n[secret]\n  EOT\n}",
    );
}

#[test]
fn sensitive_declarations_mask_through_module_calls() {
    check(
        "variable \"v\" {\n  sensitive = true\n  default = { a = 1, b = \"x\", c = true }\n}\noutput \"o\" {\n  sensitive = true\n  value = \"x\"\n}",
        "variable \"v\" {\n  sensitive = true\n  default = { a = [secret], b = \"[secret]\", c = [secret] }\n}\noutput \"o\" {\n  sensitive = true\n  value = \"[secret]\"\n}",
    );
    check(
        "locals {\n  a = sensitive(\"x\")\n}",
        "locals {\n  a = sensitive(\"[secret]\")\n}",
    );
    let files = vec![
        file("", "main.tf", "module \"net\" {\n  seed = 7\n  size = 8\n}"),
        file(
            "net",
            "net/main.tf",
            "variable \"seed\" { sensitive = true }\nvariable \"size\" { sensitive = false }",
        ),
    ];
    let want = "module \"net\" {\n  seed = [secret]\n  size = 8\n}";
    assert_eq!(shown_with(files, &Secrets::default()), want);
}

#[test]
fn secrets_of_the_plan_are_masked_at_their_argument_and_everywhere_else() {
    let mut secrets = Secrets::default();
    let rule = Map::from_iter([("seed", Value::from("squid").with_secret(true))]);
    let attributes = Map::from_iter([
        ("plain", Value::from("p")),
        ("size", Value::from("kraken!").with_secret(true)),
        ("rule", vec![Value::from(rule)].into()),
    ]);
    secrets.add_resource(&resource("module.m[\"k\"].a.b[0]", attributes.into()));
    secrets.add_value(&Value::from("-- key --\nline of it\n").with_secret(true));
    let text = "resource \"a\" \"b\" {\n  plain = \"p\" # not kraken!\n  size = 7\n  rule {\n    seed = 1\n    port = 2\n  }\n}\n\
        resource \"a\" \"c\" {\n  size = 7\n  url = \"https://kraken!@h\"\n  escaped = \"\\u006braken!\"\n  short = \"squid\"\n  part = \"squids\"\n}\n\
        locals {\n  k = <<-EOT\n    line of it\n    other\n  EOT\n}";
    let want = "resource \"a\" \"b\" {\n  plain = \"p\" # not [secret]\n  size = [secret]\n  rule {\n    seed = [secret]\n    port = 2\n  }\n}\n\
        resource \"a\" \"c\" {\n  size = 7\n  url = \"[secret]\"\n  escaped = \"[secret]\"\n  short = \"[secret]\"\n  part = \"squids\"\n}\n\
        locals {\n  k = <<-EOT\n[secret]\n[secret]\n  EOT\n}";
    assert_eq!(
        shown_with(vec![file("m", "m/main.tf", text)], &secrets),
        want
    );
    let config = Map::from_iter([("n", Value::from(5.0).with_secret(true))]);
    secrets.add_action("action.a.b[0]", &config.into());
    let text = "action \"a\" \"b\" {\n  config {\n    n = 5\n    m = 5\n  }\n}";
    let want = "action \"a\" \"b\" {\n  config {\n    n = [secret]\n    m = 5\n  }\n}";
    assert_eq!(shown_with(vec![file("", "main.tf", text)], &secrets), want);
    // A file with syntax errors is masked too.
    let broken = "resource \"a\" {{ = \"squid\" kraken!";
    let want = "resource \"a\" {{ = \"[secret]\" [secret]";
    assert_eq!(
        shown_with(vec![file("", "main.tf", broken)], &secrets),
        want
    );
    assert!(!format!("{secrets:?}").contains("squid"));
}

#[test]
fn json_is_masked_alike() {
    let mut secrets = Secrets::default();
    let attributes = Map::from_iter([("size", Value::from("x").with_secret(true))]);
    secrets.add_resource(&resource("a.b", attributes.into()));
    let text = r#"{"resource": {"a": {"b": {"size": "7", "password": "p", "name": "n"}}}, "variable": {"v": {"sensitive": true, "default": [1]}}}"#;
    let want = r#"{"resource": {"a": {"b": {"size": "[secret]", "password": "[secret]", "name": "n"}}}, "variable": {"v": {"sensitive": true, "default": [[secret]]}}}"#;
    assert_eq!(
        shown_with(vec![file("", "main.tf.json", text)], &secrets),
        want
    );
}

#[test]
fn masked_lines_are_revealed_together() {
    let text = "x {\n  private_key = <<EOT\none\n\ntwo\nEOT\n  a = 1\n}\n";
    let sources = Sources {
        files: vec![file("", "main.tf", text)],
    };
    let configuration = Configuration::new(&sources, &Secrets::default());
    let listing = &configuration.files[0];
    assert_eq!(listing.n_lines(), 8);
    assert!(listing.is_masked(2) && listing.is_masked(4) && !listing.is_masked(6));
    assert_eq!(listing.masked_with(4), 2..5);
    assert_eq!(listing.masked_with(6), 6..6);
    assert_eq!(text_of(listing, Masking::Revealed), text.trim_end());
}

#[test]
fn blocks_are_found_in_the_files_of_their_modules() {
    let files = vec![
        file("", "override.tf", "resource \"a\" \"b\" {\n  x = 9\n}"),
        file(
            "",
            "z.tf",
            "# top\nmodule \"net\" {\n  source = \"./net\"\n}\n\nresource \"a\" \"b\" {\n  x = 1\n  rule {\n    port = 2\n  }\n  dynamic \"item\" {\n    content {\n      deep = 3\n    }\n  }\n}\noutput \"id\" { value = 1 }\nvariable \"v\" {}\ndata \"a\" \"b\" {}",
        ),
        file("net", "net/main.tf", "resource \"a\" \"b\" {}"),
    ];
    let configuration = Configuration::new(&Sources { files }, &Secrets::default());
    let at = |address: &str| {
        let place = configuration.find(address)?;
        Some((&*configuration.files[place.file].path, place.lines.clone()))
    };
    assert_eq!(at("a.b"), Some(("z.tf", 5..16)));
    assert_eq!(at("module.net.a.b"), Some(("net/main.tf", 0..1)));
    assert_eq!(at("module.net"), Some(("z.tf", 1..4)));
    assert_eq!(at("output.id"), Some(("z.tf", 16..17)));
    assert_eq!(at("var.v"), Some(("z.tf", 17..18)));
    assert_eq!(at("data.a.b"), Some(("z.tf", 18..19)));
    assert_eq!(at("a.c"), None);
    let place = configuration.find("a.b").unwrap();
    let line = |path: &str| place.line_of(&Path::parse(path).unwrap());
    assert_eq!(line("x"), 6);
    assert_eq!(line("rule[0].port"), 8);
    assert_eq!(line("rule[0].other"), 7);
    assert_eq!(line("item[0].deep"), 12);
    assert_eq!(line("other"), 5);
}

/// The pieces of a text that are not plain.
fn painted(path: &str, text: &str) -> Vec<(String, Paint)> {
    let sources = Sources {
        files: vec![file("", path, text)],
    };
    let configuration = Configuration::new(&sources, &Secrets::default());
    let listing = &configuration.files[0];
    let pieces = (0..listing.n_lines()).flat_map(|line| listing.line(line, Masking::Masked));
    let painted = pieces.filter(|piece| piece.paint != Paint::Plain);
    painted.map(|piece| (piece.text, piece.paint)).collect()
}

#[test]
fn pieces_of_a_source_are_distinct() {
    use Paint::{
        Attribute, BlockType, Bool, Comment, Escape, Function, Keyword, Label, Null, Number,
        Reference, String as Text, Template,
    };
    let text = "# c\nresource \"a\" b {\n  n = 1\n  m = { k = true, for = null }\n  s = \"x\\n${f(v.w)}\"\n  l = [for i in [] : i]\n  inner {}\n}";
    let want = [
        ("# c", Comment),
        ("resource", BlockType),
        ("\"", Label),
        ("a", Label),
        ("\"", Label),
        ("b", Label),
        ("n", Attribute),
        ("1", Number),
        ("m", Attribute),
        ("k", Attribute),
        ("true", Bool),
        ("for", Attribute),
        ("null", Null),
        ("s", Attribute),
        ("\"", Text),
        ("x", Text),
        ("\\n", Escape),
        ("${", Template),
        ("f", Function),
        ("v", Reference),
        ("w", Reference),
        ("}", Template),
        ("\"", Text),
        ("l", Attribute),
        ("for", Keyword),
        ("i", Reference),
        ("in", Keyword),
        ("i", Reference),
        ("inner", BlockType),
    ];
    let want = want.map(|(text, paint)| (text.to_owned(), paint));
    assert_eq!(painted("main.tf", text), want);
    let json = painted("main.tf.json", "{\"a\": [\"b\", 1, null]}");
    let want = [
        ("\"", Attribute),
        ("a", Attribute),
        ("\"", Attribute),
        ("\"", Text),
        ("b", Text),
        ("\"", Text),
        ("1", Number),
        ("null", Null),
    ];
    assert_eq!(json, want.map(|(text, paint)| (text.to_owned(), paint)));
}

#[test]
fn a_file_beyond_all_measure_is_cut_and_still_masked() {
    let text = format!(
        "a = \"{}\"\npassword = \"p\"\n{}",
        "x".repeat(MAX_SHOWN - 40),
        "b = 1\n".repeat(100)
    );
    let sources = Sources {
        files: vec![file("", "main.tf", &text)],
    };
    let configuration = Configuration::new(&sources, &Secrets::default());
    let listing = &configuration.files[0];
    assert!(listing.is_cut && listing.n_lines() < 10);
    assert!(listing.is_masked(1));
    let last = listing.line(listing.n_lines() - 1, Masking::Revealed);
    assert!(!last.is_empty());
}
