//! Names and types cut to columns: without the parts that rows share, then without the middle, so that they still tell rows apart.

use std::collections::{HashMap, HashSet};

use super::text::{fit, fit_end, fit_middle, prefix, width};
use crate::terraform::address::{module_of, steps};

/// Minimum width of the end of a path: a single short word would not tell which property it is.
const MIN_PATH: usize = 10;

/// Names cut in the middle to the room of each. Names that differ still do, if there is room for the part that differs.
pub fn cut_names(names: &[String], room: impl Fn(usize) -> usize) -> Vec<String> {
    cut_apart(names, room, fit_middle)
}

/// Types cut to the room of each with [`cut_type`]. Types that differ still do, if there is room for the part that differs.
pub fn cut_types(types: &[String], room: impl Fn(usize) -> usize) -> Vec<String> {
    cut_apart(types, room, cut_type)
}

/// Texts cut to the room of each. Those that then look the same show the part that differs instead.
fn cut_apart(
    names: &[String],
    room: impl Fn(usize) -> usize,
    cut: fn(&str, usize) -> String,
) -> Vec<String> {
    let cut: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(at, name)| cut(name, room(at)))
        .collect();
    let mut different: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (name, cut) in names.iter().zip(&cut) {
        different.entry(cut).or_default().insert(name);
    }
    let is_ambiguous: Vec<bool> = cut.iter().map(|cut| different[&**cut].len() > 1).collect();
    let mut fitting = cut.clone();
    for (index, name) in names.iter().enumerate().filter(|(at, _)| is_ambiguous[*at]) {
        // The first place where it differs from a name that looks the same.
        let alike = (0..names.len()).filter(|other| cut[*other] == cut[index]);
        let differs = alike
            .filter(|other| names[*other] != *name)
            .map(|other| common_len(name, &names[other]))
            .max()
            .unwrap_or(0);
        fitting[index] = around(name, differs, room(index));
    }
    fitting
}

/// A text in `max` cells that shows its beginning and the part at byte `at`.
fn around(text: &str, at: usize, max: usize) -> String {
    let start = prefix(text, max / 3);
    let rest = &text[at..];
    let room = max.saturating_sub(width(start) + 1);
    if at <= start.len() {
        return fit(text, max);
    }
    if width(rest) < room {
        return format!("{start}{}", fit_end(text, room + 1));
    }
    format!("{start}…{}", fit(rest, room))
}

/// Number of bytes that two texts have in common at the start.
pub fn common_len(one: &str, other: &str) -> usize {
    let pairs = one.char_indices().zip(other.chars());
    let mut same = pairs.take_while(|((_, one), other)| one == other);
    same.by_ref()
        .last()
        .map_or(0, |((at, char), _)| at + char.len_utf8())
}

/// A name in at most `max` cells. An address loses the word before each module, then the provider in its type, and then its middle:
/// `module.web["eu"].aws_lb.this` becomes `…web["eu"].aws_lb.this`, then `…web["eu"].…lb.this`.
pub fn cut_name(name: &str, max: usize) -> String {
    if width(name) <= max {
        return name.to_owned();
    }
    let module = module_of(name);
    let in_module = name[module.len()..].strip_prefix('.');
    let Some(own) = in_module.filter(|_| !module.is_empty()) else {
        return fit_middle(name, max);
    };
    let modules: Vec<&str> = steps(module).skip(1).step_by(2).collect();
    let short = format!("…{}.{own}", modules.join("."));
    if width(&short) <= max {
        return short;
    }
    match own.split_once('_') {
        Some((_, own)) => fit_middle(&format!("…{}.…{own}", modules.join(".")), max),
        None => fit_middle(&short, max),
    }
}

/// A path in at most `max` cells: the steps that lead to its property go first, as few as possible.
pub fn cut_path(path: &str, max: usize) -> String {
    if width(path) <= max {
        return path.to_owned();
    }
    let mut ends = ends_of_path(path);
    let last = ends.clone().last();
    match ends.find(|end| width(end) <= max) {
        Some(end) => end,
        None => fit_middle(last.as_deref().unwrap_or(path), max),
    }
}

/// Width of the shortest form of a path that still tells which property it is.
pub fn least_path(path: &str) -> usize {
    ends_of_path(path)
        .last()
        .map_or(width(path), |end| width(&end))
}

/// The ends of a path, each without one more of its first steps, as long as they tell which property it is.
fn ends_of_path(path: &str) -> impl Iterator<Item = String> + Clone {
    let ends = steps(path).scan(0, |start, step| {
        *start += step.len() + 1;
        path.get(*start..)
    });
    let ends = ends.map(|end| format!("…{end}"));
    ends.filter(|end| width(end) >= MIN_PATH)
}

/// A type in at most `max` cells: without its package, then without its first words. `aws:rds:Instance` becomes `rds:Instance`.
pub fn cut_type(ty: &str, max: usize) -> String {
    if width(ty) <= max {
        return ty.to_owned();
    }
    let rest = match ty.split_once(':') {
        Some((_, rest)) if rest.contains(':') => rest,
        _ => ty,
    };
    end_of_type(rest, max)
}

/// A type in at most `max` cells. Its first words, such as the name of the provider, go first: `…db_proxy_target`, `…PodAutoscaler`.
fn end_of_type(ty: &str, max: usize) -> String {
    if width(ty) <= max {
        return ty.to_owned();
    }
    let letters = ty.char_indices().zip(ty.chars().skip(1));
    let starts = letters.filter_map(|((at, letter), next)| {
        let is_start =
            matches!(letter, '_' | ':' | '.' | '/') || letter.is_lowercase() && next.is_uppercase();
        let is_mark = !letter.is_alphanumeric();
        is_start.then_some((at + letter.len_utf8(), is_mark))
    });
    // A whole part, or else the last words of a name.
    let ends: Vec<(&str, bool)> = starts.map(|(at, is_mark)| (&ty[at..], is_mark)).collect();
    let fitting = |wants_part: bool| {
        let parts = ends
            .iter()
            .filter(move |(_, is_part)| *is_part || !wants_part);
        let mut parts = parts.map(|(end, _)| *end);
        parts
            .find(|end| width(end) < max)
            .filter(|end| width(end) * 2 >= max)
    };
    match fitting(true).or_else(|| fitting(false)) {
        Some(end) => format!("…{end}"),
        None => fit_middle(ty, max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_keeps_the_part_that_tells_it_apart() {
        assert_eq!(cut_type("aws:rds:Instance", 16), "aws:rds:Instance");
        assert_eq!(cut_type("aws:rds:Instance", 14), "rds:Instance");
        assert_eq!(cut_type("aws:ec2:SecurityGroupRule", 14), "…GroupRule");
        assert_eq!(cut_type("aws_db_proxy_target", 16), "…db_proxy_target");
    }

    #[test]
    fn a_name_keeps_its_modules_and_its_end() {
        let name = r#"module.shop["a.b"].module.web.aws_lb_rule.this["x"]"#;
        assert_eq!(cut_name(name, 60), name);
        assert_eq!(
            cut_name(name, 40),
            r#"…shop["a.b"].web.aws_lb_rule.this["x"]"#
        );
        assert_eq!(cut_name(name, 36), r#"…shop["a.b"].web.…lb_rule.this["x"]"#);
        assert_eq!(width(&cut_name(name, 20)), 20);
        assert_eq!(cut_name("no-address-at-all", 9), "no-a…-all");
    }

    #[test]
    fn a_path_keeps_its_end() {
        let path = "spec[*].template.env[STORE.URL].value";
        assert_eq!(cut_path(path, 40), path);
        assert_eq!(cut_path(path, 30), "…template.env[STORE.URL].value");
        assert_eq!(cut_path(path, 28), "…env[STORE.URL].value");
        assert_eq!(width(&cut_path(path, 12)), 12);
        assert_eq!(cut_path("metadata.name", 11), "metad….name");
    }

    #[test]
    fn names_with_different_rooms_stay_different() {
        let names: Vec<String> = ["x", "y"]
            .iter()
            .map(|it| format!("{0}{it}{0}", "long-".repeat(8)))
            .collect();
        let cut = cut_names(&names, |at| 20 - at);
        assert_ne!(cut[0], cut[1]);
        assert!(width(&cut[0]) <= 20 && width(&cut[1]) <= 19, "{cut:?}");
    }
}
