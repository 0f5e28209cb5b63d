//! The line that says that a command changes nothing.

use super::command::{Command, FoldCommand, Motion, View};
use super::keymap;
use super::views::Screen;

/// The words about a command that changes nothing. `None` if the person sees why.
pub fn words(command: Command, screen: Screen) -> Option<String> {
    Some(match command {
        // The cursor is where the person wants it.
        Command::Move(Motion::Top | Motion::Bottom) => return None,
        Command::Move(motion) => no_motion(motion).to_owned(),
        Command::Fold(fold) => no_fold(fold).to_owned(),
        Command::List(_) if screen.view == View::Brief => not_here(View::Changes),
        Command::List(_) | Command::Section => not_here(View::Resources),
        Command::Review(_) => not_here(View::Changes),
        Command::Side(_) if screen.view == View::Deps => "this is that side".to_owned(),
        Command::Side(_) => not_here(View::Deps),
        Command::NextPane | Command::PrevPane => "this view has one pane".to_owned(),
        Command::Zoom | Command::Narrower | Command::Wider if !screen.shows_both => {
            "one pane is on the screen".to_owned()
        }
        Command::Zoom | Command::Narrower | Command::Wider => "the border is at its end".to_owned(),
        Command::Unzoom => "no pane is zoomed".to_owned(),
        Command::View(view) => format!("this is the {} view", view.name()),
        Command::Go(_) => "this is that place".to_owned(),
        Command::Deps(_) | Command::OtherDirection => {
            "nothing further in this direction".to_owned()
        }
        Command::Cancel => "nothing to leave here".to_owned(),
        Command::Complete => "nothing to complete".to_owned(),
        Command::Accept => "nothing to go to here".to_owned(),
        Command::Search(_)
        | Command::Updates(_)
        | Command::Mark(_)
        | Command::Copy(_)
        | Command::InSource(_)
        | Command::Count
        | Command::Source
        | Command::Text
        | Command::Types
        | Command::Verify
        | Command::Reveal
        | Command::HideAll
        | Command::Unlock
        | Command::Wrap
        | Command::Mouse
        | Command::Muted
        | Command::Themes
        | Command::Reload
        | Command::Palette
        | Command::Help
        | Command::Suspend
        | Command::Quit => {
            let help = keymap::key_of(Command::Help);
            format!("nothing to do here · {help} help")
        }
    })
}

/// The view that has a command.
fn not_here(view: View) -> String {
    let key = keymap::key_of(Command::View(view));
    let name = view.name().to_lowercase();
    format!("not in this view; {key} shows the {name}")
}

fn no_motion(motion: Motion) -> &'static str {
    match motion {
        Motion::Down | Motion::HalfDown | Motion::PageDown | Motion::Bottom => "no row below",
        Motion::Up | Motion::HalfUp | Motion::PageUp | Motion::Top => "no row above",
        Motion::NextSibling => "no sibling below",
        Motion::PrevSibling => "no sibling above",
        Motion::ParentRow => "no row around this one",
        Motion::ScrollDown | Motion::ScrollUp => "nothing further to scroll to",
    }
}

fn no_fold(fold: FoldCommand) -> &'static str {
    match fold {
        FoldCommand::Expand
        | FoldCommand::Activate
        | FoldCommand::Toggle
        | FoldCommand::Open
        | FoldCommand::OpenBelow => "nothing to open here",
        FoldCommand::Collapse | FoldCommand::Close => "nothing to close here",
        FoldCommand::OpenAll => "nothing to open in this view",
        FoldCommand::CloseAll => "nothing to close in this view",
        FoldCommand::Level(_) => "nothing to fold in this view",
    }
}
