//! The type of a value: short in the path line, or with all its shapes on a page.

use std::slice;

use super::text::{About, TextLine, TextView};
use crate::stack::Kind;
use crate::text::plural;
use crate::tui::rows::shown;
use crate::tui::theme::Role;
use crate::types::Type;
use crate::value::{Payload, Value};

/// Maximum number of parts of a value whose type is inferred for the path line, which is drawn often. A larger value shows its
/// kind.
const MAX_PARTS: usize = 400;

/// Maximum length of a type beside a path, in characters.
const MAX_SHORT: usize = 44;

/// Maximum length of a type printed on one line, in characters.
const MAX_LINE: usize = 80;

/// Maximum number of lines of a printed type. More are left out.
const MAX_LINES: usize = 5000;

/// The inferred type of a value in a file of this kind, short enough to share a line.
pub fn short(value: &Value, kind: Kind) -> Option<String> {
    let mut room = MAX_PARTS;
    if is_small(value, &mut room) {
        let ty = infer(value, kind);
        if ty == Type::Dynamic {
            return None;
        }
        let ty = ty.to_string();
        if ty.chars().count() <= MAX_SHORT {
            return Some(ty);
        }
    }
    let kind = match value.payload() {
        Payload::Map(map) => format!("Object<{}>", plural(map.len(), "key")),
        Payload::Array(array) => format!("Array<…> of {}", array.len()),
        _ => "Union<…>".to_owned(),
    };
    Some(kind).filter(|_| !value.is_secret())
}

/// The page about the type of a value: its shapes, and where it is of another type than before the change.
pub fn page(name: &str, value: &Value, before: Option<&Value>, kind: Kind) -> TextView {
    let ty = infer(value, kind);
    let mut lines = Vec::new();
    let mut shapes = vec![("inferred", ty.clone())];
    if kind.is_pulumi() {
        shapes.extend([
            ("input shape", ty.input_shape()),
            ("output shape", ty.output_shape()),
            ("plain shape", ty.plain_shape()),
        ]);
    }
    let text = |text: &str| TextLine::of(shown(text), Role::Text);
    for (name, ty) in shapes {
        lines.push(TextLine::of(name, Role::Title));
        let mut printed = Vec::new();
        print(&ty, ["", ""], 1, &mut printed);
        if printed.len() > MAX_LINES {
            let more = printed.len() - MAX_LINES;
            printed.truncate(MAX_LINES);
            printed.push(format!("  … {}", plural(more, "more line")));
        }
        lines.extend(printed.iter().map(|line| text(line)));
        lines.push(TextLine::default());
    }
    if let Some(before) = before {
        let title = "beside the value before the change";
        lines.push(TextLine::of(title, Role::Title));
        match Type::infer(before).check(value) {
            Ok(()) => lines.push(text("  of the same type")),
            Err(misfits) => lines.extend(misfits.iter().map(|it| text(&format!("  {it}")))),
        }
    }
    TextView::of_lines(format!("Type of {name}"), lines, About::Row)
}

/// The inferred type of a value, in the terms of the file: Terraform has no outputs that are types.
fn infer(value: &Value, kind: Kind) -> Type {
    let ty = Type::infer(value);
    if kind.is_pulumi() {
        ty
    } else {
        ty.plain_shape()
    }
}

fn is_small(value: &Value, room: &mut usize) -> bool {
    if *room == 0 {
        return false;
    }
    *room -= 1;
    match value.payload() {
        Payload::Map(map) => map.iter().all(|(_, value)| is_small(value, room)),
        Payload::Array(array) => array.iter().all(|value| is_small(value, room)),
        _ => true,
    }
}

/// Prints a type between two texts, over several lines if it does not fit on one.
fn print(ty: &Type, [before, after]: [&str; 2], depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth.min(40));
    if lines.len() > MAX_LINES {
        return;
    }
    let is_short = depth > 40 || fits(ty, MAX_LINE.saturating_sub(before.len()));
    let Some((name, parts)) = parts(ty).filter(|_| !is_short) else {
        lines.push(format!("{indent}{before}{ty}{after}"));
        return;
    };
    lines.push(format!("{indent}{before}{name}<"));
    let last = parts.len().saturating_sub(1);
    for (index, (key, ty)) in parts.into_iter().enumerate() {
        let comma = if index < last { "," } else { "" };
        print(ty, [&key, comma], depth + 1, lines);
    }
    lines.push(format!("{indent}>{after}"));
}

/// The name and the parts of a type that contains other types, each with its key.
fn parts(ty: &Type) -> Option<(&'static str, Vec<(String, &Type)>)> {
    Some(match ty {
        Type::Tuple(types) => ("Tuple", plain(types)),
        Type::Union(types) => ("Union", plain(types)),
        Type::Object(object) => {
            let parts = object.attributes.iter();
            let parts = parts.map(|(key, ty)| (format!("{}, ", object.key(key)), ty));
            ("Object", parts.collect())
        }
        Type::Array(ty) => ("Array", plain(slice::from_ref(ty))),
        Type::Set(ty) => ("Set", plain(slice::from_ref(ty))),
        Type::Map(ty) => ("Map", plain(slice::from_ref(ty))),
        Type::Promise(ty) => ("Promise", plain(slice::from_ref(ty))),
        Type::Output(ty) => ("Output", plain(slice::from_ref(ty))),
        Type::Input(ty) => ("Input", plain(slice::from_ref(ty))),
        _ => return None,
    })
}

/// Parts without keys.
fn plain(types: &[Type]) -> Vec<(String, &Type)> {
    types.iter().map(|ty| (String::new(), ty)).collect()
}

/// True if a type prints in at most this many characters. Stops printing when it does not.
fn fits(ty: &Type, room: usize) -> bool {
    struct Meter(usize);
    impl std::fmt::Write for Meter {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0 = self.0.checked_sub(text.len()).ok_or(std::fmt::Error)?;
            Ok(())
        }
    }
    use std::fmt::Write;
    write!(Meter(room), "{ty}").is_ok()
}
