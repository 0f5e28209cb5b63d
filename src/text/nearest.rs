//! The word that a mistyped one means.

/// Least similarity at which a word is taken for a mistyped one: the one that clap uses.
const ALIKE: f64 = 0.7;

/// The name most like `word`, if one is like it.
///
/// ```
/// use stacklens::text::nearest;
/// assert_eq!(nearest("thme", ["mouse", "theme"]), Some("theme"));
/// assert_eq!(nearest("colour", ["mouse", "theme"]), None);
/// ```
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let alike = names
        .into_iter()
        .map(|name| (strsim::jaro(word, name), name));
    let alike = alike.filter(|(similarity, _)| *similarity > ALIKE);
    let best = alike.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map(|(_, name)| name)
}

/// The name that `word` misspells. A slip is a letter too many, missing, wrong or swapped with its neighbor: one is allowed, and
/// two from eight letters on. `None` for a word that is one of the names, and for one below five letters, which is often another
/// word.
///
/// ```
/// use stacklens::text::misspelled;
/// assert_eq!(misspelled("theem", ["mouse", "theme"]), Some("theme"));
/// assert_eq!(misspelled("module", ["mouse", "theme"]), None);
/// assert_eq!(misspelled("mode", ["mouse", "theme"]), None);
/// ```
pub fn misspelled<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let most = match word.chars().count() {
        ..5 => return None,
        5..8 => 1,
        8.. => 2,
    };
    let names = names.into_iter();
    let (n_slips, name) = names
        .map(|name| (strsim::osa_distance(word, name), name))
        .min()?;
    (1..=most).contains(&n_slips).then_some(name)
}
