//! Two files that are not both to compare: schemas beside a state or plan, a log without values.

use super::command;
use super::rules::written;

const STATE: &str = "tests/corpus/tfstate/shop.tfstate";
const AFTER: &str = "tests/corpus/tfstate/shop-after.tfstate";
const PLAN: &str = "tests/corpus/tfplan-json/shop.json";
const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {"example.com/acme/lab": {"resource_schemas": {
    "lab_box": {"version": 0, "block": {"attributes": {"size": {"type": "number", "optional": true}}}}}}}}"#;

#[test]
fn schemas_beside_another_file_are_used_as_with_the_option_in_both_orders() {
    let (_folder, schemas) = written("lab.json", SCHEMAS);
    let said = "stacklens: lab.json holds the schemas of providers: it is used as with --schema, not compared\n";
    for (command_name, file) in [("brief", STATE), ("brief", PLAN), ("diff", PLAN)] {
        let want = command(&[command_name, file, "--schema", &schemas]);
        assert_eq!(want.code, 0, "{want:?}");
        for files in [[file, &schemas], [&schemas, file]] {
            let run = command(&[command_name, files[0], files[1]]);
            assert_eq!(
                (run.code, &run.out),
                (0, &want.out),
                "{command_name} {files:?}"
            );
            assert_eq!(run.err, format!("{said}{}", want.err));
        }
    }
    // The printed form of the explorer.
    let run = command(&[STATE, &schemas]);
    assert_eq!(run.out, command(&[STATE, "--schema", &schemas]).out);
    // A state alone has no changes to print.
    let run = command(&["diff", STATE, &schemas]);
    assert_eq!(run.code, 64, "{run:?}");
    // Beside two states they are for both.
    let run = command(&["brief", STATE, AFTER, &schemas]);
    assert_eq!(run.out, command(&["brief", STATE, AFTER]).out);
}

#[test]
fn two_files_of_schemas_are_refused() {
    let (_folder, schemas) = written("lab.json", SCHEMAS);
    let (_other, other) = written("other.json", SCHEMAS);
    for args in [
        &["diff", &schemas, &other][..],
        &["brief", &schemas, &other],
        &[&schemas, &other],
        &["diff", PLAN, &schemas, "--schema", &other],
    ] {
        let run = command(args);
        assert_eq!((run.code, run.out.as_str()), (64, ""), "{args:?} {run:?}");
        assert!(
            run.err
                .contains("holds the schemas of providers, expected "),
            "{run:?}"
        );
    }
}

#[test]
fn a_log_without_values_is_not_compared_with_another_file() {
    let log = "tests/corpus/tf-ui-json/web-apply.jsonl";
    for files in [[PLAN, log], [log, STATE]] {
        let run = command(&["diff", files[0], files[1]]);
        assert_eq!((run.code, run.out.as_str()), (64, ""), "{files:?}: {run:?}");
        assert!(run.err.contains("has no values to compare"), "{run:?}");
    }
    assert_eq!(command(&["diff", log, log]).code, 0);
}

/// A state with an object of this status.
fn state_with(status: &str) -> String {
    format!(
        r#"{{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "l", "outputs": {{}}, "resources": [
          {{"mode": "managed", "type": "lab_box", "name": "a", "provider": "provider[\"example.com/acme/lab\"]",
            "instances": [{{{status} "schema_version": 0, "attributes": {{"size": 3}}}}]}}]}}"#
    )
}

#[test]
fn two_states_tell_what_differs_beside_the_properties() {
    let (_old_folder, old) = written("old.tfstate", &state_with(""));
    let (_new_folder, new) = written("new.tfstate", &state_with(r#""status": "tainted","#));
    for (files, want) in [
        ([&old, &new], "differs, now tainted\n"),
        ([&new, &old], "differs, no longer tainted\n"),
    ] {
        let run = command(&["brief", files[0], files[1]]);
        assert!(run.out.contains(want), "{run:?}");
    }
    let run = command(&["diff", &old, &new]);
    assert!(run.out.contains("(now tainted)"), "{run:?}");
}
