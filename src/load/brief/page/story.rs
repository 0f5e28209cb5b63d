//! Stories as entries: each told once, with what follows below it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};

use super::super::sections::title_in;
use super::changes::{Cause, Change, MAX_COMPARED, MIN_TELLING, in_lines, plain, side_by_side};
use super::lines::{counted_once, in_several_places};
use super::said::{Item, parts};
use super::values::{first_of, short};
use super::{Detail, Entry, FEW, MAX_DETAILS, Maker, Part, Said, Title, detail, notes};
use crate::change::difference;
use crate::change::groups::most_frequent;
use crate::change::kinds::{Kind, Language, Print, Shape, Story, pattern};
use crate::change::leaves::Leaf;
use crate::change::mechanisms::{Fact, Notice};
use crate::change::rules::Level;
use crate::path::Path;
use crate::pulumi::urn::display_type;
use crate::stack::{Action, ChangeId, Output, ResourceId, Stack};
use crate::terraform::address::module_of;
use crate::text::{count, cut, escaped, plural};

/// Maximum number of changes that an entry without a finding lists.
const MAX_QUIET: usize = 4;

/// Maximum number of changes of resources that come along.
const MAX_ALONG: usize = 2;

/// Maximum number of changes without effect that are told.
const MAX_TAIL: usize = 8;

/// Maximum number of members of a group that comes or goes whose values are told where it is open.
const MAX_TOLD: usize = 32;

/// Number of others of a type up to which a group that is all of the rest names them.
const MAX_LEFT: usize = 2;

/// Minimum number of members of such a group for each of the others.
const MIN_MOST: usize = 3;

/// Maximum number of members of a group whose properties are counted.
const MAX_READ: usize = 256;

/// Maximum number of characters of the names of a group. Longer ones are counts by module.
const MAX_NAMES: usize = 100;

/// Maximum number of characters of the value that an output had, where its resource has a line.
const MAX_OLD: usize = 40;

/// Number of outputs up to which a story has a line for each.
const MAX_OUTPUTS: usize = 3;

/// The words for the root module, and for a stack without components.
const ROOT: &str = "the root";

/// Maximum number of types and modules that are counted by name.
const MAX_COUNTED: usize = 8;

/// Maximum number of common changes that are told one by one.
const MAX_COMMON: usize = 6;

impl Maker<'_> {
    /// The sections of the stories, with what is said about no change.
    pub(super) fn stories(&self) -> Vec<Part> {
        let stack = &self.document.stack;
        let mut parts: BTreeMap<Title, Part> = BTreeMap::new();
        for story in &self.brief.partition.stories {
            let title = title_in(stack, story);
            let part = parts.entry(title).or_insert_with(|| Part::empty(title));
            part.add(story.members().count(), || self.story(story));
        }
        for level in Level::ALL {
            let title = Title::Found(level);
            for entry in self.about_no_change(level) {
                let part = parts.entry(title).or_insert_with(|| Part::empty(title));
                part.add(1, || entry);
            }
        }
        parts.into_values().collect()
    }

    fn story(&self, story: &Story) -> Entry {
        self.begin_story();
        let max = match story.level {
            Some(Level::Danger | Level::Warning) => MAX_DETAILS,
            Some(Level::Note) | None => MAX_QUIET,
        };
        let head = match story.whole {
            Some(whole) => self.whole(whole, &story.head),
            None => self.kind(&story.head, max, &mut Cause::default()),
        };
        let mut cause = Cause {
            is_along: true,
            ..self.cause(story)
        };
        let along = story.along.iter();
        let along = along
            .map(|kind| self.kind(kind, MAX_ALONG, &mut cause))
            .collect();
        let mut details = head.details;
        if cause.n_following > 0 {
            let [old, new] = &cause.sides;
            let n = plural(cause.n_following, "value");
            details.push(Detail::of_words(format!(
                "{n} of what comes along: {old:?} → {new:?} too"
            )));
        }
        let outputs = self.outputs_of(story);
        details.extend(self.lines_of_outputs(&outputs));
        Entry {
            outputs,
            details,
            along,
            ..head
        }
    }

    /// The outputs that change with the resources of a story.
    fn outputs_of(&self, story: &Story) -> Vec<usize> {
        if self.brief.outputs.is_empty() {
            return Vec::new();
        }
        let ids: HashSet<ResourceId> = story.members().collect();
        let outputs = self.brief.outputs.iter();
        let with_it = outputs.filter(|(_, id)| ids.contains(id));
        with_it.map(|(number, _)| *number).collect()
    }

    fn lines_of_outputs(&self, numbers: &[usize]) -> Vec<Detail> {
        let all = &self.document.stack.outputs;
        let outputs = numbers.iter().map(|number| (*number, &all[*number]));
        let outputs: Vec<(usize, &Output)> = outputs.collect();
        if outputs.len() > MAX_OUTPUTS {
            let names: Vec<String> = outputs.iter().map(|(_, it)| escaped(&it.name)).collect();
            let names = cut(&names.join(", "), MAX_NAMES);
            let n = plural(outputs.len(), "output");
            return vec![Detail::of_words(format!("{n} with it: {names}"))];
        }
        let line = |(number, output): (usize, &Output)| {
            let own = Detail::of_output((number, output));
            // The change of the resource tells the rest.
            let is_short = |before: &String| before.chars().count() <= MAX_OLD;
            Detail {
                place: format!("output {}", escaped(&output.name)),
                before: own.before.clone().filter(is_short),
                ..own
            }
        };
        outputs.into_iter().map(line).collect()
    }

    /// The text that a story's only resource changes, which may change in everything that comes along.
    fn cause(&self, story: &Story) -> Cause {
        let mut cause = Cause::default();
        let [one] = story.head.members[..] else {
            return cause;
        };
        for (_, leaf) in self.leaves(one).iter() {
            let sides = [&leaf.before, &leaf.after].map(plain);
            if let [Some(old), Some(new)] = sides
                && old.len() >= MIN_TELLING
                && !story.along.is_empty()
            {
                cause.sides = [old, new];
                break;
            }
        }
        cause
    }

    /// A whole: a change of identity, or a component that comes or goes whole.
    fn whole(&self, whole: usize, kind: &Kind) -> Entry {
        let shifts = &self.brief.shifts;
        let own = self.kind(kind, MAX_DETAILS, &mut Cause::default());
        let Some(shift) = shifts.get(whole) else {
            let Some(component) = self.brief.components.get(whole - shifts.len()) else {
                // Its finding says what the members have in common.
                return own;
            };
            let says = format!("{}, {}", self.words_of(kind), escaped(component));
            let own = with_sentence_below(own);
            return in_few_words(Entry { says, ..own });
        };
        let entry = self.shift(shift);
        let own = Entry {
            details: own
                .details
                .into_iter()
                .filter(|it| it.level.is_some() || !it.is_words())
                .collect(),
            ..own
        };
        let of_shift = shift.alarm.as_ref().map(|(level, says)| Said {
            places: entry.ids.iter().map(|id| (*id, String::new())).collect(),
            ..Said::of(*level, shift.kind.name(), escaped(says))
        });
        let own = with_sentence_below(own);
        let details = own.details;
        let mut said: Vec<Said> = of_shift.into_iter().chain(own.said).collect();
        said.sort_by_key(|said| said.level);
        Entry {
            said,
            details,
            ..entry
        }
    }

    /// The words for what happens to the members of a kind; with their numbers, if it is not the same to all.
    fn words_of(&self, kind: &Kind) -> String {
        let stack = &self.document.stack;
        let words = kind.members.iter().map(|id| {
            let action = stack.effect(*id).unwrap_or(kind.action);
            stack.word_of(*id, action)
        });
        match &most_frequent(words)[..] {
            [(word, _)] => (*word).to_owned(),
            counts => counted(
                counts
                    .iter()
                    .map(|(word, n)| ((*word).to_owned(), *n))
                    .collect(),
            ),
        }
    }

    /// The resources of a kind, with at most `max` changes, without those that follow from a cause.
    fn kind(&self, kind: &Kind, max: usize, cause: &mut Cause) -> Entry {
        let ids = &kind.members;
        let one = ids.first().copied().filter(|_| ids.len() == 1);
        let (mut open, own) = self.changes(kind, cause);
        let spellings = self.spellings(kind);
        if spellings.is_some() {
            open.clear();
        }
        let names_members = open.len() <= max && open.iter().any(Change::names_member);
        let mut details: Vec<Detail> = Vec::new();
        let mut said: Vec<Said> = Vec::new();
        let mut says = String::new();
        for item in self.told.about(ids) {
            if cause.explains(&self.told, item, ids) {
                continue;
            }
            let it = self.said(item, ids);
            // Of siblings the same is said once.
            let is_new = !said.iter().any(|other| other.says == it.says);
            let sentence = self.sentence(item, &it, kind);
            if said.is_empty() {
                says = sentence;
            } else if is_new && !is_tie(item) {
                details.push(Detail {
                    level: Some(it.level),
                    ..Detail::of_words(sentence)
                });
            }
            details.extend(self.lines_of(item, kind, &mut open));
            said.push(it);
        }
        details.extend(counted_once(side_by_side(open)));
        let mut details = in_several_places(counted_once(details));
        let n_changes = keep_first(&mut details, max);
        let comes_or_goes = kind.shape == Shape::Whole && !cause.is_along;
        let told_apart = one.filter(|_| comes_or_goes).map(|id| self.telling(id));
        let told_apart = told_apart.unwrap_or_default();
        let own = if comes_or_goes && ids.len() > 1 {
            self.telling_of_each(ids)
        } else {
            own
        };
        if let Some(id) = one {
            let is_said = |line: &Detail| says.contains(&line.note);
            details.extend(self.guards(id).into_iter().filter(|line| !is_said(line)));
            let reasons = self.reasons(id, cause.is_along);
            details.extend(reasons.map(|line| Detail {
                note: joined(&line.note, &told_apart),
                ..line
            }));
        } else if comes_or_goes {
            details.extend(self.reason_of_all(ids));
        }
        let taken_over = self.taken_over(ids);
        details.extend(self.tail(kind));
        // The lines of moves name all of them.
        let who = self.who(kind);
        details.extend(who.filter(|_| taken_over.is_empty() && !names_members));
        details.extend(others(&self.document.stack, kind));
        details.extend(taken_over);
        if said.is_empty() {
            says = self.words(kind, spellings, n_changes == 0);
            if kind.action == Action::Create {
                says = joined(&says, &told_apart);
            }
        }
        Entry {
            says,
            said,
            details,
            position: self.position(ids),
            n_more: n_changes.saturating_sub(max),
            own,
            n_of_type: match &kind.types[..] {
                [(ty, _)] => self.n_of_type.get(&**ty).copied().unwrap_or(0),
                _ => 0,
            },
            ..self.entry(ids.clone(), String::new())
        }
    }

    /// The reason for which some resources go, if it is one.
    fn reason_of_all(&self, ids: &[ResourceId]) -> Option<Detail> {
        let mut reasons = ids.iter().take(FEW).map(|id| self.reasons(*id, true));
        let first = reasons.next().flatten().map(|line| line.note);
        let is_one = reasons.all(|it| it.map(|line| line.note) == first);
        first.filter(|_| is_one).map(Detail::of_words)
    }

    /// The values that tell most about each of the first of some resources, with what guards it if it goes.
    fn telling_of_each(&self, ids: &[ResourceId]) -> Vec<Vec<Detail>> {
        let lines = ids.iter().take(MAX_TOLD).map(|id| {
            let guards = self.guards(*id).map(|line| line.note);
            let text = joined(&guards.unwrap_or_default(), &self.telling(*id));
            Vec::from_iter((!text.is_empty()).then(|| Detail::of_words(text)))
        });
        lines.collect()
    }

    /// The lines of what is said about a kind. Takes the changes that it means out of the open ones.
    fn lines_of(&self, item: &Item<'_>, kind: &Kind, open: &mut Vec<Change>) -> Vec<Detail> {
        let ids = &kind.members;
        let mut lines = Vec::new();
        let mut take = |path: &Path| -> Vec<Detail> {
            let is_meant = |change: &mut Change| {
                !path.0.is_empty() && (path.contains(&change.path) || change.path.contains(path))
            };
            in_lines(open.extract_if(.., is_meant).collect())
        };
        match item {
            Item::Alarm(number, alarm) => {
                let places = self.told.places(*number, alarm, &ids[..1]);
                for place in places {
                    let meant = take(&place.path);
                    let parts = parts(place);
                    lines.extend(if parts.is_empty() || ids.len() > 1 {
                        meant
                    } else {
                        parts
                    });
                }
            }
            Item::Notice(notice) => {
                for fact in notice.facts.iter().take(MAX_DETAILS) {
                    if notice.root.is_some() {
                        lines.push(self.tie(notice, fact));
                        continue;
                    }
                    let is_own = ids.contains(&fact.id);
                    let line = self.fact(fact, is_own);
                    let meant = if is_own { take(&fact.path) } else { Vec::new() };
                    match <[Detail; 1]>::try_from(meant) {
                        // The line of the change has the values.
                        Ok([own]) => lines.push(Detail {
                            note: joined(&own.note, &line.note),
                            ..own
                        }),
                        // A place without values means a change, which another line has told.
                        Err(meant) if meant.is_empty() && is_own && line.is_bare() => {}
                        Err(meant) if meant.is_empty() && is_own && ids.len() > 1 => {
                            // Siblings have a notice each, and it would name them all.
                            if notice.ids.len() > 1 {
                                lines.push(self.fact(fact, false));
                            }
                        }
                        Err(_) => lines.push(line),
                    }
                }
            }
            Item::Failure(_) => {}
        }
        lines
    }

    /// The line of a resource that stays and refers to one that goes.
    fn tie(&self, notice: &Notice, fact: &Fact) -> Detail {
        let stack = &self.document.stack;
        let owner = notice.root.map(|id| self.name(id));
        let name = match self.name(fact.id) {
            // Objects of Pulumi often have one name and several types.
            name if owner.as_ref() == Some(&name) => {
                format!("{} {name}", escaped(&display_type(stack.ty(fact.id))))
            }
            name => name,
        };
        let place = escaped(&fact.path.to_string());
        let value = fact.after.as_ref().or(fact.before.as_ref());
        let value = value.map(short).unwrap_or_default();
        Detail {
            id: Some(ChangeId::Resource(fact.id)),
            level: Some(notice.level),
            ..Detail::of_words(format!("{name} stays and refers to it  {place}  {value}"))
        }
    }

    /// What an item says about a kind; with the names of those that it means, if these are not all.
    fn sentence(&self, item: &Item<'_>, said: &Said, kind: &Kind) -> String {
        if is_tie(item) {
            return "something that stays refers to it".to_owned();
        }
        let mut ids: Vec<ResourceId> = said.places.iter().map(|(id, _)| *id).collect();
        ids.retain(|id| kind.members.contains(id));
        ids.dedup();
        // A notice names its resources, and of siblings each has its own.
        let is_rule = matches!(item, Item::Alarm(..));
        if !is_rule || ids.is_empty() || ids.len() >= kind.members.len() {
            return said.says.clone();
        }
        let names = self.names(&ids).into_iter().map(|name| name.text);
        let names = names.collect::<Vec<_>>().join(", ");
        format!("{}: {}", said.says, cut(&names, MAX_NAMES))
    }

    /// The changes without effect that some members have besides.
    fn tail(&self, kind: &Kind) -> Vec<Detail> {
        let mut members = kind
            .members
            .iter()
            .take(MAX_COMPARED)
            .map(|id| self.leaves(*id));
        let mut known: HashMap<Print, Leaf> = HashMap::new();
        // Those of as many members, for one reason, share a line.
        let mut tails: IndexMap<(usize, String), IndexSet<String>> = IndexMap::new();
        for (print, n) in kind.tail.iter().take(MAX_TAIL) {
            while !known.contains_key(&print.place)
                && let Some(leaves) = members.next()
            {
                let leaves = leaves.iter().cloned();
                known.extend(leaves.map(|(print, leaf)| (print.place, leaf)));
            }
            if let Some(leaf) = known.get(&print.place) {
                let places = tails.entry((*n, notes(leaf).join(", "))).or_default();
                places.insert(escaped(&pattern(&leaf.path).to_string()));
            }
        }
        let lines = tails.into_iter().take(MAX_ALONG).map(|((n, why), places)| {
            let who = if kind.members.len() == 1 {
                "also".to_owned()
            } else {
                format!("{} of them also", count(n as u64))
            };
            let places = first_of(places.into_iter().collect(), MAX_ALONG, ", ");
            Detail::of_words(format!("{who} {places}: {why}"))
        });
        lines.collect()
    }

    /// The word for the action, where no change says it, with what belongs to the resource as a whole.
    fn words(&self, kind: &Kind, spellings: Option<String>, is_bare: bool) -> String {
        let stack = &self.document.stack;
        let first = kind.members[0];
        let mut words = Vec::new();
        let is_bare = kind.shape == Shape::Whole || is_bare && kind.shape == Shape::Own;
        if is_bare || stack.is_outcome() {
            words.push(stack.word_of(first, kind.action).to_owned());
        }
        match kind.shape {
            Shape::NoEffect => words.extend(spellings),
            Shape::Common | Shape::Tags if kind.changes.is_empty() => {
                words.push("only common changes".to_owned());
            }
            Shape::Muted => {
                let mute = self.brief.muted.of_resource(first);
                words.extend(mute.map(|mute| escaped(&mute.reason)));
            }
            Shape::Own | Shape::Whole | Shape::Common | Shape::Tags => {}
        }
        if let [one] = kind.members[..]
            && let Some(order) = stack.replace_order(one)
        {
            words.push(order.words().to_owned());
        }
        words.extend(self.remarks_on(&kind.members));
        if is_bare && stack.is_comparison && kind.action == Action::Update {
            words.extend(self.reasons_of(&kind.members));
        }
        if kind.members.len() > 1 {
            let along = self.along(kind.members.iter().copied());
            words.extend((!along.is_empty()).then_some(along));
        }
        words.join(", ")
    }

    /// The names of a group, or their numbers by type and by module, and the few of the type that it leaves out.
    fn who(&self, kind: &Kind) -> Option<Detail> {
        let who = self.members(kind)?;
        let left = self.left(kind).unwrap_or_default();
        Some(Detail {
            note: joined(&who.note, &left),
            ..who
        })
    }

    fn members(&self, kind: &Kind) -> Option<Detail> {
        if kind.members.len() < 2 {
            return None;
        }
        if kind.types.len() > 1 {
            if kind.members.len() <= FEW {
                return None;
            }
            let types = kind.types.iter().map(|(ty, n)| (escaped(ty), *n));
            return Some(Detail::of_words(counted(types.collect())));
        }
        let names = self.names(&kind.members);
        let names: Vec<&str> = names.iter().map(|name| &*name.text).collect();
        let names = names.join(", ");
        if names.chars().count() <= MAX_NAMES {
            return Some(Detail::of_words(names));
        }
        // Parts of one name in several modules: `this of cart, pricing`.
        let places = kind.members.iter().map(|id| self.place(*id));
        let (modules, parts): (Vec<String>, BTreeSet<String>) = places.unzip();
        let modules = most_frequent(modules);
        let n = modules.len();
        let part = parts.first().filter(|_| parts.len() == 1);
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let words = match (n, part) {
            (1, _) => {
                let parts = cut(&parts.join(", "), MAX_NAMES);
                match &*modules[0].0 {
                    ROOT => parts,
                    module => format!("{parts} of {module}"),
                }
            }
            (_, Some(part)) => format!("{part} of {}", in_modules(modules)),
            (_, None) => format!("in {}: {}", plural(n, "place"), in_modules(modules)),
        };
        Some(Detail::of_words(words))
    }

    /// The few of a type that a group of nearly all of it leaves out, in words.
    fn left(&self, kind: &Kind) -> Option<String> {
        let stack = &self.document.stack;
        let [(ty, _)] = &kind.types[..] else {
            return None;
        };
        let n_others = self.n_of_type.get(&**ty)? - kind.members.len();
        let n_left = n_others.checked_sub(kind.n_besides)?;
        let is_few = (1..=MAX_LEFT).contains(&n_left) && kind.members.len() >= MIN_MOST * n_left;
        if kind.shape != Shape::Own || !is_few || kind.besides.len() < kind.n_besides {
            return None;
        }
        let has_it: HashSet<ResourceId> =
            kind.members.iter().chain(&kind.besides).copied().collect();
        let ids = stack.ids().filter(|id| {
            stack.ty(*id) == &**ty && !stack.record(*id).flags.is_drift() && !has_it.contains(id)
        });
        let ids: Vec<ResourceId> = stack.by_name(ids);
        let names = self.names(&ids).into_iter().map(|name| name.text);
        let names: Vec<String> = names.collect();
        Some(format!("all but {}", names.join(", "))).filter(|it| it.chars().count() <= MAX_NAMES)
    }

    /// The module of a resource, or its parent, and its name there.
    fn place(&self, id: ResourceId) -> (String, String) {
        let stack = &self.document.stack;
        let (module, name) = if let Some(address) = stack.address(id) {
            let module = module_of(address);
            let own = address[module.len()..].trim_start_matches('.');
            let own = own.strip_prefix("data.").unwrap_or(own);
            let own = own.strip_prefix(stack.ty(id)).unwrap_or(own);
            let module = module.trim_start_matches("module.");
            (module, own.trim_start_matches('.'))
        } else {
            let parent = stack.record(id).parent;
            let parent = parent.map_or("", |parent| stack.short_name(parent));
            (parent, stack.short_name(id))
        };
        let module = if module.is_empty() { ROOT } else { module };
        (escaped(module), escaped(name))
    }

    /// Documents that are written differently, with the properties that hold them: `JSON written differently: policy 5`.
    fn spellings(&self, kind: &Kind) -> Option<String> {
        let first = kind.changes.first().and_then(|shared| shared.leaf.spelling);
        let is_other = kind
            .changes
            .iter()
            .any(|shared| shared.leaf.spelling.is_none());
        // The lines of a single resource say in which way.
        if kind.shape != Shape::NoEffect || is_other || kind.members.len() < 2 {
            return None;
        }
        let of_member = |id: &ResourceId| {
            let leaves = self.leaves(*id);
            let own = leaves.iter().filter(|(print, _)| print.is_idle);
            let own = own.filter_map(|(_, leaf)| Some(escaped(leaf.path.first_key()?)));
            own.collect::<BTreeSet<String>>()
        };
        let members = kind.members.iter().take(MAX_READ);
        let properties = most_frequent(members.flat_map(of_member));
        let properties = properties.into_iter().take(MAX_COUNTED);
        let properties = properties.map(|(name, n)| match kind.members.len() {
            1 => name,
            _ => format!("{name} {}", count(n as u64)),
        });
        let language = match first {
            Some(Language::Yaml) => "YAML",
            Some(Language::Json) | None => "JSON",
        };
        let properties = properties.collect::<Vec<_>>().join(", ");
        Some(format!("{language} written differently: {properties}"))
    }

    /// The changes that many resources have, and the causes of many.
    pub(super) fn common(&self) -> Vec<Detail> {
        let common = &self.brief.partition.common;
        let line = |it: &crate::change::kinds::Common| {
            let leaves = self.leaves(it.example);
            let mut leaves = leaves.iter();
            let (_, leaf) = leaves.find(|(print, _)| print.change == it.leaf.change)?;
            let own = detail(leaf);
            let places = match it.n_places {
                1 => String::new(),
                n => format!(", in {} properties", count(n as u64)),
            };
            let note = format!("in {}{places}", count(it.n_resources as u64));
            Some(Detail {
                note: joined(&note, &own.note),
                ..own
            })
        };
        let mut lines: Vec<Detail> = common.iter().take(MAX_COMMON).filter_map(line).collect();
        if let n @ 1.. = common.len().saturating_sub(MAX_COMMON) {
            lines.push(Detail::of_words(plural(n, "more common change")));
        }
        let causes = self.told.causes_of_many();
        lines.extend(
            causes
                .take(MAX_COMMON)
                .map(|says| Detail::of_words(escaped(says))),
        );
        lines
    }
}

/// An entry whose first line says something else: the sentence of it becomes its first detail.
fn with_sentence_below(mut entry: Entry) -> Entry {
    if !entry.said.is_empty() {
        let first = Detail {
            level: entry.level(),
            ..Detail::of_words(std::mem::take(&mut entry.says))
        };
        entry.details.insert(0, first);
    }
    entry
}

/// Number of sentences about a component up to which each has a line, and names the parts that it means.
const MAX_SENTENCES: usize = 3;

/// Maximum number of characters of these sentences with the names, where they share a line.
const MAX_NAMES_IN_ALL: usize = 240;

/// A component with all that is less than a danger in one line, if there is much of it. A long one is without the names: most of it is
/// about parts that go or come together.
fn in_few_words(mut entry: Entry) -> Entry {
    let light = entry.said.iter().filter(|said| said.level > Level::Danger);
    let says: IndexSet<&str> = light.map(|said| &*said.says).collect();
    let is_light = |it: &Detail| {
        let mut says = says.iter();
        it.level > Some(Level::Danger) && says.any(|says| it.note.starts_with(says))
    };
    let place = entry.details.iter().position(is_light);
    let Some(place) = place.filter(|_| says.len() > MAX_SENTENCES) else {
        return entry;
    };
    let sentences = entry.details.iter().filter(|it| is_light(it));
    let sentences: Vec<&str> = sentences.map(|it| &*it.note).collect();
    let words = Some(sentences.join(" · ")).filter(|it| it.chars().count() <= MAX_NAMES_IN_ALL);
    let words = words.unwrap_or_else(|| says.iter().copied().collect::<Vec<_>>().join(" · "));
    let line = Detail {
        level: entry.details[place].level,
        ..Detail::of_words(words)
    };
    entry.details.retain(|it| !is_light(it));
    entry.details.insert(place, line);
    entry
}

/// True for a notice about what stays and refers to one that goes.
fn is_tie(item: &Item<'_>) -> bool {
    matches!(item, Item::Notice(notice) if notice.root.is_some())
}

/// Keeps the first `max` changes among the lines. Returns the number of all.
fn keep_first(details: &mut Vec<Detail>, max: usize) -> usize {
    let mut n_changes = 0;
    details.retain(|detail| {
        let is_change = detail.action != difference::Action::Same;
        n_changes += usize::from(is_change);
        !is_change || n_changes <= max
    });
    n_changes
}

/// Maximum length of the names of a few of them, in bytes.
const MAX_NAMED: usize = 100;

/// The resources that change alike, and have something of their own besides: a few by name.
fn others(stack: &Stack, kind: &Kind) -> Option<Detail> {
    let names = stack.by_name(kind.besides.iter().copied());
    let names: Vec<String> = names
        .iter()
        .map(|id| escaped(stack.spoken_name(*id)))
        .collect();
    let all = names.join(", ");
    let words = match (kind.n_besides, names.len()) {
        (0, _) => return None,
        (_, 1) => format!("{all} changes this too, beside other things"),
        (_, 2..) if all.len() <= MAX_NAMED => format!("{all} change this too, beside other things"),
        (n, _) => format!(
            "{} more change this too, beside other things",
            count(n as u64)
        ),
    };
    Some(Detail::of_words(words))
}

/// Names with their numbers, the first ones: `27 aws_subnet · 3 aws_vpc · 2 more`.
fn counted(names: Vec<(String, usize)>) -> String {
    let names = names.into_iter();
    let names = names.map(|(name, n)| format!("{} {name}", count(n as u64)));
    first_of(names.collect(), MAX_COUNTED, " · ")
}

/// Modules with their numbers where these are more than one, as many as fit: `cart, pricing 2, 3 more`.
fn in_modules(modules: Vec<(String, usize)>) -> String {
    let n_all = modules.len();
    let mut text = String::new();
    for (at, (module, n)) in modules.into_iter().enumerate() {
        let number = if n > 1 {
            format!(" {}", count(n as u64))
        } else {
            String::new()
        };
        let gap = if text.is_empty() { "" } else { ", " };
        let part = format!("{gap}{module}{number}");
        if text.chars().count() + part.chars().count() > MAX_NAMES {
            return format!("{text}, {} more", count((n_all - at) as u64));
        }
        text.push_str(&part);
    }
    text
}

/// Two notes in a line.
pub(super) fn joined(one: &str, other: &str) -> String {
    let gap = if one.is_empty() || other.is_empty() {
        ""
    } else {
        "  "
    };
    format!("{one}{gap}{other}")
}
