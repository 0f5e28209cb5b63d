//! Lists whose elements are aligned.

use super::align::{Facing, align, is_by_index};
use super::elements::{Inside, Telling};
use super::pair::Pair;
use super::{Action, Alignment, Diff, Kind};
use crate::value::Value;
use crate::value::content::{Numbered, Numbers};

/// The difference of two lists.
///
/// Work goes with what changed: what is identical at both ends is only compared, and what is between is hashed once. Elements are
/// described when somebody asks ([`Elements`](super::Elements)).
pub(super) fn list(pair: &Pair<'_>, inside: &Inside) -> Diff {
    let (before, after) = (pair.elements_before(), pair.elements_after());
    let middle = Middle::of(before, after);
    let (head, tail) = (middle.head, middle.tail);
    // A type may say that elements of different content count as the same.
    let content_decides = *inside == Inside::Any;

    let mut telling = Telling::new(pair, inside.clone());
    for index in 0..head {
        telling.tell(Some(index), Some(index), Some(Action::Same));
    }
    middle.tell(
        pair.alignment,
        |facing| {
            inside.may_pair(&before[facing.old], &after[facing.new])
                || facing.is_even && pair.alignment == Alignment::Content
        },
        |old, new| telling.tell(old, new, middle.action(old, new, content_decides)),
    );
    for (old, new) in (before.len() - tail..before.len()).zip(after.len() - tail..) {
        telling.tell(Some(old), Some(new), Some(Action::Same));
    }

    let (elements, action) = telling.done();
    let kind = Kind::List {
        elements,
        nested: false,
    };
    pair.node(action, kind)
}

/// The elements of two lists of objects or blocks by their indexes, in the order in which they are told: those of the same content
/// face each other, and between them the first faces the first.
pub(super) fn order_by_content(pair: &Pair<'_>) -> Vec<(Option<usize>, Option<usize>)> {
    let (before, after) = (pair.elements_before(), pair.elements_after());
    let mut numbers = Numbers::default();
    let [old, new] = [before, after].map(|list| numbers.of(list).numbers);
    let mut told = Vec::with_capacity(before.len().max(after.len()));
    align(&old, &new, |_| true, |old, new| told.push((old, new)));
    told
}

/// How many pairs are identical before the first that is not.
fn n_identical<'v>(
    before: impl Iterator<Item = &'v Value>,
    after: impl Iterator<Item = &'v Value>,
) -> usize {
    let pairs = before.zip(after);
    pairs.take_while(|(old, new)| old.is_identical(new)).count()
}

/// What is between the identical ends of two lists.
struct Middle<'v> {
    before: &'v [Value],
    after: &'v [Value],
    /// How many elements at the beginning are identical.
    head: usize,
    /// How many elements at the end are identical.
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
        // What stays is told at the first place where it may stand, and that of an element of the end may be in the middle.
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

    /// Tells the elements of the middle by their indexes in the whole lists.
    fn tell(
        &self,
        alignment: Alignment,
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
        if alignment == Alignment::Terraform && is_by_index(lengths, old, new, ends) {
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

    /// What happens to an element of the middle, if that is known without a look into it: where elements of different content always
    /// count as different, or there is only one.
    fn action(
        &self,
        old: Option<usize>,
        new: Option<usize>,
        content_decides: bool,
    ) -> Option<Action> {
        // Null, and "" which the old provider kit takes for it, may count as a value or as none, depending on the type.
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
