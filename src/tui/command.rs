//! Commands: everything a person can ask for with a key, in the palette or in the help.

#![cfg_attr(
    feature = "internals",
    expect(
        missing_docs,
        reason = "each command is explained by its row in the table of keys"
    )
)]

use super::keymap::Scope;
use crate::render::copy::Form;

/// A view: one content for the body of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum View {
    /// The tree of resources, and the selected one.
    #[default]
    Resources,
    /// The changes on one page.
    Brief,
    /// The planned changes.
    Changes,
    /// The outputs of the stack.
    Outputs,
    /// The dependencies of the selected resource.
    Deps,
    /// The problems of the file.
    Problems,
    /// The stacks among which the file is, or from which one is chosen.
    Stacks,
}

impl View {
    /// All views in the order of their keys.
    pub const ALL: [Self; 7] = [
        Self::Brief,
        Self::Resources,
        Self::Changes,
        Self::Outputs,
        Self::Deps,
        Self::Problems,
        Self::Stacks,
    ];

    /// The row of the table of views.
    pub const fn row(self) -> ViewRow {
        const USUAL: ViewRow = ViewRow {
            name: "",
            panes: Panes::One,
            split: [42, 42],
            group: "Move",
            scope: None,
            current: Current::Stays,
            reviews: false,
            hits: Hits::Rows,
        };
        match self {
            Self::Brief => ViewRow {
                name: "Brief",
                group: "Brief",
                scope: Some(Scope::Brief),
                current: Current::SelectedIfAny,
                reviews: true,
                ..USUAL
            },
            Self::Resources => ViewRow {
                name: "Resources",
                panes: Panes::Two(["tree", "details"]),
                current: Current::Selected,
                hits: Hits::All,
                ..USUAL
            },
            Self::Changes => ViewRow {
                name: "Changes",
                panes: Panes::Two(["list", "difference"]),
                split: [47, 42],
                group: "Changes",
                scope: Some(Scope::Changes),
                current: Current::Selected,
                reviews: true,
                hits: Hits::All,
            },
            Self::Outputs => ViewRow {
                name: "Outputs",
                hits: Hits::Outputs,
                ..USUAL
            },
            Self::Deps => ViewRow {
                name: "Deps",
                panes: Panes::Columns,
                group: "Deps",
                scope: Some(Scope::Deps),
                ..USUAL
            },
            Self::Problems => ViewRow {
                name: "Problems",
                current: Current::SelectedIfAny,
                ..USUAL
            },
            Self::Stacks => ViewRow {
                name: "Stacks",
                group: "Stacks",
                scope: Some(Scope::Stacks),
                ..USUAL
            },
        }
    }

    /// The name in the header.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// True for the views with two standard panes.
    pub fn has_two_panes(self) -> bool {
        matches!(self.row().panes, Panes::Two(_))
    }
}

/// A row of the table of views.
#[derive(Clone, Copy, Debug)]
pub struct ViewRow {
    /// The name in the header.
    pub name: &'static str,
    /// The panes.
    pub panes: Panes,
    /// Usual width of the left pane in percent: on a narrow screen, and on a wide one.
    pub split: [u16; 2],
    /// The current resource while it is in front.
    pub current: Current,
    /// The group of keys that the help shows first.
    pub group: &'static str,
    /// The scope of the keys that only this view has.
    pub scope: Option<Scope>,
    /// True if changes are reviewed in it. The keys of the next and the previous hit then go through changes once a search ended.
    pub reviews: bool,
    /// The hits that a search among resources goes through in it.
    pub hits: Hits,
}

/// The current resource while a view is in front.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Current {
    /// It stays the same: the cursor is on something else.
    Stays,
    /// It is the selected one.
    Selected,
    /// It is the selected one. It stays the same on rows about no resource, or about many.
    SelectedIfAny,
}

/// The hits that a search among resources goes through in a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hits {
    /// All.
    All,
    /// Those among the outputs of the stack.
    Outputs,
    /// The rows of the view whose resources were found.
    Rows,
}

/// The panes of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Panes {
    /// One pane.
    One,
    /// Two panes with these names. A narrow screen shows one of them at a time.
    Two([&'static str; 2]),
    /// Columns that the view lays out itself.
    Columns,
}

/// A command. The table of keys says what it does in each place.
///
/// Each kind of command is a separate enum, so that its handler names every one of them: a new command does not compile until
/// it is handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    Move(Motion),
    Fold(FoldCommand),
    Search(SearchCommand),
    Deps(DepsCommand),
    Go(GoCommand),
    Updates(UpdatesCommand),
    Review(ReviewCommand),
    List(ListCommand),
    Mark(MarkCommand),
    Copy(CopyCommand),
    Side(Side),
    OtherDirection,
    InSource(SourceCommand),
    View(View),
    NextPane,
    PrevPane,
    Zoom,
    Unzoom,
    Narrower,
    Wider,
    Count,
    Source,
    Text,
    Types,
    Verify,
    Reveal,
    HideAll,
    Unlock,
    Section,
    Wrap,
    Mouse,
    Muted,
    Themes,
    Reload,
    Palette,
    Help,
    Suspend,
    Quit,
    Cancel,
    Accept,
    Complete,
}

/// A motion of the cursor, or of the rows under it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    Down,
    Up,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    Top,
    Bottom,
    NextSibling,
    PrevSibling,
    ParentRow,
    ScrollDown,
    ScrollUp,
}

/// A command that opens or closes the selected row, or goes into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldCommand {
    Expand,
    Collapse,
    Activate,
    Toggle,
    Open,
    Close,
    OpenBelow,
    OpenAll,
    CloseAll,
    Level(u16),
}

/// The effect of a fold command on a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldStep {
    /// Opens or closes the row.
    Toggle,
    /// Goes to the first row inside, which is open.
    Into,
    /// Goes to the row around this one.
    Out,
    /// Goes to the row around this one and closes it.
    OutAndClose,
    /// Enters a row that cannot be opened: goes where it leads.
    Enter,
    /// Opens the row with all below.
    Below,
    /// Opens this many levels of the whole list, and closes the rest.
    Level(u16),
    /// Nothing.
    Nothing,
}

impl FoldCommand {
    /// The effect on a row, which is open, closed, or has nothing to open.
    pub fn on(self, is_open: Option<bool>) -> FoldStep {
        match (self, is_open) {
            (Self::Activate | Self::Toggle, Some(_))
            | (Self::Expand | Self::Open, Some(false))
            | (Self::Collapse | Self::Close, Some(true)) => FoldStep::Toggle,
            (Self::Expand, Some(true)) => FoldStep::Into,
            (Self::Activate | Self::Expand, None) => FoldStep::Enter,
            (Self::Collapse, Some(false) | None) => FoldStep::Out,
            (Self::Close, Some(false) | None) => FoldStep::OutAndClose,
            (Self::Toggle, None) | (Self::Open, Some(true) | None) => FoldStep::Nothing,
            (Self::OpenBelow, _) => FoldStep::Below,
            (Self::OpenAll, _) => FoldStep::Level(u16::MAX),
            (Self::CloseAll, _) => FoldStep::Level(0),
            (Self::Level(level), _) => FoldStep::Level(level),
        }
    }
}

/// A command about searching.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchCommand {
    Open,
    Filter,
    NextHit,
    PrevHit,
    SearchKey,
    SearchKeyBack,
    Language,
}

/// A command about dependencies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DepsCommand {
    DependsOn,
    UsedBy,
    DependsOnAll,
    UsedByAll,
    Ripple,
    Way,
}

/// A side of the Deps view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The dependencies.
    Left,
    /// The dependents.
    Right,
}

/// A command of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceCommand {
    Block,
    Files,
    CopyPosition,
}

/// A command that goes to another place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoCommand {
    Parent,
    Provider,
    Outputs,
    Address,
    Stack,
    Back,
    Forward,
}

/// A command about the updates of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpdatesCommand {
    Timeline,
    Older,
    Newer,
    LastChanged,
}

/// A command for the review of changes. The Changes view obeys all of them, the brief those that are not about a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReviewCommand {
    NextChange,
    PrevChange,
    Reviewed,
    Note,
    NextUnreviewed,
    Actions,
    Why,
    SideBySide,
    MoreContext,
    LessContext,
}

/// A command that changes what a list shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListCommand {
    Noise,
    Sort,
    Arrange,
}

/// A command that marks rows of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkCommand {
    Selected,
    All,
    Clear,
}

/// A command that copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyCommand {
    Choose,
    Form(Form),
    Secret,
    Path,
}
