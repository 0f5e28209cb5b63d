use std::fs;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::load::Input;
use crate::load::fleet::{Answer, Copies, Fleet, Opened, Roots};

/// A state of Terraform with these resources, each a type and attributes.
fn terraform(lineage: &str, resources: &[(&str, &str)]) -> String {
    let resource = |(ty, attributes): &(&str, &str)| {
        let mode = if *ty == "terraform_remote_state" {
            "data"
        } else {
            "managed"
        };
        format!(
            r#"{{"mode":"{mode}","type":"{ty}","name":"it","provider":"provider[\"registry.terraform.io/hashicorp/aws\"]",
            "instances":[{{"schema_version":0,"attributes":{attributes}}}]}}"#
        )
    };
    let resources: Vec<_> = resources.iter().map(resource).collect();
    format!(
        r#"{{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"{lineage}","outputs":{{}},"resources":[{}]}}"#,
        resources.join(",")
    )
}

/// The type of a configuration, as Terraform writes it.
fn type_of(value: &serde_json::Value) -> serde_json::Value {
    match value.as_object() {
        Some(fields) => {
            let fields = fields
                .iter()
                .map(|(key, value)| (key.clone(), type_of(value)));
            let fields: serde_json::Map<_, _> = fields.collect();
            serde_json::json!(["object", fields])
        }
        None => "string".into(),
    }
}

/// A reader of a state, by its backend and configuration.
fn remote(backend: &str, config: &str, workspace: &str) -> String {
    let ty = type_of(&serde_json::from_str(config).unwrap());
    let attributes = format!(
        r#"{{"backend":"{backend}","config":{{"value":{config},"type":{ty}}},"workspace":{workspace},
        "outputs":{{"value":{{"vpc_id":"vpc-1","zone":"z"}},"type":["object",{{"vpc_id":"string","zone":"string"}}]}}}}"#
    );
    terraform(
        &format!("r{}{}", config.len(), backend),
        &[("terraform_remote_state", &attributes)],
    )
}

/// A stack of Pulumi that may read another one.
fn pulumi(project: &str, stack: &str, reads: Option<&str>) -> String {
    let urn = format!("urn:pulumi:{stack}::{project}::pulumi:pulumi:Stack::{project}-{stack}");
    let reference = reads.map(|name| {
        format!(
            r#",{{"urn":"urn:pulumi:{stack}::{project}::pulumi:pulumi:StackReference::net","custom":true,"external":true,
            "type":"pulumi:pulumi:StackReference","id":"{name}","inputs":{{"name":"{name}"}},
            "outputs":{{"name":"{name}","outputs":{{"vpcId":"vpc-1"}}}}}}"#
        )
    });
    format!(
        r#"{{"version":3,"checkpoint":{{"stack":"organization/{project}/{stack}","latest":{{"manifest":{{"time":"2026-01-01T00:00:00Z"}},
        "resources":[{{"urn":"{urn}","custom":false,"type":"pulumi:pulumi:Stack"}}{}]}}}}}}"#,
        reference.unwrap_or_default()
    )
}

/// The members of a folder, after all of their resources were read. The slow twin of [`sketched`].
fn whole(fleet: &Fleet) -> Vec<(Member, Ties)> {
    let (cancel, mut members) = (AtomicBool::new(false), Vec::new());
    let work = |opened: &Opened<'_>| opened.ask(|it| Ties::of(it, &cancel));
    fleet.ask(&cancel, &work, &mut |member, answer| {
        match answer {
            Answer::Done(ties) if member.twin.is_none() => members.push((member, ties)),
            Answer::Done(_) | Answer::Left => {}
            Answer::Failed(error) => panic!("{error}"),
        }
        ControlFlow::Continue(())
    });
    members
}

/// The members with the ties that sketches leave.
fn sketched(fleet: &Fleet) -> Vec<(Member, Ties)> {
    let (cancel, mut sketches) = (AtomicBool::new(false), Sketches::default());
    let work = |opened: &Opened<'_>| opened.ask(|document| Sketch::of(opened, document));
    fleet.ask(&cancel, &work, &mut |member, answer| {
        match answer {
            Answer::Done(sketch) if member.twin.is_none() => sketches.push(member, sketch),
            Answer::Done(_) | Answer::Left => {}
            Answer::Failed(error) => panic!("{error}"),
        }
        ControlFlow::Continue(())
    });
    sketches.complete(fleet, &cancel, &mut |_, _| {})
}

/// A line for each edge between the stacks in these files.
fn told(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let fleet = Fleet {
        roots: Roots::new([folder.path().to_path_buf()]),
        like: Input::path("-"),
        copies: Copies::Leave,
    };
    let members = sketched(&fleet);
    let tell = |edge: StackEdge| {
        let to = edge.to.map_or("nothing", |to| &members[to].0.name);
        let guess = if edge.is_guess { " (guess)" } else { "" };
        let outputs = edge.outputs.join(",");
        let (from, kind) = (&members[edge.from].0.name, edge.kind.name());
        format!(
            "{from} -> {to} {kind} {} {}{guess} {outputs}",
            name_of(&edge.resource),
            name_of(&edge.target)
        )
        .trim_end()
        .to_owned()
    };
    let edges = resolve(&members, &AtomicBool::new(false));
    assert_eq!(edges, resolve(&whole(&fleet), &AtomicBool::new(false)));
    edges.into_iter().map(tell).collect()
}

const EMPTY: &str = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"#;

fn empty(lineage: &str) -> String {
    format!("{EMPTY}\"{lineage}\",\"outputs\":{{}},\"resources\":[]}}")
}

#[test]
fn a_stack_reference_leads_to_the_stack_that_it_names() {
    let (net, other) = (pulumi("net", "prod", None), pulumi("dns", "prod", None));
    let long = pulumi("app", "a", Some("acme/net/prod"));
    let short = pulumi("app", "b", Some("a"));
    let none = pulumi("app", "c", Some("acme/net/dev"));
    let several = pulumi("app", "d", Some("prod"));
    let edges = told(&[
        ("net.json", &net),
        ("dns.json", &other),
        ("a.json", &long),
        ("b.json", &short),
        ("c.json", &none),
        ("d.json", &several),
    ]);
    assert_eq!(
        edges,
        [
            "a -> net stack_reference net net/prod vpcId",
            "b -> a stack_reference net a vpcId",
            "c -> nothing stack_reference net net/dev vpcId",
            "d -> dns stack_reference net prod (guess) vpcId",
            "d -> net stack_reference net prod (guess) vpcId",
        ]
    );
}

#[test]
fn a_remote_state_leads_to_the_state_of_its_backend() {
    let cases = r#"
        local {"path":"../net/terraform.tfstate"} null net
        local {"path":"/elsewhere/net/terraform.tfstate"} null nothing
        local {"path":"net/terraform.tfstate"} null net (guess)
        local {"workspace_dir":"../net/terraform.tfstate.d"} "blue" net/blue
        s3 {"bucket":"b","key":"net/terraform.tfstate"} null net
        s3 {"bucket":"b","key":"x"} "blue" env:/blue/x
        gcs {"bucket":"b","prefix":"p/q"} null p/q/default
        remote {"organization":"o","workspaces":{"name":"w-1"}} null w-1 (guess)
        http {"address":"https://h/p/q/default.tfstate?x=1"} null p/q/default
    "#;
    for case in cases.trim().lines() {
        let words: Vec<&str> = case.split_whitespace().collect();
        let [backend, config, workspace, to, guess @ ..] = &words[..] else {
            panic!("{case}");
        };
        let edges = told(&[
            ("app/terraform.tfstate", &remote(backend, config, workspace)),
            ("net/terraform.tfstate", &empty("1")),
            (
                "net/terraform.tfstate.d/blue/terraform.tfstate",
                &empty("2"),
            ),
            ("env:/blue/x", &empty("3")),
            ("p/q/default.tfstate", &empty("4")),
            ("w-1.tfstate", &empty("5")),
        ]);
        assert_eq!(edges.len(), 1, "{case}: {edges:?}");
        let start = format!("app -> {to} remote_state data.terraform_remote_state.it ");
        assert!(edges[0].starts_with(&start), "{case}: {edges:?}");
        let end = format!("{} vpc_id,zone", guess.concat());
        assert!(edges[0].ends_with(&end), "{case}: {edges:?}");
        let is_guess = edges[0].contains("(guess)");
        assert_eq!(is_guess, !guess.is_empty(), "{case}: {edges:?}");
    }
}

#[test]
fn a_bucket_tells_equal_keys_apart() {
    let reader = remote("s3", r#"{"bucket":"two","key":"net.tfstate"}"#, "null");
    let edges = told(&[
        ("app.tfstate", &reader),
        ("one/net.tfstate", &empty("1")),
        ("two/net.tfstate", &empty("2")),
    ]);
    assert_eq!(
        edges,
        ["app -> two/net remote_state data.terraform_remote_state.it two/net.tfstate vpc_id,zone"]
    );
    let reader = remote("s3", r#"{"bucket":"three","key":"net.tfstate"}"#, "null");
    let edges = told(&[
        ("app.tfstate", &reader),
        ("one/net.tfstate", &empty("1")),
        ("two/net.tfstate", &empty("2")),
    ]);
    assert_eq!(edges.len(), 2);
    assert!(
        edges.iter().all(|edge| edge.contains("(guess)")),
        "{edges:?}"
    );
}

#[test]
fn an_id_that_another_stack_owns_is_a_guess() {
    let net = terraform(
        "1",
        &[(
            "aws_subnet",
            r#"{"id":"subnet-0fee1000000000001","arn":"arn:aws:ec2:eu-west-1:1:subnet/s","vpc_id":"vpc-0fee0000000000000"}"#,
        )],
    );
    let by_id = terraform(
        "2",
        &[(
            "aws_instance",
            r#"{"id":"i-1","subnet_id":"subnet-0fee1000000000001","ami":"ami-0abc0000000000abc"}"#,
        )],
    );
    let by_arn = terraform(
        "3",
        &[(
            "aws_policy",
            r#"{"id":"p","json":{"a":["arn:aws:ec2:eu-west-1:1:subnet/s"]},"ami":"ami-0abc0000000000abc"}"#,
        )],
    );
    let edges = told(&[
        ("net.tfstate", &net),
        ("a.tfstate", &by_id),
        ("b.tfstate", &by_arn),
    ]);
    assert_eq!(
        edges,
        [
            "a -> net equal_id aws_instance.it aws_subnet.it (guess)",
            "b -> net equal_id aws_policy.it aws_subnet.it (guess)",
        ]
    );
}

#[test]
fn a_masked_text_makes_no_edge() {
    let net = terraform("1", &[("random_id", r#"{"id":"secret-id-000001"}"#)]);
    let reader = r#"{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"2","outputs":{},"resources":[
        {"mode":"managed","type":"a_b","name":"it","provider":"provider[\"registry.terraform.io/hashicorp/aws\"]","instances":[
        {"schema_version":0,"attributes":{"token":"secret-id-000001"},
         "sensitive_attributes":[[{"type":"get_attr","value":"token"}]]}]}]}"#;
    let edges = told(&[("net.tfstate", &net), ("a.tfstate", reader)]);
    assert_eq!(edges, [""; 0]);
}

#[test]
fn sketches_lose_no_edge() {
    // Ids of eight stacks that own, mention and repeat each other's, in both tools, plain and with escapes, and a plan of one of them.
    let id = |stack: usize, at: usize| format!("thing-{:04}-{at:04}", stack * 7);
    let arn = |stack: usize, at: usize| format!("arn:aws:x:eu:1:thing/{stack}-{at}");
    let mut files = Vec::new();
    for stack in 0..8 {
        let mentions = |at: usize| [(stack * 3 + at) % 8, (stack + at * 5) % 8];
        let resources = (0..6).map(|at| {
            let [one, other] = mentions(at);
            let attributes = format!(
                r#"{{"id":"{}","arn":"{}","a":["{}"],"b":{{"arn":"{}"}},"own":"{}"}}"#,
                id(stack, at),
                arn(stack, at).replace('/', "\\/"),
                id(one, at % 2),
                arn(other, at % 3),
                id(stack, (at + 1) % 6),
            );
            ("aws_thing", attributes)
        });
        let resources: Vec<_> = resources.collect();
        let resources: Vec<_> = resources.iter().map(|(ty, it)| (*ty, &**it)).collect();
        files.push((
            format!("t{stack}.tfstate"),
            terraform(&stack.to_string(), &resources),
        ));
        let reads = pulumi("p", &format!("s{stack}"), Some("p/s0"));
        let owner = format!(
            r#"{{"urn":"urn:pulumi:s{stack}::p::x:y:Z::own","custom":true,"type":"x:y:Z","id":"pulumi-{stack}-000001",
            "inputs":{{"thing":"{}","peer":"pulumi-{}-000001"}},"outputs":{{"id":"pulumi-{stack}-000001","arn":"{}"}}}},{{"urn":"#,
            id(stack, 3),
            (stack + 1) % 8,
            arn(9, stack),
        );
        files.push((
            format!("s{stack}.json"),
            reads.replacen(r#"{"urn":"#, &owner, 1),
        ));
    }
    files.push(("plan.json".to_owned(), plan(&id(2, 1), &id(5, 1))));
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let edges = told(&files);
    let is_equal = |edge: &&String| edge.contains(" equal_id ");
    assert!(edges.iter().filter(is_equal).count() > 40, "{edges:#?}");
    assert!(edges.iter().any(|edge| edge.contains("stack_reference")));
}

/// A plan with a resource that has an id, and mentions another one.
fn plan(own: &str, other: &str) -> String {
    let state = format!(r#"{{"id":"{own}","a":"{other}"}}"#);
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{{"address":"aws_thing.it","mode":"managed",
        "type":"aws_thing","name":"it","provider_name":"registry.terraform.io/hashicorp/aws","change":{{"actions":["no-op"],
        "before":{state},"after":{state},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#
    )
}
