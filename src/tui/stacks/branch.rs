//! Branches: rows that open and close, and the lines that they take.
//!
//! Every branch keeps the number of lines of each child in a Fenwick tree, so that a line is found and a row opened in `depth × log n`
//! steps.

use super::Totals;
use crate::tree::sums::Sums;

/// A row of the list with the rows below it.
#[derive(Clone, Default, Debug)]
pub struct Branch {
    /// The subject of the row.
    pub item: Item,
    /// The text that names it.
    pub label: String,
    /// The sums over it and everything below it.
    pub totals: Totals,
    /// True if the rows below it are shown.
    pub is_open: bool,
    /// Number of lines with hits. They come before the children.
    pub n_hits: u32,
    children: Vec<Branch>,
    /// Number of lines of each child.
    lines: Sums,
}

/// The subject of a row.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Item {
    /// The whole list. It has no line.
    #[default]
    Root,
    /// A folder or a project, by its path.
    Heading(String),
    /// A member, by its index.
    Row(u32),
}

/// A line of the list.
#[derive(Clone, Copy, Debug)]
pub struct Place<'b> {
    /// The row.
    pub branch: &'b Branch,
    /// Number of rows around it.
    pub depth: usize,
    /// The index of the hit; `None` for the row itself.
    pub hit: Option<u32>,
    /// The line of the row.
    pub own_line: usize,
    /// The line of the row around it.
    pub parent_line: Option<usize>,
}

impl Branch {
    /// A branch with these children.
    pub(super) fn new(item: Item, label: String, totals: Totals, children: Vec<Self>) -> Self {
        let mut branch = Self {
            item,
            label,
            totals,
            is_open: true,
            n_hits: 0,
            lines: Sums::default(),
            children,
        };
        branch.sum_up();
        branch
    }

    /// Counts the lines of the children again, after they were opened or closed.
    pub(super) fn sum_up(&mut self) {
        self.lines = Sums::new(self.children.iter().map(Self::n_lines).collect());
    }

    /// The children.
    pub fn children(&self) -> &[Self] {
        &self.children
    }

    pub(super) fn children_mut(&mut self) -> &mut [Self] {
        &mut self.children
    }

    /// True if it has rows that can be shown or not.
    pub fn is_foldable(&self) -> bool {
        self.n_hits > 0 || !self.children.is_empty()
    }

    /// Number of lines below its own.
    fn n_inside(&self) -> u32 {
        if self.is_open {
            self.n_hits + u32::try_from(self.lines.total()).unwrap_or(u32::MAX)
        } else {
            0
        }
    }

    /// Number of its lines.
    pub fn n_lines(&self) -> u32 {
        u32::from(self.item != Item::Root) + self.n_inside()
    }

    /// The line with this number.
    pub fn at(&self, line: usize) -> Option<Place<'_>> {
        let (mut branch, mut from, mut left) = (self, 0, line);
        let (mut depth, mut parent_line) = (0, None);
        loop {
            if branch.item != Item::Root {
                let place = |hit| Place {
                    branch,
                    depth,
                    hit,
                    own_line: from,
                    parent_line,
                };
                let Some(below) = left.checked_sub(1) else {
                    return Some(place(None));
                };
                if !branch.is_open {
                    return None;
                }
                let n_hits = branch.n_hits as usize;
                if below < n_hits {
                    return Some(place(u32::try_from(below).ok()));
                }
                left = below - n_hits;
                parent_line = Some(from);
                from += 1 + n_hits;
                depth += 1;
            }
            let (slot, rest) = branch.lines.find(left)?;
            from += left - rest;
            left = rest;
            branch = &branch.children[slot];
        }
    }

    /// The line of the row at the end of a path of slots; `None` if a row around it is closed.
    pub fn line_of(&self, path: &[u32]) -> Option<usize> {
        let (mut branch, mut line) = (self, 0);
        for slot in path {
            if !branch.is_open {
                return None;
            }
            line += branch.lines.before(*slot as usize);
            branch = branch.children.get(*slot as usize)?;
            if branch.item != Item::Root {
                line += 1 + branch.n_hits as usize;
            }
        }
        // The lines of the last row itself do not count.
        line.checked_sub(1 + branch.n_hits as usize)
    }

    /// The row at the end of a path of slots.
    pub fn get(&self, path: &[u32]) -> Option<&Self> {
        path.iter()
            .try_fold(self, |branch, slot| branch.children.get(*slot as usize))
    }

    /// Opens or closes the row at the end of a path of slots.
    pub fn set_open(&mut self, path: &[u32], is_open: bool) {
        let Some((slot, rest)) = path.split_first() else {
            self.is_open = is_open;
            return;
        };
        let slot = *slot as usize;
        let Some(child) = self.children.get_mut(slot) else {
            return;
        };
        let before = child.n_lines();
        child.set_open(rest, is_open);
        let after = child.n_lines();
        self.lines.change(slot, before, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(row: u32, n_hits: u32) -> Branch {
        let mut leaf = Branch::new(
            Item::Row(row),
            row.to_string(),
            Totals::default(),
            Vec::new(),
        );
        leaf.n_hits = n_hits;
        leaf
    }

    fn heading(name: &str, children: Vec<Branch>) -> Branch {
        let item = Item::Heading(name.to_owned());
        Branch::new(item, name.to_owned(), Totals::default(), children)
    }

    /// All lines as a walk finds them.
    fn walked(branch: &Branch, depth: usize, lines: &mut Vec<String>) {
        let inner = usize::from(branch.item != Item::Root);
        if inner > 0 {
            lines.push(format!("{depth} {}", branch.label));
        }
        if !branch.is_open {
            return;
        }
        lines.extend((0..branch.n_hits).map(|hit| format!("{depth} {} {hit}", branch.label)));
        for child in &branch.children {
            walked(child, depth + inner, lines);
        }
    }

    #[track_caller]
    fn check(root: &Branch, paths: &[&[u32]]) {
        let mut want = Vec::new();
        walked(root, 0, &mut want);
        let got: Vec<_> = (0..want.len() + 2)
            .filter_map(|line| root.at(line))
            .collect();
        let text = |place: &Place<'_>| match place.hit {
            None => format!("{} {}", place.depth, place.branch.label),
            Some(hit) => format!("{} {} {hit}", place.depth, place.branch.label),
        };
        assert_eq!(got.iter().map(text).collect::<Vec<_>>(), want);
        assert_eq!(root.n_lines() as usize, want.len());
        for path in paths {
            let label = &root.get(path).unwrap().label;
            let line = want
                .iter()
                .position(|line| line.ends_with(&format!(" {label}")));
            assert_eq!(root.line_of(path), line, "{path:?}");
            if let Some(line) = line {
                assert_eq!(root.at(line).unwrap().own_line, line);
            }
        }
    }

    #[test]
    fn lines_and_rows_agree_with_a_walk() {
        let inner = heading("y", vec![leaf(3, 2), leaf(4, 0)]);
        let children = vec![
            leaf(10, 1),
            heading("x", vec![leaf(2, 0), inner, leaf(5, 3)]),
            leaf(6, 0),
        ];
        let mut root = Branch::new(Item::Root, String::new(), Totals::default(), children);
        let paths: [&[u32]; 8] = [
            &[0],
            &[1],
            &[1, 0],
            &[1, 1],
            &[1, 1, 0],
            &[1, 1, 1],
            &[1, 2],
            &[2],
        ];
        check(&root, &paths);
        for (path, is_open) in [
            (&[1, 1][..], false),
            (&[1, 2], false),
            (&[1], false),
            (&[1, 1], true),
            (&[1], true),
            (&[0], false),
            (&[1, 2], true),
        ] {
            root.set_open(path, is_open);
            check(&root, &paths);
        }
    }
}
