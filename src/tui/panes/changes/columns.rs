//! The columns of the rows on the screen: short names and short types that still tell the rows apart.

use std::collections::{HashMap, HashSet};

use crate::stack::{ResourceId, Stack};
use crate::tui::changes::own_name;
use crate::tui::panes::tree::short_type;
use crate::tui::rows::shown;
use crate::tui::widgets::names::{common_len, cut_names, cut_types};
use crate::tui::widgets::text::width;

/// The names and types of some rows, and the widths of their columns.
pub(super) struct Columns {
    texts: HashMap<ResourceId, (String, String)>,
    /// Width of the names.
    pub(super) name: usize,
    /// Width of the types; 0 if there is no column.
    pub(super) ty: usize,
    /// Blanks between columns.
    pub(super) gap: usize,
}

impl Columns {
    /// The columns of rows that are `room` cells wide. The module of some is in a heading above.
    pub(super) fn new(
        stack: &Stack,
        ids: &[ResourceId],
        room: usize,
        is_grouped: impl Fn(ResourceId) -> bool,
    ) -> Self {
        let (max_ty, gap) = match room {
            0..36 => (0, 1),
            36..46 => (14, 1),
            46..72 => (18, 1),
            72..100 => (26, 2),
            _ => (40, 2),
        };
        // A type that all rows in sight share tells nothing apart, and properties take its room.
        let mut all = ids.iter().map(|id| stack.ty(*id));
        let first = all.next();
        let is_shared = ids.len() > 1 && all.all(|ty| Some(ty) == first);
        let max_ty = if is_shared { 0 } else { max_ty };
        let types = fitting_types(ids.iter().map(|id| short_type(stack, *id)), max_ty);
        let ty = types
            .iter()
            .map(|ty| width(ty))
            .max()
            .unwrap_or(0)
            .min(max_ty);
        let rest = room.saturating_sub(if ty > 0 { ty + gap } else { 0 });
        // The rest is for the properties and the reason.
        let max_name = (rest - (rest / 3).min(24)).max(rest.min(12));
        let names = ids.iter().map(|id| name(stack, *id, is_grouped(*id)));
        let names = names.collect();
        let names = fitting_names(names, max_name);
        let name = names.iter().map(|name| width(name)).max().unwrap_or(0);
        let texts = ids.iter().copied().zip(names.into_iter().zip(types));
        Self {
            texts: texts.collect(),
            name,
            ty,
            gap,
        }
    }

    /// The name and the type of a row.
    pub(super) fn texts(&self, id: ResourceId) -> (&str, &str) {
        let texts = self.texts.get(&id);
        texts.map_or(("", ""), |(name, ty)| (name, ty))
    }
}

/// The name of a resource without its type, which has its own column: `network.vpc.private[0]`.
fn name(stack: &Stack, id: ResourceId, is_grouped: bool) -> String {
    if stack.header.kind.is_pulumi() {
        return shown(stack.short_name(id));
    }
    let short = stack.short_name(id);
    let own = own_name(stack, id);
    let data = if short.starts_with("data.") {
        "data."
    } else {
        ""
    };
    let module = stack.modules(id).filter(|_| !is_grouped);
    let module = module.map_or_else(String::new, |path| format!("{path}."));
    shown(&format!("{module}{data}{own}"))
}

/// Names in at most `max` cells: without the modules that all of them share, then without the middle. Different names stay
/// different.
fn fitting_names(mut names: Vec<String>, max: usize) -> Vec<String> {
    if names.iter().all(|name| width(name) <= max) {
        return names;
    }
    let shared = shared_parts(&names, &['.']);
    if shared > 0 {
        for name in &mut names {
            *name = format!("…{}", &name[shared - 1..]);
        }
    }
    cut_names(&names, |_| max)
}

/// Number of bytes at the start that all texts share, up to and with one of the marks, each of one byte.
fn shared_parts(texts: &[String], marks: &[char]) -> usize {
    let Some((first, rest)) = texts.split_first() else {
        return 0;
    };
    let common = rest.iter().map(|text| common_len(first, text)).min();
    let common = &first[..common.unwrap_or(0)];
    common.rfind(marks).map_or(0, |mark| mark + 1)
}

/// Types in at most `max` cells: without the package that all of them share, without the module if the rest still tells them
/// apart, then without the words that all of them share, then without the middle. Different types stay different.
fn fitting_types(types: impl Iterator<Item = String>, max: usize) -> Vec<String> {
    let mut types: Vec<String> = types.collect();
    for shorter in [without_module, without_package] {
        if types.iter().all(|ty| width(ty) <= max) {
            return types;
        }
        types = shorter(types);
    }
    let shared = shared_parts(&types, &['_', ':']);
    for ty in types.iter_mut().filter(|ty| width(ty) > max && shared > 0) {
        *ty = format!("…{}", &ty[shared..]);
    }
    cut_types(&types, |_| max)
}

/// Types without their module, if they are still as many.
fn without_module(types: Vec<String>) -> Vec<String> {
    let distinct = |types: &[String]| types.iter().collect::<HashSet<_>>().len();
    let short = types
        .iter()
        .map(|ty| match ty.split(':').collect::<Vec<_>>()[..] {
            [package, _, name] => format!("{package}:{name}"),
            _ => ty.clone(),
        });
    let short: Vec<String> = short.collect();
    if distinct(&short) == distinct(&types) {
        short
    } else {
        types
    }
}

/// Types without their package, if all have the same one.
fn without_package(types: Vec<String>) -> Vec<String> {
    let parts: Option<Vec<_>> = types.iter().map(|ty| ty.split_once(':')).collect();
    match parts.as_deref() {
        Some(parts @ [(first, _), ..]) if parts.iter().all(|(package, _)| package == first) => {
            parts.iter().map(|(_, rest)| (*rest).to_owned()).collect()
        }
        Some(_) | None => types,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str], max: usize) -> Vec<String> {
        fitting_names(names.iter().map(|name| (*name).to_owned()).collect(), max)
    }

    #[test]
    fn names_lose_what_they_share_and_stay_different() {
        assert_eq!(names(&["a.b.one", "a.b.two"], 20), ["a.b.one", "a.b.two"]);
        assert_eq!(
            names(&["network.vpc.one", "network.vpc.two"], 10),
            ["….one", "….two"]
        );
        let long = [
            "service-account-a-with-a-long-common-ending",
            "service-account-b-with-a-long-common-ending",
        ];
        let short = names(&long, 20);
        assert_ne!(short[0], short[1]);
        assert!(short.iter().all(|name| width(name) <= 20), "{short:?}");
        let wide = names(
            &["日本語日本語日本語日本語", "日本語日本語日本語日本國"],
            11,
        );
        assert!(wide.iter().all(|name| width(name) <= 11), "{wide:?}");
        assert_ne!(wide[0], wide[1]);
    }

    #[test]
    fn types_lose_the_parts_that_do_not_tell_them_apart() {
        let types =
            |types: &[&str], max| fitting_types(types.iter().map(|ty| (*ty).to_owned()), max);
        let all = ["aws:rds:Instance", "aws:ec2:SecurityGroup"];
        assert_eq!(types(&all, 40), all);
        assert_eq!(types(&all, 18), ["aws:Instance", "aws:SecurityGroup"]);
        assert_eq!(types(&all, 14), ["Instance", "SecurityGroup"]);
        let alike = ["aws:rds:Instance", "aws:ec2:Instance"];
        assert_eq!(types(&alike, 12), ["rds:Instance", "ec2:Instance"]);
        let groups = [
            "google_compute_region_instance_group_manager",
            "google_compute_instance_group_manager",
            "google_compute_address",
        ];
        let short = ["…region_instance_group_manager", "…instance_group_manager"];
        assert_eq!(types(&groups, 30)[..2], short);
        for max in [14, 18, 26] {
            let cut = types(&groups, max);
            assert!(cut.iter().all(|ty| width(ty) <= max), "{cut:?}");
            assert_ne!(cut[0], cut[1]);
        }
    }
}
