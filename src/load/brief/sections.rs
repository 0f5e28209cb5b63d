//! The resources of each section of a brief.

use super::links::owners;
use super::{Brief, stack_findings};
use crate::change::kinds::Story;
use crate::change::rules::Level;
use crate::change::sections::{Sections, Title};
use crate::stack::{Action, Flags, ResourceId, Stack};

impl Brief {
    /// The resources of each section.
    pub fn sections(&self, stack: &Stack) -> Sections {
        let stories = self.partition.stories.iter().flat_map(|story| {
            let title = title_in(stack, story);
            let along = story.along.iter().flat_map(|kind| &kind.members);
            let own = story.head.members.iter().chain(along.clone());
            let own = own.map(move |id| (title, *id));
            own.chain(along.map(|id| (Title::Follows, *id)))
        });
        let note = Title::Found(Level::Note);
        let places = self.findings.places();
        let noted = places.filter(|(rule, _)| rule.level == Level::Note);
        let noted = noted.map(|(_, place)| place.id);
        let notices = self.notices.iter().filter(|it| it.level == Level::Note);
        let failures = stack_findings::failures(stack);
        let failures = failures.filter(|it| it.level == Level::Note);
        let noted = noted
            .chain(notices.flat_map(|notice| owners(stack, notice)))
            .chain(failures.filter_map(|it| it.resource));
        let pairs = self.shifts.iter().flat_map(|shift| &shift.pairs);
        let pairs = pairs.flat_map(|pair| [pair.gone, pair.new]);
        let unjudged = self.findings.unjudged.iter().map(|(place, _)| place.id);
        let unknown_types = self.findings.unknown_types.values().flatten().copied();
        let outside = (!stack.is_comparison).then(|| drifted(stack));
        let of = |title: Title| move |id: ResourceId| (title, id);
        let resources = stories
            .chain(noted.map(of(note)))
            .chain(pairs.map(of(Title::Shifted)))
            .chain(self.unknown.iter().map(|(id, _)| (Title::Unknown, *id)))
            .chain(unjudged.map(of(Title::Unjudged)))
            .chain(unknown_types.map(of(Title::UnknownType)))
            .chain(outside.into_iter().flatten().map(of(Title::Outside)))
            .chain(self.unread.iter().copied().map(of(Title::Unread)));
        Sections::new(resources)
    }
}

/// The section of a story. Between two files nothing is deleted: one has it, and the other has not.
pub(super) fn title_in(stack: &Stack, story: &Story) -> Title {
    let is_found = story.title.level().is_some();
    if is_found || story.head.action != Action::Delete {
        story.title
    } else if stack.is_outcome() {
        Title::Missing
    } else if stack.is_comparison && !stack.is_history {
        Title::OnlyOld
    } else {
        story.title
    }
}

/// The resources that changed outside of the program, each once.
pub(super) fn drifted(stack: &Stack) -> impl Iterator<Item = ResourceId> + '_ {
    stack.ids().filter(|id| {
        let flags = stack.record(*id).flags;
        flags.contains(Flags::DRIFTED) && !flags.is_second_entry()
    })
}
