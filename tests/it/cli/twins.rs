//! A permission that goes while an equal one stays.

use serde_json::{Value, json as value};

use super::mechanisms::{DELETE, NOTHING, UPDATE, brief, has, lacks, preview, row, step};

const TY: &str = "aws:lambda/permission:Permission";

#[test]
fn a_permission_that_goes_beside_an_equal_one_is_a_note() {
    let rule = |id: &str, port: u32| {
        value!({"id": id, "security_group_rule_id": id, "type": "ingress", "security_group_id": "sg-1", "from_port": port,
                "to_port": port, "protocol": "tcp", "cidr_blocks": ["10.0.0.0/8"], "description": id})
    };
    let of = |port: u32, action, [before, after]: [Value; 2]| {
        brief(vec![
            row(
                "aws_security_group_rule.gone",
                DELETE,
                rule("sgr-1", 443),
                value!(null),
            ),
            row("aws_security_group_rule.twin", action, before, after),
            row(
                "aws_security_group_rule.far",
                NOTHING,
                rule("sgr-3", port + 1),
                rule("sgr-3", port + 1),
            ),
        ])
    };
    let kept = rule("sgr-2", 443);
    for out in [
        of(443, NOTHING, [kept.clone(), kept.clone()]),
        of(443, UPDATE, [rule("sgr-2", 80), kept.clone()]),
    ] {
        lacks(&out, "aws-sg-rule-deleted");
        has(
            &out,
            "note",
            &[
                "an equal one stays, and the access with it",
                "aws_security_group_rule.twin says the same",
            ],
        );
    }
    // The other one lets in something else, or goes too.
    let out = of(80, NOTHING, [rule("sgr-2", 80), rule("sgr-2", 80)]);
    has(&out, "warning", &["aws-sg-rule-deleted"]);
    let out = of(443, DELETE, [kept, value!(null)]);
    has(&out, "warning", &["aws-sg-rule-deleted"]);
    lacks(&out, "twin-stays");

    let permission =
        |who: &str| value!({"action": "lambda:InvokeFunction", "function": "f", "principal": who});
    let of = |who: &str| {
        let own = permission("s3.amazonaws.com");
        preview(vec![
            step("delete", TY, "gone", &own, &value!(null)),
            step("same", TY, "twin", &permission(who), &permission(who)),
        ])
    };
    let out = of("s3.amazonaws.com");
    lacks(&out, "WARNING");
    has(&out, "note", &["twin says the same"]);
    has(
        &of("sns.amazonaws.com"),
        "warning",
        &["aws-function-permission-deleted"],
    );
    // A rule that starts something is no permission.
    let rule = |name: &str| value!({"name": name, "schedule_expression": "rate(1 day)"});
    let out = brief(vec![
        row(
            "aws_cloudwatch_event_rule.gone",
            DELETE,
            rule("a"),
            value!(null),
        ),
        row(
            "aws_cloudwatch_event_rule.twin",
            NOTHING,
            rule("b"),
            rule("b"),
        ),
    ]);
    has(&out, "warning", &["aws-schedule-deleted"]);
}
