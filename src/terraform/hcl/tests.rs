use super::lex::{Lexer, TokenKind};
use super::*;

/// The attribute `a` of a text that sets it to `expression`.
#[track_caller]
fn expression(text: &str) -> Expression<'_> {
    let file = read(text, Syntax::Native);
    assert!(file.is_whole, "{text}");
    file.body.attribute("a").expect("an attribute").clone()
}

/// Checks the longest references of an expression.
#[track_caller]
fn check(of: &str, want: &[&str]) {
    let text = format!("a = {of}\nnext = 1");
    let found = expression(&text);
    assert!(of.starts_with(found.text), "where it ends: {of}");
    let found: Vec<String> = found
        .references
        .iter()
        .filter_map(|reference| reference.prefixes().into_iter().next())
        .collect();
    assert_eq!(found, want, "{of}");
}

#[test]
fn expressions_tell_what_they_refer_to() {
    check("aws_vpc.main.id", &["aws_vpc.main.id"]);
    check(
        "[var.a, local.b.c, each.key]",
        &["var.a", "local.b.c", "each.key"],
    );
    check(r#"aws_x.y[0].z["k.k"].w"#, &[r#"aws_x.y[0].z["k.k"].w"#]);
    check("aws_x.y.0.z", &["aws_x.y[0].z"]);
    check("aws_x.y[count.index].id", &["count.index", "aws_x.y"]);
    check("aws_x.y[*].id", &["aws_x.y"]);
    check("aws_x.y.*.id", &["aws_x.y"]);
    check("module.net.subnets[0]", &["module.net.subnets[0]"]);
    check(
        r#""a-${aws_x.y.id}-$${not.this}-%{ if var.b }x%{ endif }""#,
        &["aws_x.y.id", "var.b"],
    );
    check(
        "merge(var.a, { Name = local.n, (var.k) = 1, other : self.id })",
        &["var.a", "local.n", "var.k", "self.id"],
    );
    check(
        "{ a = var.c ? local.x : local.y }",
        &["var.c", "local.x", "local.y"],
    );
    check("[for s in aws_s.all : s.id if s.ok]", &["aws_s.all"]);
    check("{ for k, v in var.m : k => v.id }", &["var.m"]);
    check("provider::x::f(data.a.b.c)", &["data.a.b.c"]);
    check("(a_b.c).d + e_f.g.h", &["a_b.c", "e_f.g.h"]);
    check("1.5e3 * var.n /* no.t */ # no.r", &["var.n"]);
    check("resource.a_b.c.d", &["a_b.c.d"]);
    check("[\n  a_b.c,\n  # d_e.f\n  g_h.i,\n]", &["a_b.c", "g_h.i"]);
    check("<<-EOT\n  x ${a_b.c.d}\n  EOT", &["a_b.c.d"]);
    check("\"unicode \u{e9}${\u{e9}_b.c}\"", &["\u{e9}_b.c"]);
    check("concat(a_b.c...)", &["a_b.c"]);
    check("true", &[]);
}

#[test]
fn prefixes_lead_down_to_the_object() {
    let of = |text: &str| {
        let text = format!("a = {text}\n");
        expression(&text).references[0].prefixes()
    };
    assert_eq!(
        of("a_b.c[0].d.e"),
        ["a_b.c[0].d.e", "a_b.c[0].d", "a_b.c[0]", "a_b.c"]
    );
    assert_eq!(of("data.a_b.c.d"), ["data.a_b.c.d", "data.a_b.c"]);
    assert_eq!(
        of("module.m.out.x"),
        ["module.m.out.x", "module.m.out", "module.m"]
    );
    assert_eq!(
        of("module.m[\"k\"].out"),
        ["module.m[\"k\"].out", "module.m"]
    );
    assert_eq!(of("var.a"), ["var.a"]);
}

#[test]
fn literals_have_their_meaning_and_their_key() {
    let text = "a = { b = [\"x\\\"y-${var.c}z\", 1.5], \"d\" = { e = true }, f = \"$${g}\" }\n";
    let found = expression(text);
    let literals: Vec<_> = found
        .literals
        .iter()
        .map(|literal| {
            assert_eq!(&text[literal.span.clone()], literal.text);
            (literal.decode(), literal.key.as_deref().unwrap_or(""))
        })
        .collect();
    let want = [
        ("x\"y-", "b"),
        ("z", "b"),
        ("1.5", "b"),
        ("d", ""),
        ("true", "e"),
        ("${g}", "f"),
    ];
    assert_eq!(
        literals,
        want.map(|(text, key)| (std::borrow::Cow::from(text), key))
    );
    let text = "a = f(1, sensitive([\"b\", 2]), \"c\")\n";
    let sensitive: Vec<_> = expression(text).literals;
    let sensitive = sensitive.iter().filter(|literal| literal.is_sensitive);
    let sensitive: Vec<_> = sensitive.map(|literal| literal.text).collect();
    assert_eq!(sensitive, ["b", "2"]);
    let text = "a = <<-EOT\n  one\n  two ${var.x} 3\n  EOT\n";
    let pieces: Vec<_> = expression(text).literals;
    let pieces: Vec<_> = pieces.iter().map(|literal| literal.text).collect();
    assert_eq!(pieces, ["  one\n  two ", " 3\n"]);
}

#[test]
fn a_constant_text_is_one_that_nothing_is_put_into() {
    let of = |text: &str| expression(&format!("a = {text}\n")).constant_text();
    assert_eq!(of(r#""b\n\u00e9""#).as_deref(), Some("b\n\u{e9}"));
    assert_eq!(of(r#""""#).as_deref(), Some(""));
    assert_eq!(of(r#""b${var.c}""#), None);
    assert_eq!(of(r#""b${"c"}""#), None);
    assert_eq!(of(r#"f("b")"#), None);
    assert_eq!(of("1"), None);
}

#[test]
fn blocks_have_positions() {
    let text = "# top\nresource \"a_b\" c {\n  d = 1\n  e {\n    f = [\n    ]\n  }\n}\nlocals {}\n";
    let file = read(text, Syntax::Native);
    assert!(file.is_whole);
    let block = &file.body.blocks[0];
    assert_eq!(block.labels, ["a_b", "c"]);
    assert!(text[block.span.clone()].starts_with("resource"));
    assert!(text[block.span.clone()].ends_with("]\n  }\n}"));
    assert_eq!(&text[block.body.attributes[0].span.clone()], "d = 1");
    let inner = &block.body.blocks[0].body.attributes[0];
    assert_eq!(&text[inner.span.clone()], "f = [\n    ]");
    assert_eq!(file.body.blocks("locals").count(), 1);
}

#[test]
fn json_says_the_same() {
    let text = r#"{
      "//": "a remark",
      "resource": {"a_b": {"c": {"name": "n-${a_b.d[\"k\"].id}", "port": 1, "depends_on": ["a_b.e"], "lifecycle": {"ignore_changes": ["name"]}}}},
      "variable": [{"v": {"sensitive": true, "default": {"x": ["y\"z"]}}}],
      "terraform": {"backend": {"s3": {"key": "k"}}},
      "locals": {"lifecycle": {"a": "${var.v}"}}
    }"#;
    let file = read(text, Syntax::Json);
    assert!(file.is_whole);
    let kinds: Vec<_> = file.body.blocks.iter().map(|block| &*block.kind).collect();
    assert_eq!(kinds, ["resource", "variable", "terraform", "locals"]);
    let resource = &file.body.blocks[0];
    assert_eq!(resource.labels, ["a_b", "c"]);
    assert!(text[resource.span.clone()].starts_with("\"c\": {\"name\""));
    assert!(text[resource.span.clone()].ends_with("[\"name\"]}}"));
    let name = resource.body.attribute("name").expect("an attribute");
    assert_eq!(name.text, r#""n-${a_b.d[\"k\"].id}""#);
    assert_eq!(name.references[0].prefixes()[0], "a_b.d[\"k\"].id");
    let after = resource.body.attribute("depends_on").expect("an attribute");
    assert_eq!(after.references[0].prefixes(), ["a_b.e"]);
    assert_eq!(resource.body.blocks[0].kind, "lifecycle");
    let default = file.body.blocks[1].body.attribute("default");
    let literal = &default.expect("an attribute").literals[0];
    assert_eq!(
        (&*literal.decode(), literal.key.as_deref()),
        ("y\"z", Some("x"))
    );
    let backend = &file.body.blocks[2].body.blocks[0];
    assert_eq!((&*backend.kind, &*backend.labels[0]), ("backend", "s3"));
    // A local value may have the name of a block.
    let local = file.body.blocks[3].body.attribute("lifecycle");
    assert_eq!(local.expect("an attribute").references.len(), 1);
}

#[test]
fn unknown_syntax_ends_the_parse() {
    let broken = [
        "resource \"a\" \"b\" {",
        "a = [1",
        "a = \"${b",
        "a = \"b\nc = 1",
        "= 1",
        "x {\n}}",
        "a = <<EOT\n",
        "\u{0}",
    ];
    for text in broken {
        assert!(!read(text, Syntax::Native).is_whole, "{text:?}");
    }
    for text in [
        "",
        "[",
        "{\"a\": 1",
        "{\"a\"}",
        "{} {}",
        "{\"a\": \"b",
        "{a: 1}",
    ] {
        assert!(!read(text, Syntax::Json).is_whole, "{text:?}");
    }
    let before = read("a = 1\nb = [", Syntax::Native);
    assert!(before.body.attribute("a").is_some());
    for (open, syntax) in [
        ("[", Syntax::Native),
        ("\"${", Syntax::Native),
        ("<<A\n${", Syntax::Native),
        ("[", Syntax::Json),
        ("{\"a\":", Syntax::Json),
    ] {
        let deep = open.repeat(100_000);
        assert!(!read(&deep, syntax).is_whole);
        let deep = format!("a = {deep}");
        assert!(!read(&deep, syntax).is_whole);
    }
    let deep = "a {\n".repeat(100_000);
    assert!(!read(&deep, Syntax::Native).is_whole);
}

/// The tokens except blanks, with their kinds.
fn kinds(text: &str, syntax: Syntax) -> Vec<(TokenKind, &str)> {
    let tokens = Lexer::new(text, syntax).filter(|token| token.kind != TokenKind::Blank);
    tokens
        .map(|token| (token.kind, &text[token.span]))
        .collect()
}

#[test]
fn tokens_are_the_pieces_of_a_text() {
    use TokenKind::{
        Comment, Escape, HeredocClose, HeredocOpen, Identifier, Newline, Number, QuoteClose,
        QuoteOpen, Symbol, TemplateClose, TemplateOpen, Text,
    };
    assert_eq!(
        kinds("a = \"b\\n${~ c ~}\" # d\r\n", Syntax::Native),
        [
            (Identifier, "a"),
            (Symbol, "="),
            (QuoteOpen, "\""),
            (Text, "b"),
            (Escape, "\\n"),
            (TemplateOpen, "${~"),
            (Identifier, "c"),
            (TemplateClose, "~}"),
            (QuoteClose, "\""),
            (Comment, "# d"),
            (Newline, "\n"),
        ]
    );
    assert_eq!(
        kinds("<<-E\n  x$${y\n\n z${w} E\n\tE\n-1.5e-3", Syntax::Native),
        [
            (HeredocOpen, "<<-E\n"),
            (Text, "  x"),
            (Escape, "$${"),
            (Text, "y\n"),
            (Text, "\n"),
            (Text, " z"),
            (TemplateOpen, "${"),
            (Identifier, "w"),
            (TemplateClose, "}"),
            (Text, " E\n"),
            (HeredocClose, "\tE"),
            (Newline, "\n"),
            (Symbol, "-"),
            (Number, "1.5e-3"),
        ]
    );
    assert_eq!(
        kinds("\"${a}\\u00e9\": -1", Syntax::Json),
        [
            (QuoteOpen, "\""),
            (Text, "${a}"),
            (Escape, "\\u00e9"),
            (QuoteClose, "\""),
            (Symbol, ":"),
            (Number, "-1"),
        ]
    );
}

#[test]
fn tokens_tile_any_text() {
    let pieces = [
        "\"",
        "${",
        "%{~",
        "}",
        "~}",
        "$${",
        "<<A\n",
        "\nA\n",
        "\\",
        "\\u12",
        "{",
        "\u{e9}",
        "#",
        "/*",
        "*/",
        "\n",
        "1.",
        ".5e",
        "a-b",
        "\u{feff}",
        "\u{1f600}",
        " ",
        "$",
        "\r\n",
    ];
    // Every pair after every piece.
    for first in pieces {
        for second in pieces {
            for third in pieces {
                let text = [first, second, third, "end"].concat();
                for syntax in [Syntax::Native, Syntax::Json] {
                    let mut at = 0;
                    for token in Lexer::new(&text, syntax) {
                        assert_eq!(token.span.start, at, "{text:?}");
                        assert!(!token.span.is_empty() && text.is_char_boundary(token.span.end));
                        at = token.span.end;
                    }
                    assert_eq!(at, text.len(), "{text:?}");
                    _ = read(&text, syntax);
                }
            }
        }
    }
}
