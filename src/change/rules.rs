//! Rules: what deserves a look in a change, as data that a person can read and extend.
//!
//! A [`Rule`] names types of resources, a property and a condition. The rules of this program are TOML files in `assets/rules`; a
//! person adds files ([`Rules::with_file`]). [`Rules::check`] gives the [`Finding`]s for one changed resource.
//!
//! # Laws
//!
//! 1. A resource costs one walk of its difference, and a look at each changed leaf for the rules of every type.
//! 2. Masked values are only compared for equality. A condition that would say more of a masked or unknown value is
//!    [open](Finding::is_open), and a finding never has the text of one.
//! 3. Conditions on properties say nothing of a resource that is deleted.
//! 4. The order and the names of statements, rules and elements do not count.
//!
//! # Example
//!
//! ```
//! use stacklens::change::rules::Rules;
//!
//! let rule = Rules::built_in().get("aws-rds-backup-shortened").unwrap();
//! assert_eq!(rule.level.name(), "danger");
//! ```

mod condition;
mod file;
mod general;
mod names;
mod network;
mod pattern;
mod policy;
mod types;
mod vault;
mod walk;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use indexmap::IndexMap;

pub(crate) use condition::{is_nothing, single};
pub use file::{Mute, ParseError};
pub use network::Traffic;

use super::decode::document;
use super::difference::{Durations, SectionDiff};
use super::leaves::Leaf;
use super::policies::Policies;
use crate::path::Path;
use crate::stack::{Action, Section};
use crate::value::Value;
use condition::{Condition, Literal};
use names::Phrase;
use pattern::Pattern;

/// The weight of a finding. The heaviest is the least, so lists sorted by it begin with the dangers, and `min` gives the heavier one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Loss, exposure or a lock-out.
    Danger,
    /// A protection gets weaker, or the change may interrupt a service.
    Warning,
    /// Worth knowing.
    Note,
}

impl Level {
    /// All levels, the heaviest first.
    pub const ALL: [Self; 3] = [Self::Danger, Self::Warning, Self::Note];

    /// The word in a rule file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Danger => "danger",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// Its name, unique among all rules.
    pub id: String,
    /// The weight of its findings.
    pub level: Level,
    /// The types, as Terraform and Pulumi's native providers name them. In a type `*` is any text.
    pub types: Vec<String>,
    /// Patterns of types that the rule leaves out.
    pub except: Vec<String>,
    /// The sentence of its findings.
    pub says: String,
    /// The address of a page that explains it; empty if there is none.
    pub more: String,
    /// The file that it comes from.
    pub file: String,
    /// The words of names of properties that a rule for every type looks at.
    named: Vec<Phrase>,
    /// The words with which such a name, or one of its containers, is left out.
    unnamed: Vec<Phrase>,
    properties: Vec<Pattern>,
    property_texts: Vec<String>,
    conditions: Vec<Condition>,
    condition_texts: Vec<String>,
    filter: Vec<Guard>,
    unless: Vec<Guard>,
    /// True if the program always gives the property. Otherwise it is unknown in most plans that create the resource.
    is_required: bool,
    /// False if the rule is silent about a new resource.
    is_for_created: bool,
    /// False if the rule is silent once the apply is over.
    is_for_outcome: bool,
}

/// Values that a resource must have, or must not have, for a rule to fire.
#[derive(Clone, PartialEq, Debug)]
struct Guard {
    pattern: Pattern,
    text: String,
    values: Vec<Literal>,
}

impl Rule {
    /// The patterns of the properties, as they are written; none for a rule about the resource itself.
    pub fn properties(&self) -> &[String] {
        &self.property_texts
    }

    /// The words of names of properties, one of which must be in a name; none for a rule that has patterns.
    pub fn named(&self) -> impl Iterator<Item = String> {
        self.named.iter().map(ToString::to_string)
    }

    /// The words with which a name is left out.
    pub fn unnamed(&self) -> impl Iterator<Item = String> {
        self.unnamed.iter().map(ToString::to_string)
    }

    /// True if the rule is for every provider.
    fn is_general(&self) -> bool {
        self.types.iter().all(|ty| ty.starts_with('*'))
    }

    /// True if the rule is about the end of a resource.
    fn is_about_end(&self) -> bool {
        let ends = [
            Condition::Deleted,
            Condition::Replaced,
            Condition::DestroyedFirst,
        ];
        self.conditions.iter().any(|it| ends.contains(it))
    }

    /// True if a pattern of types has one of the names of a type.
    fn has_pattern_for(&self, names: &[String]) -> bool {
        let mut patterns = self.types.iter().filter(|ty| ty.contains('*'));
        patterns.any(|it| types::is_named(it, names))
            && !self.except.iter().any(|it| types::is_named(it, names))
    }

    /// True if the rule is about the work of an apply, such as a restart, and says nothing of what is there afterwards.
    pub fn is_about_apply(&self) -> bool {
        self.conditions.iter().all(Condition::is_about_apply) || !self.is_for_outcome
    }

    /// True if one of the conditions is that the value is not known before the apply.
    pub fn is_about_unknown(&self) -> bool {
        self.conditions.contains(&Condition::Unknown)
    }

    /// The conditions, as they are written; one of them must hold.
    pub fn conditions(&self) -> &[String] {
        &self.condition_texts
    }

    /// True for a rule about the addresses that have access.
    pub fn is_about_access(&self) -> bool {
        use Condition::{Opens, OpensWeb, Widens};
        let mut conditions = self.conditions.iter();
        conditions.any(|it| matches!(it, Widens | Opens | OpensWeb))
    }

    /// The values that the resource must have, in words.
    pub fn filter(&self) -> impl Iterator<Item = String> {
        self.filter.iter().map(Guard::in_words)
    }

    /// The values with which the rule is silent, in words.
    pub fn unless(&self) -> impl Iterator<Item = String> {
        self.unless.iter().map(Guard::in_words)
    }
}

impl Guard {
    /// Example: `direction is "INGRESS" or "ingress"`.
    fn in_words(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|it| it.0.to_string()).collect();
        format!("{} is {}", self.text, values.join(" or "))
    }
}

/// A changed resource.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'c> {
    /// The type, as the file has it.
    pub ty: &'c str,
    /// The action on the resource.
    pub action: Action,
    /// True if a replacement is created before the old one is destroyed.
    pub is_created_first: bool,
    /// The differences of its properties.
    pub parts: &'c [SectionDiff],
    /// The changed leaves of these differences.
    pub leaves: &'c [Leaf],
    /// Its properties if none of them differs, as for the replacement of a tainted resource.
    pub unchanged: &'c Value,
}

impl<'c> Changed<'c> {
    /// The difference of the properties, which are not the options of the engine.
    fn own_part(&self) -> Option<&'c SectionDiff> {
        let mut parts = self.parts.iter();
        parts.find(|part| part.section != Section::Options)
    }

    /// True if there is a resource after the change, which may differ.
    fn may_differ(&self) -> bool {
        use Action::{Create, Import, Move, Replace, Update};
        matches!(self.action, Create | Update | Replace | Import | Move)
    }

    /// The properties before and after.
    fn properties(&self) -> (&'c Value, &'c Value) {
        self.own_part()
            .map_or((self.unchanged, self.unchanged), |part| {
                (&part.diff.before, &part.diff.after)
            })
    }
}

/// A place where a rule fires.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Arc<Rule>,
    /// True if the rule cannot be judged: a value is masked or unknown.
    pub is_open: bool,
    /// The set of properties.
    pub section: Section,
    /// The place: the property that changes, or the resource.
    pub path: Path,
    /// The value before, masked where it is secret; null if there was none.
    pub before: Value,
    /// The value after, masked where it is secret; null if there is none.
    pub after: Value,
    /// The parts of the values that the rule means: an opening of a network, a grant of a policy.
    pub details: Vec<Part>,
}

/// A part of the values that a rule means, in words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// It comes.
    Comes(String),
    /// It goes.
    Goes(String),
    /// The first becomes the second.
    Becomes(String, String),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comes(words) | Self::Goes(words) => f.write_str(words),
            Self::Becomes(before, after) => write!(f, "{before} → {after}"),
        }
    }
}

/// Rules by the types that they are about.
#[derive(Clone, Default, Debug)]
pub struct Rules {
    /// By their ids.
    all: IndexMap<String, Arc<Rule>>,
    /// The numbers of the rules of a type, by its key.
    by_type: HashMap<String, Vec<usize>>,
    /// The numbers of the rules with patterns of types.
    by_pattern: Vec<usize>,
    /// Names of Terraform for bridged types, by the key of the token.
    bridged: HashMap<String, String>,
    policies: Policies,
    mutes: Vec<Arc<Mute>>,
    /// The mutes whose last day is over.
    over: Vec<Arc<Mute>>,
    known: Known,
}

/// The rules of the types that were asked for. Many resources are of few types, and a name is looked up under several keys.
#[derive(Default, Debug)]
struct Known(Mutex<HashMap<String, Arc<OfType>>>);

/// Other rules know nothing yet.
impl Clone for Known {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// The rules of a type.
#[derive(Debug)]
struct OfType {
    rules: Vec<Arc<Rule>>,
    /// The rules for every type that look at names of properties.
    general: Vec<Arc<Rule>>,
    /// True if a rule names the type.
    is_known: bool,
}

impl OfType {
    /// The rules that name the type, with those for every type that it leaves room for.
    fn of(mut rules: Vec<Arc<Rule>>, every: Vec<Arc<Rule>>) -> Self {
        let is_known = !rules.is_empty();
        let (general, about_end): (Vec<_>, Vec<_>) =
            every.into_iter().partition(|rule| !rule.named.is_empty());
        if !rules.iter().any(|rule| rule.is_about_end()) {
            rules.extend(about_end);
        }
        Self {
            rules,
            general,
            is_known,
        }
    }
}

/// The name and the text of a file of rules.
macro_rules! rule_file {
    ($name:literal) => {
        (
            concat!("assets/rules/", $name, ".toml"),
            include_str!(concat!("../../assets/rules/", $name, ".toml")),
        )
    };
}

/// The files with the rules of this program.
const FILES: [(&str, &str); 8] = [
    rule_file!("aws-data"),
    rule_file!("aws-access"),
    rule_file!("azure"),
    rule_file!("google"),
    rule_file!("kubernetes"),
    rule_file!("edge"),
    rule_file!("values"),
    rule_file!("every"),
];

/// The Terraform names of bridged types that do not follow from their tokens.
const BRIDGED: &str = include_str!("../../assets/rules/bridged.toml");

static BUILT_IN: LazyLock<Rules> = LazyLock::new(|| {
    let mut rules = Rules {
        bridged: file::parse_bridged(BRIDGED),
        ..Rules::default()
    };
    for (name, text) in FILES {
        rules.add(name, text).expect("the embedded rules are valid");
    }
    rules.arrange();
    rules
});

/// The names of properties about which a rule of this program says that they grow or shrink. Those with a unit of time are durations.
static TIMES: LazyLock<Durations> = LazyLock::new(|| {
    let rules = Rules::built_in().iter();
    let ordered = rules.filter(|rule| rule.conditions.iter().any(Condition::is_of_order));
    let names = ordered.flat_map(|rule| &rule.property_texts);
    let names = names.filter_map(|text| text.rsplit(['.', '*', ']']).next());
    let spellings = names.flat_map(|name| [name.to_owned(), names::in_camel_case(name)]);
    spellings.filter(|name| !name.is_empty()).collect()
});

/// The names of properties that are durations where they have a unit of time.
pub fn times() -> &'static Durations {
    &TIMES
}

impl Rules {
    /// The rules of this program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// These rules with those of the file `name`, whose contents are `text`. A rule replaces an earlier one of the same id.
    ///
    /// # Errors
    ///
    /// If the text is not a file of rules.
    pub fn with_file(mut self, name: &str, text: &str) -> Result<Self, ParseError> {
        self.add(name, text)?;
        self.arrange();
        Ok(self)
    }

    /// Adds the rules of a file, which are found only after [`Rules::arrange`].
    fn add(&mut self, name: &str, text: &str) -> Result<(), ParseError> {
        let (rules, mutes) = file::parse(name, text)?;
        self.mutes.extend(mutes.into_iter().map(Arc::new));
        for rule in rules {
            self.all.insert(rule.id.clone(), Arc::new(rule));
        }
        Ok(())
    }

    /// Arranges all rules by type.
    fn arrange(&mut self) {
        self.by_type.clear();
        self.by_pattern.clear();
        self.known = Known::default();
        for (number, rule) in self.all.values().enumerate() {
            if rule.types.iter().any(|ty| ty.contains('*')) {
                self.by_pattern.push(number);
            }
            for ty in &rule.types {
                let numbers = self.by_type.entry(types::key(ty)).or_default();
                if numbers.last() != Some(&number) {
                    numbers.push(number);
                }
            }
        }
    }

    /// These rules with the policies of a team.
    #[must_use]
    pub fn with_policies(self, policies: Policies) -> Self {
        Self { policies, ..self }
    }

    /// These rules with the mutes in the file of settings `name`.
    ///
    /// # Errors
    ///
    /// If one of them is wrong.
    pub fn with_settings(mut self, name: &str, text: &str) -> Result<Self, ParseError> {
        let mutes = file::parse_mutes(name, text)?;
        self.mutes.extend(mutes.into_iter().map(Arc::new));
        Ok(self)
    }

    /// These rules with the mutes of the file `name`, which has nothing else: it may come with a plan of somebody else.
    ///
    /// # Errors
    ///
    /// If the text is no file of mutes.
    pub fn with_mutes(mut self, name: &str, text: &str) -> Result<Self, ParseError> {
        let (rules, mutes) = file::parse(name, text)?;
        if let Some(rule) = rules.first() {
            return Err(ParseError {
                file: name.to_owned(),
                line: 1,
                message: format!(
                    "expected nothing but `[[mute]]`, found the rule `{}`",
                    rule.id
                ),
            });
        }
        self.mutes.extend(mutes.into_iter().map(Arc::new));
        Ok(self)
    }

    /// These rules on a day such as `2027-03-31`: mutes that ended before it mute nothing.
    #[must_use]
    pub fn on_day(mut self, today: &str) -> Self {
        let (over, mutes) = self.mutes.into_iter().partition(|it| it.is_over(today));
        self.mutes = mutes;
        self.over.extend::<Vec<_>>(over);
        self
    }

    /// These rules with nothing muted.
    #[must_use]
    pub fn without_mutes(self) -> Self {
        Self {
            mutes: Vec::new(),
            over: Vec::new(),
            ..self
        }
    }

    /// The mutes.
    pub fn mutes(&self) -> &[Arc<Mute>] {
        &self.mutes
    }

    /// The mutes whose last day is over.
    pub fn mutes_over(&self) -> &[Arc<Mute>] {
        &self.over
    }

    /// The numbers of the mutes about a type.
    pub fn mutes_of(&self, ty: &str) -> Vec<usize> {
        if self.mutes.is_empty() {
            return Vec::new();
        }
        let names = types::names(ty, &self.bridged);
        let numbers = 0..self.mutes.len();
        numbers
            .filter(|it| self.mutes[*it].is_about(&names))
            .collect()
    }

    /// The first of these mutes that takes away the finding of a rule or mechanism at a place.
    pub fn silencer(
        &self,
        mutes: &[usize],
        rule: &str,
        (path, before, after): (&Path, &Value, &Value),
    ) -> Option<usize> {
        let mut mutes = mutes.iter().copied();
        mutes.find(|it| self.mutes[*it].silences(rule, path, before, after))
    }

    /// The first of these mutes that mutes a change by its property alone.
    pub fn muter(&self, mutes: &[usize], leaf: &Leaf) -> Option<usize> {
        mutes.iter().copied().find(|it| self.mutes[*it].mutes(leaf))
    }

    /// The policies of a team, which judge a file as a whole.
    pub fn policies(&self) -> &Policies {
        &self.policies
    }

    /// All rules.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Rule>> {
        self.all.values()
    }

    /// Number of rules that are not those of this program, or that replace one of them.
    pub fn n_added(&self) -> usize {
        let own = Self::built_in();
        let is_own = |rule: &Arc<Rule>| own.get(&rule.id).is_some_and(|it| Arc::ptr_eq(it, rule));
        self.iter().filter(|rule| !is_own(rule)).count()
    }

    /// The rule with this id.
    pub fn get(&self, id: &str) -> Option<&Arc<Rule>> {
        self.all.get(id)
    }

    /// The rules that name a type.
    pub fn of_type(&self, ty: &str) -> Vec<&Arc<Rule>> {
        let mut numbers: Vec<usize> = types::keys(ty, &self.bridged)
            .iter()
            .filter_map(|key| self.by_type.get(key))
            .flatten()
            .copied()
            .collect();
        let fitting = self.with_pattern_for(ty);
        numbers.extend(fitting.filter(|number| !self.all[*number].is_general()));
        numbers.sort_unstable();
        numbers.dedup();
        numbers
            .into_iter()
            .map(|number| &self.all[number])
            .collect()
    }

    /// The numbers of the rules with a pattern that has the type.
    fn with_pattern_for(&self, ty: &str) -> impl Iterator<Item = usize> {
        let names = types::names(ty, &self.bridged);
        let numbers = self.by_pattern.iter().copied();
        numbers.filter(move |number| self.all[*number].has_pattern_for(&names))
    }

    /// The rules of a type and those for every type. They are gathered once for each type.
    fn known(&self, ty: &str) -> Arc<OfType> {
        let mut known = self.known.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_type) = known.get(ty) {
            return Arc::clone(of_type);
        }
        let rules: Vec<Arc<Rule>> = self.of_type(ty).into_iter().cloned().collect();
        let fitting = self.with_pattern_for(ty).map(|number| &self.all[number]);
        let every = fitting.filter(|rule| rule.is_general()).cloned().collect();
        let of_type = Arc::new(OfType::of(rules, every));
        known.insert(ty.to_owned(), Arc::clone(&of_type));
        of_type
    }

    /// True if it is a danger to delete a resource of this type: it holds data or an identity.
    pub fn is_loss(&self, ty: &str) -> bool {
        let is_danger = |rule: &Arc<Rule>| {
            rule.level == Level::Danger && rule.conditions.contains(&Condition::Deleted)
        };
        self.known(ty).rules.iter().any(is_danger)
    }

    /// True if a rule names the type.
    pub fn knows(&self, ty: &str) -> bool {
        self.known(ty).is_known
    }

    /// The findings for a changed resource, the heaviest first.
    pub fn check(&self, changed: &Changed<'_>) -> Vec<Finding> {
        let of_type = self.known(changed.ty);
        let mut rules: Vec<&Arc<Rule>> = of_type.rules.iter().collect();
        let holder = types::holder(changed.ty);
        if let Some(token) = holder.and_then(|property| object_token(changed, property)) {
            rules.extend(self.of_type(&token));
        }
        let mut findings = walk::findings(&rules, changed, holder);
        findings.extend(general::findings(&of_type.general, &rules, changed, holder));
        findings.sort_by(|a, b| {
            let open = a.is_open.cmp(&b.is_open);
            let order = || a.path.cmp(&b.path);
            open.then_with(|| a.rule.level.cmp(&b.rule.level))
                .then_with(order)
        });
        findings
    }
}

/// The token of the type of the object of Kubernetes that a resource holds.
fn object_token(changed: &Changed<'_>, property: &str) -> Option<String> {
    let (before, after) = changed.properties();
    let object = |side: &Value| {
        let held = side.get(property)?;
        match document(held) {
            Some((_, document)) => types::token_of_object(&document),
            None => types::token_of_object(held),
        }
    };
    object(after).or_else(|| object(before))
}
