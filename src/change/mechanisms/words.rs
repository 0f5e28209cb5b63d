//! The words of types and properties, in whatever style they are written.

/// The words of a name in lower case: `security`, `group` and `rule` of `aws_security_group_rule` and of `SecurityGroupRule`. The
/// provider of a type is left out.
pub(super) fn of_type(ty: &str) -> Vec<String> {
    if let Some((_, name)) = ty.rsplit_once(':') {
        return of_name(name);
    }
    let mut words = of_name(ty);
    if words.len() > 1 {
        words.remove(0);
    }
    words
}

/// The last word of [`of_type`], "" if there is none.
pub(super) fn last_of_type(ty: &str) -> String {
    let name = ty.rsplit_once(':').map_or(ty, |(_, name)| name);
    let is_end = |char: char| !char.is_alphanumeric();
    let name = name.trim_end_matches(is_end);
    let start = name.rfind(is_end).map_or(0, |at| at + 1);
    of_name(name.get(start..).unwrap_or(name))
        .pop()
        .unwrap_or_default()
}

/// The words of a property or of a name in lower case.
pub fn of_name(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    let mut was_upper = false;
    for char in name.chars() {
        if !char.is_alphanumeric() {
            is_open = false;
            was_upper = false;
            continue;
        }
        let is_upper = char.is_uppercase();
        if !is_open || is_upper && !was_upper {
            words.push(String::new());
            is_open = true;
        }
        if let Some(word) = words.last_mut() {
            word.extend(char.to_lowercase());
        }
        was_upper = is_upper;
    }
    words
}

/// A word without the ending of its plural: `rule` of `rules`, `policy` of `policies`.
pub(super) fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') && stem.len() > 2 => stem.to_owned(),
        Some(_) | None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_tools_have_the_same_words() {
        let want = ["security", "group", "rule"];
        assert_eq!(of_type("aws_security_group_rule"), want);
        assert_eq!(of_type("aws:ec2/securityGroupRule:SecurityGroupRule"), want);
        assert_eq!(of_name("desiredCount"), ["desired", "count"]);
        assert_eq!(of_name("DBSubnet_ids"), ["dbsubnet", "ids"]);
    }

    #[test]
    fn plurals_lose_their_ending() {
        let of = ["rules", "policies", "ingress", "addresses", "rule"];
        assert_eq!(
            of.map(singular),
            ["rule", "policy", "ingress", "addresse", "rule"]
        );
    }
}
