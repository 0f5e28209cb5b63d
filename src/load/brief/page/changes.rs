//! The lines of the changes that the members of a kind share.

use std::collections::{BTreeSet, HashMap, HashSet};

use indexmap::IndexMap;

use super::element::Element;
use super::lines::with_lines;
use super::said::{Item, Told};
use super::story::joined;
use super::values::{HASH, alike, cut_both, listed, sides, some_of, step};
use super::{Detail, Maker, both_sides, detail, notes};
use crate::change::causes::{Origin, origins};
use crate::change::difference::Action;
use crate::change::groups::{counted, grouped};
use crate::change::kinds::{Kind, LeafPrint, Print, Shape, Shared};
use crate::change::leaves::Leaf;
use crate::change::mechanisms::root_of_change;
use crate::change::vocabulary::{says_what_it_does, says_when_it_comes};
use crate::path::{Path, Segment};
use crate::stack::{ChangeId, EdgeKind, ResourceId, Stack};
use crate::text::{count, escaped, plural, with_name};
use crate::value::{Shown, Value};

/// Maximum number of members of a group whose values are compared.
pub(super) const MAX_COMPARED: usize = 64;

/// Number of members up to which an element of a list that all of them change alike is named.
const MAX_NAMED: usize = 8;

/// Number of members up to which each has a line for a text of its own that is long.
const MAX_APART: usize = 3;

/// Maximum number of changes of one member that have values of its own.
const MAX_OWN: usize = 4;

/// Minimum length of a text that another resource gives.
const MIN_GIVEN: usize = 3;

/// Minimum length of such a text if the file names only the top property that it goes to.
const MIN_SAME: usize = 12;

/// Number of changes up to which each is searched for the resource that gives it.
const MAX_SEARCHED: usize = 8;

/// Number of lines up to which each member has one for each value of its own.
const MAX_PAIRS: usize = 4;

/// Number of characters from which on the text of a member is long.
const LONG: usize = 60;

/// Minimum length of a text that two values have in common by no chance.
pub(super) const MIN_TELLING: usize = 4;

/// Maximum number of characters of the values of one line that stands for several places.
const MAX_LISTED: usize = 100;

/// The texts of values that say that there is none.
const EMPTY: [&str; 2] = ["\"\"", "null"];

/// The text of a number that often says so, and sometimes means all or for ever.
const UNSET: &str = "-1";

/// Maximum number of lines between two places of one property that share a line.
const MAX_BETWEEN: usize = 8;

/// A change of a member, for a comparison with those of the others.
struct Compared {
    /// The resource.
    id: ResourceId,
    /// The name of the resource.
    owner: String,
    print: LeafPrint,
    leaf: Leaf,
    element: Option<Element>,
}

impl Compared {
    /// The change, with the name of its owner.
    fn side(&self) -> (&str, &Leaf) {
        (&self.owner, &self.leaf)
    }

    /// The line of the change.
    fn line(&self) -> Detail {
        let line = detail(&self.leaf);
        match &self.element {
            Some(element) => Detail {
                place: element.place(),
                ..line
            },
            None => line,
        }
    }

    /// The line of the change, which names its owner.
    fn with_owner(&self, stack: &Stack, root: Option<String>) -> Detail {
        let line = with_root(detail(&self.leaf), root);
        let owner = stack.spoken_name(self.id);
        Detail {
            id: Some(ChangeId::Resource(self.id)),
            note: joined(&format!("of {}", escaped(owner)), &line.note),
            ..line
        }
    }
}

/// True for the values of a few members that change `n` places: what they have in common, or a list for each side, would hide what
/// changes in each.
fn is_apart(all: &[&Compared], n: usize) -> bool {
    let is_text = |it: &Leaf| plain(&it.before).is_some() && plain(&it.after).is_some();
    let is_long = |it: &Value| plain(it).is_some_and(|it| it.chars().count() > LONG);
    let has_long = || {
        let mut all = all.iter();
        all.any(|it| is_long(&it.leaf.before) || is_long(&it.leaf.after))
    };
    all.len() <= MAX_APART
        && all.iter().all(|it| is_text(&it.leaf))
        && (all.len() * n <= MAX_PAIRS || has_long())
}

/// A change of a kind: its place in the first member, and its line.
pub(super) struct Change {
    pub(super) path: Path,
    pub(super) line: Detail,
    element: Option<Element>,
    values: Values,
}

/// The values in the line of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// One on each side.
    One,
    /// Those of several places of one property.
    Several,
    /// Those of several places in one element of a list, each with its name.
    Named,
    /// Those of several members.
    Varied,
    /// That of one of several members, which is named.
    Apart,
}

/// A text that a root changes, and that changes in what follows from it.
#[derive(Default)]
pub(super) struct Cause {
    /// True below the root.
    pub(super) is_along: bool,
    /// The text before and after; "" for none.
    pub(super) sides: [String; 2],
    /// Number of values that change alike.
    pub(super) n_following: usize,
}

impl Maker<'_> {
    /// The changes that all members have, in the order of the file, those that force a replacement first, and the changes of each
    /// of the first members whose values are its own. Counts the changes that follow from a cause instead.
    pub(super) fn changes(
        &self,
        kind: &Kind,
        cause: &mut Cause,
    ) -> (Vec<Change>, Vec<Vec<Detail>>) {
        if kind.changes.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let first = self.leaves(kind.members[0]);
        let places: HashMap<LeafPrint, usize> = first
            .iter()
            .enumerate()
            .rev()
            .map(|(at, (print, _))| (*print, at))
            .collect();
        let found = kind.changes.iter().filter_map(|shared| {
            let at = *places.get(&shared.leaf)?;
            Some((shared, at, &first[at].1))
        });
        let mut found: Vec<(&Shared, usize, &Leaf)> = found.collect();
        let n_all = found.len();
        found.retain(|(_, _, leaf)| !cause.is_followed(&leaf.before, &leaf.after));
        cause.n_following += (n_all - found.len()) * kind.members.len();
        // A new rule in a list is what it does, and when.
        let decides = |leaf: &Leaf| {
            let is_in_list = leaf.path.0.len() > 1;
            let mut decides = leaf.path.last_key().filter(|_| is_in_list).into_iter();
            decides.any(|key| says_what_it_does(key) || says_when_it_comes(key))
        };
        found.sort_by_key(|(_, at, leaf)| (!leaf.replaces, !decides(leaf), *at));
        let has_element = |leaf: &Leaf| {
            let mut steps = leaf.path.0.iter();
            !leaf.things.is_empty() || steps.any(|step| matches!(step, Segment::Index(_)))
        };
        let differs = found.iter().any(|(shared, ..)| !shared.same_values);
        let is_in_list = found.iter().any(|(_, _, leaf)| has_element(leaf));
        let n_read = match kind.members.len() {
            n if differs => n.min(MAX_COMPARED),
            n if is_in_list && n <= MAX_NAMED => n,
            _ => 0,
        };
        let known = self.compared(&kind.members[..n_read], is_in_list);
        let same = found.iter().filter(|(shared, ..)| shared.same_values);
        let same: HashSet<Print> = same.map(|(shared, ..)| shared.leaf.change).collect();
        let counts = counted(first.iter().map(|(print, _)| *print));
        // Changes with the same values belong together, and otherwise those of one place.
        let key = |is_same, print: LeafPrint| {
            let own = if is_same { print.change } else { print.place };
            (is_same, own)
        };
        let by_key = grouped(known.iter().map(|it| {
            let is_same = same.contains(&it.print.change);
            (key(is_same, it.print), it)
        }));
        let mut told: HashSet<Print> = HashSet::new();
        let own = found.iter().filter(|(shared, ..)| !shared.same_values);
        let places_of_own: HashSet<Print> = own.map(|(shared, ..)| shared.leaf.place).collect();
        let lines = |(shared, _, leaf): (&Shared, usize, &Leaf)| {
            let own = by_key.get(&key(shared.same_values, shared.leaf));
            let own = own.map_or(&[][..], Vec::as_slice);
            // One line, or one for each named element, tells all values of a place.
            if !shared.same_values && !told.insert(shared.leaf.place) {
                return Vec::new();
            }
            let n_places = counts.get(&shared.leaf).copied().unwrap_or(1);
            let is_named = !shared.same_values || n_places == 1;
            let of_elements = is_named.then(|| self.by_element(kind, own, n_read));
            if let Some(lines) = of_elements.flatten() {
                return lines;
            }
            self.of_place(kind, shared, (leaf, n_places), own, places_of_own.len())
        };
        let lines = found.iter().copied().flat_map(lines).collect();
        let of_members = known.chunk_by(|one, other| one.id == other.id);
        let of_members = of_members.map(|all| {
            let own = all.iter();
            let own = own.filter(|it| places_of_own.contains(&it.print.place));
            own.take(MAX_OWN).map(Compared::line).collect()
        });
        let is_group = kind.members.len() > 1 && !places_of_own.is_empty();
        let of_members = of_members.filter(|_| is_group).collect();
        (lines, of_members)
    }

    /// The change at a place of all members: in one line, or in one for each of a few with values of their own. `n_own` is the number of
    /// places with such values.
    fn of_place(
        &self,
        kind: &Kind,
        shared: &Shared,
        (leaf, n_places): (&Leaf, usize),
        own: &[&Compared],
        n_own: usize,
    ) -> Vec<Change> {
        let root = self.root(kind, leaf);
        let change = |line, values| Change {
            path: leaf.path.clone(),
            line: with_root(line, root.clone()),
            element: None,
            values,
        };
        if shared.same_values || own.is_empty() {
            return vec![change(times(detail(leaf), n_places), Values::One)];
        }
        if own.len() == kind.members.len() && is_apart(own, n_own) {
            let roots = own.iter().map(|it| {
                let written = self.written_root(it.id, &it.leaf);
                written.or_else(|| self.giver(it.id, &it.leaf))
            });
            let roots: Vec<Option<String>> = roots.collect();
            let form = |(it, root): (&&Compared, &Option<String>)| {
                let root = root.clone()?;
                Some(with_name(&root, &it.owner).unwrap_or(root))
            };
            let forms: HashSet<Option<String>> = own.iter().zip(&roots).map(form).collect();
            if !shared.same_edit || forms.len() > 1 {
                let line = |(it, root): (&&Compared, Option<String>)| Change {
                    path: leaf.path.clone(),
                    line: it.with_owner(&self.document.stack, root),
                    element: None,
                    values: Values::Apart,
                };
                return own.iter().zip(roots).map(line).collect();
            }
        }
        let line = varied(leaf, own.iter().map(|it| it.side()));
        vec![change(times(line, n_places), Values::Varied)]
    }

    /// The changes in named elements of lists, a line for each name, the rarest first. `None` if an element has no name, or if each
    /// resource has names of its own. `n_read` is the number of resources that were compared.
    fn by_element(&self, kind: &Kind, all: &[&Compared], n_read: usize) -> Option<Vec<Change>> {
        let mut by_name: IndexMap<(String, &str), (&Element, Vec<&Compared>)> = IndexMap::new();
        for it in all {
            let element = it.element.as_ref()?;
            let known = by_name.entry((element.place(), element.does()));
            known.or_insert((element, Vec::new())).1.push(it);
        }
        let of_one = by_name.values().filter(|(_, own)| own.len() == 1);
        let with_own: HashSet<&str> = of_one.map(|(_, own)| &*own[0].owner).collect();
        if all.is_empty() || n_read > 1 && with_own.len() == n_read {
            return None;
        }
        let line = |((place, _), (element, own)): ((String, &str), (&Element, Vec<&Compared>))| {
            let Compared { leaf, .. } = own[0];
            let is_same = |it: &&Compared| {
                it.leaf.before.is_identical(&leaf.before) && it.leaf.after.is_identical(&leaf.after)
            };
            let (line, values) = if own.iter().all(is_same) {
                (detail(leaf), Values::One)
            } else {
                let line = varied(leaf, own.iter().map(|it| it.side()));
                (line, Values::Varied)
            };
            let owners: HashSet<&str> = own.iter().map(|it| &*it.owner).collect();
            let [n, all] = [owners.len(), n_read].map(|n| count(n as u64));
            let note = if owners.len() < n_read {
                joined(&format!("in {n} of {all}"), &line.note)
            } else {
                line.note.clone()
            };
            let change = Change {
                path: leaf.path.clone(),
                line: with_root(
                    Detail {
                        place,
                        note,
                        ..line
                    },
                    self.root(kind, leaf),
                ),
                element: Some(element.clone()),
                values,
            };
            (owners.len(), change)
        };
        let mut lines: Vec<(usize, Change)> = by_name.into_iter().map(line).collect();
        lines.sort_by_key(|(n, _)| *n);
        Some(lines.into_iter().map(|(_, change)| change).collect())
    }

    /// The last place that the file shows for a change of all members, unless the head of the page says it.
    fn root(&self, kind: &Kind, leaf: &Leaf) -> Option<String> {
        if kind.shape != Shape::Own {
            return None;
        }
        let is_few = kind.members.len() <= MAX_APART && kind.changes.len() <= MAX_SEARCHED;
        let of = |id: &ResourceId| {
            let written = self.written_root(*id, leaf);
            written.or_else(|| if is_few { self.giver(*id, leaf) } else { None })
        };
        let members = &kind.members[..kind.members.len().min(MAX_COMPARED)];
        let root = of(&members[0])?;
        let is_one = members.len() == 1;
        let is_said = || {
            let mut causes = self.told.causes_of_many();
            causes.any(|says| says.ends_with(&root))
        };
        (is_one || !is_said() && members.iter().all(|id| of(id).as_ref() == Some(&root)))
            .then_some(root)
    }

    /// The last place that the configuration in the file shows for a change of a resource.
    fn written_root(&self, id: ResourceId, leaf: &Leaf) -> Option<String> {
        root_of_change(&self.document.stack, id, leaf)
    }

    /// The other resource that gives a new value, if it is a single one: it has a text that is new there. What comes along stands below it.
    fn giver(&self, id: ResourceId, leaf: &Leaf) -> Option<String> {
        let stack = &self.document.stack;
        let (old, new) = (plain(&leaf.before), plain(&leaf.after)?);
        let mut links = stack.graph.depends_on(id).iter();
        if !links.any(|link| link.kind == EdgeKind::Property) {
            return None;
        }
        let resource = self.resource(id)?;
        let mut origins = origins(stack, id, &resource);
        // The engine of Pulumi names the top property only, so the value has to be the same.
        let is_top = stack.address(id).is_none();
        origins.retain(|it| it.property == leaf.path || is_top && it.property.contains(&leaf.path));
        let root = self.brief.followers.get(&id);
        let is_new = |it: &Value, is_exact: bool| {
            let text = plain(it).filter(|it| it.len() >= MIN_GIVEN);
            text.is_some_and(|it| {
                let is_it = is_exact || it.len() >= MIN_SAME && it == new;
                is_it && new.contains(&*it) && !old.as_ref().is_some_and(|old| old.contains(&*it))
            })
        };
        let of_origin = |origin: &Origin| {
            let other = self.resource(origin.id)?;
            let state = other.current()?;
            let is_exact = origin.property == leaf.path;
            let mut outputs = state.outputs.iter().chain(&other.id);
            let has_it = outputs.any(|it| it.any(|it| is_new(it, is_exact)));
            has_it.then_some(origin.id)
        };
        let found: BTreeSet<ResourceId> = origins
            .iter()
            .take(MAX_SEARCHED)
            .filter_map(of_origin)
            .collect();
        let mut found = found.into_iter();
        let one = found.next().filter(|it| root != Some(it))?;
        found
            .next()
            .is_none()
            .then(|| format!("from {}", stack.spoken_name(one)))
    }

    /// The changes of some resources, with the elements of lists that they are in if these are wanted.
    fn compared(&self, ids: &[ResourceId], in_lists: bool) -> Vec<Compared> {
        let changes = ids.iter().flat_map(|id| {
            let resource = self.resource(*id).filter(|_| in_lists);
            let owner = self.document.stack.identity(*id);
            let leaves = self.leaves(*id).to_vec().into_iter();
            leaves.map(move |(print, leaf)| Compared {
                id: *id,
                owner: owner.clone(),
                element: resource.as_ref().and_then(|it| Element::of(it, &leaf)),
                print,
                leaf,
            })
        });
        changes.collect()
    }
}

impl Cause {
    /// True for a text in which nothing but the text of the root changes.
    pub(super) fn is_followed(&self, before: &Value, after: &Value) -> bool {
        let [old, new] = &self.sides;
        let (Some(before), Some(after)) = (plain(before), plain(after)) else {
            return false;
        };
        !old.is_empty() && before != after && before.replace(old, new) == after
    }

    /// True if a rule speaks of nothing else.
    pub(super) fn explains(&self, told: &Told<'_>, item: &Item<'_>, ids: &[ResourceId]) -> bool {
        let Item::Alarm(number, alarm) = item else {
            return false;
        };
        let mut own = told.places(*number, alarm, ids);
        !self.sides[0].is_empty() && own.all(|place| self.is_followed(&place.before, &place.after))
    }
}

/// A text that is not masked.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value.shown() {
        Shown::Plain(_) => value.as_str().map(str::to_owned),
        Shown::Secret(_) => None,
    }
}

/// A change whose values differ from member to member.
pub(super) fn varied<'l>(leaf: &Leaf, all: impl Iterator<Item = (&'l str, &'l Leaf)>) -> Detail {
    let own = both_sides(leaf);
    let values: Vec<(&str, [Value; 2])> = all.map(|(name, leaf)| (name, sides(leaf))).collect();
    let [old, new] = [0, 1].map(|at| {
        let side = values.iter().map(|(name, sides)| (*name, &sides[at]));
        side.collect::<Vec<_>>()
    });
    let sides = [
        own.before.is_some().then(|| alike(&old)),
        own.after.is_some().then(|| alike(&new)),
    ];
    let has_reason = leaf.reason.is_some();
    let [before, after] = match sides {
        // The same form on both sides says nothing. Hashes say nothing either.
        [Some(before), Some(after)]
            if !has_reason
                && (before.is_none() || after.is_none() || before == after)
                && !before.as_ref().is_some_and(|it| it.contains(HASH)) =>
        {
            match [listed(&old), listed(&new)] {
                [Some(old), Some(new)] => [Some(old), Some(new)],
                [None, _] | [_, None] if before.is_some() && after.is_some() => {
                    let first = own.after.map(|first| format!("{first}, others alike"));
                    [own.before, first]
                }
                [None, _] | [_, None] => {
                    cut_both([before, Some(after.unwrap_or_else(|| some_of(&new)))])
                }
            }
        }
        // The new values are shown, whatever they have in common.
        [before, after] => {
            let after = after.and_then(|it| it.or_else(|| (!has_reason).then(|| some_of(&new))));
            cut_both([before.flatten(), after])
        }
    };
    let mut notes = notes(leaf);
    let step = step(&old, &new);
    notes.extend(step.as_deref());
    let line = Detail {
        before,
        after,
        note: notes.join("  "),
        ..both_sides(leaf)
    };
    with_lines(leaf, line)
}

/// The lines of changes. Those of several places of one property are one with all of their values, if these are short, and so are
/// those of an element that comes or goes.
pub(super) fn side_by_side(changes: Vec<Change>) -> Vec<Detail> {
    let in_one = |one: &Change, other: &Change| {
        let element = one.element.as_ref()?.around(other.element.as_ref()?);
        element.and_then(|_| one.with(other))
    };
    let lines = joined_near(telling(changes), in_one);
    let lines = joined_near(lines, Change::with_other_value);
    let lines = joined_near(lines, Change::with);
    in_lines(lines)
}

/// The lines of changes. The first one in an element says what that does.
pub(super) fn in_lines(changes: Vec<Change>) -> Vec<Detail> {
    let mut told: Vec<Element> = Vec::new();
    let line = |change: Change| {
        let element = change.element.as_ref();
        let own = element.map(Element::itself).filter(|it| !told.contains(it));
        let note = match (element, &own) {
            (Some(element), Some(_)) => joined(element.does(), &change.line.note),
            (None, _) | (_, None) => change.line.note,
        };
        told.extend(own);
        Detail {
            note,
            ..change.line
        }
    };
    changes.into_iter().map(line).collect()
}

/// The changes, without the empty values of an element that comes or goes with others: a provider writes them where nobody set one. Those
/// that may be such are last.
fn telling(mut changes: Vec<Change>) -> Vec<Change> {
    let value = |it: &Change| -> Option<String> {
        it.line.before.clone().or_else(|| it.line.after.clone())
    };
    let is_empty = |it: &Change| value(it).is_some_and(|it| EMPTY.contains(&&*it));
    let whole = |it: &Change| {
        let action = it.line.action;
        let element = it.element.as_ref()?;
        let around = element.around(element)?.place();
        matches!(action, Action::Create | Action::Delete).then_some((action, around))
    };
    let others = changes.iter().filter(|it| !is_empty(it));
    let others: HashSet<_> = others.filter_map(whole).collect();
    let says_nothing =
        |it: &Change| is_empty(it) && whole(it).is_some_and(|it| others.contains(&it));
    changes.retain(|it| !says_nothing(it));
    changes.sort_by_key(|it| whole(it).is_some() && value(it).as_deref() == Some(UNSET));
    changes
}

/// The changes, each joined with one that stands near before it, if they can be.
fn joined_near(changes: Vec<Change>, join: fn(&Change, &Change) -> Option<Change>) -> Vec<Change> {
    let mut lines: Vec<Change> = Vec::new();
    for change in changes {
        let mut near = lines.iter_mut().rev().take(MAX_BETWEEN);
        match near.find_map(|line| Some((join(line, &change)?, line))) {
            Some((both, line)) => *line = both,
            None => lines.push(change),
        }
    }
    lines
}

impl Change {
    /// True if its line is one of those that each name a member.
    pub(super) fn names_member(&self) -> bool {
        self.values == Values::Apart
    }

    /// Two changes of one property in one line; `None` if they differ in more than their values and the names of their elements, if
    /// both are equal, or if these are long.
    fn with(&self, other: &Self) -> Option<Self> {
        let (one, two) = (&self.line, &other.line);
        let bare = |it: &Detail| Detail {
            place: String::new(),
            before: it.before.is_some().then(String::new),
            after: it.after.is_some().then(String::new),
            ..it.clone()
        };
        let has_value = one.before.is_some() || one.after.is_some();
        let is_whole = |it: &Self| matches!(it.values, Values::Varied | Values::Named);
        if one == two
            || is_whole(self)
            || is_whole(other)
            || one.is_words()
            || !has_value
            || bare(one) != bare(two)
        {
            return None;
        }
        // Nobody pairs the third name with the third value of each side.
        let is_pair = one.before.is_some() && one.after.is_some();
        let differs = one.before != two.before && one.after != two.after;
        let element = match (&self.element, &other.element) {
            (Some(_), Some(_)) if is_pair && differs => return None,
            (Some(own), Some(other)) => Some(own.with(other)?),
            (None, None) if one.place == two.place => None,
            (None | Some(_), None) | (None, Some(_)) => return None,
        };
        let both = |one: &Option<String>, two: &Option<String>| {
            let (one, two) = (one.as_ref()?, two.as_ref()?);
            Some(format!("{one}, {two}"))
        };
        let (before, after) = (both(&one.before, &two.before), both(&one.after, &two.after));
        let is_short = |it: &Option<String>| it.as_ref().is_none_or(|it| it.len() <= MAX_LISTED);
        (is_short(&before) && is_short(&after)).then(|| Self {
            path: self.path.clone(),
            line: Detail {
                place: element
                    .as_ref()
                    .map_or_else(|| one.place.clone(), Element::place),
                before,
                after,
                ..one.clone()
            },
            element,
            values: Values::Several,
        })
    }

    /// Two values of one named element that both come or both go, in one line: `columns[id]  name: "id", type: "string"`. `None` if
    /// they differ in more, or if they are long.
    fn with_other_value(&self, other: &Self) -> Option<Self> {
        let is_alike = self.line.action == other.line.action && self.line.note == other.line.note;
        let is_one_sided = matches!(self.line.action, Action::Create | Action::Delete);
        let is_varied = [self, other].iter().any(|it| it.values == Values::Varied);
        if !is_alike || !is_one_sided || is_varied {
            return None;
        }
        let element = self.element.as_ref()?.around(other.element.as_ref()?)?;
        let [own, more] = [self, other].map(Self::named_value);
        let both = format!("{}, {}", own?, more?);
        let is_short = both.len() <= MAX_LISTED;
        let side = |is_there: bool| is_there.then(|| both.clone());
        is_short.then(|| Self {
            path: self.path.clone(),
            line: Detail {
                place: element.place(),
                before: side(self.line.before.is_some()),
                after: side(self.line.after.is_some()),
                ..self.line.clone()
            },
            element: Some(element),
            values: Values::Named,
        })
    }

    /// The value with its place in the element: `name: "id"`. `None` for the element itself.
    fn named_value(&self) -> Option<String> {
        let value = self.line.before.as_ref().or(self.line.after.as_ref())?;
        let name = self.element.as_ref()?.within();
        let list = name.strip_suffix("[*]");
        match (self.values, list) {
            (Values::Named, _) => Some(value.clone()),
            _ if name.is_empty() => None,
            (_, Some(list)) => Some(format!("{list}: [{value}]")),
            (Values::Several, None) => Some(format!("{name}: [{value}]")),
            (Values::One | Values::Varied | Values::Apart, None) => {
                Some(format!("{name}: {value}"))
            }
        }
    }
}

/// A line with the last place that the file shows for it.
fn with_root(detail: Detail, root: Option<String>) -> Detail {
    let root = root.unwrap_or_default();
    Detail {
        note: joined(&detail.note, &escaped(&root)),
        ..detail
    }
}

/// A line that stands for `n` equal ones.
pub(super) fn times(detail: Detail, n: usize) -> Detail {
    match n {
        0 | 1 => detail,
        n => Detail {
            note: joined(&format!("in {}", plural(n, "place")), &detail.note),
            ..detail
        },
    }
}
