//! The brief as a list of rows: arithmetic over blocks, so that a key costs the rows on the screen.
//!
//! A block is the head of the page, the title of a section, an entry with everything below it, or a line of text. A job makes the
//! blocks. The Brief view shows all of their rows, and the Changes view those that have a difference of their own ([`Form`]).

mod lines;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

pub use self::lines::{ChangeLine, Drawing, Lines, REVIEWED, change, counts};
use crate::load::brief::page::{Entry, Names, Page, Part, Title};
use crate::pulumi::urn::display_type;
use crate::stack::{ChangeId, ResourceId, Stack};
use crate::tui::changes::{Findings, is_reviewed};
use crate::tui::command::View;
use crate::tui::outline::{Extent, Groups};
use crate::tui::review::Alike;
use crate::tui::rows::shown;
use crate::tui::widgets::text::{count, width};

/// Maximum width in cells that the names of a group take in the column of names.
const MAX_GROUP: usize = 24;

/// Maximum number of resources of all groups with which a search also finds these. With more, a letter that is typed would cost too
/// much.
const MAX_SEARCHED: usize = 10_000;

/// A part of the page whose rows belong together: the first row with all that is below it.
#[derive(Clone, Debug)]
struct Block {
    /// The first row.
    first: Row,
    /// The resources that are told there.
    told: Box<[ResourceId]>,
    /// The rows below the first one that tell an output, ascending: a story of resources has outputs that change with these.
    outputs: Box<[usize]>,
    /// Number of its changes that can be reviewed.
    n_to_review: usize,
    /// Number of its changes that are reviewed.
    n_reviewed: usize,
    /// Number of its resources that are not reviewed, but are like a reviewed one.
    n_alike: usize,
}

impl Block {
    fn new(first: Row) -> Self {
        Self {
            first,
            told: Box::default(),
            outputs: Box::default(),
            n_to_review: 0,
            n_reviewed: 0,
            n_alike: 0,
        }
    }
}

/// A row of the page. Entries are named by their section and their index there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
    /// The counts and the progress of the review.
    Head,
    /// The title of a section.
    Title(usize),
    /// The first line of an entry. The only change of an entry belongs to it.
    Entry(usize, usize),
    /// A change of an entry.
    Detail(usize, usize, usize),
    /// The number of changes of an entry that are left out.
    More(usize, usize),
    /// Resources that come along with an entry.
    Along(usize, usize, usize),
    /// A resource of an open group.
    Member(usize, usize, usize),
    /// The number of resources of a section that have no entry.
    Rest(usize),
    /// The things that were looked for, and those that could not be judged.
    Remarks,
}

impl Row {
    /// The part of the page that the row belongs to.
    pub fn part(self) -> Option<usize> {
        match self {
            Self::Title(part)
            | Self::Entry(part, _)
            | Self::Detail(part, ..)
            | Self::More(part, _)
            | Self::Along(part, ..)
            | Self::Member(part, ..)
            | Self::Rest(part) => Some(part),
            Self::Head | Self::Remarks => None,
        }
    }
}

/// The thing that a row speaks of: it is found again on another page about the same file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anchor {
    key: Key,
    /// Number of rows below the first row of the block.
    offset: usize,
    /// The resource of an open group.
    member: Option<ResourceId>,
    /// True if the row speaks of all resources of its block.
    is_of_all: bool,
}

impl Anchor {
    /// True for the row of a resource in a group.
    pub fn is_member(&self) -> bool {
        self.member.is_some()
    }

    /// True if the row speaks of a whole group, and `other` is the row of a resource in it.
    pub fn has_member(&self, other: &Self) -> bool {
        self.is_of_all && other.is_member() && self.key == other.key
    }
}

/// The thing that a block speaks of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Head,
    Title(Title),
    /// An entry by its first resource.
    Entry(Title, ResourceId),
    /// An entry without resources by its names.
    Named(Title, Names),
    Rest(Title),
    Remarks,
}

/// The rows of the page that are listed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Form {
    /// All of them: the Brief view.
    #[default]
    Wide,
    /// Those that lead to a difference, and their titles: the Changes view, which shows the properties beside them.
    Narrow,
}

impl Form {
    /// The form in a view.
    pub fn of(view: View) -> Self {
        match view {
            View::Changes => Self::Narrow,
            View::Brief
            | View::Resources
            | View::Outputs
            | View::Deps
            | View::Problems
            | View::Stacks => Self::Wide,
        }
    }
}

/// A page with its blocks and the state of its folds.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The page.
    pub page: Page,
    /// Its findings.
    pub findings: Arc<Findings>,
    /// The rows that are listed.
    pub form: Form,
    /// Width in cells of the widest names and of the widest type.
    pub widths: [usize; 2],
    blocks: Vec<Block>,
    rows: Groups,
    /// The blocks of entries that mention a change, each with the number of rows before the one of the change.
    places: HashMap<ChangeId, Vec<(usize, usize)>>,
    alike: Arc<Alike>,
    /// Number of changes that are not reviewed, but are like a reviewed one of the record.
    pub n_left_alike: usize,
    /// The changes of the file since it was read before, "" if nothing did.
    pub since: String,
    /// The folded sections.
    closed: BTreeSet<Title>,
    /// The open groups, by their blocks.
    open: BTreeSet<usize>,
    /// The folds that the search opened. They close again as it goes on.
    found_in: FoundIn,
    /// True if a search finds the resources of groups.
    pub searches_groups: bool,
    /// The texts of the rows that a search finds ([`Listed::searched`]).
    pub texts: Arc<Vec<String>>,
}

/// The folds around a row that was found.
#[derive(Clone, Copy, Default, Debug)]
struct FoundIn {
    section: Option<Title>,
    /// The block of a group.
    group: Option<usize>,
}

impl Listed {
    /// The rows of a page.
    pub fn new(page: Page, stack: &Stack) -> Self {
        let mut listed = Self {
            findings: Arc::new(Findings::of(&page)),
            form: Form::default(),
            page,
            widths: [0, 0],
            blocks: vec![Block::new(Row::Head)],
            rows: Groups::default(),
            places: HashMap::new(),
            alike: Arc::default(),
            n_left_alike: 0,
            since: String::new(),
            closed: BTreeSet::new(),
            open: BTreeSet::new(),
            found_in: FoundIn::default(),
            searches_groups: false,
            texts: Arc::default(),
        };
        let entries = listed.page.parts.iter().flat_map(|part| &part.entries);
        let n_members: usize = entries.map(n_members).sum();
        listed.searches_groups = n_members <= MAX_SEARCHED;
        for (at, part) in listed.page.parts.iter().enumerate() {
            listed.blocks.push(Block::new(Row::Title(at)));
            for (index, entry) in part.entries.iter().enumerate() {
                for (change, offset) in offsets(entry) {
                    let places = listed.places.entry(change).or_default();
                    places.push((listed.blocks.len(), offset));
                }
                let changes = changes_of(entry).filter(|it| is_reviewed(stack, *it));
                listed.blocks.push(Block {
                    told: entry.all_ids().collect(),
                    outputs: rows_of_outputs(entry),
                    n_to_review: changes.count(),
                    ..Block::new(Row::Entry(at, index))
                });
                let names: usize = entry.names.iter().map(|name| width(&name.text) + 2).sum();
                let names = match (&entry.names[..], entry.share()) {
                    (_, Some(share)) => width(&share),
                    ([_] | [], _) => names.saturating_sub(2),
                    ([_, _, ..], _) => names.min(MAX_GROUP),
                };
                listed.widths[0] = listed.widths[0].max(names);
                if entry.shows_type() {
                    listed.widths[1] = listed.widths[1].max(width(&display_type(&entry.ty)));
                }
            }
            if part.n_without_entry() > 0 {
                listed.blocks.push(Block::new(Row::Rest(at)));
            }
        }
        if !listed.page.remarks.is_empty() {
            listed.blocks.push(Block::new(Row::Remarks));
        }
        listed.measure();
        listed.texts = Arc::new(lines::texts(&listed, stack));
        listed
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows.n_rows()
    }

    /// True if changes are told.
    pub fn has_changes(&self) -> bool {
        let parts = self.page.parts.iter();
        let mut entries = parts.flat_map(|part| &part.entries);
        entries.any(|entry| !entry.ids.is_empty() || !entry.outputs.is_empty())
    }

    /// A row.
    pub fn row(&self, row: usize) -> Option<Row> {
        let (block, offset) = self.find(row)?;
        self.row_of_block(block, offset)
    }

    /// The block of a row, and the number of rows of the block before it, also of those that are not listed.
    fn find(&self, row: usize) -> Option<(usize, usize)> {
        let (block, offset) = self.rows.find(row)?;
        let outputs = &self.blocks[block].outputs;
        Some(match (self.form, offset) {
            (Form::Wide, _) | (Form::Narrow, 0) => (block, offset),
            (Form::Narrow, _) => match outputs.get(offset - 1) {
                Some(output) => (block, *output),
                None => (block, offset - outputs.len() + self.n_details(block)),
            },
        })
    }

    /// The row of a block that comes after `offset` others of it. That of the entry, if it is not listed.
    fn row_at_offset(&self, block: usize, offset: usize) -> Option<usize> {
        let (outputs, n_details) = (&self.blocks[block].outputs, self.n_details(block));
        let listed = match self.form {
            Form::Wide => offset,
            Form::Narrow if offset > n_details => offset - n_details + outputs.len(),
            Form::Narrow => outputs.binary_search(&offset).map_or(0, |at| at + 1),
        };
        self.rows.row(block, listed)
    }

    /// Number of rows of a block that tell its properties.
    fn n_details(&self, block: usize) -> usize {
        let Row::Entry(part, entry) = self.blocks[block].first else {
            return 0;
        };
        self.entry(part, entry).map_or(0, n_details)
    }

    /// Lists the rows of a form. Returns where some of the rows of the other form are now.
    pub fn reshape<const N: usize>(&mut self, form: Form, rows: [usize; N]) -> [usize; N] {
        let anchors = rows.map(|row| self.anchor(row));
        self.form = form;
        self.measure();
        anchors.map(|anchor| {
            anchor
                .and_then(|anchor| self.row_at(&anchor))
                .unwrap_or_default()
        })
    }

    /// A row of a block, whose members are the last ones.
    fn row_of_block(&self, block: usize, offset: usize) -> Option<Row> {
        let first = self.blocks[block].first;
        let Row::Entry(part, entry) = first else {
            return Some(first);
        };
        let found = self.entry(part, entry)?;
        let (n_details, more) = (found.below().len(), usize::from(found.n_more > 0));
        let n_own = n_details + more;
        Some(match offset {
            0 => first,
            _ if offset <= n_details => Row::Detail(part, entry, offset - 1),
            _ if offset <= n_own => Row::More(part, entry),
            _ if offset <= n_own + found.along.len() => Row::Along(part, entry, offset - n_own - 1),
            _ => Row::Member(part, entry, offset - n_own - found.along.len() - 1),
        })
    }

    /// The rows that a search finds: all of them, with those in closed sections and groups. It does not find the resources of very
    /// large groups.
    pub fn searched(&self) -> impl Iterator<Item = Row> {
        let places = self.searched_places();
        places.filter_map(|(block, offset)| self.row_of_block(block, offset))
    }

    /// The things that the rows of [`Listed::searched`] speak of.
    pub fn anchors(&self) -> impl Iterator<Item = Anchor> {
        let places = self.searched_places();
        places.filter_map(|(block, offset)| self.anchor_of(block, offset))
    }

    fn searched_places(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = |block| (0..self.n_searched(block)).map(move |offset| (block, offset));
        (0..self.blocks.len()).flat_map(rows)
    }

    /// The index among [`Listed::searched`] of a row, or of the row above it that a search finds.
    pub fn index_of(&self, row: usize) -> usize {
        let (block, offset) = self.find(row).unwrap_or_default();
        let last = self.n_searched(block).saturating_sub(1);
        (0..block).map(|it| self.n_searched(it)).sum::<usize>() + offset.min(last)
    }

    /// Opens the folds around the row that speaks of this thing, and returns it. Closes what was opened for
    /// another one.
    pub fn open_found(&mut self, anchor: &Anchor) -> Option<usize> {
        let block = self.block_with(anchor)?;
        let offset = self.offset_in(block, self.n_searched(block), anchor)?;
        self.open_to(block, offset)
    }

    /// Opens the folds around the row of a change, like those around a row that was found, and returns it.
    pub fn reveal(&mut self, change: ChangeId) -> Option<usize> {
        let (block, offset) = *self.places.get(&change)?.first()?;
        self.open_to(block, offset)
    }

    /// Leaves open what a search opened.
    pub fn keep_found(&mut self) {
        self.found_in = FoundIn::default();
    }

    /// Closes the folds that a search opened.
    pub fn close_found(&mut self) {
        let FoundIn { section, group } = std::mem::take(&mut self.found_in);
        self.closed.extend(section);
        if let Some(group) = group {
            self.open.remove(&group);
        }
        self.measure();
    }

    fn open_to(&mut self, block: usize, offset: usize) -> Option<usize> {
        self.close_found();
        let row = self.row_of_block(block, offset)?;
        let is_member = matches!(row, Row::Member(..));
        let part = row.part().filter(|_| !matches!(row, Row::Title(_)));
        let section = part.and_then(|part| Some(self.part(part)?.title));
        self.found_in = FoundIn {
            section: section.filter(|title| self.closed.remove(title)),
            group: Some(block).filter(|block| is_member && self.open.insert(*block)),
        };
        self.measure();
        self.row_at_offset(block, offset)
    }

    /// The block that contains a row.
    pub fn block_of(&self, row: usize) -> usize {
        self.rows.find(row).map_or(0, |(block, _)| block)
    }

    /// The first row of a block, or of the title above it if its section is closed.
    pub fn first_row(&self, block: usize) -> usize {
        let mut blocks = [block].into_iter().chain(self.rows.around(block));
        blocks
            .find_map(|block| self.rows.row(block, 0))
            .unwrap_or(0)
    }

    /// A section.
    pub fn part(&self, part: usize) -> Option<&Part> {
        self.page.parts.get(part)
    }

    /// An entry.
    pub fn entry(&self, part: usize, entry: usize) -> Option<&Entry> {
        self.part(part)?.entries.get(entry)
    }

    /// The entry of a row that shows its words or one of its details.
    pub fn entry_of(&self, row: Row) -> Option<&Entry> {
        let (Row::Entry(part, entry) | Row::Detail(part, entry, _)) = row else {
            return None;
        };
        self.entry(part, entry)
    }

    /// The resources that a row speaks of.
    pub fn ids(&self, row: Row) -> &[ResourceId] {
        let of = |part, entry| self.entry(part, entry);
        let ids = |part, entry| {
            let Some(entry) = of(part, entry) else {
                return &[][..];
            };
            let first = entry.ids.first();
            let mut blocks = first.into_iter().flat_map(|id| self.blocks_of(*id));
            let block = blocks.find_map(|block| {
                let told = &self.blocks[block].told;
                (told.first() == first).then_some(told)
            });
            block.map_or(&entry.about, |told| told)
        };
        match row {
            Row::Detail(part, entry, at) => {
                let detail = of(part, entry).and_then(|it| it.below().get(at));
                match detail.and_then(|detail| detail.id.as_ref()) {
                    Some(ChangeId::Resource(id)) => std::slice::from_ref(id),
                    Some(ChangeId::Output(_) | ChangeId::Invocation(_)) => &[],
                    None => ids(part, entry),
                }
            }
            Row::Entry(part, entry) | Row::More(part, entry) => ids(part, entry),
            Row::Along(part, entry, at) => {
                let along = of(part, entry).and_then(|it| it.along.get(at));
                along.map_or(&[][..], |it| &it.ids)
            }
            Row::Member(part, entry, at) => {
                let entry = of(part, entry);
                entry.and_then(|it| it.ids.get(at..=at)).unwrap_or_default()
            }
            Row::Head | Row::Title(_) | Row::Rest(_) | Row::Remarks => &[],
        }
    }

    /// The changes that are reviewed with a row: those of its resources and of the outputs that it tells.
    pub fn changes(&self, row: Row) -> impl Iterator<Item = ChangeId> {
        let entry = match row {
            Row::Entry(part, entry) | Row::More(part, entry) => self.entry(part, entry),
            _ => None,
        };
        let resources = self.ids(row).iter().copied().map(ChangeId::Resource);
        let outputs = entry.into_iter().flat_map(|entry| &entry.outputs);
        let outputs = outputs.copied().chain(self.output(row));
        resources.chain(outputs.map(ChangeId::Output))
    }

    /// The output that a line below an entry tells.
    pub fn output(&self, row: Row) -> Option<usize> {
        let Row::Detail(part, entry, at) = row else {
            return None;
        };
        match self.entry(part, entry)?.below().get(at)?.id? {
            ChangeId::Output(number) => Some(number),
            ChangeId::Resource(_) | ChangeId::Invocation(_) => None,
        }
    }

    /// The blocks of the entries that mention a change.
    fn blocks_of(&self, change: impl Into<ChangeId>) -> impl Iterator<Item = usize> {
        let places = self.places.get(&change.into()).into_iter().flatten();
        places.map(|(block, _)| *block)
    }

    /// The resources that a row is about, without those that come along.
    pub fn head(&self, row: Row) -> &[ResourceId] {
        let ids = self.ids(row);
        let entry = match row {
            Row::Entry(part, entry) | Row::Detail(part, entry, _) | Row::More(part, entry) => {
                self.entry(part, entry)
            }
            _ => None,
        };
        let own = entry
            .map(|entry| &entry.ids[..])
            .filter(|own| !own.is_empty());
        match own {
            Some(own) if ids.len() > own.len() => own,
            Some(_) | None => ids,
        }
    }

    /// The query that lists what a row speaks of, where no resource does.
    pub fn query(&self, row: Row) -> Option<&str> {
        let Row::Entry(part, entry) = row else {
            return None;
        };
        let entry = self.entry(part, entry)?;
        (entry.ids.is_empty() && !entry.query.is_empty()).then_some(&*entry.query)
    }

    /// True if a row speaks of a resource. Where each row leads to a difference, it is one of the row itself.
    pub fn is_about(&self, row: usize, id: ResourceId) -> bool {
        let is_own = self.form == Form::Narrow || matches!(self.row(row), Some(Row::Member(..)));
        if is_own {
            return self.leads_to(row, id);
        }
        let block = self.block_of(row);
        self.blocks_of(id).any(|it| it == block)
    }

    /// True if a resource is one of those of a row, without those that come along.
    pub fn leads_to(&self, row: usize, id: ResourceId) -> bool {
        let Some((block, offset)) = self.find(row) else {
            return false;
        };
        let Some(Row::Entry(part, entry) | Row::Detail(part, entry, _) | Row::More(part, entry)) =
            self.row_of_block(block, offset)
        else {
            return self.is_at(id, block, |place| place == offset);
        };
        let n_along = self.entry(part, entry).map_or(0, |it| it.along.len());
        let along = 1 + self.n_details(block)..1 + self.n_details(block) + n_along;
        self.is_at(id, block, |place| !along.contains(&place))
    }

    /// True if a block mentions a resource in such a row.
    fn is_at(&self, id: ResourceId, block: usize, is_wanted: impl Fn(usize) -> bool) -> bool {
        let mut places = self.places.get(&id.into()).into_iter().flatten();
        places.any(|(at, offset)| *at == block && is_wanted(*offset))
    }

    /// The row of the first visible entry that mentions a change: the row of the change itself, if its group is open.
    pub fn row_of(&self, change: ChangeId) -> Option<usize> {
        let mut places = self.places.get(&change)?.iter();
        places.find_map(|(block, offset)| {
            let own = self.row_at_offset(*block, *offset);
            own.or_else(|| self.rows.row(*block, 0))
        })
    }

    /// The rows of the visible entries that mention any of these resources.
    pub fn rows_of(&self, ids: &[ResourceId]) -> Vec<usize> {
        let blocks = ids.iter().flat_map(|id| self.blocks_of(*id));
        let blocks: BTreeSet<usize> = blocks.collect();
        let rows = blocks
            .into_iter()
            .filter_map(|block| self.rows.row(block, 0));
        rows.collect()
    }

    /// The row of the nearest visible block after (or before) the block of a row that is wanted.
    pub fn next(
        &self,
        row: usize,
        step: isize,
        is_wanted: fn(&Self, usize) -> bool,
    ) -> Option<usize> {
        let mut block = self.block_of(row);
        loop {
            block = block.checked_add_signed(step)?;
            if block >= self.blocks.len() {
                return None;
            }
            if let Some(row) = self.rows.row(block, 0).filter(|_| is_wanted(self, block)) {
                return Some(row);
            }
        }
    }

    /// True for the block of an entry.
    pub fn is_entry(&self, block: usize) -> bool {
        matches!(self.blocks[block].first, Row::Entry(..))
    }

    /// True for the block of a title.
    pub fn is_title(&self, block: usize) -> bool {
        matches!(self.blocks[block].first, Row::Title(_))
    }

    /// True if a block has changes that are not reviewed.
    pub fn is_left(&self, block: usize) -> bool {
        let block = &self.blocks[block];
        block.n_reviewed < block.n_to_review
    }

    /// True if all changes of a block are reviewed.
    pub fn is_reviewed(&self, block: usize) -> bool {
        self.blocks[block].n_to_review > 0 && !self.is_left(block)
    }

    /// Adds `step` to the number of reviewed changes wherever this one is mentioned.
    pub fn count_reviewed(&mut self, change: ChangeId, step: isize) {
        let is_alike = change
            .resource()
            .is_some_and(|id| self.alike.contains_key(&id));
        for (at, _) in self.places.get(&change).into_iter().flatten() {
            let block = &mut self.blocks[*at];
            block.n_reviewed = block.n_reviewed.saturating_add_signed(step);
            if is_alike {
                block.n_alike = block.n_alike.saturating_add_signed(-step);
            }
        }
        if is_alike {
            self.n_left_alike = self.n_left_alike.saturating_add_signed(-step);
        }
    }

    /// Takes the changes that are like a reviewed one of the record.
    pub fn take_alike(&mut self, alike: &Arc<Alike>, reviewed: &BTreeSet<ChangeId>) {
        self.alike = Arc::clone(alike);
        for block in &mut self.blocks {
            block.n_alike = 0;
        }
        let left = alike.keys().copied().map(ChangeId::Resource);
        let left = left.filter(|change| !reviewed.contains(change));
        self.n_left_alike = left.clone().count();
        for change in left {
            for (block, _) in self.places.get(&change).into_iter().flatten() {
                self.blocks[*block].n_alike += 1;
            }
        }
    }

    /// The reviewed change that members of a group, or its only one, are like: `like reviewed aws_x.y`, `3 like reviewed aws_x.y`.
    fn like_reviewed(&self, row: usize) -> Option<String> {
        let n_alike = self.blocks[self.block_of(row)].n_alike;
        let ids = self.row(row).map_or(&[][..], |row| self.ids(row));
        let name = ids.iter().find_map(|id| self.alike.get(id));
        let name = shown(name.filter(|_| n_alike > 0)?);
        Some(match (n_alike, ids.len()) {
            (n, all) if n == all => format!("like reviewed {name}"),
            (n, _) => format!("{} like reviewed {name}", count(n as u64)),
        })
    }

    /// True if the section or the group of a row is open; `None` if the row does not fold.
    pub fn is_open(&self, row: usize) -> Option<bool> {
        let has_fold = match self.row(row)? {
            Row::Title(_) => true,
            Row::Entry(part, entry) => self.entry(part, entry)?.ids.len() > 1,
            _ => false,
        };
        has_fold.then(|| self.rows.is_open(self.block_of(row)))
    }

    /// The section whose title a block is.
    fn section_of(&self, block: usize) -> Option<&Part> {
        let part = self.blocks[block].first.part();
        self.part(part.filter(|_| self.is_title(block))?)
    }

    /// Opens or closes the section or the group of a row.
    pub fn toggle(&mut self, row: usize) {
        self.found_in = FoundIn::default();
        let block = self.block_of(row);
        match self.section_of(block).map(|part| part.title) {
            Some(title) if self.closed.remove(&title) => {}
            Some(title) => _ = self.closed.insert(title),
            None if self.open.remove(&block) => {}
            None => _ = self.open.insert(block),
        }
        self.measure();
    }

    /// Opens the section of a title with all of its groups, or the group of an entry. False if nothing was closed.
    pub fn open_below(&mut self, row: usize) -> bool {
        self.found_in = FoundIn::default();
        let n_rows = self.n_rows();
        if self.is_open(row) == Some(false) {
            self.toggle(row);
        }
        self.open.extend(self.rows.below(self.block_of(row)));
        self.measure();
        self.n_rows() > n_rows
    }

    /// Opens this many levels: the titles, the entries, the resources of groups. False if they are open, and no other ones.
    pub fn open_levels(&mut self, n: usize) -> bool {
        self.found_in = FoundIn::default();
        let sizes = |listed: &Self| -> Vec<usize> {
            let blocks = 0..listed.blocks.len();
            blocks.map(|it| listed.rows.n_shown(it)).collect()
        };
        let before = sizes(self);
        self.closed.clear();
        self.open.clear();
        if n < 2 {
            self.closed = self.page.parts.iter().map(|part| part.title).collect();
        }
        if n > 2 {
            self.open = (0..self.blocks.len()).collect();
        }
        self.measure();
        sizes(self) != before
    }

    /// Takes the folds of the page that this one replaces.
    pub fn keep_folds(&mut self, old: &Self) {
        for title in old.page.parts.iter().map(|part| part.title) {
            if old.closed.contains(&title) {
                self.closed.insert(title);
            } else {
                self.closed.remove(&title);
            }
        }
        let open = old.open.iter().filter_map(|block| old.key_of(*block));
        let open: HashSet<Key> = open.collect();
        let blocks = (0..self.blocks.len()).filter(|_| !open.is_empty());
        let is_open = |block: &usize| self.key_of(*block).is_some_and(|key| open.contains(&key));
        self.open = blocks.filter(is_open).collect();
        self.measure();
    }

    /// The thing that a row speaks of.
    pub fn anchor(&self, row: usize) -> Option<Anchor> {
        let (block, offset) = self.find(row)?;
        self.anchor_of(block, offset)
    }

    fn anchor_of(&self, block: usize, offset: usize) -> Option<Anchor> {
        let row = self.row_of_block(block, offset)?;
        let is_member = matches!(row, Row::Member(..));
        let member = self.ids(row).first().copied().filter(|_| is_member);
        Some(Anchor {
            key: self.key_of(block)?,
            offset,
            member,
            is_of_all: self.ids(row).len() == self.blocks[block].told.len(),
        })
    }

    /// The row that speaks of the same thing; of an entry that has fewer rows here, the last one.
    pub fn row_at(&self, anchor: &Anchor) -> Option<usize> {
        let block = self.block_with(anchor)?;
        let n_rows = self.n_rows_of(block, self.rows.is_open(block));
        let offset = self.offset_in(block, n_rows, anchor)?;
        self.row_at_offset(block, offset)
    }

    fn block_with(&self, anchor: &Anchor) -> Option<usize> {
        let is_it = |block: &usize| self.key_of(*block).as_ref() == Some(&anchor.key);
        (0..self.blocks.len()).find(is_it)
    }

    /// The row of the anchor among the first `size` rows of its block.
    fn offset_in(&self, block: usize, size: usize, anchor: &Anchor) -> Option<usize> {
        let is_member = |offset: &usize| {
            let row = self.row_of_block(block, *offset);
            let row = row.filter(|row| matches!(row, Row::Member(..)));
            row.is_some_and(|row| self.ids(row).first() == anchor.member.as_ref())
        };
        let member = anchor.member.and_then(|_| (0..size).find(is_member));
        Some(member.unwrap_or(anchor.offset.min(size.checked_sub(1)?)))
    }

    fn key_of(&self, block: usize) -> Option<Key> {
        Some(match self.blocks.get(block)?.first {
            Row::Head => Key::Head,
            Row::Remarks => Key::Remarks,
            Row::Title(part) => Key::Title(self.part(part)?.title),
            Row::Rest(part) => Key::Rest(self.part(part)?.title),
            Row::Detail(..) | Row::More(..) | Row::Along(..) | Row::Member(..) => return None,
            Row::Entry(part, entry) => {
                let (title, entry) = (self.part(part)?.title, self.entry(part, entry)?);
                match entry.ids.first() {
                    Some(id) => Key::Entry(title, *id),
                    None => Key::Named(title, entry.names.clone()),
                }
            }
        })
    }

    fn measure(&mut self) {
        let n_below = |part: &Part| part.entries.len() + usize::from(part.n_without_entry() > 0);
        let extents = (0..self.blocks.len()).map(|at| {
            let n_own = self.n_rows_of(at, false);
            let title = self.section_of(at);
            let left_out = match (self.form, self.blocks[at].first) {
                (Form::Wide, _) => 0,
                (Form::Narrow, Row::Head) => usize::from(self.page.common.is_empty()),
                (Form::Narrow, Row::Remarks) => 1,
                (Form::Narrow, _) => self.n_details(at) - self.blocks[at].outputs.len(),
            };
            Extent {
                n_own: n_own - left_out,
                n_inside: self.n_rows_of(at, true) - n_own,
                n_below: title.map_or(0, n_below),
                is_open: match title {
                    Some(part) => !self.closed.contains(&part.title),
                    None => self.open.contains(&at),
                },
            }
        });
        self.rows = Groups::new(extents.collect());
    }

    /// Number of rows of a block that a search finds.
    fn n_searched(&self, block: usize) -> usize {
        self.n_rows_of(block, self.searches_groups)
    }

    /// Number of rows of a block in an open section, with or without the members of a group.
    fn n_rows_of(&self, block: usize, has_members: bool) -> usize {
        let Row::Entry(part, entry) = self.blocks[block].first else {
            return 1;
        };
        let Some(entry) = self.entry(part, entry) else {
            return 0;
        };
        let n_members = if has_members { n_members(entry) } else { 0 };
        1 + self.n_details(block) + entry.along.len() + n_members
    }
}

/// The changes that are reviewed with an entry: those of its resources and of the outputs that it tells.
fn changes_of(entry: &Entry) -> impl Iterator<Item = ChangeId> {
    let resources = entry.all_ids().map(ChangeId::Resource);
    resources.chain(entry.outputs.iter().copied().map(ChangeId::Output))
}

/// Number of rows below an entry that tell its properties.
fn n_details(entry: &Entry) -> usize {
    entry.below().len() + usize::from(entry.n_more > 0)
}

/// The changes that an entry mentions, each with the number of rows before its own: of what comes along, or of the member of a
/// group.
fn offsets(entry: &Entry) -> impl Iterator<Item = (ChangeId, usize)> {
    let along = 1 + n_details(entry);
    let members = along + entry.along.len();
    let is_group = entry.ids.len() > 1;
    let own = entry.ids.iter().zip(members..);
    let own = own.map(move |(id, at)| (*id, if is_group { at } else { 0 }));
    let others = entry.along.iter().zip(along..);
    let others = others.flat_map(|(other, at)| other.ids.iter().map(move |id| (*id, at)));
    let about = entry.about.iter().map(|id| (*id, 0));
    let resources = own.chain(others).chain(about);
    let outputs = entry.outputs.iter().map(|number| {
        let output = ChangeId::Output(*number);
        let mut below = entry.below().iter();
        let at = below.position(|detail| detail.id == Some(output));
        (output, at.map_or(0, |at| at + 1))
    });
    let resources = resources.map(|(id, at)| (ChangeId::Resource(id), at));
    resources.chain(outputs)
}

/// The rows below an entry about resources that tell an output.
fn rows_of_outputs(entry: &Entry) -> Box<[usize]> {
    let details = entry.below().iter().zip(1..);
    let of_outputs = details.filter(|(detail, _)| {
        !entry.ids.is_empty() && matches!(detail.id, Some(ChangeId::Output(_)))
    });
    of_outputs.map(|(_, at)| at).collect()
}

/// Number of resources that a group lists when it is open.
fn n_members(entry: &Entry) -> usize {
    match entry.ids.len() {
        1 => 0,
        n => n,
    }
}
