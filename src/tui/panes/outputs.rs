//! The outputs of the stack: their values, and in a plan or preview the changes of each.

use std::collections::{BTreeMap, HashMap};

use crate::change::difference::{Action as Doing, Context, describe};
use crate::path::{Path, Segment};
use crate::render::lines::{self, Line, Options};
use crate::stack::{Action, Output, Section, Stack};
use crate::tui::rows::{self, Fold, Leads, Look, Part, Row, Span, Spot, decoded, label};
use crate::tui::theme::Role;
use crate::tui::widgets::text::count;
use crate::value::{Map, Value};

/// The changes of the outputs.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Changes of values that exist afterwards, and of outputs that are removed, by path.
    by_path: HashMap<Path, Line>,
    /// Changes of removed values. In a list, another element may have the same path afterwards.
    gone: Vec<Line>,
}

impl Changes {
    /// True if no change is known.
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty() && self.gone.is_empty()
    }
}

/// The value at a path that starts with the name of an output. Any other path gives the map of all outputs.
pub fn value(stack: &Stack, before: bool, path: &Path) -> Option<Value> {
    let Some((Segment::Key(name), rest)) = path.0.split_first() else {
        return Some(map(stack, before));
    };
    let output = stack.outputs.iter().find(|it| it.name == *name)?;
    let [after, old] = output.sides();
    let side = if before { old } else { after }?;
    Path(rest.to_vec()).get(&side).cloned()
}

/// The value at a spot that starts with the name of an output.
pub fn value_at(stack: &Stack, spot: &Spot) -> Option<Value> {
    let value = value(stack, spot.part.starts_closed(), &spot.path)?;
    match &spot.inside {
        None => Some(value),
        Some(inside) => inside.get(&decoded(&value)?.value).cloned(),
    }
}

/// The values of all outputs as one map. A removed output is null afterwards.
pub fn map(stack: &Stack, before: bool) -> Value {
    let entries = stack.outputs.iter().filter_map(|output| {
        let [after, old] = output.sides();
        let value = if before {
            old?
        } else {
            after.unwrap_or_default()
        };
        Some((output.name.clone(), value))
    });
    entries.collect::<Map>().into()
}

/// The values of the outputs, and those before the change if they differ.
pub fn parts(stack: &Stack) -> Vec<(Part, Value)> {
    let (after, before) = (map(stack, false), map(stack, true));
    let mut parts = vec![(Part::Outputs, after.clone())];
    if before != after && before.as_map().is_some_and(|it| !it.is_empty()) {
        parts.push((Part::Before(Section::Outputs), before));
    }
    parts
}

/// The changes of the outputs. Empty if the file does not report them.
pub fn changes(stack: &Stack) -> Changes {
    let mut changes = Changes::default();
    if stack.outputs.iter().all(|output| output.action.is_none()) {
        return changes;
    }
    let [old, new] = maps(&stack.outputs);
    let diff = describe(&old, &new, Context::default());
    let lines = lines::lines(&diff, Options::ALL).into_iter();
    let (gone, stays): (Vec<_>, Vec<_>) = lines
        .filter(|line| line.inside.is_none())
        .partition(|line| line.action == Doing::Delete);
    for line in stays {
        changes.by_path.entry(line.path.clone()).or_insert(line);
    }
    for line in gone {
        let is_whole = line.path.0.len() == 1 && !changes.by_path.contains_key(&line.path);
        if is_whole {
            changes.by_path.insert(line.path.clone(), line);
        } else {
            changes.gone.push(line);
        }
    }
    changes
}

/// The values of some outputs before and after the change, by name.
pub(super) fn maps(outputs: &[Output]) -> [Value; 2] {
    let side = |choose: fn(&Output) -> Option<Value>| -> Value {
        let entries = outputs.iter();
        let entries = entries.filter_map(|it| Some((it.name.clone(), choose(it)?)));
        entries.collect::<Map>().into()
    };
    let before = side(|output| {
        let is_there = output.action.is_some_and(|it| it != Action::Create);
        output.before.clone().filter(|_| is_there)
    });
    let after = side(|output| match output.action {
        Some(Action::Delete) | None => None,
        Some(_) => Some(output.value.clone()),
    });
    [before, after]
}

/// The number of outputs for each action, in words. Empty if the file reports no actions.
pub fn summary(stack: &Stack) -> String {
    let counted = Action::ALL.into_iter().filter_map(|action| {
        let outputs = stack.outputs.iter();
        let n = outputs.filter(|it| it.action == Some(action)).count();
        let word = match action {
            Action::Noop if !stack.is_comparison => "unchanged",
            action => stack.word(action),
        };
        (n > 0).then(|| format!("{n} {word}"))
    });
    counted.collect::<Vec<_>>().join(" · ")
}

/// Adds the changes to the rows of values: a sign, and `before → after` where both exist. The revealed row shows only its value.
/// `before` holds the values before the change.
pub(super) fn annotate(
    rows: &mut Vec<Row>,
    changes: &Changes,
    before: Option<&Value>,
    look: Look<'_>,
) {
    let revealed = look.revealed;
    for index in (0..rows.len()).rev() {
        if rows[index].spot.part != Part::Outputs {
            continue;
        }
        if rows[index].fold == Fold::Open {
            add_gone(rows, index, &changes.gone);
        }
        let row = &mut rows[index];
        let is_inner = row.spot.inner().is_some();
        let line = changes.by_path.get(&row.spot.path).filter(|_| !is_inner);
        let line = line.filter(|line| line.action != Doing::Same);
        let Some(line) = line else {
            row.sign = Some(Span::new(" ", Role::Dim));
            continue;
        };
        row.sign = Some(Span::new(line.action.sign(), line.action.into()));
        if line.action == Doing::Delete {
            row.spot.part = Part::Before(Section::Outputs);
            row.fold = Fold::Leaf;
            let old = before.and_then(|before| row.spot.path.get(before));
            row.secret = old.is_some_and(Value::is_secret);
            if let Some(old) = old.filter(|_| revealed == Some(&row.spot)) {
                row.body = rows::body(&old.reveal(), false, false);
                row.remark = vec![rows::revealed_remark()];
            } else if let Some(old) = old.filter(|_| row.secret) {
                row.remark = vec![rows::secret_remark(old, look.stack)];
            }
        }
        if row.fold != Fold::Open && revealed != Some(&row.spot) {
            row.body = body(line);
            let remark = line.remark().map(|it| Span::new(it, Role::Badge));
            row.remark.splice(0..0, remark);
        }
    }
}

/// Adds the removed values below the container on row `index`, after the values that stay.
fn add_gone(rows: &mut Vec<Row>, index: usize, gone: &[Line]) {
    let (depth, path) = (rows[index].depth, rows[index].spot.path.clone());
    let below = rows[index + 1..]
        .iter()
        .take_while(|row| row.depth > depth)
        .count();
    let align = rows
        .get(index + 1)
        .filter(|_| below > 0)
        .map_or(0, |row| row.align);
    let mut end = index + 1 + below;
    for line in gone {
        let Some((last, above)) = line.path.0.split_last() else {
            continue;
        };
        if above != path.0 {
            continue;
        }
        let row = Row {
            depth: depth + 1,
            fold: Fold::Leaf,
            label: label(last),
            align,
            sign: Some(Span::new(line.action.sign(), line.action.into())),
            body: body(line),
            remark: Vec::new(),
            spot: Spot {
                path: line.path.clone(),
                ..Spot::top(Part::Before(Section::Outputs))
            },
            leads: Leads::Nowhere,
            secret: false,
        };
        rows.insert(end, row);
        end += 1;
    }
}

/// Maximum number of stacks that are named beside an output.
const MAX_READERS: usize = 3;

/// Adds the stacks that read each output to its row.
pub fn add_readers(rows: &mut [Row], readers: &BTreeMap<String, Vec<String>>) {
    for row in rows {
        let [Segment::Key(name)] = &row.spot.path.0[..] else {
            continue;
        };
        let is_value = row.spot.inner().is_none();
        let Some(names) = readers.get(&**name).filter(|_| is_value) else {
            continue;
        };
        let mut text = names[..names.len().min(MAX_READERS)].join(", ");
        if names.len() > MAX_READERS {
            text = format!(
                "{text} and {} more",
                count((names.len() - MAX_READERS) as u64)
            );
        }
        let text = format!("read by {text}");
        row.remark.push(Span::new(text, Role::Reference));
    }
}

fn body(line: &Line) -> Vec<Span> {
    line.unified()
        .into_iter()
        .map(|span| Span::new(span.text, span.role.into()))
        .collect()
}
