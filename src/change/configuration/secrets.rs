//! What a plan knows to be secret: at which arguments, and which texts.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use zeroize::Zeroize;

use crate::path::{Path, Segment};
use crate::stack::{Resource, State};
use crate::terraform::address::config_address;
use crate::terraform::hcl::lex::{Kind, Lexer};
use crate::terraform::hcl::{self, Syntax};
use crate::terraform::schema::Hidden;
use crate::value::{Payload, Value};

/// A secret of fewer characters is masked only where it is the whole of a text: it may be part of anything.
const MIN_CONTAINED: usize = 6;

/// What is secret. It holds secrets in clear, does not print, and is to be dropped when the masks are made.
#[derive(Clone, Default)]
pub struct Secrets {
    /// By the address of a resource in the configuration, the names that lead to its secret arguments.
    arguments: HashMap<String, BTreeSet<Vec<String>>>,
    texts: BTreeSet<String>,
}

impl Drop for Secrets {
    fn drop(&mut self) {
        for mut text in std::mem::take(&mut self.texts) {
            text.zeroize();
        }
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secrets({} texts)", self.texts.len())
    }
}

impl Secrets {
    /// Adds what is secret in a resource, before the change and after it.
    pub fn add_resource(&mut self, resource: &Resource) {
        let address = in_configuration(resource.address.as_deref().unwrap_or_default());
        let states = [&resource.before, &resource.after];
        for state in states.into_iter().flatten() {
            let State { inputs, outputs } = state;
            for value in [inputs, outputs].into_iter().flatten() {
                let mut found = BTreeSet::new();
                self.walk(value, &mut Vec::new(), &mut found);
                if !found.is_empty() {
                    self.arguments
                        .entry(address.clone())
                        .or_default()
                        .extend(found);
                }
            }
        }
    }

    /// Adds what is secret in what an action is configured with, which its block has in a block of its own.
    pub fn add_action(&mut self, address: &str, config: &Value) {
        let mut found = BTreeSet::new();
        self.walk(config, &mut vec!["config".to_owned()], &mut found);
        if !found.is_empty() {
            let address = in_configuration(address);
            self.arguments.entry(address).or_default().extend(found);
        }
    }

    /// Adds an argument of a resource, by its address in the configuration, that is called sensitive there.
    pub fn add_argument(&mut self, address: &str, path: &Path) {
        let names = path.0.iter().filter_map(|segment| match segment {
            Segment::Key(name) => Some(name.to_string()),
            Segment::Index(_) => None,
        });
        let arguments = self.arguments.entry(address.to_owned()).or_default();
        arguments.insert(names.collect());
    }

    /// Adds what the schema of its provider calls sensitive or write-only in a resource.
    pub fn add_schema(&mut self, address: &str, hidden: &Hidden) {
        self.add_schema_below(address, None, hidden);
    }

    /// The same of an action, which is configured in a block of its own.
    pub fn add_action_schema(&mut self, address: &str, hidden: &Hidden) {
        self.add_schema_below(address, Some("config"), hidden);
    }

    fn add_schema_below(&mut self, address: &str, above: Option<&str>, hidden: &Hidden) {
        let arguments = self.arguments.entry(in_configuration(address)).or_default();
        hidden.each(&mut |names| {
            let names = above.iter().chain(names);
            arguments.insert(names.map(ToString::to_string).collect());
        });
    }

    /// Adds what is secret in a value that is of no resource: an output, a variable.
    pub fn add_value(&mut self, value: &Value) {
        self.walk(value, &mut Vec::new(), &mut BTreeSet::new());
    }

    /// Adds a text that is secret wherever it stands.
    pub(super) fn add_text(&mut self, text: String) {
        if !text.is_empty() {
            self.texts.insert(text);
        }
    }

    fn walk(&mut self, value: &Value, above: &mut Vec<String>, found: &mut BTreeSet<Vec<String>>) {
        if value.is_secret() {
            found.insert(above.clone());
            self.take(value);
            return;
        }
        match value.payload() {
            Payload::Map(map) => {
                for (key, value) in map {
                    above.push(key.to_string());
                    self.walk(value, above, found);
                    above.pop();
                }
            }
            Payload::Array(items) => {
                for value in items {
                    self.walk(value, above, found);
                }
            }
            _ => {}
        }
    }

    /// Takes the texts of a secret value: to find them where they must not be seen.
    fn take(&mut self, value: &Value) {
        match value.payload() {
            Payload::String(text) => {
                let text = text.to_str_lossy();
                if !text.is_empty() {
                    self.texts.insert(text.into_owned());
                }
            }
            Payload::Map(map) => map.iter().for_each(|(_, value)| self.take(value)),
            Payload::Array(items) => items.iter().for_each(|value| self.take(value)),
            _ => {}
        }
    }

    /// Whether an argument of a resource is secret, or something in it, or something around it.
    pub(super) fn is_secret_at(&self, address: &str, names: &[String]) -> bool {
        let Some(arguments) = self.arguments.get(address) else {
            return false;
        };
        let agree = |own: &Vec<String>| own.iter().zip(names).all(|(own, name)| own == name);
        arguments.iter().any(agree)
    }

    /// What finds the texts in a file.
    pub(super) fn matcher(&self) -> Matcher<'_> {
        let whole = self.texts.iter().map(String::as_str);
        // Of a text of many lines each counts: in a source they may be indented.
        let lines = self
            .texts
            .iter()
            .flat_map(|text| text.lines().map(str::trim));
        Matcher {
            texts: &self.texts,
            parts: Finder::new(whole.chain(lines)),
        }
    }
}

/// Finds texts that are secret inside of others.
pub(crate) struct Finder(AhoCorasick);

impl Finder {
    /// Looks for those of `texts` that are long enough; `None` if there are more of them than can be looked for.
    pub(crate) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Self> {
        let long = texts.filter(|text| text.chars().count() >= MIN_CONTAINED);
        let long: BTreeSet<&str> = long.collect();
        let builder = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(long);
        builder.ok().map(Self)
    }

    /// True if `text` contains one of them.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

/// What the configuration calls a resource, or a deposed object of it.
fn in_configuration(address: &str) -> String {
    let bare = address.split_once(" (deposed ");
    config_address(bare.map_or(address, |(address, _)| address)).into_owned()
}

/// Finds secret texts in a file.
pub(super) struct Matcher<'s> {
    texts: &'s BTreeSet<String>,
    /// `None` if there are more of them than can be looked for; none of them is in the file then that is no whole text.
    parts: Option<Finder>,
}

impl Matcher<'_> {
    /// The stretches of `text` that are secret.
    pub(super) fn find(&self, text: &str, syntax: Syntax) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if self.texts.is_empty() {
            return found;
        }
        if let Some(parts) = &self.parts {
            found.extend(parts.0.find_iter(text).map(|part| part.range()));
        }
        for (span, meant) in texts(text, syntax) {
            let is_whole = self.texts.contains(&meant);
            let contains = |parts: &Finder| parts.is_in(&meant);
            if is_whole || self.parts.as_ref().is_some_and(contains) {
                found.push(span);
            }
        }
        found
    }
}

/// Every text of a file and what it means, whatever it is part of: in a file that is not understood too.
fn texts(text: &str, syntax: Syntax) -> Vec<(Range<usize>, String)> {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    let mut open: Option<(Range<usize>, hcl::Form)> = None;
    let form_of = |kind: Kind| match (kind, syntax) {
        (Kind::HeredocOpen, _) => hcl::Form::Heredoc,
        (_, Syntax::Json) => hcl::Form::Json,
        _ => hcl::Form::Quoted,
    };
    // Which form the innermost string has, to come back to behind an interpolation.
    let mut forms = Vec::new();
    let mut close = |open: &mut Option<(Range<usize>, hcl::Form)>| {
        if let Some((span, form)) = open.take() {
            let literal = hcl::Literal::new(text, span.clone(), form);
            found.push((span, literal.decode().into_owned()));
        }
    };
    for token in Lexer::new(text, syntax) {
        match token.kind {
            Kind::QuoteOpen | Kind::HeredocOpen => {
                close(&mut open);
                forms.push(form_of(token.kind));
            }
            Kind::Text | Kind::Escape => {
                let form = forms.last().copied().unwrap_or(hcl::Form::Quoted);
                let start = token.span.start;
                let (span, _) = open.get_or_insert((start..start, form));
                span.end = token.span.end;
            }
            Kind::QuoteClose | Kind::HeredocClose => {
                close(&mut open);
                forms.pop();
            }
            _ => close(&mut open),
        }
    }
    close(&mut open);
    found
}
