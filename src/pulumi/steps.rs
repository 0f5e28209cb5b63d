//! The steps of the engine in words.
//!
//! # Source
//!
//! pulumi/pulumi `pkg/resource/deploy/step.go` for the names of steps, and `pkg/display/` for what a refresh turned out to be.

/// A step in words: `delete the replaced one` for `delete-replaced`, `refresh, gone outside` for `refresh: delete`. A step that is
/// a word already, and one that is not known, stays as it is; so does a remark after it.
pub fn in_words(step: &str) -> String {
    let mut parts = step.split(": ").peekable();
    let op = parts.next().unwrap_or_default();
    let found = match parts.peek().copied().filter(|_| op == "refresh") {
        Some("same") => ", as it was",
        Some("update") => ", changed outside",
        Some("delete") => ", gone outside",
        _ => "",
    };
    if !found.is_empty() {
        parts.next();
    }
    let op = match op {
        "same" => "no change",
        "create-replacement" => "create the replacement",
        "read-replacement" => "read the replacement",
        "import-replacement" => "import the replacement",
        "delete-replaced" => "delete the replaced one",
        "discard" => "read no longer",
        "discard-replaced" => "read the replaced one no longer",
        "remove-pending-replace" => "end the pending replacement",
        op => op,
    };
    let rest = parts.map(|part| format!(": {part}"));
    format!("{op}{found}{}", rest.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn steps_are_told_in_words() {
        for (step, want) in [
            ("update", "update"),
            ("delete-replaced", "delete the replaced one"),
            ("delete-replaced: failed", "delete the replaced one: failed"),
            ("refresh", "refresh"),
            ("refresh: same", "refresh, as it was"),
            ("refresh: delete: failed", "refresh, gone outside: failed"),
            ("refresh: failed", "refresh: failed"),
            ("something-new", "something-new"),
            ("", ""),
        ] {
            assert_eq!(in_words(step), want);
        }
    }
}
