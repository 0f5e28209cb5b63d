//! Stories: the changed resources of a plan, each told once.
//!
//! A plan of 300 changes is often five: a new tag everywhere, a new image in one component, and three things of which each is
//! different. [`Kinds`] takes the changed resources one by one, in any order, and keeps hashes of their [leaves](super::leaves),
//! never values. [`Kinds::finish`] divides them, after everything is [said](Links) of them:
//!
//! 1. A leaf change that resources of two types have is [common](Common): told once, and nothing of any story.
//! 2. A resource with a cause is below the story of its cause.
//! 3. The others are one story if they have one form: action, type, changed places with their directions, and what is said of them.
//!    What has no effect never splits a story. A few that get other values than most are stories of their own.
//! 4. The members of a [whole](Links::wholes), such as a deleted module, are one story.
//!
//! A kind names places by [`LeafPrint`]. The texts are read from a member: [`Kind::members`] are sorted by name, and the leaves
//! of the first one have the prints of the kind.
//!
//! # Laws
//!
//! 1. Each resource that was added is in exactly one kind of one story.
//! 2. The places and the changes of a kind are those of each member.
//! 3. The own, common and set-apart leaves of a member together are all that were added.
//! 4. The result does not depend on the order in which resources are added.

mod components;
mod family;
mod lines;
mod odd;
mod print;
pub mod siblings;
mod twins;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use hashbrown::{HashMap, HashSet};
use indexmap::IndexSet;

pub use components::Components;
pub use lines::moved_in_words;
pub use print::{Language, LeafPrint, Print, Tag, hash_of, is_hash};
pub use twins::told;

use super::groups::most_frequent;
use family::Families;

pub use super::leaves::pattern;

use super::leaves::Leaf;
use super::rules::Level;
use super::sections::Title;
use crate::stack::{Action, ResourceId};

/// Number of resources that share a change of a tag from which on it is common.
const MIN_TAGGED: usize = 3;

/// Share of the changes, as one of so many, that have another change if it is common.
const MIN_SHARE: usize = 10;

/// Maximum number of leaves of one resource that are kept apart. The rest counts as one.
const MAX_LEAVES: usize = 4096;

/// A resource of a plan, as kinds see it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The resource.
    pub id: ResourceId,
    /// Its URN or address. It orders members.
    pub name: &'a str,
    /// Its type.
    pub ty: &'a str,
    /// The action on it.
    pub action: Action,
    /// True if the apply should have done it, and did not.
    pub is_missed: bool,
    /// True if the order of lists may mean something to the type, because nothing is known of it.
    pub is_in_order: bool,
    /// The number of a mute that leaves out some of its changes.
    pub mute: Option<usize>,
}

/// Resources that are told in one line.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// The thing that the members share.
    pub shape: Shape,
    /// The action on each member; on the first one, of a whole.
    pub action: Action,
    /// The members, sorted by name.
    pub members: Vec<ResourceId>,
    /// The types of the members with the number of each, most frequent first.
    pub types: Vec<(Box<str>, usize)>,
    /// The changes that each member has, without the common ones.
    pub changes: Vec<Shared>,
    /// The changes without effect that some members have besides, with the number of members, most frequent first.
    pub tail: Vec<(LeafPrint, usize)>,
    /// Number of resources elsewhere that have these changes or some of them, and others besides.
    pub n_besides: usize,
    /// These resources, if they are few.
    pub besides: Vec<ResourceId>,
    /// A measure of how rare the changes are in this plan. The oddest has the highest.
    pub rarity: u32,
}

/// The thing that the members of a kind share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// Changes of their own.
    Own,
    /// The action on the resource as a whole.
    Whole,
    /// Changes that have no effect.
    NoEffect,
    /// Nothing but common changes.
    Common,
    /// Nothing but tags.
    Tags,
    /// Nothing but changes that a mute leaves out.
    Muted,
}

/// A change that all members of a kind have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shared {
    /// The print in the first member.
    pub leaf: LeafPrint,
    /// True if the values are the same in all members.
    pub same_values: bool,
    /// True if the words that differ are the same in all members.
    pub same_edit: bool,
}

/// A change that the head of a page tells for all that have it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Common {
    /// Its print.
    pub leaf: LeafPrint,
    /// The first resource by name that has it.
    pub example: ResourceId,
    /// Number of resources that have it.
    pub n_resources: usize,
    /// Number of properties with these values.
    pub n_places: usize,
}

/// What a reviewer would tell in one breath.
#[derive(Clone, PartialEq, Debug)]
pub struct Story {
    /// The whole that its members are, as [`Links::wholes`] numbers it.
    pub whole: Option<usize>,
    /// The resources that it is about.
    pub head: Kind,
    /// The resources that follow from them, the heaviest first.
    pub along: Vec<Kind>,
    /// The weight of the heaviest thing that is said of any of them.
    pub level: Option<Level>,
    /// The section that it stands in.
    pub title: Title,
}

impl Story {
    /// The kinds of all of its resources.
    pub fn kinds(&self) -> impl Iterator<Item = &Kind> {
        std::iter::once(&self.head).chain(&self.along)
    }

    /// All of its resources.
    pub fn members(&self) -> impl Iterator<Item = ResourceId> {
        self.kinds().flat_map(|kind| &kind.members).copied()
    }
}

/// The stories of a plan.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Partition {
    /// The common changes, the most frequent first.
    pub common: Vec<Common>,
    /// The stories in reading order.
    pub stories: Vec<Story>,
}

/// What is said of a resource, and the heaviest weight of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight {
    /// The weight.
    pub level: Level,
    /// The print of all that is said: resources of which the same is said have the same.
    pub print: Print,
}

/// What is known of the changed resources besides their leaves.
#[derive(Clone, Default, Debug)]
pub struct Links {
    /// The resources that follow from another one, each with the first cause, which follows from none.
    pub roots: BTreeMap<ResourceId, ResourceId>,
    /// The resources that are parts of a whole, with the number of it.
    pub wholes: HashMap<ResourceId, usize>,
    /// What is said of resources.
    pub said: HashMap<ResourceId, Weight>,
}

/// A resource with the hashes of its leaves.
#[derive(Clone, Debug)]
struct Member {
    id: ResourceId,
    name: Box<str>,
    ty: u32,
    action: Action,
    is_missed: bool,
    mute: Option<usize>,
    /// Leaves with an effect, sorted, without repetition.
    leaves: Box<[LeafPrint]>,
    /// Leaves without effect, and those that follow from the replacement, sorted, without repetition.
    noise: Box<[LeafPrint]>,
}

impl Member {
    /// The leaves without effect, apart from those that follow from the replacement.
    fn idle(&self) -> impl Iterator<Item = &LeafPrint> {
        self.noise.iter().filter(|leaf| leaf.is_idle)
    }
}

/// The changed resources seen so far.
#[derive(Clone, Default, Debug)]
pub struct Kinds {
    members: Vec<Member>,
    /// The changes that a rule judges. They are never common.
    judged: HashSet<Print>,
    types: IndexSet<Box<str>>,
}

impl Kinds {
    /// Adds a changed resource with its changed leaves that are not [repeated](told). A change that is judged by a rule is never
    /// common; a value that is not known counts only if the program asks for it. Returns the prints of the leaves; none for a resource
    /// that comes or goes.
    pub fn add(
        &mut self,
        subject: Subject<'_>,
        leaves: &[Leaf],
        is_judged: &dyn Fn(&Leaf) -> bool,
        is_asked: &dyn Fn(&Leaf) -> bool,
    ) -> Vec<LeafPrint> {
        let (mut own, mut noise) = (Vec::new(), Vec::new());
        let mut prints = Vec::new();
        // The values of a resource that comes or goes are no changes.
        let leaves = if is_whole(subject.action) {
            &[]
        } else {
            leaves
        };
        for leaf in leaves {
            let print = LeafPrint::of(leaf, subject.name);
            prints.push(print);
            if is_judged(leaf) {
                self.judged.insert(print.change);
            }
            let may_be_in_order = subject.is_in_order
                || leaf.document.is_some()
                || print::has_step(leaf, &["ordered"]);
            let is_told =
                has_effect(subject.action, leaf) || may_be_in_order && print::is_order(leaf);
            if is_told && (is_asked(leaf) || !leaf.after.is_computed()) {
                own.push(print);
            } else {
                noise.push(print);
            }
        }
        if own.is_empty() && subject.action == Action::Replace {
            // A replacement has an effect, even if the file shows no cause.
            own.append(&mut noise);
        }
        let member = Member {
            id: subject.id,
            name: subject.name.into(),
            ty: self.type_number(subject.ty),
            action: subject.action,
            is_missed: subject.is_missed,
            mute: subject.mute,
            leaves: sorted(own),
            noise: sorted(noise),
        };
        self.members.push(member);
        prints
    }

    /// Adds all resources of another part of the file.
    pub fn append(&mut self, other: Self) {
        let numbers = other.types.iter().map(|ty| self.type_number(ty));
        let numbers: Vec<u32> = numbers.collect();
        let number = |ty: u32| numbers.get(ty as usize).copied().unwrap_or(ty);
        let members = other.members.into_iter().map(|member| Member {
            ty: number(member.ty),
            ..member
        });
        self.members.extend(members);
        self.judged.extend(other.judged);
    }

    fn type_number(&mut self, ty: &str) -> u32 {
        let known = self.types.get_index_of(ty);
        let number = known.unwrap_or_else(|| self.types.insert_full(ty.into()).0);
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// The changes that are common.
    pub fn common(&self) -> HashSet<Print> {
        let counts = Counts::of(&self.members, &self.judged);
        let leaves = self.members.iter().flat_map(|it| &it.leaves);
        let common = leaves.filter(|leaf| counts.is_common(leaf));
        common.map(|leaf| leaf.change).collect()
    }

    /// The resources of which something is said so far.
    #[must_use]
    pub fn found(&self, links: &Links) -> Self {
        let is_found = |member: &&Member| links.said.contains_key(&member.id);
        Self {
            members: self.members.iter().filter(is_found).cloned().collect(),
            judged: self.judged.clone(),
            types: self.types.clone(),
        }
    }

    /// Divides the resources into stories.
    pub fn finish(mut self, links: &Links) -> Partition {
        self.members
            .sort_by(|one, other| one.name.cmp(&other.name).then(one.id.cmp(&other.id)));
        let counts = Counts::of(&self.members, &self.judged);
        let teller = Teller {
            kinds: &self,
            links,
            families: Families::of(&self.members, &counts),
            counts: &counts,
        };
        Partition {
            common: counts.in_order(),
            stories: teller.stories(),
        }
    }
}

/// The thing that a story is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Node {
    Whole(usize),
    /// Resources of one form, and what tells a few of them from the others.
    Form(Form, Option<Print>),
}

/// The facts that the members of one kind share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Form {
    shape: Shape,
    action: Action,
    is_missed: bool,
    /// `None` for resources of any type.
    ty: Option<u32>,
    /// The places of the changes, with their directions.
    places: Print,
    said: Option<Print>,
}

/// The members of a story, by their places among all.
#[derive(Default)]
struct Draft {
    head: Vec<usize>,
    along: BTreeMap<Form, Vec<usize>>,
}

struct Teller<'k> {
    kinds: &'k Kinds,
    links: &'k Links,
    counts: &'k Counts<'k>,
    families: Families,
}

impl Teller<'_> {
    fn stories(&self) -> Vec<Story> {
        let members = &self.kinds.members;
        let forms: Vec<Form> = members.iter().map(|member| self.form(member)).collect();
        let place: HashMap<ResourceId, usize> = members.iter().map(|it| it.id).zip(0..).collect();
        let roots = self.roots(&forms, &place);
        let mut heads: BTreeMap<Form, Vec<usize>> = BTreeMap::new();
        let mut nodes: Vec<Option<Node>> = vec![None; members.len()];
        for (at, member) in members
            .iter()
            .enumerate()
            .filter(|(at, _)| roots[*at].is_none())
        {
            match self.links.wholes.get(&member.id) {
                Some(whole) => nodes[at] = Some(Node::Whole(*whole)),
                None => heads.entry(forms[at]).or_default().push(at),
            }
        }
        for (form, all) in heads {
            let own: Vec<Vec<LeafPrint>> = all.iter().map(|at| self.own(&members[*at])).collect();
            for (at, apart) in all.iter().zip(odd::apart(&own, form.said.is_some())) {
                nodes[*at] = Some(Node::Form(form, apart));
            }
        }
        let mut drafts: BTreeMap<Node, Draft> = BTreeMap::new();
        for (at, root) in roots.iter().enumerate() {
            // A root follows from none, so it has a node.
            let Some(node) = nodes[root.unwrap_or(at)].clone() else {
                continue;
            };
            let draft = drafts.entry(node).or_default();
            match root {
                Some(_) => draft.along.entry(forms[at]).or_default().push(at),
                None => draft.head.push(at),
            }
        }
        let stories = drafts
            .into_iter()
            .map(|(node, draft)| self.story(&node, &draft));
        let mut stories: Vec<Story> = stories.collect();
        stories.sort_by_cached_key(|story| {
            let first = story
                .head
                .members
                .first()
                .and_then(|id| place.get(id))
                .copied();
            (story.title, rank(story), first)
        });
        stories
    }

    /// The first cause of each member that follows from another one. What says nothing takes nothing along.
    fn roots(&self, forms: &[Form], place: &HashMap<ResourceId, usize>) -> Vec<Option<usize>> {
        let members = &self.kinds.members;
        let is_part = |at: usize| self.links.wholes.contains_key(&members[at].id);
        let is_telling =
            |at: usize| is_part(at) || matches!(forms[at].shape, Shape::Own | Shape::Whole);
        let direct = |at: usize| {
            let root = self
                .links
                .roots
                .get(&members[at].id)
                .filter(|_| !is_part(at))?;
            place.get(root).copied().filter(|root| is_telling(*root))
        };
        let roots: Vec<Option<usize>> = (0..members.len()).map(direct).collect();
        let ends = (0..members.len()).map(|at| Some(end(&roots, at)).filter(|end| *end != at));
        let mut ends: Vec<Option<usize>> = ends.collect();
        self.gather(&mut ends);
        ends
    }

    /// Makes one story of siblings that change nothing but what their family does, each after another cause.
    fn gather(&self, roots: &mut [Option<usize>]) {
        let members = &self.kinds.members;
        let mut siblings: HashMap<(u32, Action, Print), Vec<usize>> = HashMap::new();
        for (at, member) in members.iter().enumerate() {
            let (shared, rest) = self.families.split(member, self.counts);
            if roots[at].is_some()
                && rest.is_empty()
                && !shared.is_empty()
                && !self.is_heavy(member)
            {
                let places = Print::of(&shared.iter().map(|leaf| leaf.place).collect::<Vec<_>>());
                let of = (member.ty, member.action, places);
                siblings.entry(of).or_default().push(at);
            }
        }
        for all in siblings.into_values() {
            if all.iter().any(|at| roots[*at] != roots[all[0]]) {
                for at in all {
                    roots[at] = None;
                }
            }
        }
    }

    fn story(&self, node: &Node, draft: &Draft) -> Story {
        let mut along: Vec<&Vec<usize>> = draft.along.values().collect();
        // Forms have the numbers of types, which depend on what was added first.
        along.sort_unstable_by_key(|members| members[0]);
        let mut along: Vec<Kind> = along.into_iter().map(|all| self.kind(all)).collect();
        along.sort_by_cached_key(|kind| {
            let goes = matches!(kind.action, Action::Delete | Action::Replace);
            (
                self.level(kind).unwrap_or(Level::Note),
                !goes,
                Reverse(kind.rarity),
            )
        });
        let head = self.kind(&draft.head);
        let kinds = std::iter::once(&head).chain(&along);
        let level = kinds.filter_map(|kind| self.level(kind)).min();
        let whole = match node {
            Node::Whole(whole) => Some(*whole),
            Node::Form(..) => None,
        };
        Story {
            title: title_of(&head, level),
            whole,
            head,
            along,
            level,
        }
    }

    fn level(&self, kind: &Kind) -> Option<Level> {
        let members = kind.members.iter();
        let said = members.filter_map(|id| self.links.said.get(id));
        said.map(|it| it.level).min()
    }

    /// The changes of a member that are told of it, without the common ones and those that its family tells; all of them if
    /// something heavy is said of it.
    fn own(&self, member: &Member) -> Vec<LeafPrint> {
        let (shared, own) = self.families.split(member, self.counts);
        if let Some(own) = [own, shared].into_iter().find(|it| !it.is_empty()) {
            return own;
        }
        let own = Vec::new();
        if member.action != Action::Replace && !self.is_heavy(member) {
            return own;
        }
        let all = [&member.leaves, &member.noise].into_iter();
        all.into_iter()
            .find(|leaves| !leaves.is_empty())
            .map_or(own, |leaves| leaves.to_vec())
    }

    fn is_heavy(&self, member: &Member) -> bool {
        let said = self.links.said.get(&member.id);
        said.is_some_and(|it| it.level < Level::Note)
    }

    fn form(&self, member: &Member) -> Form {
        let own = self.own(member);
        let said = self.links.said.get(&member.id).map(|it| it.print);
        let places = |leaves: &[LeafPrint]| {
            let places = leaves.iter().map(|leaf| (leaf.place, leaf.direction));
            Print::of(&places.collect::<BTreeSet<_>>())
        };
        let is_bare = member.leaves.is_empty() && member.noise.is_empty();
        let is_idle = member.idle().next().is_some();
        // An annotation that nothing else shares may change what a program does.
        let only_names = || own.iter().all(|leaf| leaf.tag != Tag::Annotation);
        let has_tags = || member.leaves.iter().all(|leaf| leaf.tag != Tag::No) && only_names();
        // A replacement, and a change with a finding, always has an effect.
        let is_light = member.action != Action::Replace && !self.is_heavy(member);
        let (shape, ty, places) = if let Some(mute) = member.mute.filter(|_| is_bare) {
            (Shape::Muted, None, Print::of(&mute))
        } else if is_whole(member.action) || is_bare {
            (Shape::Whole, Some(member.ty), Print::of(&()))
        } else if is_light && is_idle && (own.is_empty() || has_tags()) {
            let idle: Vec<LeafPrint> = member.idle().copied().collect();
            let spellings: BTreeSet<_> = idle.iter().map(|leaf| leaf.spelling).collect();
            // Documents that are written differently are one thing whatever their types.
            let ty = spellings.contains(&None).then_some(member.ty);
            let places = if ty.is_some() {
                places(&idle)
            } else {
                Print::of(&spellings)
            };
            (Shape::NoEffect, ty, places)
        } else if is_light && !member.leaves.is_empty() && has_tags() {
            (Shape::Tags, None, places(&own))
        } else if is_light && own.is_empty() {
            // Values that only the provider sets change nothing that somebody asked for.
            let is_common = !member.leaves.is_empty();
            let ty = (!is_common).then_some(member.ty);
            (Shape::Common, ty, Print::of(&()))
        } else {
            (Shape::Own, Some(member.ty), places(&own))
        };
        Form {
            shape,
            action: member.action,
            is_missed: member.is_missed,
            ty,
            places,
            said: said.filter(|_| matches!(shape, Shape::Own | Shape::Whole)),
        }
    }

    /// The kind of some members, which are sorted by name.
    fn kind(&self, all: &[usize]) -> Kind {
        let members: Vec<&Member> = all.iter().map(|at| &self.kinds.members[*at]).collect();
        let first = members[0];
        let shape = self.form(first).shape;
        let told = |member: &Member| -> Vec<LeafPrint> {
            match shape {
                Shape::NoEffect => member.idle().copied().collect(),
                Shape::Own | Shape::Whole | Shape::Common | Shape::Tags | Shape::Muted => {
                    self.own(member)
                }
            }
        };
        let rest = members.iter().skip(1);
        let rest: Vec<HashSet<Print>> = rest
            .map(|member| {
                told(member)
                    .iter()
                    .flat_map(|leaf| [leaf.place, leaf.change, leaf.edit])
                    .collect()
            })
            .collect();
        let in_all = |print: &Print| rest.iter().all(|it| it.contains(print));
        let changes = told(first).into_iter().filter(|leaf| in_all(&leaf.place));
        let changes = changes.map(|leaf| Shared {
            leaf,
            same_values: in_all(&leaf.change),
            same_edit: in_all(&leaf.edit),
        });
        let changes: Vec<Shared> = changes.collect();
        let is_told = |leaf: &LeafPrint| changes.iter().any(|it| it.leaf.place == leaf.place);
        let mut tail: BTreeMap<Print, (LeafPrint, usize)> = BTreeMap::new();
        for member in members.iter().filter(|_| shape != Shape::NoEffect) {
            let idle = member.idle().filter(|leaf| !is_told(leaf));
            let places: BTreeMap<Print, LeafPrint> = idle.map(|it| (it.place, *it)).collect();
            for (place, leaf) in places {
                tail.entry(place).or_insert((leaf, 0)).1 += 1;
            }
        }
        let mut tail: Vec<(LeafPrint, usize)> = tail.into_values().collect();
        tail.sort_by_key(|(_, count)| Reverse(*count));
        let types = members.iter().map(|member| {
            let ty = self.kinds.types.get_index(member.ty as usize);
            ty.map_or("", |ty| ty)
        });
        let types = most_frequent(types).into_iter();
        let (n_besides, mut besides) = self.families.besides(first, &told(first));
        besides.truncate(if n_besides > family::FEW {
            0
        } else {
            n_besides
        });
        Kind {
            shape,
            action: first.action,
            n_besides,
            besides,
            changes,
            tail,
            rarity: members
                .iter()
                .map(|it| self.counts.rarity(it))
                .max()
                .unwrap_or(0),
            members: members.iter().map(|member| member.id).collect(),
            types: types.map(|(ty, n)| (ty.into(), n)).collect(),
        }
    }
}

/// The end of a chain of causes, which has no circle.
fn end(roots: &[Option<usize>], mut at: usize) -> usize {
    while let Some(next) = roots[at] {
        at = next;
    }
    at
}

/// The section of a story.
fn title_of(head: &Kind, level: Option<Level>) -> Title {
    match (level, head.shape) {
        (Some(level @ (Level::Danger | Level::Warning)), _) => Title::Found(level),
        (_, Shape::NoEffect) => Title::NoEffect,
        (_, Shape::Tags | Shape::Common) => Title::Tags,
        (_, Shape::Muted) => Title::Muted,
        (_, Shape::Whole) if matches!(head.action, Action::Import | Action::Move) => Title::Moved,
        _ if head.members.len() == 1 => Title::Alone,
        _ => Title::Same,
    }
}

/// The place of a story in its section: what goes comes first, then the oddest, and small groups before large ones. Where nothing
/// has an effect the largest comes first.
fn rank(story: &Story) -> (u8, usize, Reverse<usize>) {
    let head = &story.head;
    let goes = match head.action {
        // Nothing is lost with it.
        Action::Delete if story.level == Some(Level::Note) => 2,
        Action::Delete => 0,
        Action::Replace => 1,
        _ => 2,
    };
    let n = head.members.len();
    match story.title {
        Title::NoEffect | Title::Tags | Title::Moved => (0, 0, Reverse(n)),
        Title::Same => (goes, n, Reverse(0)),
        _ => (goes, 0, Reverse(head.rarity as usize)),
    }
}

/// True for an action that is about the resource as a whole.
fn is_whole(action: Action) -> bool {
    !matches!(action, Action::Update | Action::Replace | Action::Noop)
}

/// True for a change that means something, and is not a value that is unknown only because the resource is created anew.
pub fn has_effect(action: Action, leaf: &Leaf) -> bool {
    let is_anew = action == Action::Replace && !leaf.replaces && leaf.after.is_computed();
    !print::is_idle(leaf) && !is_anew
}

fn sorted(mut leaves: Vec<LeafPrint>) -> Box<[LeafPrint]> {
    leaves.sort_unstable();
    leaves.dedup();
    if let [.., last] = leaves[..]
        && leaves.len() > MAX_LEAVES
    {
        let rest = leaves.split_off(MAX_LEAVES);
        let places: Vec<Print> = rest.iter().map(|leaf| leaf.place).collect();
        leaves.push(LeafPrint {
            place: Print::of(&places),
            change: Print::of(&rest),
            edit: Print::of(&rest),
            ..last
        });
        leaves.sort_unstable();
    }
    leaves.into()
}

/// Number of resources with each thing.
struct Counts<'k> {
    /// The changes that a rule judges.
    judged: &'k HashSet<Print>,
    n_resources: usize,
    common: HashMap<Print, Common>,
    /// The pairs of texts that are common wherever they are.
    texts: HashMap<u64, Common>,
    places: HashMap<Print, usize>,
    types: HashMap<u32, usize>,
    actions: HashMap<Action, usize>,
}

/// A change, with the resources that have it.
struct Sharing {
    common: Common,
    ty: u32,
    has_types: bool,
}

impl<'k> Counts<'k> {
    /// Counts members, which are sorted by name. Judged changes are not common.
    fn of(members: &[Member], judged: &'k HashSet<Print>) -> Self {
        let mut shared: HashMap<Print, Sharing> = HashMap::new();
        let mut counts = Self {
            judged,
            texts: texts(members, judged),
            n_resources: members.len(),
            common: HashMap::new(),
            places: HashMap::new(),
            types: HashMap::new(),
            actions: HashMap::new(),
        };
        for member in members {
            for leaf in member.leaves.iter().filter(|leaf| !leaf.replaces) {
                let sharing = shared.entry(leaf.change).or_insert(Sharing {
                    common: Common {
                        leaf: *leaf,
                        example: member.id,
                        n_resources: 0,
                        n_places: 1,
                    },
                    ty: member.ty,
                    has_types: false,
                });
                sharing.common.n_resources += 1;
                sharing.has_types |= sharing.ty != member.ty;
            }
            // Leaves are sorted by place.
            for places in member
                .leaves
                .chunk_by(|one, other| one.place == other.place)
            {
                *counts.places.entry(places[0].place).or_default() += 1;
            }
            *counts.types.entry(member.ty).or_default() += 1;
            *counts.actions.entry(member.action).or_default() += 1;
        }
        let n = members.len();
        let is_common = |(change, it): &(Print, Sharing)| {
            let n_sharing = it.common.n_resources;
            let is_frequent = n_sharing >= MIN_TAGGED
                && (it.common.leaf.tag != Tag::No || n_sharing * MIN_SHARE >= n);
            it.has_types && is_frequent && !judged.contains(change)
        };
        let common = shared.into_iter().filter(is_common);
        counts.common = common.map(|(change, it)| (change, it.common)).collect();
        counts
    }

    fn is_common(&self, leaf: &LeafPrint) -> bool {
        let is_text = || self.texts.contains_key(&leaf.text) && is_free(leaf, self.judged);
        self.common.contains_key(&leaf.change) || is_text()
    }

    /// The changes of a member that are not common.
    fn own<'m>(&'m self, member: &'m Member) -> impl Iterator<Item = &'m LeafPrint> {
        member.leaves.iter().filter(|leaf| !self.is_common(leaf))
    }

    /// The common changes, the most frequent first.
    fn in_order(&self) -> Vec<Common> {
        let is_text = |it: &&Common| self.texts.contains_key(&it.leaf.text);
        let common = self.common.values().filter(|it| !is_text(it));
        let mut common: Vec<Common> = common.chain(self.texts.values()).copied().collect();
        common.sort_by_key(|it| (Reverse(it.n_resources), it.leaf));
        common
    }

    /// The rarity of a change: the surprise of its rarest place, of its action and, by half, of its type.
    fn rarity(&self, member: &Member) -> u32 {
        let surprise =
            |count: Option<&usize>| surprise(count.copied().unwrap_or(1), self.n_resources);
        let places = member
            .leaves
            .iter()
            .map(|leaf| surprise(self.places.get(&leaf.place)));
        let (action, ty) = (self.actions.get(&member.action), self.types.get(&member.ty));
        places.max().unwrap_or(0) + surprise(action) + surprise(ty) / 2
    }
}

/// The pairs of texts, such as the numbers of two releases, that a tenth of the resources change, in types or properties of any kind.
fn texts(members: &[Member], judged: &HashSet<Print>) -> HashMap<u64, Common> {
    /// A change, with its types and the number of resources by property.
    type Spread = (Common, HashSet<u32>, HashMap<Print, usize>);
    let mut all: HashMap<u64, Spread> = HashMap::new();
    for member in members {
        let is_text = |leaf: &&LeafPrint| leaf.text != 0 && is_free(leaf, judged);
        let mut own = HashSet::new();
        for leaf in member.leaves.iter().filter(is_text) {
            let (common, types, places) = all.entry(leaf.text).or_insert_with(|| {
                let common = Common {
                    leaf: *leaf,
                    example: member.id,
                    n_resources: 0,
                    n_places: 0,
                };
                (common, HashSet::new(), HashMap::new())
            });
            types.insert(member.ty);
            let n = places.entry(leaf.place).or_default();
            *n += 1;
            let n = *n;
            common.n_resources += usize::from(own.insert(leaf.text));
            // The property that most of them change is the example.
            if leaf.place != common.leaf.place && places.get(&common.leaf.place) < Some(&n) {
                (common.leaf, common.example) = (*leaf, member.id);
            }
        }
    }
    let common = all
        .into_iter()
        .filter_map(|(text, (common, types, places))| {
            let n = common.n_resources;
            let is_frequent = n >= MIN_TAGGED && n * MIN_SHARE >= members.len();
            let common = Common {
                n_places: places.len(),
                ..common
            };
            (is_frequent && types.len() > 1).then_some((text, common))
        });
    common.collect()
}

/// True for a change that may be told elsewhere: no rule judges it, and it forces no replacement.
fn is_free(leaf: &LeafPrint, judged: &HashSet<Print>) -> bool {
    !leaf.replaces && !judged.contains(&leaf.change)
}

/// The surprise of a thing that `count` of `total` resources have, in quarters of a bit.
fn surprise(count: usize, total: usize) -> u32 {
    let to_the_fourth = |number: usize| {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        u128::from(number.max(1)).pow(4)
    };
    let ratio = to_the_fourth(total) / to_the_fourth(count);
    ratio.checked_ilog2().unwrap_or(0)
}

#[cfg(test)]
mod tests;
