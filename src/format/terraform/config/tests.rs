use super::*;
use crate::json;

fn file(module: &str, text: &str) -> SourceFile {
    let name = format!("tfconfig/m-{module}/main.tf");
    source(&name, text.to_owned(), &Folders::new()).unwrap()
}

#[test]
fn a_configuration_has_the_form_of_the_json_plan_without_the_values_in_it() {
    let root = "\
        variable \"password\" {\n  type = string\n  sensitive = true\n  default = \"hunter2\"\n}\n\
        variable \"size\" { default = 1 }\n\
        module \"net\" {\n  source = \"./net\"\n  version = \"~> 1.2\"\n  cidr = var.size\n}\n\
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
            "source": "./net", "version_constraint": "~> 1.2",
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
fn unknown_syntax_is_left_out_and_noted() {
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
fn sources_in_json_are_read_alike() {
    let json = r#"{
        "variable": {"size": {"default": 1}, "password": {"sensitive": true, "default": "hunter2"}},
        "resource": {"a_b": {"c": {
            "name": "x-${a_b.d.id}", "secret": "hunter2", "count": "${var.size}", "depends_on": ["a_b.e"],
            "lifecycle": {"ignore_changes": ["name"]}
        }}},
        "output": {"id": {"value": "${a_b.c.id}"}}
    }"#;
    let native = "variable \"size\" { default = 1 }\n\
        variable \"password\" {\n  sensitive = true\n  default = \"hunter2\"\n}\n\
        resource \"a_b\" \"c\" {\n  name = \"x-${a_b.d.id}\"\n  secret = \"hunter2\"\n  count = var.size\n\
          depends_on = [a_b.e]\n  lifecycle { ignore_changes = [name] }\n}\n\
        output \"id\" { value = a_b.c.id }\n";
    let of = |name: &str, text: &str| {
        let name = format!("tfconfig/m-/{name}");
        let file = source(&name, text.to_owned(), &Folders::new());
        json::to_compact(&configuration(&[file.unwrap()]).into())
    };
    let made = of("main.tf.json", json);
    assert_eq!(made, of("main.tf", native));
    assert!(
        !made.contains("hunter2") && !made.contains("incomplete"),
        "{made}"
    );
}

#[test]
fn entries_of_a_plan_file_are_sorted_into_modules() {
    let list = br#"[{"Key":"","Dir":"."},{"Key":"a.b","Dir":"modules\\b"},{"Key":"c"}]"#;
    let folders = folders(list);
    let of = |name: &str| {
        let file = source(name, String::new(), &folders)?;
        Some((file.module_address(), file.path.clone(), file.is_override()))
    };
    let want = |module: &str, path: &str, is_override| {
        Some((module.to_owned(), path.to_owned(), is_override))
    };
    assert_eq!(of("tfconfig/m-/main.tf"), want("", "main.tf", false));
    assert_eq!(
        of("tfconfig/m-a.b/x_override.tf"),
        want("module.a.module.b", "modules/b/x_override.tf", true)
    );
    assert_eq!(
        of("tfconfig/m-c/override.tofu.json"),
        want("module.c", "m-c/override.tofu.json", true)
    );
    for other in [
        "tfconfig/m-/other.json",
        "tfconfig/m-/.tf",
        "tfconfig/modules.json",
        "tfstate",
    ] {
        assert_eq!(of(other), None, "{other}");
    }
    assert!(super::folders(b"{").is_empty());
}
