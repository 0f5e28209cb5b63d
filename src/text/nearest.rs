//! The word that a mistyped one means.

/// Least similarity at which a word is taken for a mistyped one: the one that clap uses.
const ALIKE: f64 = 0.7;

/// The things whose names are like `word`, the most similar first. Capital letters count as small ones.
///
/// ```
/// use stacklens::text::alike;
/// let named = [("mouse", 1), ("theme", 2), ("them", 3)];
/// assert_eq!(alike("Thme", named), [3, 2]);
/// ```
pub fn alike<'n, T>(word: &str, named: impl IntoIterator<Item = (&'n str, T)>) -> Vec<T> {
    let word = word.to_lowercase();
    let similarity = |name: &str| strsim::jaro(&word, &name.to_lowercase());
    let all = named
        .into_iter()
        .map(|(name, thing)| (similarity(name), thing));
    let mut alike: Vec<(f64, T)> = all.filter(|(similarity, _)| *similarity > ALIKE).collect();
    alike.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    alike.into_iter().map(|(_, thing)| thing).collect()
}

/// The name most like `word`, if one is like it.
///
/// ```
/// use stacklens::text::nearest;
/// assert_eq!(nearest("thme", ["mouse", "theme"]), Some("theme"));
/// assert_eq!(nearest("colour", ["mouse", "theme"]), None);
/// ```
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let pairs = names.into_iter().map(|name| (name, name));
    alike(word, pairs).into_iter().next()
}

/// The end of a message about an unknown name: the nearest one. "" if none is like it.
///
/// ```
/// use stacklens::text::or_nearest;
/// assert_eq!(or_nearest("thme", ["mouse", "theme"]), "; `theme` is alike");
/// ```
pub fn or_nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let name = nearest(word, names);
    name.map_or_else(String::new, |name| format!("; `{name}` is alike"))
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
