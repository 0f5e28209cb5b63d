use super::*;
use crate::change::pairs::slide::Slide;
use crate::json::{Numbers, parse};
use crate::stack::{Change, State};
use crate::value::Value;

/// A change of a resource of Terraform: its address, and the attributes before and after.
type Row<'r> = (&'r str, &'r str, &'r str);

fn value(json: &str) -> Value {
    parse(json.as_bytes(), Numbers::Exact).unwrap().value
}

fn resource(address: &str, before: &str, after: &str) -> Resource {
    let ty = address.split('.').rev().nth(1).unwrap();
    let (before, after) = (value(before), value(after));
    let action = match (before.is_null(), after.is_null()) {
        (true, _) => Action::Create,
        (_, true) => Action::Delete,
        (false, false) => Action::Update,
    };
    let state = |outputs: Value| {
        let outputs = Some(outputs).filter(|value| !value.is_null())?;
        Some(State {
            outputs: Some(outputs),
            ..State::default()
        })
    };
    Resource {
        address: Some(address.to_owned()),
        before: state(before),
        after: state(after),
        change: Some(Change::new(action, "")),
        ..Resource::new(address, ty)
    }
}

fn shifts(rows: &[Row<'_>], kept: &[&str]) -> Vec<Shift> {
    let mut pairs = Pairs::default();
    for (number, (address, before, after)) in rows.iter().enumerate() {
        let id = ResourceId(u32::try_from(number).unwrap());
        pairs.add(id, address, &resource(address, before, after));
    }
    for name in kept {
        pairs.keep(name);
    }
    pairs.finish(&|id| {
        let (address, before, after) = rows.get(id.index())?;
        Some(resource(address, before, after))
    })
}

/// The shifts as their kind and moves, whatever the order of the file.
#[track_caller]
fn check(rows: &[Row<'_>], kept: &[&str], want: &[(ShiftKind, &[(&str, &str)])]) {
    let told = |rows: &[Row<'_>]| {
        let told = shifts(rows, kept).into_iter().map(|it| (it.kind, it.moves));
        told.collect::<Vec<_>>()
    };
    let want: Vec<(ShiftKind, Vec<(String, String)>)> = want
        .iter()
        .map(|(kind, moves)| {
            let owned = moves
                .iter()
                .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()));
            (*kind, owned.collect())
        })
        .collect();
    assert_eq!(told(rows), want);
    let backwards: Vec<Row<'_>> = rows.iter().rev().copied().collect();
    assert_eq!(told(&backwards), want, "in another order");
}

const BUCKET: &str =
    r#"{"id":"logs-1","arn":"arn:logs-1","bucket":"logs-1","acl":"private","tags":{"a":"b"}}"#;
const SAME_BUCKET: &str = r#"{"bucket":"logs-1","acl":"private","tags":{"a":"b"}}"#;

#[test]
fn a_renamed_resource_is_one_thing() {
    check(
        &[("s3.old", BUCKET, "null"), ("s3.new", "null", SAME_BUCKET)],
        &[],
        &[(ShiftKind::Renamed, &[("s3.old", "s3.new")])],
    );
    // The type is part of the identity.
    check(
        &[("s3.old", BUCKET, "null"), ("gcs.new", "null", SAME_BUCKET)],
        &[],
        &[],
    );
    // Another name at the provider, and little else in common.
    let other = r#"{"bucket":"assets","acl":"public-read","tags":{"a":"c"}}"#;
    check(
        &[("s3.old", BUCKET, "null"), ("s3.new", "null", other)],
        &[],
        &[],
    );
}

/// A module that goes and one that comes have a policy of one name and form.
#[test]
fn parts_of_two_modules_that_only_look_alike_are_two() {
    let policy = |size: u32| format!(r#"{{"name":"access","size":{size},"days":{size}}}"#);
    let (old, new) = (policy(1), policy(2));
    let role = |name: &str| format!(r#"{{"name":"{name}"}}"#);
    let one = role("quotes-role");
    let rows: [Row<'_>; 4] = [
        ("module.a.policy.it", &old, "null"),
        ("module.a.role.it", &one, "null"),
        ("module.a.role.more", &one, "null"),
        ("module.b.policy.it", "null", &new),
    ];
    check(&rows, &[], &[]);
    let found = shifts(&rows, &["module.a.queue.it"]);
    assert_eq!(
        found.len(),
        1,
        "a module that stays may lose a part to a new one"
    );
    let found = shifts(&[rows[0], rows[3]], &[]);
    assert_eq!(found.len(), 1, "all parts of the module");
}

#[test]
fn nearly_the_same_properties_are_one_thing() {
    let before = r#"{"id":"1","cidr":"10.0.1.0/24","zone":"a","vpc":"v","public":true,"mtu":9000}"#;
    let after = r#"{"cidr":"10.0.1.0/24","zone":"a","vpc":"v","public":true,"mtu":1500}"#;
    let found = shifts(
        &[("subnet.a", before, "null"), ("subnet.b", "null", after)],
        &[],
    );
    assert_eq!(found[0].pairs[0].evidence, Evidence::Properties(80));
    let after = r#"{"cidr":"10.0.2.0/24","zone":"a","vpc":"v","public":true,"mtu":1500}"#;
    check(
        &[("subnet.a", before, "null"), ("subnet.b", "null", after)],
        &[],
        &[],
    );
}

#[test]
fn things_with_other_names_or_in_other_scopes_are_two() {
    let queue = |name: &str| {
        format!(r#"{{"name":"{name}","policy":"allow-all","fifo":true,"size":262144,"wait":20}}"#)
    };
    let (one, other) = (queue("billing"), queue("newsletter"));
    check(&[("q.a", &one, "null"), ("q.b", "null", &other)], &[], &[]);
    check(
        &[("q.a", &one, "null"), ("q.b", "null", &one)],
        &[],
        &[(ShiftKind::Renamed, &[("q.a", "q.b")])],
    );
    // Only settings, which many things have in common.
    let password = r#"{"length":32,"special":true,"upper":true,"lower":true,"min_lower":1}"#;
    check(
        &[
            ("pw.admin", password, "null"),
            ("pw.token", "null", password),
        ],
        &[],
        &[],
    );
    let service = |namespace: &str| {
        format!(
            r#"{{"metadata":[{{"name":"web","namespace":"{namespace}"}}],"spec":[{{"selector":"shop-web"}}]}}"#
        )
    };
    let (prod, staging) = (service("prod"), service("staging"));
    check(
        &[("svc.a", &prod, "null"), ("svc.b", "null", &staging)],
        &[],
        &[],
    );
    check(
        &[("svc.a", &prod, "null"), ("svc.b", "null", &prod)],
        &[],
        &[(ShiftKind::Renamed, &[("svc.a", "svc.b")])],
    );
    let policy = |role: &str| {
        format!(r#"{{"name":"default","role":"{role}","policy":"the same long text"}}"#)
    };
    let (payments, crawler) = (policy("payments"), policy("crawler"));
    check(
        &[("pol.x", &payments, "null"), ("pol.y", "null", &crawler)],
        &[],
        &[],
    );
}

#[test]
fn names_that_pulumi_makes_are_no_names() {
    let component = |name: &str, inputs: &str, action: Action| {
        let (before, after) = if action == Action::Delete {
            (inputs, "null")
        } else {
            ("null", inputs)
        };
        let mut it = resource("s3.x", before, after);
        it.address = None;
        it.urn = format!("urn:pulumi:dev::shop::aws:s3/bucket:Bucket::{name}");
        it.name = name.to_owned();
        for state in [&mut it.before, &mut it.after].into_iter().flatten() {
            state.inputs = state.outputs.take();
        }
        it
    };
    let found = |old: &str, new: &str| {
        let mut pairs = Pairs::default();
        for (number, it) in [
            component("logs", old, Action::Delete),
            component("archive", new, Action::Create),
        ]
        .iter()
        .enumerate()
        {
            pairs.add(ResourceId(u32::try_from(number).unwrap()), &it.urn, it);
        }
        pairs.finish(&|_| None).len()
    };
    let bucket = |name: &str, more: &str| {
        format!(
            r#"{{"bucket":"{name}","acl":"private","policy":"the same long text","size":1,"tier":2,"keep":3{more}}}"#
        )
    };
    assert_eq!(
        found(&bucket("logs-1a2b3c4", ""), &bucket("archive-5d6e7f8", "")),
        1
    );
    let defaults = r#","__defaults":["bucket"]"#;
    assert_eq!(
        found(&bucket("anything", defaults), &bucket("else", defaults)),
        1
    );
    assert_eq!(found(&bucket("anything", ""), &bucket("else", "")), 0);
}

#[test]
fn a_respelled_key_is_one_thing() {
    let job = |name: &str| format!(r#"{{"name":"{name}","image":"x","size":2}}"#);
    let (nightly, daily) = (job("nightly"), job("daily"));
    check(
        &[
            (r#"job.it["job/nightly"]"#, &nightly, "null"),
            (r#"job.it["job/daily"]"#, &daily, "null"),
            (r#"job.it["nightly"]"#, "null", &nightly),
            (r#"job.it["daily"]"#, "null", &daily),
        ],
        &[],
        &[
            (
                ShiftKind::Key,
                &[(r#"job.it["job/daily"]"#, r#"job.it["daily"]"#)],
            ),
            (
                ShiftKind::Key,
                &[(r#"job.it["job/nightly"]"#, r#"job.it["nightly"]"#)],
            ),
        ],
    );
}

#[test]
fn a_list_with_another_name_is_one_move() {
    let queue = |n: u8| format!(r#"{{"name":"queue-{n}","size":{n}}}"#);
    let queues: Vec<String> = (0..3).map(queue).collect();
    let names: Vec<[String; 2]> = (0..3)
        .map(|n| {
            [
                format!("module.m.q.old[{n}]"),
                format!("module.m.q.new[{n}]"),
            ]
        })
        .collect();
    let mut rows: Vec<Row<'_>> = Vec::new();
    for ([old, new], values) in names.iter().zip(&queues) {
        rows.push((old, values, "null"));
        rows.push((new, "null", values));
    }
    check(
        &rows,
        &[],
        &[(ShiftKind::Renamed, &[("module.m.q.old", "module.m.q.new")])],
    );
    // A block without keys would move the instance that stays, too.
    let found = shifts(&rows, &["module.m.q.old[3]"]);
    assert_eq!(found.len(), 3);
}

#[test]
fn a_module_with_another_name_is_one_move() {
    let role = r#"{"name":"shop-role","path":"/"}"#;
    let rows = [
        ("module.web.s3.logs", BUCKET, "null"),
        ("module.web.role.it", role, "null"),
        ("module.site.s3.logs", "null", SAME_BUCKET),
        ("module.site.role.it", "null", role),
    ];
    check(
        &rows,
        &[],
        &[(ShiftKind::Container, &[("module.web", "module.site")])],
    );
    // A module in which something stays has not another name: its resources moved one by one.
    check(
        &rows,
        &["module.web.dns.it"],
        &[
            (
                ShiftKind::Parent,
                &[("module.web.role.it", "module.site.role.it")],
            ),
            (
                ShiftKind::Parent,
                &[("module.web.s3.logs", "module.site.s3.logs")],
            ),
        ],
    );
}

#[test]
fn a_module_whose_parts_are_named_after_it_is_one_move() {
    let queue = |name: &str| format!(r#"{{"name": "{name}-jobs", "size": 1}}"#);
    let table = |name: &str| format!(r#"{{"name": "{name}-rows", "keys": 2}}"#);
    let (old, new) = (["ingest"; 2], ["ingestion"; 2]);
    let [gone_queue, new_queue] = [queue(old[0]), queue(new[0])];
    let [gone_table, new_table] = [table(old[1]), table(new[1])];
    let rows = |to: [&'static str; 2]| {
        [
            ("module.ingest.lab_queue.it", gone_queue.as_str(), "null"),
            ("module.ingest.lab_table.it", gone_table.as_str(), "null"),
            (to[0], "null", new_queue.as_str()),
            (to[1], "null", new_table.as_str()),
        ]
    };
    check(
        &rows([
            "module.ingestion.lab_queue.it",
            "module.ingestion.lab_table.it",
        ]),
        &[],
        &[(
            ShiftKind::Container,
            &[("module.ingest", "module.ingestion")],
        )],
    );
    // Other parts, another name, and a whole of which a part stays are no rename.
    check(
        &rows([
            "module.ingestion.lab_queue.it",
            "module.ingestion.lab_table.other",
        ]),
        &[],
        &[],
    );
    check(
        &rows(["module.billing.lab_queue.it", "module.billing.lab_table.it"]),
        &[],
        &[],
    );
    check(
        &rows([
            "module.ingestion.lab_queue.it",
            "module.ingestion.lab_table.it",
        ]),
        &["module.ingest.lab_role.it"],
        &[],
    );
}

#[test]
fn a_list_that_lost_an_element_slides() {
    let user = |name: &str| format!(r#"{{"name":"{name}","home":"/{name}","shell":"sh"}}"#);
    let [one, two, three] = ["ann", "bob", "cyd"].map(user);
    check(
        &[
            ("user.it[1]", &one, &two),
            ("user.it[2]", &two, &three),
            ("user.it[3]", &three, "null"),
        ],
        &[],
        &[(
            ShiftKind::Slide(Slide::Out(1)),
            &[
                ("user.it[1]", "user.it[4]"),
                ("user.it[2]", "user.it[1]"),
                ("user.it[3]", "user.it[2]"),
            ],
        )],
    );
    check(
        &[
            ("user.it[1]", &two, &one),
            ("user.it[2]", &three, &two),
            ("user.it[3]", "null", &three),
        ],
        &[],
        &[(
            ShiftKind::Slide(Slide::In(1)),
            &[("user.it[2]", "user.it[3]"), ("user.it[1]", "user.it[2]")],
        )],
    );
}

#[test]
fn a_list_with_an_instance_that_stays_slides_without_moves() {
    let user = |name: &str| format!(r#"{{"name":"{name}","home":"/{name}","shell":"sh"}}"#);
    let [one, two, three] = ["ann", "bob", "cyd"].map(user);
    let found = shifts(
        &[
            ("user.it[1]", &one, &two),
            ("user.it[3]", &two, &three),
            ("user.it[4]", &three, "null"),
        ],
        &["user.it[2]"],
    );
    assert!(found.iter().all(|it| it.moves.is_empty()), "{found:?}");
}

#[test]
fn a_list_that_only_shrinks_does_not_slide() {
    let user = |name: &str, shell: &str| {
        format!(r#"{{"name":"{name}","home":"/{name}","shell":"{shell}"}}"#)
    };
    check(
        &[
            ("user.it[1]", &user("ann", "sh"), &user("ann", "zsh")),
            ("user.it[2]", &user("bob", "sh"), &user("bob", "zsh")),
            ("user.it[3]", &user("cyd", "sh"), "null"),
        ],
        &[],
        &[],
    );
}

#[test]
fn two_that_swap_places_are_one_shift() {
    let mut pairs = Pairs::default();
    for (number, (address, previous)) in [("a.x", "a.y"), ("a.y", "a.x"), ("a.z", "a.old")]
        .iter()
        .enumerate()
    {
        let mut moved = resource(address, r#"{"v":1}"#, r#"{"v":2}"#);
        moved.change.as_mut().unwrap().previous_address = Some((*previous).to_owned());
        pairs.add(ResourceId(u32::try_from(number).unwrap()), address, &moved);
    }
    let found = pairs.finish(&|_| None);
    let [swap] = &found[..] else {
        panic!("one swap: {found:?}");
    };
    assert_eq!(swap.kind, ShiftKind::Swap);
    assert_eq!(
        (swap.pairs[0].gone, swap.pairs[0].new),
        (ResourceId(0), ResourceId(1))
    );
}

#[test]
fn secrets_are_no_evidence() {
    let secret = |json: &str| {
        let mut it = resource("pw.x", "null", json);
        let state = it.after.as_mut().unwrap();
        state.outputs = state.outputs.take().map(|value| value.with_secret(true));
        it
    };
    let it = secret(r#"{"name":"n","result":"hunter2","length":3}"#);
    assert_eq!(Sketch::of(&it, it.after.as_ref()), Sketch::default());
}

proptest::proptest! {
    #[test]
    fn a_resource_is_in_one_shift_whatever_the_order(
        rows in proptest::collection::vec(("[ab]", 0_u8..4, "[xyz]", "[xyz]", proptest::bool::ANY, proptest::bool::ANY), 0..12),
    ) {
        let value = |name: &str| format!(r#"{{"name":"{name}","kind":"k","size":1,"zone":"z"}}"#);
        let texts: Vec<(String, String, String)> = rows
            .iter()
            .enumerate()
            .map(|(number, (ty, key, before, after, has_before, has_after))| {
                let side = |is_there: bool, name: &str| if is_there { value(name) } else { "null".to_owned() };
                let address = format!("module.m{number}.{ty}.r[{key}]");
                (address, side(*has_before || !has_after, before), side(*has_after, after))
            })
            .collect();
        let straight: Vec<Row<'_>> =
            texts.iter().map(|(address, before, after)| (&**address, &**before, &**after)).collect();
        let named = |rows: &[Row<'_>]| -> Vec<(ShiftKind, Vec<(String, String)>)> {
            let found = shifts(rows, &[]);
            let mut ids: Vec<ResourceId> = found
                .iter()
                .filter(|shift| !matches!(shift.kind, ShiftKind::Slide(_)))
                .flat_map(|shift| shift.pairs.iter().flat_map(|pair| [pair.gone, pair.new]))
                .collect();
            let n_all = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), n_all, "{found:?}");
            for pair in found.iter().flat_map(|shift| &shift.pairs) {
                let ty = |id: ResourceId| rows[id.index()].0.split('.').nth(2).unwrap();
                assert_eq!(ty(pair.gone), ty(pair.new));
            }
            found.into_iter().map(|shift| (shift.kind, shift.moves)).collect()
        };
        let backwards: Vec<Row<'_>> = straight.iter().rev().copied().collect();
        proptest::prop_assert_eq!(named(&straight), named(&backwards));
    }
}
