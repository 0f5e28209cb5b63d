use super::*;
use crate::index::objects::{Object, Objects};
use crate::json::{self, Numbers};

fn state(text: &str) -> Option<Map> {
    let parsed = json::parse(text.as_bytes(), Numbers::Double).unwrap().value;
    parsed.as_map().cloned()
}

/// A step from an object with the id `a`, whose input is `old`, to one whose input is `new`.
fn step(op: &str) -> Step {
    let (op, found) = op.split_once(':').unwrap_or((op, ""));
    let (op, mark) = op
        .split_once('!')
        .map_or((op, ""), |(op, _)| (op, r#","delete":true"#));
    let gone = ["delete", "delete-replaced", "discard", "discard-replaced"].contains(&op);
    let old = format!(r#"{{"urn":"u","custom":true,"id":"a","inputs":{{"x":"old"}}{mark}}}"#);
    let new = r#"{"urn":"u","custom":true,"inputs":{"x":"new"}}"#;
    Step {
        op: op.to_owned(),
        found: found.to_owned(),
        old: state(&old).filter(|_| !["create", "import"].contains(&op)),
        new: state(new).filter(|_| !gone && found != "delete"),
        ..Step::default()
    }
}

fn merged(ops: &str) -> Resource {
    let steps: Vec<Step> = ops.split(' ').map(step).collect();
    merge("u", &steps)
}

/// The order of the steps in the file is that of the halves.
#[test]
fn the_strongest_step_names_the_change() {
    use Action::{Create, Delete, Forget, Import, Noop, Read, Replace, Update};
    let table: &[(&str, Action)] = &[
        ("same", Noop),
        ("create", Create),
        ("delete", Delete),
        ("replace", Replace),
        ("create-replacement", Replace),
        ("import-replacement", Replace),
        ("read-replacement", Replace),
        ("create-replacement replace delete-replaced", Replace),
        ("delete-replaced replace create-replacement", Replace),
        ("import-replacement replace delete-replaced", Replace),
        ("read-replacement replace delete-replaced", Replace),
        ("create-replacement replace discard-replaced", Replace),
        ("import replace", Replace),
        ("delete-replaced", Delete),
        ("discard-replaced", Forget),
        ("discard", Forget),
        ("import update", Update),
        ("import", Import),
        ("read", Read),
        ("read update", Update),
        ("refresh", Read),
        ("refresh:same", Noop),
        ("refresh:update", Update),
        ("refresh:delete", Delete),
        ("refresh same", Noop),
        ("refresh:same update", Update),
        ("refresh:update replace", Replace),
        ("refresh:delete create", Create),
        ("refresh:update delete", Delete),
        ("remove-pending-replace", Update),
    ];
    for (ops, action) in table {
        let mut steps: Vec<&str> = ops.split(' ').collect();
        for _ in 0..steps.len() {
            steps.rotate_left(1);
            let ops = steps.join(" ");
            let found = merged(&ops).change.unwrap().action;
            assert_eq!(found, *action, "{ops}");
        }
    }
}

#[test]
fn the_order_of_create_and_destroy_is_that_of_the_halves_else_the_mark_says_it() {
    use ReplaceOrder::{CreateFirst, DestroyFirst};
    let table = [
        (
            "create-replacement replace delete-replaced!",
            Some(CreateFirst),
        ),
        (
            "replace create-replacement delete-replaced",
            Some(CreateFirst),
        ),
        (
            "import-replacement replace delete-replaced",
            Some(CreateFirst),
        ),
        (
            "read-replacement replace discard-replaced",
            Some(CreateFirst),
        ),
        (
            "delete-replaced replace create-replacement",
            Some(DestroyFirst),
        ),
        ("delete-replaced create-replacement", Some(DestroyFirst)),
        ("create-replacement replace", Some(CreateFirst)),
        ("replace create-replacement", Some(DestroyFirst)),
        ("replace!", Some(CreateFirst)),
        ("replace", Some(DestroyFirst)),
        ("import replace!", Some(CreateFirst)),
        ("create-replacement", None),
        ("update", None),
        ("delete-replaced", None),
    ];
    for (ops, order) in table {
        let resource = merged(ops);
        assert_eq!(resource.change.unwrap().order, order, "{ops}");
        assert_eq!(ReplaceOrder::of(resource.flags), order, "{ops}");
    }
    // A summary does not describe the objects.
    let bare = Step {
        op: "replace".to_owned(),
        ..Step::default()
    };
    assert_eq!(merge("u", &[bare]).change.unwrap().order, None);
}

#[test]
fn a_replacement_goes_from_the_old_object_to_the_new_one_with_any_of_its_steps() {
    let input = |state: &Option<crate::stack::State>| {
        let inputs = state.as_ref()?.inputs.as_ref()?;
        Some(inputs.get("x")?.as_str()?.to_owned())
    };
    for ops in [
        "replace",
        "create-replacement replace delete-replaced",
        "delete-replaced replace create-replacement",
        "delete-replaced! create-replacement replace",
        "refresh:same delete-replaced create-replacement",
    ] {
        let resource = merged(ops);
        assert_eq!(input(&resource.before).as_deref(), Some("old"), "{ops}");
        assert_eq!(input(&resource.after).as_deref(), Some("new"), "{ops}");
    }
    assert_eq!(merged("delete").after, None);
    assert_eq!(merged("refresh:delete create").before, None);
}

#[test]
fn the_words_of_the_steps_are_kept_in_their_order() {
    let change = merged("create-replacement replace delete-replaced")
        .change
        .unwrap();
    assert_eq!(
        change.own_words,
        "create-replacement replace delete-replaced"
    );
    assert_eq!(
        change.steps,
        ["create-replacement", "replace", "delete-replaced"]
    );
    let change = merged("refresh:update update").change.unwrap();
    assert_eq!(change.steps, ["refresh: update", "update"]);
    assert!(merged("update").change.unwrap().steps.is_empty());
}

#[test]
fn flags_say_what_else_there_is() {
    let table = [
        ("import update", Flags::IMPORTED, true),
        ("import-replacement replace", Flags::IMPORTED, true),
        ("update", Flags::IMPORTED, false),
        ("refresh:update update", Flags::DRIFTED, true),
        ("refresh:delete", Flags::DRIFTED, true),
        ("refresh:same update", Flags::DRIFTED, false),
        // After a destroyed object the new one is still expected. A copy that waits for deletion is only cleaned up.
        ("delete-replaced", Flags::PENDING_REPLACEMENT, true),
        ("delete-replaced!", Flags::PENDING_REPLACEMENT, false),
        ("delete-replaced!", Flags::PENDING_DELETE, true),
        (
            "create-replacement replace delete-replaced!",
            Flags::PENDING_DELETE,
            false,
        ),
    ];
    for (ops, flag, is_set) in table {
        assert_eq!(merged(ops).flags.contains(flag), is_set, "{ops}");
    }
}

/// Each row: steps as `URN/ID`, with `!` for a copy that waits for deletion; the change that each belongs to.
#[test]
fn steps_of_one_object_are_one_change() {
    let table: &[(&str, &[u32])] = &[
        ("1/5 2/5 1/5", &[0, 1, 0]),
        // A replacement and its old object, in both orders.
        ("1/5 1/5!", &[0, 0]),
        ("1/5! 1/5", &[0, 0]),
        // A live object, and copies that are left from before.
        ("1/5 1/6! 1/7! 1/6! 1/5", &[0, 1, 2, 1, 0]),
        ("1/6! 1/5 1/6!", &[0, 1, 0]),
        // Unknown ids separate nothing.
        ("1/0 1/5 1/5! 1/0!", &[0, 0, 0, 0]),
        ("1/0! 1/5", &[0, 0]),
        // Live objects of one URN are one: an import, and the replacement of what was imported.
        ("1/9 1/5 1/5! 1/9!", &[0, 0, 0, 0]),
    ];
    for (steps, wanted) in table {
        let mut objects = Objects::default();
        let mut n_changes = 0;
        let mut found = Vec::new();
        for step in steps.split(' ') {
            let (urn, id) = step.trim_end_matches('!').split_once('/').unwrap();
            let id: u64 = id.parse().unwrap();
            let object = Object {
                urn: urn.parse().unwrap(),
                id: (id > 0).then_some(id),
                is_copy: step.ends_with('!'),
            };
            let change = objects.change_of(object, n_changes);
            n_changes = n_changes.max(change + 1);
            found.push(change);
        }
        assert_eq!(found, *wanted, "{steps}");
    }
}

#[test]
fn a_urn_counts_once_however_many_copies_it_has() {
    let mut objects = Objects::default();
    let counted = [(1, 0), (2, 1), (1, 2), (1, 0), (2, 1)];
    let counted = counted.map(|(urn, change)| objects.is_counted(urn, change));
    assert_eq!(counted, [true, true, false, true, true]);
}
