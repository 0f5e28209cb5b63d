//! The configuration language of Terraform and OpenTofu (HCL), in its native syntax and in JSON: the blocks and attributes with
//! their byte ranges, and the references and literals of expressions. Nothing is evaluated.
//!
//! # Laws
//!
//! The tokens of [`lex::Lexer`] tile any text: each begins where the previous one ends. All reported byte ranges are inside the
//! text and on character boundaries. Reading ends at the first parse error, and everything before it is kept
//! ([`File::is_whole`]).
//!
//! # Source
//!
//! hashicorp/hcl v2: `hclsyntax/spec.md`, `json/spec.md`; hashicorp/terraform 883c7221 `internal/configs` for the blocks of JSON.

mod cursor;
mod expression;
mod json;
pub mod lex;
mod literal;
mod parse;
mod traversal;

use std::borrow::Cow;
use std::ops::Range;

pub use literal::{Form, Literal};
pub use traversal::{Traversal, Traverser};

/// The syntax of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Syntax {
    /// The native syntax: `*.tf`, `*.tofu`, `.terraform.lock.hcl`.
    Native,
    /// The JSON syntax: `*.tf.json`, `*.tofu.json`.
    Json,
}

/// The parsed file.
#[derive(Clone, Debug)]
pub struct File<'t> {
    /// Its attributes and blocks, up to the first parse error.
    pub body: Body<'t>,
    /// True if the whole file was parsed.
    pub is_whole: bool,
    /// The byte offset at which reading ended.
    pub end: usize,
}

/// The contents of a file or a block.
#[derive(Clone, Default, Debug)]
pub struct Body<'t> {
    /// The attributes, in file order.
    pub attributes: Vec<Attribute<'t>>,
    /// The blocks, in file order.
    pub blocks: Vec<Block<'t>>,
}

/// `name = expression`.
#[derive(Clone, Debug)]
pub struct Attribute<'t> {
    /// The name.
    pub name: Cow<'t, str>,
    /// Its byte range, including the expression.
    pub span: Range<usize>,
    /// The expression.
    pub expression: Expression<'t>,
}

/// `kind "label" { … }`.
#[derive(Clone, Debug)]
pub struct Block<'t> {
    /// The type: `resource`, `lifecycle`.
    pub kind: Cow<'t, str>,
    /// The labels.
    pub labels: Vec<Cow<'t, str>>,
    /// Its byte range, from the type (in JSON from the last label) to the closing bracket.
    pub span: Range<usize>,
    /// Its contents.
    pub body: Body<'t>,
}

/// An expression.
#[derive(Clone, Default, Debug)]
pub struct Expression<'t> {
    /// Its text.
    pub text: &'t str,
    /// The references in it, in order.
    pub references: Vec<Traversal<'t>>,
    /// The literals in it, in order: texts (each piece between interpolations), numbers, `true`, `false`.
    pub literals: Vec<Literal<'t>>,
}

impl<'t> Body<'t> {
    /// The expression of the attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&Expression<'t>> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|attribute| attribute.name == name)?;
        Some(&found.expression)
    }

    /// The blocks of a type.
    pub fn blocks<'b>(&'b self, kind: &'b str) -> impl Iterator<Item = &'b Block<'t>> {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }

    /// Appends the contents of another body.
    pub fn extend(&mut self, other: Self) {
        self.attributes.extend(other.attributes);
        self.blocks.extend(other.blocks);
    }
}

impl Expression<'_> {
    /// The constant text of the expression; `None` unless it is a single text without interpolations.
    pub fn constant_text(&self) -> Option<String> {
        match &*self.literals {
            _ if !self.references.is_empty() => None,
            [only] if only.form.is_text() && self.text.trim().len() == only.outer_len() => {
                Some(only.decode().into_owned())
            }
            // `""` has no text token.
            [] if self.text.trim() == "\"\"" => Some(String::new()),
            literals => literal::heredoc(self.text.trim(), literals),
        }
    }
}

/// Parses a file.
pub fn read(text: &str, syntax: Syntax) -> File<'_> {
    match syntax {
        Syntax::Native => parse::file(text),
        Syntax::Json => json::file(text),
    }
}

#[cfg(test)]
mod tests;
