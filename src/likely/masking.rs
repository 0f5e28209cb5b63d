//! The decision: which values are likely secrets, and which parts of a text.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::file::Look;
use super::forms::{MIN_TEXT, notations, places, unescaped};
use super::names::Names;
use super::plausible::can_be;
use super::texts;
use super::{Form, NamesError};
use crate::json::{self, Numbers};
use crate::path::{Glob, Path, Segment};
use crate::value::{InnerMask, LIKELY_SECRET, Map, Payload, Value};

/// Maximum number of layers of base64 around a text.
const MAX_LAYERS: usize = 3;

/// Maximum number of texts in a list that are read as one command line.
const MAX_ARGUMENTS: usize = 256;

/// Maximum size of a text that is read as a document, in bytes.
const MAX_DOCUMENT: usize = 1 << 20;

/// The key by which Pulumi tells an encrypted secret and other special values.
const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";

/// The likely secrets that are masked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MaskLikely {
    /// None.
    Off,
    /// Texts whose form leaves no doubt.
    Forms,
    /// Also texts with the name of a secret that can be one.
    #[default]
    Names,
}

/// The values that a person says are no secrets.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Allowed {
    types: Vec<String>,
    paths: Vec<Glob>,
}

impl Allowed {
    /// Reads a list of paths and of types. An entry that is both counts as both.
    pub fn new<'e>(entries: impl IntoIterator<Item = &'e str>) -> Self {
        let mut allowed = Self::default();
        for entry in entries {
            allowed.types.push(entry.to_owned());
            allowed.paths.extend(Glob::parse(entry).ok());
        }
        allowed
    }
}

/// The rules by which likely secrets are masked.
#[derive(Clone)]
pub struct Masking(Arc<Choices>);

/// The choices of the person.
#[derive(Clone)]
struct Choices {
    level: MaskLikely,
    /// The names of this program and of the person; `None` for those of this program, which are read when first needed.
    names: Option<Arc<Names>>,
    allowed: Allowed,
}

impl Default for Masking {
    fn default() -> Self {
        static DEFAULT: LazyLock<Masking> = LazyLock::new(|| {
            Masking(Arc::new(Choices {
                level: MaskLikely::default(),
                names: None,
                allowed: Allowed::default(),
            }))
        });
        DEFAULT.clone()
    }
}

impl PartialEq for Masking {
    fn eq(&self, other: &Self) -> bool {
        self.0.level == other.0.level
            && std::ptr::eq(self.names(), other.names())
            && self.0.allowed == other.0.allowed
    }
}

impl std::fmt::Debug for Masking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Masking({:?})", self.0.level)
    }
}

impl Masking {
    /// The rules of this program.
    pub fn new(level: MaskLikely) -> Self {
        Self::default().with_level(level)
    }

    /// The same rules with the names in `texts`, files like `assets/secrets/names.toml`, and their forms, as in `forms.toml` beside it.
    ///
    /// # Errors
    ///
    /// If one is not such a file.
    pub fn with_names(self, texts: &[String]) -> Result<Self, NamesError> {
        let names = Arc::new(Names::with(texts)?);
        Ok(self.with(|choices| choices.names = Some(names)))
    }

    /// The same rules at another level.
    #[must_use]
    pub fn with_level(self, level: MaskLikely) -> Self {
        self.with(|choices| choices.level = level)
    }

    /// The same rules without what the person says is no secret.
    #[must_use]
    pub fn allowing(self, allowed: Allowed) -> Self {
        self.with(|choices| choices.allowed = allowed)
    }

    fn with(mut self, change: impl FnOnce(&mut Choices)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    fn names(&self) -> &Names {
        let own = self.0.names.as_deref();
        own.unwrap_or_else(|| Names::built_in())
    }

    /// True if nothing is masked.
    pub fn is_off(&self) -> bool {
        self.0.level == MaskLikely::Off
    }

    /// `value`, which has this name, with its likely secrets masked; `None` if there are none.
    pub fn masked(&self, name: &str, value: &Value) -> Option<Value> {
        self.masked_at(&Path::root(), name, value)
    }

    /// Like [`Self::masked`], for a value at `path`.
    pub fn masked_at(&self, path: &Path, name: &str, value: &Value) -> Option<Value> {
        if self.is_off() {
            return None;
        }
        let mut walk = Walk::new(self, path);
        let look = walk.look(name);
        walk.value(value, Place::of(look))
    }

    /// Like [`Self::masked`], for the properties of a resource of this type.
    pub fn masked_properties(&self, ty: &str, properties: &Value) -> Option<Value> {
        if self.is_off() || self.0.allowed.types.iter().any(|it| it == ty) {
            return None;
        }
        let mut walk = Walk::new(self, &Path::root());
        let place = Place {
            of_type: walk.look(ty.rsplit([':', '/']).next().unwrap_or(ty)),
            ..Place::default()
        };
        walk.value(properties, place)
    }

    /// The texts in `value`, at `path`, that are secret by their form or by their name and that the file does not mark, also where the
    /// person wants to see them. `ty` is the type of the resource, "" for none.
    pub fn clear_texts(&self, ty: &str, value: &Value, path: &Path) -> Vec<ClearText> {
        if self.0.allowed.types.iter().any(|it| it == ty) {
            return Vec::new();
        }
        let of_all;
        let masking = if self.0.level == MaskLikely::Names {
            self
        } else {
            of_all = self.clone().with_level(MaskLikely::Names);
            &of_all
        };
        let mut walk = Walk::new(masking, path);
        let name = path.keys().next_back();
        let look = walk.look(name.map_or("", |name| name));
        walk.value(value, Place::of(look));
        walk.found
    }

    /// `text` with its secret parts masked; `None` if there are none.
    pub fn redacted(&self, text: &str) -> Option<String> {
        let parts = self.parts(text, 0);
        (!parts.is_empty()).then(|| covered(text, &parts))
    }

    /// The secret parts of a text, in order and apart from each other.
    pub(crate) fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let parts = self.parts(text, 0);
        parts.into_iter().map(|part| part.range).collect()
    }

    fn parts(&self, text: &str, depth: usize) -> Vec<Part<'_>> {
        let mut parts: Vec<Part<'_>> = Vec::new();
        if self.is_off() || text.len() < MIN_TEXT {
            return parts;
        }
        let may_hold = self.names().may_hold(text.as_bytes());
        if may_hold {
            parts.extend(places(text).map(|(form, range)| Part::of_form(form, range)));
            if let Some(own) = self.names().forms() {
                own.noted(self.names(), text, &mut |form, range| {
                    parts.push(Part::of_form(form, range));
                });
            }
        }
        if parts.is_empty()
            && text.contains('\\')
            && let Some(form) = super::find(&unescaped(text))
        {
            parts.push(Part::of_form(form, 0..text.len()));
        }
        if may_hold && self.0.level == MaskLikely::Names {
            notations().noted(self.names(), text, &mut |form, range| {
                parts.push(Part::of_form(form, range));
            });
            let mut named = Vec::new();
            texts::named(self.names(), text, &mut named);
            parts.extend(named.into_iter().map(Part::of_name));
            parts.extend(self.of_document(text));
        }
        if depth < MAX_LAYERS {
            texts::packed(text, &mut |range, inner| {
                if let Some(part) = self.parts(inner, depth + 1).into_iter().next() {
                    parts.push(Part {
                        range,
                        is_packed: true,
                        ..part
                    });
                }
            });
        }
        merged(parts)
    }
}

impl Masking {
    /// The strings of the JSON in `text` that are secret by what is around them in the document, as in a `Secret` of Kubernetes.
    fn of_document(&self, text: &str) -> Vec<Part<'_>> {
        let is_document = text.len() <= MAX_DOCUMENT
            && text.trim_start().starts_with(['{', '['])
            && self.names().stems().is_match(text);
        let parsed = is_document.then(|| json::parse(text.as_bytes(), Numbers::Exact));
        let Some(Ok(document)) = parsed else {
            return Vec::new();
        };
        let mut walk = Walk::new(self, &Path::root());
        walk.value(&document.value, Place::default());
        let by_name = walk.found.iter().filter(|it| it.form.is_none());
        let strings = by_name.filter_map(|it| it.path.get(&document.value));
        let secret: HashSet<String> = strings.map(json::to_compact).collect();
        let places = quoted(text).filter(|it| secret.contains(&text[it.clone()]));
        let places = places.map(|it| it.start + 1..it.end - 1);
        places.map(Part::of_name).collect()
    }
}

/// The strings in a valid JSON text, with their quotes.
fn quoted(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + memchr::memchr(b'"', bytes.get(at..)?)?;
        at = start + 1;
        loop {
            at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
            if bytes[at] == b'"' {
                at += 1;
                return Some(start..at);
            }
            at += 2;
        }
    })
}

/// A secret part of a text.
#[derive(Clone, Debug)]
struct Part<'m> {
    range: Range<usize>,
    says: &'m str,
    id: &'m str,
    /// True if its form leaves no doubt.
    is_sure: bool,
    /// True if the secret is in what this part holds packed.
    is_packed: bool,
}

impl<'m> Part<'m> {
    fn of_name(range: Range<usize>) -> Self {
        Self {
            range,
            says: "a text with a secret",
            id: "named-in-text",
            is_sure: false,
            is_packed: false,
        }
    }

    fn of_form(form: &'m Form, range: Range<usize>) -> Self {
        Self {
            range,
            says: &form.says,
            id: &form.id,
            is_sure: form.is_sure,
            is_packed: false,
        }
    }
}

/// The parts in order, those that overlap as one.
fn merged(mut parts: Vec<Part<'_>>) -> Vec<Part<'_>> {
    parts.sort_by_key(|part| (part.range.start, part.range.end));
    let mut merged: Vec<Part<'_>> = Vec::new();
    for part in parts.into_iter().filter(|part| !part.range.is_empty()) {
        match merged.last_mut() {
            Some(last) if part.range.start < last.range.end => {
                last.is_packed &= part.is_packed;
                last.range.end = last.range.end.max(part.range.end);
            }
            _ => merged.push(part),
        }
    }
    merged
}

/// `text` with the mask in place of its secret parts.
fn covered(text: &str, parts: &[Part<'_>]) -> String {
    let mut covered = String::with_capacity(text.len());
    let mut at = 0;
    for part in parts {
        covered.push_str(&text[at..part.range.start]);
        covered.push_str(LIKELY_SECRET);
        at = part.range.end;
    }
    covered.push_str(&text[at..]);
    covered
}

/// True if a text is secret, or a part of it, by the rules of this program.
pub(crate) fn is_secret_text(text: &str) -> bool {
    !Masking::default().ranges(text).is_empty()
}

/// Like [`Masking::masked`], by the rules of this program, for a value without a name.
pub(crate) fn masked(value: &Value) -> Option<Value> {
    Masking::default().masked("", value)
}

/// True if a name says that its value is secret, by the rules of this program.
pub(crate) fn names_secret(name: &str) -> bool {
    Names::built_in().look(name).is_some()
}

/// A text in clear that is secret by its form, or may be by its name.
#[derive(Clone, PartialEq, Debug)]
pub struct ClearText {
    /// The place of the text.
    pub path: Path,
    /// The thing that the text is, with the name of its form; `None` if only the name of the property says that it is secret.
    pub form: Option<(String, String)>,
    /// True if its form leaves no doubt.
    pub is_sure: bool,
}

/// The facts about a value that are around it.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The secret that its name announces.
    look: Option<Look>,
    /// The secret that the type of its resource announces.
    of_type: Option<Look>,
    /// True if it is below a name for several secrets.
    is_among_secrets: bool,
}

impl Place {
    fn of(look: Option<Look>) -> Self {
        Self {
            look,
            ..Self::default()
        }
    }
}

/// One walk through a value.
struct Walk<'m> {
    masking: &'m Masking,
    path: Path,
    found: Vec<ClearText>,
}

impl<'m> Walk<'m> {
    fn new(masking: &'m Masking, path: &Path) -> Self {
        Self {
            masking,
            path: path.clone(),
            found: Vec::new(),
        }
    }

    fn look(&self, name: &str) -> Option<Look> {
        let is_by_name = self.masking.0.level == MaskLikely::Names;
        is_by_name
            .then(|| self.masking.names().look(name))
            .flatten()
    }

    /// The value with its likely secrets masked; `None` if there are none.
    fn value(&mut self, value: &Value, place: Place) -> Option<Value> {
        let bare;
        let mut value = value;
        if value.is_likely_secret() || value.is_covered() {
            // Its mask was made by these rules, maybe on the other side of a change.
            bare = value.reveal();
            value = &bare;
        }
        if value.is_secret() || self.is_allowed() {
            return None;
        }
        match value.payload() {
            Payload::String(text) => self.text(value, &text.to_str_lossy(), place),
            Payload::Number(number) => {
                let digits = number.to_string();
                let is_long = digits.len() >= 6 && digits.bytes().all(|it| it.is_ascii_digit());
                let is_secret = is_long && place.look == Some(Look::Any);
                is_secret.then(|| self.whole(value, None))
            }
            Payload::Map(map) => self.map(value, map, place),
            Payload::Array(items) => self.array(value, items.as_slice(), place),
            Payload::Asset(_) | Payload::Archive(_) => {
                let fields = value.fields()?;
                let n_found = self.found.len();
                self.value(&fields, Place::default())?;
                let is_sure = self.found[n_found..].iter().any(|it| it.is_sure);
                self.found.truncate(n_found);
                let file = Part {
                    range: 0..0,
                    says: "a file with a secret",
                    id: "file",
                    is_sure,
                    is_packed: false,
                };
                Some(self.whole(value, Some(&file)))
            }
            Payload::Null
            | Payload::Bool(_)
            | Payload::Reference(_)
            | Payload::Computed(_)
            | Payload::Sealed(_) => None,
        }
    }

    fn is_allowed(&self) -> bool {
        let mut paths = self.masking.0.allowed.paths.iter();
        paths.any(|it| it.matches(&self.path))
    }

    fn report(&mut self, part: Option<&Part<'_>>) {
        self.found.push(ClearText {
            path: self.path.clone(),
            form: part.map(|part| (part.says.to_owned(), part.id.to_owned())),
            is_sure: part.is_some_and(|part| part.is_sure),
        });
    }

    fn whole(&mut self, value: &Value, part: Option<&Part<'_>>) -> Value {
        self.report(part);
        let value = value.clone();
        match part {
            Some(part) if part.is_packed => {
                let masking = self.masking.clone();
                let mask = InnerMask(Arc::new(move |contents| masking.masked("", contents)));
                value.with_packed_secret(mask)
            }
            Some(_) | None => value.with_likely_secret(),
        }
    }

    fn text(&mut self, value: &Value, text: &str, place: Place) -> Option<Value> {
        let parts = self.masking.parts(text, 0);
        if let Some(look) = place.look {
            let names = self.masking.names();
            let bare = texts::credentials(text);
            let is_secret = match look {
                Look::Header if bare.len() < text.len() => can_be(names, Look::Mixed, bare),
                Look::Header => can_be(names, Look::Random, text),
                look => can_be(names, look, bare),
            };
            // A text of settings or a URL keeps what is readable in it.
            let is_plain = !text.contains(['\n', '=', '{', ' ']) && !text.contains("://");
            if is_secret && (is_plain || parts.iter().all(|it| it.is_packed)) {
                self.report(parts.first());
                return Some(value.clone().with_likely_secret());
            }
        }
        let first = parts.first()?;
        if parts.len() == 1 && first.range.len() >= text.trim().len() {
            return Some(self.whole(value, Some(first)));
        }
        self.report(Some(first));
        Some(value.clone().with_cover(covered(text, &parts)))
    }

    fn map(&mut self, value: &Value, map: &Map, place: Place) -> Option<Value> {
        let names = self.masking.names();
        let beside = self.beside(map).or(place.of_type);
        let is_secret_kind = map.get("kind").and_then(Value::as_str) == Some("Secret");
        let mut masked: Vec<(Arc<str>, Value)> = Vec::new();
        let shown = map.iter().filter(|(key, _)| &***key != SIGNATURE);
        for (key, below) in shown {
            let is_value = names.is_value(key);
            let is_data = matches!(
                &**key,
                "data" | "stringData" | "string_data" | "binary_data" | "data_wo"
            );
            let by_name = self.look(key);
            let look = match beside.filter(|_| is_value) {
                Some(look) => Some(look),
                None if by_name.is_some() => by_name,
                None if is_value => place.look,
                None if place.is_among_secrets && !names.is_about(key) => Some(Look::Mixed),
                None => None,
            };
            let holds_secrets =
                by_name.is_some() || is_data && (is_secret_kind || place.of_type.is_some());
            let below_place = Place {
                look,
                of_type: None,
                is_among_secrets: holds_secrets && !matches!(below.payload(), Payload::String(_)),
            };
            self.path.0.push(Segment::Key(key.clone()));
            let result = self.value(below, below_place);
            masked.extend(result.map(|it| (key.clone(), it)));
            self.path.0.pop();
        }
        if masked.is_empty() {
            return None;
        }
        let of_key = |map: Map, (key, it): (Arc<str>, Value)| map.set(&*key, it);
        let map = masked.into_iter().fold(map.clone(), of_key);
        Some(value.clone().with_payload(Payload::Map(map)))
    }

    fn array(&mut self, value: &Value, items: &[Value], place: Place) -> Option<Value> {
        let mut masked: Vec<Option<Value>> = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            self.path.0.push(Segment::Index(index));
            masked.push(self.value(item, place));
            self.path.0.pop();
        }
        self.arguments(items, &mut masked);
        if masked.iter().all(Option::is_none) {
            return None;
        }
        let both = items.iter().zip(masked);
        let items = both.map(|(it, masked)| masked.unwrap_or_else(|| it.clone()));
        Some(value.clone().with_payload(Payload::Array(items.collect())))
    }

    /// The secret that the name of a value announces, which is beside it: `{name: "DB_PASSWORD", value: "…"}`.
    fn beside(&self, map: &Map) -> Option<Look> {
        let names = self.masking.names();
        let is_by_name = self.masking.0.level == MaskLikely::Names;
        if !is_by_name || !map.iter().any(|(key, _)| names.is_value(key)) {
            return None;
        }
        if map.get("type").and_then(Value::as_str) == Some("SecureString") {
            return Some(Look::Any);
        }
        let entries = map.iter().filter(|(key, _)| names.is_beside(key));
        let mut looks = entries.filter_map(|(_, name)| names.look(name.as_str()?));
        looks.next()
    }

    /// Masks the arguments of a command that are secret by the argument before them: `["--password", "…"]`.
    fn arguments(&mut self, items: &[Value], masked: &mut [Option<Value>]) {
        let Some((line, ends)) = self.command_line(items) else {
            return;
        };
        for part in self.masking.parts(&line, 0) {
            let index = ends.partition_point(|end| *end <= part.range.start);
            let start = index.checked_sub(1).map_or(0, |before| ends[before] + 1);
            let (Some(end), Some(None)) = (ends.get(index), masked.get(index)) else {
                continue;
            };
            // A secret in quotes that an argument opens begins with the blank before the next one.
            let (from, to) = (part.range.start.max(start), part.range.end.min(*end));
            if from >= to {
                continue;
            }
            self.path.0.push(Segment::Index(index));
            let item = &items[index];
            masked[index] = Some(if (from, to) == (start, *end) {
                self.whole(item, Some(&part))
            } else {
                self.report(Some(&part));
                let range = from - start..to - start;
                let text = covered(&line[start..*end], &[Part { range, ..part }]);
                item.clone().with_cover(text)
            });
            self.path.0.pop();
        }
    }

    /// The arguments of a command in one line, with the end of each.
    fn command_line(&self, items: &[Value]) -> Option<(String, Vec<usize>)> {
        let starts_flag = |text: &str| text.starts_with('-') || text == "requirepass";
        let is_flag = |item: &Value| item.as_str().is_some_and(starts_flag);
        if self.masking.0.level != MaskLikely::Names
            || !(2..=MAX_ARGUMENTS).contains(&items.len())
            || !items.iter().any(is_flag)
        {
            return None;
        }
        let mut line = String::new();
        let mut ends = Vec::new();
        for item in items {
            line.push_str(item.as_str()?);
            ends.push(line.len());
            line.push(' ');
        }
        Some((line, ends))
    }
}

#[cfg(test)]
mod tests {
    use super::Masking;
    use crate::json::{Numbers, parse};

    #[test]
    fn a_secret_in_quotes_that_an_argument_opens_ends_in_the_next_one() {
        let json = br#"["run", "--x", "password: '", "hunter2hunter2'"]"#;
        let command = parse(json, Numbers::Exact).unwrap().value;
        let masked = Masking::default().masked("command", &command);
        let shown = masked.expect("a secret").to_string();
        assert!(!shown.contains("hunter2"), "{shown}");
        assert!(shown.contains("run") && shown.contains("--x"), "{shown}");
    }
}
