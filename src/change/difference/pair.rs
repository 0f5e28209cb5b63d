//! The two sides of one place, with the facts that the comparison uses.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::meaning::{Durations, Meaning};
use super::{Action, Alignment, Diff, DiffKind, Extent, MAX_DEPTH, same};
use crate::path::{Path, Segment};
use crate::value::{Payload, Value};

/// One side of a place.
#[derive(Clone, Copy)]
pub(super) struct Operand<'v> {
    /// The value there; `None` if it is absent.
    pub(super) value: Option<&'v Value>,
    /// True if a null there was written on purpose, which is not the same as absence.
    pub(super) explicit: bool,
    /// True if it is sensitive. Cleared once sensitivity has been handled.
    pub(super) secret: bool,
    /// True if it is masked because the other side of its change is. Cleared in the same way.
    mirrored: bool,
}

impl<'v> Operand<'v> {
    const NONE: Self = Self {
        value: None,
        explicit: false,
        secret: false,
        mirrored: false,
    };

    fn of(value: &'v Value) -> Self {
        Self {
            value: Some(value),
            explicit: true,
            secret: is_own_secret(value),
            // A mask by the form of a text says nothing about the marks of the file.
            mirrored: value.is_mirrored() || value.is_likely_secret(),
        }
    }

    /// The value, unless it is null.
    pub(super) fn known(&self) -> Option<&'v Value> {
        self.value.filter(|value| !value.is_null())
    }

    /// True if there is no value and no explicit null.
    pub(super) fn is_missing(&self) -> bool {
        self.known().is_none() && !self.explicit
    }

    fn key(&self, key: &str) -> Self {
        self.value
            .and_then(|value| value.get(key))
            .map_or(Self::NONE, Self::of)
    }

    fn index(&self, index: Option<usize>) -> Self {
        index
            .zip(self.value.and_then(Value::as_array))
            .and_then(|(index, array)| array.get(index))
            .map_or(Self::NONE, Self::of)
    }

    /// The value for a node, marked secret if the place is.
    fn shown(&self) -> Value {
        let value = self.value.cloned().unwrap_or_default();
        if self.secret && !value.is_secret() {
            value.with_secret(true)
        } else {
            value
        }
    }
}

/// Knowledge about the value after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum After {
    /// The value itself decides.
    AsItStands,
    /// It is unknown, whatever the value is.
    Unknown,
    /// It is an object whose attributes are all unknown.
    UnknownAttributes,
    /// It is known.
    Known,
}

/// The sort key of a path's step. Steps that may name an element of a list sort by index, whether or not the index is in
/// quotes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank<'v> {
    index: Option<usize>,
    key: Option<&'v str>,
}

impl<'v> Rank<'v> {
    fn of(segment: &'v Segment) -> Self {
        match segment {
            Segment::Index(index) => Self {
                index: Some(*index),
                key: None,
            },
            Segment::Key(key) => Self::of_key(key),
        }
    }

    fn of_key(key: &'v str) -> Self {
        Self {
            // Terraform accepts a number in quotes as a list index.
            index: key.parse().ok(),
            key: Some(key),
        }
    }
}

/// The steps of `paths`, in the order that [`Steps`] needs.
pub(super) fn sorted(paths: &[Path]) -> Vec<&[Segment]> {
    let mut sorted: Vec<&[Segment]> = paths.iter().map(|path| path.0.as_slice()).collect();
    sorted.sort_by(|one, other| one.iter().map(Rank::of).cmp(other.iter().map(Rank::of)));
    sorted
}

/// The paths that lead to a place or through it. They are sorted, so that a child finds its own by binary search.
#[derive(Clone, Default)]
pub(super) struct Steps<'v> {
    /// Paths that agree up to the place. There are several ranges if a list index was spelled in several ways.
    ranges: Vec<&'v [&'v [Segment]]>,
    /// Number of steps that lead to the place.
    depth: usize,
    /// True if a path ends above the place and so covers it.
    is_covered: bool,
}

impl<'v> Steps<'v> {
    /// The steps of [sorted] paths.
    pub(super) fn of(paths: &'v [&'v [Segment]]) -> Self {
        Self {
            ranges: vec![paths],
            ..Self::default()
        }
    }

    /// True if a path ends here.
    fn end_here(&self) -> bool {
        let mut ranges = self.ranges.iter();
        // The shortest path of a range comes first.
        ranges.any(|range| range.first().is_some_and(|path| path.len() == self.depth))
    }

    fn is_empty(&self) -> bool {
        !self.is_covered && self.ranges.iter().all(|range| range.is_empty())
    }

    /// The step that leads a path on from this place.
    fn step(&self, path: &'v [Segment]) -> Option<Rank<'v>> {
        path.get(self.depth).map(Rank::of)
    }

    fn key(&self, key: &str) -> Self {
        let wanted = Some(Rank::of_key(key));
        let own = |range: &&'v [&'v [Segment]]| {
            let start = range.partition_point(|path| self.step(path) < wanted);
            let end = range.partition_point(|path| self.step(path) <= wanted);
            &range[start..end]
        };
        self.child(self.ranges.iter().map(own))
    }

    fn index(&self, index: usize) -> Self {
        let index_of = |path: &'v [Segment]| self.step(path).and_then(|step| step.index);
        let own = |range: &&'v [&'v [Segment]]| {
            let start = range.partition_point(|path| index_of(path) < Some(index));
            let end = range.partition_point(|path| index_of(path) <= Some(index));
            range[start..end].chunk_by(|one, other| one[self.depth] == other[self.depth])
        };
        self.child(self.ranges.iter().flat_map(own))
    }

    fn child(&self, ranges: impl Iterator<Item = &'v [&'v [Segment]]>) -> Self {
        Self {
            ranges: ranges.filter(|range| !range.is_empty()).collect(),
            depth: self.depth + 1,
            is_covered: self.is_covered || self.end_here(),
        }
    }

    /// The indexes of elements that paths name or lead through.
    fn indexes(&self) -> BTreeSet<usize> {
        let paths = self.ranges.iter().flat_map(|range| range.iter());
        let steps = paths.filter_map(|path| self.step(path));
        steps.filter_map(|step| step.index).collect()
    }
}

/// The places whose changes are of interest.
#[derive(Clone)]
pub(super) enum Relevant<'v> {
    All,
    /// These places and everything below them. Containers on the way to them are compared part by part.
    Below(Steps<'v>),
}

impl<'v> Relevant<'v> {
    pub(super) fn of(paths: &'v [&'v [Segment]]) -> Self {
        Self::Below(Steps::of(paths))
    }

    fn child(&self, child: impl Fn(&Steps<'v>) -> Steps<'v>) -> Self {
        match self {
            Self::All => Self::All,
            Self::Below(steps) => Self::Below(child(steps)),
        }
    }

    pub(super) fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }

    fn is_none(&self) -> bool {
        matches!(self, Self::Below(steps) if steps.is_empty())
    }
}

/// The two sides of one place.
#[derive(Clone)]
pub(super) struct Pair<'v> {
    pub(super) before: Operand<'v>,
    pub(super) after: Operand<'v>,
    pub(super) replaces: Steps<'v>,
    pub(super) relevant: Relevant<'v>,
    /// True if the schema cannot come from the legacy provider SDK, so that `""` is not null.
    pub(super) modern: bool,
    pub(super) extent: Extent,
    pub(super) setting: Setting,
}

/// The facts about a place that are not in its values, and that no path names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Setting {
    pub(super) known: After,
    /// True if the schema leaves the type to the value.
    pub(super) is_dynamic: bool,
    /// True below a mask, where the masks of children have no meaning.
    is_masked: bool,
    pub(super) depth: usize,
    pub(super) alignment: Alignment,
    meaning: Meaning,
    /// The properties that are durations.
    pub(super) times: Option<&'static Durations>,
}

impl Setting {
    /// The child with these list elements before and after. All of it is of interest.
    pub(super) fn element<'v>(
        self,
        before: Option<&'v Value>,
        after: Option<&'v Value>,
    ) -> Pair<'v> {
        let side = |value: Option<&'v Value>| {
            let side = value.map_or(Operand::NONE, Operand::of);
            // Terraform's own text does not match an element that moved with its other side. A likely secret it does not know.
            let keeps =
                self.alignment == Alignment::Content || value.is_some_and(Value::is_likely_secret);
            Operand {
                mirrored: side.mirrored && keeps,
                ..side
            }
        };
        self.sides(side(before), side(after))
    }

    fn sides<'v>(self, before: Operand<'v>, after: Operand<'v>) -> Pair<'v> {
        // Terraform's own text uses the mask of each side. A side keeps a mirrored mask that does not come from the other side
        // here: its source is a value that is gone or of another kind.
        let mirrors = |other: Operand<'v>| {
            self.alignment == Alignment::Content || other.is_missing() || !other.secret
        };
        let side = |side: Operand<'v>, other: Operand<'v>| Operand {
            secret: side.secret && !self.is_masked,
            mirrored: side.mirrored && !self.is_masked && mirrors(other),
            ..side
        };
        Pair {
            before: side(before, after),
            after: side(after, before),
            replaces: Steps::default(),
            relevant: Relevant::All,
            modern: false,
            extent: Extent::Whole,
            setting: self,
        }
    }
}

impl<'v> Pair<'v> {
    pub(super) fn root(
        before: &'v Value,
        after: &'v Value,
        replaces: Steps<'v>,
        relevant: Relevant<'v>,
    ) -> Self {
        Self {
            before: Operand::of(before).implicit(),
            after: Operand::of(after).implicit(),
            replaces,
            relevant,
            modern: false,
            extent: Extent::default(),
            setting: Setting {
                known: After::AsItStands,
                is_dynamic: false,
                is_masked: false,
                depth: 0,
                alignment: Alignment::default(),
                meaning: Meaning::default(),
                times: None,
            },
        }
    }

    /// The value before, unless it is null.
    pub(super) fn prior(&self) -> Option<&'v Value> {
        self.before.known()
    }

    /// The value after, unless it is null or unknown.
    pub(super) fn planned(&self) -> Option<&'v Value> {
        self.after.known().filter(|value| !value.is_computed())
    }

    /// True if there is no value before and no known value after.
    pub(super) fn is_nothing(&self) -> bool {
        self.prior().is_none() && self.planned().is_none()
    }

    pub(super) fn is_unknown(&self) -> bool {
        match self.setting.known {
            After::AsItStands => self.after.value.is_some_and(Value::is_computed),
            After::Unknown => true,
            After::UnknownAttributes | After::Known => false,
        }
    }

    /// True if `value`, at or below this place, has an own mask (not a mirrored one) that counts here.
    pub(super) fn masks(&self, value: &Value) -> bool {
        is_own_secret(value) && !self.setting.is_masked
    }

    /// The child at `key`.
    pub(super) fn key(&self, key: &str) -> Self {
        let child = |steps: &Steps<'v>| steps.key(key);
        let mut child = self.child(self.before.key(key), self.after.key(key), child);
        child.setting.meaning = self.setting.meaning.at(key, self.setting.times);
        child
    }

    /// The child that is element `old` before and element `new` after. Paths name it by its old index, or by its new one if it
    /// has no old one.
    pub(super) fn index(&self, old: Option<usize>, new: Option<usize>) -> Self {
        let index = old.or(new).unwrap_or_default();
        let child = |steps: &Steps<'v>| steps.index(index);
        let child = self.child(self.before.index(old), self.after.index(new), child);
        Self {
            // Elements of a list lose the flag, and every block below sets it again.
            modern: false,
            ..child
        }
    }

    /// The indexes of elements that replacement paths name or lead through.
    pub(super) fn named_indexes(&self) -> BTreeSet<usize> {
        self.replaces.indexes()
    }

    /// The facts shared by all children that no path names.
    pub(super) fn below(&self) -> Setting {
        Setting {
            known: match self.setting.known {
                After::AsItStands => After::AsItStands,
                After::Unknown | After::UnknownAttributes | After::Known => After::Known,
            },
            depth: self.setting.depth + 1,
            ..self.setting
        }
    }

    fn child(
        &self,
        before: Operand<'v>,
        after: Operand<'v>,
        child: impl Fn(&Steps<'v>) -> Steps<'v>,
    ) -> Self {
        Self {
            replaces: child(&self.replaces),
            relevant: self.relevant.child(child),
            modern: self.modern,
            extent: self.extent,
            ..self.below().sides(before, after)
        }
    }

    /// The same place, as unchanged if it is of no interest.
    pub(super) fn of_interest(self) -> Self {
        if self.relevant.is_none() {
            Self {
                after: self.before,
                modern: false,
                ..self.with_known(After::Known)
            }
        } else {
            self
        }
    }

    /// The same place with everything below it of interest.
    pub(super) fn all_of_interest(self) -> Self {
        Self {
            relevant: Relevant::All,
            ..self
        }
    }

    /// The same place with nulls that count as absent.
    pub(super) fn implicit(self) -> Self {
        Self {
            before: self.before.implicit(),
            after: self.after.implicit(),
            ..self
        }
    }

    /// The same place without replacement paths.
    pub(super) fn replacing_nothing(self) -> Self {
        Self {
            replaces: Steps::default(),
            ..self
        }
    }

    /// The same place with no value after.
    pub(super) fn deleted(&self, known: After) -> Self {
        Self {
            after: Operand::NONE,
            modern: false,
            ..self.clone().with_known(known)
        }
    }

    /// The same place with this knowledge about the value after.
    pub(super) fn with_known(mut self, known: After) -> Self {
        self.setting.known = known;
        self
    }

    /// The same place with no value before.
    pub(super) fn created(&self) -> Self {
        Self {
            before: Operand::NONE,
            ..self.clone()
        }
    }

    /// The action of a value that is compared as a whole.
    pub(super) fn action(&self) -> Action {
        let (old, new) = (self.prior(), self.planned());
        let explicit_after = self.after.explicit || self.is_unknown();
        let (before, after) = (
            old.is_some() || self.before.explicit,
            new.is_some() || explicit_after,
        );
        if old.is_none() && !self.before.explicit && after {
            Action::Create
        } else if new.is_none() && !explicit_after && before {
            Action::Delete
        } else if self.before.explicit == explicit_after
            && self.before.secret == self.after.secret
            && match (old, new) {
                (Some(old), Some(new)) => same(old, new),
                (None, None) => true,
                _ => false,
            }
        {
            Action::Same
        } else {
            Action::Update
        }
    }

    /// The initial action of a container, before its children are compared.
    pub(super) fn start(&self) -> Action {
        match (self.prior(), self.planned()) {
            (None, Some(_)) => Action::Create,
            (Some(_), None) => Action::Delete,
            _ => Action::Same,
        }
    }

    /// A node for this place.
    pub(super) fn node(&self, action: Action, kind: DiffKind) -> Diff {
        let (before, after) = (self.before.shown(), self.after.shown());
        let is_update = action == Action::Update;
        Diff {
            action,
            replaces: self.replaces.end_here(),
            is_dynamic: self.setting.is_dynamic,
            spelling: is_update
                .then(|| self.setting.meaning.reason(&before, &after))
                .flatten(),
            before,
            after,
            kind,
        }
    }

    /// True if a replacement path ends here.
    pub(super) fn ends_here(&self) -> bool {
        self.replaces.end_here()
    }

    /// True for each side, before and after, on which the place is sensitive.
    pub(super) fn sensitivity(&self) -> (bool, bool) {
        match (self.before.secret, self.after.secret) {
            // The value whose mask it mirrors is elsewhere: an element of a list moved.
            (false, false) => (self.before.mirrored, self.after.mirrored),
            own => own,
        }
    }

    /// The node of a sensitive place; `None` if neither side is sensitive. `describe` compares the value apart from
    /// sensitivity.
    pub(super) fn sensitive(
        &self,
        block: bool,
        describe: impl FnOnce(&Self) -> Diff,
    ) -> Option<Diff> {
        let (before, after) = self.sensitivity();
        if !before && !after {
            return None;
        }
        let mut inner = self.clone();
        for side in [&mut inner.before, &mut inner.after] {
            side.secret = false;
            side.mirrored = false;
        }
        inner.setting.is_masked = true;
        inner.modern = false;
        let content = describe(&inner).action;
        let nothing = self.before.is_missing() && self.planned().is_none() && !self.after.explicit;
        let action = if content == Action::Same && before != after && !nothing {
            Action::Update
        } else {
            content
        };
        let kind = DiffKind::Sensitive {
            content,
            before,
            after,
            block,
        };
        let mut node = self.node(action, kind);
        // Either side alone would reveal the other's secret if the content is the same.
        node.before = node.before.with_secret(true);
        node.after = node.after.with_secret(true);
        Some(node)
    }

    /// The node of a value that is unknown after the change; `None` if it is known. `describe` describes the deletion of the
    /// value before.
    pub(super) fn unknown(
        &self,
        below: After,
        describe: impl FnOnce(&Self) -> Diff,
    ) -> Option<Diff> {
        if !self.is_unknown() {
            return None;
        }
        let before = self
            .prior()
            .filter(|old| !old.is_computed())
            .map(|_| Box::new(describe(&self.deleted(below))));
        let action = if self.prior().is_some_and(Value::is_computed) {
            Action::Same
        } else {
            self.action()
        };
        let mut node = self.node(action, DiffKind::Unknown { before });
        if !node.after.is_computed() {
            node.after = Value::computed();
        }
        Some(node)
    }

    /// The node of a place that is not compared part by part: it is sensitive, known after apply or too deep. `None` for any other.
    /// `describe` compares the value apart from that.
    pub(super) fn whole(
        &self,
        block: bool,
        below: After,
        describe: impl Fn(&Self) -> Diff,
    ) -> Option<Diff> {
        let is_too_deep = self.setting.depth > MAX_DEPTH;
        self.sensitive(block, &describe)
            .or_else(|| self.unknown(below, &describe))
            .or_else(|| is_too_deep.then(|| self.node(self.action(), DiffKind::Leaf)))
    }

    /// All keys of the maps on both sides, sorted, without duplicates.
    pub(super) fn keys(&self) -> Vec<Arc<str>> {
        let sides = [self.before.value, self.after.value];
        let maps = sides.into_iter().flatten().filter_map(Value::as_map);
        let mut keys: Vec<_> = maps.flat_map(|map| map.keys().cloned()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The keys of the maps on both sides that are described, sorted, without duplicates.
    pub(super) fn described_keys(&self) -> Vec<Arc<str>> {
        if self.extent == Extent::Root {
            return Vec::new();
        }
        let sides = [self.before.value, self.after.value];
        let [Some(before), Some(after)] = sides.map(|side| side.and_then(Value::as_map)) else {
            return self.keys();
        };
        let is_unknown = match self.setting.known {
            After::Unknown | After::UnknownAttributes => true,
            After::AsItStands | After::Known => false,
        };
        if self.extent == Extent::Whole || is_unknown {
            return self.keys();
        }
        let is_kept = |key: &str, value: &Value| {
            let is_same = after.get(key).is_some_and(|it| it.is_identical(value));
            is_same && value.is_bare() && self.replaces.key(key).is_empty()
        };
        let changed = before.iter().filter(|(key, value)| !is_kept(key, value));
        let new = after.iter().filter(|(key, _)| before.get(key).is_none());
        let mut keys: Vec<_> = changed.chain(new).map(|(key, _)| key.clone()).collect();
        keys.sort_unstable();
        keys
    }

    /// Number of elements before and after.
    pub(super) fn lengths(&self) -> (usize, usize) {
        (self.elements_before().len(), self.elements_after().len())
    }

    pub(super) fn elements_before(&self) -> &'v [Value] {
        elements(self.before.value)
    }

    pub(super) fn elements_after(&self) -> &'v [Value] {
        elements(self.after.value)
    }
}

impl Operand<'_> {
    fn implicit(self) -> Self {
        Self {
            explicit: false,
            ..self
        }
    }
}

/// True if the file marks a value as secret, and not only the other side of its change.
fn is_own_secret(value: &Value) -> bool {
    value.is_secret() && !value.is_mirrored() && !value.is_likely_secret()
}

fn elements(value: Option<&Value>) -> &[Value] {
    match value.map(Value::payload) {
        Some(Payload::Array(array)) => array.as_slice(),
        _ => &[],
    }
}
