//! A build without the interpreter of Rego says so when it is asked for policies.

use super::super::{PLAN, command};

const ABSENT: &str = "this build has no Rego policies: cargo install --path . --features policy";

#[test]
fn policies_are_refused_before_anything_is_read() {
    for args in [
        &["brief", PLAN, "--policy", "no/such/folder"][..],
        &[PLAN, "--policy", "no/such/folder"],
    ] {
        let run = command(args);
        assert_eq!(run.code, 65, "{args:?}: {run:?}");
        assert!(run.err.contains(ABSENT), "{args:?}: {run:?}");
        assert_eq!(run.out, "", "{args:?}");
    }
}
