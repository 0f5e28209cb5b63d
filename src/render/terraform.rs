//! Plans as text, in the manner of `terraform show`: 78 columns, no color.
//!
//! A [`Plan`] holds changes of resources ([`Planned`], each with its described difference), drift, changes of outputs, and how
//! the plan was made. [`plan`] writes all of it.
//!
//! Terraform writes some texts of a file unescaped (lines of long strings, names). Here, characters that could steer a terminal
//! are escaped.
//!
//! # Source
//!
//! Terraform 1.17 `internal/command/jsonformat`, its output in the vectors, and the output of Terraform 1.11 for cases that the
//! vectors do not cover; `OpenTofu` 1.11 for its own wording.

/// Writes to a string.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{
        use std::fmt::Write;
        write!($out, $($arg)*).expect("a string takes every write");
    }};
}

mod configured;
mod headline;
mod invoked;
mod mode;
mod node;
mod page;
mod plan;
mod planned;
mod quote;

pub use invoked::Invoked;
pub use mode::Mode;
pub use plan::{Plan, plan};
pub use planned::Planned;

use crate::text::{escaped_lines, is_unsafe_to_show};

/// The product whose wording is used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Product {
    /// Terraform.
    #[default]
    Terraform,
    /// `OpenTofu`.
    OpenTofu,
}

impl Product {
    fn name(self) -> &'static str {
        match self {
            Self::Terraform => "Terraform",
            Self::OpenTofu => "OpenTofu",
        }
    }

    fn command(self) -> &'static str {
        match self {
            Self::Terraform => "terraform",
            Self::OpenTofu => "tofu",
        }
    }
}

/// `text` with every character that could steer a terminal escaped; line ends and tabs stay.
fn safe(text: String) -> String {
    let is_unsafe = |char: char| !matches!(char, '\n' | '\t') && is_unsafe_to_show(char);
    if !text.contains(is_unsafe) {
        return text;
    }
    escaped_lines(&text)
}
