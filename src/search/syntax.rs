//! The query language as a table, apart from the fields: the help, `--help` and `docs/search.md` list it.

/// A form of terms.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// Examples, each of them a query.
    pub examples: &'static [&'static str],
    /// Meaning of the form.
    pub help: &'static str,
}

/// Every form of a term except the fields, and the ways to combine terms.
pub const SYNTAX: &[Syntax] = &[
    Syntax {
        examples: &["db pass"],
        help: "words that all occur in the name, the type or the path of a property; letters may be scattered",
    },
    Syntax {
        examples: &["delete", "!create"],
        help: "in a plan, the name of an action (also deleted) means the action too, and drift what changed outside",
    },
    Syntax {
        examples: &["tags[*].key", ".tags.Name", "**.arn", "@path"],
        help: "a property path or pattern, in every resource's inputs and outputs; one that no path fits is a part of an address",
    },
    Syntax {
        examples: &["=10.0.3.17", "=\"two words\"", "=~^ami-"],
        help: "properties whose value contains the text, or matches the regular expression",
    },
    Syntax {
        examples: &["type:aws:s3/*", "is:secret,tainted"],
        help: "a field, see below; * is a wildcard, a comma means or; with another name it is a word",
    },
    Syntax {
        examples: &["!db", "!is:data"],
        help: "not: the term must fail",
    },
    Syntax {
        examples: &["'db", "\"two words\"", "^db", "db$"],
        help: "a word exactly as written; at the start; at the end",
    },
    Syntax {
        examples: &["web type:subnet | =10.0.3.17"],
        help: "the hits of either side; a space binds tighter, and there are no parentheses",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Query;

    #[test]
    fn examples_are_queries() {
        for example in SYNTAX.iter().flat_map(|syntax| syntax.examples) {
            assert!(Query::parse(example).is_ok(), "{example}");
        }
    }
}
