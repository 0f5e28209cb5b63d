//! Numbers in messages.

/// A number with its thousands separated: `1,284`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 resource`, `2 resources`, `2 entries`, `2 hashes`. All messages use it.
pub fn plural(number: usize, what: &str) -> String {
    let number_text = count(number as u64);
    match (number, what.strip_suffix("ry")) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{number_text} {stem}ries"),
        (_, None) if what.ends_with("sh") => format!("{number_text} {what}es"),
        (_, None) => format!("{number_text} {what}s"),
    }
}

/// Those of the numbers that are not 0, each with its word: `2 deleted`.
pub fn counted<'w>(numbers: impl IntoIterator<Item = (u64, &'w str)>) -> Vec<String> {
    let counted = numbers.into_iter().filter(|(n, _)| *n > 0);
    counted
        .map(|(n, word)| format!("{} {word}", count(n)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        assert_eq!(count(1_284), "1,284");
        assert_eq!(count(300_412), "300,412");
        assert_eq!(plural(1, "resource"), "1 resource");
        assert_eq!(plural(1284, "resource"), "1,284 resources");
        assert_eq!(plural(0, "entry"), "0 entries");
        assert_eq!(plural(3, "hash"), "3 hashes");
    }
}
