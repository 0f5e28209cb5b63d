//! The configuration language of Terraform and OpenTofu (HCL), in its own syntax and in JSON: what blocks and attributes there
//! are and where, what an expression refers to, and where its literals stand. Nothing is evaluated.
//!
//! # Laws
//!
//! The tokens of [`lex::Lexer`] tile the text, whatever it is: each begins where the one before ends. All that is told of a text
//! lies inside of it, between characters. What is not understood ends the reading; what stands before is kept
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
pub use traversal::{Step, Traversal};

/// The syntax of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Syntax {
    /// The language itself: `*.tf`, `*.tofu`, `.terraform.lock.hcl`.
    Native,
    /// The same in JSON: `*.tf.json`, `*.tofu.json`.
    Json,
}

/// What a text says.
#[derive(Clone, Debug)]
pub struct File<'t> {
    /// Its attributes and blocks, up to where it is not understood.
    pub body: Body<'t>,
    /// Whether that is all of it.
    pub is_whole: bool,
    /// The byte at which reading ended.
    pub end: usize,
}

/// What stands in a file or a block.
#[derive(Clone, Default, Debug)]
pub struct Body<'t> {
    /// The attributes in order.
    pub attributes: Vec<Attribute<'t>>,
    /// The blocks in order.
    pub blocks: Vec<Block<'t>>,
}

/// `name = expression`.
#[derive(Clone, Debug)]
pub struct Attribute<'t> {
    /// The name.
    pub name: Cow<'t, str>,
    /// Its bytes, the expression included.
    pub span: Range<usize>,
    /// What it is set to.
    pub expression: Expression<'t>,
}

/// `kind "label" { … }`.
#[derive(Clone, Debug)]
pub struct Block<'t> {
    /// The type: `resource`, `lifecycle`.
    pub kind: Cow<'t, str>,
    /// The labels.
    pub labels: Vec<Cow<'t, str>>,
    /// Its bytes, from the type (in JSON from the last label) to the closing bracket.
    pub span: Range<usize>,
    /// What stands in it.
    pub body: Body<'t>,
}

/// An expression.
#[derive(Clone, Default, Debug)]
pub struct Expression<'t> {
    /// Its text.
    pub text: &'t str,
    /// What it refers to, in order.
    pub references: Vec<Traversal<'t>>,
    /// What is written out in it, in order: texts (between interpolations each piece), numbers, `true`, `false`.
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

    /// Adds what another text says.
    pub fn extend(&mut self, other: Self) {
        self.attributes.extend(other.attributes);
        self.blocks.extend(other.blocks);
    }
}

impl Expression<'_> {
    /// The text that it is, if it is one text without interpolations.
    pub fn constant_text(&self) -> Option<String> {
        match &*self.literals {
            _ if !self.references.is_empty() => None,
            [only] if only.form.is_text() && self.text.trim().len() == only.outer_len() => {
                Some(only.decode().into_owned())
            }
            // `""` has no piece of text in it.
            [] if self.text.trim() == "\"\"" => Some(String::new()),
            literals => literal::heredoc(self.text.trim(), literals),
        }
    }
}

/// Reads a text.
pub fn read(text: &str, syntax: Syntax) -> File<'_> {
    match syntax {
        Syntax::Native => parse::file(text),
        Syntax::Json => json::file(text),
    }
}

#[cfg(test)]
mod tests;
