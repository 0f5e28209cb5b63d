//! Bodies: attributes and blocks.

use super::expression::{Expression, Scan};

/// How deep blocks may nest.
const MAX_DEPTH: usize = 64;

/// What stands in a file or a block.
#[derive(Default)]
pub(super) struct Body<'t> {
    pub(super) attributes: Vec<(&'t str, Expression<'t>)>,
    pub(super) blocks: Vec<Block<'t>>,
}

/// A block.
pub(super) struct Block<'t> {
    pub(super) kind: &'t str,
    pub(super) labels: Vec<String>,
    pub(super) body: Body<'t>,
}

impl<'t> Body<'t> {
    /// The attribute of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<&Expression<'t>> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(own, _)| *own == name);
        found.map(|(_, expression)| expression)
    }

    /// Adds what another file says.
    pub(super) fn extend(&mut self, other: Self) {
        self.attributes.extend(other.attributes);
        self.blocks.extend(other.blocks);
    }
}

/// What a file says, up to where it is not understood, and whether that is all of it.
pub(super) fn file(text: &str) -> (Body<'_>, bool) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scan = Scan::new(text);
    let mut top = Body::default();
    let is_whole = body(&mut scan, &mut top, 0).is_some() && scan.is_at_end();
    (top, is_whole)
}

/// Reads up to the bracket that closes the body, or the end; `None` where it is not understood. What was read is kept.
fn body<'t>(scan: &mut Scan<'t>, into: &mut Body<'t>, depth: usize) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    loop {
        scan.skip_lines();
        if scan.is_at_end() || scan.peek() == Some(b'}') {
            return Some(());
        }
        let name = scan.identifier()?;
        scan.skip_space();
        if scan.peek() == Some(b'=') && scan.peek_at(1) != Some(b'=') {
            scan.bump(1);
            into.attributes.push((name, scan.expression()?));
            continue;
        }
        let mut block = Block {
            kind: name,
            labels: Vec::new(),
            body: Body::default(),
        };
        while scan.peek() != Some(b'{') {
            block.labels.push(scan.label()?);
            scan.skip_space();
        }
        scan.bump(1);
        let inner = body(scan, &mut block.body, depth + 1);
        into.blocks.push(block);
        inner?;
        if scan.peek() != Some(b'}') {
            return None;
        }
        scan.bump(1);
    }
}
