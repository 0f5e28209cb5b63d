//! Outputs: values that know their dependencies, whether they are known, and whether they are secret.
//!
//! An [`Output`] is one node of a program's graph. Whatever is computed from it keeps what is known *about* it: [`Output::apply`],
//! [`Output::all`] and [`Output::unwrap`] are the only ways to its value that make another output. The explorer's decoders
//! ([`crate::change::decode`]) run through [`apply_value`], so what is decoded from a secret is secret.
//!
//! # Laws
//!
//! 1. **Unknown stays unknown.** On an unknown output no callback runs, and the result is unknown.
//! 2. **Secret stays secret.** A result is secret if anything that it was computed from is.
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

/// A value, or the knowledge that there will be one, with what is known about it.
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

    /// The value, for computing; `None` while unknown. Look at [`Output::is_secret`] before showing it.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The value, taken out; `None` while unknown.
    pub fn into_value(self) -> Option<T> {
        self.value
    }

    /// Whether the value is not known yet.
    pub fn is_unknown(&self) -> bool {
        self.value.is_none()
    }

    /// Whether the value is secret.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// What the value depends on, sorted bytewise, without repetition.
    pub fn dependencies(&self) -> &[Urn] {
        &self.dependencies
    }

    /// What `f` makes of the value. `f` does not run on an unknown; the result has the metadata of both.
    #[must_use]
    pub fn apply<U>(self, f: impl FnOnce(T) -> Output<U>) -> Output<U> {
        let mut result = self.value.map_or_else(Output::unknown, f);
        result.secret |= self.secret;
        result.depend(self.dependencies);
        result
    }

    /// What `f` makes of the value, where `f` adds no metadata of its own.
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

/// Never prints a secret, and no contents of what is not.
impl<T> fmt::Debug for Output<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.secret, self.is_unknown()) {
            (true, _) => "Output([secret])",
            (false, true) => "Output([unknown])",
            (false, false) => "Output(known)",
        })
    }
}

/// The top level of a value as an output of what it holds: its markers are the metadata, and what lies below keeps its own.
///
/// A sealed secret is unknown: nothing can be computed from a plaintext that is not in hand.
impl From<&Value> for Output<Value> {
    fn from(value: &Value) -> Self {
        let is_unknown = matches!(value.payload(), Payload::Computed(_) | Payload::Sealed(_));
        Self {
            value: (!is_unknown).then(|| value.reveal()),
            secret: value.is_secret(),
            dependencies: value.dependencies().to_vec(),
        }
    }
}

/// The other way: the metadata joins what the value has at its top.
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

/// What `f` makes of a value, with all the metadata of the value on the result.
///
/// [`Output::apply`] for the value at hand: `f` sees the value without its markers, and does not run on an unknown or sealed
/// value, which comes back as it is. The other marks of a cty value stay too.
///
/// # Errors
///
/// That of `f`, unless it did not run.
pub fn apply_value<E>(
    value: &Value,
    f: impl FnOnce(&Value) -> Result<Value, E>,
) -> Result<Value, E> {
    if matches!(value.payload(), Payload::Computed(_) | Payload::Sealed(_)) {
        return Ok(value.clone());
    }
    let result = f(&value.reveal())?;
    let markers = result.markers().union(&value.markers());
    Ok(result.with_markers(markers))
}

#[cfg(test)]
mod tests;
