//! Parts and wholes: a rule of a group, a listener of a load balancer, as their types and properties say.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use super::words;
use crate::stack::{Resource, Section, State};
use crate::value::Value;

/// Words for a part that several others may be beside: the last word of a type, or of the name of a list.
const PARTS: [&str; 36] = [
    "rule",
    "ingress",
    "egress",
    "route",
    "member",
    "membership",
    "target",
    "attachment",
    "association",
    "listener",
    "binding",
    "assignment",
    "permission",
    "mapping",
    "subscription",
    "subscriber",
    "backend",
    "principal",
    "subject",
    "origin",
    "host",
    "server",
    "receiver",
    "recipient",
    "policy",
    "statement",
    "user",
    "role",
    "replica",
    "node",
    "instance",
    "endpoint",
    "grant",
    "entry",
    "peer",
    "destination",
];

/// Properties by which others name a resource, besides its id.
pub(super) const NAMES: [&str; 8] = [
    "id",
    "arn",
    "name",
    "bucket",
    "identifier",
    "self_link",
    "selfLink",
    "url",
];

/// True for the word of a part.
pub(super) fn is_part(word: &str) -> bool {
    PARTS.contains(&word)
}

/// True if things of type `ty` are parts of things of type `whole`: both say so in their names.
pub(super) fn is_part_of(ty: &str, whole: &str) -> bool {
    let (own, whole) = (words::of_type(ty), words::of_type(whole));
    let Some((last, rest)) = own.split_last() else {
        return false;
    };
    // The rest of the name of a part is the whole: `s3 bucket` and `public access block`.
    if own.starts_with(&whole) && own.len() > whole.len() {
        return true;
    }
    let is_begun = whole.starts_with(&own) && whole.len() > own.len();
    let has_noun = whole.last().is_some_and(|noun| rest.contains(noun));
    is_part(last) && (has_noun || is_begun)
}

/// The properties that a program gives to a resource, as far as the file tells them from others.
pub(super) fn properties<'r>(
    resource: &Resource,
    state: Option<&'r State>,
) -> Option<impl Iterator<Item = (&'r Arc<str>, &'r Value)> + use<'r>> {
    let section = match resource.address {
        None => Section::Inputs,
        Some(_) => Section::Outputs,
    };
    Some(state?.section(section)?.as_map()?.iter())
}

/// The hash of a text. It is the same in every run.
pub(super) fn hash(text: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::new().hash_one(text)
}

#[cfg(test)]
mod tests {
    use super::is_part_of;

    #[test]
    fn types_say_what_they_are_parts_of() {
        let check = |ty, whole, want| assert_eq!(is_part_of(ty, whole), want, "{ty} and {whole}");
        check("aws_security_group_rule", "aws_security_group", true);
        check("aws_s3_bucket_public_access_block", "aws_s3_bucket", true);
        check("aws_lb_listener", "aws_lb", true);
        check("aws_route", "aws_route_table", true);
        check("aws_iam_role_policy_attachment", "aws_iam_role", true);
        check("aws_lb_listener", "aws_acm_certificate", false);
        check("aws_instance", "aws_subnet", false);
        check(
            "google_compute_forwarding_rule",
            "google_compute_network",
            false,
        );
        check(
            "aws:ec2/securityGroupRule:SecurityGroupRule",
            "aws:ec2/securityGroup:SecurityGroup",
            true,
        );
    }
}
