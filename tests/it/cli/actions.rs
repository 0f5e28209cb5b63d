//! Actions that a plan invokes, as the printing commands show them.

use super::command;

/// A plan of an update with one action before and one after it, one that the person asked for, and one that is deferred.
pub(crate) const PLAN: &str = r#"{"format_version": "1.2", "terraform_version": "1.14.0", "planned_values": {"root_module": {}},
    "resource_changes": [
      {"address": "lab_flask.one", "mode": "managed", "type": "lab_flask", "name": "one", "provider_name": "registry.terraform.io/acme/lab",
       "change": {"actions": ["update"], "before": {"id": "1", "volume": 1}, "after": {"id": "1", "volume": 2},
                  "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}}}],
    "action_invocations": [
      {"address": "action.lab_wash.after", "type": "lab_wash", "name": "after", "provider_name": "registry.terraform.io/acme/lab",
       "config_values": {"heat": 80, "soap": "hush-soap"}, "config_sensitive": {"soap": true}, "config_unknown": {"rounds": true},
       "lifecycle_action_trigger": {"triggering_resource_address": "lab_flask.one", "action_trigger_event": "AfterUpdate",
         "action_trigger_block_index": 1, "actions_list_index": 0, "on_failure": "ActionOnFailureTaint"}},
      {"address": "action.lab_wash.before", "type": "lab_wash", "name": "before", "provider_name": "registry.terraform.io/acme/lab",
       "lifecycle_action_trigger": {"triggering_resource_address": "lab_flask.one", "action_trigger_event": "BeforeUpdate",
         "action_trigger_block_index": 0, "actions_list_index": 0, "on_failure": "ActionOnFailureHalt"}},
      {"address": "module.m.action.lab_ring.bell", "type": "lab_ring", "name": "bell", "provider_name": "registry.terraform.io/acme/lab",
       "config_values": {"tone": "a\u001b[2Jb"}, "config_sensitive": {}, "config_unknown": {}, "invoke_action_trigger": {}}],
    "deferred_action_invocations": [{"reason": "absent_prereq", "action_invocation":
      {"address": "action.lab_ring.later", "type": "lab_ring", "name": "later", "provider_name": "registry.terraform.io/acme/lab",
       "lifecycle_action_trigger": {"triggering_resource_address": "lab_flask.gone", "action_trigger_event": "AfterCreate",
         "action_trigger_block_index": 0, "actions_list_index": 0, "on_failure": "ActionOnFailureContinue"}}}]}"#;

fn run(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    std::fs::write(&path, PLAN).unwrap();
    let path = path.to_str().unwrap();
    let run = command(&[&["diff", path], args].concat());
    assert!(matches!(run.code, 0 | 2), "{run:?}");
    assert!(!run.out.contains("hush"), "{}", run.out);
    assert!(!run.out.contains('\u{1b}'), "{}", run.out);
    run.out
}

#[test]
fn actions_are_listed_with_the_change_that_triggers_them() {
    let want = "\
~ lab_flask.one  update
      id: \"1\"
    ~ volume: 1 → 2
    » action.lab_wash.before  before update
    » action.lab_wash.after  after update
        if it fails, the resource is tainted
        heat: 80
        rounds: (known after apply)
        soap: [secret]
actions
    » module.m.action.lab_ring.bell  as requested
        tone: \"a␛[2Jb\"
    » action.lab_ring.later  after create, deferred: a prerequisite for this resource has not yet been created
        if it fails, the run goes on
1 to update · 3 actions to invoke · 1 action deferred
";
    let told = run(&[]);
    assert_eq!(told, want);
}

#[test]
fn markdown_lists_actions() {
    let told = run(&["--markdown"]);
    assert!(
        told.contains("» action.lab_wash.before  before update\n"),
        "{told}"
    );
    assert!(told.contains("<summary>actions</summary>"), "{told}");
    assert!(told.contains("1 action deferred"), "{told}");
}

#[test]
fn actions_are_shown_as_terraform_shows_them() {
    let told = run(&["--format", "terraform"]);
    let want = r#"
    # Actions to be invoked before this change in order:
    # action.lab_wash.before
    action "lab_wash" "before" {
    }


    # Actions to be invoked after this change in order:
    # action.lab_wash.after
    action "lab_wash" "after" {
        config {
            heat   = 80
            rounds = (known after apply)
            soap   = (sensitive value)
        }
    }
"#;
    assert!(told.contains(want), "{told}");
    assert!(told.contains(" Actions: 3 to invoke.\n\nTerraform will invoke the following action(s):\n\n  # module.m.action.lab_ring.bell will be invoked\n"), "{told}");
    assert!(!told.contains("later"), "{told}");
}

#[test]
fn a_plan_that_only_invokes_is_no_plan_without_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    let only = PLAN.replace("\"update\"", "\"no-op\"");
    std::fs::write(&path, only).unwrap();
    let run = command(&["diff", path.to_str().unwrap(), "--exit-code"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.out.contains("» action.lab_wash.before"), "{run:?}");
}

#[test]
fn the_mode_of_a_plan_can_be_set() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    let empty = r#"{"format_version": "1.2", "terraform_version": "1.9.0", "planned_values": {"root_module": {}}, "applyable": false,
        "complete": true, "errored": false, "configuration": {"root_module": {}}}"#;
    std::fs::write(&path, empty).unwrap();
    let path = path.to_str().unwrap();
    let told = |mode: &[&str]| command(&[&["diff", path, "--format", "terraform"], mode].concat());
    assert!(
        told(&["--mode", "destroy"])
            .out
            .contains("No objects need to be destroyed.")
    );
    assert!(
        told(&["--mode", "refresh-only"])
            .out
            .contains("still matches the configuration.")
    );
    let silent = told(&["--mode", "normal"]);
    assert!(
        silent
            .out
            .contains("Your infrastructure matches the configuration.")
    );
    assert!(!silent.err.contains("--mode"), "{}", silent.err);
    assert!(told(&[]).err.contains("set it with --mode"));
    assert_eq!(command(&["diff", path, "--mode", "destroy"]).code, 64);
}
