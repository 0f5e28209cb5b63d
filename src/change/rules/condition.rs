//! Conditions of rules: the words of `when`, and their answers for two values.

use std::cell::OnceCell;
use std::cmp::Ordering;

use super::Part;
use super::network::{self, Reach, reach};
use super::policy::{self, Policies, Question};
use super::vault;
use crate::change::quantity::{
    compare, compare_versions, growing_part, is_of_other_repository, number,
};
use crate::change::schedule;
use crate::change::vocabulary::WORDS;
use crate::json::{self, Numbers};
use crate::path::children;
use crate::value::{Array, Payload, Value};

/// The condition under which a rule fires.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Condition {
    /// The resource is deleted.
    Deleted,
    /// The resource is replaced.
    Replaced,
    /// The resource is replaced, and the old one is destroyed before the new one is there.
    DestroyedFirst,
    /// The resource is created.
    Created,
    /// The property is about a change in order: of numbers with units, or of the lengths of containers.
    Order(Ordering),
    /// The property is about a change in order of a version.
    Version(Ordering),
    /// The first number of a version grows.
    MajorVersion,
    /// The second number of a version grows, and the first one stays.
    MinorVersion,
    /// The name of an image means another repository.
    OtherRepository,
    /// The number passes a limit: `Less` if it falls below.
    Passes(Ordering, f64),
    /// The value falls in this order, which starts with the lowest; a value that is gone is below all.
    Falls(Vec<Literal>),
    /// The property gets this value.
    Becomes(Literal),
    /// The property had this value, and has it no longer.
    Was(Literal),
    /// A text, an element or a key that fits the pattern is new.
    Adds(Fit),
    /// A text, an element or a key that fits the pattern is gone.
    Removes(Fit),
    /// A schedule comes no longer, because it names a day that none of its months has.
    NeverRuns,
    /// There is a value, and there was none.
    Set,
    /// There is no value any longer.
    Unset,
    /// The value is known after apply.
    Unknown,
    /// The value changes.
    Changes,
    /// More addresses gain access.
    Widens,
    /// Addresses lose access.
    Narrows,
    /// The whole internet gains access to more than web servers.
    Opens,
    /// The whole internet gains access to web servers.
    OpensWeb,
    /// A list of access rules, or the name of one, makes the resource public.
    BecomesPublic,
    /// A rule of a network policy of Kubernetes lets in every pod or every address.
    LetsAllIn,
    /// A policy allows an action that it did not allow, as a pattern in small letters.
    Allows(Box<str>),
    /// A policy allows one of some actions on a resource that it did not allow there, as a pattern in small letters.
    Reaches(Box<str>, Vec<Box<str>>),
    /// The change of a policy.
    Policy(Question),
    /// A policy of Vault has more capabilities on a path.
    GainsInVault,
}

/// A value in a condition.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Literal(pub(super) Value);

/// The texts that a condition means: a pattern in which `*` is any text, or one text if it is in quotes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    text: Box<str>,
    is_exact: bool,
}

impl Fit {
    fn parse(text: &str) -> Self {
        let inner = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        Self {
            text: inner.unwrap_or(text).to_lowercase().into(),
            is_exact: inner.is_some(),
        }
    }

    fn is(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        if self.is_exact {
            text == *self.text
        } else {
            policy::matches(&self.text, &text)
        }
    }
}

/// The two values of a property; null where there is none.
pub(super) struct Sides<'v> {
    pub(super) before: &'v Value,
    pub(super) after: &'v Value,
    /// The policies in them: each of several questions would read them again.
    policies: OnceCell<Policies>,
}

impl<'v> Sides<'v> {
    pub(super) fn of(before: &'v Value, after: &'v Value) -> Self {
        Self {
            before,
            after,
            policies: OnceCell::new(),
        }
    }

    fn policies(&self) -> &Policies {
        let policies = || Policies::of(self.before, self.after);
        self.policies.get_or_init(policies)
    }
}

/// The answer of a condition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Answer {
    /// It does not hold.
    No,
    /// It cannot be judged: a value is masked or unknown.
    Open,
    /// It holds.
    Yes,
}

/// The conditions of one or more fixed words.
const FIXED: [(&str, Condition); 33] = {
    use Condition::{
        BecomesPublic, Changes, Created, Deleted, DestroyedFirst, GainsInVault, LetsAllIn,
        MajorVersion, MinorVersion, Narrows, NeverRuns, Opens, OpensWeb, Order, OtherRepository,
        Policy, Replaced, Set, Unknown, Unset, Version, Widens,
    };
    use Question::{
        GainsAccess, GainsAccount, GainsAdmin, GainsPrincipal, GainsPublic, GainsWildcard,
        LosesCondition, LosesDeny, LosesPrincipal, WidensCondition,
    };
    [
        ("deleted", Deleted),
        ("replaced", Replaced),
        ("destroyed first", DestroyedFirst),
        ("created", Created),
        ("grows", Order(Ordering::Greater)),
        ("shrinks", Order(Ordering::Less)),
        ("version goes up", Version(Ordering::Greater)),
        ("version goes down", Version(Ordering::Less)),
        ("major version goes up", MajorVersion),
        ("minor version goes up", MinorVersion),
        ("repository changes", OtherRepository),
        ("set", Set),
        ("unset", Unset),
        ("unknown", Unknown),
        ("changes", Changes),
        ("widens", Widens),
        ("narrows", Narrows),
        ("opens to the world", Opens),
        ("opens the web to the world", OpensWeb),
        ("becomes public", BecomesPublic),
        ("lets everybody in", LetsAllIn),
        ("never runs any longer", NeverRuns),
        ("gains a wildcard", Policy(GainsWildcard)),
        ("gains full access", Policy(GainsAdmin)),
        ("gains a principal", Policy(GainsPrincipal)),
        ("gains everybody", Policy(GainsPublic)),
        ("gains an account", Policy(GainsAccount)),
        ("gains access in Vault", GainsInVault),
        ("gains access", Policy(GainsAccess)),
        ("loses a condition", Policy(LosesCondition)),
        ("widens a condition", Policy(WidensCondition)),
        ("loses a denial", Policy(LosesDeny)),
        ("loses a principal", Policy(LosesPrincipal)),
    ]
};

/// Reads the rest of a condition.
type Parse = fn(&str) -> Option<Condition>;

/// The conditions that go on with something of the rule, with a word for it.
const OPEN: [(&str, &str, Parse); 9] = {
    use Condition::{Adds, Allows, Becomes, Reaches, Removes, Was};
    [
        ("becomes", "VALUE", |rest| {
            Some(Becomes(Literal::parse(rest)))
        }),
        ("was", "VALUE", |rest| Some(Was(Literal::parse(rest)))),
        ("adds", "PATTERN", |rest| Some(Adds(Fit::parse(rest)))),
        ("removes", "PATTERN", |rest| Some(Removes(Fit::parse(rest)))),
        ("allows", "ACTION", |rest| {
            Some(Allows(rest.to_lowercase().into()))
        }),
        ("reaches", "RESOURCE by ACTION …", |rest| {
            let rest = rest.to_lowercase();
            let (resource, actions) = rest.split_once(" by ")?;
            let actions = actions.split_whitespace().map(Into::into);
            Some(Reaches(resource.into(), actions.collect()))
        }),
        ("falls below", "NUMBER", |rest| passes(Ordering::Less, rest)),
        ("falls in", "VALUE < VALUE", falls),
        ("rises above", "NUMBER", |rest| {
            passes(Ordering::Greater, rest)
        }),
    ]
};

fn passes(order: Ordering, limit: &str) -> Option<Condition> {
    Some(Condition::Passes(order, number(&Value::from(limit))?))
}

fn falls(order: &str) -> Option<Condition> {
    let order = order.split('<').map(|it| Literal::parse(it.trim()));
    let order: Vec<Literal> = order.collect();
    (order.len() > 1).then_some(Condition::Falls(order))
}

impl Condition {
    /// Parses the words of `when`; `None` if they are no condition.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some((_, condition)) = FIXED.iter().find(|(words, _)| *words == text) {
            return Some(condition.clone());
        }
        let after = |words: &str| {
            let rest = text.strip_prefix(words)?.strip_prefix(' ')?.trim();
            (!rest.is_empty()).then_some(rest)
        };
        OPEN.iter()
            .find_map(|(words, _, parse)| parse(after(words)?))
    }

    /// All forms of a condition, for an error message and for the help.
    pub(super) fn forms() -> String {
        let mut words: Vec<&str> = FIXED.iter().map(|(words, _)| *words).collect();
        let open: Vec<String> = OPEN
            .iter()
            .map(|(it, what, _)| format!("{it} {what}"))
            .collect();
        words.extend(open.iter().map(String::as_str));
        words.join(", ")
    }

    /// True if the condition is about the order of two quantities.
    pub(super) fn is_of_order(&self) -> bool {
        matches!(self, Self::Order(_) | Self::Passes(..))
    }

    /// True if the condition is about the work of an apply, and says nothing of what is there afterwards.
    pub(super) fn is_about_apply(&self) -> bool {
        matches!(
            self,
            Self::Replaced
                | Self::DestroyedFirst
                | Self::Created
                | Self::Version(_)
                | Self::MajorVersion
                | Self::MinorVersion
                | Self::Unknown
                | Self::Changes
        )
    }

    /// True if the condition is about the resource, and not about a property.
    pub(super) fn is_about_resource(&self) -> bool {
        matches!(
            self,
            Self::Deleted | Self::Replaced | Self::DestroyedFirst | Self::Created
        )
    }

    /// The answer for the two values of a property. If one is missing, an element of the other side may have been it: a part is not new
    /// if one of these `peers` had it already, and not gone if one still has it.
    pub(super) fn answer_beside<'v>(
        &self,
        sides: &Sides<'v>,
        peers: impl Iterator<Item = &'v Value>,
    ) -> Answer {
        let own = self.answer(sides);
        let Sides { before, after, .. } = *sides;
        // To find the peers costs as much as there are elements, and most changes have none.
        if own == Answer::No || !(before.is_null() || after.is_null()) {
            return own;
        }
        let others = peers.map(|peer| {
            let sides = if before.is_null() {
                Sides::of(peer, after)
            } else {
                Sides::of(before, peer)
            };
            self.answer(&sides)
        });
        others.fold(own, Answer::min)
    }

    /// The answer for the two values of a property.
    fn answer(&self, sides: &Sides<'_>) -> Answer {
        let Sides { before, after, .. } = *sides;
        let when = |is: bool| if is { Answer::Yes } else { Answer::No };
        if before.is_null() && self.needs_before() {
            return Answer::No;
        }
        match self {
            // A value that is known after the apply may be the same.
            Self::Changes if after.is_computed() => Answer::Open,
            Self::Changes => Answer::Yes,
            Self::Unknown => when(after.is_computed() && !before.is_computed()),
            Self::Unset => when(!is_nothing(before) && is_nothing(after) && !after.is_computed()),
            Self::Was(literal) => literal.test(before).min(literal.test(after).not()),
            Self::Becomes(literal) => literal.test(after).min(literal.test(before).not()),
            Self::BecomesPublic => is_public(after).min(is_public(before).not()),
            Self::Deleted | Self::Replaced | Self::DestroyedFirst | Self::Created => Answer::No,
            Self::Set => when(is_nothing(before) && !is_nothing(after)),
            _ if is_open(single(before)) || is_open(single(after)) => Answer::Open,
            _ if is_open(before) || is_open(after) => Answer::Open,
            Self::Order(order) => when(compare(after, before) == Some(*order)),
            Self::Version(order) => when(compare_versions(after, before) == Some(*order)),
            Self::MajorVersion => when(growing_part(before, after) == Some(0)),
            Self::MinorVersion => when(growing_part(before, after) == Some(1)),
            Self::OtherRepository => when(is_of_other_repository(before, after)),
            Self::LetsAllIn => when(network::lets_all_in(after) && !network::lets_all_in(before)),
            Self::NeverRuns => when(schedule::never_runs(after) && !schedule::never_runs(before)),
            Self::Passes(order, limit) => {
                let passes = |value: &Value| {
                    number(single(value)).is_some_and(|it| it.partial_cmp(limit) == Some(*order))
                };
                when(passes(after) && !passes(before))
            }
            Self::Falls(order) => {
                let place = |value| order.iter().position(|it| it.test(value) == Answer::Yes);
                let is_lower =
                    |it: usize| is_nothing(after) || place(after).is_some_and(|to| to < it);
                when(place(before).is_some_and(|it| it > 0 && is_lower(it)))
            }
            Self::Adds(pattern) => added(pattern, before, after),
            Self::Removes(pattern) => added(pattern, after, before),
            Self::Widens => gains(before, after, &[Reach::Wider, Reach::Web, Reach::World]),
            Self::Narrows => gains(after, before, &[Reach::Wider, Reach::Web, Reach::World]),
            Self::Opens => gains(before, after, &[Reach::World]),
            Self::OpensWeb => gains(before, after, &[Reach::Web]),
            Self::GainsInVault => {
                Answer::or_open(vault::gained(before, after).map(|it| !it.is_empty()))
            }
            Self::Policy(question) => Answer::or_open(sides.policies().answer(*question)),
            Self::Allows(action) => Answer::or_open(sides.policies().allow(action)),
            Self::Reaches(resource, actions) => {
                Answer::or_open(sides.policies().reach(resource, actions))
            }
        }
    }

    /// The parts of the values for which the condition holds, in words; none if the values say it all.
    pub(super) fn details(&self, sides: &Sides<'_>) -> Vec<Part> {
        let Sides { before, after, .. } = *sides;
        match self {
            Self::Widens => network::gained(before, after, Reach::Wider),
            Self::Opens => network::gained(before, after, Reach::World),
            Self::OpensWeb => network::gained(before, after, Reach::Web),
            Self::GainsInVault => vault::gained(before, after).unwrap_or_default(),
            Self::Policy(question) => sides.policies().grants_in_words(*question),
            Self::Allows(action) => sides.policies().allowed_in_words(action),
            _ => Vec::new(),
        }
    }

    /// True if the condition never holds for a property that had no value.
    pub(super) fn needs_before(&self) -> bool {
        match self {
            Self::Order(_)
            | Self::Version(_)
            | Self::MajorVersion
            | Self::MinorVersion
            | Self::OtherRepository
            | Self::Falls(_)
            | Self::Was(_)
            | Self::Removes(_)
            | Self::Unset
            | Self::Unknown
            | Self::Narrows
            | Self::Changes => true,
            Self::Policy(question) => question.needs_before(),
            _ => false,
        }
    }
}

impl Answer {
    /// The answer to a question; open if it cannot be judged.
    pub(super) fn or_open(is: Option<bool>) -> Self {
        match is {
            None => Self::Open,
            Some(true) => Self::Yes,
            Some(false) => Self::No,
        }
    }

    /// The answer to the opposite question.
    pub(super) fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Open => Self::Open,
            Self::Yes => Self::No,
        }
    }
}

/// True if the text of a value is masked or unknown.
pub(super) fn is_open(value: &Value) -> bool {
    value.is_secret() || value.is_computed()
}

/// The answer to: does the change of access reach one of `wanted`?
fn gains(before: &Value, after: &Value, wanted: &[Reach]) -> Answer {
    match reach(before, after) {
        Reach::Unknown => Answer::Open,
        reach if wanted.contains(&reach) => Answer::Yes,
        Reach::Same | Reach::Wider | Reach::Web | Reach::World => Answer::No,
    }
}

impl Literal {
    /// Parses a JSON value, or a bare word as a string.
    pub(super) fn parse(text: &str) -> Self {
        match json::parse(text.as_bytes(), Numbers::Exact) {
            Ok(parsed) => Self(parsed.value),
            Err(_) => Self(Value::from(text)),
        }
    }

    /// Tests whether `value` is this value. Numbers and switches may be in strings, and texts may differ in case. The only element
    /// of a list counts as the list. `*` is any value that is not empty.
    pub(super) fn test(&self, value: &Value) -> Answer {
        let element = single(value);
        let is_container = children(&self.0).next().is_some();
        let has_open = is_container && (value.has_secrets() || value.has_computed());
        if is_open(value) || is_open(element) || has_open {
            Answer::Open
        } else if self.is(element) {
            Answer::Yes
        } else {
            Answer::No
        }
    }

    fn is(&self, value: &Value) -> bool {
        match (self.0.payload(), value.payload()) {
            (Payload::Null, _) => is_nothing(value),
            (Payload::String(wanted), _) if wanted.as_str() == Some("*") => !is_nothing(value),
            (Payload::Bool(bool), Payload::String(text)) => {
                text.as_str() == Some(if *bool { "true" } else { "false" })
            }
            (Payload::Number(_), Payload::String(_)) => {
                number(value).is_some() && number(value) == number(&self.0)
            }
            (Payload::String(wanted), Payload::String(text)) => {
                let (wanted, text) = (wanted.to_str_lossy(), text.to_str_lossy());
                policy::matches(&wanted.to_lowercase(), &text.to_lowercase())
            }
            (Payload::String(wanted), Payload::Bool(_) | Payload::Number(_)) => {
                wanted.to_str_lossy() == value.to_string()
            }
            (wanted, other) => wanted == other,
        }
    }
}

/// The only element of a list, or the value itself.
pub(crate) fn single(value: &Value) -> &Value {
    match value.as_array().map(Array::as_slice) {
        Some([only]) => only,
        _ => value,
    }
}

/// True for null, the empty string and empty containers. A masked value is something.
pub(crate) fn is_nothing(value: &Value) -> bool {
    let is_empty = value.as_str() == Some("") || value.n_parts() == Some(0);
    value.is_null() || is_empty && !value.is_secret()
}

/// The answer to: has `after` a text that fits `pattern`, which `before` has not?
fn added(pattern: &Fit, before: &Value, after: &Value) -> Answer {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let (knows_old, knows_new) = (texts(before, &mut old), texts(after, &mut new));
    let is_new = |text: &&String| pattern.is(text) && !old.contains(text);
    match new.iter().any(|text| is_new(&text)) {
        // A value that is not known may be the same.
        true if knows_old => Answer::Yes,
        false if knows_new => Answer::No,
        true | false => Answer::Open,
    }
}

/// Collects the texts of a value: itself, its elements, or its keys. False if one is masked or unknown.
fn texts(value: &Value, found: &mut Vec<String>) -> bool {
    if value.is_secret() || value.is_computed() {
        return false;
    }
    match value.payload() {
        Payload::Array(items) => items
            .iter()
            .fold(true, |all, item| texts(item, found) & all),
        Payload::Map(map) => {
            found.extend(map.keys().map(ToString::to_string));
            true
        }
        Payload::String(text) => {
            found.push(text.to_str_lossy().into_owned());
            true
        }
        Payload::Null => true,
        _ => {
            found.push(value.to_string());
            true
        }
    }
}

/// Tests whether an access list, or an element of one, is for everybody.
fn is_public(value: &Value) -> Answer {
    if is_open(value) {
        return Answer::Open;
    }
    let any = |values: &mut dyn Iterator<Item = &Value>| {
        let answers = values.map(is_public);
        answers.max().unwrap_or(Answer::No)
    };
    match value.payload() {
        Payload::Array(items) => any(&mut items.iter()),
        Payload::Map(map) => any(&mut map.values()),
        Payload::String(text) => {
            let text = text.to_str_lossy();
            // Groups of S3 have the address of a page as their name.
            let name = text
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .replace(['-', '_'], "")
                .to_lowercase();
            if WORDS.public.has(&name) || name == "authenticatedusers" {
                Answer::Yes
            } else {
                Answer::No
            }
        }
        _ => Answer::No,
    }
}
