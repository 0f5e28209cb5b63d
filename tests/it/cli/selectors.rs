//! A tag or label that goes, and by which another resource selects.

use serde_json::{Value, json as value};

use super::mechanisms::{DELETE, NOTHING, UPDATE, brief, has, lacks, preview, row, step};

const NAME: &str = "selected-no-longer";

/// The brief of a plan in which the labels of one resource change beside another one that stays.
fn plan(changed: (&'static str, Value, Value), by: (&'static str, Value)) -> String {
    let (address, before, after) = changed;
    let (selecting, value) = by;
    brief(vec![
        row(address, UPDATE, before, after),
        row(selecting, NOTHING, value.clone(), value),
    ])
}

fn tagged(tags: &Value) -> Value {
    value!({"id": "vol-1", "size": 10, "tags": tags, "tags_all": tags})
}

#[test]
fn a_tag_by_which_a_backup_selects_is_told_once() {
    let selection = value!({"id": "b-1", "name": "daily", "selection_tag": [{"type": "STRINGEQUALS", "key": "Backup", "value": "daily"}]});
    let of = |after: Value| {
        plan(
            (
                "aws_ebs_volume.data",
                tagged(&value!({"Backup": "daily", "Team": "a"})),
                tagged(&after),
            ),
            ("aws_backup_selection.daily", selection.clone()),
        )
    };
    for after in [
        value!({"Team": "a"}),
        value!({"Backup": "weekly", "Team": "a"}),
    ] {
        let out = of(after);
        has(
            &out,
            "warning",
            &[
                "is no longer selected by aws_backup_selection.daily, which looks for Backup = daily",
            ],
        );
        assert_eq!(out.matches(NAME).count(), 1, "{out}");
    }
    // Another tag goes.
    lacks(&of(value!({"Backup": "daily"})), NAME);
    let gone = brief(vec![
        row(
            "aws_ebs_volume.data",
            UPDATE,
            tagged(&value!({"Backup": "daily"})),
            tagged(&value!({})),
        ),
        row("aws_backup_selection.daily", DELETE, selection, Value::Null),
    ]);
    lacks(&gone, NAME);
}

#[test]
fn a_selector_that_changes_along_or_that_wants_more_is_none() {
    let pods = |app: &str| value!({"id": "w", "spec": [{"template": [{"metadata": [{"labels": {"app": app, "tier": "front"}}]}]}]});
    let service = |selector: Value| value!({"id": "s", "spec": [{"selector": selector}]});
    let of = |by: Value| {
        plan(
            ("kubernetes_deployment.web", pods("web"), pods("web2")),
            ("kubernetes_service.web", by),
        )
    };
    has(
        &of(service(value!({"app": "web", "tier": "front"}))),
        "warning",
        &[
            "is no longer selected by kubernetes_service.web, which looks for app = web and tier = front",
        ],
    );
    lacks(&of(service(value!({"app": "web", "tier": "back"}))), NAME);
    lacks(&of(service(value!({"app": "web2"}))), NAME);
    let along = brief(vec![
        row(
            "kubernetes_deployment.web",
            UPDATE,
            pods("web"),
            pods("web2"),
        ),
        row(
            "kubernetes_service.web",
            UPDATE,
            service(value!({"app": "web"})),
            service(value!({"app": "web2"})),
        ),
    ]);
    lacks(&along, NAME);
}

#[test]
fn labels_of_a_workload_are_not_those_of_its_pods() {
    let workload = |own: &str| value!({"id": "w", "metadata": [{"labels": {"app": own}}], "spec": [{"template": [{"metadata": [{"labels": {"app": "web"}}]}]}]});
    let out = plan(
        (
            "kubernetes_deployment.web",
            workload("web"),
            workload("web2"),
        ),
        (
            "kubernetes_service.web",
            value!({"id": "s", "spec": [{"selector": {"app": "web"}}]}),
        ),
    );
    lacks(&out, NAME);
}

#[test]
fn a_network_tag_that_a_firewall_targets_is_told() {
    let machine = |tags: Value| value!({"id": "i", "machine_type": "e2", "tags": tags});
    let of = |targets: Value| {
        plan(
            (
                "google_compute_instance.web",
                machine(value!(["web", "ssh"])),
                machine(value!(["ssh"])),
            ),
            (
                "google_compute_firewall.web",
                value!({"id": "f", "target_tags": targets}),
            ),
        )
    };
    has(
        &of(value!(["web"])),
        "warning",
        &["is no longer selected by google_compute_firewall.web, which looks for web"],
    );
    lacks(&of(value!(["ssh"])), NAME);
    // A tag of one cloud means nothing in another.
    let other = plan(
        (
            "aws_instance.web",
            tagged(&value!({"app": "web"})),
            tagged(&value!({})),
        ),
        (
            "kubernetes_service.web",
            value!({"id": "s", "spec": [{"selector": {"app": "web"}}]}),
        ),
    );
    lacks(&other, NAME);
}

#[test]
fn labels_of_pulumi_are_selected_by_too() {
    let pods = |app: &str| value!({"spec": {"template": {"metadata": {"labels": {"app": app}}}}});
    let of = |selector: &str| {
        let service = value!({"spec": {"selector": {"app": selector}}});
        preview(vec![
            step(
                "update",
                "kubernetes:apps/v1:Deployment",
                "web",
                &pods("web"),
                &pods("web2"),
            ),
            step(
                "same",
                "kubernetes:core/v1:Service",
                "front",
                &service,
                &service,
            ),
        ])
    };
    has(
        &of("web"),
        "warning",
        &["is no longer selected by front, which looks for app = web"],
    );
    lacks(&of("web2"), NAME);
    lacks(&of("other"), NAME);
}
