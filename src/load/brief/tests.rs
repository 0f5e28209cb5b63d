use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::page::Page;
use super::*;
use crate::load::{Document, Input, load};

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
    }
    format!("{page:#?}\n{names:#?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_parts_of_a_file_and_their_order_do_not_count(
        rows in rows(),
        sizes in vec(1..7_usize, 40),
        shuffle in any::<u64>(),
    ) {
        let document = plan(&rows);
        let (schemas, stack) = (Schemas::default(), &document.stack);
        let reading = Reading { document: &document, schemas: &schemas, rules: Rules::built_in() };
        let ids: Vec<ResourceId> = stack.ids().collect();
        let whole = Slice::read(reading, &ids).finish(&document, &|| false);
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
        prop_assert_eq!(parts.finish(&document, &|| false), whole);
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
