//! Lists that slide together: resources of several types that come from one `count` or `for_each`.

use std::collections::BTreeMap;

use super::{Shift, ShiftKind};
use crate::change::mechanisms::repeat_in_words;
use crate::stack::Stack;

/// The shifts, where slides of one list are one, which names the list.
pub fn joined(stack: &Stack, mut shifts: Vec<Shift>) -> Vec<Shift> {
    // The first slide of a list speaks for all, whatever the order of the file.
    let name = |shift: &Shift| shift.pairs.first().map(|pair| stack.identity(pair.new));
    shifts.sort_by_cached_key(name);
    let mut joined: Vec<Shift> = Vec::new();
    let mut lists: BTreeMap<(ShiftKind, String), usize> = BTreeMap::new();
    for mut shift in shifts {
        let Some(list) = list_of(stack, &shift) else {
            joined.push(shift);
            continue;
        };
        if let Some(first) = lists.get(&(shift.kind, list.clone())) {
            let first = &mut joined[*first];
            first.pairs.append(&mut shift.pairs);
            first.moves.append(&mut shift.moves);
            if let (Some((level, _)), Some((other, _))) = (&mut first.alarm, &shift.alarm) {
                *level = (*level).min(*other);
            }
            continue;
        }
        if let Some((_, says)) = &mut shift.alarm {
            says.push_str(", ");
            says.push_str(&list);
        }
        lists.insert((shift.kind, list), joined.len());
        joined.push(shift);
    }
    joined
}

/// The list that makes the instances of a slide, in words.
fn list_of(stack: &Stack, shift: &Shift) -> Option<String> {
    let ShiftKind::Slide(_) = shift.kind else {
        return None;
    };
    repeat_in_words(stack, stack.address(shift.pairs.first()?.new)?)
}
