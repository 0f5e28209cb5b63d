//! Texts that look the same: a letter of another script, a character that nobody sees, another case, other white space.

use super::tables::WORDS;
use super::{Fact, Notice, Reader, Seen};
use crate::change::groups::grouped;
use crate::change::rules::Level;
use crate::path::Path;
use crate::text::{has_word, is_unsafe_to_show};

/// Maximum length of a text that is looked at, in bytes.
const MAX_TEXT: usize = 4_096;

/// Letters that look like one of ASCII.
///
/// # Source
///
/// Unicode 16.0, `confusables.txt`: the letters of Greek and Cyrillic that are like a single Latin letter.
const TWINS: [(&str, &str); 2] = [
    (
        "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝ",
        "ABESIJKMHOPCTYXaesijopcyxhdqw",
    ),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲϳ", "ABEZHIKMNOPTYXocj"),
];

/// The way in which two texts look the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Likeness {
    /// Nobody can see the difference.
    Hidden,
    /// The case or the white space differs.
    Slight,
}

/// A change that looks like none.
pub(super) type Alike = (Level, Likeness, Fact);

/// The changes of a resource that look like none.
pub(super) fn find(seen: &Seen<'_>) -> Vec<Alike> {
    let alike = seen.leaves.iter().filter_map(|leaf| {
        let is_masked = leaf.before.is_secret() || leaf.after.is_secret();
        let (before, after) = (leaf.before.as_str()?, leaf.after.as_str()?);
        let is_long = before.len().max(after.len()) > MAX_TEXT;
        if leaf.is_without_effect() || is_masked || is_long {
            return None;
        }
        let (likeness, note) = likeness(before, after)?;
        let level = if likeness == Likeness::Hidden && is_identity(&leaf.path, after) {
            Level::Warning
        } else {
            Level::Note
        };
        Some((level, likeness, Fact::of(seen.id, leaf).with_note(note)))
    });
    alike.collect()
}

/// A notice about all changes that look like none in one way.
pub(super) fn notices(alike: Vec<Alike>, reader: &Reader<'_>) -> Vec<Notice> {
    let alike = alike
        .into_iter()
        .map(|(level, likeness, fact)| ((level, likeness), fact));
    let notices = grouped(alike).into_iter().map(|((level, likeness), mut facts)| {
        facts.sort_by_cached_key(|it| (reader.stack.identity(it.id), it.id, it.path.clone()));
        // Inputs and outputs say the same.
        facts.dedup();
        let says = match likeness {
            Likeness::Hidden => "a new text looks like the old one, and is another one",
            Likeness::Slight => "only the case or the white space of a text changes, and it may mean something else",
        };
        Notice::of(reader.stack, facts, level, "looks-the-same", says)
    });
    notices.collect()
}

/// The way in which two different texts look the same, with the words for the difference.
fn likeness(before: &str, after: &str) -> Option<(Likeness, String)> {
    if before == after || differ_plainly(before, after) {
        return None;
    }
    likeness_of_others(before, after)
}

/// The same for two texts that are not equal.
fn likeness_of_others(before: &str, after: &str) -> Option<(Likeness, String)> {
    let seen = |text: &str| -> String {
        let seen = text.chars().filter(|char| !is_hidden(*char));
        seen.map(|char| twin(char).unwrap_or(char)).collect()
    };
    if seen(before) == seen(after) {
        let strange = |text: &str, other: &str| {
            let is_strange = |char: &char| is_hidden(*char) || twin(*char).is_some();
            let mut own = text.chars().filter(|char| is_strange(char));
            own.find(|char| !other.contains(*char))
        };
        let char = strange(after, before).or_else(|| strange(before, after));
        return Some((Likeness::Hidden, in_words(char)));
    }
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    if before.replace('\r', "") == after.replace('\r', "") {
        Some((Likeness::Slight, "only the ends of lines differ".to_owned()))
    } else if squeezed(before) == squeezed(after) {
        Some((Likeness::Slight, "only white space differs".to_owned()))
    } else if before.to_lowercase() == after.to_lowercase() {
        Some((Likeness::Slight, "only the case differs".to_owned()))
    } else {
        None
    }
}

/// True for two texts of ASCII that differ in more than case and white space. Most changed texts are of this sort.
fn differ_plainly(before: &str, after: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> + '_ {
        let letters = text
            .bytes()
            .filter(|byte| !char::from(*byte).is_whitespace());
        letters.map(|byte| byte.to_ascii_lowercase())
    }
    before.is_ascii() && after.is_ascii() && !letters(before).eq(letters(after))
}

/// The words for a character that hides a difference.
fn in_words(char: Option<char>) -> String {
    match char {
        Some(char) if is_hidden(char) => {
            format!("looks the same, but U+{:04X} is invisible", u32::from(char))
        }
        Some(char) => format!("looks the same, but {char} is U+{:04X}", u32::from(char)),
        None => "looks the same, but its characters are others".to_owned(),
    }
}

/// True for a character without a shape, which is no white space.
fn is_hidden(char: char) -> bool {
    is_unsafe_to_show(char) && !char.is_whitespace() && !char.is_control()
}

/// The character of ASCII that looks the same.
fn twin(char: char) -> Option<char> {
    match char {
        // The wide forms of ASCII follow it in order.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xff01 + 0x21),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' => Some(' '),
        char if char.is_ascii() => None,
        char => TWINS.iter().find_map(|(others, own)| {
            let mut pairs = others.chars().zip(own.chars());
            pairs.find(|(other, _)| *other == char).map(|(_, own)| own)
        }),
    }
}

/// True for a property or a text that names somebody or something.
fn is_identity(path: &Path, text: &str) -> bool {
    let is_named = path
        .last_key()
        .is_some_and(|key| has_word(key, &WORDS.identities));
    is_named || text.starts_with("arn:") || text.contains('@') || text.contains("://")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_that_look_the_same_say_how_they_differ() {
        let note = |before: &str, after: &str| likeness(before, after).map(|(_, note)| note);
        for (before, after, want) in [
            (
                "admin",
                "\u{430}dmin",
                "looks the same, but \u{430} is U+0430",
            ),
            (
                "\u{430}dmin",
                "admin",
                "looks the same, but \u{430} is U+0430",
            ),
            (
                "abc",
                "a\u{200b}bc",
                "looks the same, but U+200B is invisible",
            ),
            (
                "abc",
                "\u{ff41}bc",
                "looks the same, but \u{ff41} is U+FF41",
            ),
            ("a b", "a\u{a0}b", "looks the same, but \u{a0} is U+00A0"),
            ("Abc", "abc", "only the case differs"),
            ("abc", "abc ", "only white space differs"),
            ("a\r\nb", "a\nb", "only the ends of lines differ"),
        ] {
            assert_eq!(
                note(before, after).as_deref(),
                Some(want),
                "{before:?} {after:?}"
            );
        }
        for (before, after) in [("abc", "abd"), ("ab", "a b c"), ("пар", "рап"), ("a", "a")] {
            assert_eq!(note(before, after), None, "{before:?} {after:?}");
        }
    }

    proptest! {
        #[test]
        fn texts_that_differ_plainly_do_not_look_the_same(
            before in "[abA \\t\\r\\n\\x0b\\x1c\u{430}]{0,6}",
            after in "[abA \\t\\r\\n\\x0b\\x1c\u{430}]{0,6}",
        ) {
            if differ_plainly(&before, &after) {
                prop_assert_eq!(likeness_of_others(&before, &after), None);
            }
        }
    }

    #[test]
    fn each_twin_has_its_letter() {
        for (others, own) in TWINS {
            assert_eq!(others.chars().count(), own.len());
            assert!(own.is_ascii() && others.chars().all(|char| !char.is_ascii()));
        }
    }
}
