use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::page::{self as pages, Page, Sections, Title};
use super::*;
use crate::change::mechanisms::{Fact, Notice, Outcome};
use crate::change::rules::Level;
use crate::load::record::name_of;
use crate::load::{Document, Input, load};
use crate::path::{Path, Segment};

mod page;
mod shapes;

/// A resource of a plan: its type, the module, the number of the instance, the action, and values before and after.
type Row = (usize, usize, u32, usize, [u8; 4]);

const TYPES: [&str; 3] = ["aws_instance", "aws_db_instance", "aws_thing"];

const NAMES: [&str; 3] = ["one", "two", "three"];

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let row = (
        0..3_usize,
        0..2_usize,
        0..6_u32,
        0..6_usize,
        any::<[u8; 4]>(),
    );
    vec(row, 1..40).prop_map(|mut rows| {
        rows.sort_unstable();
        rows.dedup_by_key(|(ty, module, number, ..)| (*ty, *module, *number));
        rows
    })
}

fn values([a, b, c, _]: [u8; 4], is_known: bool) -> Json {
    let mut values = json!({
        "tags": {"release": format!("{}", a % 2)},
        "size": b % 3,
        "deletion_protection": c % 2 == 0,
        "identifier": format!("x{}", c % 4),
    });
    if is_known {
        values["id"] = json!(format!("i{}", a % 5));
    }
    values
}

fn change((ty, module, number, action, own): &Row) -> Json {
    let actions: &[&str] = match action {
        0 => &["create"],
        1 => &["delete"],
        2 => &["delete", "create"],
        3 => &["no-op"],
        _ => &["update"],
    };
    let [a, b, c, d] = *own;
    let before = (*action != 0).then(|| values([a, b, c, d], true));
    // Such a resource only takes over what another one gives.
    let is_follower = *action == 5;
    let is_known = *action > 2 && (d % 3 > 0 || is_follower);
    let unknown = if is_known {
        json!({"identifier": is_follower})
    } else {
        json!({"id": true, "identifier": d % 2 == 0})
    };
    let after = match action {
        1 => None,
        3 => before.clone(),
        5 => {
            let mut after = values(*own, true);
            after.as_object_mut().unwrap().remove("identifier");
            Some(after)
        }
        _ => Some(values([a / 2, b / 2, c / 2, d], is_known)),
    };
    let module = ["module.a", "module.b"][*module];
    let name = NAMES[*ty];
    json!({
        "address": format!("{module}.{}.{name}[{number}]", TYPES[*ty]),
        "module_address": module,
        "mode": "managed",
        "type": TYPES[*ty],
        "name": name,
        "index": number,
        "provider_name": "registry.terraform.io/hashicorp/aws",
        "change": {
            "actions": actions,
            "before": before,
            "after": after,
            "after_unknown": unknown,
        },
    })
}

fn plan<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Document {
    let resource = |number: usize| {
        let from = TYPES[(number + 1) % 3];
        let (own, name) = (NAMES[number], NAMES[(number + 1) % 3]);
        json!({
            "address": format!("{}.{own}", TYPES[number]),
            "mode": "managed",
            "type": TYPES[number],
            "name": own,
            "count_expression": {"constant_value": 6},
            "expressions": {
                "identifier": {"references": [format!("{from}.{name}[0].id"), format!("{from}.{name}[0]"), format!("{from}.{name}")]},
                "size": {"references": [format!("{from}.{name}[1].size"), format!("{from}.{name}[1]"), format!("{from}.{name}")]},
            },
        })
    };
    let module = json!({"module": {"resources": [resource(0), resource(1), resource(2)]}});
    let changes: Vec<Json> = rows.into_iter().map(change).collect();
    let plan = json!({
        "format_version": "1.2",
        "terraform_version": "1.9.5",
        "resource_changes": changes,
        "configuration": {"root_module": {"module_calls": {"a": module, "b": module}}},
    });
    load(&Input::bytes("plan.json", plan.to_string().into_bytes())).unwrap()
}

fn brief(document: &Document) -> Brief {
    Brief::of(document, &Schemas::default(), Rules::built_in(), &|| false).unwrap()
}

/// The page as text, with names in place of ids.
fn printed(document: &Document) -> String {
    let mut page = Page::of(&brief(document), document, &Schemas::default());
    let mut names: Vec<Vec<String>> = Vec::new();
    for entry in page.parts.iter_mut().flat_map(|part| &mut part.entries) {
        let ids = std::mem::take(&mut entry.ids).into_iter();
        names.push(ids.map(|id| document.stack.identity(id)).collect());
        let moves = entry.shift.take().into_iter().flat_map(|it| it.moves);
        names.push(moves.map(|(from, to)| format!("{from} {to}")).collect());
        let about = std::mem::take(&mut entry.about).into_iter();
        names.push(about.map(|id| document.stack.identity(id)).collect());
        let along = std::mem::take(&mut entry.along);
        for mut entry in std::iter::once(std::mem::take(entry)).chain(along) {
            let ids = std::mem::take(&mut entry.ids).into_iter();
            names.push(ids.map(|id| document.stack.identity(id)).collect());
            let details = entry.details.iter_mut();
            let owners = details.filter_map(|detail| detail.id.take());
            names.push(owners.map(|it| name_of(&document.stack, it)).collect());
            for said in &mut entry.said {
                let places = std::mem::take(&mut said.places).into_iter();
                names.push(
                    places
                        .map(|(id, path)| format!("{} {path}", document.stack.identity(id)))
                        .collect(),
                );
            }
            names.push(vec![format!("{entry:#?}")]);
        }
    }
    let sections = std::mem::replace(&mut page.sections, Arc::new(Sections::new([])));
    for part in &page.parts {
        let ids = sections.of(part.title).iter();
        let mut own: Vec<String> = ids.map(|id| document.stack.identity(*id)).collect();
        own.sort_unstable();
        names.push(own);
    }
    format!("{page:#?}\n{names:#?}")
}

/// The laws of a page: each change is in one entry, the numbers add up, and no change is said twice.
#[track_caller]
fn check_laws(page: &Page, document: &Document) {
    let stack = &document.stack;
    let entries = || page.parts.iter().flat_map(|part| &part.entries);
    let mut told: Vec<ResourceId> = entries().flat_map(pages::Entry::all_ids).collect();
    told.sort_unstable();
    let is_changed = |id: &ResourceId| {
        let is_action = !matches!(stack.effect(*id), None | Some(Action::Noop));
        is_action && !stack.record(*id).flags.is_drift()
    };
    let mut changed: Vec<ResourceId> = stack.ids().filter(is_changed).collect();
    changed.sort_unstable();
    assert_eq!(told, changed, "each change is in one entry");
    let of_changes = page
        .parts
        .iter()
        .filter(|part| part.entries.iter().any(|it| !it.ids.is_empty()));
    let alone = |part: &pages::Part| part.entries.iter().filter(|it| it.ids.is_empty()).count();
    let sum: usize = of_changes.map(|part| part.count - alone(part)).sum();
    assert_eq!(sum, changed.len(), "the numbers add up");
    for entry in entries().flat_map(pages::Entry::with_along) {
        let mut lines: Vec<_> = entry.details.iter().filter(|it| !it.is_words()).collect();
        let n_lines = lines.len();
        lines.sort_by_key(|it| (it.id, &it.place, &it.before, &it.after));
        lines.dedup();
        assert_eq!(lines.len(), n_lines, "{entry:#?}");
        let mut says: Vec<&str> = entry.said.iter().map(|it| &*it.says).collect();
        says.push(&entry.says);
        let is_said_twice = |line: &pages::Detail| line.is_words() && line.note == entry.says;
        assert!(!entry.details.iter().any(is_said_twice), "{entry:#?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_sections_of_findings_have_the_resources_of_their_entries(rows in rows()) {
        let document = plan(&rows);
        let page = Page::of(&brief(&document), &document, &Schemas::default());
        for level in [Level::Danger, Level::Warning] {
            let title = Title::Found(level);
            let parts = page.parts.iter().filter(|part| part.title == title);
            let entries = parts.flat_map(|part| &part.entries);
            let ids: BTreeSet<ResourceId> = entries.flat_map(pages::Entry::all_ids).collect();
            prop_assert_eq!(page.sections.of(title), Vec::from_iter(ids));
        }
    }

    #[test]
    fn each_change_is_told_once(rows in rows()) {
        let document = plan(&rows);
        let page = Page::of(&brief(&document), &document, &Schemas::default());
        check_laws(&page, &document);
    }

    #[test]
    fn the_parts_of_a_file_and_their_order_do_not_count(
        rows in rows(),
        sizes in vec(1..7_usize, 40),
        shuffle in any::<u64>(),
    ) {
        let document = plan(&rows);
        let (schemas, stack) = (Schemas::default(), &document.stack);
        let reading = Reading {
            document: &document,
            schemas: &schemas,
            rules: Rules::built_in(),
        };
        let ids: Vec<ResourceId> = stack.ids().collect();
        let whole = Slice::read(reading, &ids).finish(&document, Rules::built_in(), Vec::new(), &|| false);
        let (mut rest, mut slices) = (&ids[..], Vec::new());
        for size in sizes {
            let (piece, others) = rest.split_at(size.min(rest.len()));
            rest = others;
            let place = shuffle.rotate_left(u32::try_from(slices.len()).unwrap()) % 97;
            slices.push((place, Slice::read(reading, piece)));
        }
        slices.sort_by_key(|(place, _)| *place);
        let mut parts = Slice::default();
        for (_, slice) in slices {
            parts.append(stack, slice);
        }
        prop_assert_eq!(parts.finish(&document, Rules::built_in(), Vec::new(), &|| false), whole);
    }

    #[test]
    fn the_order_of_a_file_does_not_count(rows in rows(), order in any::<u64>()) {
        let mut other: Vec<&Row> = rows.iter().collect();
        other.sort_by_key(|row| (row.2 + 1).wrapping_mul(u32::try_from(order >> 33).unwrap()));
        prop_assert_eq!(printed(&plan(&rows)), printed(&plan(other)));
    }
}

#[test]
fn the_plans_of_the_laws_have_all_that_a_brief_tells() {
    let rows: Vec<Row> = (0..36)
        .map(|n: u8| {
            let (ty, module, number) = (n / 12, n / 6 % 2, n % 6);
            let action = if ty == 0 { n % 4 + 2 } else { n % 5 };
            (
                ty.into(),
                module.into(),
                number.into(),
                action.into(),
                [n, n / 2, n / 3, n],
            )
        })
        .collect();
    let brief = brief(&plan(&rows));
    assert!(!brief.followers.is_empty(), "followers");
    assert!(!brief.findings.alarms.is_empty(), "findings");
    assert!(!brief.findings.unknown_types.is_empty(), "unknown types");
    assert!(!brief.shifts.is_empty(), "shifts");
    assert!(!brief.unknown.is_empty(), "unknown values");
    assert!(!brief.partition.common.is_empty(), "common changes");
    let mut stories = brief.partition.stories.iter();
    assert!(stories.any(|story| !story.along.is_empty()), "what follows");
}

#[test]
fn a_chain_leads_to_its_first_cause_and_a_circle_to_its_first_resource() {
    let rows: Vec<Row> = (0..6).map(|number| (2, 0, number, 4, [0; 4])).collect();
    let document = plan(&rows);
    let map = |pairs: &[(u32, u32)]| -> BTreeMap<ResourceId, ResourceId> {
        let pairs = pairs
            .iter()
            .map(|(id, cause)| (ResourceId(*id), ResourceId(*cause)));
        pairs.collect()
    };
    let direct = map(&[(1, 0), (2, 1), (3, 4), (4, 3), (5, 4)]);
    let want = map(&[(1, 0), (2, 0), (4, 3), (5, 3)]);
    assert_eq!(followers::settled(&document.stack, &direct), want);
}

/// A brief of a plan in which `aws_thing.user` takes `property` from the attribute of `aws_other.giver`.
fn user_of(attribute: &str, giver: [Json; 3], property: &str, user: [Json; 3]) -> Brief {
    let change = |ty: &str, name: &str, [before, after, unknown]: [Json; 3]| {
        json!({
            "address": format!("{ty}.{name}"), "mode": "managed", "type": ty, "name": name,
            "provider_name": "registry.terraform.io/hashicorp/aws",
            "change": {"actions": ["update"], "before": before, "after": after, "after_unknown": unknown},
        })
    };
    let resource = |ty: &str, name: &str, expressions: Json| json!({"address": format!("{ty}.{name}"), "mode": "managed", "type": ty, "name": name, "expressions": expressions});
    let from = [
        format!("aws_other.giver.{attribute}"),
        "aws_other.giver".to_owned(),
    ];
    let plan = json!({
        "format_version": "1.2",
        "terraform_version": "1.9.5",
        "resource_changes": [change("aws_other", "giver", giver), change("aws_thing", "user", user)],
        "configuration": {"root_module": {"resources": [
            resource("aws_other", "giver", json!({})),
            resource("aws_thing", "user", json!({property: {"references": from}})),
        ]}},
    });
    brief(&load(&Input::bytes("plan.json", plan.to_string().into_bytes())).unwrap())
}

#[test]
fn only_an_unknown_value_or_the_new_one_of_the_cause_follows_from_it() {
    #[track_caller]
    fn check(attribute: &str, giver: [Json; 3], user: [Json; 3], want: bool) {
        let brief = user_of(attribute, giver, "size", user);
        assert_eq!(
            brief
                .partition
                .stories
                .iter()
                .flat_map(|it| std::iter::once(&it.head).chain(&it.along))
                .map(|it| it.members.len())
                .sum::<usize>(),
            2
        );
        assert_eq!(
            brief.followers.len(),
            usize::from(want),
            "{:?}",
            brief.followers
        );
    }
    let giver = || {
        let (before, after) = (
            json!({"id": "a", "port": 1, "tags": {"name": "old"}}),
            json!({"port": 2, "tags": {"name": "shiny"}}),
        );
        [before, after, json!({"id": true})]
    };
    let size =
        |before: Json, after: Json| [json!({"size": before}), json!({"size": after}), json!({})];
    let unknown = [json!({"size": "a"}), json!({}), json!({"size": true})];
    check("id", giver(), unknown, true);
    check("port", giver(), size(json!(1), json!(2)), true);
    check("port", giver(), size(json!("1"), json!("2")), true);
    check("port", giver(), size(json!(1), json!(3)), false);
    check("tags", giver(), size(json!(100), json!(10)), false);
    check("tags", giver(), size(json!("old"), json!("shiny")), true);
    check("tags", giver(), size(json!("shiny"), json!(null)), false);
    // A change of its own beside one that follows.
    let both = [
        json!({"size": [{"from": "a", "mode": "safe"}]}),
        json!({"size": [{"mode": "drop-all"}]}),
        json!({"size": [{"from": true}]}),
    ];
    check("id", giver(), both, false);
}

#[test]
fn a_known_change_below_a_property_that_depends_on_another_resource_is_its_own() {
    let urn = |name: &str| format!("urn:pulumi:dev::shop::kubernetes:core/v1:ConfigMap::{name}");
    let state = |name: &str, inputs: &Json, from: &[&str]| {
        let from: Vec<String> = from.iter().map(|it| urn(it)).collect();
        json!({
            "urn": urn(name), "custom": true, "type": "kubernetes:core/v1:ConfigMap", "id": name,
            "inputs": inputs, "outputs": inputs, "dependencies": from, "propertyDependencies": {"spec": from},
        })
    };
    let step = |name: &str, before: Json, after: Json, from: &[&str]| {
        json!({
            "op": "update", "urn": urn(name),
            "oldState": state(name, &before, from), "newState": state(name, &after, from),
        })
    };
    let preview = |image: &str, map: &str| {
        let spec = |image: &str, map: &str| json!({"spec": {"image": image, "map": map}});
        let name = |name: &str| json!({"metadata": {"name": name}});
        let steps = [
            step("cfg", name("cfg-1"), name("cfg-2"), &[]),
            step("web", spec("shop:2", "cfg-1"), spec(image, map), &["cfg"]),
        ];
        let preview = json!({"config": {}, "steps": steps, "changeSummary": {"update": 2}});
        brief(
            &load(&Input::bytes(
                "preview.json",
                preview.to_string().into_bytes(),
            ))
            .unwrap(),
        )
    };
    assert_eq!(preview("shop:2", "cfg-2").followers.len(), 1);
    assert_eq!(preview("evil:0", "cfg-1").followers.len(), 0);
    assert_eq!(preview("evil:0", "cfg-2").followers.len(), 0);
}

fn plan_of(updates: Vec<Json>) -> Document {
    let named = updates.into_iter().enumerate().map(|(number, mut update)| {
        let ty = update["type"].as_str().unwrap().to_owned();
        update["address"] = json!(format!("{ty}.it[{number}]"));
        update["name"] = json!("it");
        update["index"] = json!(number);
        update
    });
    let changes: Vec<Json> = named.collect();
    let plan = json!({"format_version": "1.2", "resource_changes": changes});
    load(&Input::bytes("plan.json", plan.to_string().into_bytes())).unwrap()
}

#[test]
fn the_words_of_a_diagnostic_do_not_make_it_an_error() {
    let preview = |severity: &str| {
        let preview = json!({
            "steps": [{"op": "create", "urn": "urn:pulumi:dev::shop::acme:index:Thing::a",
                "newState": {"urn": "urn:pulumi:dev::shop::acme:index:Thing::a", "custom": true, "type": "acme:index:Thing"}}],
            "diagnostics": [{"severity": severity, "message": "the run reported an error: none"}],
            "changeSummary": {"create": 1},
        });
        let document = load(&Input::bytes(
            "preview.json",
            preview.to_string().into_bytes(),
        ))
        .unwrap();
        let found = stack_findings::failures(&document.stack);
        found.map(|it| it.says).collect::<Vec<_>>()
    };
    assert_eq!(preview("warning"), [""; 0]);
    assert_eq!(preview("error"), ["the run reported an error: none"]);
}

#[test]
fn an_answer_about_a_whole_resource_drops_no_heavier_notice() {
    let notice = |mechanism: &'static str, level: Level, property: &str, answers: bool| {
        let steps = Some(property).filter(|it| !it.is_empty());
        let path = Path(steps.map(Segment::from).into_iter().collect());
        let fact = Fact::at(ResourceId(0), path);
        Notice {
            facts: vec![fact],
            answers,
            ..Notice::new(level, mechanism)
        }
    };
    let mut outcome = Outcome {
        notices: vec![
            notice("heavier", Level::Danger, "", false),
            notice("equal", Level::Note, "", false),
            // Nothing more can be said of a property.
            notice("inside", Level::Danger, "replicas", false),
            notice("apart", Level::Note, "size", false),
            notice("answer", Level::Note, "", true),
            notice("answer", Level::Note, "replicas", true),
        ],
        ..Outcome::default()
    };
    Findings::default().settle_with(&mut outcome);
    let left: Vec<&str> = outcome.notices.iter().map(|it| it.mechanism).collect();
    assert_eq!(left, ["heavier", "apart", "answer", "answer"]);
}
