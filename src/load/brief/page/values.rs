//! The values of a detail: short enough for a line, and cut so that the difference is in it.

use std::collections::{BTreeSet, HashSet};

use super::MAX_VALUE;
use super::changes::plain;
use crate::change::decode::{Decoder, MAX_DOCUMENT, contents, packing};
use crate::change::difference::{Action, Reason, name_of};
use crate::change::kinds::is_hash;
use crate::change::leaves::Leaf;
use crate::change::quantity::number as quantity;
use crate::text::{NAME, count, cut, escaped, head, with_name};
use crate::value::{Map, Payload, Shown, Value};

/// Characters that both texts share and that stay in front of the difference.
const CONTEXT: usize = 20;

/// Number of bytes of a text of which more than [`MAX_VALUE`] characters are left.
const MAX_TEXT: usize = 8 * MAX_VALUE;

/// The beginning of a value. Of a long text only the beginning is read: a thousand notices may be about one place.
pub(super) fn short(value: &Value) -> String {
    let long = plain(value).filter(|text| text.len() > MAX_TEXT);
    let value = long.map_or_else(|| value.clone(), |text| Value::from(head(&text, MAX_TEXT)));
    cut(&escaped(&format!("{value:#}")), MAX_VALUE)
}

/// Both values of a change, and a word about them if they are not as they are in the file. Of long texts it is the part that
/// differs; of texts in base64 the decoded ones.
pub(super) fn both(before: &Value, after: &Value) -> (String, String, &'static str) {
    let (decoded, note) = match (from_base64(before), from_base64(after)) {
        (Some(before), Some(after)) => (Some([before, after]), "in base64"),
        (None, _) | (_, None) => (None, ""),
    };
    let [before, after] = decoded.unwrap_or_else(|| [before.clone(), after.clone()]);
    if let (Some(before), Some(after)) = (plain(&before), plain(&after)) {
        let texts = with_short_hashes([&before, &after]);
        let is_long = |text: &String| text.chars().count() > MAX_VALUE || text.contains('\n');
        let texts = if texts.iter().any(is_long) {
            differing(texts.each_ref().map(String::as_str))
        } else {
            texts
        };
        let [before, after] = texts.map(|text| both_ends(&Value::from(text)));
        return (before, after, note);
    }
    (short(&before), short(&after), note)
}

/// Both values of a change of one member of a group: of texts of several lines the parts that differ.
pub(super) fn sides(leaf: &Leaf) -> [Value; 2] {
    match (plain(&leaf.before), plain(&leaf.after)) {
        (Some(before), Some(after)) if before.contains('\n') || after.contains('\n') => {
            differing([&before, &after]).map(Value::from)
        }
        _ => [leaf.before.clone(), leaf.after.clone()],
    }
}

/// Number of characters at the end of a long text that are shown: what comes last may be the difference.
const END: usize = 40;

/// A value without its middle, if it is long.
fn both_ends(value: &Value) -> String {
    let text = escaped(&format!("{value:#}"));
    let n_chars = text.chars().count();
    if n_chars <= MAX_VALUE {
        return text;
    }
    let end: String = text.chars().skip(n_chars - END).collect();
    format!("{}{end}", cut(&text, MAX_VALUE - END - 1))
}

/// Number of characters of a long hash that are shown.
const SHORT_HASH: usize = 8;

/// Minimum number of digits of a hash inside of a text that is shortened.
const LONG_HASH: usize = 32;

/// Two texts whose long hashes are cut after a few characters, as people write them. They stay whole if they would look the same.
fn with_short_hashes(texts: [&str; 2]) -> [String; 2] {
    let is_hex =
        |part: &str| part.len() >= LONG_HASH && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_base64 = |text: &str| {
        let digits = text.trim_end_matches('=');
        digits.len() < text.len() && digits.len() >= LONG_HASH && is_hash(digits)
    };
    let shorten = |text: &str| {
        if is_base64(text) {
            return format!("{}…", &text[..SHORT_HASH]);
        }
        let mut out = String::new();
        for part in text.split_inclusive(|char: char| !char.is_ascii_alphanumeric()) {
            let word = part.trim_end_matches(|char: char| !char.is_ascii_alphanumeric());
            if is_hex(word) {
                out.push_str(&word[..SHORT_HASH]);
                out.push('…');
                out.push_str(&part[word.len()..]);
            } else {
                out.push_str(part);
            }
        }
        out
    };
    let [before, after] = texts.map(shorten);
    if before == after {
        return texts.map(str::to_owned);
    }
    [before, after]
}

/// The text in a string in base64, with its likely secrets masked; `None` for other strings.
fn from_base64(value: &Value) -> Option<Value> {
    packing(value).filter(|it| *it == Decoder::Base64)?;
    let contents =
        contents(value, MAX_DOCUMENT).filter(|it| it.format == Decoder::Base64.name())?;
    let decoded = contents.value.as_map()?.get("text")?.clone();
    let text = decoded.as_str()?;
    let is_readable = |char: char| !char.is_control() || matches!(char, '\n' | '\r' | '\t');
    (!text.is_empty() && text.chars().all(is_readable)).then_some(decoded)
}

/// Number of characters up to which a map is shown whole beside the one that it was.
const MAX_WHOLE: usize = 60;

/// Maximum number of entries of a map that are named.
const MAX_ENTRIES: usize = 3;

/// Two long maps: their sizes, and the entries that differ: `{23}`, `{25}`, `+ a, + b`. `None` for other values.
pub(super) fn by_entry(before: &Value, after: &Value) -> Option<[String; 3]> {
    let is_plain = |it: &&Value| matches!(it.shown(), Shown::Plain(_));
    let map = |side| Some(side).filter(is_plain).and_then(Value::as_map);
    let (old, new) = (map(before)?, map(after)?);
    if short(before)
        .chars()
        .count()
        .max(short(after).chars().count())
        <= MAX_WHOLE
    {
        return None;
    }
    let signed = |action: Action, key: &str| format!("{} {}", action.sign(), escaped(key));
    let gone = old.iter().filter(|(key, _)| new.get(key).is_none());
    let gone = gone.map(|(key, _)| signed(Action::Delete, key));
    let others = new.iter().filter_map(|(key, value)| match old.get(key) {
        None => Some(signed(Action::Create, key)),
        Some(known) if !known.is_identical(value) => Some(signed(Action::Update, key)),
        Some(_) => None,
    });
    let names = first_of(others.chain(gone).collect(), MAX_ENTRIES, ", ");
    let size = |map: &Map| format!("{{{}}}", map.len());
    Some([size(old), size(new), names])
}

/// Maximum number of characters of what the values of a group have in common.
const MAX_SHARED: usize = 60;

/// Number of different values up to which all are named, if they are short.
const MAX_FEW: usize = 2;

/// Number of characters up to which values are short.
const MAX_SHORT: usize = 90;

/// Maximum number of values that are named where they have nothing in common.
const MAX_VALUES: usize = 3;

/// The common text of the values of several resources, each with the name of its resource: the parts that vary are named, numbers are a
/// range, and a few values stand as they are. `None` if they have too little in common.
pub(super) fn alike(all: &[(&str, &Value)]) -> Option<String> {
    let mut texts: Vec<String> = all.iter().map(|(_, value)| short(value)).collect();
    let strings: Option<Vec<(&str, String)>> = all
        .iter()
        .map(|(name, value)| Some((*name, plain(value)?)))
        .collect();
    let is_one = texts.iter().all(|text| *text == texts[0]);
    if is_one {
        return Some(texts.swap_remove(0));
    }
    let named = |(name, text): &(&str, String)| with_name(text, name);
    if let Some(strings) = &strings
        && let Some(text) = named(&strings[0])
        && strings.iter().all(|it| named(it).as_ref() == Some(&text))
    {
        return Some(short(&Value::from(text)));
    }
    // Those of a few members stand in their order, before and after the change alike.
    let length: usize = texts.iter().map(|text| text.chars().count()).sum();
    if texts.len() <= MAX_VALUES && length <= MAX_SHORT {
        return Some(texts.join(", "));
    }
    let few: BTreeSet<&str> = texts.iter().map(String::as_str).collect();
    let few = few.into_iter().collect::<Vec<_>>();
    if few.len() <= MAX_FEW && few.concat().chars().count() <= MAX_SHORT {
        return Some(few.join(", "));
    }
    if let Some(range) = range(all) {
        return Some(range);
    }
    let text = shape(&strings?)?;
    Some(short(&Value::from(text)))
}

/// Both sides of a group, cut to the parts that differ, or to their ends, if they are long.
pub(super) fn cut_both(sides: [Option<String>; 2]) -> [Option<String>; 2] {
    let is_long = |text: &String| text.chars().count() > MAX_SHARED;
    let quoted = |text: &String| {
        let inner = text.strip_prefix('"')?.strip_suffix('"');
        inner.filter(|it| !it.contains("\", \"")).map(str::to_owned)
    };
    if let [Some(before), Some(after)] = &sides
        && (is_long(before) || is_long(after))
        && let (Some(before), Some(after)) = (quoted(before), quoted(after))
    {
        let sides = if before == after {
            let n_cut = before.chars().count().saturating_sub(MAX_SHARED);
            let end: String = before.chars().skip(n_cut).collect();
            [format!("…{end}"), format!("…{end}")]
        } else {
            differing([&before, &after])
        };
        return sides.map(|text| Some(format!("\"{}\"", cut(&text, MAX_SHARED + 1))));
    }
    sides.map(|text| Some(cut(&text?, MAX_SHORT)))
}

/// The first of several values in their order, and the number of the others; `None` if they are long.
pub(super) fn listed(all: &[(&str, &Value)]) -> Option<String> {
    let texts: Vec<String> = all.iter().map(|(_, value)| short(value)).collect();
    let text = first(&texts, MAX_VALUES);
    (text.chars().count() <= MAX_SHORT).then_some(text)
}

/// Several values that have nothing in common: the first ones in their order by text, or the beginning of one if they are long.
pub(super) fn some_of(all: &[(&str, &Value)]) -> String {
    let texts: BTreeSet<String> = all.iter().map(|(_, value)| short(value)).collect();
    let texts: Vec<String> = texts.into_iter().collect();
    // As many as a line holds, but a few of any length.
    let fits = |n: &usize| texts[..*n].concat().chars().count() <= MAX_SHARED;
    let n = (MAX_VALUES..=texts.len()).take_while(fits).last();
    let text = first(&texts, n.unwrap_or(MAX_VALUES));
    let is_short = n.is_some() || text.chars().count() <= MAX_SHARED;
    if is_short { text } else { first(&texts, 1) }
}

/// The first `n` texts, and the number of the others.
fn first(texts: &[String], n: usize) -> String {
    let texts = texts.iter().map(|it| cut(it, MAX_SHARED));
    first_of(texts.collect(), n, ", ")
}

/// The first `n` of some words, and the number of the others: `a, b, 3 more`.
pub(super) fn first_of(mut words: Vec<String>, n: usize, gap: &str) -> String {
    let n_more = words.len().saturating_sub(n);
    words.truncate(n);
    words.extend((n_more > 0).then(|| format!("{} more", count(n_more as u64))));
    words.join(gap)
}

/// Maximum number of digits of a number in a text. Longer ones name something.
const MAX_DIGITS: usize = 9;

/// True for a text that is a whole number or has a unit, and neither a version nor an id.
fn is_amount(value: &Value) -> bool {
    value.as_str().is_some_and(|text| {
        let unit = text.trim_start_matches(|char: char| char.is_ascii_digit());
        let n_digits = text.len() - unit.len();
        (1..=MAX_DIGITS).contains(&n_digits) && !unit.contains(['.', '-'])
    })
}

/// The smallest and the largest of numbers: `14…90`.
fn range(all: &[(&str, &Value)]) -> Option<String> {
    let number = |value: &&Value| match value.shown() {
        Shown::Plain(Payload::Number(_)) => quantity(value),
        Shown::Plain(Payload::String(_)) => quantity(value).filter(|_| is_amount(value)),
        _ => None,
    };
    let mut numbers = Vec::new();
    for (_, value) in all {
        numbers.push((number(value)?, *value));
    }
    numbers.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let [(_, least), .., (_, most)] = numbers[..] else {
        return None;
    };
    Some(format!("{}…{}", short(least), short(most)))
}

/// The amount that all of several numbers grow by, or shrink: `each +1000`.
pub(super) fn step(before: &[(&str, &Value)], after: &[(&str, &Value)]) -> Option<String> {
    let number = |value: &Value| match value.shown() {
        Shown::Plain(Payload::Number(_)) => quantity(value),
        Shown::Plain(_) | Shown::Secret(_) => None,
    };
    let mut steps = before
        .iter()
        .zip(after)
        .map(|((_, old), (_, new))| Some(number(new)? - number(old)?));
    let first = steps.next()??;
    let is_one =
        before.len() > MAX_FEW && first.fract() == 0.0 && steps.all(|it| it == Some(first));
    is_one.then(|| format!("each {first:+}"))
}

/// Minimum number of letters and digits that all of several texts have, so that it says something.
const MIN_KEPT: usize = 2;

/// A text with what is between the ends that all have in common named. `None` if they have too little in common.
fn shape(all: &[(&str, String)]) -> Option<String> {
    let (_, first) = all.first()?;
    let texts = || all.iter().map(|(_, text)| text.as_str());
    let head = texts().fold(first.len(), |n, text| {
        n.min(shared(first.bytes(), text.bytes()))
    });
    let head = crate::text::head(first, head)
        .rfind(is_separator)
        .map_or(0, |at| {
            at + first[at..].chars().next().map_or(0, char::len_utf8)
        });
    let shortest = texts().map(str::len).min()?;
    let tail = texts().fold(shortest - head.min(shortest), |n, text| {
        n.min(shared(first.bytes().rev(), text.bytes().rev()))
    });
    let from = ceil(first, first.len() - tail);
    let tail = first[from..]
        .find(is_separator)
        .map_or(0, |at| first.len() - from - at);
    let middle = |text: &str| text.get(head..text.len() - tail).map(str::to_owned);
    let middles: Option<Vec<(&str, String)>> = all
        .iter()
        .map(|(name, text)| Some((*name, middle(text)?)))
        .collect();
    let middles = middles?;
    let part = in_pieces(&middles).unwrap_or_else(|| piece(&middles));
    let text = format!("{}{part}{}", &first[..head], &first[first.len() - tail..]);
    let rest = text.replace(NUMBER, "").replace(VARIES, "");
    let n_kept = rest.chars().filter(|char| char.is_alphanumeric()).count();
    (n_kept >= MIN_KEPT).then_some(text)
}

/// The name of a hash that varies.
pub(super) const HASH: &str = "‹hash›";

/// The name of digits that vary.
const NUMBER: &str = "‹number›";

/// The sign for a part that varies and has no name.
const VARIES: &str = "‹…›";

/// The name of a part that varies.
fn piece(all: &[(&str, String)]) -> String {
    let are = |is: &dyn Fn(&(&str, String)) -> bool| all.iter().all(is);
    let (_, first) = &all[0];
    if are(&|(_, part)| part == first) {
        return first.clone();
    }
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let of_first = with_name(first, all[0].0);
    if of_first.is_some() && are(&|(name, part)| with_name(part, name) == of_first) {
        return of_first.unwrap_or_default();
    }
    let name = if are(&|(name, part)| !part.is_empty() && name.contains(part.as_str())) {
        NAME
    } else if are(&|(_, part)| !part.is_empty() && part.bytes().all(is_digit)) {
        NUMBER
    } else if are(&|(_, part)| is_hash(part)) {
        HASH
    } else {
        VARIES
    };
    name.to_owned()
}

/// Parts that have the same separators, piece by piece.
fn in_pieces(all: &[(&str, String)]) -> Option<String> {
    let is_end = |char: char| matches!(char, ':' | '/' | '@' | '.' | '=' | ',' | ' ');
    let separators = |text: &str| {
        text.chars()
            .filter(|char| is_end(*char))
            .collect::<String>()
    };
    let own = separators(&all[0].1);
    if own.is_empty() || all.iter().any(|(_, text)| separators(text) != own) {
        return None;
    }
    let columns: Vec<Vec<&str>> = all
        .iter()
        .map(|(_, text)| text.split(is_end).collect())
        .collect();
    let mut out = String::new();
    let mut ends = own.chars();
    for at in 0..columns[0].len() {
        let pieces = columns.iter().zip(all);
        let pieces = pieces.map(|(column, (name, _))| (*name, column[at].to_owned()));
        out.push_str(&piece(&pieces.collect::<Vec<_>>()));
        out.extend(ends.next());
    }
    Some(out)
}

fn shared(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other)
        .take_while(|(one, other)| one == other)
        .count()
}

fn ceil(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

fn is_separator(char: char) -> bool {
    !char.is_alphanumeric()
}

/// The parts of two texts that differ: without the lines that both begin and end with, and without most of what a single line has in
/// common.
fn differing(texts: [&str; 2]) -> [String; 2] {
    let lines = texts.map(|text| text.lines().collect::<Vec<_>>());
    let shortest = lines[0].len().min(lines[1].len());
    let is_same = |from: [usize; 2]| lines[0][from[0]] == lines[1][from[1]];
    let head = (0..shortest).take_while(|at| is_same([*at, *at])).count();
    let back = |at: usize| [lines[0].len() - 1 - at, lines[1].len() - 1 - at];
    let tail = (0..shortest - head)
        .take_while(|at| is_same(back(*at)))
        .count();
    let changed = [&lines[0], &lines[1]].map(|lines| &lines[head..lines.len() - tail]);
    // Lines that only stand elsewhere are no difference, unless nothing else is.
    let says = |line: &&&str| !line.trim().is_empty();
    let own = [(0, 1), (1, 0)].map(|(one, other)| {
        let all: HashSet<&str> = changed[other].iter().copied().collect();
        let lines = changed[one].iter().filter(|line| !all.contains(**line));
        lines.filter(says).copied().collect::<Vec<_>>()
    });
    let has_moved = changed
        .iter()
        .zip(&own)
        .all(|(all, own)| own.len() < all.len());
    let is_all_moved = own.iter().all(Vec::is_empty);
    let parts = if has_moved && !is_all_moved {
        own.map(|lines| lines.join("\n"))
    } else {
        changed.map(|lines| lines.join("\n"))
    };
    let shared = parts[0].chars().zip(parts[1].chars());
    let n_shared = shared.take_while(|(one, other)| one == other).count();
    let skipped = n_shared.saturating_sub(CONTEXT);
    parts.map(|part| {
        let rest: String = part.chars().skip(skipped).collect();
        if skipped > 0 {
            format!("…{rest}")
        } else {
            rest
        }
    })
}

/// Maximum number of elements of a list whose order is shown.
const MAX_IN_ORDER: usize = 64;

/// Maximum number of characters of an order.
const MAX_ORDER: usize = 80;

/// The names of the elements of a list before and after, without the first and the last ones that stay. `None` for a list in the same
/// order, and if its elements have no names.
pub(super) fn orders(leaf: &Leaf) -> Option<(String, String)> {
    if !matches!(leaf.reason, Some(Reason::OtherOrder | Reason::Moved)) {
        return None;
    }
    let names = |side: &Value| -> Option<Vec<String>> {
        let is_shown = matches!(side.shown(), Shown::Plain(_));
        let list = side
            .as_array()
            .filter(|it| is_shown && it.len() <= MAX_IN_ORDER)?;
        let name = |at: usize| match list.get(at)?.as_map() {
            Some(_) => name_of(list.as_slice(), at).map(escaped),
            None => Some(short(list.get(at)?)),
        };
        (0..list.len()).map(name).collect()
    };
    let [before, after] = [names(&leaf.before)?, names(&leaf.after)?];
    let n_alike = |one: &mut dyn Iterator<Item = (&String, &String)>| {
        one.take_while(|(old, new)| old == new).count()
    };
    let head = n_alike(&mut before.iter().zip(&after));
    let tail = n_alike(&mut before[head..].iter().rev().zip(after[head..].iter().rev()));
    let side = |names: &[String]| cut(&names[head..names.len() - tail].join(", "), MAX_ORDER);
    Some((side(&before), side(&after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, want: [&str; 3]) {
        let (before, after, note) = both(&before.into(), &after.into());
        assert_eq!([before.as_str(), after.as_str(), note], want);
    }

    #[test]
    fn the_part_that_differs_is_shown() {
        check("a", "b", ["\"a\"", "\"b\"", ""]);
        let script = |line: &str| format!("#!/bin/sh\nset -e\n{line}\necho done\n");
        check(
            &script("run one"),
            &script("run two"),
            ["\"run one\"", "\"run two\"", ""],
        );
        check(
            &script("run one"),
            "#!/bin/sh\nset -e\necho done\n",
            ["\"run one\"", "\"\"", ""],
        );
        // Lines that move say nothing beside those that come and go.
        check(
            "* @all\n/a @a\n/b @b\n",
            "/a @a\n# rest\n* @all\n/b @c\n",
            ["\"/b @b\"", "\"# rest\\n/b @c\"", ""],
        );
        check("a\nb\n", "b\na\n", ["\"a\\nb\"", "\"b\\na\"", ""]);
        let long = |end: &str| format!("{}{end}", "x".repeat(200));
        check(
            &long("one"),
            &long("two"),
            [
                "\"…xxxxxxxxxxxxxxxxxxxxone\"",
                "\"…xxxxxxxxxxxxxxxxxxxxtwo\"",
                "",
            ],
        );
    }

    #[test]
    fn long_hashes_are_cut_unless_they_would_look_the_same() {
        let [one, two] = ["0a1b2c3d", "f3e0b121"].map(|start| start.repeat(8));
        check(&one, &two, ["\"0a1b2c3d…\"", "\"f3e0b121…\"", ""]);
        let [old, new] = [
            "wejpinGjIRE49aglBFEdHca7LIghgETQW8HA7J9PM2U=",
            "OVHzV6FN7pHNALXDB8zOnFtLF/GlC9Iq43fgkVLjBp8=",
        ];
        check(old, new, ["\"wejpinGj…\"", "\"OVHzV6FN…\"", ""]);
        let key = "projects/shop/locations/europe-west4/cryptoKeys/gke";
        check(key, "", [&format!("{key:?}"), "\"\"", ""]);
        let image = |tag: &str, hash: &str| format!("web:{tag}@sha256:{hash}");
        check(
            &image("1.2", &one),
            &image("1.3", &two),
            [
                "\"web:1.2@sha256:0a1b2c3d…\"",
                "\"web:1.3@sha256:f3e0b121…\"",
                "",
            ],
        );
        let other = format!("{}0", &one[..63]);
        check(
            &one,
            &other,
            [&format!("{one:?}"), &format!("{other:?}"), ""],
        );
        check("0a1b2c3d", "f3e0b121", ["\"0a1b2c3d\"", "\"f3e0b121\"", ""]);
    }

    #[test]
    fn base64_is_decoded_and_a_secret_in_it_is_masked() {
        // `#!/bin/sh\nrun one\n`, `#!/bin/sh\nrun two\n`, and a line with `https://app:hunter2@h/`.
        let [one, two] = ["IyEvYmluL3NoCnJ1biBvbmUK", "IyEvYmluL3NoCnJ1biB0d28K"];
        check(one, two, ["\"run one\"", "\"run two\"", "in base64"]);
        let secret = "IyEvYmluL3NoCmN1cmwgaHR0cHM6Ly9hcHA6aHVudGVyMkBoLwo=";
        let (_, after, _) = both(&one.into(), &secret.into());
        assert_eq!(after, "\"curl https://app:[likely secret]@h/\"");
        check(
            one,
            "plain text",
            [&format!("{one:?}"), "\"plain text\"", ""],
        );
    }
}
