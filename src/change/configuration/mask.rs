//! Finds secrets in a file by their position. The rules are in the [module](super).

use std::collections::HashSet;
use std::ops::Range;

use super::Secrets;
use super::find::{address, in_module, nested_name};
use crate::likely::names_secret;
use crate::stack::SourceFile;
use crate::terraform::hcl::{Attribute, Block, Body, Expression, Literal};
use crate::text::words;

/// The secret variables, each as a module and a name.
#[derive(Default)]
pub(super) struct Variables(HashSet<(String, String)>);

impl Variables {
    /// Adds the secret variables that a file of `module` declares.
    pub(super) fn add(&mut self, module: &str, body: &Body<'_>) {
        for block in body.blocks("variable") {
            if let [name] = block.labels.as_slice()
                && is_declared_secret(&block.body)
            {
                self.0.insert((module.to_owned(), name.to_string()));
            }
        }
    }

    /// Calls `found` with the texts that a file of `module` assigns to secret variables: defaults, and arguments of module
    /// calls.
    pub(super) fn secret_texts(
        &self,
        module: &str,
        body: &Body<'_>,
        found: &mut dyn FnMut(String),
    ) {
        let mut take = |expression: &Expression<'_>| {
            let texts = expression.literals.iter().filter(|it| it.form.is_text());
            texts.for_each(|literal| found(literal.decode().into_owned()));
        };
        for block in &body.blocks {
            let label = block.labels.last().map_or("", |label| label);
            match &*block.kind {
                "variable" if self.contains(module, label) => {
                    block
                        .body
                        .attribute("default")
                        .into_iter()
                        .for_each(&mut take);
                }
                "module" => {
                    let inner = in_module(module, label);
                    let attributes = block.body.attributes.iter();
                    let secret = attributes.filter(|it| self.contains(&inner, &it.name));
                    secret.for_each(|attribute| take(&attribute.expression));
                }
                _ => {}
            }
        }
    }

    fn contains(&self, module: &str, name: &str) -> bool {
        self.0.contains(&(module.to_owned(), name.to_owned()))
    }
}

/// True if a variable or an output is declared sensitive or ephemeral. Any expression but `false` counts, since it may be true.
fn is_declared_secret(body: &Body<'_>) -> bool {
    ["sensitive", "ephemeral"].iter().any(|name| {
        body.attribute(name)
            .is_some_and(|expression| expression.text.trim() != "false")
    })
}

/// The rule that selects the literals of a body to mask.
#[derive(Clone, Copy)]
enum Rule {
    /// Literals whose name says that they are secret.
    Names(fn(&str) -> bool),
    /// All literals.
    All,
}

/// The rule outside of blocks with sign-in settings.
const BY_NAME: Rule = Rule::Names(names_secret);

/// The byte ranges of a file to mask.
pub(super) fn of_body(
    source: &SourceFile,
    body: &Body<'_>,
    variables: &Variables,
    secrets: &Secrets,
) -> Vec<Range<usize>> {
    let masker = Masker {
        source,
        variables,
        secrets,
    };
    let mut masks = Vec::new();
    attributes(body, BY_NAME, &mut masks);
    for block in &body.blocks {
        masker.top_block(block, &mut masks);
    }
    masks
}

struct Masker<'a> {
    source: &'a SourceFile,
    variables: &'a Variables,
    secrets: &'a Secrets,
}

impl Masker<'_> {
    fn top_block(&self, block: &Block<'_>, masks: &mut Vec<Range<usize>>) {
        let label = block.labels.last().map_or("", |label| label);
        match &*block.kind {
            "variable" | "output" => {
                let is_variable = block.kind == "variable";
                let value = if is_variable { "default" } else { "value" };
                let is_secret = is_declared_secret(&block.body)
                    || is_variable && self.variables.contains(&self.source.module, label);
                let of_value = if is_secret { Rule::All } else { BY_NAME };
                for attribute in &block.body.attributes {
                    // A declared value goes by the name of its block.
                    let (name, rule) = match &*attribute.name {
                        name if name == value => (label, of_value),
                        name => (name, BY_NAME),
                    };
                    expression(name, &attribute.expression, rule, masks);
                }
            }
            "module" => {
                let inner = in_module(&self.source.module, label);
                for attribute in &block.body.attributes {
                    let is_secret = self.variables.contains(&inner, &attribute.name);
                    let rule = if is_secret { Rule::All } else { BY_NAME };
                    expression(&attribute.name, &attribute.expression, rule, masks);
                }
            }
            "resource" | "data" | "ephemeral" | "action" => {
                let own = address(block).unwrap_or_default();
                let address = in_module(&self.source.module_address(), &own);
                self.arguments(&address, &block.body, &mut Vec::new(), masks);
            }
            "provider" => {
                everything(&block.body, Rule::Names(is_credential), masks);
                let address = format!("provider.{label}");
                self.arguments(&address, &block.body, &mut Vec::new(), masks);
            }
            _ => everything(&block.body, BY_NAME, masks),
        }
    }

    /// Masks the arguments of a resource, below the properties `above`.
    fn arguments(
        &self,
        address: &str,
        body: &Body<'_>,
        above: &mut Vec<String>,
        masks: &mut Vec<Range<usize>>,
    ) {
        for attribute in &body.attributes {
            above.push(attribute.name.to_string());
            let is_secret = self.secrets.is_secret_at(address, above);
            above.pop();
            let rule = if is_secret { Rule::All } else { BY_NAME };
            expression(&attribute.name, &attribute.expression, rule, masks);
        }
        named_values(body, names_secret, masks);
        for block in &body.blocks {
            let kind = &*block.kind;
            if matches!(kind, "connection" | "provisioner") {
                everything(&block.body, Rule::Names(is_credential), masks);
            } else if kind == "content" && !above.is_empty() {
                // In a dynamic block the attributes of `content` are those of the property itself.
                self.arguments(address, &block.body, above, masks);
            } else if names_secret(nested_name(block)) {
                everything(&block.body, Rule::All, masks);
            } else {
                above.push(nested_name(block).to_owned());
                self.arguments(address, &block.body, above, masks);
                above.pop();
            }
        }
    }
}

/// Masks a body with all its nested blocks.
fn everything(body: &Body<'_>, rule: Rule, masks: &mut Vec<Range<usize>>) {
    attributes(body, rule, masks);
    for block in &body.blocks {
        let rule = match (&*block.kind, rule) {
            ("backend" | "cloud" | "connection" | "provisioner", Rule::Names(_)) => {
                Rule::Names(is_credential)
            }
            (_, Rule::Names(says)) if says(&block.kind) => Rule::All,
            (_, rule) => rule,
        };
        everything(&block.body, rule, masks);
    }
}

fn attributes(body: &Body<'_>, rule: Rule, masks: &mut Vec<Range<usize>>) {
    for attribute in &body.attributes {
        expression(&attribute.name, &attribute.expression, rule, masks);
    }
    if let Rule::Names(says) = rule {
        named_values(body, says, masks);
    }
}

/// Masks `value = "…"` next to `name = "DB_PASSWORD"`.
fn named_values(body: &Body<'_>, says: fn(&str) -> bool, masks: &mut Vec<Range<usize>>) {
    let is_named = |attribute: &Attribute<'_>| {
        matches!(&*attribute.name, "name" | "key")
            && attribute
                .expression
                .constant_text()
                .is_some_and(|name| says(&name))
    };
    if body.attributes.iter().any(is_named)
        && let Some(value) = body.attribute("value")
    {
        expression("", value, Rule::All, masks);
    }
}

/// Masks the literals of the expression named `name`.
fn expression(name: &str, expression: &Expression<'_>, rule: Rule, masks: &mut Vec<Range<usize>>) {
    // True if the last `name` or `key` before a `value`, in a list of objects, says that the value is secret.
    let mut named: Option<bool> = None;
    for literal in &expression.literals {
        let key = literal.key.as_deref().unwrap_or_default();
        let is_masked = match rule {
            Rule::All => true,
            Rule::Names(says) => {
                let by_name = says(name) || says(key) || key == "value" && named == Some(true);
                if matches!(key, "name" | "key") {
                    named = Some(says(&literal.decode()));
                }
                literal.is_sensitive || by_name && is_value(literal, key)
            }
        };
        if is_masked {
            masks.push(literal.span.clone());
        }
    }
}

/// True if a literal may be a secret that its name announces. Numbers and booleans are not.
fn is_value(literal: &Literal<'_>, key: &str) -> bool {
    literal.form.is_text() && !matches!(key, "name")
}

/// Like [`names_secret`], for blocks with sign-in settings. There every key counts.
fn is_credential(name: &str) -> bool {
    names_secret(name)
        || words(name)
            .iter()
            .any(|word| word == "key" || word == "keys")
}
