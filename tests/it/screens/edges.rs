//! Edges between many stacks: in the list, in an open stack, and in the ripple of a plan.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use stacklens::load::Input;
use tempfile::TempDir;

use super::harness::Session;

const WIDE: (u16, u16) = (120, 40);
const NARROW: (u16, u16) = (80, 24);

const VPC: &str = "vpc-0a1b2c3d4e5f60718";
const SUBNET: &str = "subnet-0a1b2c3d4e5f60718";

fn put(folder: &Path, name: &str, contents: &Value) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, contents.to_string()).unwrap();
}

/// A resource in a state of Terraform: its mode and address, its attributes, and the addresses that it depends on.
fn resource(mode: &str, address: &str, attributes: &Value, needs: &[&str]) -> Value {
    let (ty, name) = address.split_once('.').unwrap();
    json!({
        "mode": mode, "type": ty, "name": name,
        "provider": "provider[\"registry.terraform.io/hashicorp/aws\"]",
        "instances": [{"schema_version": 0, "attributes": attributes, "dependencies": needs}],
    })
}

fn managed(address: &str, attributes: &Value, needs: &[&str]) -> Value {
    resource("managed", address, attributes, needs)
}

/// A data source that reads the state at a path, where it found these outputs.
fn remote_state(name: &str, path: &str, outputs: &[&str]) -> Value {
    let values: serde_json::Map<_, _> = outputs
        .iter()
        .map(|it| ((*it).to_owned(), json!("x")))
        .collect();
    let types: serde_json::Map<_, _> = outputs
        .iter()
        .map(|it| ((*it).to_owned(), json!("string")))
        .collect();
    let attributes = json!({
        "backend": "local",
        "config": {"value": {"path": path}, "type": ["object", {"path": "string"}]},
        "outputs": {"value": values, "type": ["object", types]},
        "workspace": null,
    });
    let address = format!("terraform_remote_state.{name}");
    resource("data", &address, &attributes, &[])
}

fn state(lineage: &str, outputs: &Value, resources: &[Value]) -> Value {
    json!({
        "version": 4, "terraform_version": "1.9.8", "serial": 1, "lineage": lineage,
        "outputs": outputs, "resources": resources,
    })
}

/// A change of a resource in a plan: its values before and after, and those that are not known.
fn change(address: &str, actions: &[&str], sides: [&Value; 2], unknown: &Value) -> Value {
    let (ty, name) = address.split_once('.').unwrap();
    json!({
        "address": address, "mode": "managed", "type": ty, "name": name,
        "provider_name": "registry.terraform.io/hashicorp/aws",
        "change": {
            "actions": actions, "before": sides[0], "after": sides[1], "after_unknown": unknown,
            "replace_paths": [["cidr_block"]],
        },
    })
}

/// The plan that replaces the network of `three_stacks`.
fn plan() -> Value {
    let vpc = json!({"id": VPC, "cidr_block": "10.0.0.0/16"});
    let subnet = json!({"id": SUBNET, "vpc_id": VPC});
    let replaced = ["delete", "create"];
    json!({
        "format_version": "1.2", "terraform_version": "1.9.8",
        "planned_values": {"root_module": {}},
        "resource_changes": [
            change("aws_vpc.main", &replaced, [&vpc, &json!({"cidr_block": "10.1.0.0/16"})], &json!({"id": true})),
            change("aws_subnet.a", &replaced, [&subnet, &json!({})], &json!({"id": true, "vpc_id": true})),
        ],
        "output_changes": {
            "vpc_id": {"actions": ["update"], "before": VPC, "after_unknown": true},
            "region": {"actions": ["no-op"], "before": "eu-west-1", "after": "eu-west-1", "after_unknown": false},
        },
        "configuration": {"root_module": {"resources": [
            {"address": "aws_vpc.main", "mode": "managed", "type": "aws_vpc", "name": "main", "expressions": {}},
            {"address": "aws_subnet.a", "mode": "managed", "type": "aws_subnet", "name": "a",
             "expressions": {"vpc_id": {"references": ["aws_vpc.main.id", "aws_vpc.main"]}}},
        ]}},
    })
}

/// A network with a plan, a cluster that reads its state, an app that reads that of the cluster and names a subnet of the network, and
/// a stack that has nothing to do with them.
fn three_stacks() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let network = [
        managed(
            "aws_vpc.main",
            &json!({"id": VPC, "cidr_block": "10.0.0.0/16"}),
            &[],
        ),
        managed(
            "aws_subnet.a",
            &json!({"id": SUBNET, "vpc_id": VPC}),
            &["aws_vpc.main"],
        ),
        managed(
            "aws_ecs_cluster.named",
            &json!({"id": "production-01", "name": "production-01"}),
            &[],
        ),
    ];
    let outputs = json!({
        "vpc_id": {"value": VPC, "type": "string"},
        "region": {"value": "eu-west-1", "type": "string"},
    });
    put(
        root,
        "network/terraform.tfstate",
        &state("network", &outputs, &network),
    );
    put(root, "network/plan.json", &plan());
    let reads = "data.terraform_remote_state.network";
    let cluster = [
        remote_state(
            "network",
            "../network/terraform.tfstate",
            &["vpc_id", "region"],
        ),
        managed(
            "aws_eks_cluster.main",
            &json!({"id": "cluster", "vpc": VPC}),
            &[reads],
        ),
    ];
    let outputs = json!({"endpoint": {"value": "https://cluster.example", "type": "string"}});
    put(
        root,
        "cluster/terraform.tfstate",
        &state("cluster", &outputs, &cluster),
    );
    let app = [
        remote_state("cluster", "../cluster/terraform.tfstate", &["endpoint"]),
        managed(
            "aws_instance.web",
            &json!({"id": "i-0a1b2c3d4e5f60718", "subnet_id": SUBNET}),
            &[],
        ),
    ];
    put(
        root,
        "app/terraform.tfstate",
        &state("app", &json!({}), &app),
    );
    // Short numbers and common words are no ids, and an id that a stack has itself is not the one of another.
    let other = [
        managed(
            "aws_db_instance.db",
            &json!({"id": "production-01", "class": "cluster"}),
            &[],
        ),
        managed(
            "aws_instance.web",
            &json!({"id": "1", "cluster": "production-01", "port": "10"}),
            &[],
        ),
    ];
    put(
        root,
        "other/terraform.tfstate",
        &state("other", &json!({}), &other),
    );
    folder
}

fn open(folder: &TempDir, size: (u16, u16)) -> Session {
    Session::open_input(Input::folder(folder.path()), size)
}

/// The list with the cursor on a stack.
fn at(folder: &TempDir, stack: &str, size: (u16, u16)) -> Session {
    let mut session = open(folder, size);
    session.keys(&format!("/{stack}<Enter><Esc>"));
    assert!(session.cursor_line().contains(stack), "{}", session.text());
    session
}

fn line(session: &Session, of: &str) -> String {
    let text = session.text();
    let found = text.lines().find(|line| line.contains(of));
    found
        .unwrap_or_else(|| panic!("no line has {of}:\n{text}"))
        .to_owned()
}

#[test]
fn the_list_says_what_a_stack_reads_and_what_reads_it() {
    let folder = three_stacks();
    for size in [WIDE, NARROW] {
        let session = at(&folder, "cluster", size);
        assert!(
            line(&session, "d reads").contains("network (remote state)"),
            "{}",
            session.text()
        );
        assert!(line(&session, "u read by").contains("app (remote state)"));
        let session = at(&folder, "app", size);
        let reads = line(&session, "d reads");
        assert!(reads.contains("cluster (remote state)"), "{reads}");
        assert!(reads.contains("network (equal id, a guess)"), "{reads}");
        assert!(line(&session, "u read by").contains("no other stack"));
        // Neither a short id nor an id that both stacks have makes an edge.
        let session = at(&folder, "other", size);
        assert!(line(&session, "d reads").contains("no other stack"));
        assert!(line(&session, "u read by").contains("no other stack"));
    }
}

#[test]
fn keys_walk_along_the_edges_and_back() {
    let folder = three_stacks();
    let mut session = at(&folder, "cluster", WIDE);
    session.keys("d");
    assert!(
        session.cursor_line().contains("▶  network "),
        "{}",
        session.text()
    );
    session
        .keys("u")
        .shows("2 stacks read network")
        .shows("equal id, a guess");
    // The one that a file names comes first.
    let text = session.text();
    assert!(text.contains("│▶cluster    remote state"), "{text}");
    session.keys("j<Enter>").hides("2 stacks read");
    assert!(session.cursor_line().contains("app"), "{}", session.text());
    session.keys("u").shows("no other stack reads app");
    session.keys("[");
    assert!(
        session.cursor_line().contains("▶  network "),
        "{}",
        session.text()
    );
    session.keys("[");
    assert!(
        session.cursor_line().contains("cluster"),
        "{}",
        session.text()
    );
    session.keys("[").shows("no stack before this one");
}

#[test]
fn walking_goes_to_stacks_that_a_filter_or_a_heading_hides() {
    let folder = three_stacks();
    let mut session = open(&folder, WIDE);
    session.keys("/eks<Enter>").hides("other");
    assert!(
        session.cursor_line().contains("aws_eks_cluster"),
        "{}",
        session.text()
    );
    session.keys("d").shows("other");
    assert!(
        session.cursor_line().contains("▶  network "),
        "{}",
        session.text()
    );
    let mut session = at(&folder, "cluster", WIDE);
    session.keys("tzM").keys("/cluster<Enter><Esc>").keys("d");
    assert!(
        session.cursor_line().contains("network"),
        "{}",
        session.text()
    );
    assert!(
        line(&session, "u read by").contains("cluster"),
        "{}",
        session.text()
    );
}

#[test]
fn a_plan_has_the_edges_of_its_state_and_is_no_other_stack() {
    let folder = three_stacks();
    let session = at(&folder, "network/plan", WIDE);
    assert!(line(&session, "d reads").contains("no other stack"));
    let readers = line(&session, "u read by");
    assert!(readers.contains("cluster (remote state)"), "{readers}");
    assert!(readers.contains("app (equal id, a guess)"), "{readers}");
    let session = at(&folder, "cluster", WIDE);
    assert!(
        !line(&session, "d reads").contains("plan"),
        "{}",
        session.text()
    );
}

#[test]
fn a_stack_that_is_not_in_the_list_and_a_hostile_name() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = "bad\u{1b}[31m\u{7}/terraform.tfstate";
    put(folder.path(), hostile, &state("bad", &json!({}), &[]));
    let readers = [
        remote_state("bad", &format!("../{hostile}"), &["a"]),
        remote_state("gone", "../go\u{1b}[2Jne/x.tfstate", &["a"]),
    ];
    put(
        folder.path(),
        "reader/terraform.tfstate",
        &state("reader", &json!({}), &readers),
    );
    for size in [WIDE, NARROW, (40, 14), (20, 16)] {
        let mut session = at(&folder, "reader", size);
        session.keys("d");
        let text = session.text();
        assert!(
            !text.contains('\u{1b}') && !text.contains('\u{7}'),
            "{text:?}"
        );
        if size == WIDE {
            session
                .shows("reader reads 2 stacks")
                .shows("remote state, not in this list");
            session.keys("j<Enter>").shows("is not in this list");
            session.keys("k<Enter>").hides("reader reads");
            assert!(session.cursor_line().contains("bad"), "{}", session.text());
        }
        session.keys("u[jkdud<Esc>");
    }
}

/// The dependencies of a resource of a stack.
fn deps_of(folder: &TempDir, stack: &str, name: &str, size: (u16, u16)) -> Session {
    let mut session = at(folder, stack, size);
    session.keys(&format!("<Enter>1gu{name}<Enter>d"));
    session
}

#[test]
fn deps_lead_into_other_stacks_and_back() {
    let folder = three_stacks();
    let mut session = deps_of(&folder, "network", "aws_vpc.main", WIDE);
    session
        .keys("l")
        .shows("used by (1 + 2 in other stacks)")
        .shows("cluster: data.terraform_remote_state.network  output vpc_id")
        .shows("cluster: aws_eks_cluster.main  equal id ");
    // The cluster depends on the data source: this is no guess.
    session.hides("a guess");
    session.keys("j<Enter>");
    session
        .shows(" cluster · terraform state")
        .shows("┌ data.terraform_remote_state")
        .shows("depends on (0 + 1 in other stacks)")
        .shows("network  remote state")
        .shows("aws_eks_cluster.main");
    session.keys("h<Enter>").shows("[3 Outputs]");
    assert!(line(&session, "vpc_id").contains("read by cluster"));
    session.keys("[").shows("┌ data.terraform_remote_state");
    session.keys("[").shows("┌ aws_vpc.main ");
    session.keys("[").shows("5 stacks");
    assert!(session.cursor_line().contains("network"));
}

#[test]
fn details_count_the_resources_of_other_stacks() {
    let folder = three_stacks();
    let mut session = deps_of(&folder, "network", "aws_vpc.main", WIDE);
    session
        .keys("1")
        .shows("needs 0  needed by 1 + 2 in other stacks");
    session.keys("guaws_subnet.a<Enter>");
    session.shows("needs 1  needed by 0 + 1 in other stacks");
    let mut session = deps_of(&folder, "app", "aws_instance.web", WIDE);
    session.keys("1").shows("needs 0 + 1 in other stacks");
}

#[test]
fn a_narrow_ripple_keeps_its_totals() {
    let folder = three_stacks();
    for (width, title) in [
        (120, "What happens when aws_vpc.main changes"),
        (80, "aws_vpc.main changes"),
        (60, "aws_vpc.main changes"),
    ] {
        let mut session = deps_of(&folder, "network", "aws_vpc.main", (width, 24));
        session.keys("gi");
        let text = session.text();
        let line = text.lines().nth(1).unwrap();
        assert!(line.starts_with(&format!("┌ {title} ─")), "{line}");
        assert!(line.contains("2 resources  also in "), "{line}");
        assert!(line.ends_with(" ┐"), "{line}");
    }
}

#[test]
fn deps_tell_guesses_apart() {
    let folder = three_stacks();
    let mut session = deps_of(&folder, "app", "aws_instance.web", WIDE);
    session.shows("network: aws_subnet.a  equal id, a guess");
    session.keys("<Enter>").shows("┌ aws_subnet.a ");
    session.shows("app: aws_instance.web  equal id, a guess");
    for size in [NARROW, (40, 14)] {
        let mut session = deps_of(&folder, "app", "aws_instance.web", size);
        session.shows("network").keys("lhjk<Enter>");
    }
}

#[test]
fn outputs_say_who_reads_them_and_lead_there() {
    let folder = three_stacks();
    let mut session = at(&folder, "network", WIDE);
    session.keys("<Enter>3");
    assert!(line(&session, "region").contains("read by cluster"));
    session.keys("u").shows("2 stacks read network");
    session
        .keys("<Enter>")
        .hides("2 stacks read")
        .shows("aws_eks_cluster");
    session
        .keys("[")
        .shows("[3 Outputs]")
        .shows("read by cluster");
    session.keys("d").shows("this stack reads no other stack");
}

#[test]
fn a_stack_that_vanished_is_an_error_and_the_open_one_stays() {
    let folder = three_stacks();
    let mut session = deps_of(&folder, "network", "aws_vpc.main", WIDE);
    fs::remove_file(folder.path().join("cluster/terraform.tfstate")).unwrap();
    session.keys("lj<Enter>").shows("no such file");
    // The way back still leads to where one was.
    session.keys("[").hides("no such file");
}

#[test]
fn edges_of_pulumi_lead_to_the_resource_with_the_same_urn() {
    let folder = tempfile::tempdir().unwrap();
    let urn =
        |project: &str, ty: &str, name: &str| format!("urn:pulumi:prod::{project}::{ty}::{name}");
    let stack = |project: &str, more: Value, outputs: Value| {
        let mut resources = vec![json!({
            "urn": urn(project, "pulumi:pulumi:Stack", &format!("{project}-prod")),
            "custom": false, "type": "pulumi:pulumi:Stack", "outputs": outputs,
        })];
        resources.extend(more.as_array().unwrap().iter().cloned());
        json!({"version": 3, "checkpoint": {
            "stack": format!("organization/{project}/prod"),
            "latest": {"manifest": {"time": "2026-01-01T00:00:00Z"}, "resources": resources},
        }})
    };
    let net = stack(
        "net",
        json!([
            {"urn": urn("net", "aws:iam/role:Role", "main"), "custom": true, "type": "aws:iam/role:Role", "id": "main"},
            {"urn": urn("net", "aws:ec2/vpc:Vpc", "main"), "custom": true, "type": "aws:ec2/vpc:Vpc", "id": VPC},
        ]),
        json!({"vpcId": VPC}),
    );
    let reference = urn("shop", "pulumi:pulumi:StackReference", "net");
    let shop = stack(
        "shop",
        json!([
            {"urn": reference, "custom": true, "external": true, "type": "pulumi:pulumi:StackReference",
             "id": "organization/net/prod", "inputs": {"name": "organization/net/prod"},
             "outputs": {"name": "organization/net/prod", "outputs": {"vpcId": VPC}}},
            {"urn": urn("shop", "aws:ec2/securityGroup:SecurityGroup", "web"), "custom": true,
             "type": "aws:ec2/securityGroup:SecurityGroup", "id": "sg-1", "inputs": {"vpcId": VPC},
             "dependencies": [reference]},
        ]),
        json!({}),
    );
    put(folder.path(), "net.json", &net);
    put(folder.path(), "shop.json", &shop);
    let mut session = at(&folder, "shop", WIDE);
    assert!(
        line(&session, "d reads").contains("net (stack reference)"),
        "{}",
        session.text()
    );
    session.keys("<Enter>1guweb<Enter>d");
    session.shows("net: main  equal id ").hides("a guess");
    // Two resources have this name.
    session.keys("G<Enter>").shows("┌ main · aws:ec2:Vpc");
    session
        .shows("shop: net  output vpcId")
        .shows("shop: web  equal id");
}

#[test]
fn the_ripple_of_a_plan_reaches_into_other_stacks() {
    let folder = three_stacks();
    for size in [WIDE, NARROW] {
        let mut session = at(&folder, "network/plan", size);
        session.keys("<Enter>1guaws_vpc.main<Enter>gi");
        session
            .shows("± aws_vpc.main is replaced")
            .shows("2 replace  also in cluster, app (a guess)")
            .shows("cluster: data.terraform_remote_state.network")
            .shows("output vpc_id")
            .shows("cluster: aws_eks_cluster.main");
        // The subnet is replaced because of the network, and its id is used in another stack.
        session
            .shows("app: aws_instance.web")
            .shows("equal id, a guess");
        session.hides("region").hides("other:");
    }
    // The selected end says what its stack takes along.
    let mut session = at(&folder, "network/plan", WIDE);
    session
        .keys("<Enter>")
        .shows("[b Brief]")
        .shows("1 other stack reads outputs that change");
    session.keys("1guaws_vpc.main<Enter>gi");
    session.shows("also in cluster, app (a guess)").keys("jjj");
    session.shows("output vpc_id · cluster is read by app");
    session
        .keys("<Enter>")
        .shows("┌ data.terraform_remote_state");
    session
        .keys("[")
        .shows("What happens when ± aws_vpc.main is replaced");
    session
        .keys("<Esc>")
        .hides("What happens")
        .keys("[")
        .shows("5 stacks");
}

#[test]
fn a_resource_that_a_plan_keeps_reaches_no_other_stack() {
    let folder = three_stacks();
    // The same plan, which only tags the network: its id and the output stay.
    let mut kept = plan();
    let same = json!({"id": VPC, "cidr_block": "10.0.0.0/16"});
    kept["resource_changes"] = json!([
        change("aws_vpc.main", &["no-op"], [&same, &same], &json!({})),
        change(
            "aws_subnet.a",
            &["update"],
            [
                &json!({"id": SUBNET, "vpc_id": VPC}),
                &json!({"id": SUBNET, "vpc_id": VPC, "tags": {}})
            ],
            &json!({})
        ),
    ]);
    kept["output_changes"]["vpc_id"] =
        json!({"actions": ["no-op"], "before": VPC, "after": VPC, "after_unknown": false});
    put(folder.path(), "network/plan.json", &kept);
    let mut session = at(&folder, "network/plan", WIDE);
    session
        .keys("<Enter>1guaws_vpc.main<Enter>gi")
        .shows("What happens when");
    session.hides("cluster:").shows("also in app (a guess)");
}

#[test]
fn without_a_list_a_ripple_ends_in_its_stack() {
    let folder = three_stacks();
    let plan = folder.path().join("network/plan.json");
    let mut session = Session::open_path(plan, WIDE);
    session
        .keys("1guaws_vpc.main<Enter>gi")
        .shows("What happens when");
    session.hides("also in").hides("cluster");
}
