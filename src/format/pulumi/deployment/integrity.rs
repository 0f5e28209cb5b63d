//! Integrity: the faults that make an engine refuse a deployment, or warn of it.
//!
//! A resource has a URN and a type, which agree. Only custom resources have an id. Parents, providers and all other needs come
//! before it in the list. The types of its ancestors are in its URN. Interrupted operations are in a separate list.
//!
//! While a file is indexed, a resource is only marked as odd ([`is_odd`]). Its faults are read from its bytes once the whole
//! file is known ([`findings`]).
//!
//! # Source
//!
//! pulumi/pulumi `pkg/resource/deploy/snapshot.go`, `VerifyIntegrity`.

use crate::format::fields::{flag, object, text};
use crate::format::pulumi::resource;
use crate::path::{Path, Segment, walk};
use crate::pulumi::urn::{self, Parts, ProviderReference};
use crate::stack::{Edge, EdgeKind, Section, State};
use crate::value::{Map, Payload};

/// The position in the list of a resource that another resource names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Position {
    /// Before the resource that names it, as it should be.
    Before,
    /// After it.
    After,
    /// It is the resource that names it.
    Itself,
    /// Nowhere.
    Missing,
}

/// The names of a resource, from its fields.
pub(super) struct Names<'a> {
    pub(super) urn: &'a str,
    /// The parts of the URN, if an engine accepts it as one.
    pub(super) parts: Option<Parts<'a>>,
    /// The type from its `type` field.
    pub(super) ty: &'a str,
    pub(super) id: &'a str,
    pub(super) parent: &'a str,
    pub(super) custom: bool,
}

/// A rule, and the message if it is broken.
struct Rule {
    is_broken: fn(&Names<'_>) -> bool,
    message: fn(&Names<'_>) -> String,
}

const RULES: [Rule; 6] = [
    Rule {
        is_broken: |names| names.urn.is_empty(),
        message: |_| "it has no URN".to_owned(),
    },
    Rule {
        is_broken: |names| !names.urn.is_empty() && names.parts.is_none(),
        message: |names| {
            let form = "urn:pulumi:STACK::PROJECT::TYPE::NAME";
            match urn::parse_strict(names.urn) {
                Err(error) => format!("its URN is malformed: {error}; the form is {form}"),
                Ok(_) => format!("its URN is malformed; the form is {form}"),
            }
        },
    },
    Rule {
        is_broken: |names| names.ty.is_empty(),
        message: |_| "it has no type".to_owned(),
    },
    Rule {
        is_broken: |names| {
            !names.ty.is_empty() && names.parts.is_some_and(|own| own.ty() != names.ty)
        },
        message: |names| format!("its type is {}, but its URN has a different type", names.ty),
    },
    Rule {
        is_broken: |names| !names.custom && !names.id.is_empty(),
        message: |_| "it has an id, but is not a custom resource".to_owned(),
    },
    Rule {
        is_broken: |names| !is_below(names, names.parent),
        message: |names| {
            format!(
                "its URN does not have the types of its parent {}",
                names.parent
            )
        },
    },
];

/// True if a rule is broken.
pub(super) fn is_odd(names: &Names<'_>) -> bool {
    RULES.iter().any(|rule| (rule.is_broken)(names))
}

/// True if the types in the URN are those of a child of `parent`. Also true if one of the two is invalid or missing.
fn is_below(names: &Names<'_>, parent: &str) -> bool {
    let (Some(own), false) = (names.parts, parent.is_empty()) else {
        return true;
    };
    // In nearly all files the URN of the parent begins like this one.
    let above = match own.parent_type() {
        "" => urn::STACK_TYPE,
        types => types,
    };
    let before_types = names.urn.len() - own.name.len() - "::".len() - own.qualified_type.len();
    let same = parent.strip_prefix(&names.urn[..before_types]);
    if same.is_some_and(|rest| {
        rest.strip_prefix(above)
            .is_some_and(|rest| rest.starts_with("::"))
    }) {
        return true;
    }
    urn::parts(parent).is_none_or(|parent: Parts<'_>| parent.qualified_type == above)
}

/// The faults of the resource of `element`, in plain words. `position_of` looks up the position of a URN in the list.
pub(super) fn findings(element: &Map, position_of: &dyn Fn(&str) -> Position) -> Vec<String> {
    if let Some(inner) = object(element, "resource").filter(|_| !element.contains_key("urn")) {
        return vec![interrupted(text(element, "type"), inner)];
    }
    let names = names(element);
    let broken = RULES.iter().filter(|rule| (rule.is_broken)(&names));
    let mut findings: Vec<String> = broken.map(|rule| (rule.message)(&names)).collect();
    for edge in resource::edges(element) {
        findings.extend(of_edge(&edge, position_of));
    }
    let State {
        inputs, outputs, ..
    } = resource::state(element);
    for (section, value) in [(Section::Inputs, inputs), (Section::Outputs, outputs)] {
        let mut path = Path(vec![Segment::Key(section.name().into())]);
        let value = value.unwrap_or_default();
        walk(&value, &mut path, &mut |path, value| {
            if let Payload::Reference(reference) = value.payload()
                && !value.is_secret()
                && let urn = reference.urn.to_str_lossy()
                && position_of(&urn) == Position::Missing
            {
                findings.push(format!("{path} refers to {urn}, which is not in this file"));
            }
            !value.is_secret()
        });
    }
    findings
}

/// The names in the fields of a resource.
pub(super) fn names(map: &Map) -> Names<'_> {
    let urn = text(map, "urn");
    Names {
        urn,
        parts: urn::parts(urn),
        ty: text(map, "type"),
        id: text(map, "id"),
        parent: text(map, "parent"),
        custom: flag(map, "custom"),
    }
}

fn interrupted(operation: &str, resource: &Map) -> String {
    let doubt = match operation {
        "creating" | "importing" if text(resource, "id").is_empty() => "whether it exists",
        _ => "its current state",
    };
    let while_doing = match operation {
        "" => String::new(),
        operation => format!(" while {operation}"),
    };
    format!("interrupted{while_doing}: {doubt} is not known; `pulumi refresh` finds out")
}

fn of_edge(edge: &Edge, position_of: &dyn Fn(&str) -> Position) -> Option<String> {
    let target = &*edge.target;
    let (what, urn) = match edge.kind {
        EdgeKind::Property => {
            let property = edge.property.as_ref().map(Path::to_string);
            let property = property.unwrap_or_default();
            (
                format!("its property {property} depends on {target}"),
                target,
            )
        }
        EdgeKind::Dependency => (format!("it depends on {target}"), target),
        EdgeKind::Parent => (format!("its parent is {target}"), target),
        EdgeKind::Provider => match ProviderReference::parse(target) {
            Ok(reference) if reference.is_denied() => return None,
            Ok(_) => (
                format!("its provider is {target}"),
                ProviderReference::split(target).0,
            ),
            Err(error) => return Some(format!("its provider cannot be read: {error}")),
        },
        EdgeKind::DeletedWith => (format!("it is deleted with {target}"), target),
        EdgeKind::ReplaceWith => (format!("it is replaced with {target}"), target),
    };
    let fault = match position_of(urn) {
        Position::Missing => "which is not in this file",
        // The order only matters for resources that the engine has to create first.
        _ if edge.kind == EdgeKind::ReplaceWith => return None,
        Position::After => "which comes later in this file; it must come first",
        Position::Itself => "which is itself",
        Position::Before => return None,
    };
    Some(format!("{what}, {fault}"))
}
