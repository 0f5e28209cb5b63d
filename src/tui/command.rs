//! Commands: everything a person can ask for with a key, in the palette or in the help.

use crate::render::copy::Form;

/// A view: one content for the body of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum View {
    /// The tree of resources, and the selected one.
    #[default]
    Resources,
    /// The planned changes.
    Changes,
    /// The outputs of the stack.
    Outputs,
    /// The dependencies of the selected resource.
    Deps,
    /// The problems of the file.
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

    /// True for the views with two standard panes.
    pub fn has_two_panes(self) -> bool {
        matches!(self, Self::Resources | Self::Changes)
    }
}

/// A command. The table of keys says what it does in each place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "internals",
    expect(
        missing_docs,
        reason = "each is explained by its row in the table of keys"
    )
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
