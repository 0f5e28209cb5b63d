//! The selectors in the properties of a resource.

use super::super::tables::WORDS;
use crate::change::decode::document;
use crate::path::{Path, Segment, children};
use crate::text::joined;
use crate::value::{Payload, Value};

/// Maximum nesting of values that are searched.
const MAX_DEPTH: usize = 24;

/// A tag or label with a value; `None` for the key of a network tag.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Term {
    pub(super) key: Option<Box<str>>,
    pub(super) value: Box<str>,
}

/// The tags and labels that an object has to have, all of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Selector(pub(super) Vec<Term>);

impl Term {
    pub(super) fn of(key: Option<&str>, value: &str) -> Self {
        Self {
            key: key.map(Into::into),
            value: value.into(),
        }
    }

    /// True if these tags or labels have it.
    pub(super) fn is_in(&self, labels: &Value) -> bool {
        let is_it = |value: &Value| value.as_str() == Some(&*self.value);
        match &self.key {
            Some(key) => labels.get(key).is_some_and(is_it),
            None => labels.as_array().into_iter().flatten().any(is_it),
        }
    }

    /// The value that a label has among others; `None` for a network tag, and for a label that is not there.
    pub(super) fn value_in(&self, labels: &Value) -> Option<Value> {
        labels.get(self.key.as_deref()?).cloned()
    }

    /// Its place among the labels at `labels`.
    pub(super) fn path(&self, labels: &Path) -> Path {
        match &self.key {
            Some(key) => labels.child(Segment::from(&**key)),
            None => labels.clone(),
        }
    }
}

impl Selector {
    /// The terms as a person writes them: `app = web and tier = front`.
    pub(super) fn in_words(&self) -> String {
        let term = |term: &Term| match &term.key {
            Some(key) => format!("{key} = {}", term.value),
            None => term.value.to_string(),
        };
        let terms: Vec<String> = self.0.iter().map(term).collect();
        terms.join(" and ")
    }
}

/// True for the joined name of a property that is a selector.
pub(super) fn selects(joined: &str) -> bool {
    WORDS.selector_maps.has(joined)
        || WORDS.selector_lists.has(joined)
        || WORDS.selector_pairs.has(joined)
}

/// True if a selector may be at or below a property with this joined name.
pub(super) fn may_select(joined: &str) -> bool {
    selects(joined) || WORDS.selector_mixed.has(joined)
}

/// True if a text in these bytes may name a tag among other things. The properties in a text are not in the shape of a resource.
pub(super) fn has_mark(bytes: &[u8]) -> bool {
    let prefixes = WORDS.tag_prefixes.iter();
    let mut marks = prefixes.chain(&*WORDS.tag_marks);
    marks.any(|mark| memchr::memmem::find(bytes, mark.as_bytes()).is_some())
}

/// All selectors in a value.
pub(super) fn selectors(value: &Value) -> Vec<Selector> {
    let mut found = Vec::new();
    walk(value, &Within::default(), 0, &mut found);
    found
}

/// The properties around a value.
#[derive(Clone, Default)]
struct Within {
    /// The joined name of the nearest one.
    name: String,
    has_pairs: bool,
    is_mixed: bool,
}

fn walk(value: &Value, within: &Within, depth: usize, found: &mut Vec<Selector>) {
    if value.is_secret() || depth > MAX_DEPTH {
        return;
    }
    match value.payload() {
        Payload::Map(_) => found.extend(of_map(value, within)),
        Payload::Array(items) if WORDS.selector_lists.has(&within.name) => {
            let texts = items.iter().filter_map(Value::as_str);
            found.extend(texts.map(|text| Selector(vec![Term::of(None, text)])));
        }
        Payload::String(_) if within.is_mixed => {
            if let Some((_, inner)) = document(value) {
                walk(&inner, within, depth + 1, found);
            }
            return;
        }
        _ => {}
    }
    for (segment, inner) in children(value) {
        let within = match &segment {
            Segment::Key(key) => {
                let name = joined(key);
                Within {
                    has_pairs: within.has_pairs || WORDS.selector_pairs.has(&name),
                    is_mixed: within.is_mixed || WORDS.selector_mixed.has(&name),
                    name,
                }
            }
            Segment::Index(_) => within.clone(),
        };
        walk(inner, &within, depth + 1, found);
    }
}

/// The selectors that a map is: the labels themselves, or a key and its values.
fn of_map(map: &Value, within: &Within) -> Vec<Selector> {
    let field = |names: &[&str]| names.iter().find_map(|name| map.get(name));
    if WORDS.selector_maps.has(&within.name) {
        let terms = map.as_map().into_iter().flatten();
        let terms: Option<Vec<Term>> = terms
            .map(|(key, value)| Some(Term::of(Some(key), value.as_str()?)))
            .collect();
        let terms = terms.filter(|terms| !terms.is_empty());
        return terms.map(Selector).into_iter().collect();
    }
    if !within.has_pairs && !within.is_mixed {
        return Vec::new();
    }
    let key = field(&["key", "Key", "name", "Name", "field"]).and_then(Value::as_str);
    let Some(key) = key.and_then(|key| tag(key, within)) else {
        return Vec::new();
    };
    let values = field(&["value", "Value", "values", "Values", "equals", "in"]);
    let mut texts: Vec<&str> = Vec::new();
    if let Some(values) = values {
        texts.extend(values.as_str());
        texts.extend(
            values
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str),
        );
    }
    let one = |text: &str| Selector(vec![Term::of(Some(key), text)]);
    texts.into_iter().map(one).collect()
}

/// The name of the tag that a key means.
fn tag<'k>(key: &'k str, within: &Within) -> Option<&'k str> {
    let mut prefixes = WORDS.tag_prefixes.iter();
    let marked = prefixes.find_map(|mark| key.strip_prefix(&**mark));
    // A policy of Azure: `tags['env']` or `tags.env`.
    let in_brackets = key
        .strip_prefix("tags['")
        .and_then(|rest| rest.strip_suffix("']"));
    let named = marked.or(in_brackets).or_else(|| key.strip_prefix("tags."));
    named.or(within.has_pairs.then_some(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[track_caller]
    fn check(json: &str, want: &[&str]) {
        let value = parse(json.as_bytes(), Numbers::Exact).unwrap().value;
        let found: Vec<String> = selectors(&value).iter().map(Selector::in_words).collect();
        assert_eq!(found, want, "{json}");
    }

    #[test]
    fn selectors_have_many_forms() {
        check(
            r#"{"spec": {"selector": {"app": "web", "tier": "front"}}}"#,
            &["app = web and tier = front"],
        );
        check(
            r#"{"spec": [{"pod_selector": [{"match_labels": {"app": "web"}}]}]}"#,
            &["app = web"],
        );
        check(
            r#"{"selection_tag": [{"type": "STRINGEQUALS", "key": "Backup", "value": "daily"}]}"#,
            &["Backup = daily"],
        );
        check(
            r#"{"condition": [{"string_equals": [{"key": "aws:ResourceTag/Backup", "value": "daily"}]}]}"#,
            &["Backup = daily"],
        );
        check(
            r#"{"filter": [{"name": "tag:Role", "values": ["web", "api"]}]}"#,
            &["Role = web", "Role = api"],
        );
        check(
            r#"{"resource_query": [{"query": "{\"TagFilters\": [{\"Key\": \"Env\", \"Values\": [\"prod\"]}]}"}]}"#,
            &["Env = prod"],
        );
        check(
            r#"{"policy_rule": "{\"if\": {\"field\": \"tags['env']\", \"equals\": \"prod\"}}"}"#,
            &["env = prod"],
        );
        check(r#"{"target_tags": ["web", "ssh"]}"#, &["web", "ssh"]);
        check(
            r#"{"target_tags": {"Snapshot": "true"}}"#,
            &["Snapshot = true"],
        );
    }

    #[test]
    fn other_filters_select_by_no_tag() {
        check(
            r#"{"filter": [{"name": "instance-state-name", "values": ["running"]}]}"#,
            &[],
        );
        check(
            r#"{"condition": [{"path_pattern": [{"values": ["/api"]}]}]}"#,
            &[],
        );
        check(r#"{"tags": {"Backup": "daily"}}"#, &[]);
        check(r#"{"selector": {}}"#, &[]);
        check(r#"{"targets": [{"name": "web", "values": ["x"]}]}"#, &[]);
    }
}
