//! Color tags in the messages of Pulumi: `<{%fg 1%}>error<{%reset%}>`.

/// The text without its tags.
///
/// # Source
///
/// pulumi/pulumi `sdk/go/common/diag/colors`.
pub(crate) fn strip(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    // If one tag has no end, none after it has one.
    while let Some((before, tag)) = rest.split_once("<{%")
        && let Some((_, after)) = tag.split_once("%}>")
    {
        plain.push_str(before);
        rest = after;
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::strip;

    #[test]
    fn tags_are_dropped_and_what_only_begins_like_one_stays() {
        assert_eq!(
            strip("<{%fg 1%}>error:<{%reset%}> no <{%%}>quota"),
            "error: no quota"
        );
        assert_eq!(strip("a <{% b <{% c"), "a <{% b <{% c");
        assert_eq!(strip("100 %}> sure"), "100 %}> sure");
    }
}
