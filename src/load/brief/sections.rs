//! The resources of each section of a brief.

use super::{Brief, stack_findings};
use crate::change::kinds::{Kind, Shape};
use crate::change::sections::{Sections, Title};
use crate::stack::{Action, Flags, ResourceId, Stack};

impl Brief {
    /// The resources of each section.
    pub fn sections(&self, stack: &Stack) -> Sections {
        let kinds = self.partition.kinds.iter().flat_map(|kind| {
            let own = kind.members.iter().copied();
            let own = own.filter(|id| !self.followers.contains_key(id));
            own.map(|id| (title_of(kind), id))
        });
        let alarms = self.findings.alarms.iter().flat_map(|alarm| {
            let places = alarm.places.iter();
            places.map(|place| (Title::Found(alarm.rule.level), place.id))
        });
        let notices = self.notices.iter().flat_map(|notice| {
            let ids = notice.ids.iter();
            ids.map(|id| (Title::Found(notice.level), *id))
        });
        let shifts = self.shifts.iter().filter_map(|shift| {
            let (level, _) = shift.alarm.as_ref()?;
            Some((Title::Found(*level), &shift.pairs))
        });
        let shifts = shifts.flat_map(|(title, pairs)| {
            let ids = pairs.iter().flat_map(|pair| [pair.gone, pair.new]);
            ids.map(move |id| (title, id))
        });
        let failures = stack_findings::of_plan(stack);
        let failures = failures.filter_map(|it| Some((Title::Found(it.level), it.resource?)));
        let pairs = self.shifts.iter().flat_map(|shift| &shift.pairs);
        let pairs = pairs.flat_map(|pair| [pair.gone, pair.new]);
        let unjudged = self.findings.unjudged.iter().map(|(place, _)| place.id);
        let unknown_types = self.findings.unknown_types.values().flatten().copied();
        let outside = (!stack.is_comparison).then(|| drifted(stack));
        let of = |title: Title| move |id: ResourceId| (title, id);
        let resources = kinds
            .chain(alarms)
            .chain(notices)
            .chain(shifts)
            .chain(failures)
            .chain(pairs.map(of(Title::Shifted)))
            .chain(self.followers.keys().copied().map(of(Title::Follows)))
            .chain(self.partition.odd.iter().map(|odd| (Title::Odd, odd.id)))
            .chain(self.unknown.iter().map(|(id, _)| (Title::Unknown, *id)))
            .chain(unjudged.map(of(Title::Unjudged)))
            .chain(unknown_types.map(of(Title::UnknownType)))
            .chain(outside.into_iter().flatten().map(of(Title::Outside)))
            .chain(self.unread.iter().copied().map(of(Title::Unread)));
        Sections::new(resources)
    }
}

/// The section of a kind, apart from its members that follow from others.
pub(super) fn title_of(kind: &Kind) -> Title {
    if matches!(kind.action, Action::Delete | Action::Replace) {
        Title::Gone
    } else if kind.shape == Shape::NoEffect {
        Title::NoEffect
    } else if kind.alone() {
        Title::Alone
    } else {
        Title::Same
    }
}

/// The resources that changed outside of the program, each once.
pub(super) fn drifted(stack: &Stack) -> impl Iterator<Item = ResourceId> + '_ {
    stack.ids().filter(|id| {
        let flags = stack.record(*id).flags;
        flags.contains(Flags::DRIFTED) && !flags.is_second_entry()
    })
}
