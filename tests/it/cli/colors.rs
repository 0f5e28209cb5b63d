//! Colors of printed output: only where somebody reads them, and nothing but colors.

use super::{AFTER, BEFORE, PLAN, PREVIEW, Run, SHOP, command, root};

/// Commands whose output has colors.
const COLORED: &[&[&str]] = &[
    &["brief", PLAN],
    &["brief", PREVIEW],
    &["diff", PLAN],
    &["diff", BEFORE, AFTER],
    &["ls", SHOP],
    &["ls", PLAN],
    &["info", SHOP],
    &["info", "tests/corpus/bad/truncated.tfstate"],
    &["check", SHOP],
    &["check", PLAN, "--state", AFTER],
    &["find", SHOP, "tags.*"],
    &["deps", SHOP, "orders-db"],
    &["deps", SHOP, "orders-db", "--reverse", "--transitive"],
];

/// The text without the escape sequences of colors.
fn stripped(text: &str) -> String {
    let colors = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    colors.replace_all(text, "").into_owned()
}

#[test]
fn a_colored_output_is_the_plain_one_with_colors() {
    for args in COLORED {
        let plain = command(args);
        assert!(!plain.out.contains('\u{1b}'), "{args:?}");
        for theme in ["dark", "light", "sixteen", "colorblind"] {
            let options = ["--color", "always", "--theme", theme];
            let colored = command(&[args, &options[..]].concat());
            assert_eq!(colored.code, plain.code, "{args:?}");
            assert!(colored.out.contains('\u{1b}'), "{args:?}");
            assert_eq!(stripped(&colored.out), plain.out, "{args:?}");
            assert_eq!(stripped(&colored.err), plain.err, "{args:?}");
        }
    }
}

#[test]
fn outputs_for_programs_have_no_colors() {
    for args in [
        &["ls", SHOP, "--json"][..],
        &["brief", PLAN, "--markdown"],
        &["brief", PLAN, "--json"],
        &["diff", PLAN, "--markdown"],
        &["diff", PLAN, "--format", "terraform"],
        &["get", SHOP, "orders-db", "--json"],
        &["graph", SHOP],
        &["rules", "--json"],
    ] {
        let plain = command(args);
        let colored = command(&[args, &["--color", "always"]].concat());
        assert_eq!(colored.out, plain.out, "{args:?}");
    }
}

/// Runs the built program, whose output is a pipe.
fn piped(args: &[&str], variables: &[(&str, &str)]) -> Run {
    let output = crate::built()
        .args(args)
        .current_dir(root())
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn variables_and_the_option_decide() {
    let has_color = |args: &[&str], variables: &[(&str, &str)]| {
        let run = piped(&[&["ls", SHOP], args].concat(), variables);
        assert_eq!(run.code, 0, "{run:?}");
        run.out.contains('\u{1b}')
    };
    let force = ("CLICOLOR_FORCE", "1");
    assert!(!has_color(&[], &[]));
    assert!(has_color(&[], &[force]));
    assert!(!has_color(&[], &[force, ("NO_COLOR", "1")]));
    assert!(!has_color(&["--color", "never"], &[force]));
    assert!(has_color(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(has_color(&[], &[("STACKLENS_COLOR", "always")]));
}

#[test]
fn errors_have_a_color_too() {
    let run = piped(&["ls", "missing.json"], &[("CLICOLOR_FORCE", "1")]);
    assert!(run.err.starts_with("\u{1b}["), "{run:?}");
    let plain = piped(&["ls", "missing.json"], &[]);
    assert!(
        plain.err.starts_with("stacklens: missing.json"),
        "{plain:?}"
    );
    assert_eq!(stripped(&run.err), plain.err);
}
