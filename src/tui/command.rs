//! Verbs: what a person can ask for, by a key, the palette or the help.

use crate::render::copy::Form;

/// A view: what the body of the screen shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum View {
    /// The tree of resources, and the selected one.
    #[default]
    Resources,
    /// What is about to change.
    Changes,
    /// The outputs of the stack.
    Outputs,
    /// Who depends on whom.
    Deps,
    /// What is the matter with the file.
    Problems,
}

impl View {
    /// All views in the order of their keys.
    pub const ALL: [Self; 5] = [
        Self::Resources,
        Self::Changes,
        Self::Outputs,
        Self::Deps,
        Self::Problems,
    ];

    /// The name in the top line.
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Resources => "Res",
            Self::Changes => "Chg",
            Self::Outputs => "Out",
            Self::Deps => "Dep",
            Self::Problems => "Prb",
        }
    }

    /// Whether it has two panes of the usual kind.
    pub fn has_two_panes(self) -> bool {
        matches!(self, Self::Resources | Self::Changes)
    }
}

/// A verb. What it does in a place is said in the table of keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    missing_docs,
    reason = "each is explained by its row in the table of keys"
)]
pub enum Command {
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
    Count,
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
    View(View),
    NextPane,
    PrevPane,
    Zoom,
    Unzoom,
    Narrower,
    Wider,
    Search,
    Filter,
    NextHit,
    PrevHit,
    SearchKey,
    SearchKeyBack,
    Cancel,
    GotoParent,
    GotoProvider,
    GotoOutputs,
    GotoAddress,
    GotoStack,
    Source,
    Timeline,
    Older,
    Newer,
    LastChanged,
    Folder,
    DependsOn,
    UsedBy,
    DependsOnAll,
    UsedByAll,
    Impact,
    Way,
    Back,
    Forward,
    NextChange,
    PrevChange,
    Reviewed,
    NextUnreviewed,
    Actions,
    Why,
    SideBySide,
    MoreContext,
    LessContext,
    Noise,
    Yank,
    Copy(Form),
    CopySecret,
    CopyPath,
    Reveal,
    HideAll,
    Mark,
    MarkAll,
    ClearMarks,
    Sort,
    Section,
    Arrange,
    Wrap,
    Text,
    Verify,
    Decode,
    Unlock,
    Types,
    Mouse,
    Reload,
    Palette,
    Help,
    Suspend,
    Quit,
    Accept,
    Complete,
}
