//! Policies: documents that grant access, compared by what they grant.
//!
//! A policy of IAM, the rules of a Kubernetes role, a role definition of Azure and the bindings of Google all become [`Grant`]s:
//! one principal, one action, one resource, under a condition. A grant is gained if no grant before covers it, so the order of
//! statements, their names and the way they are split do not count.

use std::fmt::Write as _;

use crate::change::decode::document;
use crate::value::{Payload, Value};

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
    /// A denial is gone.
    LosesDeny,
    /// A principal has no access left.
    LosesPrincipal,
}

/// One thing that a policy allows or denies.
#[derive(Clone, PartialEq, Debug)]
struct Grant {
    is_denial: bool,
    principal: String,
    action: String,
    resource: String,
    condition: Option<Value>,
}

/// Maximum number of grants on a side. Larger policies are not judged.
const MAX_GRANTS: usize = 3000;

/// The mark of a negated list (`NotAction`).
const NOT: char = '!';

/// The answer to `question` for the policies in two values; `None` if it cannot be judged.
pub(super) fn answer(question: Question, before: &Value, after: &Value) -> Option<bool> {
    Some(!found(question, before, after)?.is_empty())
}

/// The grants for which the answer to `question` is yes, in words: `"s3:*" on "*" for "x"`.
pub(super) fn grants_in_words(question: Question, before: &Value, after: &Value) -> Vec<String> {
    let found = found(question, before, after).unwrap_or_default();
    found.iter().map(Grant::in_words).collect()
}

fn found(question: Question, before: &Value, after: &Value) -> Option<Vec<Grant>> {
    let (old, new) = (grants(before)?, grants(after)?);
    if old.len() > MAX_GRANTS || new.len() > MAX_GRANTS {
        return None;
    }
    let gains = |is: &dyn Fn(&Grant) -> bool| {
        let is_covered = |it: &Grant| old.iter().any(|old| old.covers(it));
        let gained = new.iter().filter(|it| !it.is_denial && !is_covered(it));
        gained.filter(|it| is(it)).cloned().collect::<Vec<_>>()
    };
    let loses = |is: &dyn Fn(&Grant) -> bool| {
        // A policy that is gone as a whole is another matter.
        let old = old.iter().filter(|_| !new.is_empty());
        old.filter(|it| is(it)).cloned().collect::<Vec<_>>()
    };
    Some(match question {
        Question::GainsAccess => gains(&|_| true),
        Question::GainsAdmin => gains(&|it| is_every(&it.action) && is_every(&it.resource)),
        Question::GainsWildcard => gains(&|it| {
            let narrower = |old: &Grant| !is_every(&old.resource) && old.ignoring_resource(it);
            is_wide(&it.action) || is_every(&it.resource) && old.iter().any(narrower)
        }),
        Question::GainsPublic => gains(&|it| is_everybody(&it.principal) && it.condition.is_none()),
        Question::GainsPrincipal => gains(&|it| {
            let is_known = |old: &Grant| matches(&old.principal, &it.principal);
            !it.principal.is_empty() && !old.is_empty() && !old.iter().any(is_known)
        }),
        Question::GainsAccount => {
            let known: Vec<&str> = old.iter().filter_map(|it| account(&it.principal)).collect();
            let is_new = |it: &Grant| account(&it.principal).is_some_and(|it| !known.contains(&it));
            gains(&|it| !known.is_empty() && is_new(it))
        }
        Question::LosesCondition => gains(&|it| {
            let bound = |old: &Grant| old.condition.is_some() && old.ignoring_condition(it);
            it.condition.is_none() && old.iter().any(bound)
        }),
        Question::LosesDeny => loses(&|it| {
            let is_kept = |new: &Grant| new.is_denial && new.covers_denial(it);
            it.is_denial && !new.iter().any(is_kept)
        }),
        Question::LosesPrincipal => loses(&|it| {
            let is_kept = |new: &Grant| !new.is_denial && matches(&new.principal, &it.principal);
            let is_one = !it.principal.is_empty() && !is_everybody(&it.principal);
            !it.is_denial && is_one && !new.iter().any(is_kept)
        }),
    })
}

impl Grant {
    fn in_words(&self) -> String {
        let mut words = format!("{:?}", self.action);
        if !self.resource.is_empty() {
            // Writing to a string cannot fail.
            _ = write!(words, " on {:?}", self.resource);
        }
        if !self.principal.is_empty() {
            _ = write!(words, " for {:?}", self.principal);
        }
        words
    }

    fn covers(&self, other: &Self) -> bool {
        !self.is_denial && self.ignoring_condition(other) && self.binds_less(other)
    }

    fn covers_denial(&self, other: &Self) -> bool {
        self.ignoring_condition(other) && self.binds_less(other)
    }

    /// True if this grant holds wherever the condition of `other` does.
    fn binds_less(&self, other: &Self) -> bool {
        self.condition.is_none() || self.condition == other.condition
    }

    fn ignoring_condition(&self, other: &Self) -> bool {
        self.ignoring_resource(other) && matches(&self.resource, &other.resource)
    }

    fn ignoring_resource(&self, other: &Self) -> bool {
        self.is_denial == other.is_denial
            && matches(&self.principal, &other.principal)
            && matches(
                &self.action.to_ascii_lowercase(),
                &other.action.to_ascii_lowercase(),
            )
    }
}

/// The account in a principal: its twelve digits.
fn account(principal: &str) -> Option<&str> {
    let is_account =
        |part: &&str| part.len() == 12 && part.bytes().all(|byte| byte.is_ascii_digit());
    principal.split(':').find(is_account)
}

/// True for `*` and for everything but a few: `NotAction`.
fn is_every(text: &str) -> bool {
    text == "*" || text.starts_with(NOT)
}

/// True for every action, or every action of a service.
fn is_wide(action: &str) -> bool {
    is_every(action)
        || action
            .strip_suffix(":*")
            .is_some_and(|service| !service.contains('*'))
        || action.ends_with("/*") && !action.ends_with("/read/*")
}

fn is_everybody(principal: &str) -> bool {
    is_every(principal)
        || matches!(
            principal,
            "allUsers" | "allAuthenticatedUsers" | "system:unauthenticated" | "system:anonymous"
        )
}

/// True if the pattern of IAM, in which `*` is any text and `?` any character, covers `text`.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    // The place after the last star, and the place in the text from which it goes on.
    let (mut at, mut in_text, mut star) = (0, 0, None);
    while in_text < text.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at + 1, in_text));
            at += 1;
        } else if pattern
            .get(at)
            .is_some_and(|byte| *byte == b'?' && text[in_text] != b'*' || *byte == text[in_text])
        {
            at += 1;
            in_text += 1;
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            at = after;
            in_text = from + 1;
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// The grants of a policy, in a string or as a value; `None` if a part of it is not known or masked.
fn grants(value: &Value) -> Option<Vec<Grant>> {
    if value.has_computed() || value.has_secrets() {
        return None;
    }
    let mut grants = Vec::new();
    match document(value) {
        Some((_, document)) => read(&document, &mut grants),
        None => read(value, &mut grants),
    }
    Some(grants)
}

fn read(value: &Value, grants: &mut Vec<Grant>) {
    if grants.len() > MAX_GRANTS {
        return;
    }
    match value.payload() {
        Payload::Array(items) => items.iter().for_each(|item| read(item, grants)),
        Payload::Map(_) => {
            let statements = [
                "Statement",
                "statement",
                "statements",
                "permissions",
                "bindings",
                "rules",
                "rule",
            ];
            match statements.iter().find_map(|key| value.get(key)) {
                Some(inner) => read(inner, grants),
                None => statement(value, grants),
            }
        }
        _ => {}
    }
}

fn statement(value: &Value, grants: &mut Vec<Grant>) {
    let field = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| value.get(name))
            .filter(|it| !it.is_null())
    };
    let effect = field(&["Effect", "effect"])
        .and_then(Value::as_str)
        .unwrap_or_default();
    let texts_of = |names: &[&str], negated: &[&str]| {
        let mut texts = Vec::new();
        if let Some(found) = field(names) {
            flatten(found, &mut texts);
        }
        if let Some(excluded) = field(negated) {
            let mut all = Vec::new();
            flatten(excluded, &mut all);
            texts.extend((!all.is_empty()).then(|| format!("{NOT}{}", all.join(","))));
        }
        texts
    };
    let actions = texts_of(
        &["Action", "action", "actions", "verbs", "role"],
        &["NotAction", "notAction", "notActions"],
    );
    let data_actions = texts_of(&["dataActions", "data_actions"], &[]);
    let principals = texts_of(
        &["Principal", "principal", "principals", "members"],
        &["NotPrincipal"],
    );
    let mut resources = texts_of(&["Resource", "resource", "resources"], &["NotResource"]);
    if let Some(groups) = field(&["apiGroups", "api_groups"]) {
        let mut names = Vec::new();
        flatten(groups, &mut names);
        resources = resources
            .iter()
            .flat_map(|resource| {
                let every = names.iter().any(|group| group == "*") && resource == "*";
                names.iter().map(move |group| {
                    if every {
                        "*".to_owned()
                    } else {
                        format!("{group}/{resource}")
                    }
                })
            })
            .collect();
    }
    let or_none = |texts: Vec<String>, none: &str| {
        if texts.is_empty() {
            vec![none.to_owned()]
        } else {
            texts
        }
    };
    // A definition of a role of Azure has no resources: it counts for its whole scope.
    let is_role = value.get("actions").is_some()
        || value.get("dataActions").is_some()
        || value.get("data_actions").is_some();
    let resources = or_none(resources, if is_role { "*" } else { "" });
    let principals = or_none(principals, "");
    let condition = field(&["Condition", "condition"]).filter(|it| !is_empty(it));
    for principal in &principals {
        for resource in &resources {
            for action in actions.iter().chain(&data_actions) {
                if grants.len() > MAX_GRANTS {
                    return;
                }
                grants.push(Grant {
                    is_denial: effect.eq_ignore_ascii_case("deny"),
                    principal: principal.clone(),
                    action: action.clone(),
                    resource: resource.clone(),
                    condition: condition.cloned(),
                });
            }
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_map().is_some_and(crate::value::Map::is_empty)
        || value.as_array().is_some_and(crate::value::Array::is_empty)
}

/// The texts in a value: itself, or those of its elements. `{"AWS": ["a", "b"]}` has `a` and `b`.
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
    #[track_caller]
    fn check(before: &str, after: &str, want: &[Question]) {
        let all = [
            GainsWildcard,
            GainsAdmin,
            GainsPrincipal,
            GainsPublic,
            GainsAccount,
            LosesCondition,
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
    fn stars_cover_any_text() {
        for (pattern, text, want) in [
            ("*", "", true),
            ("s3:*", "s3:Get", true),
            ("s3:G*t?bject", "s3:GetPutObject", true),
            ("s3:Get", "s3:*", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern, text), want, "{pattern} {text}");
        }
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
