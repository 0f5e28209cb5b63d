use super::*;
use crate::json::{Numbers, parse};

#[track_caller]
fn check(before: &str, after: &str, want: Reach) {
    let value = |json: &str| parse(json.as_bytes(), Numbers::Exact).unwrap().value;
    let found = reach(&value(before), &value(after));
    assert_eq!(found, want, "{before} and {after}");
}

#[test]
fn ranges_of_addresses_contain_each_other() {
    let block = |text: &str| Block::parse(text).unwrap();
    assert!(block("10.0.0.0/8").contains(&block("10.1.2.3")));
    assert!(block("0.0.0.0/0").contains(&block("192.0.2.0/24")));
    assert!(!block("0.0.0.0/0").contains(&block("::/0")));
    assert!(!block("10.1.0.0/16").contains(&block("10.0.0.0/8")));
    assert!(block("2001:db8::/32").contains(&block("2001:db8:1::/48")));
    for wrong in ["10.0.0.0/33", "10.0.0", "sg-1", "10.0.0.0/x"] {
        assert_eq!(Block::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn addresses_that_gain_access_are_found_in_lists() {
    check(
        r#"["10.0.0.0/8"]"#,
        r#"["10.1.0.0/16", "10.2.0.0/16"]"#,
        Reach::Same,
    );
    check(
        r#"["10.0.0.0/8"]"#,
        r#"["10.0.0.0/8", "192.0.2.1/32"]"#,
        Reach::Wider,
    );
    check(r#"["10.0.0.0/8"]"#, r#"["0.0.0.0/0"]"#, Reach::World);
    check("null", r#""::/0""#, Reach::World);
    check(
        r#""10.0.0.0/8""#,
        r#"["0.0.0.0/1", "128.0.0.0/1"]"#,
        Reach::World,
    );
    check(r#""*""#, r#""Internet""#, Reach::Same);
}

#[test]
fn ports_and_protocols_count() {
    let rule = |port: u16, protocol: &str, cidr: &str| {
        format!(
            r#"{{"from_port": {port}, "to_port": {port}, "protocol": "{protocol}", "cidr_blocks": ["{cidr}"], "description": "x"}}"#
        )
    };
    let list = |rules: &[String]| format!("[{}]", rules.join(","));
    let https = rule(443, "tcp", "0.0.0.0/0");
    let ssh = rule(22, "tcp", "0.0.0.0/0");
    let inner = rule(22, "tcp", "10.0.0.0/8");
    check(
        &list(std::slice::from_ref(&https)),
        &list(&[https.clone(), ssh.clone()]),
        Reach::World,
    );
    check(
        &list(&[inner.clone(), https.clone()]),
        &list(&[https.clone(), inner.clone()]),
        Reach::Same,
    );
    check(
        &list(std::slice::from_ref(&https)),
        &list(&[https, inner]),
        Reach::Wider,
    );
    check(&ssh, &ssh.replace("\"x\"", "\"y\""), Reach::Same);
    check(&ssh, &rule(22, "6", "0.0.0.0/0"), Reach::Same);
    check(&ssh, &ssh.replace("tcp", "-1"), Reach::World);
}

#[test]
fn outbound_rules_and_denials_open_nothing() {
    for rule in [
        r#"{"type": "egress", "cidr_blocks": ["0.0.0.0/0"]}"#,
        r#"{"direction": "EGRESS", "source_ranges": ["0.0.0.0/0"]}"#,
        r#"{"access": "Deny", "direction": "Inbound", "source_address_prefix": "*"}"#,
        r#"{"source_ranges": ["0.0.0.0/0"], "deny": [{"protocol": "all"}]}"#,
        r#"{"source_ranges": ["0.0.0.0/0"], "disabled": true, "allow": [{"protocol": "tcp"}]}"#,
        r#"{"rule_action": "allow", "egress": true, "cidr_block": "0.0.0.0/0"}"#,
    ] {
        check("null", rule, Reach::Same);
    }
}

#[test]
fn rules_of_the_large_providers_are_read() {
    for rule in [
        r#"{"ip_protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_ipv4": "0.0.0.0/0"}"#,
        r#"{"direction": "INGRESS", "sourceRanges": ["0.0.0.0/0"], "allows": [{"protocol": "tcp", "ports": ["22", "8000-9000"]}]}"#,
        r#"{"access": "Allow", "direction": "Inbound", "source_address_prefix": "Internet", "destination_port_range": "3389"}"#,
        r#"[{"name": "all", "value": "0.0.0.0/0"}]"#,
    ] {
        check("null", rule, Reach::World);
    }
    let google = |port: &str| {
        format!(
            r#"{{"source_ranges": ["0.0.0.0/0"], "allow": [{{"protocol": "tcp", "ports": ["{port}"]}}]}}"#
        )
    };
    check(&google("443"), &google("443-444"), Reach::World);
    check(&google("444"), &google("443"), Reach::Web);
    check(&google("1-1000"), &google("443"), Reach::Same);
}

#[test]
fn ports_in_texts_are_those_that_they_name() {
    let rule = |ports: &str, cidr: &str| {
        format!(r#"{{"ip_protocol": "tcp", "port_range": "{ports}", "cidr_ip": "{cidr}"}}"#)
    };
    let inner = |ports: &str| rule(ports, "10.0.0.0/8");
    check(&inner("22/22"), &inner("22"), Reach::Same);
    check(&inner("22/22"), &inner("23/23"), Reach::Wider);
    check(&inner("80,443"), &inner("443"), Reach::Same);
    check(&inner("80,443"), &inner("8080"), Reach::Wider);
    check(&inner("80, 8000-9000"), &inner("8080"), Reach::Same);
    for all in ["*", "-1/-1", "-1", "ALL", "0-65535", "1/65535,0"] {
        check(&inner(all), &inner("8080"), Reach::Same);
    }
    check(&inner("8080"), &inner("-1/-1"), Reach::Wider);
    // A name of a port is one of all ports, and equal to itself alone.
    check(&inner("*"), &inner("ssh"), Reach::Same);
    check(&inner("ssh"), &inner("ssh"), Reach::Same);
    check(&inner("ssh"), &inner("8080"), Reach::Wider);
    check(&inner("8080"), &inner("ssh"), Reach::Wider);
    check("null", &rule("ssh", "0.0.0.0/0"), Reach::World);
    let named = |port: &str| {
        format!(
            r#"{{"from_port": {port}, "to_port": {port}, "protocol": "tcp", "cidr": "10.0.0.0/8"}}"#
        )
    };
    check(&named(r#""ssh""#), &named("8080"), Reach::Wider);
    check(&named(r#""22""#), &named("22"), Reach::Same);
    check(&named("-1"), &named("22"), Reach::Same);
}

#[test]
fn gained_openings_are_named() {
    let before = parse(br#"["10.0.0.0/8"]"#, Numbers::Exact).unwrap().value;
    let after = br#"[{"protocol": "tcp", "from_port": 22, "to_port": 23, "cidr_blocks": ["10.0.0.0/16", "192.0.2.9/24"],
        "ipv6_cidr_blocks": ["::/0"]}]"#;
    let after = parse(after, Numbers::Exact).unwrap().value;
    let comes = |words: &str| Part::Comes(words.to_owned());
    assert_eq!(
        gained(&before, &after, Reach::Wider),
        ["192.0.2.0/24 to tcp 22-23", "::/0 to tcp 22-23"].map(comes)
    );
    assert_eq!(
        gained(&before, &after, Reach::World),
        [comes("::/0 to tcp 22-23")]
    );
    let list = |text: &str| Value::from(vec![Value::from(text)]);
    assert_eq!(
        gained(&list("10.0.0.0/22"), &list("10.0.0.0/2"), Reach::Wider),
        [Part::Becomes(
            "10.0.0.0/22".to_owned(),
            "0.0.0.0/2 to all ports".to_owned()
        )]
    );
    assert!(gained(&before, &after, Reach::Web).is_empty());
}

#[test]
fn a_masked_or_unknown_field_leaves_a_rule_unjudged_and_unnamed() {
    let aws = r#"{"cidr_blocks": ["0.0.0.0/0"], "from_port": 4711, "to_port": 4711, "protocol": "4711", "type": "4711"}"#;
    let azure = r#"{"source_address_prefix": "*", "destination_port_ranges": ["4711"], "protocol": "4711", "access": "4711",
        "direction": "4711"}"#;
    let google = r#"{"source_ranges": ["0.0.0.0/0"], "allow": [{"protocol": "4711", "ports": ["4711"]}], "deny": [],
        "disabled": false}"#;
    let acl = r#"{"cidr_block": "0.0.0.0/0", "rule_action": "4711", "egress": false, "from_port": 4711, "to_port": 4711}"#;
    for rule in [aws, azure, google, acl] {
        let rule = parse(rule.as_bytes(), Numbers::Exact).unwrap().value;
        let fields = rule.as_map().unwrap();
        assert_eq!(reach(&Value::NULL, &rule), Reach::World);
        for (key, value) in fields {
            for hidden in [value.clone().with_secret(true), Value::computed()] {
                let masked = Value::from(fields.clone().set(&**key, hidden));
                assert_eq!(reach(&Value::NULL, &masked), Reach::Unknown, "{key}");
                assert!(
                    gained(&Value::NULL, &masked, Reach::Wider).is_empty(),
                    "{key}"
                );
                // The rule may have been the same before.
                assert_eq!(reach(&masked, &rule), Reach::Unknown, "{key}");
            }
        }
        let masked = Value::from(vec![rule.with_secret(true)]);
        assert_eq!(reach(&Value::NULL, &masked), Reach::Unknown);
        assert!(gained(&Value::NULL, &masked, Reach::Wider).is_empty());
    }
    let part = r#"{"source_ranges": ["0.0.0.0/0"], "allow": [{"protocol": "4711"}]}"#;
    let part = parse(part.as_bytes(), Numbers::Exact).unwrap().value;
    let protocol = crate::path::Path::parse("allow[0].protocol").unwrap();
    let masked = protocol.get(&part).unwrap().clone().with_secret(true);
    let allow = Value::from(vec![Value::from(crate::value::Map::from_iter([(
        "protocol", masked,
    )]))]);
    let masked = Value::from(part.as_map().unwrap().clone().set("allow", allow));
    assert_eq!(reach(&Value::NULL, &masked), Reach::Unknown);
}

#[test]
fn blocks_that_are_the_world_together_open_to_it() {
    let quarters = r#"["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2", "10.0.0.0/8"]"#;
    check(r#"["10.0.0.0/8"]"#, quarters, Reach::World);
    check(
        "[]",
        r#"["64.0.0.0/2", "64.0.0.0/2", "64.0.0.0/3"]"#,
        Reach::Wider,
    );
    check("[]", r#"["0.0.0.0/2", "4000::/2"]"#, Reach::Wider);
}

#[test]
fn ranges_that_were_open_together_are_no_news() {
    let halves = r#"["10.0.0.0/9", "10.128.0.0/9"]"#;
    check(halves, r#"["10.0.0.0/8"]"#, Reach::Same);
    check(r#"["10.0.0.0/9"]"#, r#"["10.0.0.0/8"]"#, Reach::Wider);
    check(halves, r#"["10.0.0.0/7"]"#, Reach::Wider);
    let quarters = r#"["10.0.0.0/9", "10.128.0.0/10", "10.192.0.0/11"]"#;
    check(quarters, r#"["10.0.0.0/8"]"#, Reach::Wider);
    check(
        r#""10.0.0.0/8, 192.0.2.1""#,
        r#""10.0.0.0/8,192.0.2.1""#,
        Reach::Same,
    );
    let rule = |port: u16, cidr: &str| {
        format!(r#"{{"from_port": {port}, "to_port": {port}, "cidr_blocks": ["{cidr}"]}}"#)
    };
    let other_port = format!("[{},{}]", rule(22, "10.0.0.0/9"), rule(23, "10.128.0.0/9"));
    check(
        &other_port,
        &format!("[{}]", rule(22, "10.0.0.0/8")),
        Reach::Wider,
    );
    check(r#"["::/1", "8000::/1"]"#, r#"["::/0"]"#, Reach::Same);
}

#[test]
fn a_rule_without_a_source_lets_everybody_in() {
    let is = |json: &str| lets_all_in(&parse(json.as_bytes(), Numbers::Exact).unwrap().value);
    for all in [
        "[{}]",
        r#"[{"ports": [{"port": 80}]}]"#,
        r#"[{"from": []}]"#,
        r#"[{"from": [{"namespaceSelector": {}}]}]"#,
        r#"[{"from": [{"namespace_selector": [{"match_labels": null}], "pod_selector": []}]}]"#,
    ] {
        assert!(is(all), "{all}");
    }
    for some in [
        "[]",
        "null",
        r#"[{"from": [{"podSelector": {}}]}]"#,
        r#"[{"from": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"a": "b"}}}]}]"#,
        r#"[{"from": [{"namespace_selector": [], "ip_block": [{"cidr": "10.0.0.0/8"}]}]}]"#,
    ] {
        assert!(!is(some), "{some}");
    }
}

#[test]
fn too_many_openings_are_not_judged() {
    let firewall = |n: usize| {
        let sources: Vec<_> = (0..n)
            .map(|it| format!(r#""10.0.{}.{}""#, it / 250, it % 250))
            .collect();
        let ports: Vec<_> = (0..n).map(|it| format!("{it}")).collect();
        format!(
            r#"{{"source_ranges": [{}], "allow": [{{"protocol": "tcp", "ports": [{}]}}]}}"#,
            sources.join(","),
            ports.join(",")
        )
    };
    check("null", &firewall(40), Reach::Wider);
    check("null", &firewall(7000), Reach::Unknown);
}

#[test]
fn unknown_addresses_are_not_judged() {
    let unknown = Value::from(vec![Value::computed()]);
    assert_eq!(reach(&Value::NULL, &unknown), Reach::Unknown);
    let both = Value::from(vec![Value::computed(), Value::from("0.0.0.0/0")]);
    assert_eq!(reach(&Value::NULL, &both), Reach::World);
}
