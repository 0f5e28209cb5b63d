//! From the tree to the lines.

use std::fmt::Write;
use std::sync::Arc;

use super::{Body, Line, Options, Role, Span, is_identifying, text};
use crate::objchange::diff::{Action, Diff, Element, Group, Kind, TextLine};
use crate::path::{Path, Segment};
use crate::value::{Value, escape_into};

/// The lines so far, and where the walk stands.
pub(super) struct Walk {
    pub(super) lines: Vec<Line>,
    options: Options,
    depth: usize,
    path: Path,
    inside: Option<Path>,
}

/// One of the children of a container.
struct Child<'d> {
    label: Option<String>,
    path: Path,
    diff: &'d Diff,
    replaces: bool,
    is_identifying: bool,
}

impl Walk {
    pub(super) fn new(options: Options) -> Self {
        Self {
            lines: Vec::new(),
            options,
            depth: 0,
            path: Path::root(),
            inside: None,
        }
    }

    pub(super) fn root(&mut self, diff: &Diff) {
        if matches!(
            diff.kind,
            Kind::Map { .. } | Kind::Object { .. } | Kind::Block { .. }
        ) && !diff.replaces
        {
            self.children(diff);
        } else {
            self.node(None, diff, false);
        }
    }

    /// The place that is walked below, in the value or in the JSON of a string.
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

    /// The lines of one place.
    fn node(&mut self, label: Option<String>, diff: &Diff, replaces: bool) {
        if let Some(inside) = diff.looked_into() {
            return self.node(label, &inside, replaces);
        }
        let first = self.lines.len();
        match &diff.kind {
            Kind::TypeChange { before, after } if is_open(before) || is_open(after) => {
                self.node(label.clone(), before, false);
                self.node(label, after, false);
            }
            Kind::Lines(lines) => {
                let note = |value: &Value| vec![n_lines(value)];
                self.line(label, diff.action, body(diff, note));
                let (depth, path) = (1, self.place().clone());
                self.at(path, depth, |walk| walk.text(diff.action, lines));
            }
            Kind::Json(inner) => self.json(label, diff, inner),
            Kind::Unknown {
                before: Some(before),
            } if is_open(before) => {
                let body = Body::Both {
                    before: text::size(&before.before),
                    after: unknown(),
                };
                self.line(label, diff.action, body);
                self.deeper(before);
            }
            _ if is_open(diff) => {
                self.line(label, diff.action, body(diff, text::size));
                self.deeper(diff);
            }
            _ => {
                self.line(label, diff.action, leaf(diff));
            }
        }
        let head = &mut self.lines[first];
        head.forces_replacement = replaces || diff.replaces;
        head.reason = diff.reason();
    }

    fn deeper(&mut self, diff: &Diff) {
        self.depth += 1;
        self.children(diff);
        self.depth -= 1;
    }

    fn json(&mut self, label: Option<String>, diff: &Diff, inner: &Diff) {
        let note = |_: &Value| vec![Span::new("JSON in a string", Role::Container)];
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
            Kind::List { elements, .. } => {
                let children = self.elements(elements, true);
                self.fold(&children, "element", 1);
            }
            Kind::Set { elements, .. } => {
                let children = self.elements(elements, false);
                self.fold(&children, "element", 0);
            }
            Kind::Map { entries, .. } => {
                let children = self.keyed(entries);
                self.fold(&children, "attribute", 0);
            }
            Kind::Object { attributes, .. } => {
                let children = self.keyed(attributes);
                self.fold(&children, "attribute", 0);
            }
            Kind::Block { attributes, groups } => {
                let children = self.keyed(attributes);
                self.fold(&children, "attribute", 0);
                let place = self.place().clone();
                let children: Vec<_> = groups
                    .iter()
                    .flat_map(|group| members(group, &place))
                    .collect();
                self.fold(&children, "block", 0);
            }
            _ => {}
        }
    }

    fn keyed<'d>(&self, entries: &'d [(Arc<str>, Diff)]) -> Vec<Child<'d>> {
        let child = |(key, diff): &'d (Arc<str>, Diff)| Child {
            label: Some(escaped(key)),
            path: self.place().child(Segment::Key(key.clone())),
            diff,
            replaces: false,
            is_identifying: is_identifying(key) || is_tags(key, diff),
        };
        entries.iter().map(child).collect()
    }

    fn elements<'d>(&self, elements: &'d [Element], is_list: bool) -> Vec<Child<'d>> {
        let child = |element: &'d Element| {
            let index = element.new.or(element.old).unwrap_or_default();
            Child {
                label: is_list.then(|| format!("[{index}]")),
                path: self.place().child(Segment::Index(index)),
                diff: &element.diff,
                replaces: false,
                is_identifying: false,
            }
        };
        elements.iter().map(child).collect()
    }

    /// Shows the children that changed, that are near one that did, or that tell what the thing is; counts the others.
    fn fold(&mut self, children: &[Child<'_>], what: &'static str, extra: usize) {
        let context = self.options.context.saturating_add(extra);
        let is_change =
            |child: &Child<'_>| child.diff.is_change() || child.diff.replaces || child.replaces;
        let near = near(children.len(), context, |index| is_change(&children[index]));
        let mut n_folded = 0;
        // Elements and lines are folded in place, since their order says something; attributes are counted at the end.
        let in_place = what == "element";
        for (child, is_near) in children.iter().zip(near) {
            if is_near {
                self.folded(&mut n_folded, what, in_place);
                self.at(child.path.clone(), 0, |walk| {
                    walk.node(child.label.clone(), child.diff, child.replaces);
                });
            } else if child.is_identifying && self.inside.is_none() {
                self.identifying(child);
            } else {
                n_folded += 1;
            }
        }
        self.folded(&mut n_folded, what, true);
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

    fn identifying(&mut self, child: &Child<'_>) {
        let (label, path, value) = match child.diff.before.get("Name") {
            Some(name) if child.label.as_deref() == Some("tags") => {
                let path = child.path.child(Segment::from("Name"));
                (Some("tags.Name".to_owned()), path, name)
            }
            _ => (child.label.clone(), child.path.clone(), &child.diff.before),
        };
        self.at(path, 0, |walk| {
            walk.line(label, Action::Same, Body::Same(text::spans(value)));
        });
    }

    /// The lines of a text. Lines that are replaced by others are compared word by word.
    fn text(&mut self, action: Action, lines: &[TextLine]) {
        if action != Action::Update {
            for line in lines {
                let spans = text::line(&line.text);
                let body = match action {
                    Action::Create => Body::After(spans),
                    Action::Delete => Body::Before(spans),
                    _ => Body::Same(spans),
                };
                self.line(None, action, body);
            }
            return;
        }
        let context = self.options.context.saturating_add(1);
        let near = near(lines.len(), context, |index| {
            lines[index].action != Action::Same
        });
        let spans = compared(lines);
        let mut n_folded = 0;
        for ((line, is_near), spans) in lines.iter().zip(near).zip(spans) {
            if !is_near {
                n_folded += 1;
                continue;
            }
            self.folded(&mut n_folded, "line", true);
            let body = match line.action {
                Action::Create => Body::After(spans),
                Action::Delete => Body::Before(spans),
                Action::Same | Action::Update => Body::Same(spans),
            };
            self.line(None, line.action, body);
        }
        self.folded(&mut n_folded, "line", true);
    }
}

/// Which of `n` places lie at most `context` beside one that `is_change`.
fn near(n: usize, context: usize, is_change: impl Fn(usize) -> bool) -> Vec<bool> {
    if context == usize::MAX {
        return vec![true; n];
    }
    let mut near = vec![false; n];
    let mut shown_to = 0;
    for index in (0..n).filter(|index| is_change(*index)) {
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

/// Whether the node has lines below it.
fn is_open(diff: &Diff) -> bool {
    match &diff.kind {
        Kind::List { elements, .. } | Kind::Set { elements, .. } => !elements.is_empty(),
        Kind::Map {
            entries: children, ..
        }
        | Kind::Object {
            attributes: children,
            ..
        } => !children.is_empty(),
        Kind::Block { attributes, groups } => !attributes.is_empty() || !groups.is_empty(),
        Kind::Lines(_) | Kind::Json(_) => true,
        Kind::Unknown {
            before: Some(before),
        } => is_open(before),
        Kind::TypeChange { before, after } => is_open(before) || is_open(after),
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
        Kind::WriteOnly { .. } => {
            let show = |_: &Value| vec![Span::new("(write-only attribute)", Role::Secret)];
            match body(diff, show) {
                Body::Both { before, .. } => Body::Same(before),
                body => body,
            }
        }
        Kind::Line if diff.action == Action::Update => {
            let (before, after) = text::quoted_words(&diff.before, &diff.after);
            Body::Both { before, after }
        }
        _ => body(diff, text::spans),
    }
}

fn unknown() -> Vec<Span> {
    vec![Span::new(super::UNKNOWN, Role::Unknown)]
}

fn n_lines(value: &Value) -> Span {
    let n_lines = value.as_str().map_or(1, |text| text.lines().count());
    let plural = if n_lines == 1 { "" } else { "s" };
    Span::new(format!("<text> {n_lines} line{plural}"), Role::Container)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(&mut out, text).expect("a string takes every write");
    out
}

fn is_tags(key: &str, diff: &Diff) -> bool {
    key == "tags" && !diff.before.is_secret() && diff.before.get("Name").is_some()
}

fn members<'d>(group: &'d Group, place: &Path) -> Vec<Child<'d>> {
    let name = escaped(&group.name);
    let child = |member: &'d crate::objchange::diff::Member| {
        let mut label = name.clone();
        if let Some(key) = &member.key {
            write!(label, " \"{}\"", escaped(key)).expect("a string takes every write");
        } else if let (false, Some(index)) = (group.is_set, member.index.1.or(member.index.0)) {
            write!(label, "[{index}]").expect("a string takes every write");
        }
        Child {
            label: Some(label),
            path: group.path(member, place),
            diff: &member.diff,
            replaces: group.replaces,
            is_identifying: false,
        }
    };
    group.members.iter().map(child).collect()
}
