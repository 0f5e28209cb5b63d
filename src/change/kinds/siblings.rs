//! Resources that come from one place of the program: instances of one `count` or `for_each`, and resources that one component
//! creates in each of its copies.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::pulumi::urn;
use crate::stack::{ResourceId, Stack};
use crate::terraform::address::{Address, Key, ObjectName, config_address};

/// The name that all siblings of a resource share.
///
/// For Terraform it is the type and the name in the module, so that calls of one module are siblings too. For Pulumi it is the
/// type, the types of the parents, and the name without its numbers and without the name of its parent.
pub fn family(stack: &Stack, id: ResourceId) -> String {
    if let Some(address) = stack.address(id) {
        let address = config_address(ObjectName::parse(address).address).into_owned();
        let mut steps = address.rsplit('.');
        let (name, ty) = (
            steps.next().unwrap_or_default(),
            steps.next().unwrap_or_default(),
        );
        let is_data = steps.next() == Some("data");
        return format!("{}{ty}.{name}", if is_data { "data." } else { "" });
    }
    let urn = stack.urn(id);
    let parts = urn::parts(&urn);
    let qualified = parts.map_or(stack.ty(id), |parts| parts.qualified_type);
    let parent = stack
        .record(id)
        .parent
        .map(|parent| stack.short_name(parent));
    let name = without_parent(stack.short_name(id), parent);
    format!("{qualified}::{}", without_numbers(name))
}

/// The name of a resource without the name of its parent in front of it.
fn without_parent<'n>(name: &'n str, parent: Option<&str>) -> &'n str {
    let rest = parent.and_then(|parent| name.strip_prefix(parent));
    match rest.map(|rest| rest.trim_start_matches(['-', '_', '.', '/'])) {
        Some(rest) if !rest.is_empty() => rest,
        Some(_) | None => name,
    }
}

/// A text with each run of digits as `#`.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            char => out.push(char),
        }
    }
    out
}

/// The names of several resources in few words: instances of one `count` or `for_each` are one entry, as in
/// `aws_subnet.private[0-2]`. Each comes with the number of resources that it stands for. The entries are sorted.
pub fn folded<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<(String, usize)> {
    let mut numbers: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut entries: Vec<(String, usize)> = Vec::new();
    for name in names {
        match instance(name) {
            Some((stem, Key::Number(number))) => {
                numbers.entry(stem.into_owned()).or_default().push(number);
            }
            Some((stem, Key::Text(text))) => texts.entry(stem.into_owned()).or_default().push(text),
            None => entries.push((name.to_owned(), 1)),
        }
    }
    for (stem, mut numbers) in numbers {
        numbers.sort_unstable();
        entries.push((format!("{stem}[{}]", ranges(&numbers)), numbers.len()));
    }
    for (stem, mut keys) in texts {
        keys.sort_unstable();
        let keys: Vec<String> = keys
            .iter()
            .map(|key| crate::terraform::address::quote_key(key))
            .collect();
        entries.push((format!("{stem}[{}]", keys.join(", ")), keys.len()));
    }
    entries.sort_unstable();
    entries
}

/// The name of the resource of an instance, and the key of the instance.
fn instance(name: &str) -> Option<(Cow<'_, str>, Key)> {
    let address = Address::parse(name).ok()?;
    let key = address.key?;
    let end = name.rfind('[')?;
    // A key may contain brackets.
    let stem = match &key {
        Key::Number(_) => &name[..end],
        Key::Text(text) => {
            name.strip_suffix(&format!("[{}]", crate::terraform::address::quote_key(text)))?
        }
    };
    Some((stem.into(), key))
}

/// Sorted numbers as ranges: `0-2, 5`.
fn ranges(numbers: &[u64]) -> String {
    let mut out = String::new();
    for run in numbers.chunk_by(|one, other| *other <= one + 1) {
        let comma = if out.is_empty() { "" } else { ", " };
        // Writing to a string cannot fail.
        _ = match run {
            [first, .., last] if first != last => write!(out, "{comma}{first}-{last}"),
            [first, ..] => write!(out, "{comma}{first}"),
            [] => Ok(()),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_one_entry() {
        let names = [
            "aws_subnet.private[2]",
            "aws_subnet.private[0]",
            "aws_subnet.private[1]",
            "aws_subnet.private[7]",
            "module.a.aws_subnet.private[0]",
            "aws_s3_bucket.logs",
            r#"aws_iam_user.it["b"]"#,
            r#"aws_iam_user.it["a[0]"]"#,
        ];
        let want = [
            (r#"aws_iam_user.it["a[0]", "b"]"#, 2),
            ("aws_s3_bucket.logs", 1),
            ("aws_subnet.private[0-2, 7]", 4),
            ("module.a.aws_subnet.private[0]", 1),
        ];
        let want = want.map(|(name, count)| (name.to_owned(), count));
        assert_eq!(folded(names), want);
    }

    #[test]
    fn a_name_has_no_number_and_no_parent() {
        assert_eq!(without_numbers("web-12-a3"), "web-#-a#");
        assert_eq!(without_parent("shop-bucket", Some("shop")), "bucket");
        assert_eq!(without_parent("shop", Some("shop")), "shop");
        assert_eq!(without_parent("bucket", None), "bucket");
    }
}
