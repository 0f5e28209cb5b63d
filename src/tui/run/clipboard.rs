//! The clipboard of the terminal, by the escape sequence OSC 52.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The longest text that terminals are known to take, in base64.
const MAX_ENCODED: usize = 74_994;

/// Where texts are copied to.
#[derive(Default)]
pub struct Clipboard {}

impl Clipboard {
    /// Copies `text` and names the route.
    ///
    /// # Errors
    ///
    /// If there is no route; the message says what to do.
    pub fn copy(&mut self, text: &str, terminal: &mut impl Write) -> Result<String, String> {
        let encoded = STANDARD.encode(text);
        if encoded.len() > MAX_ENCODED {
            return Err(
                "it is too long for the terminal; use `stacklens get` in a pipe".to_owned(),
            );
        }
        write!(terminal, "\x1b]52;c;{encoded}\x07")
            .and_then(|()| terminal.flush())
            .map_err(|error| error.to_string())?;
        Ok("OSC 52".to_owned())
    }
}
