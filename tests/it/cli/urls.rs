//! URLs in place of files, in the build without connections. `tests/remote` asks real servers with the other one.

/// Every command that takes a file refuses a URL, says how to get the other build, and never repeats the password or the signature.
#[test]
fn a_url_is_refused_without_its_secrets() {
    const SECRET: &str = "https://me:hunter2@host/state?sig=abc123";
    const OTHER: &str = "https://host/other?sig=abc123";
    let commands: [&[&str]; 15] = [
        &["info", SECRET],
        &["info", SECRET, OTHER],
        &["ls", SECRET],
        &["get", SECRET, "x"],
        &["find", SECRET, OTHER, "=x"],
        &["check", SECRET, "--state", OTHER],
        &["deps", SECRET, "x"],
        &["graph", SECRET],
        &["diff", SECRET, OTHER],
        &["diff", SECRET, "--format", "terraform"],
        &["brief", SECRET],
        &["brief", SECRET, OTHER, "--json"],
        &["brief", SECRET, OTHER, "--sarif"],
        &["brief", SECRET, OTHER, "--html", "-"],
        &[SECRET],
    ];
    for words in commands {
        let output = crate::built().args(words).output().unwrap();
        let [printed, said] =
            [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        assert_ne!(output.status.code(), Some(0), "{words:?}");
        assert!(said.contains("https://host/"), "{words:?}: {said}");
        assert!(said.contains("--features remote"), "{words:?}: {said}");
        for text in [&printed, &said] {
            assert!(
                !text.contains("hunter2") && !text.contains("abc123"),
                "{words:?}: {text}"
            );
        }
    }
}

#[test]
fn a_bucket_is_refused_with_the_way_to_the_other_build() {
    for words in [
        ["info", "s3://states/"],
        ["ls", "gs://states/a.tfstate"],
        ["check", "az://c/"],
    ] {
        let output = crate::built().args(words).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains(words[1]) && said.contains("--features remote"),
            "{said}"
        );
    }
}
