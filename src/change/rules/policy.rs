//! Policies: documents that grant access, compared by what they grant.
//!
//! A policy of IAM, the rules of a Kubernetes role, a role definition of Azure and the bindings of Google all become [`Grant`]s:
//! one principal, one action, one resource, under a condition. A grant is gained if no grant before covers it, so the order of
//! statements, their names and the way they are split do not count.
//!
//! The work is bounded: a policy with too many grants, or with patterns that take too long to compare, is not judged.

mod binding;
mod term;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

pub(super) use term::matches;
use term::{Term, Work};

use super::Part;
use super::network::Block;

use crate::change::decode::document;
use crate::change::difference;
use crate::change::vocabulary::WORDS;
use crate::value::{Map, Payload, Value};

/// A question about the change of a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    /// Every action, or every resource for an action that was granted for some, or every action of a service.
    GainsWildcard,
    /// Every action on every resource.
    GainsAdmin,
    /// A principal that had no access.
    GainsPrincipal,
    /// Everybody, without a condition.
    GainsPublic,
    /// An account that the policy did not name.
    GainsAccount,
    /// Any grant.
    GainsAccess,
    /// A grant is no longer under a condition.
    LosesCondition,
    /// The condition of a grant lets more through.
    WidensCondition,
    /// A denial is gone.
    LosesDeny,
    /// A principal has no access left.
    LosesPrincipal,
}

impl Question {
    /// True if something is lost that was there.
    fn is_about_loss(self) -> bool {
        matches!(
            self,
            Self::LosesCondition | Self::LosesDeny | Self::LosesPrincipal
        )
    }

    /// True if the answer is no where there was no policy.
    pub(super) fn needs_before(self) -> bool {
        let is_about_kept = [
            Self::GainsPrincipal,
            Self::GainsAccount,
            Self::WidensCondition,
        ];
        self.is_about_loss() || is_about_kept.contains(&self)
    }
}

/// One thing that a policy allows or denies.
#[derive(Clone, PartialEq, Debug)]
struct Grant {
    is_denial: bool,
    principal: Arc<Term>,
    action: Arc<Term>,
    resource: Arc<Term>,
    condition: Option<Value>,
}

/// Maximum number of grants on a side. Larger policies are not judged.
const MAX_GRANTS: usize = 3000;

/// Two policies that are compared, for several questions about them.
pub(super) struct Policies {
    /// The grants before; `None` if they cannot be judged.
    old: Option<Vec<Grant>>,
    /// The grants after.
    new: Option<Vec<Grant>>,
    /// The places of the new grants that no old one covers; `None` if it is too much work to tell.
    gained: OnceCell<Option<Vec<usize>>>,
}

impl Policies {
    pub(super) fn of(before: &Value, after: &Value) -> Self {
        let old = grants(before);
        let new = old.is_some().then(|| grants(after)).flatten();
        Self {
            old,
            new,
            gained: OnceCell::new(),
        }
    }

    /// The answer to `question`; `None` if it cannot be judged.
    pub(super) fn answer(&self, question: Question) -> Option<bool> {
        Some(!self.found(question)?.is_empty())
    }

    /// The grants for which the answer to `question` is yes, in words: `"s3:*" on "*" for "x"`; of a condition the bounds.
    pub(super) fn grants_in_words(&self, question: Question) -> Vec<Part> {
        let found = self.found(question).unwrap_or_default();
        if question != Question::WidensCondition {
            let part = if question.is_about_loss() {
                Part::Goes
            } else {
                Part::Comes
            };
            return found.iter().map(|it| part(it.in_words())).collect();
        }
        let (old, work) = (self.old.as_deref().unwrap_or_default(), &Work::new());
        let pairs = found.iter().flat_map(|new| {
            let narrower = old.iter().filter(|old| old.ignoring_condition(new, work));
            narrower.filter_map(|old| new.condition.as_ref().zip(old.condition.as_ref()))
        });
        let parts = pairs.flat_map(|(new, old)| binding::widened(new, old));
        Vec::from_iter(parts.collect::<BTreeSet<Part>>())
    }

    /// True if the policy after allows an action that fits the pattern and that the one before did not allow; `None` if it cannot be
    /// judged.
    pub(super) fn allow(&self, action: &str) -> Option<bool> {
        Some(self.allowed(action)?.next().is_some())
    }

    /// The grants of such actions, in words.
    pub(super) fn allowed_in_words(&self, action: &str) -> Vec<Part> {
        let allowed = self.allowed(action).into_iter().flatten();
        allowed.map(|it| Part::Comes(it.in_words())).collect()
    }

    /// True if a resource that fits the pattern may be used in one of these ways, and might not be in it; `None` if it cannot be judged.
    pub(super) fn reach(&self, resource: &str, actions: &[Box<str>]) -> Option<bool> {
        Some(self.gained()?.any(|it| {
            let (action, on) = (it.action.pattern(), it.resource.pattern());
            let is_meant = |own: &str| actions.iter().any(|action| matches(own, action));
            on.is_some_and(|on| matches(resource, on)) && action.is_some_and(is_meant)
        }))
    }

    /// The gained grants of actions that fit the pattern. Those of a wildcard are another matter.
    fn allowed(&self, action: &str) -> Option<impl Iterator<Item = &Grant>> {
        let fits = move |it: &&Grant| it.action.pattern().is_some_and(|it| matches(action, it));
        Some(self.gained()?.filter(fits))
    }

    /// The grants that no old one covers.
    fn gained(&self) -> Option<impl Iterator<Item = &Grant>> {
        let (old, new) = (self.old.as_ref()?, self.new.as_ref()?);
        let gained = self.gained.get_or_init(|| {
            let work = &Work::new();
            let is_gained =
                |it: &Grant| !it.is_denial && !old.iter().any(|old| old.covers(it, work));
            let places = new.iter().enumerate().filter(|(_, it)| is_gained(it));
            let places = places.map(|(place, _)| place).collect();
            (!work.is_spent()).then_some(places)
        });
        Some(gained.as_ref()?.iter().map(|place| &new[*place]))
    }

    fn found(&self, question: Question) -> Option<Vec<Grant>> {
        let (old, new) = (self.old.as_ref()?, self.new.as_ref()?);
        let work = &Work::new();
        let gains = |is: &dyn Fn(&Grant) -> bool| {
            let gained = self.gained()?.filter(|it| is(it));
            Some(gained.cloned().collect::<Vec<_>>())
        };
        let loses = |is: &dyn Fn(&Grant) -> bool| {
            // A policy that is gone as a whole is another matter.
            let old = old.iter().filter(|_| !new.is_empty());
            Some(old.filter(|it| is(it)).cloned().collect::<Vec<_>>())
        };
        let found = match question {
            Question::GainsAccess => gains(&|_| true),
            Question::GainsAdmin => gains(&|it| it.action.is_every() && it.resource.is_every()),
            Question::GainsWildcard => gains(&|it| {
                let narrower =
                    |old: &Grant| !old.resource.is_every() && old.ignoring_resource(it, work);
                is_wide(&it.action) || it.resource.is_every() && old.iter().any(narrower)
            }),
            Question::GainsPublic => {
                gains(&|it| is_everybody(&it.principal) && it.condition.is_none())
            }
            Question::GainsPrincipal => gains(&|it| {
                let is_known = |old: &Grant| old.principal.covers(&it.principal, work);
                !it.principal.is_empty() && !old.is_empty() && !old.iter().any(is_known)
            }),
            Question::GainsAccount => {
                let known: Vec<&str> = old.iter().filter_map(|it| account(&it.principal)).collect();
                let is_new =
                    |it: &Grant| account(&it.principal).is_some_and(|it| !known.contains(&it));
                gains(&|it| !known.is_empty() && is_new(it))
            }
            Question::LosesCondition => gains(&|it| {
                let bound =
                    |old: &Grant| old.condition.is_some() && old.ignoring_condition(it, work);
                it.condition.is_none() && old.iter().any(bound)
            }),
            Question::WidensCondition => gains(&|it| {
                let is_wider = |old: &Grant| {
                    let both = it.condition.as_ref().zip(old.condition.as_ref());
                    both.is_some_and(|(new, old)| !binding::widened(new, old).is_empty())
                        && old.ignoring_condition(it, work)
                };
                old.iter().any(is_wider)
            }),
            Question::LosesDeny => loses(&|it| {
                let is_kept = |new: &Grant| new.is_denial && new.covers_denial(it, work);
                it.is_denial && !new.iter().any(is_kept)
            }),
            Question::LosesPrincipal => loses(&|it| {
                let is_kept =
                    |new: &Grant| !new.is_denial && new.principal.covers(&it.principal, work);
                let is_one = !it.principal.is_empty() && !is_everybody(&it.principal);
                !it.is_denial && is_one && !new.iter().any(is_kept)
            }),
        };
        found.filter(|_| !work.is_spent())
    }
}

impl Grant {
    fn in_words(&self) -> String {
        let mut words = format!("{:?}", self.action.words);
        if !self.resource.is_empty() {
            // Writing to a string cannot fail.
            _ = write!(words, " on {:?}", self.resource.words);
        }
        if !self.principal.is_empty() {
            _ = write!(words, " for {:?}", self.principal.words);
        }
        words
    }

    fn covers(&self, other: &Self, work: &Work) -> bool {
        !self.is_denial && self.binds_less(other) && self.ignoring_condition(other, work)
    }

    fn covers_denial(&self, other: &Self, work: &Work) -> bool {
        self.binds_less(other) && self.ignoring_condition(other, work)
    }

    /// True if this grant holds wherever the condition of `other` does.
    fn binds_less(&self, other: &Self) -> bool {
        self.condition.is_none() || self.condition == other.condition
    }

    fn ignoring_condition(&self, other: &Self, work: &Work) -> bool {
        self.ignoring_resource(other, work) && self.resource.covers(&other.resource, work)
    }

    fn ignoring_resource(&self, other: &Self, work: &Work) -> bool {
        self.is_denial == other.is_denial
            && self.principal.covers(&other.principal, work)
            && self.action.covers(&other.action, work)
    }
}

/// The account in a principal: its twelve digits.
fn account(principal: &Term) -> Option<&str> {
    principal
        .pattern()?
        .split(':')
        .find(|part| difference::is_account(part))
}

/// A principal as it is compared: an account is the same by its number and by the name of its root.
fn folded_principal(principal: &str) -> String {
    difference::account(principal).to_owned()
}

/// True for every action, or every action of a service.
fn is_wide(action: &Term) -> bool {
    let of_service = |pattern: &str| {
        pattern
            .strip_suffix(":*")
            .is_some_and(|service| !service.contains('*'))
            || pattern.ends_with("/*") && !pattern.ends_with("/read/*")
    };
    action.is_every() || action.pattern().is_some_and(of_service)
}

fn is_everybody(principal: &Term) -> bool {
    let pattern = principal.pattern();
    principal.is_every() || pattern.is_some_and(|it| WORDS.everybody.has(it))
}

/// The grants of a policy, in a string or as a value; `None` if a part of it is not known or masked, or if there are too many.
fn grants(value: &Value) -> Option<Vec<Grant>> {
    if value.has_computed() || value.has_secrets() {
        return None;
    }
    let mut grants = Vec::new();
    let is_whole = match document(value) {
        Some((_, document)) => read(&document, &mut grants),
        None => read(value, &mut grants),
    };
    is_whole.then_some(grants)
}

/// Adds the grants in a value. False if there are too many.
fn read(value: &Value, grants: &mut Vec<Grant>) -> bool {
    match value.payload() {
        Payload::Array(items) => items.iter().all(|item| read(item, grants)),
        Payload::Map(_) => match WORDS.statements.iter().find_map(|key| value.get(key)) {
            Some(inner) => read(inner, grants),
            None => statement(value, grants),
        },
        _ => true,
    }
}

/// Adds the grants of a statement. False if there are too many.
fn statement(value: &Value, grants: &mut Vec<Grant>) -> bool {
    let statement = Statement(value);
    let effect = statement.field(&["Effect", "effect"]);
    let effect = effect.and_then(Value::as_str).unwrap_or_default();
    let actions = statement.actions();
    let Some(resources) = statement.resources() else {
        return false;
    };
    let names = ["Principal", "principal", "principals", "members"];
    let mut principals = statement.terms(&names, "NotPrincipal", folded_principal);
    if principals.is_empty() {
        principals.push(Term::one("", str::to_owned));
    }
    let n_pairs = principals.len().checked_mul(resources.len());
    let n_grants = n_pairs.and_then(|n_pairs| n_pairs.checked_mul(actions.len()));
    if n_grants.is_none_or(|n_grants| n_grants > MAX_GRANTS - grants.len()) {
        return false;
    }
    let condition = statement.field(&["Condition", "condition"]);
    let condition = condition.and_then(binding);
    let shared = |terms: Vec<Term>| terms.into_iter().map(Arc::new).collect::<Vec<_>>();
    let [principals, resources, actions] = [principals, resources, actions].map(shared);
    for principal in &principals {
        for resource in &resources {
            grants.extend(actions.iter().map(|action| Grant {
                is_denial: effect.eq_ignore_ascii_case("deny"),
                principal: principal.clone(),
                action: action.clone(),
                resource: resource.clone(),
                condition: condition.clone(),
            }));
        }
    }
    true
}

/// A statement of a policy.
struct Statement<'v>(&'v Value);

impl<'v> Statement<'v> {
    /// The first field with one of these names.
    fn field(&self, names: &[&str]) -> Option<&'v Value> {
        let field = names.iter().find_map(|name| self.0.get(name));
        field.filter(|it| !it.is_null())
    }

    fn texts(&self, names: &[&str]) -> Vec<String> {
        self.field(names).map(texts).unwrap_or_default()
    }

    /// The terms of a field, and the one for all but those of the field `excluded`.
    fn terms(&self, names: &[&str], excluded: &str, fold: fn(&str) -> String) -> Vec<Term> {
        let texts = self.texts(names);
        let mut terms: Vec<Term> = texts.iter().map(|it| Term::one(it, fold)).collect();
        let excluded = self.texts(&[excluded]);
        terms.extend((!excluded.is_empty()).then(|| Term::all_but(&excluded, fold)));
        terms
    }

    fn actions(&self) -> Vec<Term> {
        let fold = str::to_ascii_lowercase;
        let names = ["Action", "action", "actions", "verbs", "role"];
        let mut actions = self.terms(&names, "NotAction", fold);
        // In Azure the exclusions are taken from the actions beside them.
        let excluded = self.texts(&["notActions", "not_actions"]);
        if !excluded.is_empty() {
            let every = actions.iter_mut().filter(|it| it.pattern() == Some("*"));
            every.for_each(|action| *action = Term::all_but(&excluded, fold));
        }
        let data_actions = self.texts(&["dataActions", "data_actions"]);
        actions.extend(data_actions.iter().map(|it| Term::one(it, fold)));
        actions
    }

    /// The resources; `None` if there are too many.
    fn resources(&self) -> Option<Vec<Term>> {
        let names = ["Resource", "resource", "resources"];
        let mut resources = match self.field(&["apiGroups", "api_groups"]) {
            Some(groups) => in_groups(groups, &self.texts(&names))?,
            None => self.terms(&names, "NotResource", str::to_owned),
        };
        if resources.is_empty() {
            // A definition of a role of Azure has no resources: it counts for its whole scope.
            let of_role = ["actions", "dataActions", "data_actions"];
            let is_role = of_role.iter().any(|key| self.0.get(key).is_some());
            resources.push(Term::one(if is_role { "*" } else { "" }, str::to_owned));
        }
        Some(resources)
    }
}

/// The resources of a rule of Kubernetes in each of its groups; `None` if there are too many.
fn in_groups(groups: &Value, resources: &[String]) -> Option<Vec<Term>> {
    let names = texts(groups);
    let count = names.len().checked_mul(resources.len());
    if count.is_none_or(|count| count > MAX_GRANTS) {
        return None;
    }
    let has_every = names.iter().any(|group| group == "*");
    let terms = resources.iter().flat_map(|resource| {
        names.iter().map(move |group| {
            if has_every && resource == "*" {
                Term::one("*", str::to_owned)
            } else {
                Term::one(&format!("{group}/{resource}"), str::to_owned)
            }
        })
    });
    Some(terms.collect())
}

/// A condition without the parts that bind nobody, such as an address in `0.0.0.0/0`, with its texts as sorted lists: neither their
/// order nor a list of one counts. `None` if nothing is left.
fn binding(condition: &Value) -> Option<Value> {
    let Some(operators) = condition.as_map() else {
        return (condition.n_parts() != Some(0)).then(|| condition.clone());
    };
    let binds = |operator: &str, value: &Value| {
        let is_world = |text: &String| Block::parse(text).is_some_and(|block| block.is_world());
        !(operator == "IpAddress" && texts(value).iter().any(is_world))
    };
    let operators = operators.iter().filter_map(|(operator, keys)| {
        let Some(keys) = keys.as_map() else {
            return Some((operator.clone(), keys.clone()));
        };
        let keys = keys.iter().filter(|(_, value)| binds(operator, value));
        let keys: Map = keys.map(|(key, it)| (key.clone(), in_order(it))).collect();
        (!keys.is_empty()).then(|| (operator.clone(), keys.into()))
    });
    let operators: Map = operators.collect();
    (!operators.is_empty()).then(|| operators.into())
}

/// The texts in a value, sorted; a value without texts stays.
fn in_order(value: &Value) -> Value {
    let mut texts = texts(value);
    if texts.is_empty() || value.has_secrets() {
        return value.clone();
    }
    texts.sort_unstable();
    let texts: Vec<Value> = texts.into_iter().map(Value::from).collect();
    Value::from(texts)
}

/// The texts in a value: itself, or those of its elements. `{"AWS": ["a", "b"]}` has `a` and `b`.
fn texts(value: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    flatten(value, &mut texts);
    texts
}

fn flatten(value: &Value, texts: &mut Vec<String>) {
    match value.payload() {
        Payload::Array(items) => items.iter().for_each(|item| flatten(item, texts)),
        // Blocks of Terraform have the kind of the principal beside its identifiers.
        Payload::Map(map) => match map.get("identifiers") {
            Some(identifiers) => flatten(identifiers, texts),
            None => map.values().for_each(|item| flatten(item, texts)),
        },
        Payload::String(text) => texts.push(text.to_str_lossy().into_owned()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};
    use Question::*;

    fn value(json: &str) -> Value {
        if json.is_empty() {
            return Value::NULL;
        }
        parse(json.as_bytes(), Numbers::Exact).unwrap().value
    }

    /// Checks that exactly the questions in `want` are answered with yes.
    fn answer(question: Question, before: &Value, after: &Value) -> Option<bool> {
        Policies::of(before, after).answer(question)
    }

    fn allows(action: &str, before: &Value, after: &Value) -> Option<bool> {
        Policies::of(before, after).allow(action)
    }

    #[track_caller]
    fn check(before: &str, after: &str, want: &[Question]) {
        let all = [
            GainsWildcard,
            GainsAdmin,
            GainsPrincipal,
            GainsPublic,
            GainsAccount,
            LosesCondition,
            WidensCondition,
            LosesDeny,
            LosesPrincipal,
        ];
        for sides in [
            [value(before), value(after)],
            [before, after].map(Value::from),
        ] {
            let [before, after] = sides;
            let yes: Vec<_> = all
                .into_iter()
                .filter(|it| answer(*it, &before, &after).unwrap())
                .collect();
            assert_eq!(yes, want, "{before} and {after}");
        }
    }

    fn allow(more: &str) -> String {
        format!(r#"{{"Version": "2012-10-17", "Statement": [{{"Effect": "Allow", {more}}}]}}"#)
    }

    #[test]
    fn the_form_of_a_policy_does_not_count() {
        let one =
            allow(r#""Action": ["s3:GetObject", "s3:PutObject"], "Resource": "arn:aws:s3:::a/*""#);
        let two = r#"{"Statement": [
            {"Sid": "b", "Effect": "Allow", "Action": "s3:putobject", "Resource": ["arn:aws:s3:::a/*"]},
            {"Sid": "a", "Effect": "Allow", "Action": "s3:GetObject", "Resource": ["arn:aws:s3:::a/*", "arn:aws:s3:::a/b"]}]}"#;
        check(&one, two, &[]);
        check(two, &one, &[]);
        assert_eq!(answer(GainsAccess, &value(&one), &value(two)), Some(false));
    }

    #[test]
    fn wildcards_are_found() {
        let narrow = allow(r#""Action": "s3:GetObject", "Resource": "arn:aws:s3:::a/*""#);
        check(
            &narrow,
            &allow(r#""Action": "s3:*", "Resource": "arn:aws:s3:::a/*""#),
            &[GainsWildcard],
        );
        check(
            &narrow,
            &allow(r#""Action": "s3:GetObject", "Resource": "*""#),
            &[GainsWildcard],
        );
        check(
            &narrow,
            &allow(r#""Action": "*", "Resource": "*""#),
            &[GainsWildcard, GainsAdmin],
        );
        check(
            &narrow,
            &allow(r#""NotAction": "iam:*", "Resource": "*""#),
            &[GainsWildcard, GainsAdmin],
        );
        check(
            &narrow,
            &allow(r#""Action": "s3:Get*", "Resource": "arn:aws:s3:::a/*""#),
            &[],
        );
        let wide = allow(r#""Action": "s3:*", "Resource": "*""#);
        check(&wide, &narrow, &[]);
        // Some actions have no resource, so a new statement about every resource says nothing.
        check(
            "",
            &allow(r#""Action": "ec2:DescribeInstances", "Resource": "*""#),
            &[],
        );
        check(
            "",
            &allow(r#""Action": "*", "Resource": "*""#),
            &[GainsWildcard, GainsAdmin],
        );
    }

    #[test]
    fn principals_are_found() {
        let with = |principal: &str| {
            allow(&format!(
                r#""Action": "s3:GetObject", "Resource": "x", "Principal": {principal}"#
            ))
        };
        let own = with(r#"{"AWS": "arn:aws:iam::111111111111:role/a"}"#);
        check(
            &own,
            &with(
                r#"{"AWS": ["arn:aws:iam::111111111111:role/a", "arn:aws:iam::111111111111:role/b"]}"#,
            ),
            &[GainsPrincipal],
        );
        check(
            &own,
            &with(r#"{"AWS": "arn:aws:iam::222222222222:root"}"#),
            &[GainsPrincipal, GainsAccount, LosesPrincipal],
        );
        check(&own, &with(r#""*""#), &[GainsPrincipal, GainsPublic]);
        check(&with(r#""*""#), &own, &[]);
        let bound = r#""Action": "s3:GetObject", "Resource": "x", "Principal": "*", "Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-1"}}"#;
        check("", &allow(bound), &[]);
        check(
            &allow(bound),
            &with(r#""*""#),
            &[GainsPublic, LosesCondition],
        );
    }

    #[test]
    fn the_order_of_the_texts_of_a_condition_does_not_count() {
        let pass = |services: &str| {
            allow(&format!(
                r#""Action": "iam:PassRole", "Resource": "*", "Condition": {{"StringEquals": {{"iam:PassedToService": {services}}}}}"#
            ))
        };
        check(&pass(r#"["a", "b"]"#), &pass(r#"["b", "a"]"#), &[]);
        check(&pass(r#"["a"]"#), &pass(r#""a""#), &[]);
        assert_eq!(
            allows(
                "iam:passrole",
                &value(&pass(r#"["a", "b"]"#)),
                &value(&pass(r#"["b", "a"]"#))
            ),
            Some(false)
        );
        assert_eq!(
            allows(
                "iam:passrole",
                &value(&pass(r#"["a", "b"]"#)),
                &value(&pass(r#"["b", "c"]"#))
            ),
            Some(true)
        );
    }

    #[test]
    fn a_condition_that_lets_more_through_is_found() {
        let bound = |condition: &str| {
            let grant = r#""Action": "sts:Assume", "Resource": "*", "Principal": {"Federated": "a"}, "Condition": "#;
            allow(&format!("{grant}{condition}"))
        };
        let main = bound(r#"{"StringEquals": {"sub": "repo:acme/shop:main"}}"#);
        let all = bound(r#"{"StringLike": {"sub": "repo:acme/*"}}"#);
        let two =
            bound(r#"{"StringEquals": {"sub": ["repo:acme/shop:main", "repo:acme/cart:main"]}}"#);
        let both = bound(r#"{"StringEquals": {"sub": "repo:acme/shop:main", "aud": "sts"}}"#);
        let other = bound(r#"{"StringEquals": {"sub": "repo:acme/cart:main"}}"#);
        let not = bound(r#"{"StringNotLike": {"sub": "repo:acme/shop:*"}}"#);
        for (before, after) in [(&main, &all), (&main, &two), (&two, &all), (&both, &main)] {
            check(before, after, &[WidensCondition]);
            check(after, before, &[]);
        }
        check(&main, &other, &[]);
        check(&main, &not, &[]);
    }

    #[test]
    fn a_denial_that_goes_is_found() {
        let deny = r#"{"Statement": [{"Effect": "Allow", "Action": "s3:Get", "Resource": "*"},
            {"Effect": "Deny", "Action": "s3:Delete*", "Resource": "*"}]}"#;
        let without = allow(r#""Action": "s3:Get", "Resource": "*""#);
        check(deny, &without, &[LosesDeny]);
        check(&without, deny, &[]);
        check(deny, &deny.replace("s3:Delete*", "s3:*"), &[]);
        check(
            deny,
            &deny.replace("s3:Delete*", "s3:DeleteObject"),
            &[LosesDeny],
        );
    }

    #[test]
    fn roles_of_kubernetes_azure_and_google_are_read() {
        let role = |verbs: &str, resources: &str| {
            format!(
                r#"[{{"apiGroups": ["", "apps"], "resources": [{resources}], "verbs": [{verbs}]}}]"#
            )
        };
        check(
            &role(r#""get""#, r#""pods""#),
            &role(r#""*""#, r#""pods""#),
            &[GainsWildcard],
        );
        check(
            &role(r#""get""#, r#""pods""#),
            &role(r#""get", "list""#, r#""pods""#),
            &[],
        );
        check(
            "",
            r#"[{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]"#,
            &[GainsWildcard, GainsAdmin],
        );
        check(
            r#"[{"actions": ["Microsoft.Storage/storageAccounts/read"]}]"#,
            r#"[{"actions": ["*"]}]"#,
            &[GainsWildcard, GainsAdmin],
        );
        check(
            r#"{"bindings": [{"role": "roles/viewer", "members": ["user:a@example.com"]}]}"#,
            r#"{"bindings": [{"role": "roles/viewer", "members": ["user:a@example.com", "allUsers"]}]}"#,
            &[GainsPrincipal, GainsPublic],
        );
    }

    #[test]
    fn exclusions_that_shrink_grant_more() {
        let all_but = |actions: &str| allow(&format!(r#""NotAction": {actions}, "Resource": "*""#));
        let deny_but = |actions: &str| all_but(actions).replace("Allow", "Deny");
        let (narrow, wide) = (all_but(r#"["iam:*"]"#), all_but(r#"["iam:Create*"]"#));
        check(&narrow, &wide, &[GainsWildcard, GainsAdmin]);
        check(&wide, &narrow, &[]);
        check(&narrow, &all_but(r#"["organizations:*", "iam:*"]"#), &[]);
        let [one, other] = [r#"["iam:Get*", "sts:*"]"#, r#"["sts:*", "iam:Get*"]"#].map(deny_but);
        check(&one, &other, &[]);
        check(&one, &deny_but(r#"["sts:*"]"#), &[]);
        check(&deny_but(r#"["sts:*"]"#), &one, &[LosesDeny]);
        check(
            &narrow,
            &allow(r#""Action": "iam:*", "Resource": "*""#),
            &[GainsWildcard],
        );
        let role = |but: &str| format!(r#"[{{"actions": ["*"], "not_actions": {but}}}]"#);
        let [bound, free] = [r#"["Microsoft.Authorization/*"]"#, "[]"].map(role);
        check(&bound, &free, &[GainsWildcard, GainsAdmin]);
        check(&free, &bound, &[]);
    }

    #[test]
    fn an_account_is_the_same_by_its_number_and_by_its_root() {
        let with = |principal: &str| {
            let who = format!(r#""Principal": {{"AWS": "{principal}"}}"#);
            allow(&format!(
                r#""Action": "s3:GetObject", "Resource": "x", {who}"#
            ))
        };
        let (number, root) = (with("111111111111"), with("arn:aws:iam::111111111111:root"));
        check(&number, &root, &[]);
        check(&root, &number, &[]);
        let role = with("arn:aws:iam::111111111111:role/root");
        check(&number, &role, &[GainsPrincipal, LosesPrincipal]);
    }

    #[test]
    fn a_condition_on_every_address_binds_nobody() {
        let from = |blocks: &str| {
            let condition =
                format!(r#""Condition": {{"IpAddress": {{"aws:SourceIp": {blocks}}}}}"#);
            let rest = r#""Action": "s3:GetObject", "Resource": "x", "Principal": "*""#;
            allow(&format!("{rest}, {condition}"))
        };
        let (office, world) = (
            from(r#"["203.0.113.0/24"]"#),
            from(r#"["10.0.0.0/8", "0.0.0.0/0"]"#),
        );
        check(&office, &world, &[GainsPublic, LosesCondition]);
        check(&world, &office, &[]);
        check(&office, &from(r#""203.0.113.7/32""#), &[]);
    }

    #[test]
    fn large_policies_are_not_judged() {
        let names = |n: usize| {
            let names: Vec<String> = (0..n).map(|it| format!("\"n{it}\"")).collect();
            names.join(",")
        };
        let role = |n: usize| {
            let names = names(n);
            let role =
                format!(r#"[{{"apiGroups": [{names}], "resources": [{names}], "verbs": ["*"]}}]"#);
            value(&role)
        };
        assert_eq!(answer(GainsWildcard, &Value::NULL, &role(50)), Some(true));
        assert_eq!(answer(GainsWildcard, &Value::NULL, &role(60)), None);
        let actions = |n: usize| {
            value(&allow(&format!(
                r#""Action": [{}], "Resource": "*""#,
                names(n)
            )))
        };
        assert_eq!(
            answer(GainsAccess, &Value::NULL, &actions(MAX_GRANTS)),
            Some(true)
        );
        assert_eq!(
            answer(GainsAccess, &Value::NULL, &actions(MAX_GRANTS + 1)),
            None
        );
    }

    #[test]
    fn unknown_and_masked_policies_are_not_judged() {
        let known = value(&allow(r#""Action": "*", "Resource": "*""#));
        assert_eq!(answer(GainsAdmin, &Value::NULL, &Value::computed()), None);
        assert_eq!(
            answer(GainsAdmin, &Value::NULL, &known.clone().with_secret(true)),
            None
        );
        assert_eq!(answer(GainsAdmin, &Value::NULL, &known), Some(true));
    }
}
