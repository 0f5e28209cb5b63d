//! The costs of a plan, from the JSON of Infracost, beside its stories.

use std::fs;
use std::sync::Arc;

use serde_json::{Value, json};
use stacklens::load::Input;
use stacklens::load::cost::Costs;

use super::super::rules::{PLAN_TEXT, written};
use super::super::schema::Schema;
use super::super::{Run, command, json};
use super::plans;
use crate::screens::harness::Session;

const HEAD: &str = "cost: +$128.40 a month, $4,210.00 in all · +$12.00 of 1 resource that this plan does not change · \
                    1 resource without an estimate";

/// The JSON of Infracost for these differences of a month.
fn infracost<'r>(resources: impl IntoIterator<Item = (&'r str, Option<&'r str>)>) -> String {
    let resource = |(name, cost)| json!({"name": name, "resourceType": "any", "metadata": {}, "monthlyCost": cost});
    let resources: Vec<Value> = resources.into_iter().map(resource).collect();
    let all = json!({"resources": [{"name": "acme_thing.a", "monthlyCost": "4210"}], "totalMonthlyCost": "4210"});
    let diff = json!({"resources": resources, "totalMonthlyCost": "0"});
    json!({"version": "0.2", "currency": "USD", "projects": [{"name": "p", "breakdown": all, "diff": diff}],
        "totalMonthlyCost": "4210", "summary": {}})
    .to_string()
}

/// Of the plan of these tests.
fn of_plan() -> String {
    infracost([
        ("aws_db_instance.main", Some("-54.204")),
        ("aws_security_group.web", None),
        ("acme_thing.a", Some("170.604")),
        ("aws_instance.x[\"a\"]", Some("12")),
        ("aws_instance.free", Some("0")),
    ])
}

fn brief(costs: &str, more: &[&str]) -> Run {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let (_folder, costs) = written("costs.json", costs);
    command(&[["brief", &plan, "--cost", &costs].as_slice(), more].concat())
}

#[test]
fn the_head_has_the_sum_and_each_story_its_own() {
    let run = brief(&of_plan(), &[]);
    assert_eq!(run.code, 0, "{run:?}");
    let head = format!("3 changes: 3 update\n{HEAD}\n\nLOOK");
    assert!(run.out.starts_with(&head), "{}", run.out);
    for line in [
        "  ~ aws_db_instance.main  backups are kept for a shorter time · -$54.20 a month\n",
        "  + ingress  0.0.0.0/0 to tcp 22\n",
        "  ~ acme_thing.a  ~ a  1 → 2 · +$170.60 a month\n",
    ] {
        assert!(run.out.contains(line), "{}", run.out);
    }
    let run = brief(&of_plan(), &["--markdown"]);
    let finding = "backups are kept for a shorter time · `-$54.20 a month`\n";
    let item = "! acme_thing.a  ~ a  1 → 2 · +$170.60 a month\n";
    let texts = [&format!("\n`{HEAD}`\n"), finding, item];
    assert!(texts.iter().all(|it| run.out.contains(*it)), "{}", run.out);
    let run = brief(&of_plan(), &["--html", "-"]);
    let texts = [
        &format!("3 update · {HEAD}\""),
        "\"says\":\"+$170.60 a month\"",
    ];
    assert!(texts.iter().all(|it| run.out.contains(*it)), "{}", run.out);
}

#[test]
fn what_is_not_known_is_not_told() {
    let first = |costs: &str| {
        let run = brief(costs, &[]);
        run.out.lines().nth(1).unwrap().to_owned()
    };
    let state = r#"{"currency": "EUR", "projects": [{"diff": null}], "totalMonthlyCost": 4210.5}"#;
    assert_eq!(first(state), "cost: EUR 4,210.50 a month in all");
    let none = r#"{"currency": "USD", "projects": [], "totalMonthlyCost": null}"#;
    assert_eq!(first(none), "cost: not estimated");
}

/// A cost of the JSON in hundredths.
fn hundredths(cost: &Value) -> i64 {
    let rounded = |it: f64| format!("{:.0}", it * 100.0).parse().unwrap();
    cost.as_f64().map_or(0, rounded)
}

#[test]
fn the_stories_of_every_plan_add_up_to_the_difference() {
    let schema = Schema::of("brief");
    let mut n_stories = 0;
    for plan in plans() {
        let text = fs::read_to_string(&plan).unwrap_or_default();
        let all: Value = serde_json::from_str(&text).unwrap_or_default();
        let changes = all["resource_changes"].as_array();
        let names = changes
            .into_iter()
            .flatten()
            .filter_map(|it| it["address"].as_str());
        let costs: Vec<String> = names
            .clone()
            .enumerate()
            .map(|(at, _)| format!("{at}.01"))
            .collect();
        let mut resources: Vec<_> = names.zip(costs.iter().map(|it| Some(&**it))).collect();
        resources.sort_unstable();
        resources.dedup_by_key(|(name, _)| *name);
        let (_folder, costs) = written("costs.json", &infracost(resources));
        let document = json(&["brief", &plan, "--cost", &costs, "--json"]);
        schema.check(&document, &plan);
        let sections = document["sections"].as_array().unwrap().iter();
        let entries = sections.flat_map(|it| it["entries"].as_array().unwrap());
        let stories: Vec<i64> = entries.map(|it| hundredths(&it["cost"])).collect();
        let cost = &document["cost"];
        let sum = stories.iter().sum::<i64>() + hundredths(&cost["difference_elsewhere"]);
        assert_eq!(sum, hundredths(&cost["difference"]), "{plan}");
        n_stories += stories.iter().filter(|it| **it > 0).count();
    }
    assert!(n_stories > 20, "{n_stories}");
}

#[test]
fn a_file_that_is_no_infracost_json_is_refused_and_not_quoted() {
    let run = brief(PLAN_TEXT, &[]);
    assert_eq!((run.code, &*run.out), (65, ""), "{run:?}");
    let says = "expected the JSON of `infracost breakdown` or `infracost diff`, for one plan: missing field `currency`";
    assert!(run.err.contains(says), "{run:?}");
    let usd = |projects: &str| {
        format!(r#"{{"currency": "USD", "projects": {projects}, "totalMonthlyCost": null}}"#)
    };
    let diff = r#"{"diff": {"resources": [{"name": "hunter2.a", "monthlyCost": "1"}]}}"#;
    for (wrong, says) in [
        ("hunter2".to_owned(), "line 1 column"),
        (usd(r#""hunter2""#), "another kind"),
        (
            usd(r#"[{"diff": {"resources": ["hunter2"]}}]"#),
            "another kind",
        ),
        (usd("[]").replace("USD", "hunter2"), "three letters"),
        (usd("[]").replace("null", r#""hunter2""#), "an amount is"),
        (
            usd(&format!("[{diff}, {diff}]")),
            "1 resource of one address in several projects",
        ),
    ] {
        let run = brief(&wrong, &[]);
        assert_eq!((run.code, &*run.out), (65, ""), "{run:?}");
        assert!(
            run.err.contains(says) && !run.err.contains("hunter2"),
            "{run:?}"
        );
    }
}

#[test]
fn costs_are_read_for_one_plan_and_stay_as_they_are() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let (_folder, costs) = written("costs.json", &of_plan());
    let run = command(&["brief", &plan, &plan, "--cost", &costs]);
    let says = "--cost is for one plan, found 2 files";
    assert!(run.code == 64 && run.err.contains(says), "{run:?}");
    let run = command(&["brief", &plan, "--cost", &costs, "--html", &costs]);
    assert!(run.code == 64 && run.err.contains("is read"), "{run:?}");
    assert_eq!(fs::read_to_string(&costs).unwrap(), of_plan());
    let run = command(&["brief", &plan, "--cost", "missing.json"]);
    assert_eq!(run.err, "stacklens: missing.json: no such file\n");
}

#[test]
fn the_explorer_has_the_costs_at_the_right() {
    let (_folder, costs) = written("costs.json", &of_plan());
    let costs = Some(Arc::new(Costs::open(costs.as_ref()).unwrap()));
    for width in [60, 80, 160] {
        let input = Input {
            costs: costs.clone(),
            ..Input::bytes("plan.json", PLAN_TEXT.as_bytes())
        };
        let mut session = Session::open_input(input, (width, 40));
        session.keys("b");
        session.shows("cost: +$128.40 a month, $4,210.00 in all");
        let text = session.text();
        let column = |cost: &str| {
            let line = text.lines().find(|it| it.contains(cost)).expect(cost);
            line.split(cost).next().unwrap().chars().count() + cost.len()
        };
        assert_eq!(
            column("-$54.20 a month"),
            column("+$170.60 a month"),
            "{text}"
        );
        // The costs are there again after the file was read again.
        session.keys("R").shows("-$54.20 a month");
    }
}
