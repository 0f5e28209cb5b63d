//! Text on a page of a fixed width.

/// Line width without a terminal.
const WIDTH: usize = 78;

/// Adds a rule across the page.
pub(super) fn rule(out: &mut String) {
    out.push('\n');
    out.push_str(&"─".repeat(WIDTH - 1));
    out.push('\n');
}

/// Adds `text` and a line end, broken between words so that no line reaches the last column. Lines that begin with a space are
/// not broken.
pub(super) fn wrapped(out: &mut String, text: &str) {
    for line in text.split('\n') {
        if line.starts_with(' ') {
            out.push_str(line);
        } else {
            let mut width = 0;
            for word in line.split(' ') {
                let n_chars = word.chars().count();
                if width > 0 && width + 1 + n_chars > WIDTH - 1 {
                    out.push('\n');
                    width = 0;
                } else if width > 0 {
                    out.push(' ');
                    width += 1;
                }
                out.push_str(word);
                width += n_chars;
            }
        }
        out.push('\n');
    }
}
