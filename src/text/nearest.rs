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
