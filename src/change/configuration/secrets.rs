//! The secrets that a plan knows: their arguments and their texts.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use zeroize::Zeroize;

use crate::change::masks::fold_twins;
use crate::change::secret_texts::{Filter, Finder, MIN_CONTAINED, each_text};
use crate::likely::{Masking, places};
use crate::path::{Path, Segment, walk};
use crate::stack::{Resource, State};
use crate::terraform::address::ObjectName;
use crate::terraform::hcl::lex::{Lexer, TokenKind};
use crate::terraform::hcl::{self, Syntax};
use crate::terraform::schema::Hidden;
use crate::value::{Payload, Value};

/// The known secrets. They are held in clear, never printed, and must be dropped once the masks are made.
#[derive(Clone, Default)]
pub struct Secrets {
    /// The names that lead to the secret arguments of a resource, by its address in the configuration.
    arguments: HashMap<String, BTreeSet<Vec<String>>>,
    texts: BTreeSet<String>,
    /// The rules for secrets that the file does not mark.
    masking: Option<Masking>,
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
    /// Adds the secrets that the file does not mark.
    pub fn add_likely(&mut self, masking: &Masking) {
        self.masking = (!masking.is_off()).then(|| masking.clone());
    }

    /// Adds the secrets of a resource, before and after the change.
    pub fn add_resource(&mut self, resource: &Resource) {
        let address = in_configuration(resource.address.as_deref().unwrap_or_default());
        let states = [&resource.before, &resource.after];
        for state in states.into_iter().flatten() {
            let State {
                inputs,
                outputs,
                options,
            } = state;
            for value in [inputs, outputs, options].into_iter().flatten() {
                self.add_arguments(&address, Path::root(), value);
            }
        }
    }

    /// Adds the secrets in the configuration of an action. Its block has them in a nested `config` block.
    pub fn add_action(&mut self, address: &str, config: &Value) {
        let above = Path(vec![Segment::from("config")]);
        self.add_arguments(&in_configuration(address), above, config);
    }

    /// Adds the secrets in `value`, which is at `path` of what the address names.
    fn add_arguments(&mut self, address: &str, mut path: Path, value: &Value) {
        walk(value, &mut path, &mut |path, value| {
            if value.is_secret() {
                self.take(value);
                let arguments = self.arguments.entry(address.to_owned()).or_default();
                arguments.insert(names(path));
            }
            !value.is_secret()
        });
    }

    /// Adds a sensitive argument of a resource, by the resource's address in the configuration.
    pub fn add_argument(&mut self, address: &str, path: &Path) {
        let arguments = self.arguments.entry(address.to_owned()).or_default();
        arguments.insert(names(path));
    }

    /// Adds the arguments of a resource that its provider's schema marks sensitive or write-only.
    pub fn add_schema(&mut self, address: &str, hidden: &Hidden) {
        self.add_schema_below(address, None, hidden);
    }

    /// Like [`Self::add_schema`], for an action, whose arguments are in a nested `config` block.
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

    /// Adds the secrets in a value outside a resource: an output or a variable.
    pub fn add_value(&mut self, value: &Value) {
        self.take(value);
    }

    /// Adds a text that is secret wherever it occurs.
    pub(super) fn add_text(&mut self, text: String) {
        self.take(&Value::from(text).with_secret(true));
    }

    /// Adds the texts of the secrets in a value, so that they are found where they must not be seen.
    fn take(&mut self, value: &Value) {
        each_text(value, &mut |text, is_secret| {
            if is_secret && !text.is_empty() {
                self.texts.insert(text.into_owned());
            }
        });
    }

    /// True if an argument of a resource is secret, in whole or in part, or lies in a secret value.
    pub(super) fn is_secret_at(&self, address: &str, names: &[String]) -> bool {
        let Some(arguments) = self.arguments.get(address) else {
            return false;
        };
        let agree = |own: &Vec<String>| own.iter().zip(names).all(|(own, name)| own == name);
        arguments.iter().any(agree)
    }

    /// JSON of the file with everything masked that is secret: what masks beside it mark, and what repeats a secret text or a long
    /// secret number.
    pub fn masked(&self, json: &Value) -> Value {
        let masked = self.matcher().masked(&fold_twins(json));
        let masking = self.masking.as_ref();
        let likely = masking.and_then(|masking| masking.masked("", &masked));
        likely.unwrap_or(masked)
    }

    /// A matcher for the secret texts in a file.
    pub(super) fn matcher(&self) -> Matcher<'_> {
        Matcher {
            texts: &self.texts,
            parts: Finder::new(self.texts.iter().map(String::as_str)),
            masking: self.masking.as_ref(),
        }
    }
}

/// The names of the arguments that a path leads through.
fn names(path: &Path) -> Vec<String> {
    path.keys().map(ToString::to_string).collect()
}

/// The address of a resource, or of a deposed object of it, in the configuration.
fn in_configuration(address: &str) -> String {
    ObjectName::parse(address).config_address().into_owned()
}

/// Finds secret texts in a file.
pub(super) struct Matcher<'s> {
    texts: &'s BTreeSet<String>,
    /// `None` if there are more texts than can be searched for. Then a secret is found only as a whole text.
    parts: Option<Finder>,
    masking: Option<&'s Masking>,
}

impl Filter for Matcher<'_> {
    fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    fn hides_attribute(&self, _: &str) -> bool {
        false
    }

    fn has_in(&mut self, text: &str) -> bool {
        let contains = |parts: &Finder| parts.is_in(text);
        self.texts.contains(text) || self.parts.as_ref().is_some_and(contains)
    }
}

impl Matcher<'_> {
    fn masked(&mut self, value: &Value) -> Value {
        match value.payload() {
            Payload::Map(_) | Payload::Array(_) => value.with_parts(|_, it| self.masked(it)),
            Payload::Number(number) => {
                let digits = number.to_string();
                let is_secret = digits.len() >= MIN_CONTAINED && self.has_in(&digits);
                value.clone().with_secret(value.is_secret() || is_secret)
            }
            _ => self.hide(None, value),
        }
    }

    /// The byte ranges of `text` that are secret.
    pub(super) fn find(&self, text: &str, syntax: Option<Syntax>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if let Some(masking) = self.masking {
            found.extend(match syntax {
                Some(syntax) => likely(masking, text, syntax),
                None => masking.ranges(text),
            });
        }
        if self.texts.is_empty() {
            return found;
        }
        if let Some(parts) = &self.parts {
            found.extend(parts.find_iter(text).map(|part| part.range()));
        }
        // The strings of most languages are those of this one. A secret with a name is masked by that.
        for (span, meant) in texts(text, syntax.unwrap_or(Syntax::Native)) {
            let is_whole = self.texts.contains(&meant);
            let contains = |parts: &Finder| parts.is_in(&meant);
            if is_whole || self.parts.as_ref().is_some_and(contains) {
                found.push(span);
            }
        }
        found
    }
}

/// The likely secrets in a file: those with a form, and those in its texts. What a name of its language says is known from its position.
fn likely(masking: &Masking, text: &str, syntax: Syntax) -> Vec<Range<usize>> {
    let mut found: Vec<_> = places(text).map(|(_, place)| place).collect();
    for (span, _) in texts(text, syntax) {
        let inside = masking.ranges(&text[span.clone()]);
        let inside = inside.into_iter();
        found.extend(inside.map(|it| span.start + it.start..span.start + it.end));
    }
    found
}

/// All texts of a file with their decoded values, wherever they are in it. Works for files with syntax errors too.
fn texts(text: &str, syntax: Syntax) -> Vec<(Range<usize>, String)> {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    let mut open: Option<(Range<usize>, hcl::Form)> = None;
    let form_of = |kind: TokenKind| match (kind, syntax) {
        (TokenKind::HeredocOpen, _) => hcl::Form::Heredoc,
        (_, Syntax::Json) => hcl::Form::Json,
        _ => hcl::Form::Quoted,
    };
    // The forms of the open strings. The last one applies again after an interpolation.
    let mut forms = Vec::new();
    let mut close = |open: &mut Option<(Range<usize>, hcl::Form)>| {
        if let Some((span, form)) = open.take() {
            let literal = hcl::Literal::new(text, span.clone(), form);
            found.push((span, literal.decode().into_owned()));
        }
    };
    for token in Lexer::new(text, syntax) {
        match token.kind {
            TokenKind::QuoteOpen | TokenKind::HeredocOpen => {
                close(&mut open);
                forms.push(form_of(token.kind));
            }
            TokenKind::Text | TokenKind::Escape => {
                let form = forms.last().copied().unwrap_or(hcl::Form::Quoted);
                let start = token.span.start;
                let (span, _) = open.get_or_insert((start..start, form));
                span.end = token.span.end;
            }
            TokenKind::QuoteClose | TokenKind::HeredocClose => {
                close(&mut open);
                forms.pop();
            }
            _ => close(&mut open),
        }
    }
    close(&mut open);
    found
}
