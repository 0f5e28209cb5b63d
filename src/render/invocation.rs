//! Invocations of actions as lines of text, for the pane and for the printing commands.

use super::lines::{Options, lines};
use crate::change::difference::{Context, describe};
use crate::stack::{Invocation, Timing};
use crate::text::escaped;

/// The heading above the actions that are invoked on one side of a change.
pub fn heading(side: Option<Timing>) -> &'static str {
    match side {
        Some(Timing::Before) => "invoked before this change",
        Some(Timing::After) => "invoked after this change",
        None => "invoked",
    }
}

/// An action: its address, and when it is invoked.
pub fn title(invocation: &Invocation) -> String {
    format!(
        "» {}  {}",
        escaped(&invocation.address),
        escaped(&invocation.when())
    )
}

/// The failure behavior of an action, if it is unusual, then its configuration: one line for each value, indented by two spaces a
/// level. Masked values stay masked, and characters that could steer a terminal are escaped.
pub fn details(invocation: &Invocation, options: Options) -> Vec<String> {
    let mut details: Vec<String> = invocation
        .on_failure()
        .map(str::to_owned)
        .into_iter()
        .collect();
    let Some(config) = &invocation.config else {
        return details;
    };
    let diff = describe(&config.value, &config.value, Context::default());
    let options = Options {
        unknown: options.unknown,
        ..Options::ALL
    };
    let text = |line: &super::lines::Line| {
        let mut text = "  ".repeat(line.depth);
        if let Some(label) = &line.label {
            text.push_str(label);
            text.push_str(": ");
        }
        text.extend(line.unified().into_iter().map(|span| span.text));
        text
    };
    details.extend(lines(&diff, options).iter().map(text));
    details
}
