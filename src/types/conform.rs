//! Checking values against types.

use std::fmt;
use std::sync::Arc;

use super::{ObjectType, Type};
use crate::json::MAX_DEPTH;
use crate::path::{Path, Segment};
use crate::text::escaped;
use crate::value::{Map, Payload, Value};

/// Maximum number of misfits that one check reports.
const MAX_MISFITS: usize = 100;

/// A place at which a value is not of its type.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{kind}{}", at(path))]
pub struct Misfit {
    /// The path from the value that was checked.
    pub path: Path,
    /// The kind of the misfit.
    pub kind: MisfitKind,
}

/// The kind of a misfit. It holds no contents, because the value may be secret.
#[derive(Clone, PartialEq, Debug)]
pub enum MisfitKind {
    /// A value of another kind.
    Kind {
        /// The type of the place.
        expected: Type,
        /// The kind of the value.
        found: &'static str,
    },
    /// The type is plain, but the value is unknown, secret or depends on resources.
    Metadata {
        /// The type of the place.
        expected: Type,
        /// The metadata of the value.
        found: &'static str,
    },
    /// A tuple of the wrong length.
    Length {
        /// Number of elements in the type.
        expected: usize,
        /// Number of elements in the value.
        found: usize,
    },
    /// A required attribute is missing.
    Missing(Arc<str>),
    /// A key that the object type does not have.
    Unexpected(Arc<str>),
    /// The value is not in the enum.
    NotInEnum(Type),
    /// The value has none of the types of the union.
    NotInUnion {
        /// The union.
        expected: Type,
        /// The kind of the value.
        found: &'static str,
    },
    /// The value nests too deep to be checked.
    TooDeep,
}

fn at(path: &Path) -> String {
    if path.0.is_empty() {
        return String::new();
    }
    format!(" at {}", escaped(&path.to_string()))
}

impl fmt::Display for MisfitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind { expected, found } | Self::NotInUnion { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            Self::Metadata { expected, found } => {
                write!(f, "expected {expected}, found {found} value")
            }
            Self::Length { expected, found } => {
                write!(f, "expected {expected} elements, found {found}")
            }
            Self::Missing(key) => {
                f.write_str("missing key ")?;
                crate::json::write_string(f, key)
            }
            Self::Unexpected(key) => {
                f.write_str("unexpected key ")?;
                crate::json::write_string(f, key)
            }
            Self::NotInEnum(expected) => write!(f, "expected a value of {expected}"),
            Self::TooDeep => write!(f, "nests deeper than {MAX_DEPTH}"),
        }
    }
}

impl Type {
    /// Checks that `value` is of this type.
    ///
    /// - A plain type admits no metadata; `Output<T>` and `Input<T>` admit any, an unknown or sealed value included.
    /// - `Promise<T>` admits the same values as `T`.
    /// - `Object` admits exactly its keys; an optional one may be missing or null.
    /// - `Array`, `Tuple` and `Set` take arrays. A set is not checked for repeated elements.
    /// - `Dynamic` admits everything.
    ///
    /// # Errors
    ///
    /// Every misfit in the order of the value, at most a hundred. No key of a secret is given.
    pub fn check(&self, value: &Value) -> Result<(), Vec<Misfit>> {
        let mut check = Check::new(0, MAX_MISFITS);
        check.value(self, value);
        if check.misfits.is_empty() {
            Ok(())
        } else {
            Err(check.misfits)
        }
    }
}

struct Check {
    /// Depth below the root of the whole check at which this check begins.
    depth: usize,
    path: Vec<Segment>,
    misfits: Vec<Misfit>,
    /// With a limit of one, only the fact of a misfit counts, not its kind.
    limit: usize,
}

impl Check {
    fn new(depth: usize, limit: usize) -> Self {
        Self {
            depth,
            path: Vec::new(),
            misfits: Vec::new(),
            limit,
        }
    }

    fn is_full(&self) -> bool {
        self.misfits.len() >= self.limit
    }

    fn misfit(&mut self, kind: MisfitKind) {
        if !self.is_full() {
            let path = Path(self.path.clone());
            self.misfits.push(Misfit { path, kind });
        }
    }

    fn below(&mut self, segment: Segment, ty: &Type, value: &Value) {
        if self.is_full() {
            return;
        }
        if self.depth + self.path.len() >= MAX_DEPTH {
            return self.misfit(MisfitKind::TooDeep);
        }
        self.path.push(segment);
        self.value(ty, value);
        self.path.pop();
    }

    fn value(&mut self, ty: &Type, value: &Value) {
        // Unions and the types with metadata handle the metadata of the value; all other types allow no metadata.
        match ty {
            Type::Dynamic => {}
            // A plain T is an output of T that is known, so Output<T> covers all of Union<T, Output<T>>.
            Type::Output(inner) | Type::Input(inner) => {
                if matches!(value.payload(), Payload::Computed(_) | Payload::Sealed(_)) {
                    return;
                }
                let plain = value.without_markers();
                if !value.is_secret() {
                    self.value(inner, &plain);
                } else if !self.admits(inner, &plain) {
                    // Misfits inside would reveal keys, which are part of the secret.
                    self.misfit(MisfitKind::Kind {
                        expected: ty.clone(),
                        found: "another secret",
                    });
                }
            }
            Type::Promise(inner) => self.value(inner, value),
            Type::Union(types) => self.union(ty, types, value),
            _ => match metadata(value) {
                Some(found) => self.misfit(MisfitKind::Metadata {
                    expected: ty.clone(),
                    found,
                }),
                None => self.payload(ty, value),
            },
        }
    }

    /// True if the value at the current path is also of type `ty`.
    fn admits(&self, ty: &Type, value: &Value) -> bool {
        let mut check = Self::new(self.depth + self.path.len(), 1);
        check.value(ty, value);
        check.misfits.is_empty()
    }

    fn union(&mut self, ty: &Type, types: &[Type], value: &Value) {
        if types.iter().any(|member| self.admits(member, value)) {
            return;
        }
        // With only one member of the right kind, the misfits of that member say more than the union's.
        let kind = value.payload().kind();
        let mut alike = types.iter().filter(|member| member.takes(kind));
        match (alike.next(), alike.next()) {
            (Some(only), None) if self.limit > 1 => self.value(only, value),
            _ => self.misfit(MisfitKind::NotInUnion {
                expected: ty.clone(),
                found: kind,
            }),
        }
    }

    fn payload(&mut self, ty: &Type, value: &Value) {
        match (ty, value.payload()) {
            (Type::Null, Payload::Null)
            | (Type::Bool, Payload::Bool(_))
            | (Type::Number, Payload::Number(_))
            | (Type::String, Payload::String(_))
            | (Type::Asset, Payload::Asset(_))
            | (Type::Archive, Payload::Archive(_))
            | (Type::Reference, Payload::Reference(_)) => {}
            (Type::Array(inner) | Type::Set(inner), Payload::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.below(Segment::Index(index), inner, item);
                }
            }
            (Type::Tuple(types), Payload::Array(items)) => {
                if types.len() != items.len() {
                    self.misfit(MisfitKind::Length {
                        expected: types.len(),
                        found: items.len(),
                    });
                }
                for (index, (ty, item)) in types.iter().zip(items).enumerate() {
                    self.below(Segment::Index(index), ty, item);
                }
            }
            (Type::Map(inner), Payload::Map(map)) => {
                for (key, item) in map {
                    self.below(Segment::Key(key.clone()), inner, item);
                }
            }
            (Type::Object(object), Payload::Map(map)) => self.object(object, map),
            (Type::Enum(inner, values), _) => {
                let n_before = self.misfits.len();
                self.value(inner, value);
                if self.misfits.len() == n_before && !values.contains(value) {
                    self.misfit(MisfitKind::NotInEnum(ty.clone()));
                }
            }
            (_, payload) => self.misfit(MisfitKind::Kind {
                expected: ty.clone(),
                found: payload.kind(),
            }),
        }
    }

    fn object(&mut self, object: &ObjectType, map: &Map) {
        for (key, item) in map {
            match object.attributes.get(key) {
                Some(_) if item.is_null() && object.optional.contains(key) => {}
                Some(ty) => self.below(Segment::Key(key.clone()), ty, item),
                None => self.misfit(MisfitKind::Unexpected(key.clone())),
            }
        }
        for key in object.attributes.keys() {
            if !map.contains_key(key) && !object.optional.contains(key) {
                self.misfit(MisfitKind::Missing(key.clone()));
            }
        }
    }
}

impl Type {
    /// True if the type takes values of this kind, whatever their contents.
    fn takes(&self, kind: &str) -> bool {
        match self {
            Self::Null => kind == "null",
            Self::Bool => kind == "bool",
            Self::Number => kind == "number",
            Self::String => kind == "string",
            Self::Asset => kind == "asset",
            Self::Archive => kind == "archive",
            Self::Reference => kind == "reference",
            Self::Array(_) | Self::Set(_) | Self::Tuple(_) => kind == "array",
            Self::Map(_) | Self::Object(_) => kind == "map",
            Self::Enum(ty, _) | Self::Promise(ty) | Self::Output(ty) | Self::Input(ty) => {
                ty.takes(kind)
            }
            Self::Union(types) => types.iter().any(|ty| ty.takes(kind)),
            Self::Dynamic => true,
        }
    }
}

/// The metadata that excludes a value from a plain type.
fn metadata(value: &Value) -> Option<&'static str> {
    if value.is_secret() {
        Some("a secret")
    } else if value.is_computed() {
        Some("an unknown")
    } else if value.dependencies().is_empty() {
        None
    } else {
        Some("a dependent")
    }
}
