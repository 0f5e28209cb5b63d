//! The difference of lists whose elements are aligned.

use super::align::{Facing, align, by_index, is_by_index, moved, rejoined};
use super::elements::{Inside, Telling};
use super::identity::{Order, by_content, by_content_in_any_order, by_name, by_name_apart_from};
use super::pair::Pair;
use super::{Action, Alignment, Diff, DiffKind};
use crate::value::Value;
use crate::value::content::{Numbers, same};

/// The difference of two lists.
///
/// Elements are paired by their names, or by their content if only their order differs, or by the longest common subsequence.
/// Cost follows the change: identical elements at both ends are only compared, and those between are hashed once. Elements are
/// described on demand ([`Elements`](super::Elements)).
pub(super) fn list(pair: &Pair<'_>, inside: &Inside) -> Diff {
    let (before, after) = (pair.elements_before(), pair.elements_after());
    let ends = Ends::of(before, after);
    let may_pair = |facing: Facing| inside.may_pair(&before[facing.old], &after[facing.new]);
    let (order, tail) = ends.order(pair.setting.alignment, may_pair);
    // A declared type may treat elements of different content as the same.
    let content_decides = *inside == Inside::Any;

    let mut telling = Telling::new(pair, inside.clone());
    for index in 0..ends.head {
        telling.tell(Some(index), Some(index), Some(Action::Same));
    }
    for (old, new) in order {
        let sides = [old.map(|it| &before[it]), new.map(|it| &after[it])];
        telling.tell(old, new, action(sides, content_decides));
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

/// Pairs the elements of two lists of objects or blocks. Returns their indexes in display order. Elements of the same name or
/// content are paired. The elements between them are paired in their order.
pub(super) fn order_by_content(pair: &Pair<'_>) -> Order {
    let whole = Ends {
        before: pair.elements_before(),
        after: pair.elements_after(),
        head: 0,
        tail: 0,
    };
    Middle::of(whole).order(Alignment::Content, |_| true)
}

/// Number of leading pairs that are identical.
fn n_identical<'v>(
    before: impl Iterator<Item = &'v Value>,
    after: impl Iterator<Item = &'v Value>,
) -> usize {
    let pairs = before.zip(after);
    pairs.take_while(|(old, new)| old.is_identical(new)).count()
}

/// Two lists with identical ends.
#[derive(Clone, Copy)]
struct Ends<'v> {
    before: &'v [Value],
    after: &'v [Value],
    /// Number of identical elements at the beginning.
    head: usize,
    /// Number of identical elements at the end.
    tail: usize,
}

impl<'v> Ends<'v> {
    fn of(before: &'v [Value], after: &'v [Value]) -> Self {
        let head = n_identical(before.iter(), after.iter());
        let tail = n_identical(before[head..].iter().rev(), after[head..].iter().rev());
        Self {
            before,
            after,
            head,
            tail,
        }
    }

    /// The elements between the ends.
    fn between(&self) -> [&'v [Value]; 2] {
        [self.before, self.after].map(|list| &list[self.head..list.len() - self.tail])
    }

    /// The elements that are not at an identical end, paired, and the number of elements at the identical end.
    fn order(self, alignment: Alignment, may_pair: impl Fn(Facing) -> bool) -> (Order, usize) {
        let named = match alignment {
            Alignment::Content => self.by_name(),
            Alignment::Terraform => None,
        };
        if let Some(order) = named {
            return (order, self.tail);
        }
        let middle = Middle::of(self);
        (middle.order(alignment, may_pair), middle.ends.tail)
    }

    /// The elements between the ends, paired by name. It is the order of [`Middle::order`] without a number for each element:
    /// elements of the same content have the same name. `None` if they are not named, or the end may have one of them.
    fn by_name(&self) -> Option<Order> {
        let [before, after] = self.between();
        let end = self.before.get(self.before.len() - self.tail);
        let order = by_name_apart_from(end, before, after)?;
        Some(self.placed(order))
    }

    /// An order of elements between the ends, by their indexes in the whole lists.
    fn placed(&self, order: Order) -> Order {
        let place = |index: Option<usize>| index.map(|index| self.head + index);
        let order = order.into_iter();
        order.map(|(old, new)| (place(old), place(new))).collect()
    }
}

/// The elements between the ends of two lists, with numbers that are equal where the elements are.
struct Middle<'v> {
    ends: Ends<'v>,
    numbers: Numbers<'v>,
    old: Vec<u32>,
    new: Vec<u32>,
}

impl<'v> Middle<'v> {
    fn of(mut ends: Ends<'v>) -> Self {
        let mut numbers = Numbers::default();
        let [mut old, mut new] = ends.between().map(|list| numbers.of(list));
        // A kept element is listed at its first possible place. For an element of the end that may be in the middle.
        while ends.tail > 0
            && numbers
                .find(&ends.before[ends.before.len() - ends.tail])
                .is_some()
        {
            for (list, numbered) in [(ends.before, &mut old), (ends.after, &mut new)] {
                numbered.push(numbers.number(&list[list.len() - ends.tail]));
            }
            ends.tail -= 1;
        }
        Self {
            ends,
            numbers,
            old,
            new,
        }
    }

    /// The elements of the middle by their indexes in the whole lists: paired by content if only the order differs, there or in the
    /// lists of the elements, else by name, else by the longest common subsequence, with those that moved at their new place.
    /// Terraform pairs by index or by the subsequence. Between kept elements `may_pair` decides.
    fn order(&self, alignment: Alignment, may_pair: impl Fn(Facing) -> bool) -> Order {
        let (old, new, head) = (&self.old, &self.new, self.ends.head);
        let may_pair = |facing: Facing| {
            may_pair(Facing {
                old: head + facing.old,
                new: head + facing.new,
                ..facing
            })
        };
        let order = match alignment {
            Alignment::Content => self.by_identity().unwrap_or_else(|| {
                let moved = moved(old, new);
                let may_pair = |facing: Facing| {
                    let has_moved =
                        moved.contains(&old[facing.old]) || moved.contains(&new[facing.new]);
                    !has_moved && (facing.is_even || may_pair(facing))
                };
                rejoined(align(old, new, may_pair), old, new)
            }),
            Alignment::Terraform if self.is_by_index() => by_index(old.len()),
            Alignment::Terraform => align(old, new, may_pair),
        };
        self.ends.placed(order)
    }

    fn by_identity(&self) -> Option<Order> {
        let (old, new) = (&self.old, &self.new);
        if old.is_empty() || new.is_empty() {
            return None;
        }
        let [before, after] = self.ends.between();
        by_content(old, new)
            .or_else(|| by_content_in_any_order([before, after], [old, new]))
            .or_else(|| by_name(before, after))
    }

    fn is_by_index(&self) -> bool {
        let Ends { before, after, .. } = self.ends;
        let end = self.ends.head + self.old.len();
        let ends = before[..self.ends.head].iter().chain(&before[end..]);
        let ends = ends.filter_map(|value| self.numbers.find(value));
        is_by_index([before.len(), after.len()], &self.old, &self.new, ends)
    }
}

/// The action of an element that is on these sides, if that is known without a description. It is known if different content
/// always means an update, or if only one side has the element.
fn action(sides: [Option<&Value>; 2], content_decides: bool) -> Option<Action> {
    // Null may or may not count as a value, depending on the type. So may `""`, which the legacy provider SDK uses for null.
    let is_value = |value: &Value| !value.is_null() && value.as_str() != Some("");
    match sides {
        [Some(old), Some(new)] if !(old.is_bare() && new.is_bare()) => None,
        [Some(old), Some(new)] if same(old, new) => Some(Action::Same),
        [Some(_), Some(_)] => content_decides.then_some(Action::Update),
        [Some(old), None] => is_value(old).then_some(Action::Delete),
        [None, Some(new)] => is_value(new).then_some(Action::Create),
        [None, None] => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::value::Map;

    /// Objects, of which few lack a name or hide it, and texts.
    fn element() -> impl Strategy<Value = Value> {
        let object = (0_u8..8, 0_u8..2, 0_u8..12).prop_map(|(name, content, kind)| {
            let name = Value::from(f64::from(name)).with_secret(kind == 0);
            let content = Value::from(f64::from(content));
            match kind {
                1 => Value::from(Map::from_iter([("content", content)])),
                _ => Value::from(Map::from_iter([("name", name), ("content", content)])),
            }
        });
        prop_oneof![30 => object, 1 => Just(Value::from("a"))]
    }

    proptest! {
        #[test]
        fn names_give_the_order_that_numbers_give(
            before in prop::collection::vec(element(), 0..7),
            after in prop::collection::vec(element(), 0..7),
            tail in prop::collection::vec(element(), 0..2),
        ) {
            let [before, after] = [before, after].map(|list| [list, tail.clone()].concat());
            let ends = Ends::of(&before, &after);
            if let Some(order) = ends.by_name() {
                let middle = Middle::of(ends);
                prop_assert_eq!(middle.ends.tail, ends.tail);
                let by_numbers = middle.by_identity().map(|order| middle.ends.placed(order));
                prop_assert_eq!(by_numbers, Some(order));
            }
        }
    }
}
