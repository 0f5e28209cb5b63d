//! Secret texts at every place of a value: elements of lists and sets, entries, fields of blocks, embedded JSON; in resources that are
//! created, changed and deleted; alone, and beside changes of their neighbors. The place of a text never changes if it may be shown.

use serde_json::{Value as Json, json};
use stacklens::load::Input;

use super::{CANARY, Laid, Place, Schemas, Walk, Watch};
use crate::screens::harness::Session;

const PROVIDER: &str = "registry.terraform.io/acme/vault";

/// A way in which the texts of a test are secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mask {
    /// By their form.
    Form,
    /// Each side of a change marks its own.
    Own,
}

/// The texts that are no part of the secret. Elements of one name pair up.
fn elements(secret: &str) -> Vec<(&'static str, Json)> {
    let document = json!({"env": [secret, {"a": secret}]}).to_string();
    vec![
        ("text", json!(secret)),
        ("field", json!({"name": "n", "value": secret})),
        ("list", json!(["x", secret])),
        ("deep", json!({"name": {"a": [{"b": [secret]}]}})),
        ("document", json!(document)),
        ("lines", json!(format!("first\n{secret}\nlast"))),
    ]
}

/// Values before and after a change that have the element, or another one of its kind. Null is no value.
fn changes(it: &Json, other: &Json) -> Vec<(&'static str, Json, Json)> {
    let (p, q) = (json!("p"), json!("q"));
    vec![
        ("list comes", json!(null), json!([it])),
        ("list goes", json!([it]), json!(null)),
        ("first comes", json!([]), json!([it])),
        ("last goes", json!([it]), json!([])),
        ("element comes", json!([p]), json!([p, it])),
        ("element goes", json!([it, p]), json!([p])),
        ("two come", json!([p]), json!([it, p, it])),
        ("one of two goes", json!([it, it]), json!([it])),
        ("replaced", json!([p, it]), json!([p, q])),
        ("replaces", json!([q, p]), json!([it, p])),
        ("changed", json!([it, p]), json!([other, p])),
        ("moved", json!([p, q, it]), json!([it, p, q])),
        (
            "moved beside a change",
            json!([p, q, it]),
            json!([it, p, 1]),
        ),
        ("beside a change", json!([it, p]), json!([it, q])),
        ("of another kind", json!([it]), json!("t")),
        ("from another kind", json!(7), json!([it, p])),
        ("to a map", json!([it]), json!({"k": "t"})),
        ("alone", json!(it), json!(null)),
        ("entry", json!({"a": it}), json!({"a": other})),
        ("new entry", json!({"b": 1}), json!({"a": it, "b": 1})),
        ("inner list", json!([[p], [it]]), json!([[p, it], [q]])),
        ("inner lists", json!({"a": [it]}), json!({"b": [p, it]})),
    ]
}

/// The attributes that a value is put in. Most of them have another type in the schema.
const ATTRIBUTES: [&str; 8] = [
    "free",
    "texts",
    "set",
    "lists",
    "objects",
    "map",
    "nested",
    "nested_set",
];

/// Blocks in the schema.
const BLOCKS: [&str; 2] = ["block", "block_set"];

/// Whether the schema of the type is there. Without one its attributes are alike, and so are its blocks: one of each is enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Schema {
    Unknown,
    Known,
}

/// The schema of the type.
pub(super) fn schema() -> Json {
    let object = json!(["object", {"name": "string", "value": "string"}]);
    let nested = |nesting: &str| {
        json!({"nested_type": {"nesting_mode": nesting, "attributes": {
            "name": {"type": "string"}, "value": {"type": "string"}}}, "optional": true})
    };
    let block = |nesting: &str| {
        json!({"nesting_mode": nesting, "block": {"attributes": {
            "name": {"type": "string"}, "value": {"type": "dynamic"}}}})
    };
    let attribute = |ty: Json| json!({"type": ty, "optional": true});
    json!({"version": 0, "block": {
        "attributes": {
            "name": attribute(json!("string")),
            "free": attribute(json!("dynamic")),
            "texts": attribute(json!(["list", "string"])),
            "set": attribute(json!(["set", "string"])),
            "lists": attribute(json!(["list", ["list", "string"]])),
            "objects": attribute(json!(["set", object])),
            "map": attribute(json!(["map", ["list", "string"]])),
            "nested": nested("list"),
            "nested_set": nested("set"),
        },
        "block_types": {"block": block("list"), "block_set": block("set")},
    }})
}

/// The mask of a value: true for each text that has the secret.
fn mask(value: &Json, secret: &str) -> Json {
    match value {
        Json::Array(items) => items.iter().map(|it| mask(it, secret)).collect(),
        Json::Object(map) => {
            let entries = map.iter().map(|(key, it)| (key.clone(), mask(it, secret)));
            Json::Object(entries.collect())
        }
        Json::String(text) => json!(text.contains(secret)),
        _ => json!(false),
    }
}

/// The attributes of a resource with this value in all of them.
fn attributes(value: &Json, schema: Schema) -> Json {
    if value.is_null() {
        return json!({"name": "n"});
    }
    let blocks = match value {
        Json::Array(items) => {
            let block = |it: &Json| match it {
                Json::Object(_) => it.clone(),
                _ => json!({"name": "n", "value": it}),
            };
            items.iter().map(block).collect()
        }
        other => json!([{"name": "n", "value": other}]),
    };
    let n = if schema == Schema::Known { 8 } else { 1 };
    let attributes = ATTRIBUTES[..n].iter().map(|key| (*key, value));
    let blocks = BLOCKS.iter().take(n).map(|key| (*key, &blocks));
    let name = json!("n");
    let all = attributes.chain(blocks).chain([("name", &name)]);
    Json::Object(all.map(|(key, it)| (key.to_owned(), it.clone())).collect())
}

fn secrets(mask: Mask) -> [String; 2] {
    match mask {
        Mask::Form => {
            ["user", "other"].map(|user| format!("amqp://{user}:{CANARY}@mq.example.com/q"))
        }
        Mask::Own => ["one", "two"].map(|name| format!("{CANARY}{name}")),
    }
}

/// The cases: the name of each, and its values before and after.
fn cases(mask: Mask) -> Vec<(String, Json, Json)> {
    let [one, two] = secrets(mask);
    let elements = elements(&one).into_iter().zip(elements(&two));
    let cases = elements.flat_map(|((element, it), (_, other))| {
        let changes = changes(&it, &other).into_iter();
        changes.map(move |(change, before, after)| {
            (
                format!("{element} {change}").replace(' ', "_"),
                before,
                after,
            )
        })
    });
    cases.collect()
}

/// The changes of a plan: of each case an update, and where a whole list comes or goes the creation or the deletion of the resource.
fn plan(masked: Mask, schema: Schema) -> Json {
    let mut changes = Vec::new();
    let mut add = |name: &str, action: &str, before: &Json, after: &Json| {
        let masks = match masked {
            Mask::Form => [json!({}), json!({})],
            Mask::Own => [mask(before, CANARY), mask(after, CANARY)],
        };
        let name = format!("{name}_{action}");
        changes.push(json!({
            "address": format!("vault_case.{name}"), "mode": "managed", "type": "vault_case", "name": name,
            "provider_name": PROVIDER,
            "change": {"actions": [action], "before": before, "after": after, "after_unknown": {},
                "before_sensitive": masks[0], "after_sensitive": masks[1]},
        }));
    };
    let cases = cases(masked);
    for (name, before, after) in cases {
        let [old, new] = [&before, &after].map(|it| attributes(it, schema));
        add(&name, "update", &old, &new);
        if before.is_null() {
            add(&name, "create", &json!(null), &new);
        }
        if after.is_null() {
            add(&name, "delete", &old, &json!(null));
        }
    }
    json!({"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": changes})
}

/// A state of Terraform with one side of each change.
fn state(side: usize) -> Json {
    let resources = cases(Mask::Form).into_iter().map(|(name, before, after)| {
        json!({"mode": "managed", "type": "vault_case", "name": name,
            "provider": format!("provider[\"{PROVIDER}\"]"),
            "instances": [{"schema_version": 0, "attributes": attributes([&before, &after][side], Schema::Unknown)}]})
    });
    json!({"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "a", "outputs": {},
        "resources": resources.collect::<Vec<_>>()})
}

/// A preview of Pulumi.
fn preview() -> Json {
    let steps = cases(Mask::Form).into_iter().map(|(name, before, after)| {
        let urn = format!("urn:pulumi:dev::shop::vault:index:Item::{name}");
        let state = |value: &Json| {
            let all = attributes(value, Schema::Unknown);
            json!({"urn": urn, "custom": true, "id": "1", "type": "vault:index:Item", "inputs": all, "outputs": all})
        };
        json!({"op": "update", "urn": urn, "oldState": state(&before), "newState": state(&after), "diffReasons": ["free"],
            "detailedDiff": {"free": {"kind": "update", "inputDiff": true}}})
    });
    json!({"config": {}, "steps": steps.collect::<Vec<_>>()})
}

/// Checks what the commands print of a file, or of two.
fn check(place: &Place) {
    let watch = Watch::new();
    let laid = Laid::new(place);
    let file = laid.file.as_str();
    let files = [file].into_iter().chain(laid.other.as_deref());
    let files: Vec<&str> = files.collect();
    for args in [
        &["diff"][..],
        &["diff", "--json"],
        &["diff", "--markdown"],
        &["diff", "--format", "terraform"],
        &["brief"],
        &["brief", "--json"],
        &["brief", "--html", "-"],
    ] {
        let is_plan = laid.place.file == "plan.json";
        if !is_plan && args.contains(&"terraform") {
            continue;
        }
        let (code, out) = laid.run(&[args, &files].concat(), &watch);
        assert!(
            code == 0 && out.len() > 1000,
            "{}: {args:?}: {out}",
            place.name
        );
        assert!(
            out.contains("secret]") || out.contains("sensitive"),
            "{}: {args:?}",
            place.name
        );
    }
    for args in [["find", file, "**"], ["check", file, "--json"]] {
        laid.run(&args, &watch);
    }
}

/// Checks the screens of the changes of a file, or between two.
fn look(place: &Place) {
    let watch = Watch::new();
    let laid = Laid::new(place);
    let input = laid.input(&laid.file);
    let input = match &laid.other {
        Some(other) => Input::pair(input, laid.input(other)),
        None => input,
    };
    let mut session = Session::open_input(input, (120, 120));
    let mut walk = Walk {
        session: &mut session,
        place: place.name,
        watch: &watch,
        trail: String::new(),
    };
    let mut last = walk.keys("<wait>2zRgg");
    let mut n_screens = 0;
    loop {
        let next = walk.keys("j<wait>");
        if next == last {
            break;
        }
        last = next;
        n_screens += 1;
    }
    assert!(n_screens > 50, "{}: {n_screens}", place.name);
    walk.pane();
}

fn plan_of(name: &'static str, mask: Mask, schema: Schema) -> Place {
    let place = Place::new(name, "plan.json", &plan(mask, schema));
    match schema {
        Schema::Unknown => place,
        Schema::Known => place.with_schemas(Schemas::Named),
    }
}

fn states() -> Place {
    let place = Place::new("placements: states", "terraform.tfstate", &state(0));
    place.with_other(&state(1))
}

#[test]
fn no_place_of_a_text_that_is_secret_by_its_form_leaks() {
    let place = plan_of("placements: by form", Mask::Form, Schema::Unknown);
    check(&place);
    look(&place);
    check(&plan_of("placements: by form", Mask::Form, Schema::Known));
}

#[test]
fn no_place_of_a_marked_text_leaks() {
    check(&plan_of("placements: marked", Mask::Own, Schema::Unknown));
    check(&plan_of("placements: marked", Mask::Own, Schema::Known));
}

#[test]
fn no_place_of_a_text_leaks_between_two_states() {
    check(&states());
    look(&states());
}

#[test]
fn no_place_of_a_text_of_pulumi_leaks() {
    check(&Place::new(
        "placements: preview",
        "preview.json",
        &preview(),
    ));
}
