//! Natural order of names.

use std::cmp::Ordering;

/// Compares names naturally: runs of digits by their number, all other text by character, first ignoring case.
///
/// `web[2]` comes before `web[10]`, `alpha` before `Beta`. Different names are never equal.
pub fn natural(one: &str, other: &str) -> Ordering {
    loosely(one.as_bytes(), other.as_bytes()).then_with(|| one.cmp(other))
}

fn loosely(mut one: &[u8], mut other: &[u8]) -> Ordering {
    loop {
        match (one.first(), other.first()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(left), Some(right)) if left.is_ascii_digit() && right.is_ascii_digit() => {
                let (left, rest) = number(one);
                let (right, other_rest) = number(other);
                let order = left.len().cmp(&right.len()).then_with(|| left.cmp(right));
                if order.is_ne() {
                    return order;
                }
                (one, other) = (rest, other_rest);
            }
            (Some(left), Some(right)) => {
                let order = left.to_ascii_lowercase().cmp(&right.to_ascii_lowercase());
                if order.is_ne() {
                    return order;
                }
                (one, other) = (&one[1..], &other[1..]);
            }
        }
    }
}

/// The first bytes of a name as a number: if the number of one name is less than that of another, [`natural`] orders the names
/// the same way.
///
/// Digits are encoded as a `0`, their number without leading zeros, and the digits. The rest is in lower case. As texts, these
/// compare as the names do. The encoding stops at a number that is too long for it.
pub(super) fn head(name: &str) -> u128 {
    const LEN: usize = 16;
    let mut bytes = [0; LEN];
    let mut at = 0;
    let mut rest = name.as_bytes();
    while let Some(first) = rest.first().filter(|_| at < LEN) {
        if !first.is_ascii_digit() {
            bytes[at] = first.to_ascii_lowercase();
            (at, rest) = (at + 1, &rest[1..]);
            continue;
        }
        let (digits, behind) = number(rest);
        let len = u8::try_from(digits.len()).unwrap_or(u8::MAX);
        let significant = if len == u8::MAX { &[] } else { digits };
        for byte in [b'0', len].iter().chain(significant).take(LEN - at) {
            bytes[at] = *byte;
            at += 1;
        }
        if len == u8::MAX {
            break;
        }
        rest = behind;
    }
    u128::from_be_bytes(bytes)
}

/// The digits at the start without leading zeros, and the rest of the text.
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    let start = text[..end]
        .iter()
        .position(|byte| *byte != b'0')
        .unwrap_or(end);
    (&text[start..end], &text[end..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{head, natural};

    #[test]
    fn numbers_count_by_size_and_case_comes_last() {
        let mut names = [
            "web[10]", "web[2]", "Beta", "alpha", "web[02]", "Alpha", "web",
        ];
        names.sort_by(|one, other| natural(one, other));
        assert_eq!(
            names,
            [
                "Alpha", "alpha", "Beta", "web", "web[02]", "web[2]", "web[10]"
            ]
        );
    }

    proptest! {
        #[test]
        fn heads_never_contradict(one in "[aAb0-2:/é-]{0,24}|[0-9]{0,20}|0*1[0]{0,300}", other in "[aAb0-2:/é-]{0,24}|[0-9]{0,20}|0*1[0]{0,300}") {
            let by_head = head(&one).cmp(&head(&other));
            prop_assert!(by_head.is_eq() || by_head == natural(&one, &other), "{one} {other}");
        }
    }
}
