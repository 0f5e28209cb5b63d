//! The key bindings: one table, read by dispatch, the line of hints, the help, the command palette and `docs/keys.md`.
//!
//! [`BINDINGS`] has the default keys. A person may give a command other keys ([`rebind`]); then the program installs the table
//! that results before it reads any binding, and everything that names a key follows.

pub mod rebind;

use std::sync::OnceLock;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::command::{
    Command, CopyCommand, DepsCommand, FoldCommand, GoCommand, ListCommand, MarkCommand, Motion,
    ReviewCommand, SearchCommand, Side, SourceCommand, UpdatesCommand, View,
};
use crate::render::copy::Form;

/// The part of the program in which a binding applies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// Everywhere but in overlays.
    Main,
    /// While the timeline is open. Comes before every other scope except those of overlays.
    Timeline,
    /// In the Brief view, before `Main`.
    Brief,
    /// In the Changes view, before `Main`.
    Changes,
    /// In the Deps view, before `Main`.
    Deps,
    /// In a text input: a search, a filter, a command.
    Prompt,
    /// In the search bar, before `Prompt`.
    Search,
    /// In a text that covers the screen.
    Text,
    /// In the ripple of a change.
    Ripple,
    /// In a yes-or-no question.
    Question,
    /// In a list of items to turn on or off.
    Pick,
    /// In the popup with the things to copy.
    Yank,
    /// In the Stacks view, before `Main`.
    Stacks,
    /// In its search, before `Prompt`.
    StackSearch,
    /// In the source of a configuration, before `Text`.
    Source,
    /// In the list of a configuration's files, before `List`.
    SourceFiles,
    /// In every list and text that covers the panes, after their own keys.
    List,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The scope in which it applies.
    pub scope: Scope,
    /// Its heading in the help.
    pub group: &'static str,
    /// The keys: each is a sequence of tokens separated by blanks (`g p`, `^d`, `Enter`).
    pub keys: &'static [&'static str],
    /// The command.
    pub command: Command,
    /// The name in the palette, which `:` also takes.
    pub name: &'static str,
    /// A description of the command, for the help.
    pub help: &'static str,
    /// The word in the line of hints; "" leaves it out.
    pub hint: &'static str,
}

const fn bind(
    scope: Scope,
    group: &'static str,
    keys: &'static [&'static str],
    command: Command,
    name: &'static str,
    help: &'static str,
    hint: &'static str,
) -> Binding {
    Binding {
        scope,
        group,
        keys,
        command,
        name,
        help,
        hint,
    }
}

use Scope::{
    Brief, Changes, Deps, List, Main, Pick, Prompt, Question, Ripple, Search, Source, SourceFiles,
    StackSearch, Stacks, Text, Timeline, Yank,
};

/// All bindings, in the order of the help. Earlier rows come first in the line of hints.
#[rustfmt::skip]
pub const BINDINGS: &[Binding] = &[
    bind(Timeline, "History", &["Left", "("], Command::Updates(UpdatesCommand::Older), "older", "in the history: the update or version before this one", ""),
    bind(Timeline, "History", &["Right", ")"], Command::Updates(UpdatesCommand::Newer), "newer", "in the history: the update or version after this one", ""),

    bind(Brief, "Brief", &["Space"], Command::Review(ReviewCommand::Reviewed), "", "mark the change or group as reviewed, and go on", "reviewed, next"),
    bind(Brief, "Brief", &["n"], Command::Review(ReviewCommand::NextChange), "", "next entry of the page", "next"),
    bind(Brief, "Brief", &["N"], Command::Review(ReviewCommand::PrevChange), "", "previous entry of the page", ""),
    bind(Brief, "Brief", &["A"], Command::Review(ReviewCommand::Note), "", "write a note on the change, or on the whole group, into the record", ""),
    bind(Brief, "Brief", &["^n"], Command::Review(ReviewCommand::NextUnreviewed), "", "next entry that is not reviewed", "next unreviewed"),
    bind(Brief, "Brief", &["r"], Command::Review(ReviewCommand::Why), "", "why the selected resource, or the first of a group, changes, back to the root cause", "why"),

    bind(Changes, "Changes", &["n"], Command::Review(ReviewCommand::NextChange), "next-change", "next change in the pane of differences", "next change"),
    bind(Changes, "Changes", &["N"], Command::Review(ReviewCommand::PrevChange), "previous-change", "previous change in the pane of differences", ""),
    bind(Changes, "Changes", &["Space"], Command::Review(ReviewCommand::Reviewed), "reviewed", "mark as reviewed, and go on", "reviewed, next"),
    bind(Changes, "Changes", &["A"], Command::Review(ReviewCommand::Note), "note", "write a note on the change into the record", ""),
    bind(Changes, "Changes", &["^n"], Command::Review(ReviewCommand::NextUnreviewed), "next-unreviewed", "next change that is not reviewed", "next unreviewed"),
    bind(Changes, "Changes", &["a"], Command::Review(ReviewCommand::Actions), "actions", "choose the listed actions", "actions"),
    bind(Changes, "Changes", &["r"], Command::Review(ReviewCommand::Why), "why", "why it changes, back to the root cause", "why"),
    bind(Changes, "Changes", &["|"], Command::Review(ReviewCommand::SideBySide), "side-by-side", "differences unified or side by side", "side by side"),
    bind(Changes, "Changes", &["}"], Command::Review(ReviewCommand::MoreContext), "more-context", "more unchanged neighbors", ""),
    bind(Changes, "Changes", &["{"], Command::Review(ReviewCommand::LessContext), "less-context", "fewer unchanged neighbors", ""),
    bind(Changes, "Changes", &["."], Command::List(ListCommand::Noise), "noise", "show unchanged values, hide those known after apply, or neither", "unchanged"),

    bind(Deps, "Deps", &["h", "Left"], Command::Side(Side::Left), "left-side", "the dependencies, at the left", ""),
    bind(Deps, "Deps", &["l", "Right"], Command::Side(Side::Right), "right-side", "the dependents, at the right", ""),

    bind(Main, "Goto", &["S", "g c"], Command::Source, "source", "the source of the resource: in the plan file, or next to the file", "source"),
    bind(Main, "Search", &["/"], Command::Search(SearchCommand::Open), "search", "search while typing", "find"),
    bind(Main, "Search", &["f", "&"], Command::Search(SearchCommand::Filter), "filter", "filter by a query: action:delete, is:drifted (changed outside)", "filter"),
    bind(Main, "Deps", &["[", "^o"], Command::Go(GoCommand::Back), "back", "back to the previous place", "back"),
    bind(Main, "Deps", &["d", "g d"], Command::Deps(DepsCommand::DependsOn), "depends-on", "its dependencies", "depends on"),
    bind(Main, "Deps", &["u", "g r"], Command::Deps(DepsCommand::UsedBy), "used-by", "what it is used by: its dependents", "used by"),
    bind(Main, "Yank", &["y"], Command::Copy(CopyCommand::Choose), "yank", "copy: a list of forms with previews", "yank…"),
    bind(Main, "Secrets", &["x"], Command::Reveal, "reveal", "reveal this one masked secret for 30 seconds (asks)", "reveal"),
    bind(Main, "Deps", &["]"], Command::Go(GoCommand::Forward), "forward", "forward again", ""),
    bind(Main, "Other", &[":"], Command::Palette, "palette", "commands by name", "command"),
    bind(Main, "Other", &["?", "F1"], Command::Help, "help", "all keys, searchable", "help"),

    bind(Main, "Move", &["j", "Down"], Command::Move(Motion::Down), "down", "down, or down by a count typed first", ""),
    bind(Main, "Move", &["k", "Up"], Command::Move(Motion::Up), "up", "up", ""),
    bind(Main, "Move", &["0"], Command::Count, "count", "begin a count: 05j, 012G; 6 to 9 need no 0", ""),
    bind(Main, "Move", &["^d"], Command::Move(Motion::HalfDown), "half-page-down", "half a page down", ""),
    bind(Main, "Move", &["^u"], Command::Move(Motion::HalfUp), "half-page-up", "half a page up", ""),
    bind(Main, "Move", &["^f", "PgDn"], Command::Move(Motion::PageDown), "page-down", "a page down", ""),
    bind(Main, "Move", &["^b", "PgUp"], Command::Move(Motion::PageUp), "page-up", "a page up", ""),
    bind(Main, "Move", &["g g", "Home"], Command::Move(Motion::Top), "top", "first row, or the row with the number typed first", ""),
    bind(Main, "Move", &["G", "End"], Command::Move(Motion::Bottom), "bottom", "last row, or the row with the number typed first", ""),
    bind(Main, "Move", &["J"], Command::Move(Motion::NextSibling), "next-sibling", "next sibling", ""),
    bind(Main, "Move", &["K"], Command::Move(Motion::PrevSibling), "previous-sibling", "previous sibling", ""),
    bind(Main, "Move", &["H"], Command::Move(Motion::ParentRow), "parent-row", "parent row", ""),
    bind(Main, "Move", &["^e"], Command::Move(Motion::ScrollDown), "scroll-down", "scroll the other pane down", ""),
    bind(Main, "Move", &["^y"], Command::Move(Motion::ScrollUp), "scroll-up", "scroll the other pane up", ""),

    bind(Main, "Fold", &["l", "Right"], Command::Fold(FoldCommand::Expand), "expand", "open, or go into", ""),
    bind(Main, "Fold", &["h", "Left"], Command::Fold(FoldCommand::Collapse), "collapse", "close, or go out", ""),
    bind(Main, "Fold", &["Enter"], Command::Fold(FoldCommand::Activate), "open", "open or close; follow a link; open a long text", ""),
    bind(Main, "Fold", &["z a"], Command::Fold(FoldCommand::Toggle), "fold-toggle", "open or close", ""),
    bind(Main, "Fold", &["z o"], Command::Fold(FoldCommand::Open), "fold-open", "open", ""),
    bind(Main, "Fold", &["z c"], Command::Fold(FoldCommand::Close), "fold-close", "close", ""),
    bind(Main, "Fold", &["z O"], Command::Fold(FoldCommand::OpenBelow), "fold-open-below", "open with all below", ""),
    bind(Main, "Fold", &["z R"], Command::Fold(FoldCommand::OpenAll), "fold-open-all", "open all", ""),
    bind(Main, "Fold", &["z M"], Command::Fold(FoldCommand::CloseAll), "fold-close-all", "close all", ""),
    bind(Main, "Fold", &["z 1"], Command::Fold(FoldCommand::Level(1)), "fold-level-1", "open 1 level (to z9: 9 levels)", ""),
    bind(Main, "Fold", &["z 2"], Command::Fold(FoldCommand::Level(2)), "fold-level-2", "", ""),
    bind(Main, "Fold", &["z 3"], Command::Fold(FoldCommand::Level(3)), "fold-level-3", "", ""),
    bind(Main, "Fold", &["z 4"], Command::Fold(FoldCommand::Level(4)), "fold-level-4", "", ""),
    bind(Main, "Fold", &["z 5"], Command::Fold(FoldCommand::Level(5)), "fold-level-5", "", ""),
    bind(Main, "Fold", &["z 6"], Command::Fold(FoldCommand::Level(6)), "fold-level-6", "", ""),
    bind(Main, "Fold", &["z 7"], Command::Fold(FoldCommand::Level(7)), "fold-level-7", "", ""),
    bind(Main, "Fold", &["z 8"], Command::Fold(FoldCommand::Level(8)), "fold-level-8", "", ""),
    bind(Main, "Fold", &["z 9"], Command::Fold(FoldCommand::Level(9)), "fold-level-9", "", ""),

    bind(Main, "Views", &["b"], Command::View(View::Brief), "brief", "the brief: the changes of a plan, or what a state holds, on one page", ""),
    bind(Main, "Views", &["1"], Command::View(View::Resources), "resources", "resources", ""),
    bind(Main, "Views", &["2"], Command::View(View::Changes), "changes", "changes", ""),
    bind(Main, "Views", &["3"], Command::View(View::Outputs), "outputs", "outputs of the stack", ""),
    bind(Main, "Views", &["4"], Command::View(View::Deps), "deps", "dependencies of the selected resource", ""),
    bind(Main, "Views", &["5"], Command::View(View::Problems), "problems", "problems of the file", ""),
    bind(Main, "Views", &["g f"], Command::View(View::Stacks), "stacks", "stacks below the folder: open one, compare two, search all; again goes back", ""),
    bind(Main, "Views", &["Tab"], Command::NextPane, "next-pane", "the other pane", ""),
    bind(Main, "Views", &["S-Tab"], Command::PrevPane, "previous-pane", "the other pane, backwards", ""),
    bind(Main, "Views", &["+"], Command::Zoom, "zoom", "this pane alone", ""),
    bind(Main, "Views", &["_"], Command::Unzoom, "unzoom", "both panes again", ""),
    bind(Main, "Views", &["<"], Command::Narrower, "narrower", "move the border left", ""),
    bind(Main, "Views", &[">"], Command::Wider, "wider", "move the border right", ""),

    bind(Main, "Search", &["n"], Command::Search(SearchCommand::NextHit), "next-hit", "next hit", ""),
    bind(Main, "Search", &["N"], Command::Search(SearchCommand::PrevHit), "previous-hit", "previous hit", ""),
    bind(Main, "Search", &["*"], Command::Search(SearchCommand::SearchKey), "search-key", "next place with the same key", ""),
    bind(Main, "Search", &["#"], Command::Search(SearchCommand::SearchKeyBack), "search-key-back", "previous place with the same key", ""),
    bind(Main, "Search", &["Esc"], Command::Cancel, "cancel", "stop loading, clear the search, the filter, the marks, or go up", ""),

    bind(Main, "Goto", &["g p"], Command::Go(GoCommand::Parent), "goto-parent", "the parent or the module", ""),
    bind(Main, "Goto", &["g P"], Command::Go(GoCommand::Provider), "goto-provider", "the provider", ""),
    bind(Main, "Goto", &["g o"], Command::Go(GoCommand::Outputs), "goto-outputs", "the outputs of the stack", ""),
    bind(Main, "Goto", &["g u"], Command::Go(GoCommand::Address), "goto-address", "go to a URN, an address, a name or an id such as an ARN, typed or pasted", ""),
    bind(Main, "Goto", &["g s"], Command::Go(GoCommand::Stack), "goto-stack", "the stack itself", ""),

    bind(Main, "History", &["g h"], Command::Updates(UpdatesCommand::Timeline), "history", "the updates of a stack in a Pulumi backend, or the versions of a Terraform state; again goes back", ""),
    bind(Main, "History", &["g l"], Command::Updates(UpdatesCommand::LastChanged), "last-changed", "updates or versions that changed this value, newest first", ""),

    bind(Main, "Deps", &["D"], Command::Deps(DepsCommand::DependsOnAll), "depends-on-all", "all dependencies, transitive", ""),
    bind(Main, "Deps", &["U"], Command::Deps(DepsCommand::UsedByAll), "used-by-all", "all dependents, transitive", ""),
    bind(Main, "Deps", &["g i"], Command::Deps(DepsCommand::Ripple), "ripple", "what its change reaches, by distance, with the order of the apply", ""),
    bind(Main, "Deps", &["g w"], Command::Deps(DepsCommand::Way), "way", "the dependencies between the two marked resources", ""),

    bind(Main, "Yank", &["c"], Command::Copy(CopyCommand::Path), "copy-path", "copy the path of this row", ""),

    bind(Main, "Secrets", &["L"], Command::Unlock, "unlock", "unlock the secrets of a stack with its passphrase", ""),
    bind(Main, "Secrets", &["X"], Command::HideAll, "hide-all", "hide all secrets again", ""),

    bind(Main, "Other", &["Space"], Command::Mark(MarkCommand::Selected), "mark", "mark; copy then takes all marked rows", ""),
    bind(Main, "Other", &["^a"], Command::Mark(MarkCommand::All), "mark-all", "mark all listed rows", ""),
    bind(Main, "Other", &["^\\"], Command::Mark(MarkCommand::Clear), "clear-marks", "clear marks", ""),
    bind(Main, "Other", &["s"], Command::List(ListCommand::Sort), "sort", "sort the rows: by name, type, action (danger), file order", ""),
    bind(Main, "Other", &["i"], Command::Section, "section", "inputs, outputs, both", ""),
    bind(Main, "Other", &["t"], Command::List(ListCommand::Arrange), "arrange", "arrange: resources as tree, list, by type; changes by story, module, type, action, one list", ""),
    bind(Main, "Other", &["."], Command::List(ListCommand::Noise), "hidden", "show or hide providers and other background", ""),
    bind(Main, "Other", &["w"], Command::Wrap, "wrap", "wrap long values", ""),
    bind(Main, "Other", &["o"], Command::Text, "text", "the whole text of a string, line by line", ""),
    bind(Main, "Other", &["T"], Command::Types, "types", "the type of the value, and its input, output and plain shapes", ""),
    bind(Main, "Other", &["v"], Command::Verify, "verify", "check an asset against its hash; list an archive", ""),
    bind(Main, "Other", &["m"], Command::Mouse, "mouse", "mouse on or off", ""),
    bind(Main, "Other", &["g m"], Command::Muted, "muted", "tell muted changes and findings too, or leave them out", ""),
    bind(Main, "Other", &["g t"], Command::Themes, "theme", "choose a theme, with a preview; `:theme NAME` chooses one by name", ""),
    bind(Main, "Other", &["R", "^r"], Command::Reload, "reload", "read the file again", ""),
    bind(Main, "Other", &["^z"], Command::Suspend, "suspend", "suspend", ""),
    bind(Main, "Other", &["q", "^c"], Command::Quit, "quit", "quit", ""),

    bind(Search, "In the search bar", &["Enter"], Command::Accept, "", "go there", "go there"),
    bind(Search, "In the search bar", &["Esc", "^c"], Command::Cancel, "", "back to the previous place", "back"),
    bind(Search, "In the search bar", &["^f"], Command::Search(SearchCommand::Filter), "", "make the query a filter of the tree", "as filter"),
    bind(Search, "In the search bar", &["Tab"], Command::Complete, "", "complete", "complete"),
    bind(Search, "In the search bar", &["F1"], Command::Search(SearchCommand::Language), "", "the query language", "language"),

    bind(Prompt, "Where you type", &["Enter"], Command::Accept, "", "confirm", "confirm"),
    bind(Prompt, "Where you type", &["Esc", "^c"], Command::Cancel, "", "back", "back"),
    bind(Prompt, "Where you type", &["Tab"], Command::Complete, "", "complete", "complete"),
    bind(Prompt, "Where you type", &["Down", "^n"], Command::Move(Motion::Down), "", "next", "next"),
    bind(Prompt, "Where you type", &["Up", "^p"], Command::Move(Motion::Up), "", "previous", ""),
    bind(Prompt, "Where you type", &["PgDn"], Command::Move(Motion::PageDown), "", "a page down", ""),
    bind(Prompt, "Where you type", &["PgUp"], Command::Move(Motion::PageUp), "", "a page up", ""),
    bind(List, "In a list", &["Enter"], Command::Accept, "", "choose the row", "choose"),
    bind(List, "In a list", &["j", "Down", "^n"], Command::Move(Motion::Down), "", "down", "down"),
    bind(List, "In a list", &["k", "Up", "^p"], Command::Move(Motion::Up), "", "up", "up"),
    bind(List, "In a list", &["^d", "^f", "PgDn"], Command::Move(Motion::PageDown), "", "a page down", ""),
    bind(List, "In a list", &["^u", "^b", "PgUp"], Command::Move(Motion::PageUp), "", "a page up", ""),
    bind(List, "In a list", &["g g", "Home"], Command::Move(Motion::Top), "", "top", ""),
    bind(List, "In a list", &["G", "End"], Command::Move(Motion::Bottom), "", "end", ""),
    bind(List, "In a list", &["Esc", "q", "^c"], Command::Cancel, "", "back", "back"),

    bind(Text, "In a text", &["Enter"], Command::Accept, "", "go to the resource on this line", "go there"),
    bind(Text, "In a text", &["j", "Down", "^e"], Command::Move(Motion::Down), "", "down", "down"),
    bind(Text, "In a text", &["k", "Up", "^y"], Command::Move(Motion::Up), "", "up", "up"),
    bind(Text, "In a text", &["^d", "^f", "PgDn", "Space"], Command::Move(Motion::PageDown), "", "a page down", "page"),
    bind(Text, "In a text", &["w"], Command::Wrap, "", "wrap long lines", "wrap"),

    bind(Ripple, "In a ripple", &["Enter"], Command::Accept, "", "go to this resource", "go there"),
    bind(Ripple, "In a ripple", &["i", "Tab"], Command::OtherDirection, "", "the other direction: its dependents, or what it depends on", "other direction"),
    bind(Ripple, "In a ripple", &["Space"], Command::Move(Motion::PageDown), "", "a page down", ""),
    bind(Ripple, "In a ripple", &["Esc", "["], Command::Cancel, "", "back", "back"),

    bind(Question, "In a question", &["y"], Command::Accept, "", "yes", "yes"),
    bind(Question, "In a question", &["n", "Esc", "q", "^c", "Enter"], Command::Cancel, "", "no", "no"),

    bind(Pick, "In a list of switches", &["Enter", "Space"], Command::Accept, "", "on or off", "on or off"),
    bind(Pick, "In a list of switches", &["Esc", "a"], Command::Cancel, "", "back", "back"),


    bind(Yank, "In the yank popup", &["y"], Command::Copy(CopyCommand::Form(Form::Value)), "copy-value", "the value", ""),
    bind(Yank, "In the yank popup", &["p"], Command::Copy(CopyCommand::Form(Form::Path)), "copy-property-path", "the path: Pulumi's, or a Terraform expression", ""),
    bind(Yank, "In the yank popup", &["u"], Command::Copy(CopyCommand::Form(Form::Identity)), "copy-identity", "the URN or address", ""),
    bind(Yank, "In the yank popup", &["U"], Command::Copy(CopyCommand::Form(Form::Urn)), "copy-urn", "the URN, also of a Terraform resource", ""),
    bind(Yank, "In the yank popup", &["l"], Command::Copy(CopyCommand::Form(Form::Position)), "copy-position", "the line that declares it: FILE:LINE", ""),
    bind(Yank, "In the yank popup", &["i"], Command::Copy(CopyCommand::Form(Form::Id)), "copy-id", "the provider's id", ""),
    bind(Yank, "In the yank popup", &["k"], Command::Copy(CopyCommand::Form(Form::Key)), "copy-key", "the key, or the name", ""),
    bind(Yank, "In the yank popup", &["j"], Command::Copy(CopyCommand::Form(Form::Jq)), "copy-jq", "a jq path into the file", ""),
    bind(Yank, "In the yank popup", &["P"], Command::Copy(CopyCommand::Form(Form::Pointer)), "copy-pointer", "a JSON pointer into the file", ""),
    bind(Yank, "In the yank popup", &["w"], Command::Copy(CopyCommand::Form(Form::Wire)), "copy-wire", "the wire form, Pulumi's own JSON of a value", ""),
    bind(Yank, "In the yank popup", &["r"], Command::Copy(CopyCommand::Form(Form::Resource)), "copy-resource", "the resource as JSON", ""),
    bind(Yank, "In the yank popup", &["t"], Command::Copy(CopyCommand::Form(Form::Target)), "copy-target", "--target or -target, quoted for a shell", ""),
    bind(Yank, "In the yank popup", &["I"], Command::Copy(CopyCommand::Form(Form::Import)), "copy-import", "an import block, or pulumi import", ""),
    bind(Yank, "In the yank popup", &["M"], Command::Copy(CopyCommand::Form(Form::Moved)), "copy-moved", "moved blocks or aliases, from a pair or two marks", ""),
    bind(Yank, "In the yank popup", &["s"], Command::Copy(CopyCommand::Form(Form::StateMove)), "copy-state-move", "the commands that rename it in the state", ""),
    bind(Yank, "In the yank popup", &["D"], Command::Copy(CopyCommand::Form(Form::StateRemoval)), "copy-state-removal", "the command that takes it out of the state", ""),
    bind(Yank, "In the yank popup", &["B"], Command::Copy(CopyCommand::Form(Form::Removed)), "copy-removed", "a removed block", ""),
    bind(Yank, "In the yank popup", &["R"], Command::Copy(CopyCommand::Form(Form::Replacement)), "copy-replace", "--replace or -replace, quoted for a shell", ""),
    bind(Yank, "In the yank popup", &["T"], Command::Copy(CopyCommand::Form(Form::Clearing)), "copy-untaint", "the command that ends its taint or protection", ""),
    bind(Yank, "In the yank popup", &["f"], Command::Copy(CopyCommand::Form(Form::Refresh)), "copy-refresh", "the command that reads it again from the provider", ""),
    bind(Yank, "In the yank popup", &["n"], Command::Copy(CopyCommand::Form(Form::Mute)), "mute", "the table that mutes the changes of the property", ""),
    bind(Yank, "In the yank popup", &["d"], Command::Copy(CopyCommand::Form(Form::Hunk)), "copy-hunk", "the difference at the cursor", ""),
    bind(Yank, "In the yank popup", &["m"], Command::Copy(CopyCommand::Form(Form::Markdown)), "copy-markdown", "a line of Markdown", ""),
    bind(Yank, "In the yank popup", &["x"], Command::Copy(CopyCommand::Secret), "copy-secret", "a secret without showing it (asks)", "secret"),
    bind(Yank, "In the yank popup", &["Enter"], Command::Accept, "", "copy this form", "copy"),

    bind(Stacks, "Stacks", &["Enter"], Command::Fold(FoldCommand::Activate), "", "open the stack, at the selected hit, or compare the two that are marked", ""),
    bind(Stacks, "Stacks", &["/", "f"], Command::Search(SearchCommand::Open), "", "filter the names, and search in all stacks", "find in all"),
    bind(Stacks, "Stacks", &["s"], Command::List(ListCommand::Sort), "", "sort: by last change, name, resources, problems, size", "sort"),
    bind(Stacks, "Stacks", &["t"], Command::List(ListCommand::Arrange), "", "arrange: one list, by folder, by project", "arrange"),
    bind(Stacks, "Stacks", &["Space"], Command::Mark(MarkCommand::Selected), "", "mark; two that are marked are compared", "mark to compare"),
    bind(Stacks, "Stacks", &["d"], Command::Deps(DepsCommand::DependsOn), "", "go to a stack that it reads", "reads"),
    bind(Stacks, "Stacks", &["u"], Command::Deps(DepsCommand::UsedBy), "", "go to a stack that reads it", "read by"),
    bind(Stacks, "Stacks", &["R", "^r"], Command::Reload, "", "list again", ""),
    bind(Stacks, "Stacks", &["Esc"], Command::Cancel, "", "clear the search, then the marks, or leave the list", ""),


    bind(StackSearch, "In the search of the stacks", &["Enter"], Command::Accept, "", "go through what was found", "to the hits"),
    bind(StackSearch, "In the search of the stacks", &["Esc", "^c"], Command::Cancel, "", "clear the search", "clear"),
    bind(StackSearch, "In the search of the stacks", &["F1"], Command::Search(SearchCommand::Language), "", "the query language", "language"),


    bind(Source, "In a source", &["y", "c"], Command::InSource(SourceCommand::CopyPosition), "", "copy the position: FILE:LINE", "copy position"),
    bind(Source, "In a source", &["Tab", "f"], Command::InSource(SourceCommand::Files), "", "all files of the configuration", "files"),
    bind(Source, "In a source", &["x"], Command::Reveal, "", "reveal the masked values on this line for 30 seconds (asks)", "reveal"),
    bind(Source, "In a source", &["X"], Command::HideAll, "", "hide it again", ""),
    bind(Source, "In a source", &["*"], Command::InSource(SourceCommand::Block), "", "back to the block", ""),

    bind(SourceFiles, "In the list of sources", &["Esc", "Tab", "f"], Command::Cancel, "", "back", "back"),
];

/// The table with the person's keys. It is set at most once, by the program, before anything reads it.
static INSTALLED: OnceLock<Vec<Binding>> = OnceLock::new();

/// Makes this table the one that [`bindings`] returns, in all threads until the program ends. A second call does nothing.
pub fn install(table: Vec<Binding>) {
    _ = INSTALLED.set(table);
}

/// All bindings in the order of the help, with the person's keys.
pub fn bindings() -> &'static [Binding] {
    INSTALLED.get().map_or(BINDINGS, Vec::as_slice)
}

/// The meaning of the keys pressed so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyMatch {
    /// They are a command.
    Command(Command),
    /// They are the start of a longer sequence.
    Prefix,
    /// They have no meaning.
    Nothing,
}

/// Looks up the keys pressed so far in the first of `scopes` that knows them.
pub fn lookup(scopes: &[Scope], pressed: &[String]) -> KeyMatch {
    let mut is_prefix = false;
    for scope in scopes {
        for binding in bindings().iter().filter(|binding| binding.scope == *scope) {
            for keys in binding.keys {
                let mut tokens = keys.split(' ');
                if !pressed.iter().all(|key| tokens.next() == Some(key)) {
                    continue;
                }
                if tokens.next().is_none() {
                    return KeyMatch::Command(binding.command);
                }
                is_prefix = true;
            }
        }
    }
    if is_prefix {
        KeyMatch::Prefix
    } else {
        KeyMatch::Nothing
    }
}

/// Returns the bindings that continue the keys pressed so far: the keys still to press, and the row of the table.
pub fn continuations(
    scopes: &[Scope],
    pressed: &[String],
) -> impl Iterator<Item = (String, &'static Binding)> {
    bindings()
        .iter()
        .filter(|binding| scopes.contains(&binding.scope) && !binding.help.is_empty())
        .flat_map(move |binding| {
            binding.keys.iter().filter_map(move |keys| {
                let mut tokens = keys.split(' ');
                let begins = pressed.iter().all(|key| tokens.next() == Some(key));
                let rest: String = tokens.collect();
                (begins && !rest.is_empty()).then_some((rest, binding))
            })
        })
}

/// The key of a command outside of overlays, for a message: `X`. Messages name keys only with this function and [`key_in`].
pub fn key_of(command: Command) -> String {
    let mut found = bindings().iter().filter(|it| it.command == command);
    let keys = found.find_map(|it| it.keys.first());
    spelled(keys.copied().unwrap_or_default())
}

/// The key of a command in a scope or else in a list, for a message; "" if it has none there.
pub fn key_in(scope: Scope, command: Command) -> String {
    let of = |scope| bindings().iter().filter(move |it| it.scope == scope);
    let mut found = of(scope).chain(of(List)).filter(|it| it.command == command);
    let keys = found.find_map(|it| it.keys.first());
    spelled(keys.copied().unwrap_or_default())
}

/// The hints of a popup where a person chooses something: `Enter go to · Esc back`.
pub fn choices(scope: Scope, verb: &str) -> String {
    hints(scope, &[(Command::Accept, verb), (Command::Cancel, "back")])
}

/// Hints for the frame of an overlay: each key of `scope` with the word beside it, as in `Enter choose · Esc back`.
pub fn hints(scope: Scope, words: &[(Command, &str)]) -> String {
    let hint = |(command, word): &(Command, &str)| format!("{} {word}", key_in(scope, *command));
    words.iter().map(hint).collect::<Vec<_>>().join(" · ")
}

/// The keys as a person reads them: `gp`, `^d`, `Enter`.
pub fn spelled(keys: &str) -> String {
    keys.replace(' ', "")
}

/// All keys of a binding as a person reads them outside of overlays, separated by blanks: those of the yank popup come after the
/// key that opens it.
pub fn keys_from_view(binding: &Binding) -> String {
    if binding.scope != Scope::Yank {
        return all_spelled(binding);
    }
    let first = key_of(Command::Copy(CopyCommand::Choose));
    let keys = binding
        .keys
        .iter()
        .map(|keys| first.clone() + &spelled(keys));
    keys.collect::<Vec<_>>().join(" ")
}

/// All keys of a binding as a person reads them, separated by blanks.
pub fn all_spelled(binding: &Binding) -> String {
    let keys: Vec<_> = binding.keys.iter().map(|keys| spelled(keys)).collect();
    keys.join(" ")
}

/// The token of a key: `a`, `^d`, `Enter`, `S-Tab`; `None` for a key that no table names.
pub fn token(key: KeyEvent) -> Option<String> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let token = match key.code {
        KeyCode::Char(' ') if !control => "Space".to_owned(),
        KeyCode::Char(char) if control => format!("^{}", char.to_ascii_lowercase()),
        KeyCode::Char(char) => char.to_string(),
        KeyCode::Enter => "Enter".to_owned(),
        KeyCode::Esc => "Esc".to_owned(),
        KeyCode::Tab if key.modifiers.contains(KeyModifiers::SHIFT) => "S-Tab".to_owned(),
        KeyCode::Tab => "Tab".to_owned(),
        KeyCode::BackTab => "S-Tab".to_owned(),
        KeyCode::Backspace => "Backspace".to_owned(),
        KeyCode::Delete => "Del".to_owned(),
        KeyCode::Up => "Up".to_owned(),
        KeyCode::Down => "Down".to_owned(),
        KeyCode::Left => "Left".to_owned(),
        KeyCode::Right => "Right".to_owned(),
        KeyCode::Home => "Home".to_owned(),
        KeyCode::End => "End".to_owned(),
        KeyCode::PageUp => "PgUp".to_owned(),
        KeyCode::PageDown => "PgDn".to_owned(),
        KeyCode::F(number) => format!("F{number}"),
        _ => return None,
    };
    // Terminals send ^\ as ^4.
    Some(if token == "^4" {
        "^\\".to_owned()
    } else {
        token
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_scope() {
        let mut seen = HashSet::new();
        for binding in BINDINGS {
            for keys in binding.keys {
                assert!(
                    seen.insert((binding.scope, *keys)),
                    "{:?} {keys}",
                    binding.scope
                );
            }
        }
        for binding in BINDINGS {
            for keys in binding.keys {
                let prefix: Vec<String> = keys.split(' ').map(str::to_owned).collect();
                for len in 1..prefix.len() {
                    let shorter = prefix[..len].join(" ");
                    assert!(
                        !seen.contains(&(binding.scope, &*shorter)),
                        "{shorter} hides {keys}"
                    );
                }
            }
        }
    }

    #[test]
    fn names_for_the_palette_are_distinct() {
        let mut seen = HashSet::new();
        for binding in BINDINGS.iter().filter(|binding| !binding.name.is_empty()) {
            assert!(seen.insert(binding.name), "{}", binding.name);
        }
    }

    #[test]
    fn sequences_are_found_key_by_key() {
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
        assert_eq!(lookup(&[Main], &keys(&["g"])), KeyMatch::Prefix);
        assert_eq!(
            lookup(&[Main], &keys(&["g", "g"])),
            KeyMatch::Command(Command::Move(Motion::Top))
        );
        assert_eq!(lookup(&[Main], &keys(&["g", "q"])), KeyMatch::Nothing);
        assert_eq!(
            lookup(&[Changes, Main], &keys(&["n"])),
            KeyMatch::Command(Command::Review(ReviewCommand::NextChange))
        );
        assert_eq!(
            lookup(&[Main], &keys(&["n"])),
            KeyMatch::Command(Command::Search(SearchCommand::NextHit))
        );
    }
}
