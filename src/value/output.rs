//! Outputs: values with their dependencies and the flags unknown and secret.
//!
//! An [`Output`] is one node of a program's graph. Whatever is computed from it keeps its metadata: [`Output::apply`],
//! [`Output::all`] and [`Output::unwrap`] are the only ways to its value that make another output. The explorer's decoders
//! ([`crate::change::decode`]) run through [`apply_value`], so the result of decoding a secret is secret.
//!
//! # Laws
//!
//! 1. **Unknown stays unknown.** On an unknown output no callback runs, and the result is unknown.
//! 2. **Secret stays secret.** A result is secret if anything used to compute it is secret.
//! 3. **Dependencies are a union**, sorted bytewise and without repetition, so they are transitive.
//! 4. `apply(known(x), f) = f(x)` and `apply(o, known) = o`: an output is a monad, `unwrap` its join.
//! 5. `all` of no outputs is known, not secret, depends on nothing, and is empty.
//!
//! # Example
//!
//! ```
//! use stacklens::value::output::Output;
//!
//! let password = Output::known("hunter2").with_secret(true);
//! let length = password.apply(|text| Output::known(text.len()));
//! assert!(length.is_secret() && length.value() == Some(&7));
//! assert_eq!(format!("{length:?}"), "Output([secret])");
//! ```
//!
//! # Source
//!
//! The type system specification: outputs, `apply` and `all`, `unwrap`.

use std::fmt;

use super::Urn;
use crate::value::{Markers, Payload, Value};

/// A value that is known now or later, with its metadata.
#[derive(Clone, PartialEq)]
pub struct Output<T> {
    /// `None` while unknown.
    value: Option<T>,
    secret: bool,
    /// Sorted bytewise, without repetition.
    dependencies: Vec<Urn>,
}

impl<T> Output<T> {
    /// A value that depends on nothing and is not secret.
    pub fn known(value: T) -> Self {
        Self {
            value: Some(value),
            secret: false,
            dependencies: Vec::new(),
        }
    }

    /// A value that is not known yet.
    pub fn unknown() -> Self {
        Self {
            value: None,
            secret: false,
            dependencies: Vec::new(),
        }
    }

    /// The same output with its secretness set.
    #[must_use]
    pub fn with_secret(mut self, secret: bool) -> Self {
        self.secret = secret;
        self
    }

    /// The same output with its dependencies replaced.
    #[must_use]
    pub fn with_dependencies(mut self, dependencies: impl IntoIterator<Item = Urn>) -> Self {
        self.dependencies.clear();
        self.depend(dependencies);
        self
    }

    /// The value, for computing; `None` while unknown. Check [`Output::is_secret`] before showing it.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The value, by move; `None` while unknown.
    pub fn into_value(self) -> Option<T> {
        self.value
    }

    /// True if the value is not known yet.
    pub fn is_unknown(&self) -> bool {
        self.value.is_none()
    }

    /// True if the value is secret.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// The resources that the value depends on, sorted bytewise, without repetition.
    pub fn dependencies(&self) -> &[Urn] {
        &self.dependencies
    }

    /// The result of `f` on the value. `f` does not run on an unknown; the result has the metadata of both.
    #[must_use]
    pub fn apply<U>(self, f: impl FnOnce(T) -> Output<U>) -> Output<U> {
        let mut result = self.value.map_or_else(Output::unknown, f);
        result.secret |= self.secret;
        result.depend(self.dependencies);
        result
    }

    /// The result of `f` on the value, for an `f` that adds no metadata.
    #[must_use]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Output<U> {
        self.apply(|value| Output::known(f(value)))
    }

    /// One output of all values: unknown if any is, secret if any is, with the dependencies of all.
    #[must_use]
    pub fn all(outputs: impl IntoIterator<Item = Self>) -> Output<Vec<T>> {
        let mut values = Some(Vec::new());
        let mut secret = false;
        let mut dependencies = Vec::new();
        for output in outputs {
            secret |= output.secret;
            dependencies.extend(output.dependencies);
            match (&mut values, output.value) {
                (Some(values), Some(value)) => values.push(value),
                _ => values = None,
            }
        }
        Output {
            value: values,
            secret,
            dependencies: Vec::new(),
        }
        .with_dependencies(dependencies)
    }

    fn depend(&mut self, dependencies: impl IntoIterator<Item = Urn>) {
        self.dependencies.extend(dependencies);
        self.dependencies
            .sort_unstable_by(|a, b| a.as_str().cmp(b.as_str()));
        self.dependencies.dedup();
    }
}

impl<T> Output<Output<T>> {
    /// The inner output with the metadata of both.
    #[must_use]
    pub fn unwrap(self) -> Output<T> {
        self.apply(|inner| inner)
    }
}

/// Never prints a value, secret or not.
impl<T> fmt::Debug for Output<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.secret, self.is_unknown()) {
            (true, _) => "Output([secret])",
            (false, true) => "Output([unknown])",
            (false, false) => "Output(known)",
        })
    }
}

/// The top level of a value as an output of its payload: its markers are the metadata. Values below keep their markers.
///
/// A sealed secret is unknown: nothing can be computed without the plaintext.
impl From<&Value> for Output<Value> {
    fn from(value: &Value) -> Self {
        let is_unknown = matches!(value.payload(), Payload::Computed(_) | Payload::Sealed(_));
        Self {
            value: (!is_unknown).then(|| value.without_markers()),
            secret: value.is_secret(),
            dependencies: value.dependencies().to_vec(),
        }
    }
}

/// The reverse conversion: the metadata joins the markers at the top of the value.
impl From<Output<Value>> for Value {
    fn from(output: Output<Value>) -> Self {
        let value = output.value.unwrap_or_else(Value::computed);
        let metadata = Value::NULL
            .with_secret(output.secret)
            .with_dependencies(output.dependencies)
            .markers();
        let markers: Markers = value.markers().union(&metadata);
        value.with_markers(markers)
    }
}

/// The result of `f` on a value, with all the metadata of the value.
///
/// Like [`Output::apply`], but for a value: `f` sees the value without its markers, and does not run on an unknown or sealed
/// value, which is returned unchanged. The other marks of a cty value stay, too.
///
/// # Errors
///
/// The error of `f`, if it ran.
pub fn apply_value<E>(
    value: &Value,
    f: impl FnOnce(&Value) -> Result<Value, E>,
) -> Result<Value, E> {
    if matches!(value.payload(), Payload::Computed(_) | Payload::Sealed(_)) {
        return Ok(value.clone());
    }
    let result = f(&value.without_markers())?;
    let markers = result.markers().union(&value.markers());
    Ok(result.with_markers(markers))
}

#[cfg(test)]
mod tests;
