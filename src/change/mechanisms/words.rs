//! The words of types, in whatever style they are written.

use crate::text::{count, pieces, words};

/// The words of a name in lower case: `security`, `group` and `rule` of `aws_security_group_rule` and of `SecurityGroupRule`. The
/// provider of a type and a version at its end are left out.
pub(super) fn of_type(ty: &str) -> Vec<String> {
    let (has_provider, name) = match ty.rsplit_once(':') {
        Some((_, name)) => (false, name),
        None => (true, ty),
    };
    let mut words = words(name);
    if has_provider && words.len() > 1 {
        words.remove(0);
    }
    words.pop_if(|it| is_version(it));
    words
}

/// The words of a type after that of its module in Pulumi: `serviceaccount`, `account` of `gcp:serviceaccount/account:Account`.
pub(super) fn with_module(ty: &str) -> Vec<String> {
    let module = ty
        .split_once(':')
        .and_then(|(_, rest)| rest.split(['/', ':']).next());
    let module = module.into_iter().map(str::to_lowercase);
    module.chain(of_type(ty)).collect()
}

/// True for the version of a type of Kubernetes: `v1`, `v2beta2`.
fn is_version(word: &str) -> bool {
    let number = word.strip_prefix('v');
    number.is_some_and(|it| it.starts_with(|char: char| char.is_ascii_digit()))
}

/// The last word of [`of_type`], "" if there is none.
pub(super) fn last_of_type(ty: &str) -> String {
    let name = ty.rsplit_once(':').map_or(ty, |(_, name)| name);
    let words = pieces(name).filter(|it| !is_version(it));
    words.last().unwrap_or_default().to_lowercase()
}

/// True if the words of a type end in those of a phrase.
pub(super) fn ends_in(ty: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let start = ty.len().checked_sub(phrase.len());
    start.is_some_and(|start| ty[start..].iter().eq(&phrase))
}

/// Names as the list in a sentence, of many the first ones: `a, b and c`, `a, b and 7 more`.
pub(super) fn listed(names: &[&str], most: usize) -> String {
    match names {
        [first @ .., last] if !first.is_empty() && names.len() <= most => {
            format!("{} and {last}", first.join(", "))
        }
        names => {
            let first = names[..most.min(names.len())].join(", ");
            match names.len().saturating_sub(most) {
                0 => first,
                n_more => format!("{first} and {} more", count(n_more as u64)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_are_cut() {
        assert_eq!(listed(&[], 3), "");
        assert_eq!(listed(&["a"], 3), "a");
        assert_eq!(listed(&["a", "b", "c"], 3), "a, b and c");
        assert_eq!(listed(&["a", "b", "c", "d"], 3), "a, b, c and 1 more");
    }

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
        assert_eq!(
            of_type("kubernetes_network_policy_v1"),
            ["network", "policy"]
        );
        assert_eq!(last_of_type("kubernetes_role_binding_v1"), "binding");
        assert_eq!(last_of_type(""), "");
    }
}
