use proptest::prelude::*;

use super::*;
use crate::stack::{Amendment, Batch, Flags, Header, Kind, Output, Record};
use crate::value::Value;

const ACTIONS: [Option<Action>; 5] = [
    None,
    Some(Action::Noop),
    Some(Action::Update),
    Some(Action::Create),
    Some(Action::Delete),
];

/// A stack whose resources have these actions.
fn stack_of(actions: &[usize]) -> Stack {
    let mut batch = Batch::default();
    for action in actions {
        let record = Record {
            action: ACTIONS[*action],
            ..Record::default()
        };
        batch.chunk.push(record, "name", "");
    }
    let mut stack = Stack::new(Header::new(Kind::PulumiState));
    stack.extend(batch);
    stack
}

fn output(is_changed: bool) -> Output {
    Output {
        name: "o".into(),
        value: Value::NULL,
        before: None,
        action: Some(if is_changed {
            Action::Update
        } else {
            Action::Noop
        }),
        declared_type: String::new(),
    }
}

fn rows(pane: &ChangesPane) -> Vec<Option<ListRow>> {
    (0..pane.rows().row_count())
        .map(|row| pane.rows().row(row))
        .collect()
}

proptest! {
    /// Resources that get another action later end up in the section where they would have been from the start.
    #[test]
    fn resources_move_to_the_sections_they_belong_to(
        actions in proptest::collection::vec(0..ACTIONS.len(), 1..30),
        rounds in proptest::collection::vec(proptest::collection::vec((any::<u32>(), 1..ACTIONS.len()), 0..8), 0..4),
    ) {
        let mut stack = stack_of(&actions);
        let mut pane = ChangesPane::default();
        pane.toggle(Topic::Change(Action::Noop));
        let fresh = pane.clone();
        pane.renew(&stack, 0, &[]);
        for round in rounds {
            let len = u32::try_from(actions.len()).unwrap();
            let amendments: Vec<_> = round
                .iter()
                .map(|(id, action)| Amendment {
                    resource: ResourceId(id % len),
                    parent: None,
                    flags: Flags::NONE,
                    action: ACTIONS[*action],
                })
                .collect();
            let ids: Vec<_> = amendments.iter().map(|it| it.resource).collect();
            stack.extend(Batch { amendments, ..Batch::default() });
            pane.renew(&stack, stack.len(), &ids);
            let mut whole = fresh.clone();
            whole.renew(&stack, 0, &[]);
            prop_assert_eq!(rows(&pane), rows(&whole));
        }
    }

    /// Skipping whole sections and groups finds the row that looking at every row finds.
    #[test]
    fn the_next_change_to_review_is_the_first_of_all_rows(
        actions in proptest::collection::vec(0..ACTIONS.len(), 1..30),
        outputs in proptest::collection::vec(any::<bool>(), 0..4),
        reviewed in proptest::collection::btree_set(0..30_u32, 0..20),
        reviewed_outputs in proptest::collection::btree_set(0..4_usize, 0..3),
        closed in proptest::collection::vec(0..Topic::ALL.len(), 0..4),
        is_arranged in any::<bool>(),
        from in 0..35_usize,
    ) {
        let mut stack = stack_of(&actions);
        stack.outputs = Arc::new(outputs.into_iter().map(output).collect());
        let mut pane = ChangesPane::default();
        pane.renew(&stack, 0, &[]);
        pane.take_beside(&stack);
        for topic in closed {
            pane.toggle(Topic::ALL[topic]);
        }
        if is_arranged {
            pane.chosen = Some(Arrangement::Flat);
            let arranged = Arranged::new(&stack, &pane.request().unwrap());
            pane.set_arranged(Some(arranged));
        }
        let resources = reviewed.into_iter().map(|id| ChangeId::Resource(ResourceId(id)));
        let outputs = reviewed_outputs.into_iter().map(ChangeId::Output);
        let reviewed: BTreeSet<_> = resources.chain(outputs).collect();
        let len = pane.rows().row_count();
        let is_next = |row: &usize| match pane.rows().row(*row) {
            Some(ListRow::Change(id)) => is_reviewed(&stack, id) && !reviewed.contains(&id),
            _ => false,
        };
        let slow = (from..len).chain(0..len).find(is_next);
        prop_assert_eq!(pane.next_unreviewed(&reviewed, from), slow);
    }
}
