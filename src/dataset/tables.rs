//! The tables of the dataset, column by column. Its documentation has them from here.

/// A table of the dataset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Table {
    /// A row for each version of each stack.
    Stacks,
    /// A row for each resource of a version.
    Resources,
    /// A row for each value without parts, of resources and of outputs of the stack.
    Properties,
    /// A row for each reason why a resource needs another one, or another stack.
    Dependencies,
    /// A row for each planned change, and one for each property that it changes.
    Changes,
    /// A row for each finding of the checks, the rules and the mechanisms.
    Findings,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The type of its values.
    pub ty: ColumnType,
    /// True if a value may be missing.
    pub is_nullable: bool,
    /// Its meaning.
    pub help: &'static str,
}

/// The type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnType {
    /// UTF-8.
    Text,
    /// A whole number of 64 bits.
    Long,
    /// A floating-point number of 64 bits.
    Double,
    /// True or false.
    Boolean,
    /// A point in time, in milliseconds since 1970 (UTC).
    Time,
}

impl ColumnType {
    /// The name in the documentation.
    #[cfg(any(test, feature = "internals"))]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Long => "long",
            Self::Double => "double",
            Self::Boolean => "boolean",
            Self::Time => "timestamp",
        }
    }
}

impl Table {
    /// Number of tables.
    pub const COUNT: usize = 6;

    /// All tables. The stacks come last: a version counts once its stack has a row.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Resources,
        Self::Properties,
        Self::Dependencies,
        Self::Changes,
        Self::Findings,
        Self::Stacks,
    ];

    /// Its position in [`Table::ALL`].
    pub fn position(self) -> usize {
        match self {
            Self::Resources => 0,
            Self::Properties => 1,
            Self::Dependencies => 2,
            Self::Changes => 3,
            Self::Findings => 4,
            Self::Stacks => 5,
        }
    }

    /// The name of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stacks => "stacks",
            Self::Resources => "resources",
            Self::Properties => "properties",
            Self::Dependencies => "dependencies",
            Self::Changes => "changes",
            Self::Findings => "findings",
        }
    }

    /// Its columns. The tool is none of them: it is in the names of the folders.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Stacks => STACKS,
            Self::Resources => RESOURCES,
            Self::Properties => PROPERTIES,
            Self::Dependencies => DEPENDENCIES,
            Self::Changes => CHANGES,
            Self::Findings => FINDINGS,
        }
    }
}

const fn column(
    name: &'static str,
    ty: ColumnType,
    is_nullable: bool,
    help: &'static str,
) -> Column {
    Column {
        name,
        ty,
        is_nullable,
        help,
    }
}

const fn text(name: &'static str, help: &'static str) -> Column {
    column(name, ColumnType::Text, false, help)
}

const fn long(name: &'static str, help: &'static str) -> Column {
    column(name, ColumnType::Long, false, help)
}

const fn boolean(name: &'static str, help: &'static str) -> Column {
    column(name, ColumnType::Boolean, false, help)
}

const fn maybe_text(name: &'static str, help: &'static str) -> Column {
    column(name, ColumnType::Text, true, help)
}

const fn maybe_long(name: &'static str, help: &'static str) -> Column {
    column(name, ColumnType::Long, true, help)
}

const fn maybe_time(name: &'static str, help: &'static str) -> Column {
    column(name, ColumnType::Time, true, help)
}

const VERSION: Column = text("version_id", "The version of the stack, as in `stacks`");

const STACKS: &[Column] = &[
    text("stack_id", "The stack: it depends on its place alone"),
    text(
        "version_id",
        "The version: it depends on the stack and its contents alone",
    ),
    long(
        "number",
        "1 for the first version of the stack in this dataset, then 2, 3, …",
    ),
    text("name", "The short name, as `stacklens find` prints it"),
    text(
        "place",
        "The path of the file below the exported places, with `/` between its parts",
    ),
    text(
        "role",
        "`state`, `backup`, `history` or `other`, by the name of the file",
    ),
    maybe_text(
        "kind",
        "The kind of the file, as `stacklens info` prints it; null if it could not be read",
    ),
    maybe_text(
        "tool_version",
        "The version of the program that wrote the file",
    ),
    maybe_text(
        "project",
        "The project; for Terraform the stem of the file name",
    ),
    maybe_text("stack", "The stack or workspace"),
    maybe_text(
        "reference",
        "The name by which other stacks refer to it: `PROJECT/STACK` for Pulumi, the place for Terraform",
    ),
    maybe_text("lineage", "The lineage of a Terraform state"),
    maybe_long("serial", "The serial number of a Terraform state"),
    long("bytes", "Size of the file in bytes"),
    maybe_time("modified", "Time of the last write of the file"),
    maybe_time(
        "changed",
        "Time of the last update or of the plan, if the file records it",
    ),
    maybe_time("exported", "Time of the export that wrote the row"),
    maybe_long(
        "resources",
        "Number of resources, as `stacklens info` counts them",
    ),
    maybe_long("outputs", "Number of outputs"),
    maybe_long("secrets", "Number of outermost secret values"),
    maybe_long(
        "drifted",
        "Number of resources that changed outside of the program",
    ),
    maybe_long(
        "pending",
        "Number of resources that wait for something: an operation, a deletion, a replacement",
    ),
    maybe_long(
        "problems",
        "Number of notes of the file that are a warning or worse",
    ),
    maybe_long(
        "unread",
        "Number of resources that could not be read: they have a row, and no properties",
    ),
    maybe_text(
        "damage",
        "The damage to the file, if only a part of it could be read",
    ),
    maybe_text(
        "error",
        "The reason why the file could not be read; then no other table has rows of the version",
    ),
    maybe_text(
        "contents",
        "SHA-256 of the file in hexadecimal digits; null if it could not be opened",
    ),
    maybe_text(
        "twin_key",
        "Equal for copies of one version of one stack; null for older copies and files with an error",
    ),
];

const RESOURCES: &[Column] = &[
    VERSION,
    long(
        "resource",
        "Number of the resource in its version, from 0 in the order of the file",
    ),
    text(
        "address",
        "The address; for Pulumi the URN. It is the same in other versions of the stack",
    ),
    text(
        "urn",
        "The URN; `stacklens` makes one for resources of Terraform",
    ),
    text(
        "type",
        "The type, such as `aws_instance` or `aws:ec2/instance:Instance`",
    ),
    text("name", "The short name"),
    maybe_text(
        "id",
        "The id at the provider; null if there is none, or if it is secret or not known",
    ),
    text(
        "mode",
        "`managed`, `data`, `external`, `ephemeral`, `component`, `provider` or `stack`",
    ),
    boolean("custom", "True for a resource of a provider"),
    maybe_text(
        "module",
        "The modules around a resource of Terraform, such as `network.vpc`",
    ),
    maybe_text(
        "module_source",
        "The source of the innermost of these modules; null in a state, which does not record it, and if it holds a secret",
    ),
    maybe_text(
        "module_version",
        "The constraint on the version of that module in the configuration of a plan, such as `~> 5.1`",
    ),
    maybe_text(
        "parent",
        "The URN of the parent; for Terraform the address of the module",
    ),
    maybe_text("provider", "The reference to the provider"),
    maybe_text(
        "provider_version",
        "The locked version of the provider, if a lock file is with the plan",
    ),
    text(
        "flags",
        "The words of `is:` that hold, each between commas: `,custom,protected,`",
    ),
    maybe_text("action", "The planned action; null in a state"),
    boolean(
        "drift",
        "True for an entry of a plan that lists drift, beside the resource itself",
    ),
    long("bytes", "Size in the file, in bytes"),
    long("properties", "Number of its rows in `properties`"),
    long("secrets", "Number of these rows that are masked"),
];

const PROPERTIES: &[Column] = &[
    VERSION,
    maybe_long(
        "resource",
        "The resource, as in `resources`; null for an output of the stack",
    ),
    text(
        "section",
        "`inputs` or `outputs`; with `before.` for the values before a change. Terraform's attributes are outputs",
    ),
    text(
        "path",
        "The path in the section, such as `tags.Name` or `rules[0].port`; it starts with the name of an output",
    ),
    text(
        "kind",
        "`string`, `number`, `boolean`, `null`, `map` and `list` (empty ones), `asset`, `archive`, `reference`, `unknown`, `secret`, `likely_secret`",
    ),
    maybe_text(
        "text",
        "The value as text, exact; a masked part of it is `[likely secret]`; null if it is all masked, not known, or has no text",
    ),
    column(
        "number",
        ColumnType::Double,
        true,
        "The value of a number, as far as a double holds it",
    ),
    column(
        "boolean",
        ColumnType::Boolean,
        true,
        "The value of a boolean",
    ),
];

const DEPENDENCIES: &[Column] = &[
    VERSION,
    long("resource", "The resource that needs the other one"),
    text(
        "kind",
        "`property`, `dependency`, `parent`, `provider`, `deleted-with`, `replace-with`; `stack_reference` and `remote_state` lead to another stack",
    ),
    text(
        "target",
        "The needed resource or stack, as the file names it",
    ),
    maybe_long(
        "target_resource",
        "The needed resource, if it is in the same version",
    ),
    maybe_text(
        "target_stack",
        "The needed stack, to compare with `reference` in `stacks`",
    ),
    maybe_text(
        "property",
        "The property that takes its value from the target",
    ),
    maybe_text("attribute", "The attribute of the target that is used"),
];

const CHANGES: &[Column] = &[
    VERSION,
    maybe_long(
        "resource",
        "The resource that changes; null for an output of the stack",
    ),
    text(
        "action",
        "`create`, `update`, `replace`, `delete`, `read`, `import`, `move`, `forget` or `defer`",
    ),
    boolean(
        "drift",
        "True for a change that was made outside of the program",
    ),
    maybe_text("own_words", "The action in the words of the file"),
    maybe_text(
        "replace_order",
        "The order of a replacement, such as `create before destroy`",
    ),
    maybe_text(
        "reasons",
        "The reasons that the file gives, separated by `; `",
    ),
    maybe_text(
        "section",
        "The section of a changed property; null in the row of the change itself",
    ),
    maybe_text(
        "path",
        "The path of a changed property; null in the row of the change itself",
    ),
    maybe_text(
        "edit",
        "`create`, `update` or `delete`: the change of the property",
    ),
    boolean(
        "replaces",
        "True if the property forces the replacement; in the row of the change itself, if the resource is replaced",
    ),
    maybe_text(
        "before",
        "The value before, as text; null if there was none, or if it is masked",
    ),
    maybe_text(
        "after",
        "The value after, as text; null if there will be none, or if it is masked or not known",
    ),
    boolean("secret", "True if the values are masked"),
    boolean(
        "unknown",
        "True if the value after is not known before the apply",
    ),
];

const FINDINGS: &[Column] = &[
    VERSION,
    text(
        "source",
        "`check` for the findings of `stacklens check`, `rule` and `mechanism` for those of `stacklens brief`",
    ),
    text(
        "rule",
        "The kind of a finding of `check`, the id of a rule, or the name of a mechanism",
    ),
    text(
        "severity",
        "`info`, `warning` or `error` of a check; `danger`, `warning` or `note` of a rule",
    ),
    maybe_long("resource", "The resource, if it is one"),
    maybe_text(
        "address",
        "The address of the resource; for Pulumi the URN. Else the place that the finding names",
    ),
    maybe_text("path", "The property"),
    text(
        "message",
        "The finding in a sentence, without a value of the file that is masked",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_stand_at_their_positions_and_names_of_columns_differ() {
        for (position, table) in Table::ALL.into_iter().enumerate() {
            assert_eq!(table.position(), position);
            let mut names: Vec<_> = table.columns().iter().map(|it| it.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.columns().len(), "{table:?}");
        }
    }
}
