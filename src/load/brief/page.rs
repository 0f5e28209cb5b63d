//! The page of a brief: sections of entries with their texts, independent of how they are drawn.
//!
//! # Laws
//!
//! 1. Every changed resource is in exactly one entry of the sections [`Title::Gone`], [`Title::Follows`], [`Title::Same`],
//!    [`Title::Alone`] and [`Title::NoEffect`]. The other sections say more about some of them.
//! 2. All texts are escaped and short. A masked value is `[secret]`.

mod along;
mod facts;
mod findings;
mod known;
mod remarks;
mod state;
mod values;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Deref;
use std::sync::Arc;

use super::sections::{drifted, title_of};
use super::stack_findings;
use super::{Alarm, Brief, Place, leaves_in};
use crate::change::difference::{self, Reason};
use crate::change::kinds::{Difference, Edit, Kind, LeafPrint, Odd, Shared, pattern, siblings};
use crate::change::leaves::Leaf;
use crate::change::pairs::{Evidence, Shift, ShiftKind};
use crate::change::rules::{Level, Rule};
pub use crate::change::sections::{Sections, Title};
use crate::load::Document;
use crate::pulumi::urn;
use crate::render::mend;
use crate::stack::{Action, Changes, Flags, Output, ResourceId};
use crate::terraform::schema::Schemas;
use crate::text::{count, escaped, plural};
use values::{both, short};

/// Maximum length of a value, in characters.
const MAX_VALUE: usize = 120;

/// Maximum number of changes that an entry lists.
const MAX_DETAILS: usize = 8;

/// The note of a change whose values differ from resource to resource.
const DIFFERS: &str = "differs in each";

/// Maximum number of entries of a section. The section counts the rest.
const MAX_ENTRIES: usize = 1_000;

/// The page.
#[derive(Clone, PartialEq, Debug)]
pub struct Page {
    /// The numbers of changes.
    pub changes: Changes,
    /// Number of changes that also import or move, in words; "" if there are none.
    pub along: String,
    /// The contents of a file without changes, in words; "" for changes.
    pub summary: String,
    /// The sections that have entries, in reading order.
    pub parts: Vec<Part>,
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

/// A line of a section, with what is below it.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Entry {
    /// The action on each of its resources; `None` for an output or a check.
    pub action: Option<Action>,
    /// The resources that it speaks of, sorted by name.
    pub ids: Vec<ResourceId>,
    /// Their names, siblings in one text.
    pub names: Names,
    /// Their type, if they have one in common.
    pub ty: String,
    /// The rest of the line.
    pub says: String,
    /// The rule whose finding it is.
    pub rule: Option<Arc<Rule>>,
    /// The mechanism whose finding it is.
    pub mechanism: Option<&'static str>,
    /// The query that lists what it speaks of, "" if its resources do.
    pub query: String,
    /// The properties that a finding is about, each with its resource; "" for the resource itself.
    pub places: Vec<(ResourceId, String)>,
    /// The output that it speaks of.
    pub output: Option<Arc<str>>,
    /// The changes.
    pub details: Vec<Detail>,
    /// Number of changes that are left out.
    pub n_more: usize,
    /// Texts to copy: what makes resources under another name one thing again.
    pub copies: Vec<String>,
    /// The change of identity that these texts mend.
    pub shift: Option<Shift>,
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detail {
    /// The resource, in an entry whose changes belong to different resources.
    pub id: Option<ResourceId>,
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
}

impl Page {
    /// The page of a brief. Reads one resource for each entry. For a file without changes it says what the file holds.
    pub fn of(brief: &Brief, document: &Document, schemas: &Schemas) -> Self {
        let maker = Maker::new(brief, document, schemas);
        if !document.stack.holds_changes() {
            return maker.of_state();
        }
        let kinds = &brief.partition.kinds;
        let of_title = |title: Title| {
            let own = kinds.iter().filter(move |kind| title_of(kind) == title);
            maker.part(title, own)
        };
        let mut parts = [
            maker.found(Level::Danger),
            maker.found(Level::Warning),
            maker.found(Level::Note),
            Part {
                title: maker.title_of_gone(),
                ..of_title(Title::Gone)
            },
            maker.followers(),
            maker.shifted(),
            maker.odd(),
            of_title(Title::Same),
            of_title(Title::Alone),
            of_title(Title::NoEffect),
            maker.unknown(),
            maker.known(),
            maker.unjudged(),
            maker.unknown_types(),
            maker.outside(),
            maker.outputs(),
            maker.checks(),
            maker.unread(),
        ];
        if document.stack.header.kind.is_log() {
            // The first question about a run is what failed.
            parts.sort_by_key(|part| part.title != Title::Checks);
        }
        let parts = parts.into_iter().filter(|it| it.count > 0);
        let mut page = Self {
            changes: document.stack.changes(),
            along: maker.along(kinds.iter().flat_map(|kind| kind.members.iter().copied())),
            summary: String::new(),
            parts: parts.collect(),
            remarks: Vec::new(),
            sections: Arc::new(brief.sections(&document.stack)),
        };
        page.remarks = maker.remarks(&page);
        page
    }

    /// The page as far as it is known: the counts and the findings of the rules. `brief` may have nothing else yet.
    pub fn so_far(brief: &Brief, document: &Document) -> Self {
        let schemas = Schemas::default();
        let maker = Maker::new(brief, document, &schemas);
        let parts = Level::ALL.into_iter().map(|level| maker.found(level));
        Self {
            changes: document.stack.changes(),
            along: String::new(),
            summary: String::new(),
            parts: parts.filter(|part| part.count > 0).collect(),
            remarks: Vec::new(),
            sections: Arc::default(),
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

    /// True for a check that did not pass or an error, among the findings.
    pub fn is_failure(&self) -> bool {
        matches!(
            self.mechanism,
            Some(stack_findings::CHECK | stack_findings::ERROR)
        )
    }

    /// True if the type is worth a word. Addresses of Terraform contain it: the first name tells, because all of an entry are of one
    /// form, and there may be a hundred thousand.
    pub fn shows_type(&self) -> bool {
        let name = self.names.first();
        !self.ty.is_empty() && name.is_none_or(|name| !name.text.contains(&self.ty))
    }
}

impl Part {
    /// Number of resources that have no entry.
    pub fn n_without_entry(&self) -> usize {
        let shown = self.entries.iter().map(|entry| entry.ids.len().max(1));
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
        Self {
            title,
            count: 0,
            entries: Vec::new(),
        }
    }
}

struct Maker<'b> {
    brief: &'b Brief,
    document: &'b Document,
    schemas: &'b Schemas,
    /// The resources whose loss a rule finds. Their guards are shown there.
    lost: HashSet<ResourceId>,
    /// The resources that go, each with the one that comes in its place, if a move would keep it.
    twins: HashMap<ResourceId, ResourceId>,
    /// The resources that swap names, each with the other one.
    swapped: HashMap<ResourceId, ResourceId>,
}

impl<'b> Maker<'b> {
    fn new(brief: &'b Brief, document: &'b Document, schemas: &'b Schemas) -> Self {
        let places = brief.findings.alarms.iter().flat_map(|it| &it.places);
        let whole = places.filter(|place| place.path.0.is_empty());
        let (mut twins, mut swapped) = (HashMap::new(), HashMap::new());
        for shift in brief.shifts.iter().filter(|it| !it.moves.is_empty()) {
            for pair in &shift.pairs {
                // Nothing can be moved to an address that has an object of its own.
                let is_free = document.stack.effect(pair.new) == Some(Action::Create);
                if shift.kind == ShiftKind::Swap {
                    swapped.entry(pair.gone).or_insert(pair.new);
                    swapped.entry(pair.new).or_insert(pair.gone);
                } else if is_free {
                    twins.entry(pair.gone).or_insert(pair.new);
                }
            }
        }
        Self {
            brief,
            document,
            schemas,
            lost: whole.map(|place| place.id).collect(),
            twins,
            swapped,
        }
    }
}

impl Maker<'_> {
    /// The title of the section [`Title::Gone`]. Between two files nothing is deleted.
    fn title_of_gone(&self) -> Title {
        let stack = &self.document.stack;
        if stack.is_outcome() {
            Title::Missing
        } else if stack.is_comparison && !stack.is_history {
            Title::OnlyOld
        } else {
            Title::Gone
        }
    }

    fn part<'k>(&self, title: Title, kinds: impl Iterator<Item = &'k Kind>) -> Part {
        let mut part = Part::empty(title);
        for kind in kinds {
            let follows = |id: &&ResourceId| self.brief.followers.contains_key(id);
            let members = kind.members.iter().filter(|id| !follows(id));
            let members: Vec<ResourceId> = members.copied().collect();
            part.count += members.len();
            let is_done = |id: &ResourceId| !self.has_flag(*id, Flags::NOT_DONE);
            let (done, not_done): (Vec<_>, Vec<_>) = members.into_iter().partition(is_done);
            for members in [done, not_done] {
                if !members.is_empty() && part.entries.len() < MAX_ENTRIES {
                    part.entries.push(self.kind(kind, members));
                }
            }
        }
        part
    }

    fn has_flag(&self, id: ResourceId, flag: Flags) -> bool {
        self.document.stack.record(id).flags.contains(flag)
    }

    fn kind(&self, kind: &Kind, members: Vec<ResourceId>) -> Entry {
        let wanted: Vec<LeafPrint> = kind.changes.iter().map(|change| change.leaf).collect();
        // The prints of the kind are those of its first member.
        let first = kind.members.first().copied();
        let found = first.map_or_else(Vec::new, |first| self.leaves(first, &wanted));
        let is_one = kind.members.len() == 1;
        let found = kind.changes.iter().zip(found);
        let found = found.filter_map(|(shared, found)| Some((shared, found?)));
        let mut found: Vec<(&Shared, (usize, Leaf))> = found.collect();
        // The changes that force a replacement come first, then the order of the file.
        found.sort_by_key(|(_, (place, leaf))| (!leaf.replaces, *place));
        let details = found.into_iter().map(|(shared, (_, leaf))| {
            let detail = detail(&leaf, shared.same_values || is_one);
            // The signs that formatting moves say nothing.
            let says_more = shared.same_edit && detail.before.is_none() && leaf.reason.is_none();
            let edit = Edit::of(&leaf).filter(|_| says_more);
            edit.map_or(detail.clone(), |edit| detail.with_edit(&leaf, &edit))
        });
        let stack = &self.document.stack;
        let word = members.first().map(|id| stack.word_of(*id, kind.action));
        let mut says = word.unwrap_or_default().to_owned();
        if members.len() > 1 {
            says = format!("{} × {says}", count(members.len() as u64));
            let along = self.along(members.iter().copied());
            if !along.is_empty() {
                says.push_str(", ");
                says.push_str(&along);
            }
        }
        if let Some(component) = &kind.retired {
            says.push_str(", ");
            says.push_str(&escaped(component));
        }
        let one = members.first().filter(|_| members.len() == 1);
        if let Some(order) = one.and_then(|id| self.document.stack.replace_order(*id)) {
            says.push_str(", ");
            says.push_str(order.words());
        }
        for remark in self.remarks_on(&members) {
            says.push_str(", ");
            says.push_str(&remark);
        }
        let guards = one.filter(|id| !self.lost.contains(id));
        let guards = guards.map_or_else(Vec::new, |id| self.guards(*id));
        let also = self.also(kind, &members);
        let losses = self.losses(kind);
        let taken_over = self.taken_over(&members);
        Entry {
            action: Some(kind.action),
            names: self.names(&members).into(),
            ids: members,
            ty: match &kind.types[..] {
                [(ty, _)] => escaped(ty),
                [] => String::new(),
                [(_, _), rest @ ..] => format!("{} types", rest.len() + 1),
            },
            says,
            details: details
                .take(MAX_DETAILS)
                .chain(also)
                .chain(guards)
                .chain(taken_over)
                .chain(losses.iter().take(MAX_DETAILS).cloned())
                .collect(),
            n_more: kind
                .changes
                .len()
                .max(losses.len())
                .saturating_sub(MAX_DETAILS),
            ..Entry::default()
        }
    }

    /// The members of a retired component whose loss a rule finds, the heaviest first.
    fn losses(&self, kind: &Kind) -> Vec<Detail> {
        if kind.retired.is_none() {
            return Vec::new();
        }
        let members: HashSet<ResourceId> = kind.members.iter().copied().collect();
        let alarms = self.brief.findings.alarms.iter();
        let heavy = alarms.filter(|alarm| alarm.rule.level < Level::Note);
        let places = heavy.flat_map(|alarm| alarm.places.iter().map(move |it| (alarm, it)));
        let own = places.filter(|(_, it)| it.path.0.is_empty() && members.contains(&it.id));
        let detail = |(alarm, place): (&Alarm, &Place)| Detail {
            id: Some(place.id),
            action: difference::Action::Delete,
            place: self.name(place.id),
            before: None,
            after: None,
            note: escaped(&alarm.rule.says),
        };
        own.map(detail).collect()
    }

    /// The common changes that some of the listed members of a kind have besides, each with the first member that has it.
    fn also(&self, kind: &Kind, listed: &[ResourceId]) -> Vec<Detail> {
        let wanted = kind.also.iter().take(MAX_DETAILS);
        let mut open: Vec<(LeafPrint, usize)> = wanted.copied().collect();
        let mut also: Vec<(usize, Detail)> = Vec::new();
        let n_members = kind.members.len();
        for member in listed {
            if open.is_empty() {
                break;
            }
            let wanted: Vec<LeafPrint> = open.iter().map(|(leaf, _)| *leaf).collect();
            let mut found = self.leaves(*member, &wanted).into_iter();
            open.retain(|(_, number)| match found.next().flatten() {
                Some((_, leaf)) => {
                    let detail = detail(&leaf, true);
                    let who = match *number {
                        number if number == n_members => "as in many others".to_owned(),
                        number if listed.len() == n_members => {
                            format!("in {} of these", count(number as u64))
                        }
                        // Some of them are listed elsewhere.
                        _ => "in some of these".to_owned(),
                    };
                    let note = format!("{who}  {}", detail.note).trim_end().to_owned();
                    let id = (*number < n_members).then_some(*member);
                    also.push((*number, Detail { id, note, ..detail }));
                    false
                }
                None => true,
            });
        }
        also.sort_by_key(|(number, _)| Reverse(*number));
        also.into_iter().map(|(_, detail)| detail).collect()
    }

    fn followers(&self) -> Part {
        let mut by_cause: BTreeMap<ResourceId, Vec<ResourceId>> = BTreeMap::new();
        for (id, cause) in &self.brief.followers {
            by_cause.entry(*cause).or_default().push(*id);
        }
        let mut by_cause: Vec<(ResourceId, Vec<ResourceId>)> = by_cause.into_iter().collect();
        by_cause.sort_by_cached_key(|(cause, _)| (self.document.stack.identity(*cause), *cause));
        let entries = by_cause.into_iter().map(|(cause, mut ids)| {
            ids.sort_by_cached_key(|id| self.document.stack.identity(*id));
            let name = self.name(cause);
            self.entry(ids, format!("from {name}"))
        });
        Part {
            title: Title::Follows,
            count: self.brief.followers.len(),
            entries: entries.take(MAX_ENTRIES).collect(),
        }
    }

    /// The shifts that no finding speaks of.
    fn shifted(&self) -> Part {
        let quiet = self.brief.shifts.iter().filter(|it| it.alarm.is_none());
        let shifts: Vec<&Shift> = quiet.collect();
        let entries = shifts.iter().take(MAX_ENTRIES);
        Part {
            title: Title::Shifted,
            count: shifts.iter().map(|shift| shift.pairs.len() * 2).sum(),
            entries: entries.map(|shift| self.shift(shift)).collect(),
        }
    }

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
        let names: Vec<String> = if is_list {
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
        let ids = shift.pairs.iter().flat_map(|pair| [pair.gone, pair.new]);
        Entry {
            names: names.into_iter().map(Name::from).collect(),
            copies: copies.into_iter().flatten().collect(),
            shift: Some(shift.clone()),
            action: None,
            mechanism: shift.alarm.as_ref().map(|_| shift.kind.name()),
            ..self.entry(ids.collect(), says)
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

    fn odd(&self) -> Part {
        let odd = &self.brief.partition.odd;
        let entry = |odd: &Odd| {
            let how = match odd.difference {
                Difference::Unchanged => "does not change",
                Difference::Action => "changes in another way",
                Difference::Places => "changes other properties",
                Difference::Values => "gets other values",
            };
            let word = self.document.stack.word(odd.action);
            let says = format!("{how}, unlike {} ({word})", plural(odd.n_alike, "sibling"));
            let extra = self.leaves(odd.id, &odd.extra).into_iter().flatten();
            let extra = extra.map(|(_, leaf)| detail(&leaf, true));
            let missing = self.leaves(odd.example, &odd.missing).into_iter().flatten();
            let missing = missing.map(|(_, leaf)| {
                let detail = detail(&leaf, true);
                let note = format!("siblings only  {}", detail.note);
                Detail {
                    note: note.trim_end().to_owned(),
                    ..detail
                }
            });
            let details: Vec<Detail> = extra.chain(missing).collect();
            Entry {
                n_more: details.len().saturating_sub(MAX_DETAILS),
                details: details.into_iter().take(MAX_DETAILS).collect(),
                ..self.entry(vec![odd.id], says)
            }
        };
        Part {
            title: Title::Odd,
            count: odd.len(),
            entries: odd.iter().take(MAX_ENTRIES).map(entry).collect(),
        }
    }

    fn unknown(&self) -> Part {
        let unknown = &self.brief.unknown;
        let entry =
            |(id, count): &(ResourceId, usize)| self.entry(vec![*id], plural(*count, "value"));
        Part {
            title: Title::Unknown,
            count: unknown.len(),
            entries: unknown.iter().take(MAX_ENTRIES).map(entry).collect(),
        }
    }

    fn outputs(&self) -> Part {
        let changed: Vec<&Output> = self.changed_outputs().collect();
        Part {
            title: Title::Outputs,
            count: changed.len(),
            entries: changed.into_iter().take(MAX_ENTRIES).map(output).collect(),
        }
    }

    fn changed_outputs(&self) -> impl Iterator<Item = &Output> {
        let outputs = self.document.stack.outputs.iter();
        outputs.filter(|output| output.is_changed())
    }

    /// The outputs of a plan as findings of one level: those that lose their mark, and those that go.
    fn outputs_of_level(&self, level: Level) -> impl Iterator<Item = Entry> + '_ {
        let found = stack_findings::of_outputs(&self.document.stack);
        let of_level = found.filter(move |(_, found)| found.level == level);
        of_level.map(|(it, found)| Entry {
            says: format!("{}  ({})", found.says, found.mechanism),
            mechanism: Some(found.mechanism),
            ..output(it)
        })
    }

    fn unread(&self) -> Part {
        let unread = &self.brief.unread;
        let entry = |id: &ResourceId| self.entry(vec![*id], String::new());
        Part {
            title: Title::Unread,
            count: unread.len(),
            entries: unread.iter().take(MAX_ENTRIES).map(entry).collect(),
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

    /// The leaves of a resource with these prints, in their order, each with its place among all leaves.
    fn leaves(&self, id: ResourceId, wanted: &[LeafPrint]) -> Vec<Option<(usize, Leaf)>> {
        if wanted.is_empty() {
            return Vec::new();
        }
        let Some(leaves) = leaves_in(self.document, id, self.schemas) else {
            return wanted.iter().map(|_| None).collect();
        };
        let name = self.document.stack.identity(id);
        let mut places: BTreeMap<LeafPrint, usize> = BTreeMap::new();
        for (place, leaf) in leaves.iter().enumerate() {
            places.entry(LeafPrint::of(leaf, &name)).or_insert(place);
        }
        let find = |wanted: &LeafPrint| {
            let place = *places.get(wanted)?;
            Some((place, leaves[place].clone()))
        };
        wanted.iter().map(find).collect()
    }

    /// The names of resources, siblings in one text.
    fn names(&self, ids: &[ResourceId]) -> Vec<Name> {
        let stack = &self.document.stack;
        let name = |id: &ResourceId| stack.address(*id).unwrap_or(stack.short_name(*id));
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
        escaped(stack.address(id).unwrap_or(stack.short_name(id)))
    }
}

impl Detail {
    /// The detail of a leaf with the words that differ in each resource, in place of whole values.
    fn with_edit(self, leaf: &Leaf, edit: &Edit) -> Self {
        if edit.removed.is_empty() && edit.added.is_empty() {
            return self;
        }
        let text =
            |words: &[String]| Some(escaped(&cut(&words.join(" ")))).filter(|it| !it.is_empty());
        Self {
            before: text(&edit.removed),
            after: text(&edit.added),
            // A value that comes is the same in each.
            note: match self.after {
                Some(_) => self.note,
                None => notes(leaf, Some("in each")).join("  "),
            },
            ..self
        }
    }
}

/// The entry of an output that changes.
fn output(output: &Output) -> Entry {
    Entry {
        action: output.action,
        names: vec![escaped(&output.name).into()].into(),
        output: Some(output.name.clone()),
        details: vec![Detail {
            id: None,
            action: match output.action {
                Some(Action::Create) => difference::Action::Create,
                Some(Action::Delete) => difference::Action::Delete,
                _ => difference::Action::Update,
            },
            place: String::new(),
            before: output.before.as_ref().map(short),
            after: (output.action != Some(Action::Delete)).then(|| short(&output.value)),
            note: stack_findings::reason(output)
                .map_or("", Reason::words)
                .to_owned(),
        }],
        ..Entry::default()
    }
}

/// A leaf as a detail; without its values if they differ from resource to resource.
fn detail(leaf: &Leaf, has_values: bool) -> Detail {
    let has_values = has_values && leaf.reason.is_none();
    let is = |action| leaf.action == action;
    let mut notes = notes(leaf, (!has_values).then_some(DIFFERS));
    let (mut before, mut after) = (None, None);
    if has_values && (is(difference::Action::Create) || is(difference::Action::Delete)) {
        before = is(difference::Action::Delete).then(|| short(&leaf.before));
        after = is(difference::Action::Create).then(|| short(&leaf.after));
    } else if has_values {
        let (old, new, note) = both(&leaf.before, &leaf.after);
        (before, after) = (Some(old), Some(new));
        notes.extend((!note.is_empty()).then_some(note));
    }
    Detail {
        id: None,
        action: leaf.action,
        place: escaped(&pattern(&leaf.path).to_string()),
        before,
        after,
        note: notes.join("  "),
    }
}

/// The notes on a leaf, one of them about its values if there is none on its reason.
fn notes(leaf: &Leaf, of_values: Option<&'static str>) -> Vec<&'static str> {
    let reason = leaf.reason.map(Reason::words).or(of_values);
    let replaces = leaf.replaces.then_some("forces replacement");
    reason.into_iter().chain(replaces).collect()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
