//! Findings that one resource shows: the order of its rules, its conditions, quorums, settings, and what leads to itself.

use serde_json::{Value, json as value};

use super::mechanisms::{
    CREATE, NOTHING, UPDATE, brief, has, lacks, preview, preview_with, row, step,
};

/// The brief of an update of one resource.
fn updated(address: &'static str, before: Value, after: Value) -> String {
    brief(vec![row(address, UPDATE, before, after)])
}

/// A rule of a firewall: its name, what it does, and whether it is on.
fn rule(name: &str, action: &str, enabled: bool) -> Value {
    value!({"name": name, "action": action, "expression": format!("path eq {name}"), "enabled": enabled})
}

/// The brief of a firewall whose rules come in another order.
fn reordered(before: &[Value], after: &[Value]) -> String {
    let side = |rules: &[Value]| value!({"id": "f-1", "rules": rules});
    updated("lab_firewall.f", side(before), side(after))
}

#[test]
fn a_rule_that_lets_through_and_comes_before_one_that_blocks_is_told() {
    let [land, staff, skip] = [
        rule("land", "block", true),
        rule("staff", "block", true),
        rule("api", "skip", true),
    ];
    let before = [land.clone(), skip.clone(), staff.clone()];
    let out = reordered(&before, &[skip.clone(), land.clone(), staff.clone()]);
    has(
        &out,
        "warning",
        &["api (skip) now comes before land (block)"],
    );
    // It was before the other one already, and later is never worse.
    lacks(&out, "staff (block)");
    let out = reordered(&before, &[land.clone(), staff.clone(), skip]);
    lacks(&out, "comes before");
    // The order of rules that do the same, and of one that is off, says nothing.
    let out = reordered(
        &[land.clone(), staff.clone()],
        &[staff.clone(), land.clone()],
    );
    lacks(&out, "comes before");
    let off = rule("api", "skip", false);
    let out = reordered(&[land.clone(), off.clone()], &[off, land]);
    lacks(&out, "comes before");
}

#[test]
fn a_masked_number_of_a_rule_is_never_told() {
    let side = |priority: u32| {
        let rule = |number: u32, action: &str| value!({"priority": number, "action": action, "match": action});
        value!({"id": "p-1", "rule": [rule(4711, "deny(403)"), rule(priority, "allow")]})
    };
    let of = |mask: Value| {
        brief(vec![
            row("lab_policy.p", UPDATE, side(5000), side(4242)).masked(mask),
        ])
    };
    let comes = "rule 4242 (allow) comes before rule 4711 (deny(403))";
    has(&of(value!({})), "warning", &[comes]);
    let out = of(value!({"rule": [{"priority": true}, {"priority": true}]}));
    for text in ["4711", "4242", "order-of-rules"] {
        lacks(&out, text);
    }
}

#[test]
fn a_new_rule_is_compared_by_its_number() {
    let rule = |priority: u32, action: &str| {
        let is_default = priority > 9000;
        value!({"priority": priority, "action": action, "description": format!("rule {priority}"), "preview": false,
                "match": if is_default { "*" } else { "some" }})
    };
    let with = |new: Value| {
        let known = [
            rule(1000, "deny(403)"),
            rule(1100, "deny(404)"),
            rule(9999, "allow"),
        ];
        let all = known.iter().cloned().chain([new]).collect::<Vec<_>>();
        let side = |rules: Vec<Value>| value!({"id": "p-1", "rule": rules});
        updated("lab_policy.p", side(known.to_vec()), side(all))
    };
    let out = with(rule(800, "throttle"));
    let says = "rule 800 (throttle) comes before rule 1000 (deny(403)), rule 1100 (deny(404))";
    has(&out, "warning", &[says]);
    // The line shows first what it does, and when.
    let line = |text: &str| out.lines().position(|line| line.contains(text)).unwrap();
    assert!(
        line("+ rule[*].priority  800") < line("+ rule[*].description"),
        "{out}"
    );
    let out = with(rule(3000, "allow"));
    lacks(&out, "comes before");
    has(
        &out,
        "note",
        &["rule 3000 (allow) comes after all that block"],
    );
    lacks(&with(rule(800, "deny(502)")), "comes ");
}

#[test]
fn an_alternative_for_which_the_other_conditions_do_not_hold_is_told() {
    let changed = |before: &str, after: &str| {
        let side = |text: &str| value!({"id": "x", "attribute_condition": text});
        updated("lab_trust.t", side(before), side(after))
    };
    let out = changed(
        "owner == '1' && ref == 'main'",
        "owner == '1' && ref == 'main' || startsWith(ref, 'v')",
    );
    let says = "startsWith(ref, 'v') is enough from now on, without owner == '1' && ref == 'main'";
    has(&out, "warning", &[says]);
    // Brackets keep the other condition, and so does the alternative that has it.
    for after in [
        "owner == '1' && (ref == 'main' || startsWith(ref, 'v'))",
        "owner == '1' && ref == 'main' && startsWith(ref, 'v')",
        "owner == '2' && ref == 'main'",
    ] {
        lacks(
            &changed("owner == '1' && ref == 'main'", after),
            "is enough",
        );
    }
    lacks(
        &changed("ref == 'main'", "ref == 'main' || ref == 'next'"),
        "is enough",
    );
    let out = changed(
        "owner == '1' && (ref == 'main' || tag)",
        "(tag || ref == 'main') && owner == '1'",
    );
    let same = "the same conditions, written in another way";
    has(&out, "without effect", &[same]);
    // Blanks, brackets and signs say nothing, and blanks in quotes are a part of the text.
    let before = "owner == '1  2' && ref == 'main'";
    for after in [
        "owner  == '1  2' && ref == 'main'",
        "(owner == '1  2') && (ref == 'main')",
        "owner == '1  2' and ref == 'main'",
    ] {
        has(&changed(before, after), "without effect", &[same]);
    }
    for after in [
        "owner == '1 2' && ref == 'main'",
        "owner == '1  2' || ref == 'main'",
    ] {
        lacks(&changed(before, after), same);
    }
    // An alternative of a rule that blocks blocks more.
    let side = |text: &str| value!({"id": "f-1", "rules": [{"ref": "a", "action": "block", "expression": text}]});
    let out = updated("lab_firewall.f", side("a and b"), side("a and b or c"));
    lacks(&out, "is enough");
    // Brackets that go change what holds together, whatever the rule does.
    let out = updated(
        "lab_firewall.f",
        side("(h) and (a or b) and (not p)"),
        side("h and a or b and not p"),
    );
    let says = "the same conditions hold together in another way: (h && a) || (b && not p)";
    has(&out, "warning", &[says]);
    let out = updated("lab_firewall.f", side("(h) and (a)"), side("h and a"));
    lacks(&out, "in another way: ");
}

#[test]
fn a_target_that_is_the_other_end_leads_to_itself() {
    let subscription = |dead: &str| value!({"id": "s-1", "topic": "projects/p/topics/jobs", "dead_letter_policy": [{"dead_letter_topic": dead}]});
    let to = |dead: &str| {
        updated(
            "lab_subscription.s",
            subscription("projects/p/topics/jobs-dead"),
            subscription(dead),
        )
    };
    has(
        &to("projects/p/topics/jobs"),
        "danger",
        &["leads to itself: the value is its own topic"],
    );
    lacks(&to("projects/p/topics/other-dead"), "leads to itself");
}

#[test]
fn a_number_of_members_that_are_not_there_is_told() {
    let pool = |least: u32, on: [bool; 3]| {
        let origins = on.map(|is_on| value!({"name": format!("o-{is_on}"), "enabled": is_on}));
        value!({"name": "eu", "minimumOrigins": least, "origins": origins})
    };
    let change = |before: &Value, after: &Value| {
        preview(vec![step(
            "update",
            "lab:lb/pool:Pool",
            "eu",
            before,
            after,
        )])
    };
    let two = [true, false, true];
    let out = change(&pool(1, two), &pool(3, two));
    has(
        &out,
        "warning",
        &["asks for 3 of origins, and 2 are there and on"],
    );
    // A member that goes leaves too few as well.
    let out = change(&pool(3, [true; 3]), &pool(3, two));
    has(
        &out,
        "warning",
        &["asks for 3 of origins, and 2 are there and on"],
    );
    lacks(&change(&pool(1, two), &pool(2, two)), "asks for");
    lacks(
        &change(&pool(1, [true; 3]), &pool(3, [true; 3])),
        "asks for",
    );
    // A schema of a list asks for elements of the forms that it has.
    let schema = |least: u32| value!({"name": "eu", "schema": {"type": "array", "minItems": least, "items": [{"type": "string"}]}});
    lacks(&change(&schema(1), &schema(3)), "asks for");
    // It was so before.
    let renamed =
        |name: &str| value!({"name": name, "minimumOrigins": 3, "origins": [{"name": "a"}]});
    lacks(&change(&renamed("a"), &renamed("b")), "asks for");
}

#[test]
fn a_setting_gives_a_value_or_says_otherwise() {
    let config =
        value!({"shop:retryHours": "96", "shop:fraudFailmode": "decline", "shop:size": "3"});
    let change_with = |config: &Value, name: &str, before: Value, after: Value| {
        let ty = "kubernetes:core/v1:ConfigMap";
        let side = |data: Value| value!({"data": data});
        preview_with(
            config,
            vec![step("update", ty, name, &side(before), &side(after))],
        )
    };
    let change =
        |name: &str, before: Value, after: Value| change_with(&config, name, before, after);
    let of = |key: &str, values: [&str; 2]| values.map(|it| value!({ key: it }));
    // The setting of the resource counts before one for all, and of two for all neither does.
    let [before, after] = of("FAIL_MODE", ["decline", "approve"]);
    let both = value!({"shop:failMode": "approve", "shop:fraudFailmode": "decline"});
    has(
        &change_with(&both, "fraud", before.clone(), after.clone()),
        "warning",
        &["the configuration says otherwise: shop:fraudFailmode is \"decline\""],
    );
    lacks(
        &change_with(&both, "pay", before.clone(), after.clone()),
        "says otherwise",
    );
    let two = value!({"bank:failMode": "decline", "shop:failMode": "approve"});
    lacks(&change_with(&two, "pay", before, after), "setting");
    let [before, after] = of("RETRY_HOURS", ["24", "96"]);
    let out = change("pay", before, after);
    assert!(
        out.contains("\"24\" → \"96\"  from the setting shop:retryHours"),
        "{out}"
    );
    lacks(&out, "says otherwise");
    let [before, after] = of("FAIL_MODE", ["decline", "approve"]);
    has(
        &change("fraud", before.clone(), after.clone()),
        "warning",
        &["the configuration says otherwise: shop:fraudFailmode is \"decline\""],
    );
    // Another resource has no such setting, and one word is too little.
    lacks(&change("kyc", before, after), "configuration says");
    let [before, after] = of("size", ["3", "4"]);
    lacks(&change("pay", before, after), "configuration says");
    let [before, after] = of("RETRY_HOURS", ["12", "24"]);
    lacks(&change("pay", before, after), "setting");
}

#[test]
fn instances_of_a_new_key_are_one_story_although_something_is_there() {
    let new = |address: &'static str| row(address, CREATE, Value::Null, value!({"name": "gift"}));
    let service = |kept: &'static str| {
        let there = value!({"id": "r", "name": "gift"});
        brief(vec![
            new(r#"lab_app.this["gift"]"#),
            new(r#"lab_role.this["gift"]"#),
            new(r#"lab_queue.this["gift"]"#),
            row(kept, NOTHING, there.clone(), there),
        ])
    };
    let out = service(r#"lab_store.this["gift"]"#);
    let line = r#"+ lab_app.this["gift"], lab_queue.this["gift"], lab_role.this["gift"]"#;
    assert!(
        out.contains(r#"instances ["gift"], 1 there already"#),
        "{out}"
    );
    assert!(out.contains(line) || out.contains("+ 3  create"), "{out}");
    // All of another key comes whole.
    let out = service(r#"lab_store.this["post"]"#);
    assert!(out.contains(r#"all instances ["gift"]"#), "{out}");
}

#[test]
fn what_comes_alone_tells_what_it_is_for() {
    let rule = value!({"id": "r", "name": "db", "tags": {"role": "x"}, "description": "", "cidr": "10.0.0.0/16",
                       "rule": [{"port": 5432, "protocol": "tcp"}]});
    let out = brief(vec![row("lab_rule.db", CREATE, Value::Null, rule)]);
    let line = r#"+ lab_rule.db  create  cidr "10.0.0.0/16" · port 5432 · protocol "tcp""#;
    assert!(out.contains(line), "{out}");
    // A masked value is not told, whatever its name.
    let secret = value!({"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": "s3cr3t-role"});
    let inputs = value!({"role": secret, "port": 5432});
    let ty = "lab:net/rule:Rule";
    let out = preview(vec![step("create", ty, "db", &Value::Null, &inputs)]);
    assert!(out.contains("create  port 5432"), "{out}");
    lacks(&out, "s3cr3t");
}
