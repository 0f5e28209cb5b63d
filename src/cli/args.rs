//! The arguments, as clap reads them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::env::Shells;

use super::{Failure, help};
use crate::load::cost::{CostError, Costs};
use crate::load::record::Recording;
use crate::log::Level;
use crate::render::copy::shell;
use crate::settings::When;
use crate::stack::Of;
use crate::text::nearest;
use crate::tui::theme::Palette;

/// See what is in an infrastructure stack, what a plan is about to do to it, and why. Offline, read-only, secrets masked.
#[derive(Parser, Debug)]
#[command(
    name = "stacklens",
    version,
    override_usage = "stacklens [OPTIONS] [FILE]...\n       stacklens [OPTIONS] <COMMAND>",
    after_help = help::EXAMPLES,
    after_long_help = help::program()
)]
pub struct Args {
    /// Command to run; without one, open the explorer
    #[command(subcommand)]
    pub command: Option<Command>,
    /// A state, a plan or a folder that holds one, or `-` for standard input; two of them are compared. Folders with many stacks,
    /// archives (.tar, .tar.gz, .zip) and three or more files open as a list
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// File with the names of the files to list, one a line; `-` reads them from standard input
    #[arg(long, value_name = "LIST")]
    pub from: Option<PathBuf>,
    /// File with the passphrase of a Pulumi stack, or with the passphrase or the hexadecimal key of a file that OpenTofu
    /// encrypted
    #[arg(long, value_name = "FILE", global = true)]
    pub passphrase_file: Option<PathBuf>,
    /// Maximum size of a file once it is unpacked, such as 500M or 8G [default: 4G, and for a packed file a thousand times its
    /// size]
    #[arg(long, value_name = "SIZE", global = true, value_parser = size)]
    pub max_size: Option<u64>,
    /// Compare two files even if one of them is cut off: resources that its missing part may hold are not listed as new
    /// or deleted. The exit code is 65
    #[arg(long, global = true)]
    pub allow_damaged: bool,
    /// Provider schemas of a state or plan (`terraform providers schema -json`): attributes that they call sensitive are masked,
    /// sets are distinguished from lists, and a plan is checked against them
    #[arg(long, value_name = "SCHEMAS", global = true)]
    pub schema: Option<PathBuf>,
    /// Mask secrets that the file does not mark: by `names` and possible values, only by `forms` that leave no doubt, such as private
    /// keys and tokens of known services, or `off`, which shows them
    #[arg(
        long,
        value_name = "LEVEL",
        value_parser = ["names", "forms", "off", "true", "false"],
        global = true,
        action = clap::ArgAction::Set,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        hide_possible_values = true
    )]
    pub mask_likely: Option<String>,
    /// File with more names and forms of secrets, in TOML. May be given several times
    #[arg(long, value_name = "FILE", global = true)]
    pub secrets: Vec<PathBuf>,
    /// The review.
    #[command(flatten)]
    pub review: ReviewArgs,
    /// Name of the person in the marks of the record [default: the user of the system]
    #[arg(long = "as", value_name = "NAME", requires = "record")]
    pub by: Option<String>,
    /// Read the file again when it changes, and keep the place
    #[arg(long)]
    pub watch: bool,
    /// Theme of the explorer and of colored output [default: dark or light, as the background of the terminal]
    #[arg(long, value_name = "NAME", global = true, value_parser = Palette::named)]
    pub theme: Option<Palette>,
    /// When to color printed output: auto is where a terminal reads it [default: auto]
    #[arg(long, value_name = "WHEN", global = true, hide_default_value = true, value_parser = When::ALL.map(When::name))]
    pub color: Option<String>,
    /// Append what the program does to this file, in lines of JSON: steps and times, never a value
    #[arg(long, value_name = "FILE", global = true)]
    pub log: Option<PathBuf>,
    /// Most detailed events of the log [default: info, or `STACKLENS_LOG`]
    #[arg(long, value_name = "LEVEL", global = true, requires = "log", value_parser = Level::ALL.map(Level::name))]
    pub log_level: Option<String>,
    /// Configuration file [default: config.toml in the folder that `stacklens config` names]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

impl Args {
    /// An option that only the explorer takes, if one is given.
    pub(super) fn of_explorer(&self) -> Option<&'static str> {
        let given = [
            (!self.review.rules.is_empty(), "--rules"),
            (!self.review.policy.is_empty(), "--policy"),
            (self.review.record.is_some(), "--record"),
            (self.review.cost.is_some(), "--cost"),
            (self.watch, "--watch"),
        ];
        let mut given = given.into_iter().filter(|(is_given, _)| *is_given);
        given.next().map(|(_, name)| name)
    }

    /// The options of the review: those of the explorer, or of `brief`.
    pub(super) fn review(&self) -> &ReviewArgs {
        if let Some(Command::Brief(brief)) = &self.command {
            &brief.review
        } else {
            &self.review
        }
    }
}

/// The options of a review.
#[derive(clap::Args, Debug)]
pub struct ReviewArgs {
    /// File with more rules for the review, in TOML; a rule replaces one with the same id. May be given several times
    #[arg(long, value_name = "FILE")]
    pub rules: Vec<PathBuf>,
    /// File or folder with policies in Rego, as conftest reads them: messages of `deny`, `violation` and `warn` are findings. May
    /// be given several times
    #[arg(long, value_name = "DIR")]
    pub policy: Vec<PathBuf>,
    /// File that keeps the review of a plan: which changes somebody looked at. The explorer makes it with the first mark
    #[arg(long, value_name = "RECORD")]
    pub record: Option<PathBuf>,
    /// Use the record of another plan: a mark holds where the change is the same
    #[arg(long, requires = "record")]
    pub carry: bool,
    /// File with the costs of the plan, as `infracost breakdown --path PLAN.json --format json` or `infracost diff` writes it: a story
    /// says how much a month it adds
    #[arg(long, value_name = "COSTS")]
    pub cost: Option<PathBuf>,
}

impl ReviewArgs {
    /// The record of the review, for marks of this person.
    pub(super) fn recording(&self, by: String) -> Option<Recording> {
        let file = self.record.clone()?;
        let carries = self.carry;
        Some(Recording { file, by, carries })
    }

    /// The costs in their file.
    pub(super) fn costs(&self) -> Result<Option<Arc<Costs>>, CostError> {
        let costs = self.cost.as_deref().map(Costs::open).transpose()?;
        Ok(costs.map(Arc::new))
    }

    /// Refuses the files that belong to one plan. `found` says what there is instead.
    pub(super) fn refuse_many(&self, found: &str) -> Result<(), Failure> {
        let words = if self.record.is_some() {
            "--record keeps the review of"
        } else if self.cost.is_some() {
            "--cost is for"
        } else {
            return Ok(());
        };
        Err(Failure::usage(format!("{words} one plan, found {found}")))
    }
}

/// A number of bytes: `8G`, `512M`, `1000000`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G']);
    let shift = match &text[digits.len()..] {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        _ => return Err("expected a number with at most one of K, M, G after it".to_owned()),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "expected a number of bytes, as in 8G")?;
    let bytes = number.checked_mul(1 << shift);
    bytes.ok_or_else(|| "expected a smaller number".to_owned())
}

/// A printing command.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Look around in an invented stack with a pending preview
    #[command(after_help = help::of("demo"))]
    Demo,
    /// Print the kind of a file, with versions, counts and notes
    #[command(after_help = help::of("info"))]
    Info(InfoArgs),
    /// List the resources, one a line
    Ls(LsArgs),
    /// Print a resource, or some of its values, masked unless revealed
    #[command(after_help = help::of("get"))]
    Get(GetArgs),
    /// Print the matches of a query: resource, path and value
    Find(FindArgs),
    /// Print the dependencies of a resource, or with --reverse its dependents
    #[command(after_help = help::of("deps"))]
    Deps(DepsArgs),
    /// Print all dependencies as a graph
    #[command(after_help = help::of("graph"))]
    Graph(GraphArgs),
    /// Print the changes of a plan, or between two states or plans, condensed: the same change once, the odd ones first
    #[command(after_help = help::of("brief"))]
    Brief(BriefArgs),
    /// Print the changes of a plan, or between two states or plans
    #[command(after_help = help::of("diff"))]
    Diff(DiffArgs),
    /// Print the problems of a state or plan; some checks need --schema or --state
    #[command(after_help = help::of("check"))]
    Check(CheckArgs),
    /// Write many stacks into a dataset of Parquet files, for DuckDB, Spark, Trino and Athena
    #[command(after_help = help::of("export"))]
    Export(ExportArgs),
    /// List the rules that `brief` looks for, or explain one
    #[command(after_help = help::of("rules"))]
    Rules(RulesArgs),
    /// List the JSON outputs that have a JSON Schema, or print one
    #[command(after_help = help::of("schema"))]
    Schema(SchemaArgs),
    /// Print the settings, each with the origin of its value
    #[command(after_help = help::of("config"))]
    Config(ConfigArgs),
    /// Print the completions of a shell
    #[command(after_help = COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print a manual page, or write all of them into a folder
    #[command(after_help = help::of("man"))]
    Man(ManArgs),
}

impl Command {
    /// The word on the command line.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Demo => "demo",
            Self::Info(_) => "info",
            Self::Ls(_) => "ls",
            Self::Get(_) => "get",
            Self::Find(_) => "find",
            Self::Deps(_) => "deps",
            Self::Graph(_) => "graph",
            Self::Brief(_) => "brief",
            Self::Diff(_) => "diff",
            Self::Check(_) => "check",
            Self::Export(_) => "export",
            Self::Rules(_) => "rules",
            Self::Schema(_) => "schema",
            Self::Config(_) => "config",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }
}

const COMPLETIONS: &str = "\
Examples:
  source <(stacklens completions bash)                            in ~/.bashrc
  source <(stacklens completions zsh)                             in ~/.zshrc, after compinit
  stacklens completions fish | source                             in ~/.config/fish/config.fish
  eval (stacklens completions elvish | slurp)                     in ~/.config/elvish/rc.elv
  stacklens completions powershell | Out-String | Invoke-Expression   in $PROFILE";

/// The command whose name is most like a mistyped word.
pub(super) fn nearest_command(word: &str) -> Option<String> {
    let program = Args::command();
    let names = program.get_subcommands().map(clap::Command::get_name);
    nearest(word, names).map(str::to_owned)
}

/// True if this is the name of a command.
pub(super) fn is_command(word: &str) -> bool {
    Args::command().find_subcommand(word).is_some()
}

/// The place of an option that stands at the wrong one among `words`, or the name of one that is like it.
pub(super) fn about_option(option: &str, words: &[OsString]) -> Option<String> {
    let long = option.strip_prefix("--")?;
    let program = Args::command();
    let words = words.iter().skip(1).map(|word| word.to_string_lossy());
    let words: Vec<_> = words.collect();
    let options = |command: &clap::Command| -> Vec<String> {
        let longs = command.get_arguments().filter_map(clap::Arg::get_long);
        longs.map(str::to_owned).collect()
    };
    let all = || program.get_subcommands().chain([&program]);
    let has = |command: &&clap::Command| options(command).iter().any(|it| it == long);
    let having = program.get_subcommands().filter(has);
    let having: Vec<&str> = having.map(clap::Command::get_name).collect();
    let has_command = words
        .iter()
        .any(|word| program.find_subcommand(&**word).is_some());
    Some(match &having[..] {
        [command] if !has_command => {
            let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=,@".contains(letter);
            let quoted = words.iter().map(|word| {
                if word.chars().all(is_plain) {
                    word.to_string()
                } else {
                    shell(word)
                }
            });
            let words = quoted.collect::<Vec<_>>().join(" ");
            format!("`{option}` is an option of `{command}`: stacklens {command} {words}")
        }
        [] if has(&&program) => {
            format!("`{option}` is an option of the explorer, which opens without a command")
        }
        [] => {
            let all: Vec<String> = all().flat_map(options).collect();
            let near = nearest(long, all.iter().map(String::as_str))?;
            format!("the option `--{near}` is alike")
        }
        commands => format!("`{option}` is an option of `{}`", commands.join("`, `")),
    })
}

/// The word for a value of an option.
pub(super) fn word(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.expect("no value is skipped").get_name().to_owned()
}

/// Arguments of `completions`.
#[derive(clap::Args, Debug)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(Shells::builtins().names()))]
    pub shell: String,
}

/// Arguments of `config`.
#[derive(clap::Args, Debug)]
pub struct ConfigArgs {
    /// Print a configuration file with all settings as comments
    #[arg(long, conflicts_with = "json")]
    pub init: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `man`.
#[derive(clap::Args, Debug)]
pub struct ManArgs {
    /// The page: a command, `search` for the query language, or `stacklens.toml` for the configuration file; by default the program's page
    pub page: Option<String>,
    /// Write all pages into this folder instead, such as `stacklens.1` and `stacklens-search.7`
    #[arg(long, value_name = "FOLDER", conflicts_with = "page")]
    pub to: Option<PathBuf>,
}

/// Options of commands that take many stacks.
#[derive(clap::Args, Debug)]
pub struct Stacks {
    /// File with the names of the files, one a line; `-` reads them from standard input
    #[arg(long, value_name = "LIST")]
    pub from: Option<PathBuf>,
    /// Of many stacks, ask older copies and twins too: backups, states of a history, files with the same contents or version
    #[arg(long)]
    pub all: bool,
}

/// Arguments of `info`.
#[derive(clap::Args, Debug)]
pub struct InfoArgs {
    /// The file, or `-`; of several, of a folder or of an archive (.tar, .tar.gz, .zip), a list of the stacks
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub files: Vec<PathBuf>,
    /// Many stacks.
    #[command(flatten)]
    pub stacks: Stacks,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `ls`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = help::with_queries("ls"))]
pub struct LsArgs {
    /// The file, a folder or an archive, or `-`; more of them may follow
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub file: Option<PathBuf>,
    /// List only the matches of this query, in the language of the search bar
    pub query: Vec<OsString>,
    /// Many stacks.
    #[command(flatten)]
    pub stacks: Stacks,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `get`.
#[derive(clap::Args, Debug)]
pub struct GetArgs {
    /// The file, or `-`
    pub file: PathBuf,
    /// A URN, an address, or a name if only one resource has it; `#2` after it chooses the second match;
    /// `output.NAME` is an output of the stack
    pub resource: String,
    /// A property path: `tags.Name`, `rules[0].port`, `["a key"]`; a pattern (`rules[*].port`, `tags.*`, `**.arn`) prints
    /// every value that it names, with its path
    pub path: Option<String>,
    /// The sections to search: inputs or outputs; where there is a change also before, after, before.inputs, before.outputs,
    /// after.inputs or after.outputs; by default outputs, then inputs, of after, then before
    #[arg(long, value_name = "SECTION")]
    pub of: Option<Of>,
    /// Print JSON, with exact numbers
    #[arg(long)]
    pub json: bool,
    /// Print secrets: those whose plaintext is in the file, and those that the passphrase of the stack opens
    /// (--passphrase-file, `PULUMI_CONFIG_PASSPHRASE`, `PULUMI_CONFIG_PASSPHRASE_FILE`)
    #[arg(long)]
    pub reveal: bool,
    /// Print JSON in the form in which engines and providers of Pulumi pass values, with markers of secrets, unknowns and
    /// dependencies; `--wire=state` prints the form of a stored stack
    #[arg(
        long,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "wire"
    )]
    pub wire: Option<WireForm>,
    /// Print the properties as if PATH in them had this value; the file stays as it is. A string needs its quotes: `--set
    /// 'size="big"'`. A list does not grow. A secret is set as a whole and stays secret. For Pulumi the JSON may be in the form that --wire prints, and missing maps on the way are added; for
    /// Terraform it must fit the type that the provider's schema gives, if there is one
    #[arg(long, value_name = "PATH=JSON")]
    pub set: Vec<String>,
    /// Print the properties as if PATH were not in them, after all of --set. An element of a Pulumi list becomes null, as in its
    /// engine
    #[arg(long, value_name = "PATH")]
    pub delete: Vec<String>,
}

/// Forms of `get --wire`.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum WireForm {
    /// The form that engines and providers pass to each other
    Wire,
    /// The form in a stored stack
    State,
}

/// Arguments of `find`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = help::with_queries("find"))]
pub struct FindArgs {
    /// The file, a folder or an archive, or `-`; more of them may follow
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub file: Option<PathBuf>,
    /// The query, in the language of the search bar: `db pass`, `tags.*`, `=10.0.3.17`, `type:aws:s3/*`
    pub query: Vec<OsString>,
    /// Many stacks.
    #[command(flatten)]
    pub stacks: Stacks,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `deps`.
#[derive(clap::Args, Debug)]
pub struct DepsArgs {
    /// The file, a folder or an archive, or `-`; more of them may follow
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub file: Option<PathBuf>,
    /// A URN, an address, or a name; of many stacks also the name of a stack
    pub resource: Vec<OsString>,
    /// Many stacks.
    #[command(flatten)]
    pub stacks: Stacks,
    /// Print the dependents instead
    #[arg(long, short)]
    pub reverse: bool,
    /// Print indirect dependencies too (with --reverse, indirect dependents), nearest first
    #[arg(long, short)]
    pub transitive: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `graph`.
#[derive(clap::Args, Debug)]
pub struct GraphArgs {
    /// The file, or `-`, and the resource that the graph is drawn around: a URN, an address, or a name. Of several files, of a
    /// folder or of an archive, the stacks and the edges between them
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub files: Vec<OsString>,
    /// Many stacks.
    #[command(flatten)]
    pub stacks: Stacks,
    /// Format of the graph
    #[arg(long, value_enum, default_value_t)]
    pub format: GraphFormat,
    /// Only what the resource depends on
    #[arg(long)]
    pub down: bool,
    /// Only what depends on the resource
    #[arg(long)]
    pub up: bool,
    /// Most steps from the resource [default: all]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Only resources that the plan changes, and the edges between them
    #[arg(long)]
    pub changes: bool,
    /// Most resources that are drawn, the nearest first; 0 draws all [default: 200 around a resource or with --changes, otherwise 0]
    #[arg(long, value_name = "N")]
    pub nodes: Option<usize>,
}

/// The format of a printed graph.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GraphFormat {
    /// Graphviz
    #[default]
    Dot,
    /// Mermaid, which Markdown viewers draw
    Mermaid,
    /// A list in the order of the apply: each resource after its dependencies; deletions come before those of their dependencies
    Order,
}

/// Arguments of `brief`.
#[derive(clap::Args, Debug)]
pub struct BriefArgs {
    /// Plans, previews or runs, or folders and archives with them: several are one document with a part for each, the worst first.
    /// Two files are compared if one of them is a state or `-`: a plan beside the state after its apply, or two states
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub files: Vec<PathBuf>,
    /// File with the names of plans, folders and archives, one a line; `-` reads them from standard input
    #[arg(long, value_name = "LIST", conflicts_with = "compare")]
    pub from: Option<PathBuf>,
    /// Compare two files whatever they are, such as an old plan and a new one
    #[arg(long)]
    pub compare: bool,
    /// The form.
    #[command(flatten)]
    pub form: BriefForm,
    /// The review.
    #[command(flatten)]
    pub review: ReviewArgs,
    /// Tell the changes and findings too that `[[mute]]` leaves out
    #[arg(long)]
    pub muted: bool,
    /// Exit with 3 if there is one of these, and with 4 if the file cannot tell: several are separated by commas, or given one by one
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
}

/// The form of a brief; text if none is named.
#[derive(clap::Args, Debug)]
pub struct BriefForm {
    /// Print JSON; `schema brief` describes it
    #[arg(long, group = "form")]
    pub json: bool,
    /// Print Markdown for a pull request, of at most 65,536 bytes
    #[arg(long, group = "form")]
    pub markdown: bool,
    /// Write one HTML file with the brief and every difference, for a browser without a network; `-` prints it
    #[arg(long, value_name = "FILE", group = "form")]
    pub html: Option<PathBuf>,
    /// Print the findings as SARIF 2.1.0
    #[arg(long, group = "form")]
    pub sarif: bool,
}

/// The findings with which `brief` fails.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailOn {
    /// A finding of loss, exposure or a lock-out
    Danger,
    /// A danger, or a protection that gets weaker
    Warning,
    /// A change that is not reviewed, by the file of --record
    Unreviewed,
    /// A change that was made outside the program
    Drift,
    /// A property that decides about access, loss or encryption and is not known before the apply
    UnknownAccess,
}

/// Arguments of `rules`.
#[derive(clap::Args, Debug)]
pub struct RulesArgs {
    /// The id of a rule to explain, or a type of resources whose rules to list
    #[arg(value_name = "ID")]
    pub name: Option<String>,
    /// File with more rules, in TOML; a rule replaces one with the same id. May be given several times
    #[arg(long, value_name = "RULES")]
    pub rules: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `schema`.
#[derive(clap::Args, Debug)]
pub struct SchemaArgs {
    /// The command whose JSON output to describe
    pub command: Option<String>,
}

/// Arguments of `diff`.
#[derive(clap::Args, Debug)]
pub struct DiffArgs {
    /// A plan or preview; with a second file, a state or plan to start from
    pub file: PathBuf,
    /// The state or plan to compare with
    pub other: Option<PathBuf>,
    /// Print JSON: the changed leaves
    #[arg(long, conflicts_with_all = ["markdown", "format"])]
    pub json: bool,
    /// Print Markdown, for a pull request
    #[arg(long, conflicts_with = "format")]
    pub markdown: bool,
    /// The format to print
    #[arg(long, value_enum, default_value_t)]
    pub format: DiffFormat,
    /// The mode of the plan, for a JSON plan without changes, which does not record it (with --format
    /// terraform)
    #[arg(long, value_enum, value_name = "MODE")]
    pub mode: Option<PlanMode>,
    /// Exit with 2 if there are changes: of resources, outputs or invoked actions. Drift is none
    #[arg(long)]
    pub exit_code: bool,
}

/// The mode that a plan was made with.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanMode {
    /// As usual
    Normal,
    /// With -destroy
    Destroy,
    /// With -refresh-only
    RefreshOnly,
}

/// The format of a printed difference.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DiffFormat {
    /// For a person
    #[default]
    Text,
    /// The changed leaves
    Json,
    /// For a pull request
    Markdown,
    /// A plan as `terraform show` prints it
    Terraform,
}

impl DiffArgs {
    /// The format to print, from `--format` or from the flag for one format.
    pub fn format(&self) -> DiffFormat {
        if self.json {
            DiffFormat::Json
        } else if self.markdown {
            DiffFormat::Markdown
        } else {
            self.format
        }
    }
}

/// Arguments of `export`.
#[derive(clap::Args, Debug)]
pub struct ExportArgs {
    /// The files, folders and archives with the stacks. A stack is known by its path below the folder that all of them share
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub files: Vec<PathBuf>,
    /// Many stacks.
    #[command(flatten)]
    pub stacks: Stacks,
    /// Folder of the dataset: a new or empty one, or one that an earlier export made, which gets what changed since. Nothing is written
    /// outside of it
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
}

/// Arguments of `check`.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// The file, or `-`; several, a folder or an archive are checked one by one
    #[arg(value_name = "FILE", required_unless_present = "from")]
    pub files: Vec<PathBuf>,
    /// Many stacks.
    #[command(flatten)]
    pub stacks: Stacks,
    /// A later state (for Pulumi also a preview) to check the plan against
    #[arg(long, value_name = "AFTER")]
    pub state: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
