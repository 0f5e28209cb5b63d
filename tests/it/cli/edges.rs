//! `deps` and `graph` of many stacks.

use std::fs;

use serde_json::{Value, json as value};

use super::schema::Schema;
use super::{command, root};

/// The network, a stack that reads its outputs, one that names its subnet, and one that reads a stack that is not here.
fn made() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, state: Value| {
        fs::write(folder.path().join(name), state.to_string()).unwrap();
    };
    let state = |lineage: &str, resources: Value| value!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": lineage, "outputs": {}, "resources": resources});
    let resource = |mode: &str, ty: &str, name: &str, attributes: Value, needs: Value| {
        value!({"mode": mode, "type": ty, "name": name, "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
            "instances": [{"schema_version": 0, "attributes": attributes, "dependencies": needs}]})
    };
    let remote = |path: &str| {
        value!({"backend": "local", "config": {"value": {"path": path}, "type": ["object", {"path": "string"}]},
            "outputs": {"value": {"subnet": "s"}, "type": ["object", {"subnet": "string"}]}})
    };
    let vpc = resource(
        "managed",
        "aws_vpc",
        "main",
        value!({"id": "vpc-0fee0000000000000"}),
        value!([]),
    );
    let subnet = value!({"id": "subnet-0fee1000000000001", "vpc_id": "vpc-0fee0000000000000"});
    let subnet = resource(
        "managed",
        "aws_subnet",
        "a",
        subnet,
        value!(["aws_vpc.main"]),
    );
    write("net.tfstate", state("1", value!([vpc, subnet])));
    let network = resource(
        "data",
        "terraform_remote_state",
        "net",
        remote("net.tfstate"),
        value!([]),
    );
    let web = value!({"id": "i-0000000000000aaa1", "subnet_id": "s"});
    let web = resource(
        "managed",
        "aws_instance",
        "web",
        web,
        value!(["data.terraform_remote_state.net"]),
    );
    write("app.tfstate", state("2", value!([network, web])));
    let db = value!({"id": "db-0000000000000aaa2", "subnet_id": "subnet-0fee1000000000001"});
    write(
        "db.tfstate",
        state(
            "3",
            value!([resource("managed", "aws_db", "db", db, value!([]))]),
        ),
    );
    let lost = resource(
        "data",
        "terraform_remote_state",
        "lost",
        remote("lost.tfstate"),
        value!([]),
    );
    let app = resource(
        "data",
        "terraform_remote_state",
        "app",
        remote("app.tfstate"),
        value!([]),
    );
    write("top.tfstate", state("4", value!([lost, app])));
    folder
}

#[track_caller]
fn check(args: &[&str], want: &str) {
    let folder = made();
    let path = folder.path().to_str().unwrap();
    let args = [&args[..1], &[path], &args[1..]].concat();
    let run = command(&args);
    assert_eq!((run.code, run.out.as_str()), (0, want), "{run:?}");
}

#[test]
fn one_command_says_who_reads_the_outputs_of_a_stack() {
    check(
        &["deps", "net", "--reverse"],
        "app  data.terraform_remote_state.net  remote_state  of net net.tfstate, outputs subnet\n\
         db   aws_db.db  equal_id  of net aws_subnet.a (guess)\n",
    );
    check(
        &["deps", "net", "--reverse", "--transitive"],
        "app  data.terraform_remote_state.net  remote_state  of net net.tfstate, outputs subnet\n\
         db   aws_db.db  equal_id  of net aws_subnet.a (guess)\n\
         top  data.terraform_remote_state.app  remote_state  of app app.tfstate, outputs subnet, 2 stacks away\n",
    );
}

#[test]
fn a_stack_needs_others() {
    check(
        &["deps", "top"],
        "top  lost.tfstate  remote_state  of top data.terraform_remote_state.lost, outputs subnet (not among these stacks)\n\
         app  app.tfstate  remote_state  of top data.terraform_remote_state.app, outputs subnet\n",
    );
}

#[test]
fn a_resource_has_edges_in_its_stack_and_across() {
    check(
        &["deps", "aws_subnet.a", "--reverse"],
        "db  aws_db.db  equal_id  of net aws_subnet.a (guess)\n",
    );
    check(&["deps", "aws_subnet.a"], "net  aws_vpc.main  dependency\n");
    check(
        &["deps", "aws_instance.web", "--transitive"],
        "app  data.terraform_remote_state.net  dependency  1\n\
         net  net.tfstate  remote_state  of app data.terraform_remote_state.net, outputs subnet\n",
    );
    let folder = made();
    let path = folder.path().to_str().unwrap();
    let run = command(&["deps", path, "nobody"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.err
            .contains("no stack and no resource has the name `nobody`"),
        "{run:?}"
    );
    assert_eq!(command(&["deps", path]).code, 64);
}

#[test]
fn edges_are_objects_a_line() {
    let folder = made();
    let path = folder.path().to_str().unwrap();
    let schema = Schema::of("deps-lines");
    let mut all = Vec::new();
    for args in [
        ["net", "--reverse"],
        ["aws_instance.web", "--transitive"],
        ["top", "--transitive"],
    ] {
        let run = command(&["deps", path, args[0], args[1], "--json"]);
        assert_eq!(run.code, 0, "{run:?}");
        for line in run.out.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            schema.check(&line, "deps-lines");
            all.push(line);
        }
    }
    assert_eq!(all[1]["guess"], true);
    assert_eq!(
        all[0],
        value!({"stack": "app", "file": format!("{path}/app.tfstate"), "resource": "data.terraform_remote_state.net",
            "kind": "remote_state", "depth": 1, "of_stack": "net", "of_resource": "net.tfstate", "outputs": ["subnet"]})
    );
}

#[test]
fn a_graph_of_stacks_is_drawn() {
    check(
        &["graph", "--format", "mermaid"],
        "graph LR\n  n0[\"app\"]\n  n1[\"db\"]\n  n2[\"net\"]\n  n3[\"top\"]\n  n0 -->|remote_state| n2\n  n1 -.->|equal_id| n2\n  \
         n3 -->|remote_state| n0\n",
    );
    check(
        &["graph", "--format", "order"],
        "1  net\n2  app\n3  db\n4  top\n",
    );
    let folder = made();
    let run = command(&["graph", folder.path().to_str().unwrap()]);
    assert!(
        run.out
            .contains("  n1 -> n2 [label = \"equal_id\", style = dashed]\n"),
        "{run:?}"
    );
    // One file has the graph of its resources.
    let shop = root().join(super::SHOP);
    let run = command(&["graph", shop.to_str().unwrap()]);
    assert!(run.out.contains("orders-db"), "{run:?}");
}

#[test]
fn stacks_that_need_each_other_have_no_order() {
    let folder = tempfile::tempdir().unwrap();
    for (name, other) in [("a", "b"), ("b", "a"), ("c", "a")] {
        let state = value!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": name, "outputs": {}, "resources": [
            {"mode": "data", "type": "terraform_remote_state", "name": "o", "provider": "provider[\"terraform.io/builtin/terraform\"]",
             "instances": [{"schema_version": 0, "attributes": {"backend": "local",
                "config": {"value": {"path": format!("{other}.tfstate")}, "type": ["object", {"path": "string"}]}}}]}]});
        fs::write(
            folder.path().join(format!("{name}.tfstate")),
            state.to_string(),
        )
        .unwrap();
    }
    let run = command(&[
        "graph",
        folder.path().to_str().unwrap(),
        "--format",
        "order",
    ]);
    assert_eq!((run.code, &*run.out), (1, ""), "{run:?}");
    assert!(
        run.err.contains("1 dependency cycle\n  a → b → a\n"),
        "{run:?}"
    );
}
