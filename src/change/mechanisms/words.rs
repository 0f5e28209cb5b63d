//! The words of types, in whatever style they are written.

use crate::text::{pieces, words};

/// The words of a name in lower case: `security`, `group` and `rule` of `aws_security_group_rule` and of `SecurityGroupRule`. The
/// provider of a type is left out.
pub(super) fn of_type(ty: &str) -> Vec<String> {
    if let Some((_, name)) = ty.rsplit_once(':') {
        return words(name);
    }
    let mut words = words(ty);
    if words.len() > 1 {
        words.remove(0);
    }
    words
}

/// The last word of [`of_type`], "" if there is none.
pub(super) fn last_of_type(ty: &str) -> String {
    let name = ty.rsplit_once(':').map_or(ty, |(_, name)| name);
    pieces(name).last().unwrap_or_default().to_lowercase()
}

/// True if the words of a type end in those of a phrase.
pub(super) fn ends_in(ty: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let start = ty.len().checked_sub(phrase.len());
    start.is_some_and(|start| ty[start..].iter().eq(&phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_both_tools_have_the_same_words() {
        let want = ["security", "group", "rule"];
        for ty in [
            "aws_security_group_rule",
            "aws:ec2/securityGroupRule:SecurityGroupRule",
        ] {
            assert_eq!(of_type(ty), want);
            assert_eq!(last_of_type(ty), "rule");
        }
        assert_eq!(
            of_type("gcp:storage/bucketIAMMember:BucketIAMMember"),
            ["bucket", "iam", "member"]
        );
        assert_eq!(last_of_type(""), "");
    }
}
