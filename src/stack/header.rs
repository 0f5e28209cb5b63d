//! The metadata of a file: its kind, the program that wrote it, its stack.

use std::fmt;

use crate::likely::Masking;
use crate::terraform::address::ProviderAddress;
use crate::terraform::schema::HiddenPlaces;
use crate::value::{KNOWN_AFTER_APPLY, Map, Value};

/// The kind of a file, by the name that `info` prints. Lists for people have this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A deployment (`pulumi stack export`) or a checkpoint of a self-managed backend.
    PulumiState,
    /// `pulumi preview --json`.
    PulumiPreview,
    /// `pulumi preview --save-plan`.
    PulumiPlan,
    /// An engine event log.
    PulumiEvents,
    /// A state file, version 1 to 4.
    TerraformState,
    /// `terraform show -json` of a state.
    TerraformShow,
    /// `terraform show -json` of a plan.
    TerraformPlan,
    /// A plan file (`terraform plan -out`).
    TerraformPlanBinary,
    /// The machine-readable log of plan, apply or refresh.
    TerraformUi,
    /// `terraform providers schema -json`.
    ProviderSchemas,
}

/// The facts about a kind of file that differ from kind to kind.
struct KindFacts {
    name: &'static str,
    is_pulumi: bool,
    contents: Contents,
}

/// The thing that a file records.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contents {
    /// Values at one time.
    Values,
    /// Changes that are planned.
    Changes,
    /// The log of a run, which may still be in progress.
    Log,
}

impl Kind {
    /// The facts of each kind. Code that treats a kind of file in another way asks for the kind where it does so.
    const fn facts(self) -> KindFacts {
        use Contents::{Changes, Log, Values};
        let (name, is_pulumi, contents) = match self {
            Self::PulumiState => ("pulumi-state", true, Values),
            Self::PulumiPreview => ("pulumi-preview", true, Changes),
            Self::PulumiPlan => ("pulumi-plan", true, Changes),
            Self::PulumiEvents => ("pulumi-events", true, Log),
            Self::TerraformState => ("tfstate", false, Values),
            Self::TerraformShow => ("tfshow-json", false, Values),
            Self::TerraformPlan => ("tfplan-json", false, Changes),
            Self::TerraformPlanBinary => ("tfplan-binary", false, Changes),
            Self::TerraformUi => ("tf-ui-json", false, Log),
            Self::ProviderSchemas => ("provider-schemas", false, Values),
        };
        KindFacts {
            name,
            is_pulumi,
            contents,
        }
    }

    /// The name that `info --json` prints.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// True for a file of Pulumi, false for one of Terraform or OpenTofu.
    pub fn is_pulumi(self) -> bool {
        self.facts().is_pulumi
    }

    /// The tool whose file it is, in words.
    pub fn tool(self) -> &'static str {
        if self.is_pulumi() {
            "Pulumi"
        } else {
            "Terraform"
        }
    }

    /// True if the file is the log of a run, which may still be in progress.
    pub fn is_log(self) -> bool {
        self.facts().contents == Contents::Log
    }

    /// The text that the file's tool displays for a value that is not known yet.
    ///
    /// Pulumi's files mark every unknown as a string, whatever its type, and Pulumi's own display repeats that.
    pub fn unknown(self) -> &'static str {
        if self.is_pulumi() {
            "output<string>"
        } else {
            KNOWN_AFTER_APPLY
        }
    }

    /// True if the file contains planned or recorded changes.
    pub fn has_changes(self) -> bool {
        self.facts().contents != Contents::Values
    }
}

/// The program that wrote a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Tool {
    /// Pulumi.
    #[default]
    Pulumi,
    /// Terraform, or OpenTofu if the file does not distinguish them.
    Terraform,
    /// OpenTofu.
    OpenTofu,
}

impl Tool {
    /// The name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pulumi => "pulumi",
            Self::Terraform => "terraform",
            Self::OpenTofu => "opentofu",
        }
    }

    /// The name of its command.
    pub fn program(self) -> &'static str {
        match self {
            Self::Pulumi => "pulumi",
            Self::Terraform => "terraform",
            Self::OpenTofu => "tofu",
        }
    }
}

/// The metadata of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Header {
    /// The kind of the file.
    pub kind: Kind,
    /// The program that wrote it.
    pub tool: Tool,
    /// The version of that program, "" if not recorded.
    pub tool_version: String,
    /// The version of the format as the file spells it, "" if it has none.
    pub format_version: String,
    /// The stack or workspace, "" if not known.
    pub stack: String,
    /// The project; for Terraform the stem of the file name.
    pub project: String,
    /// The other top-level fields worth showing, in the order of the file: serial, lineage, manifest time, secrets provider…
    pub fields: Vec<(String, Value)>,
    /// The paths that the schemas of the providers mark as sensitive or write-only, if schemas are known.
    pub hidden: HiddenPlaces,
    /// The rules for the secrets that the file does not mark.
    pub masking: Masking,
}

impl Header {
    /// The header of a file of this kind that says nothing about itself.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            tool: if kind.is_pulumi() {
                Tool::Pulumi
            } else {
                Tool::Terraform
            },
            tool_version: String::new(),
            format_version: String::new(),
            stack: String::new(),
            project: String::new(),
            fields: Vec::new(),
            hidden: HiddenPlaces::default(),
            masking: Masking::default(),
        }
    }

    /// The dependency locks of the configuration, one map for each provider: `provider` (its full name), `version`, `constraints`
    /// and the number of its `hashes`. Empty if the file has no locks.
    pub fn dependency_locks(&self) -> impl Iterator<Item = &Map> {
        let mut fields = self.fields.iter();
        let locks = fields.find(|(name, _)| name == LOCKS_FIELD);
        let locks = locks.and_then(|(_, locks)| locks.as_array());
        locks.into_iter().flatten().filter_map(Value::as_map)
    }

    /// The locked version of a provider. `provider` is a reference to it (`registry.terraform.io/hashicorp/aws`, or
    /// `provider["registry.terraform.io/hashicorp/aws"].west`).
    pub fn locked_version(&self, provider: &str) -> Option<&str> {
        let mut locks = self.dependency_locks().peekable();
        // Most files are far from a lock file, and each resource asks.
        locks.peek()?;
        let name = ProviderAddress::named(provider)?.source();
        let lock =
            locks.find(|lock| lock.get("provider").and_then(Value::as_str) == Some(&*name))?;
        lock.get("version")?.as_str().filter(|it| !it.is_empty())
    }
}

/// The header field with the dependency locks.
pub const LOCKS_FIELD: &str = "dependency_locks";

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
