//! The entries of a page.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::super::page::{self, Page};
use super::brief;
use crate::load::{Input, load};
use crate::stack::Action;
use crate::terraform::schema::Schemas;

/// The page of a plan with these changes: address, actions, values before and after, and more about the change.
fn page_of(changes: &[(&str, &[&str], Json, Json, Json)]) -> Page {
    let changes = changes
        .iter()
        .map(|(address, actions, before, after, more)| {
            let (ty, name) = address.split_once('.').unwrap();
            let mut change =
                json!({"actions": actions, "before": before, "after": after, "after_unknown": {}});
            change
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            json!({
                "address": address, "mode": "managed", "type": ty, "name": name,
                "provider_name": "registry.terraform.io/hashicorp/aws", "change": change,
            })
        });
    let changes: Vec<Json> = changes.collect();
    let plan =
        json!({"format_version": "1.2", "terraform_version": "1.9.5", "resource_changes": changes});
    let document = load(&Input::bytes("plan.json", plan.to_string().into_bytes())).unwrap();
    Page::of(&brief(&document), &document, &Schemas::default())
}

#[track_caller]
fn entries(page: &Page, title: page::Title) -> &[page::Entry] {
    let part = page.parts.iter().find(|part| part.title == title);
    part.map_or(&[], |part| &part.entries)
}

const UPDATE: &[&str] = &["update"];

#[test]
fn a_common_change_is_said_in_the_head_alone() {
    let mut changes = Vec::new();
    let names: Vec<String> = (0..5).map(|n| format!("aws_thing.t{n}")).collect();
    for (n, name) in names.iter().enumerate() {
        let [before, after] =
            [(n, "1"), (n + 10, "2")].map(|(size, r)| json!({"size": size, "tags": {"r": r}}));
        changes.push((&**name, UPDATE, before, after, json!({})));
    }
    for name in ["aws_other.a", "aws_other.b", "aws_other.c"] {
        let [before, after] = ["1", "2"].map(|it| json!({"tags": {"r": it}}));
        changes.push((name, UPDATE, before, after, json!({})));
    }
    let page = page_of(&changes);
    let common: Vec<_> = page
        .common
        .iter()
        .map(|it| (&*it.place, &*it.note))
        .collect();
    assert_eq!(common, [("tags.r", "in 8")]);
    let group = &entries(&page, page::Title::Same)[0];
    assert_eq!(group.share().as_deref(), Some("5 of 5"));
    let size = &group.details[0];
    assert_eq!(
        (&*size.place, size.before.as_deref(), size.after.as_deref()),
        ("size", Some("0…4"), Some("10…14"))
    );
    let tagged = &entries(&page, page::Title::Tags)[0];
    assert_eq!(
        (tagged.ids.len(), &*tagged.says),
        (3, "only common changes")
    );
}

#[test]
fn a_deletion_and_a_replacement_are_two_stories() {
    let database = || json!({"identifier": "a", "skip_final_snapshot": true});
    let page = page_of(&[
        (
            "aws_db_instance.a",
            &["delete"],
            database(),
            json!(null),
            json!({}),
        ),
        (
            "aws_db_instance.b",
            &["delete", "create"],
            database(),
            json!({"identifier": "b", "skip_final_snapshot": true}),
            json!({}),
        ),
    ]);
    let danger = entries(
        &page,
        page::Title::Found(crate::change::rules::Level::Danger),
    );
    let actions: Vec<_> = danger.iter().map(|it| (it.action, it.ids.len())).collect();
    assert_eq!(
        actions,
        [(Some(Action::Delete), 1), (Some(Action::Replace), 1)]
    );
}

#[test]
fn changes_that_read_alike_are_one_line_with_their_number() {
    let deployment = |tag: &str| {
        let containers: Vec<Json> = (0..250)
            .map(|n| json!({"name": format!("c{n}"), "image": format!("r/i:{tag}")}))
            .collect();
        json!({"spec": [{"template": [{"spec": [{"container": containers}]}]}]})
    };
    let page = page_of(&[(
        "kubernetes_deployment.web",
        UPDATE,
        deployment("2.0"),
        deployment("1.0"),
        json!({}),
    )]);
    let mut all = page.parts.iter().flat_map(|part| &part.entries);
    let older = all.find(|it| {
        let mut rules = it.said.iter().filter_map(|said| said.rule.as_ref());
        rules.any(|rule| rule.id == "kubernetes-workload-image-older")
    });
    let older = older.unwrap();
    assert_eq!((older.details.len(), older.n_more), (1, 0));
    assert_eq!(older.details[0].note, "in 250 places");
}

#[test]
fn what_forces_a_replacement_comes_first_and_then_the_order_of_the_file() {
    let values = |word: &str| -> Json {
        (0..20)
            .map(|n| (format!("k{n:02}"), json!(format!("{word}{n}"))))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let page = page_of(&[(
        "aws_thing.a",
        &["delete", "create"],
        values("old"),
        values("new"),
        json!({"replace_paths": [["k17"]]}),
    )]);
    let entry = &entries(&page, page::Title::Alone)[0];
    let places = entry.details.iter().filter(|it| !it.is_words());
    let places: Vec<&str> = places.map(|it| &*it.place).collect();
    assert_eq!(places, ["k17", "k00", "k01", "k02"]);
    assert_eq!(entry.n_more, 16);
}

#[test]
fn a_place_that_several_rules_cannot_judge_is_listed_once() {
    let database = |version: &str, days: u8| json!({"engine_version": version, "backup_retention_period": days, "storage_encrypted": days > 1});
    let masks =
        json!({"engine_version": true, "backup_retention_period": true, "storage_encrypted": true});
    let masks = json!({"before_sensitive": masks, "after_sensitive": masks});
    let page = page_of(&[(
        "aws_db_instance.a",
        UPDATE,
        database("14", 7),
        database("13", 1),
        masks,
    )]);
    let unjudged = page.remarks.iter().find(|it| it.starts_with("not judged"));
    let (_, properties) = unjudged.unwrap().split_once("watch them: ").unwrap();
    let properties: Vec<&str> = properties.split(", ").collect();
    assert!(properties.len() > 1);
    let once: BTreeSet<&str> = properties.iter().copied().collect();
    assert_eq!(once.len(), properties.len(), "{properties:?}");
}

#[test]
fn a_change_of_signs_alone_is_odd_among_others() {
    let names: Vec<String> = (0..7).map(|n| format!("aws_thing.q[{n}]")).collect();
    let changes = names.iter().enumerate().map(|(n, name)| {
        let [before, after] = match n {
            6 => ["s3:Get6".to_owned(), "s3:Get6*".to_owned()],
            _ => [format!("svc{n}.a-b"), format!("svc{n}.a_b")],
        };
        (
            &**name,
            UPDATE,
            json!({"v": before}),
            json!({"v": after}),
            json!({}),
        )
    });
    let page = page_of(&changes.collect::<Vec<_>>());
    let odd: Vec<_> = entries(&page, page::Title::Alone)
        .iter()
        .flat_map(|it| it.names.iter())
        .map(|name| &*name.text)
        .collect();
    assert_eq!(odd, ["aws_thing.q[6]"]);
}

#[test]
fn the_words_of_a_part_do_not_decide_its_sign() {
    let policy = |path: &str| json!({"name": "a", "policy": format!("path \"{path}\" {{ capabilities = [\"read\"] }}")});
    let page = page_of(&[(
        "vault_policy.a",
        UPDATE,
        policy("one"),
        policy("loses a → b"),
        json!({}),
    )]);
    let details = page.parts.iter().flat_map(|part| &part.entries);
    let mut details = details.flat_map(|entry| &entry.details);
    let found = details.find(|it| it.after.as_deref() == Some("loses a → b: read"));
    let found = found.unwrap_or_else(|| panic!("{:#?}", page.parts));
    assert_eq!(found.action, crate::change::difference::Action::Create);
    assert_eq!(found.before, None);
}
