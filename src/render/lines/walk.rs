//! From the tree to the lines.

use std::sync::Arc;

use super::child::Child;
use super::{Body, Line, Options, Role, Span, text};
use crate::change::decode::{Decoder, contents, packing};
use crate::change::difference::{Action, Context, Diff, DiffKind, Reason, TextLine, describe};
use crate::path::{Path, Segment};
use crate::text::plural;
use crate::value::Value;

/// Maximum number of packed strings that are unpacked for one difference, and maximum size of each in bytes. Further and larger ones
/// are compared as they are.
const MAX_UNPACKED: (usize, usize) = (32, 256 << 10);

/// The lines so far, and the position of the walk.
pub(super) struct LineBuilder {
    pub(super) lines: Vec<Line>,
    /// The two sides of each line whose value is secret, by its index.
    pub(super) secrets: Vec<(usize, [Value; 2])>,
    options: Options,
    depth: usize,
    path: Path,
    inside: Option<Path>,
    n_unpacked: usize,
}

impl LineBuilder {
    pub(super) fn new(options: Options) -> Self {
        Self {
            lines: Vec::new(),
            secrets: Vec::new(),
            options,
            depth: 0,
            path: Path::root(),
            inside: None,
            n_unpacked: 0,
        }
    }

    pub(super) fn root(&mut self, diff: &Diff) {
        if matches!(
            diff.kind,
            DiffKind::Map { .. } | DiffKind::Object { .. } | DiffKind::Block { .. }
        ) && !diff.replaces
        {
            self.children(diff);
        } else {
            self.node(None, diff, false);
        }
    }

    /// The path of the container being walked, in the value or in the JSON of a string.
    fn place(&self) -> &Path {
        self.inside.as_ref().unwrap_or(&self.path)
    }

    /// Runs `walk` one level deeper, at `place`.
    fn at(&mut self, place: Path, deeper: usize, walk: impl FnOnce(&mut Self)) {
        let outer = if self.inside.is_some() {
            self.inside.replace(place)
        } else {
            Some(std::mem::replace(&mut self.path, place))
        };
        self.depth += deeper;
        walk(self);
        self.depth -= deeper;
        if self.inside.is_some() {
            self.inside = outer;
        } else {
            self.path = outer.unwrap_or_default();
        }
    }

    fn line(&mut self, label: Option<String>, action: Action, body: Body) -> &mut Line {
        self.lines.push(Line {
            depth: self.depth,
            action,
            label,
            body,
            forces_replacement: false,
            reason: None,
            path: self.path.clone(),
            inside: self.inside.clone(),
        });
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }

    /// Keeps the two sides of the last line if either is secret.
    fn keep_secret(&mut self, sides: [&Value; 2]) {
        if sides.iter().any(|side| side.is_secret()) {
            let last = self.lines.len() - 1;
            self.secrets.push((last, sides.map(Value::clone)));
        }
    }

    /// Adds the lines of one place.
    fn node(&mut self, label: Option<String>, diff: &Diff, replaces: bool) {
        let first = self.lines.len();
        if let Some((form, inner)) = self.unpacked(diff) {
            self.document(&form, label, diff, &inner);
        } else {
            self.as_it_is(label, diff);
        }
        let head = &mut self.lines[first];
        head.forces_replacement = replaces || diff.replaces;
        head.reason = diff.reason();
    }

    fn as_it_is(&mut self, label: Option<String>, diff: &Diff) {
        match &diff.kind {
            _ if diff.spelling.is_some() && !self.options.show_noise => {
                self.line(label, diff.action, spelled(diff));
            }
            DiffKind::TypeChange { before, after } if is_open(before) || is_open(after) => {
                self.node(label.clone(), before, false);
                self.node(label, after, false);
            }
            DiffKind::Lines(lines) => {
                let note = |value: &Value| vec![n_lines(value)];
                self.line(label, diff.action, body(diff, note));
                let (depth, path) = (1, self.place().clone());
                self.at(path, depth, |walk| walk.text(diff.action, lines));
            }
            DiffKind::Json(inner) => self.document(Decoder::Json.name(), label, diff, inner),
            DiffKind::Document { form, values, .. } => {
                self.document(form.name(), label, diff, values);
            }
            _ if is_open(diff) => {
                self.line(label, diff.action, body(diff, text::size));
                self.deeper(diff);
            }
            _ => {
                self.line(label, diff.action, leaf(diff));
                self.keep_secret([&diff.before, &diff.after]);
            }
        }
    }

    fn deeper(&mut self, diff: &Diff) {
        self.depth += 1;
        self.children(diff);
        self.depth -= 1;
    }

    /// The format and the difference of what is packed in a string. `None` if it is not packed, or packed in another way before, and
    /// if only the packing differs.
    fn unpacked(&mut self, diff: &Diff) -> Option<(String, Diff)> {
        let is_text = match diff.kind {
            DiffKind::Line | DiffKind::Lines(_) => true,
            // A secret only because of what is packed in it can be opened.
            DiffKind::Sensitive { .. } => [&diff.before, &diff.after]
                .into_iter()
                .all(|side| side.is_null() || side.packed_secret().is_some()),
            _ => false,
        };
        let is_folded = diff.spelling.is_some() && !self.options.show_noise;
        if !is_text || is_folded || diff.action == Action::Same || self.inside.is_some() {
            return None;
        }
        let (most, limit) = MAX_UNPACKED;
        let mut open = |side: &Value| {
            packing(side).filter(|_| self.n_unpacked < most)?;
            self.n_unpacked += 1;
            contents(side, limit)
        };
        let (format, before, after) = match diff.action {
            Action::Create => {
                let after = open(&diff.after)?;
                (after.format, Value::NULL, after.value)
            }
            Action::Delete => {
                let before = open(&diff.before)?;
                (before.format, before.value, Value::NULL)
            }
            Action::Update | Action::Same => {
                let (before, after) = (open(&diff.before)?, open(&diff.after)?);
                let format = Some(after.format).filter(|it| *it == before.format)?;
                (format, before.value, after.value)
            }
        };
        let inner = describe(&before, &after, Context::default());
        (inner.action != Action::Same).then_some((format, inner))
    }

    fn document(&mut self, form: &str, label: Option<String>, diff: &Diff, inner: &Diff) {
        let what = format!("{form} in a string");
        let note = |_: &Value| vec![Span::new(what.as_str(), Role::Container)];
        let head = match body(diff, note) {
            Body::Both { before, .. } => Body::Same(before),
            body => body,
        };
        self.line(label, diff.action, head);
        if inner.action == Action::Same && diff.action == Action::Update && !self.options.show_noise
        {
            return;
        }
        let outer = self.inside.replace(Path::root());
        self.depth += 1;
        if is_open(inner) {
            self.children(inner);
        } else {
            self.node(None, inner, false);
        }
        self.depth -= 1;
        self.inside = outer;
    }

    fn children(&mut self, diff: &Diff) {
        match &diff.kind {
            DiffKind::List { elements, .. } => {
                self.fold(
                    elements.iter().map(Child::Item),
                    elements.len(),
                    "element",
                    1,
                );
            }
            DiffKind::Set { elements, .. } => {
                self.fold(
                    elements.iter().map(Child::Nameless),
                    elements.len(),
                    "element",
                    0,
                );
            }
            DiffKind::Map { entries, .. } | DiffKind::Object { entries, .. } => {
                self.attributes(entries);
            }
            DiffKind::Block { attributes, groups } => {
                self.attributes(attributes);
                let members = groups
                    .iter()
                    .flat_map(|group| group.members.iter().map(move |member| (group, member)));
                let n_members = groups.iter().map(|group| group.members.len()).sum();
                let children = members.map(|(group, member)| Child::Member(group, member));
                self.fold(children, n_members, "block", 0);
                for group in groups.iter().filter(|it| it.is_reordered) {
                    let size = vec![Span::new(
                        format!("[{}]", group.members.len()),
                        Role::Container,
                    )];
                    let head = self.line(
                        Some(group.name.to_string()),
                        Action::Update,
                        Body::Same(size),
                    );
                    head.reason = Some(Reason::Moved);
                }
            }
            _ => {}
        }
    }

    fn attributes(&mut self, entries: &[(Arc<str>, Diff)]) {
        let children = entries.iter().map(|(key, diff)| Child::Keyed(key, diff));
        self.fold(children, entries.len(), "attribute", 0);
    }

    /// Shows the children that changed, that are near a change, or that identify the thing, and counts the rest.
    fn fold<'d>(
        &mut self,
        children: impl Iterator<Item = Child<'d>> + Clone,
        n_children: usize,
        what: &'static str,
        extra: usize,
    ) {
        let context = self.options.context.saturating_add(extra);
        let changes = children.clone().map(|child| child.is_change());
        let near = near(n_children, context, changes);
        let (mut n_folded, mut n_shown, mut n_awaited) = (0, 0, 0);
        // Elements and lines are folded in place, since their order matters; attributes are counted at the end.
        let in_place = what == "element";
        let mut rest = children.zip(near);
        for (child, is_near) in rest.by_ref() {
            if is_near && self.options.hides_unknown && child.is_awaited() {
                n_awaited += 1;
            } else if is_near {
                self.folded(&mut n_folded, what, in_place);
                let place = child.path(self.place());
                self.at(place, 0, |walk| {
                    walk.node(child.label(), &child.diff(), child.replaces());
                });
                n_shown += 1;
                if n_shown >= self.options.most {
                    break;
                }
            } else if self.inside.is_none()
                && let Some(diff) = child.identifying()
            {
                self.identifying(&child, diff);
            } else {
                n_folded += 1;
            }
        }
        let awaited = std::iter::repeat_n(true, n_awaited);
        self.more(
            rest.map(|(child, _)| child.is_change()).chain(awaited),
            what,
        );
        self.folded(&mut n_folded, what, true);
    }

    /// Counts the children that are left out because there are too many.
    fn more(&mut self, changes: impl Iterator<Item = bool>, what: &'static str) {
        let (mut count, mut n_changed) = (0, 0);
        for is_change in changes {
            count += 1;
            n_changed += usize::from(is_change);
        }
        if count > 0 {
            let action = if n_changed > 0 {
                Action::Update
            } else {
                Action::Same
            };
            let body = Body::More {
                count,
                n_changed,
                what,
            };
            self.line(None, action, body);
        }
    }

    fn folded(&mut self, count: &mut usize, what: &'static str, now: bool) {
        if *count > 0 && now {
            let body = Body::Folded {
                count: *count,
                what,
            };
            self.line(None, Action::Same, body);
            *count = 0;
        }
    }

    fn identifying(&mut self, child: &Child<'_>, diff: &Diff) {
        let (label, path) = (child.label(), child.path(self.place()));
        let (label, path, value) = match diff.before.get("Name") {
            Some(name) if label.as_deref() == Some("tags") => {
                let path = path.child(Segment::from("Name"));
                (Some("tags.Name".to_owned()), path, name)
            }
            _ => (label, path, &diff.before),
        };
        self.at(path, 0, |walk| {
            walk.line(label, Action::Same, Body::Same(text::spans(value)));
            walk.keep_secret([value, value]);
        });
    }

    /// Adds the lines of a text. Replaced lines are compared word by word.
    fn text(&mut self, action: Action, lines: &[TextLine]) {
        let is_whole = action != Action::Update;
        let context = self.options.context.saturating_add(1);
        let changes = lines.iter().map(|line| line.action != Action::Same);
        let near = near(lines.len(), context, changes.clone());
        let is_shown = |at: usize| is_whole || near[at];
        // Lines past the last one shown are not examined.
        let end = (0..lines.len())
            .filter(|at| is_shown(*at))
            .nth(self.options.most.saturating_sub(1))
            .map_or(lines.len(), |last| last + 1);
        let mut n_folded = 0;
        for (at, spans) in compared(&lines[..end]).into_iter().enumerate() {
            if !is_shown(at) {
                n_folded += 1;
                continue;
            }
            self.folded(&mut n_folded, "line", true);
            let own = if is_whole { action } else { lines[at].action };
            let body = match own {
                Action::Create => Body::After(spans),
                Action::Delete => Body::Before(spans),
                Action::Same | Action::Update => Body::Same(spans),
            };
            self.line(None, own, body);
        }
        self.folded(&mut n_folded, "line", true);
        let is_change =
            |is_changed| is_changed || matches!(action, Action::Create | Action::Delete);
        self.more(changes.skip(end).map(is_change), "line");
    }
}

/// Marks those of `n` places that are at most `context` away from one of the `changes`.
fn near(n: usize, context: usize, changes: impl Iterator<Item = bool>) -> Vec<bool> {
    if context == usize::MAX {
        return vec![true; n];
    }
    let mut near = vec![false; n];
    let mut shown_to = 0;
    let indexes = changes.enumerate().filter(|(_, is_change)| *is_change);
    for (index, _) in indexes {
        let from = index.saturating_sub(context).max(shown_to);
        let to = index.saturating_add(context).saturating_add(1).min(n);
        near[from.min(to)..to].fill(true);
        shown_to = to;
    }
    near
}

/// The spans of the lines of a text: a run of deleted lines before as many created ones is compared word by word.
fn compared(lines: &[TextLine]) -> Vec<Vec<Span>> {
    let mut spans: Vec<Vec<Span>> = lines.iter().map(|line| text::line(&line.text)).collect();
    let mut start = 0;
    for run in lines.chunk_by(|a, b| a.action == b.action) {
        let end = start + run.len();
        let n_after = lines[end..]
            .iter()
            .take_while(|line| line.action == Action::Create)
            .count();
        if run[0].action == Action::Delete && n_after == run.len() {
            for index in start..end {
                let (old, new) = text::words(&lines[index].text, &lines[index + n_after].text);
                spans[index] = old;
                spans[index + n_after] = new;
            }
        }
        start = end;
    }
    spans
}

/// True if the node has lines below it.
fn is_open(diff: &Diff) -> bool {
    match &diff.kind {
        DiffKind::List { elements, .. } | DiffKind::Set { elements, .. } => !elements.is_empty(),
        DiffKind::Map { entries, .. } | DiffKind::Object { entries, .. } => !entries.is_empty(),
        DiffKind::Block { attributes, groups } => !attributes.is_empty() || !groups.is_empty(),
        DiffKind::Lines(_) | DiffKind::Json(_) | DiffKind::Document { .. } => true,
        DiffKind::TypeChange { before, after } => is_open(before) || is_open(after),
        _ => false,
    }
}

fn body(diff: &Diff, show: impl Fn(&Value) -> Vec<Span>) -> Body {
    match diff.action {
        Action::Same => Body::Same(show(&diff.before)),
        Action::Create => Body::After(show(&diff.after)),
        Action::Delete => Body::Before(show(&diff.before)),
        Action::Update => {
            let (before, after) = (show(&diff.before), show(&diff.after));
            if before == after && is_open(diff) {
                Body::Same(before)
            } else {
                Body::Both { before, after }
            }
        }
    }
}

fn leaf(diff: &Diff) -> Body {
    match &diff.kind {
        DiffKind::WriteOnly { .. } => {
            let show = |_: &Value| vec![Span::new("(write-only attribute)", Role::Secret)];
            match body(diff, show) {
                Body::Both { before, .. } => Body::Same(before),
                body => body,
            }
        }
        DiffKind::Unknown {
            before: Some(before),
        } if matches!(before.kind, DiffKind::Lines(_) | DiffKind::Document { .. }) => Body::Both {
            before: vec![n_lines(&before.before)],
            after: vec![Span::new(super::KNOWN_AFTER_APPLY, Role::Unknown)],
        },
        DiffKind::Line if diff.action == Action::Update => {
            let (before, after) = text::quoted_words(&diff.before, &diff.after);
            Body::Both { before, after }
        }
        _ => body(diff, text::spans),
    }
}

/// Two spellings of one value in one line.
fn spelled(diff: &Diff) -> Body {
    match &diff.kind {
        DiffKind::Line | DiffKind::Lines(_) | DiffKind::Document { .. } | DiffKind::Json(_)
            if matches!(diff.spelling, Some(Reason::LineEnds | Reason::ScriptEnds)) =>
        {
            Body::Same(vec![n_lines(&diff.after)])
        }
        _ => body(diff, text::spans),
    }
}

fn n_lines(value: &Value) -> Span {
    let n_lines = value.as_str().map_or(1, |text| text.lines().count());
    let n_lines = plural(n_lines, "line");
    Span::new(format!("<text> {n_lines}"), Role::Container)
}
