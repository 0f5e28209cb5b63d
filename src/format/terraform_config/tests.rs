use super::expression::Scan;
use super::*;
use crate::json;

/// The references of an expression, the longest of each.
#[track_caller]
fn check(expression: &str, want: &[&str]) {
    let text = format!("{expression}\nnext = 1");
    let mut scan = Scan::new(&text);
    let found = scan.expression().expect("an expression");
    assert_eq!(found.text, expression, "where it ends");
    let found: Vec<String> = found
        .references
        .iter()
        .filter_map(|reference| traversal::references(reference).into_iter().next())
        .collect();
    assert_eq!(found, want, "{expression}");
}

#[test]
fn expressions_tell_what_they_refer_to() {
    check("aws_vpc.main.id", &["aws_vpc.main.id"]);
    check(
        "[var.a, local.b.c, each.key]",
        &["var.a", "local.b.c", "each.key"],
    );
    check(r#"aws_x.y[0].z["k.k"].w"#, &[r#"aws_x.y[0].z["k.k"].w"#]);
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
    check("true", &[]);
}

#[test]
fn prefixes_lead_down_to_the_object() {
    let of = |text: &str| {
        let text = format!("{text}\n");
        let found = Scan::new(&text).expression().expect("an expression");
        traversal::references(&found.references[0])
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

fn file(module: &str, text: &str) -> File {
    File {
        module: module.to_owned(),
        text: text.to_owned(),
        is_override: false,
    }
}

#[test]
fn a_configuration_has_the_form_of_the_json_plan_without_its_literals() {
    let root = "\
        variable \"password\" {\n  type = string\n  sensitive = true\n  default = \"hunter2\"\n}\n\
        variable \"size\" { default = 1 }\n\
        module \"net\" {\n  source = \"./net\"\n  cidr = var.size\n}\n\
        resource \"a_b\" \"c\" {\n  count = var.size\n  name = module.net.id\n  secret = \"hunter2\"\n\
          rule {\n    port = a_b.d.port\n  }\n  lifecycle { ignore_changes = [name] }\n  depends_on = [a_b.d]\n}\n";
    let net = "resource \"a_b\" \"d\" { x = var.cidr }\noutput \"id\" {\n  value = a_b.d.id\n  sensitive = true\n}\n";
    let made = configuration(&[file("", root), file("net", net)]);
    let text = json::to_compact(&made.into());
    assert!(!text.contains("hunter2"), "{text}");
    let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    let want = serde_json::json!({"root_module": {
        "outputs": {},
        "resources": [{
            "address": "a_b.c", "mode": "managed", "type": "a_b", "name": "c",
            "expressions": {
                "name": {"references": ["module.net.id", "module.net"]},
                "rule": [{"port": {"references": ["a_b.d.port", "a_b.d"]}}],
                "secret": {},
            },
            "count_expression": {"references": ["var.size"]},
            "depends_on": ["a_b.d"],
        }],
        "variables": {"password": {"sensitive": true}, "size": {}},
        "module_calls": {"net": {
            "expressions": {"cidr": {"references": ["var.size"]}},
            "module": {
                "outputs": {"id": {"sensitive": true, "expression": {"references": ["a_b.d.id", "a_b.d"]}}},
                "resources": [{
                    "address": "a_b.d", "mode": "managed", "type": "a_b", "name": "d",
                    "expressions": {"x": {"references": ["var.cidr"]}},
                }],
                "variables": {}, "module_calls": {},
            },
        }},
    }});
    assert_eq!(parsed, want);
}

#[test]
fn what_is_not_understood_is_left_out_and_said() {
    for broken in [
        "resource \"a\" \"b\" {",
        "a = [1",
        "a = \"${b",
        "= 1",
        "x {\n}}",
        "a = <<EOT\n",
        "\u{0}",
    ] {
        let made = configuration(&[file("", broken)]);
        assert!(made.contains_key("incomplete"), "{broken:?}");
    }
    let deep = format!("a = {}", "[".repeat(100_000));
    assert!(configuration(&[file("", &deep)]).contains_key("incomplete"));
    let deep = "a {\n".repeat(100_000);
    assert!(configuration(&[file("", &deep)]).contains_key("incomplete"));
}

#[test]
fn entries_of_a_plan_file_are_sorted_into_modules() {
    let module = |name: &str| {
        File::of_entry(name, String::new()).map(|file| (file.module, file.is_override))
    };
    assert_eq!(module("tfconfig/m-/main.tf"), Some((String::new(), false)));
    assert_eq!(
        module("tfconfig/m-a.b/x_override.tf"),
        Some(("a.b".to_owned(), true))
    );
    assert_eq!(module("tfconfig/modules.json"), None);
    assert_eq!(module("tfstate"), None);
}
