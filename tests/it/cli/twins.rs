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

#[test]
fn pods_stay_closed_if_another_policy_is_for_them() {
    let policy = |app: &str, port: u32| {
        value!({"id": format!("shop/{port}"), "metadata": [{"name": format!("p-{port}"), "namespace": "shop"}],
                "spec": [{"egress": [], "ingress": [{"from": [], "ports": [{"port": port, "protocol": "TCP"}]}],
                          "pod_selector": [{"match_expressions": [], "match_labels": {"app": app}}],
                          "policy_types": ["Ingress"]}]})
    };
    let of = |app: &str, action, port: u32| {
        let other = policy(app, port);
        let after = if action == DELETE {
            Value::Null
        } else {
            other.clone()
        };
        brief(vec![
            row(
                "kubernetes_network_policy_v1.gone",
                DELETE,
                policy("api", 80),
                Value::Null,
            ),
            row("kubernetes_network_policy_v1.other", action, other, after),
        ])
    };
    let opened = "pods are open to traffic that was refused";
    let out = of("api", NOTHING, 443);
    has(
        &out,
        "warning",
        &[
            "traffic that only this policy lets through is refused",
            "kubernetes_network_policy_v1.other is for the same pods, which stay closed to other traffic",
        ],
    );
    lacks(&out, opened);
    has(&of("api", NOTHING, 80), "note", &["an equal one stays"]);
    has(&of("web", NOTHING, 443), "danger", &[opened]);
    has(&of("api", DELETE, 443), "danger", &[opened]);
}

#[test]
fn a_permission_that_goes_beside_one_of_a_wider_scope_is_a_note() {
    let account =
        "/subscriptions/1/resourceGroups/data/providers/Microsoft.Storage/storageAccounts/lake";
    let role = |scope: &str, id: &str| value!({"id": id, "name": id, "scope": scope, "principal_id": "p-1", "role_definition_name": "Storage Blob Data Reader"});
    let of = |other: &str| {
        let container = format!("{account}/blobServices/default/containers/curves");
        brief(vec![
            row(
                "azurerm_role_assignment.gone",
                DELETE,
                role(&container, "r-1"),
                Value::Null,
            ),
            row(
                "azurerm_role_assignment.other",
                NOTHING,
                role(other, "r-2"),
                role(other, "r-2"),
            ),
        ])
    };
    has(
        &of(account),
        "note",
        &[
            "a wider one stays, and the access with it",
            "azurerm_role_assignment.other says the same for a scope around it",
        ],
    );
    // One beside it, and one whose name only begins alike.
    for other in [
        format!("{account}/blobServices/default/containers/tariffs"),
        account[..account.len() - 1].to_owned(),
    ] {
        lacks(&of(&other), "twin-stays");
    }
}

#[test]
fn a_name_whose_record_goes_may_be_answered_by_a_wildcard() {
    let record = |name: &str, to: &str| value!({"id": format!("Z1-{name}"), "zone_id": "Z1", "name": name, "type": "CNAME", "content": to, "ttl": 300, "hostname": name});
    let of = |name: &str, kept: &str, to: &str| {
        let kept = record(kept, to);
        brief(vec![
            row(
                "cloudflare_record.gone",
                DELETE,
                record(name, "edge.example"),
                value!(null),
            ),
            row("cloudflare_record.kept", NOTHING, kept.clone(), kept),
        ])
    };
    let twin = |name: &str, kept: &str, says: &str| {
        let out = of(name, kept, "edge.example");
        has(
            &out,
            "note",
            &[says, "cloudflare_record.kept gives the same answer"],
        );
        out
    };
    let out = twin(
        "links",
        "links",
        "another record stays, and the name with it",
    );
    lacks(&out, "a name is not resolved any longer");
    for (name, kept) in [("links", "*"), ("links.shop.example", "*.shop.example")] {
        let says = "a wildcard answers for a name without a record of any type";
        let out = twin(name, kept, says);
        // There may be such a record.
        has(&out, "warning", &["a name is not resolved any longer"]);
    }
    for (name, kept, to) in [
        ("links", "*", "other.example"),
        ("links", "shop", "edge.example"),
        ("links.shop.example", "*.example", "edge.example"),
        // The name of a zone itself.
        ("@", "*", "edge.example"),
    ] {
        lacks(&of(name, kept, to), "gives the same answer");
    }
}
