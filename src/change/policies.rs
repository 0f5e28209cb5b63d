//! Policies: what a team says about plans in Rego, tried as conftest tries it.
//!
//! A policy file has a package. Its rules `deny`, `violation` and `warn`, also with words after the name (`deny_public_bucket`),
//! yield messages about `input`, which is the file as JSON. A rule of the name `exception` lists rules that do not count.
//!
//! Only a build with the feature `policy` has the interpreter. The default build says how to get the other one.
//!
//! # Laws
//!
//! 1. No secret reaches a message. If the input has secrets, the rules are tried a second time on a masked copy. A message counts
//!    as a text only if the masked copy yields it too. Of the other ones only the name of the rule is told.
//! 2. Policies reach nothing outside: the functions for networks, files and the environment are not part of this program.
//! 3. Each rule ends within a limit of time.
//!
//! # Source
//!
//! The README of conftest, and `policy/engine.go` there: names of rules, forms of results, exceptions. Language: <https://www.openpolicyagent.org/docs>.

#[cfg(not(feature = "policy"))]
mod absent;
#[cfg(feature = "policy")]
mod rego;

#[cfg(not(feature = "policy"))]
pub use absent::Policies;
#[cfg(feature = "policy")]
pub use rego::Policies;

/// The reason why policies cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(
    not(feature = "policy"),
    allow(dead_code, reason = "only the interpreter has these errors")
)]
pub enum PolicyError {
    /// The program was built without the interpreter.
    #[error("this build has no Rego policies: cargo install --path . --features policy")]
    Absent,
    /// A file is not Rego.
    #[error("{file}: {message}")]
    Parse {
        /// The file.
        file: String,
        /// The error of the parser, in one line.
        message: String,
    },
    /// No file has a rule that yields messages.
    #[error("{files}: no rule is called deny, violation or warn")]
    Empty {
        /// The files.
        files: String,
    },
    /// A rule cannot be tried.
    #[error("{rule} in {file}: {message}")]
    Rule {
        /// The rule, with its package.
        rule: String,
        /// The file.
        file: String,
        /// The error, in one line.
        message: String,
    },
    /// The input is no JSON that Rego can hold.
    #[error("the file is not JSON that a policy can read: {0}")]
    Input(String),
}

/// A message of a rule about the input.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(
    not(feature = "policy"),
    allow(dead_code, reason = "only the interpreter yields messages")
)]
pub struct Verdict {
    /// True if the rule only warns.
    pub is_warning: bool,
    /// The name of the rule, with that of its package.
    pub rule: String,
    /// The message; `None` if it depends on secrets.
    pub message: Option<String>,
}

/// Checks that this build can try policies.
///
/// # Errors
///
/// If it was built without the interpreter.
pub fn supported() -> Result<(), PolicyError> {
    if cfg!(feature = "policy") {
        Ok(())
    } else {
        Err(PolicyError::Absent)
    }
}
