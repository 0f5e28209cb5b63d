//! The difference of lists whose elements are aligned.

use super::align::{Facing, align, is_by_index, moved, rejoined};
use super::elements::{Inside, Telling};
use super::identity::{Order, by_content, by_content_in_any_order, by_name, is_crossing};
use super::pair::Pair;
use super::{Action, Alignment, Diff, DiffKind};
use crate::value::Value;
use crate::value::content::{Numbered, Numbers};

/// The difference of two lists.
///
/// Elements are paired by their names, or by their content if only their order differs, or by the longest common subsequence.
/// Cost follows the change: identical elements at both ends are only compared, and those between are hashed once. Elements are
/// described on demand ([`Elements`](super::Elements)).
pub(super) fn list(pair: &Pair<'_>, inside: &Inside) -> Diff {
    let (before, after) = (pair.elements_before(), pair.elements_after());
    let middle = Middle::of(before, after);
    let (head, tail) = (middle.head, middle.tail);
    // A declared type may treat elements of different content as the same.
    let content_decides = *inside == Inside::Any;

    let mut telling = Telling::new(pair, inside.clone());
    for index in 0..head {
        telling.tell(Some(index), Some(index), Some(Action::Same));
    }
    let mut tell = |old, new| telling.tell(old, new, middle.action(old, new, content_decides));
    if let Some(order) = middle.by_identity(pair.alignment) {
        for (old, new) in order {
            tell(old, new);
        }
    } else {
        let may_pair = |facing: Facing| inside.may_pair(&before[facing.old], &after[facing.new]);
        match pair.alignment {
            Alignment::Content => middle.tell_moved(may_pair, tell),
            Alignment::Terraform => middle.tell(may_pair, tell),
        }
    }
    for (old, new) in (before.len() - tail..before.len()).zip(after.len() - tail..) {
        telling.tell(Some(old), Some(new), Some(Action::Same));
    }

    let (elements, action) = telling.done();
    let kind = DiffKind::List {
        elements,
        nested: false,
    };
    pair.node(action, kind)
}

/// The display of elements that are paired with an element at another place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moves {
    /// The container shows that their order differs.
    Shown,
    /// Nothing would show that their order differs, so they are not paired.
    Avoided,
}

/// Pairs the elements of two lists of objects or blocks by index, in display order. Elements of the same name or content are
/// paired. The elements between them are paired in their order.
pub(super) fn order_by_content(pair: &Pair<'_>, moves: Moves) -> Order {
    let (before, after) = (pair.elements_before(), pair.elements_after());
    let mut numbers = Numbers::default();
    let [old, new] = [before, after].map(|list| numbers.of(list).numbers);
    let found = by_content(&old, &new)
        .or_else(|| by_content_in_any_order([before, after], [&old, &new]))
        .or_else(|| by_name(before, after));
    if let Some(order) = found.filter(|it| moves == Moves::Shown || !is_crossing(it)) {
        return order;
    }
    let mut told = Vec::with_capacity(before.len().max(after.len()));
    if moves == Moves::Avoided {
        align(&old, &new, |_| true, |old, new| told.push((old, new)));
        return told;
    }
    let elsewhere = moved(&old, &new);
    let has_moved = |number| elsewhere.contains(number);
    let may_pair = |facing: Facing| !has_moved(&old[facing.old]) && !has_moved(&new[facing.new]);
    align(&old, &new, may_pair, |old, new| told.push((old, new)));
    rejoined(told, &old, &new)
}

/// Number of leading pairs that are identical.
fn n_identical<'v>(
    before: impl Iterator<Item = &'v Value>,
    after: impl Iterator<Item = &'v Value>,
) -> usize {
    let pairs = before.zip(after);
    pairs.take_while(|(old, new)| old.is_identical(new)).count()
}

/// The elements between the identical ends of two lists.
struct Middle<'v> {
    before: &'v [Value],
    after: &'v [Value],
    /// Number of identical elements at the beginning.
    head: usize,
    /// Number of identical elements at the end.
    tail: usize,
    numbers: Numbers<'v>,
    old: Numbered,
    new: Numbered,
}

impl<'v> Middle<'v> {
    fn of(before: &'v [Value], after: &'v [Value]) -> Self {
        let head = n_identical(before.iter(), after.iter());
        let mut tail = n_identical(before[head..].iter().rev(), after[head..].iter().rev());
        let mut numbers = Numbers::default();
        let [mut old, mut new] =
            [before, after].map(|list| numbers.of(&list[head..list.len() - tail]));
        // A kept element is listed at its first possible place. For an element of the end that may be in the middle.
        while tail > 0 && numbers.find(&before[before.len() - tail]).is_some() {
            for (list, numbered) in [(before, &mut old), (after, &mut new)] {
                numbered.push(numbers.number(&list[list.len() - tail]));
            }
            tail -= 1;
        }
        Self {
            before,
            after,
            head,
            tail,
            numbers,
            old,
            new,
        }
    }

    /// The elements of the middle by their indexes in the whole lists, paired by content if only the order differs, there or
    /// in the lists of the elements, else by name; `None` if neither applies.
    fn by_identity(&self, alignment: Alignment) -> Option<Order> {
        let (old, new) = (&self.old.numbers, &self.new.numbers);
        if alignment == Alignment::Terraform || old.is_empty() || new.is_empty() {
            return None;
        }
        let middle = self.head..self.head + old.len();
        let before = &self.before[middle];
        let after = &self.after[self.head..self.head + new.len()];
        let order = by_content(old, new)
            .or_else(|| by_content_in_any_order([before, after], [old, new]))
            .or_else(|| by_name(before, after))?;
        let place = |index: Option<usize>| index.map(|index| self.head + index);
        Some(
            order
                .into_iter()
                .map(|(old, new)| (place(old), place(new)))
                .collect(),
        )
    }

    /// Lists the elements of the middle by their indexes in the whole lists, those that moved at their new place.
    fn tell_moved(
        &self,
        may_pair: impl Fn(Facing) -> bool,
        mut tell: impl FnMut(Option<usize>, Option<usize>),
    ) {
        let head = self.head;
        let (old, new) = (&self.old.numbers, &self.new.numbers);
        let moved = moved(old, new);
        let may_pair = |facing: Facing| {
            let has_moved = moved.contains(&old[facing.old]) || moved.contains(&new[facing.new]);
            let facing = Facing {
                old: head + facing.old,
                new: head + facing.new,
                ..facing
            };
            !has_moved && (facing.is_even || may_pair(facing))
        };
        let mut order = Vec::with_capacity(old.len().max(new.len()));
        align(old, new, may_pair, |old, new| order.push((old, new)));
        let place = |index: Option<usize>| index.map(|index| head + index);
        for (old, new) in rejoined(order, old, new) {
            tell(place(old), place(new));
        }
    }

    /// Lists the elements of the middle by their indexes in the whole lists, as Terraform does.
    fn tell(
        &self,
        may_pair: impl Fn(Facing) -> bool,
        mut tell: impl FnMut(Option<usize>, Option<usize>),
    ) {
        let head = self.head;
        let (old, new) = (&self.old.numbers, &self.new.numbers);
        let ends = self.before[..head]
            .iter()
            .chain(&self.before[head + old.len()..]);
        let ends = ends.filter_map(|value| self.numbers.find(value));
        let lengths = [self.before.len(), self.after.len()];
        if is_by_index(lengths, old, new, ends) {
            for index in head..head + old.len() {
                tell(Some(index), Some(index));
            }
        } else {
            let place = |index: Option<usize>| index.map(|index| head + index);
            align(
                old,
                new,
                |facing| {
                    may_pair(Facing {
                        old: head + facing.old,
                        new: head + facing.new,
                        ..facing
                    })
                },
                |old, new| tell(place(old), place(new)),
            );
        }
    }

    /// The action of an element of the middle, if that is known without a description. It is known if different content always
    /// means an update, or if only one side has the element.
    fn action(
        &self,
        old: Option<usize>,
        new: Option<usize>,
        content_decides: bool,
    ) -> Option<Action> {
        // Null may or may not count as a value, depending on the type. So may `""`, which the legacy provider SDK uses for
        // null.
        let is_value = |value: &Value| !value.is_null() && value.as_str() != Some("");
        match (old, new) {
            (Some(old), Some(new)) => {
                let (old, new) = (old - self.head, new - self.head);
                let is_same = self.old.numbers[old] == self.new.numbers[new];
                let is_bare = self.old.is_bare[old] && self.new.is_bare[new];
                match is_same {
                    true if is_bare => Some(Action::Same),
                    false if is_bare && content_decides => Some(Action::Update),
                    _ => None,
                }
            }
            (Some(old), None) => is_value(&self.before[old]).then_some(Action::Delete),
            (None, Some(new)) => is_value(&self.after[new]).then_some(Action::Create),
            (None, None) => None,
        }
    }
}
