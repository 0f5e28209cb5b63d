//! Random configurations of Terraform's built-in provider.

use std::fmt::{self, Write as _};

use proptest::prelude::*;

/// Two configurations, and the way to plan from one to the other.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The configuration that is applied first; "" for none.
    pub(super) before: String,
    /// The configuration that is planned.
    pub(super) after: String,
    /// Further arguments of `terraform plan`.
    pub(super) arguments: Vec<&'static str>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            before,
            after,
            arguments,
        } = self;
        write!(f, "{arguments:?} from\n{before}\nto\n{after}")
    }
}

#[derive(Clone, Debug)]
enum Literal {
    Null,
    Bool(bool),
    Number(&'static str),
    Text(&'static str),
    List(Vec<Literal>),
    Object(Vec<(&'static str, Literal)>),
}

#[derive(Clone, Debug)]
enum Resource {
    Absent,
    One {
        input: Literal,
        triggers: Option<Literal>,
        is_first_created: bool,
    },
    Counted(usize, Literal),
    Each(Vec<&'static str>),
    Sensitive(Literal),
    /// Takes its input from the resource before it.
    Following,
}

pub(super) fn case() -> impl Strategy<Value = Case> {
    let slot = (resource(), resource(), any::<bool>());
    let output = (literal(), literal(), any::<bool>());
    let slots = prop::collection::vec(slot, 1..5);
    let outputs = prop::collection::vec(output, 0..3);
    let arguments = prop_oneof![
        6 => Just(vec![]),
        1 => Just(vec!["-destroy"]),
        1 => Just(vec!["-refresh-only"]),
        1 => Just(vec!["-replace=terraform_data.r0"]),
    ];
    (slots, outputs, arguments).prop_map(|(slots, outputs, arguments)| {
        let side = |is_after: bool| {
            let resources: Vec<&Resource> = slots
                .iter()
                .map(|(before, after, changes)| if is_after && *changes { after } else { before })
                .collect();
            let values: Vec<&Literal> = outputs
                .iter()
                .map(|(before, after, changes)| if is_after && *changes { after } else { before })
                .collect();
            text(&resources, &values)
        };
        let (before, after) = (side(false), side(true));
        let r0 = "resource \"terraform_data\" \"r0\" {";
        // The resource to be replaced has to be a single one before and after.
        let is_one = |text: &str| {
            let rest = text.split_once(r0).map_or("", |(_, rest)| rest);
            let own = rest.split_once("\n}").map_or("", |(own, _)| own);
            !own.is_empty() && !own.contains("count") && !own.contains("for_each")
        };
        let is_sound = !arguments.iter().any(|it: &&str| it.starts_with("-replace"))
            || is_one(&before) && is_one(&after);
        Case {
            before,
            after,
            arguments: if is_sound { arguments } else { vec![] },
        }
    })
}

fn resource() -> impl Strategy<Value = Resource> {
    let keys = prop::collection::btree_set(
        prop::sample::select(vec!["a", "b", "key c", "\u{e9}"]),
        0..4,
    );
    prop_oneof![
        2 => Just(Resource::Absent),
        6 => (literal(), prop::option::of(literal()), any::<bool>()).prop_map(
            |(input, triggers, is_first_created)| Resource::One {
                input,
                triggers,
                is_first_created,
            }
        ),
        1 => (0_usize..4, literal()).prop_map(|(n, input)| Resource::Counted(n, input)),
        1 => keys.prop_map(|keys| Resource::Each(keys.into_iter().collect())),
        1 => literal().prop_map(Resource::Sensitive),
        1 => Just(Resource::Following),
    ]
}

fn literal() -> impl Strategy<Value = Literal> {
    let texts = vec![
        "",
        "a",
        "b",
        "one\ntwo\n",
        "one\nthree\n",
        "  led by blanks\nand more",
        "{\"a\":[1,2],\"b\":\"x\"}",
        "{\"a\": [1, 3], \"b\": \"x\"}",
        "[1, 2, 3]",
        "\"quoted\\\"",
        "tab\tand \u{e9}",
        "${not} %{this}",
    ];
    let numbers = vec!["0", "1", "-7", "0.1", "1.5e10", "123456789012345678901"];
    let leaf = prop_oneof![
        1 => Just(Literal::Null),
        1 => any::<bool>().prop_map(Literal::Bool),
        2 => prop::sample::select(numbers).prop_map(Literal::Number),
        4 => prop::sample::select(texts).prop_map(Literal::Text),
    ];
    leaf.prop_recursive(3, 16, 5, |inner| {
        let names = prop::sample::select(vec!["a", "b", "name", "key c", "id"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Literal::List),
            prop::collection::btree_map(names, inner, 0..4)
                .prop_map(|map| Literal::Object(map.into_iter().collect())),
        ]
    })
}

fn text(resources: &[&Resource], outputs: &[&Literal]) -> String {
    let mut text = String::new();
    // Writing to a `String` cannot fail.
    for (index, resource) in resources.iter().enumerate() {
        let body = match resource {
            Resource::Absent => continue,
            Resource::One {
                input,
                triggers,
                is_first_created,
            } => {
                let mut body = format!("  input = {input}\n");
                if let Some(triggers) = triggers {
                    _ = writeln!(body, "  triggers_replace = {triggers}");
                }
                if *is_first_created {
                    body.push_str("  lifecycle { create_before_destroy = true }\n");
                }
                body
            }
            Resource::Counted(count, input) => format!("  count = {count}\n  input = {input}\n"),
            Resource::Each(keys) => {
                format!("  for_each = toset({keys:?})\n  input = each.key\n")
            }
            Resource::Sensitive(input) => format!("  input = sensitive({input})\n"),
            Resource::Following => match resources[..index].iter().rposition(|it| is_single(it)) {
                Some(other) => format!("  input = [terraform_data.r{other}.output, \"x\"]\n"),
                None => "  input = \"x\"\n".to_owned(),
            },
        };
        _ = writeln!(
            text,
            "resource \"terraform_data\" \"r{index}\" {{\n{body}}}"
        );
    }
    for (index, value) in outputs.iter().enumerate() {
        _ = writeln!(text, "output \"o{index}\" {{\n  value = {value}\n}}");
    }
    text
}

/// True if the resource is neither absent nor one of several, nor hidden.
fn is_single(resource: &Resource) -> bool {
    matches!(resource, Resource::One { .. } | Resource::Following)
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(bool) => write!(f, "{bool}"),
            Self::Number(number) => f.write_str(number),
            Self::Text(text) => quoted(text, f),
            Self::List(items) => {
                f.write_char('[')?;
                for item in items {
                    write!(f, "{item}, ")?;
                }
                f.write_char(']')
            }
            Self::Object(entries) => {
                f.write_char('{')?;
                for (key, value) in entries {
                    quoted(key, f)?;
                    write!(f, " = {value}, ")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for char in text.chars() {
        match char {
            '"' | '\\' => write!(f, "\\{char}")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '$' | '%' => write!(f, "{char}{char}")?,
            char => f.write_char(char)?,
        }
    }
    f.write_char('"')
}
