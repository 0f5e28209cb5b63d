//! The grammar of the specification.
//!
//! ```text
//! urn = "urn:pulumi:" string "::" string "::" [ type "$" ] type "::" string
//! type = identifier ":" [ identifier ":" ] identifier
//! ```

use super::{PREFIX, Parts};
use crate::text::{ParseError, Scanner};

/// The parts of a URN that follows the grammar to the letter.
///
/// # Errors
///
/// At the first character that the grammar does not allow.
pub fn parse_strict(text: &str) -> Result<Parts<'_>, ParseError> {
    let mut scanner = Scanner::new(text);
    scanner.expect(PREFIX, "`urn:pulumi:`")?;
    let stack = scanner.take_until("::");
    scanner.expect("::", "`::` and a project")?;
    let project = scanner.take_until("::");
    scanner.expect("::", "`::` and a type")?;
    let start = scanner.offset();
    type_token(&mut scanner)?;
    if scanner.take("$") {
        type_token(&mut scanner)?;
    }
    let qualified_type = &text[start..scanner.offset()];
    scanner.expect("::", "`::` and a name")?;
    let name = scanner.take_until("::");
    if !scanner.is_at_end() {
        return Err(scanner.error("a name without `::`"));
    }
    Ok(Parts {
        stack,
        project,
        qualified_type,
        name,
    })
}

fn type_token(scanner: &mut Scanner<'_>) -> Result<(), ParseError> {
    identifier(scanner, "the package of a type")?;
    scanner.expect(":", "a letter, a digit, `_` or `:`")?;
    identifier(scanner, "a module or a type")?;
    // A single colon separates the module from the type; two end the type.
    if !scanner.rest().starts_with("::") && scanner.take(":") {
        identifier(scanner, "a type")?;
    }
    Ok(())
}

fn identifier(scanner: &mut Scanner<'_>, expected: &'static str) -> Result<(), ParseError> {
    if !scanner.rest().starts_with(char::is_alphabetic) {
        return Err(scanner.error(expected));
    }
    scanner.take_while(|char| char.is_alphanumeric() || char == '_');
    Ok(())
}
