//! `brief --markdown`, for a pull request.

use super::super::command;
use super::super::rules::{PLAN_TEXT, written};
use super::large_plan;

#[test]
fn findings_come_first_and_groups_are_folded() {
    let (_folder, plan) = written("plan.json", PLAN_TEXT);
    let run = command(&["brief", &plan, "--markdown"]);
    assert_eq!(run.code, 0, "{run:?}");
    let want = "\
### `plan`

**3 changes**: 3 update

#### LOOK AT THESE FIRST · 2

- `~` `aws_db_instance.main` — backups are kept for a shorter time
  - `~ backup_retention_period  14 → 1`
  - the password of the administrator changes
  - `~ password  [secret] → [secret]`
  - not known before the apply, and it decides if nothing protects the database from deletion any longer
  - `~ deletion_protection  true → (known after apply)`
- `~` `aws_security_group.web` — ports are open to the whole internet
  - `+ ingress  0.0.0.0/0 to tcp 22`
";
    let title = run.out.lines().next().unwrap();
    assert_eq!(
        run.out.replacen(title, "### `plan`", 1)[..want.len()],
        *want,
        "{}",
        run.out
    );
    let folded = "\n<details><summary>ON THEIR OWN · 1</summary>\n\n```diff\n! acme_thing.a  ~ a  1 → 2\n```\n\n</details>\n";
    assert!(run.out.contains(folded), "{}", run.out);
    assert!(
        run.out.ends_with("\n`not judged: 1 masked secret`\n"),
        "{}",
        run.out
    );
    assert!(
        !run.out.contains("hunter") && !run.out.contains("Left out"),
        "{}",
        run.out
    );
}

/// Thousands of changes, each different, some with long names and long values: the text stays below the limit of hosts, and the
/// number of what is left out is right.
#[test]
fn a_large_plan_stays_below_the_limit() {
    for (n, long) in [
        (60, ""),
        (1000, ""),
        (1000, "`x|"),
        (700, "/a/very/long/value"),
    ] {
        // Without a finding, each is on its own.
        let text = large_plan(n, &long.repeat(40));
        let text = text.replace(r#""retention_in_days":400"#, r#""retention_in_days":4"#);
        let (_folder, plan) = written("plan.json", &text);
        let run = command(&["brief", &plan, "--markdown"]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.out.len() <= 65_536, "{}", run.out.len());
        let open = run
            .out
            .lines()
            .filter(|line| line.starts_with("<details>"))
            .count();
        let closed = run.out.lines().filter(|line| *line == "</details>").count();
        assert_eq!(open, closed);
        assert!(
            run.out
                .contains(&format!("**{} changes**", stacklens::text::count(n as u64))),
            "{}",
            &run.out[..200]
        );
        let of_section = run
            .out
            .split("<details><summary>ON THEIR OWN")
            .nth(1)
            .unwrap();
        let of_section = of_section.split("</details>").next().unwrap().lines();
        let shown = of_section
            .filter(|line| line.starts_with("! aws_cloudwatch_log_group."))
            .count();
        let left_out = run
            .out
            .lines()
            .find(|line| line.starts_with("**Left out here**"));
        if n == 60 {
            assert_eq!((shown, left_out), (60, None), "{}", run.out);
            continue;
        }
        assert!(
            run.out.len() > 20_000 && shown > 50,
            "{}: {shown}",
            run.out.len()
        );
        let [left, all] = [n - shown, n].map(|n| stacklens::text::count(n as u64));
        let want = format!("**Left out here**: {left} of {all} on their own");
        assert_eq!(left_out, Some(&*want));
    }
}

#[test]
fn a_plan_without_changes_says_so() {
    let (_folder, plan) = written("plan.json", &large_plan(0, ""));
    let run = command(&["brief", &plan, "--markdown"]);
    assert_eq!(run.out.lines().nth(2), Some("**no changes**"), "{run:?}");
}
