//! Outputs that change because a resource does: a text that they lose is one that changes there.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::stack_findings;
use crate::change::kinds::Print;
use crate::change::leaves::Leaf;
use crate::change::texts::each_text;
use crate::stack::{ResourceId, Stack};
use crate::value::Value;

/// Minimum number of bytes of a text that tells where it comes from.
const MIN_TEXT: usize = 6;

/// The changed outputs by the hashes of the texts that they lose, and the resource that changes each.
#[derive(Clone, Default, Debug)]
pub(super) struct Outputs {
    by_text: HashMap<Print, Vec<usize>>,
    /// By the number of the output.
    givers: BTreeMap<usize, ResourceId>,
}

impl Outputs {
    /// The changed outputs of a file, of which no resource is known yet.
    pub(super) fn of(stack: &Stack) -> Self {
        let mut outputs = Self::default();
        let all = stack.outputs.iter().enumerate();
        for (number, output) in all.filter(|(_, output)| output.is_changed()) {
            let mut kept: HashSet<Print> = HashSet::new();
            each_long_text(&output.value, &mut |text| _ = kept.insert(Print::of(&text)));
            let mut take = |text: &str| {
                let print = Print::of(&text);
                if !kept.contains(&print) {
                    outputs.by_text.entry(print).or_default().push(number);
                }
            };
            each_long_text(output.before.as_ref().unwrap_or(&Value::NULL), &mut take);
        }
        outputs
    }

    /// Adds a changed resource with its leaves.
    pub(super) fn add(&mut self, stack: &Stack, id: ResourceId, leaves: &[Leaf]) {
        if self.by_text.is_empty() {
            return;
        }
        let by_text = std::mem::take(&mut self.by_text);
        for leaf in leaves {
            each_long_text(&leaf.before, &mut |text| {
                for number in by_text.get(&Print::of(&text)).into_iter().flatten() {
                    self.add_giver(stack, *number, id);
                }
            });
        }
        self.by_text = by_text;
    }

    /// The first resource by name stays.
    fn add_giver(&mut self, stack: &Stack, number: usize, id: ResourceId) {
        let order = |id: ResourceId| (stack.identity(id), id);
        let giver = self.givers.entry(number).or_insert(id);
        if order(id) < order(*giver) {
            *giver = id;
        }
    }

    pub(super) fn append(&mut self, stack: &Stack, other: Self) {
        for (number, id) in other.givers {
            self.add_giver(stack, number, id);
        }
    }

    /// The resources by the number of the output that changes with each. An output that something is said of stands alone.
    pub(super) fn finish(mut self, stack: &Stack) -> BTreeMap<usize, ResourceId> {
        for (number, _) in stack_findings::of_outputs(stack) {
            self.givers.remove(&number);
        }
        self.givers
    }
}

fn each_long_text(value: &Value, take: &mut dyn FnMut(&str)) {
    each_text(value, &mut |text| {
        if text.len() >= MIN_TEXT {
            take(text);
        }
    });
}
