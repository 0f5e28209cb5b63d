//! Components that go as a whole are one line of the brief.

use serde_json::{Value, json as value};

use super::mechanisms::{CREATE, DELETE, NOTHING, Row, brief, has, lacks, preview, row, step};

fn gone(address: &'static str) -> Row {
    row(
        address,
        DELETE,
        value!({"id": address, "name": address}),
        Value::Null,
    )
}

fn payments() -> Vec<Row> {
    vec![
        gone("module.payments.aws_sqs_queue.jobs"),
        gone("module.payments.aws_db_instance.orders"),
        gone("module.payments.module.inner[\"a\"].aws_iam_role.worker"),
        gone("module.payments.aws_sns_topic.events"),
    ]
}

#[test]
fn a_module_that_goes_as_a_whole_is_one_line_with_its_losses() {
    let mut rows = payments();
    rows.push(gone("aws_lb.other"));
    let out = brief(rows);
    has(
        &out,
        "look at these first",
        &[
            "- 4  delete, all of module.payments\n",
            "the database is deleted with its data: module.payments.aws_db_instance.orders\n",
        ],
    );
    let (page, _) = out.split_once("@danger").unwrap();
    assert_eq!(page.matches("all of module.payments").count(), 1, "{out}");
    lacks(&out, "all of aws_lb");
}

#[test]
fn a_module_of_which_something_stays_or_comes_is_not_retired() {
    let kept = value!({"id": "x", "name": "x"});
    for more in [
        row(
            "module.payments.aws_sns_topic.kept",
            NOTHING,
            kept.clone(),
            kept.clone(),
        ),
        row(
            "module.payments.aws_sns_topic.new",
            CREATE,
            Value::Null,
            kept.clone(),
        ),
    ] {
        let mut rows = payments();
        rows.push(more);
        lacks(&brief(rows), "all of module.payments");
    }
    // Two are too few, and those of one type are one line anyway.
    lacks(&brief(payments().split_off(2)), "all of module.payments");
    let queues = vec![
        gone("module.payments.aws_sqs_queue.a"),
        gone("module.payments.aws_sqs_queue.b"),
        gone("module.payments.aws_sqs_queue.c"),
    ];
    lacks(&brief(queues), "all of module.payments");
}

#[test]
fn resources_whose_names_begin_alike_are_one_component() {
    let rows = || {
        vec![
            gone("aws_sqs_queue.legacy_jobs"),
            gone("aws_iam_role.legacy_worker"),
            gone("aws_s3_bucket.legacy_logs"),
        ]
    };
    let out = brief(rows());
    has(
        &out,
        "look at these first",
        &[
            "delete, everything named legacy…",
            "if it is empty: else the apply fails: aws_s3_bucket.legacy_logs\n",
        ],
    );
    let mut more = rows();
    let kept = value!({"id": "x", "name": "x"});
    more.push(row(
        "aws_sns_topic.legacy_events",
        NOTHING,
        kept.clone(),
        kept,
    ));
    lacks(&brief(more), "everything named");
    let generic = vec![
        gone("aws_sqs_queue.main_jobs"),
        gone("aws_iam_role.main_worker"),
        gone("aws_s3_bucket.main_logs"),
    ];
    lacks(&brief(generic), "everything named");
}

/// A deletion, or an unchanged resource, below a component.
fn below(op: &str, ty: &str, name: &str, parent: &str) -> Value {
    let inputs = value!({"name": name});
    let after = if op == "delete" {
        &Value::Null
    } else {
        &inputs
    };
    let mut step = step(op, ty, name, &inputs, after);
    for side in ["oldState", "newState"] {
        if step[side].is_object() && !parent.is_empty() {
            step[side]["parent"] = value!(parent);
        }
    }
    step
}

#[test]
fn a_component_of_pulumi_that_goes_as_a_whole_is_one_line() {
    let parent = "urn:pulumi:dev::shop::shop:index:Payments::payments";
    let steps = || {
        let mut component = below("delete", "shop:index:Payments", "payments", "");
        component["oldState"]["custom"] = value!(false);
        vec![
            component,
            below("delete", "aws:sqs/queue:Queue", "jobs", parent),
            below("delete", "aws:rds/instance:Instance", "orders", parent),
            below("delete", "aws:iam/role:Role", "worker", parent),
        ]
    };
    let out = preview(steps());
    has(
        &out,
        "look at these first",
        &[
            "- 4  delete, all of payments\n",
            "is deleted with its data: orders\n",
        ],
    );
    let mut more = steps();
    more.push(below("same", "aws:sns/topic:Topic", "events", parent));
    lacks(&preview(more), "all of payments");
}
