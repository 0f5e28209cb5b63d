//! `graph` of a part of a file: around a resource, what changes, and what a person can read.

use serde_json::{Value as Json, json};

use super::command;
use super::rules::written;

/// A resource of a state with what it needs. `place` is a name, or a module and a name.
fn resource(place: &str, needs: &[&str]) -> Json {
    let (module, name) = place.rsplit_once('/').unwrap_or(("", place));
    let mut resource = json!({"mode": "managed", "type": "a_b", "name": name, "provider": "provider[\"registry.terraform.io/h/a\"]",
        "instances": [{"schema_version": 0, "attributes": {"id": "1"}, "dependencies": needs}]});
    if !module.is_empty() {
        resource["module"] = json!(format!("module.{module}"));
    }
    resource
}

fn state(resources: &[Json]) -> String {
    json!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "resources": resources})
        .to_string()
}

/// The resources and the edges of a printed graph, by name.
fn drawn(args: &[&str]) -> (Vec<String>, Vec<(String, String)>) {
    let run = command(args);
    assert_eq!(run.code, 0, "{run:?}");
    let nodes = run.out.lines().filter_map(|line| {
        let (id, rest) = line.trim().split_once(" [label = \"a_b.")?;
        Some((id.to_owned(), rest.split('"').next()?.to_owned()))
    });
    let nodes: Vec<(String, String)> = nodes.collect();
    let name = |id: &str| {
        let node = nodes.iter().find(|(own, _)| own == id);
        node.unwrap_or_else(|| panic!("{id} is not drawn: {}", run.out))
            .1
            .clone()
    };
    let edges = run.out.lines().filter_map(|line| {
        let (from, rest) = line.trim().split_once(" -> ")?;
        Some((name(from), name(rest.split(' ').next()?)))
    });
    let edges = edges.collect();
    (nodes.iter().map(|(_, name)| name.clone()).collect(), edges)
}

fn pair(from: &str, to: &str) -> (String, String) {
    (from.to_owned(), to.to_owned())
}

#[test]
fn a_graph_is_drawn_around_a_resource() {
    let chain = [
        resource("a", &["a_b.b"]),
        resource("b", &["a_b.c"]),
        resource("c", &["a_b.d"]),
        resource("d", &[]),
        resource("other", &[]),
    ];
    let (_folder, path) = written("state.json", &state(&chain));
    for (args, nodes) in [
        (&["a_b.c"][..], &["a", "b", "c", "d"][..]),
        (&["a_b.c", "--depth", "1"], &["b", "c", "d"]),
        (&["a_b.c", "--down"], &["c", "d"]),
        (&["a_b.c", "--up"], &["a", "b", "c"]),
        (&["a_b.c", "--up", "--depth", "1"], &["b", "c"]),
        (&["a_b.c", "--up", "--down"], &["a", "b", "c", "d"]),
        (&["a_b.c", "--depth", "0"], &["c"]),
        (&[], &["a", "b", "c", "d", "other"]),
    ] {
        let (shown, edges) = drawn(&[&["graph", &path], args].concat());
        assert_eq!(shown, nodes, "{args:?}");
        assert_eq!(
            edges.len(),
            nodes.iter().filter(|it| **it != "other").count() - 1
        );
    }
    for (args, says) in [
        (&["--depth", "1"][..], "need a resource after the file"),
        (&["a_b.c", "a_b.d"], "takes one resource"),
        (&["a_b.c", "--format", "order"], "all resources of a file"),
    ] {
        let run = command(&[&["graph", &path], args].concat());
        assert_eq!(run.code, 64, "{run:?}");
        assert!(run.err.contains(says), "{run:?}");
    }
    // The resource itself stands out.
    let dot = command(&["graph", &path, "a_b.c"]).out;
    assert_eq!(dot.matches("penwidth").count(), 1);
    assert!(
        dot.contains("[label = \"a_b.c\", tooltip = \"a_b\", penwidth = 3]"),
        "{dot}"
    );
    let mermaid = command(&["graph", &path, "a_b.c", "--format", "mermaid"]).out;
    assert!(
        mermaid.contains("\n  style n2 stroke-width:3px\n"),
        "{mermaid}"
    );
    let run = command(&["graph", &path, "a_b.cc"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.err.contains("a_b.c\n"), "{run:?}");
}

#[test]
fn more_than_a_person_can_read_is_left_out_and_said() {
    let mut all: Vec<_> = (0..300)
        .map(|n| resource(&format!("far{n}"), &["a_b.near"]))
        .collect();
    all.push(resource("near", &["a_b.hub"]));
    all.push(resource("hub", &[]));
    let (_folder, path) = written("state.json", &state(&all));
    let run = command(&["graph", &path, "a_b.hub"]);
    assert_eq!(
        run.err,
        "stacklens: 102 of 302 resources are not drawn; --nodes 0 draws all\n"
    );
    let (nodes, edges) = drawn(&["graph", &path, "a_b.hub", "--nodes", "2"]);
    assert_eq!((nodes.len(), edges), (2, vec![pair("near", "hub")]));
    // What has most edges is drawn rather than what has few.
    let (nodes, _) = drawn(&["graph", &path, "--nodes", "1"]);
    assert_eq!(nodes, ["near"]);
    for args in [&["a_b.hub", "--nodes", "0"][..], &[]] {
        let run = command(&[&["graph", &path], args].concat());
        assert_eq!((run.code, &*run.err), (0, ""), "{args:?}");
        assert_eq!(drawn(&[&["graph", &path], args].concat()).0.len(), 302);
    }
}

#[test]
fn only_what_changes_is_drawn_if_that_is_wanted() {
    let change = |name: &str, action: &str| {
        json!({"address": format!("a_b.{name}"), "mode": "managed", "type": "a_b", "name": name,
            "provider_name": "registry.terraform.io/h/a",
            "change": {"actions": [action], "before": {"a": 1}, "after": {"a": 2}, "after_unknown": {}}})
    };
    let block = |name: &str, needs: &str| {
        json!({"address": format!("a_b.{name}"), "mode": "managed", "type": "a_b", "name": name, "provider_config_key": "a",
            "schema_version": 0, "expressions": {"a": {"references": [format!("a_b.{needs}")]}}})
    };
    let blocks = [block("a", "b"), block("b", "c"), block("c", "none")];
    let plan = json!({"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}},
        "resource_changes": [change("a", "update"), change("b", "update"), change("c", "no-op")],
        "configuration": {"root_module": {"resources": blocks}}});
    let (_folder, path) = written("plan.json", &plan.to_string());
    assert_eq!(drawn(&["graph", &path]).0, ["a", "b", "c"]);
    let (nodes, edges) = drawn(&["graph", &path, "--changes"]);
    assert_eq!(
        (nodes, edges),
        (vec!["a".to_owned(), "b".to_owned()], vec![pair("a", "b")])
    );
    // The resource in the middle stays, also if it does not change.
    assert_eq!(
        drawn(&["graph", &path, "a_b.c", "--changes"]).0,
        ["a", "b", "c"]
    );
}

#[test]
fn modules_and_components_have_a_frame() {
    let resources = [
        resource("net/a", &[]),
        resource("x", &["module.net.a_b.a"]),
        resource("net/b", &[]),
    ];
    let (_folder, path) = written("state.json", &state(&resources));
    let dot = command(&["graph", &path]).out;
    let frame = "  subgraph cluster_1 { label = \"module.net\"\n  n0 [label = \"module.net.a_b.a\", tooltip = \"a_b\"]\n  n2 ";
    assert!(dot.contains(frame), "{dot}");
    let mermaid = command(&["graph", &path, "--format", "mermaid"]).out;
    assert!(
        mermaid.contains("  subgraph g1[\"module.net\"]\n  n0["),
        "{mermaid}"
    );
    assert!(mermaid.contains("  end\n  n1 -->|"), "{mermaid}");

    let urn = |name: &str| format!("urn:pulumi:s::p::k:m:T::{name}");
    let own = |name: &str, is_custom: bool, parent: &str| json!({"urn": urn(name), "custom": is_custom, "type": "k:m:T", "id": "", "parent": urn(parent)});
    let stack = json!({"urn": "urn:pulumi:s::p::pulumi:pulumi:Stack::p-s", "custom": false, "type": "pulumi:pulumi:Stack"});
    let mut site = own("site", false, "");
    site["parent"] = stack["urn"].clone();
    let resources = [
        stack,
        site,
        own("page", true, "site"),
        own("below", true, "page"),
    ];
    let deployment = json!({"version": 3, "deployment": {"manifest": {"time": "2026-01-01T00:00:00Z", "magic": "", "version": ""},
        "resources": resources}});
    let (_folder, path) = written("stack.json", &deployment.to_string());
    let dot = command(&["graph", &path]).out;
    // The stack is no frame, nor is a resource that others lie below.
    assert_eq!(dot.matches("subgraph").count(), 1, "{dot}");
    let site = "{ label = \"urn:pulumi:s::p::k:m:T::site\"\n  n2 [label = \"urn:pulumi:s::p::k:m:T::page\"";
    assert!(dot.contains(site), "{dot}");
}

#[test]
fn a_cycle_in_the_picture_is_said() {
    let resources = [
        resource("a", &["a_b.b"]),
        resource("b", &["a_b.a"]),
        resource("alone", &[]),
    ];
    let (_folder, path) = written("state.json", &state(&resources));
    for args in [&["a_b.a"][..], &[]] {
        let run = command(&[&["graph", &path], args].concat());
        assert_eq!(
            (run.code, &*run.err),
            (0, "stacklens: a cycle: a_b.a → a_b.b → a_b.a\n")
        );
    }
    let run = command(&["graph", &path, "a_b.alone"]);
    assert_eq!((run.code, &*run.err), (0, ""));
}
