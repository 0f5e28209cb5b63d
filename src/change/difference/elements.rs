//! The elements of a list or a set, described on demand.
//!
//! A list may hold 100,000 elements of which two changed. The actions of all but a few elements are known as soon as the two
//! lists are aligned. The difference inside an element is described only where it is shown. So neighbors with the same action
//! are kept as a run of indexes into the two shared lists.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::pair::{Pair, Setting};
use super::{Action, Alignment, Diff, plain, typed};
use crate::terraform::objchange::lcs::common;
use crate::types::Type;
use crate::value::{Array, Value};

/// The elements of a list or a set, in display order.
#[derive(Clone, PartialEq, Debug)]
pub struct Elements {
    runs: Vec<Run>,
    len: usize,
    is_reordered: bool,
    /// The new indexes of the elements that moved to another place, beside other changes.
    moved: Vec<usize>,
    before: Array,
    after: Array,
    /// The lists before and after for elements without a counterpart. They are masked like elements of the other side that they
    /// may have been, because a mask follows its element wherever it moved. `None` if the list is the same as above.
    alone: [Option<Array>; 2],
    below: Setting,
    inside: Inside,
}

/// An element of a list or a set.
#[derive(Clone, Copy, Debug)]
pub struct Element<'e> {
    /// Its index before, if it was there.
    pub old: Option<usize>,
    /// Its index after, if it will be there.
    pub new: Option<usize>,
    /// The action of the element.
    pub action: Action,
    run: &'e Run,
    elements: &'e Elements,
}

/// The type of the elements.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Inside {
    /// No type: the values decide.
    Any,
    /// This type.
    Of(Arc<Type>),
}

/// One element that has been described, or several neighbors with the same action.
#[derive(Clone, PartialEq, Debug)]
struct Run {
    old: Option<usize>,
    new: Option<usize>,
    len: usize,
    action: Action,
    /// The description of a single element; `None` if it is made on demand.
    diff: Option<Diff>,
}

impl Inside {
    /// True if two paired elements may be shown as one change.
    pub(super) fn may_pair(&self, old: &Value, new: &Value) -> bool {
        match self {
            Self::Any => old.as_map().is_some() && new.as_map().is_some(),
            Self::Of(ty) => matches!(**ty, Type::Object(_)),
        }
    }

    fn describe(&self, pair: &Pair<'_>) -> Diff {
        match self {
            Self::Any => plain::plain(pair),
            Self::Of(ty) => typed::typed(pair, ty),
        }
    }
}

impl<'e> Element<'e> {
    /// The difference of the element and below it.
    pub fn diff(&self) -> Cow<'e, Diff> {
        let elements = self.elements;
        match &self.run.diff {
            Some(diff) => Cow::Borrowed(diff),
            None => Cow::Owned(elements.describe(self.old, self.new)),
        }
    }

    /// True if the element forces the replacement of the resource.
    pub fn replaces(&self) -> bool {
        self.run.diff.as_ref().is_some_and(|diff| diff.replaces)
    }

    /// True if the element moved to another place, while others changed.
    pub fn is_moved(&self) -> bool {
        let moved = &self.elements.moved;
        self.new
            .is_some_and(|new| moved.binary_search(&new).is_ok())
    }

    /// True if there is a change to the element or below it.
    pub fn is_change(&self) -> bool {
        self.action != Action::Same
    }
}

impl Elements {
    /// Number of elements. A pair counts once.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if elements that are on both sides have another order after than before.
    pub fn is_reordered(&self) -> bool {
        self.is_reordered
    }

    /// The elements, each without the difference below it.
    pub fn iter(&self) -> impl Iterator<Item = Element<'_>> + Clone {
        self.runs.iter().flat_map(move |run| {
            (0..run.len).map(move |step| Element {
                old: run.old.map(|old| old + step),
                new: run.new.map(|new| new + step),
                action: run.action,
                run,
                elements: self,
            })
        })
    }

    /// The new indexes of the fewest elements that have to move to get from the old order to the new one, sorted.
    fn out_of_order(&self) -> Vec<usize> {
        let pairs = self.iter().filter_map(|it| Some((it.old?, it.new?)));
        let mut pairs: Vec<(usize, usize)> = pairs.collect();
        pairs.sort_unstable_by_key(|(_, new)| *new);
        let number = |old: usize| u32::try_from(old).unwrap_or(u32::MAX);
        let order: Vec<u32> = pairs.iter().map(|(old, _)| number(*old)).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        let kept = common(&sorted, &order).into_iter().map(|(_, place)| place);
        let kept: BTreeSet<usize> = kept.collect();
        let moved = pairs.iter().enumerate();
        let moved = moved.filter(|(place, _)| !kept.contains(place));
        moved.map(|(_, (_, new))| *new).collect()
    }

    /// The lists before and after that an element is taken from.
    fn sides(&self, old: Option<usize>, new: Option<usize>) -> [&Array; 2] {
        let alone = |side: usize, list| self.alone[side].as_ref().unwrap_or(list);
        match (old, new) {
            (Some(_), Some(_)) => [&self.before, &self.after],
            _ => [alone(0, &self.before), alone(1, &self.after)],
        }
    }

    fn describe(&self, old: Option<usize>, new: Option<usize>) -> Diff {
        let [befores, afters] = self.sides(old, new);
        let old = old.and_then(|index| befores.get(index));
        let new = new.and_then(|index| afters.get(index));
        let pair = self.below.element(old, new);
        self.inside.describe(&pair)
    }
}

/// Builds [`Elements`].
pub(super) struct Telling<'p, 'v> {
    pair: &'p Pair<'v>,
    elements: Elements,
    action: Action,
    /// The indexes at or below which a path forces replacement. These elements are described at once.
    named: BTreeSet<usize>,
}

impl<'p, 'v> Telling<'p, 'v> {
    /// A builder for the lists or sets at `pair`.
    pub(super) fn new(pair: &'p Pair<'v>, inside: Inside) -> Self {
        let sides = [pair.before.value, pair.after.value].map(|side| {
            let array = side.and_then(Value::as_array);
            array.cloned().unwrap_or_default()
        });
        let alone = match pair.setting.alignment {
            Alignment::Content => [0, 1].map(|side| masked_like(&sides[side], &sides[1 - side])),
            // Terraform's own text uses only the masks of each side.
            Alignment::Terraform => [None, None],
        };
        let [before, after] = sides;
        Self {
            pair,
            elements: Elements {
                runs: Vec::new(),
                len: 0,
                is_reordered: false,
                moved: Vec::new(),
                before,
                after,
                alone,
                below: pair.below(),
                inside,
            },
            action: pair.start(),
            named: pair.named_indexes(),
        }
    }

    /// Adds the next element, with its action if that is known without a description.
    ///
    /// Elements of a typed list are all of interest if the list is. In a list without a declared type, objects are compared
    /// only as far as a path of interest leads. Changes to all other elements are reported.
    ///
    /// # Source
    ///
    /// `OpenTofu` `internal/command/jsonformat`: `differ/list.go`, `jsondiff/diff.go`.
    pub(super) fn tell(&mut self, old: Option<usize>, new: Option<usize>, action: Option<Action>) {
        let is_named = old.or(new).is_some_and(|index| self.named.contains(&index));
        let is_typed = self.elements.inside != Inside::Any;
        let is_whole = is_typed || self.pair.relevant.is_all();
        // The mask may be the only change.
        let is_masked = match (old, new) {
            (Some(_), Some(_)) => false,
            _ => self.elements.alone.iter().any(Option::is_some),
        };
        match action {
            Some(action) if !is_named && is_whole && !is_masked => {
                self.add(Run {
                    old,
                    new,
                    len: 1,
                    action,
                    diff: None,
                });
            }
            _ => {
                let diff = self.look_into(old, new, is_whole);
                self.described(old, new, diff);
            }
        }
    }

    fn look_into(&self, old: Option<usize>, new: Option<usize>, is_whole: bool) -> Diff {
        let sides = self
            .elements
            .sides(old, new)
            .map(|list| Value::from(list.clone()));
        let mut parent = self.pair.clone();
        for (side, list) in [&mut parent.before, &mut parent.after]
            .into_iter()
            .zip(&sides)
        {
            side.value = side.value.map(|_| list);
        }
        let child = parent.index(old, new);
        self.elements.inside.describe(&if is_whole {
            child.all_of_interest()
        } else {
            child
        })
    }

    /// Adds the next element with its description.
    pub(super) fn described(&mut self, old: Option<usize>, new: Option<usize>, diff: Diff) {
        self.add(Run {
            old,
            new,
            len: 1,
            action: diff.action,
            diff: Some(diff),
        });
    }

    /// Adds a run of one element, which may belong to the last one.
    fn add(&mut self, next: Run) {
        self.action = self.action.with_child(next.action);
        self.elements.len += 1;
        let follows = |run: &Run| {
            let after = |index: Option<usize>| index.map(|index| index + run.len);
            run.diff.is_none()
                && next.diff.is_none()
                && run.action == next.action
                && (after(run.old), after(run.new)) == (next.old, next.new)
        };
        match self.elements.runs.last_mut() {
            Some(run) if follows(run) => run.len += 1,
            _ => self.elements.runs.push(next),
        }
    }

    /// The elements of a list, and the action of their container. Another order is an update.
    pub(super) fn done(mut self) -> (Elements, Action) {
        let pairs = self.elements.runs.iter().filter(|run| run.new.is_some());
        if !pairs.filter_map(|run| run.old).is_sorted() {
            let mut runs = self.elements.runs.iter();
            if runs.any(|run| run.action != Action::Same) {
                self.elements.moved = self.elements.out_of_order();
            }
            self.elements.is_reordered = true;
            self.action = self.action.with_child(Action::Update);
        }
        (self.elements, self.action)
    }

    /// The elements of a set, and the action of their container. Their order has no meaning.
    pub(super) fn done_in_any_order(self) -> (Elements, Action) {
        (self.elements, self.action)
    }
}

/// `list` masked like `other`; `None` if `other` has no secrets.
fn masked_like(list: &Array, other: &Array) -> Option<Array> {
    let other = Value::from(other.clone());
    if !other.has_secrets() {
        return None;
    }
    let masked = Value::from(list.clone()).masked_like(&other);
    masked.as_array().cloned()
}
