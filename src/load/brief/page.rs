//! The page of a brief: sections of entries with their texts, independent of how they are drawn.
//!
//! # Laws
//!
//! 1. Every changed resource is in exactly one entry, in its own resources or in those that come [along](Entry::along). The numbers of
//!    the sections add up to the changes.
//! 2. No change of a resource is said twice.
//! 3. All texts are escaped and short. A masked value is `[secret]`.

mod along;
mod changes;
mod cost;
mod element;
mod facts;
mod known;
mod lines;
mod outside;
mod remarks;
mod said;
mod state;
mod story;
mod telling;
mod values;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexSet;

pub use self::cost::Cost;
use super::stack_findings;
use super::{Brief, leaves_of};
use crate::change::difference::{self, Reason};
use crate::change::groups::counted;
use crate::change::kinds::{LeafPrint, Story, moved_in_words, pattern, siblings, told};
use crate::change::leaves::Leaf;
use crate::change::pairs::{Evidence, Shift, ShiftKind};
use crate::change::rules::{Level, Mute, Rule};
use crate::change::schedule;
pub use crate::change::sections::{Sections, Title};
use crate::load::Document;
use crate::load::cost::Money;
use crate::pulumi::urn;
use crate::render::mend;
use crate::stack::{Action, ChangeId, Changes, Output, Position, Resource, ResourceId};
use crate::terraform::schema::Schemas;
use crate::text::{count, escaped, plural};
use lines::with_lines;
use said::Told;
use values::{both, by_entry, orders, short};

/// Maximum length of a value, in characters.
const MAX_VALUE: usize = 120;

/// Maximum number of changes that an entry with a finding lists.
const MAX_DETAILS: usize = 8;

/// The note of a change for which its resource is replaced.
pub const FORCES: &str = "forces replacement";

/// Number of resources of several types up to which a story names them in its first line.
const FEW: usize = 3;

/// Maximum number of entries of a section. The section counts the rest.
const MAX_ENTRIES: usize = 1_000;

/// The page.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Page {
    /// The numbers of changes.
    pub changes: Changes,
    /// Numbers beside those of the changes, in words: of imports and moves that come along, and of resources that changed outside. "" if nothing does.
    pub along: String,
    /// The contents of a file without changes, in words; "" for changes.
    pub summary: String,
    /// The cost, if a file of costs is given.
    pub cost: Option<Cost>,
    /// The changes that many resources have. No entry says them again.
    pub common: Vec<Detail>,
    /// The sections that have entries, in reading order.
    pub parts: Vec<Part>,
    /// The mutes that leave something out, each with the number of changes.
    pub muted: Vec<(Arc<Mute>, usize)>,
    /// The things that were looked for in vain, and those that nobody can judge from the file, each in a line.
    pub remarks: Vec<String>,
    /// The resources of each section, also those without an entry.
    pub sections: Arc<Sections>,
}

/// A section.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Its title.
    pub title: Title,
    /// Number of resources that the section speaks of, also of those without an entry; of outputs and checks, their number.
    pub count: usize,
    /// Its entries.
    pub entries: Vec<Entry>,
}

/// A story: a line of a section, with what is below it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Entry {
    /// The action on each of its resources; `None` for an output or a check.
    pub action: Option<Action>,
    /// The changed resources that it is about, sorted by name.
    pub ids: Vec<ResourceId>,
    /// The resources that it leads to, where it is about none.
    pub about: Vec<ResourceId>,
    /// Their names, siblings in one text.
    pub names: Names,
    /// The line that declares all of them.
    pub position: Option<Position>,
    /// Their type, if they have one in common.
    pub ty: String,
    /// Number of resources of this type in the file; 0 if they have none in common.
    pub n_of_type: usize,
    /// The rest of the line.
    pub says: String,
    /// The difference that they make to the cost of a month, with those that come along; `None` if they make none.
    pub cost: Option<Money>,
    /// Everything that is said of them, the heaviest first.
    pub said: Vec<Said>,
    /// The query that lists what it speaks of, "" if its resources do.
    pub query: String,
    /// The outputs that it speaks of, by their numbers: it is one of them, or they change with its resources.
    pub outputs: Vec<usize>,
    /// The changes, and the facts about them.
    pub details: Vec<Detail>,
    /// Number of changes that are left out.
    pub n_more: usize,
    /// The changes of each of its resources whose values are its own, of the first ones of a group.
    pub own: Vec<Vec<Detail>>,
    /// The resources that follow from these. Nothing comes along with them again.
    pub along: Vec<Entry>,
    /// Texts to copy: what makes resources under another name one thing again.
    pub copies: Vec<String>,
    /// The change of identity that these texts mend.
    pub shift: Option<Shift>,
}

/// Something that is said of the resources of an entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// Its weight.
    pub level: Level,
    /// The rule that says it.
    pub rule: Option<Arc<Rule>>,
    /// The mechanism that says it, if it is none of a rule.
    pub mechanism: Option<&'static str>,
    /// The sentence.
    pub says: String,
    /// The properties that it means, each with its resource; "" for the resource itself.
    pub places: Vec<(ResourceId, String)>,
}

impl Said {
    /// A finding of a mechanism, of no place yet.
    fn of(level: Level, mechanism: &'static str, says: String) -> Self {
        Self {
            level,
            rule: None,
            mechanism: Some(mechanism),
            says,
            places: Vec::new(),
        }
    }
}

/// The name of a resource, or of siblings in one text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    /// The text, escaped.
    pub text: String,
    /// Number of resources that it stands for.
    pub count: usize,
}

impl From<String> for Name {
    /// The name of one thing.
    fn from(text: String) -> Self {
        Self { text, count: 1 }
    }
}

/// A change.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Detail {
    /// The output that it tells, or the resource, in an entry whose changes belong to different resources.
    pub id: Option<ChangeId>,
    /// The action at the place.
    pub action: difference::Action,
    /// The place, with indices generalised.
    pub place: String,
    /// The values; `None` where there is none, or where they differ from resource to resource.
    pub before: Option<String>,
    /// The value after.
    pub after: Option<String>,
    /// More about it, "" if there is nothing.
    pub note: String,
    /// The weight of a line that says why the entry deserves a look.
    pub level: Option<Level>,
}

impl Page {
    /// The page of a brief. Reads a few resources for each entry. For a file without changes it says what the file holds.
    pub fn of(brief: &Brief, document: &Document, schemas: &Schemas) -> Self {
        let maker = Maker::new(brief, document, schemas);
        if !document.stack.holds_changes() {
            return maker.of_state();
        }
        let mut parts = maker.stories();
        parts.extend([
            maker.known(),
            maker.outside(),
            maker.outputs(),
            maker.checks(),
            maker.unread(),
        ]);
        if document.stack.header.kind.is_log() {
            // The first question about a run is what failed.
            parts.sort_by_key(|part| part.title != Title::Checks);
            for part in &mut parts {
                part.entries.sort_by_key(|entry| !entry.is_failure());
            }
        }
        let parts = parts.into_iter().filter(|it| it.count > 0);
        let changes = document.stack.changes();
        let mut page = Self {
            along: maker.beside(&changes),
            changes,
            common: maker.common(),
            parts: parts.collect(),
            muted: maker.muted(),
            sections: Arc::new(brief.sections(&document.stack)),
            ..Self::default()
        };
        page.remarks = maker.remarks(&page);
        page
    }

    /// The page as far as it is known: the counts and the findings of the rules. `brief` may have nothing else yet.
    pub fn so_far(brief: &Brief, document: &Document) -> Self {
        let schemas = Schemas::default();
        let maker = Maker::new(brief, document, &schemas);
        let parts = maker.stories().into_iter();
        Self {
            changes: document.stack.changes(),
            parts: parts.filter(|part| part.title.level().is_some()).collect(),
            ..Self::default()
        }
    }

    /// Number of changed resources.
    pub fn n_changes(&self) -> usize {
        self.changes.n_resources()
    }
}

/// Names with the number of all their resources, which is asked for in each frame.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Names {
    list: Vec<Name>,
    n_resources: usize,
}

impl From<Vec<Name>> for Names {
    fn from(list: Vec<Name>) -> Self {
        let n_resources = list.iter().map(|name| name.count).sum();
        Self { list, n_resources }
    }
}

impl FromIterator<Name> for Names {
    fn from_iter<I: IntoIterator<Item = Name>>(names: I) -> Self {
        Self::from(names.into_iter().collect::<Vec<_>>())
    }
}

impl Deref for Names {
    type Target = [Name];

    fn deref(&self) -> &[Name] {
        &self.list
    }
}

impl Entry {
    /// The words for the resources after the first `n` names: `3 more`. `None` if there are none.
    pub fn more_than(&self, n: usize) -> Option<String> {
        let before = self.names.iter().take(n).map(|name| name.count);
        let rest = self.names.n_resources - before.sum::<usize>();
        (rest > 0).then(|| format!("{} more", count(rest as u64)))
    }

    /// The resources that it counts: its own, and those that come along.
    pub fn all_ids(&self) -> impl Iterator<Item = ResourceId> + '_ {
        let along = self.along.iter().flat_map(|entry| &entry.ids);
        self.ids.iter().chain(along).copied()
    }

    /// Number of changes that it counts, at least one.
    pub fn n_changes(&self) -> usize {
        let along = self.along.iter().map(|entry| entry.ids.len());
        let n_told = self.ids.len() + along.sum::<usize>();
        if n_told == 0 {
            self.about.len().max(1)
        } else {
            n_told
        }
    }

    /// Itself, and the entries that come along.
    pub fn with_along(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.along)
    }

    /// The line that declares its resources, escaped.
    pub fn declared_at(&self) -> Option<String> {
        let position = self.position.as_ref();
        position.map(|it| escaped(&it.to_string()))
    }

    /// How many of its type are told in one line: `29 of 72`. `None` for one resource, and for resources of several types.
    pub fn share(&self) -> Option<String> {
        let n = self.ids.len();
        let [own, all] = [n, self.n_of_type].map(|n| count(n as u64));
        match self.n_of_type {
            _ if n < 2 || self.shift.is_some() => None,
            0 if n <= FEW => None,
            0 => Some(own),
            _ => Some(format!("{own} of {all}")),
        }
    }

    /// The only change, if it stands first and nothing else does: it belongs to the first line.
    pub fn inlined(&self) -> Option<&Detail> {
        let is_change = |detail: &&Detail| detail.action != difference::Action::Same;
        let mut changes = self.details.iter().filter(is_change);
        let only = changes
            .next()
            .filter(|_| changes.next().is_none() && self.n_more == 0)?;
        let is_first = self
            .details
            .first()
            .is_some_and(|first| std::ptr::eq(first, only));
        let is_alone = self.details.len() == 1;
        (is_alone || is_first && self.says.is_empty()).then_some(only)
    }

    /// The lines below the first one.
    pub fn below(&self) -> &[Detail] {
        &self.details[usize::from(self.inlined().is_some())..]
    }

    /// The heaviest of what is said of its own resources.
    pub fn level(&self) -> Option<Level> {
        self.said.first().map(|said| said.level)
    }

    /// True for a check that did not pass or an error.
    pub fn is_failure(&self) -> bool {
        self.said.iter().any(|said| {
            matches!(
                said.mechanism,
                Some(stack_findings::CHECK | stack_findings::ERROR)
            )
        })
    }

    /// True if the type is worth a word. Addresses of Terraform contain it: the first name tells, because all of an entry are of one
    /// form, and there may be a hundred thousand.
    pub fn shows_type(&self) -> bool {
        let is_new = || {
            let name = self.names.first();
            name.is_none_or(|name| !name.text.contains(&self.ty))
        };
        !self.ty.is_empty() && (self.share().is_some() || is_new())
    }
}

impl Part {
    /// The number of its entries, and of the changes in them if these are more: `3 · 12 changes`. Of a state they are
    /// resources.
    pub fn counts(&self) -> String {
        let n_entries = self.entries.len();
        if self.count == n_entries || n_entries == 0 {
            return count(self.count as u64);
        }
        let n_entries = count(n_entries as u64);
        let is_of_state = matches!(
            self.title,
            Title::Types | Title::Providers | Title::Modules | Title::Holding
        );
        let unit = if is_of_state { "resource" } else { "change" };
        format!("{n_entries} · {}", plural(self.count, unit))
    }

    /// Number of resources that have no entry.
    pub fn n_without_entry(&self) -> usize {
        let shown = self.entries.iter().map(Entry::n_changes);
        self.count.saturating_sub(shown.sum())
    }

    /// Adds an entry that speaks of some resources, or of another thing, and makes it unless there are too many.
    fn add(&mut self, n_resources: usize, entry: impl FnOnce() -> Entry) {
        self.count += n_resources.max(1);
        if self.entries.len() < MAX_ENTRIES {
            self.entries.push(entry());
        }
    }

    fn empty(title: Title) -> Self {
        Self::of(title, 0, [])
    }

    /// A section that speaks of `count` things, with the first of its entries.
    fn of(title: Title, count: usize, entries: impl IntoIterator<Item = Entry>) -> Self {
        Self {
            title,
            count,
            entries: entries.into_iter().take(MAX_ENTRIES).collect(),
        }
    }
}

struct Maker<'b> {
    brief: &'b Brief,
    document: &'b Document,
    schemas: &'b Schemas,
    /// The resources of the stories.
    changed: HashSet<ResourceId>,
    /// Number of resources by type.
    n_of_type: hashbrown::HashMap<&'b str, usize>,
    /// Everything that is said of the changes.
    told: Told<'b>,
    /// The resources that the story in the making asks for, most of them several times.
    read: RefCell<HashMap<ResourceId, Option<Arc<Resource>>>>,
    /// Their leaves.
    leaves: RefCell<HashMap<ResourceId, Leaves>>,
}

/// The leaves of a resource with their prints.
type Leaves = Rc<[(LeafPrint, Leaf)]>;

impl<'b> Maker<'b> {
    fn new(brief: &'b Brief, document: &'b Document, schemas: &'b Schemas) -> Self {
        let stack = &document.stack;
        let own = stack.ids().filter(|id| !stack.record(*id).flags.is_drift());
        let stories = brief.partition.stories.iter();
        let changed: HashSet<ResourceId> = stories.flat_map(Story::members).collect();
        Self {
            told: Told::new(brief, stack, &changed),
            brief,
            document,
            schemas,
            changed,
            n_of_type: counted(own.map(|id| stack.ty(id))),
            read: RefCell::default(),
            leaves: RefCell::default(),
        }
    }
}

impl Maker<'_> {
    /// A shift with the texts that mend it.
    fn shift(&self, shift: &Shift) -> Entry {
        let stack = &self.document.stack;
        let pairs = shift.pairs.iter();
        let names = pairs.map(|pair| self.renamed(shift.kind, pair.gone, pair.new));
        // A list with another name is one thing.
        let is_list = match shift.kind {
            ShiftKind::Renamed | ShiftKind::Key | ShiftKind::Parent => shift.pairs.len() > 1,
            ShiftKind::Container | ShiftKind::Slide(_) | ShiftKind::Swap => false,
        };
        // An object that slides goes in one pair and comes in the next.
        let ids = shift.pairs.iter().flat_map(|pair| [pair.gone, pair.new]);
        let ids: IndexSet<ResourceId> = ids.collect();
        let ids = Vec::from_iter(ids);
        let is_of_one_type = ids.iter().all(|id| stack.ty(*id) == stack.ty(ids[0]));
        let names: Vec<String> = if matches!(shift.kind, ShiftKind::Slide(_)) && !is_of_one_type {
            self.names(&ids).into_iter().map(|name| name.text).collect()
        } else if is_list {
            let moves = shift.moves.iter();
            let names = moves.map(|(from, to)| format!("{} → {}", escaped(from), escaped(to)));
            names.collect()
        } else {
            names.collect()
        };
        let evidence = shift.pairs.iter().map(|pair| pair.evidence).max();
        let says = match (&shift.alarm, evidence) {
            (Some((_, says)), _) => escaped(says),
            (None, Some(Evidence::Properties(share))) => {
                format!(
                    "{}, {share} % of the properties are the same",
                    shift.kind.words()
                )
            }
            (None, Some(Evidence::Name | Evidence::Place) | None) => shift.kind.words().to_owned(),
        };
        let copies = [
            mend::for_program(stack, shift),
            mend::for_shell(stack, shift),
        ];
        Entry {
            names: names.into_iter().map(Name::from).collect(),
            copies: copies.into_iter().flatten().collect(),
            shift: Some(shift.clone()),
            action: None,
            ..self.entry(ids, says)
        }
    }

    /// The names of two resources that are one thing. If they are equal, the types around them tell them apart; in a component with
    /// another name one of them is enough.
    fn renamed(&self, kind: ShiftKind, gone: ResourceId, new: ResourceId) -> String {
        let stack = &self.document.stack;
        let names = [gone, new].map(|id| self.name(id));
        if names[0] != names[1] {
            return names.join(" → ");
        }
        if kind == ShiftKind::Container && stack.ty(gone) == stack.ty(new) {
            let [name, _] = names;
            return name;
        }
        let full = [gone, new].map(|id| stack.urn(id));
        let types = full.each_ref().map(|urn| {
            let parts = urn::parts(urn);
            parts.map_or_else(String::new, |parts| escaped(parts.qualified_type))
        });
        let parents = [gone, new].map(|id| {
            let parent = stack.record(id).parent;
            parent.map_or_else(String::new, |parent| self.name(parent))
        });
        let [old, new] = types.map(|ty| format!("{ty}::{}", names[0]));
        if parents[0] == parents[1] {
            format!("{old} → {new}")
        } else {
            format!("{old} of {} → {new} of {}", parents[0], parents[1])
        }
    }

    fn outputs(&self) -> Part {
        let outputs = self.document.stack.outputs.iter().enumerate();
        let changed = outputs.filter(|(_, output)| output.is_changed());
        // Those that change with a resource have a line there.
        let changed = changed.filter(|(number, _)| !self.brief.outputs.contains_key(number));
        let changed: Vec<(usize, &Output)> = changed.collect();
        Part::of(
            Title::Outputs,
            changed.len(),
            changed.into_iter().map(output),
        )
    }

    fn unread(&self) -> Part {
        let unread = &self.brief.unread;
        let entry = |id: &ResourceId| self.aside(vec![*id], String::new());
        Part::of(Title::Unread, unread.len(), unread.iter().map(entry))
    }

    /// An entry that says more about resources, which are counted elsewhere.
    fn aside(&self, ids: Vec<ResourceId>, says: String) -> Entry {
        Entry {
            about: ids.clone(),
            ids: Vec::new(),
            ..self.entry(ids, says)
        }
    }

    /// An entry without details.
    fn entry(&self, ids: Vec<ResourceId>, says: String) -> Entry {
        let stack = &self.document.stack;
        let mut types: Vec<&str> = ids.iter().map(|id| stack.ty(*id)).collect();
        types.dedup();
        let mut actions = ids.iter().map(|id| stack.effect(*id));
        let one = actions.next().flatten();
        Entry {
            action: one.filter(|_| actions.all(|action| action == one)),
            names: self.names(&ids).into(),
            ty: match &types[..] {
                [ty] => escaped(ty),
                _ => String::new(),
            },
            ids,
            says,
            ..Entry::default()
        }
    }

    /// A resource, which a story reads once; `None` if it cannot be read.
    fn resource(&self, id: ResourceId) -> Option<Arc<Resource>> {
        let mut known = self.read.borrow_mut();
        let read = || self.document.resource(id).ok().map(Arc::new);
        known.entry(id).or_insert_with(read).clone()
    }

    /// The leaves of a resource with their prints; none if it cannot be read.
    fn leaves(&self, id: ResourceId) -> Leaves {
        let leaves = || {
            let stack = &self.document.stack;
            let resource = self.resource(id);
            let leaves = resource.map(|it| told(leaves_of(stack, &it, self.schemas)));
            let name = stack.identity(id);
            let leaves = leaves.into_iter().flatten();
            leaves
                .map(|leaf| (LeafPrint::of(&leaf, &name), leaf))
                .collect()
        };
        let mut known = self.leaves.borrow_mut();
        Rc::clone(known.entry(id).or_insert_with(leaves))
    }

    /// Forgets the resources of the story before.
    fn begin_story(&self) {
        self.read.borrow_mut().clear();
        self.leaves.borrow_mut().clear();
    }

    /// The names of resources, siblings in one text.
    fn names(&self, ids: &[ResourceId]) -> Vec<Name> {
        let stack = &self.document.stack;
        let name = |id: &ResourceId| stack.spoken_name(*id);
        let names = siblings::folded(ids.iter().map(name));
        let name = |(name, count): &(String, usize)| Name {
            text: escaped(name),
            count: *count,
        };
        names.iter().map(name).collect()
    }

    /// The name of a resource.
    fn name(&self, id: ResourceId) -> String {
        let stack = &self.document.stack;
        escaped(stack.spoken_name(id))
    }
}

impl Detail {
    /// True for a line of nothing but words.
    pub fn is_words(&self) -> bool {
        self.place.is_empty() && self.before.is_none() && self.after.is_none()
    }

    /// The line without its values.
    pub fn heading(&self) -> (difference::Action, &str, &str) {
        (self.action, &self.place, &self.note)
    }

    /// True for a line of nothing but a place.
    fn is_bare(&self) -> bool {
        self.before.is_none() && self.after.is_none() && self.note.is_empty()
    }

    /// The change of an output, without its name.
    pub fn of_output((number, output): (usize, &Output)) -> Self {
        let entries = output.before.as_ref();
        let entries = entries.and_then(|before| by_entry(before, &output.value));
        let [before, after, differing] = match entries {
            Some(all) => all.map(Some),
            None => [
                output.before.as_ref().map(short),
                Some(short(&output.value)),
                None,
            ],
        };
        let reason = stack_findings::reason(output).map_or("", Reason::words);
        Self {
            id: Some(ChangeId::Output(number)),
            action: match output.action {
                Some(Action::Create) => difference::Action::Create,
                Some(Action::Delete) => difference::Action::Delete,
                _ => difference::Action::Update,
            },
            before,
            after: after.filter(|_| output.action != Some(Action::Delete)),
            ..Self::of_words(story::joined(&differing.unwrap_or_default(), reason))
        }
    }

    /// A line of words.
    fn of_words(words: String) -> Self {
        Self {
            id: None,
            action: difference::Action::Same,
            place: String::new(),
            before: None,
            after: None,
            note: words,
            level: None,
        }
    }
}

/// The entry of an output that changes.
fn output((number, output): (usize, &Output)) -> Entry {
    Entry {
        action: output.action,
        names: vec![escaped(&output.name).into()].into(),
        outputs: vec![number],
        details: vec![Detail::of_output((number, output))],
        ..Entry::default()
    }
}

/// A leaf as a detail.
fn detail(leaf: &Leaf) -> Detail {
    with_lines(leaf, both_sides(leaf))
}

/// A leaf with both of its sides.
fn both_sides(leaf: &Leaf) -> Detail {
    let is = |action| leaf.action == action;
    let mut notes: Vec<String> = notes(leaf).into_iter().map(str::to_owned).collect();
    notes.extend(schedule::change_in_words(&leaf.before, &leaf.after));
    notes.extend(moved_in_words(leaf));
    let (mut before, mut after) = orders(leaf).unzip();
    if leaf.reason.is_some_and(|it| it != Reason::SameAmount) {
        // The signs that formatting moves say nothing. An order of named elements does, and so do two spellings of an amount.
    } else if is(difference::Action::Create) || is(difference::Action::Delete) {
        before = is(difference::Action::Delete).then(|| short(&leaf.before));
        after = is(difference::Action::Create).then(|| short(&leaf.after));
    } else {
        let (old, new, note) = both(&leaf.before, &leaf.after);
        (before, after) = (Some(old), Some(new));
        notes.extend((!note.is_empty()).then(|| note.to_owned()));
    }
    Detail {
        action: leaf.action,
        place: escaped(&leaf.place().to_string()),
        before,
        after,
        ..Detail::of_words(notes.join("  "))
    }
}

/// The notes on a leaf: its reason, and its effect on the resource.
fn notes(leaf: &Leaf) -> Vec<&'static str> {
    let reason = leaf.reason.map(Reason::words);
    let replaces = leaf.replaces.then_some(FORCES);
    reason.into_iter().chain(replaces).collect()
}
