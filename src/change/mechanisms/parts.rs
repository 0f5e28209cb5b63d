//! Parts and wholes: a rule of a group, a listener of a load balancer, as their types and properties say.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::tables::WORDS;
use super::words;
use crate::stack::{Resource, ResourceId, State};
use crate::value::Value;

/// True for the word of a part.
pub(super) fn is_part(word: &str) -> bool {
    WORDS.parts.has(word)
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
    let set = state?.section(resource.program_section())?;
    Some(set.as_map()?.iter())
}

/// The texts among them that are longer than one byte and not masked, each with its property.
pub(super) fn texts<'r>(
    resource: &Resource,
    state: Option<&'r State>,
) -> impl Iterator<Item = (&'r Arc<str>, &'r str)> {
    let all = properties(resource, state).into_iter().flatten();
    let shown = all.filter(|(_, value)| !value.is_secret());
    shown.filter_map(|(key, value)| Some((key, value.as_str().filter(|it| it.len() > 1)?)))
}

/// Wholes by the hashes of the texts that name them. However many wholes share a text, a part asks once for its type.
#[derive(Default)]
pub(super) struct Wholes<'s> {
    /// By text and type: the first two wholes, so that there is one beside any other resource.
    by_text: HashMap<u64, BTreeMap<&'s str, Two>>,
    /// By the type of a part and a text: the first two wholes of such a part.
    known: HashMap<(&'s str, u64), Two>,
}

/// The first two of some resources.
#[derive(Clone, Copy, Default)]
struct Two([Option<ResourceId>; 2]);

impl Two {
    fn add(&mut self, id: ResourceId) {
        match &mut self.0 {
            [None, _] => self.0[0] = Some(id),
            [Some(first), second @ None] if *first != id => *second = Some(id),
            [Some(_), _] => {}
        }
    }
}

impl<'s> Wholes<'s> {
    /// Adds a resource that may be a whole, under a text that names it.
    pub(super) fn add(&mut self, text: u64, ty: &'s str, id: ResourceId) {
        self.by_text
            .entry(text)
            .or_default()
            .entry(ty)
            .or_default()
            .add(id);
    }

    /// The first whole with this name that a resource of type `ty` is a part of; never the resource itself.
    pub(super) fn of(&mut self, ty: &'s str, text: u64, part: ResourceId) -> Option<ResourceId> {
        let by_type = self.by_text.get(&text)?;
        let two = self.known.entry((ty, text)).or_insert_with(|| {
            let own = by_type.iter().filter(|(whole, _)| is_part_of(ty, whole));
            let mut ids: Vec<ResourceId> = own.flat_map(|(_, two)| two.0).flatten().collect();
            ids.sort_unstable();
            let mut two = Two::default();
            for id in ids {
                two.add(id);
            }
            two
        });
        two.0.into_iter().flatten().find(|id| *id != part)
    }
}

#[cfg(test)]
mod tests {
    use super::{Wholes, is_part_of};
    use crate::stack::ResourceId;

    #[test]
    fn a_part_asks_once_for_its_type_however_many_wholes_share_a_name() {
        let mut wholes = Wholes::default();
        for number in 0..1_000 {
            let ty = ["aws_lb", "aws_security_group"][number as usize % 2];
            wholes.add(7, ty, ResourceId(number));
        }
        for number in 0..1_000 {
            let first = if number == 1 { 3 } else { 1 };
            let found = wholes.of("aws_security_group_rule", 7, ResourceId(number));
            assert_eq!(found, Some(ResourceId(first)));
        }
        assert_eq!(wholes.of("aws_security_group_rule", 8, ResourceId(0)), None);
        assert_eq!((wholes.by_text.len(), wholes.by_text[&7].len()), (1, 2));
        assert_eq!(wholes.known.len(), 1);
    }

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
