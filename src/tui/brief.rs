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
use crate::tui::row_key::{RowKey, RowTexts};
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
    /// Its place on the page.
    place: Place,
    /// The thing that it speaks of.
    key: Key,
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
    fn new(place: Place, key: Key) -> Self {
        Self {
            place,
            key,
            outputs: Box::default(),
            n_to_review: 0,
            n_reviewed: 0,
            n_alike: 0,
        }
    }
}

/// The place of a block on the page: sections and entries by their indices.
#[derive(Clone, Copy, Debug)]
enum Place {
    Head,
    Title(usize),
    Entry(usize, usize),
    Rest(usize),
    Remarks,
}

/// A row of the page.
#[derive(Clone, Copy, Debug)]
pub enum Row<'a> {
    /// The counts and the progress of the review.
    Head,
    /// The title of a section.
    Title(&'a Part),
    /// The first line of an entry. The only change of an entry belongs to it.
    Entry(&'a Entry),
    /// A change of an entry.
    Detail(&'a Entry, usize),
    /// The number of changes of an entry that are left out.
    More(&'a Entry),
    /// Resources that come along with an entry.
    Along(&'a Entry),
    /// A resource of an open group.
    Member(&'a Entry, usize),
    /// The number of resources of a section that have no entry.
    Rest(&'a Part),
    /// The things that were looked for, and those that could not be judged.
    Remarks,
}

impl<'a> Row<'a> {
    /// The entry whose words, changes or number of changes the row shows.
    pub fn entry(self) -> Option<&'a Entry> {
        match self {
            Self::Entry(entry) | Self::Detail(entry, _) | Self::More(entry) => Some(entry),
            Self::Head
            | Self::Title(_)
            | Self::Along(_)
            | Self::Member(..)
            | Self::Rest(_)
            | Self::Remarks => None,
        }
    }

    /// The output or the resource that a line below an entry tells.
    fn told(self) -> Option<&'a ChangeId> {
        match self {
            Self::Detail(entry, at) => entry.below().get(at)?.id.as_ref(),
            _ => None,
        }
    }

    /// The output that a line below an entry tells.
    pub fn output(self) -> Option<usize> {
        match self.told()? {
            ChangeId::Output(number) => Some(*number),
            ChangeId::Resource(_) | ChangeId::Invocation(_) => None,
        }
    }

    /// The resources that the row is about, without those that come along.
    pub fn ids(self) -> &'a [ResourceId] {
        match (self, self.told()) {
            (_, Some(ChangeId::Resource(id))) => std::slice::from_ref(id),
            (Self::Entry(entry) | Self::Detail(entry, _) | Self::More(entry), None) => {
                if entry.ids.is_empty() {
                    &entry.about
                } else {
                    &entry.ids
                }
            }
            (Self::Along(along), None) => &along.ids,
            (Self::Member(entry, at), None) => entry.ids.get(at..=at).unwrap_or_default(),
            (_, Some(ChangeId::Output(_) | ChangeId::Invocation(_)))
            | (Self::Head | Self::Title(_) | Self::Rest(_) | Self::Remarks, None) => &[],
        }
    }

    /// True if the row speaks of all resources of its entry.
    fn is_of_all(self) -> bool {
        self.entry().is_some() && self.told().is_none()
    }

    /// The changes that are reviewed with the row: those of its resources, of what comes along with all of them, and of the outputs
    /// that it tells.
    pub fn changes(self) -> impl Iterator<Item = ChangeId> + use<'a> {
        let entry = self.entry().filter(|_| self.is_of_all());
        let along = entry.into_iter().flat_map(|entry| &entry.along);
        let resources = self.ids().iter().chain(along.flat_map(|it| &it.ids));
        let all = entry.filter(|_| !matches!(self, Self::Detail(..)));
        let outputs = all.into_iter().flat_map(|entry| &entry.outputs);
        let outputs = outputs.copied().chain(self.output());
        let resources = resources.copied().map(ChangeId::Resource);
        resources.chain(outputs.map(ChangeId::Output))
    }

    /// The query that lists what the row speaks of, where no resource does.
    pub fn query(self) -> Option<&'a str> {
        let Self::Entry(entry) = self else {
            return None;
        };
        (entry.ids.is_empty() && !entry.query.is_empty()).then_some(&*entry.query)
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

impl Key {
    fn of(title: Title, entry: &Entry) -> Self {
        match entry.ids.first() {
            Some(id) => Self::Entry(title, *id),
            None => Self::Named(title, entry.names.clone()),
        }
    }
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
    /// The closed sections and the open groups.
    folded: HashSet<Key>,
    /// The blocks that the search opened. They close again as it goes on.
    found: Vec<usize>,
    /// True if a search finds the resources of groups.
    searches_groups: bool,
    /// The rows that a search finds.
    texts: RowTexts,
}

impl Listed {
    /// The rows of a page.
    pub fn new(page: Page, stack: &Stack) -> Self {
        let mut listed = Self {
            findings: Arc::new(Findings::of(&page)),
            form: Form::default(),
            widths: [0, 0],
            blocks: vec![Block::new(Place::Head, Key::Head)],
            rows: Groups::default(),
            places: HashMap::new(),
            alike: Arc::default(),
            n_left_alike: 0,
            folded: HashSet::new(),
            found: Vec::new(),
            searches_groups: false,
            texts: RowTexts::default(),
            page: Page::default(),
        };
        let entries = page.parts.iter().flat_map(|part| &part.entries);
        listed.searches_groups = entries.map(n_members).sum::<usize>() <= MAX_SEARCHED;
        for (at, part) in page.parts.iter().enumerate() {
            let (title, blocks) = (part.title, &mut listed.blocks);
            blocks.push(Block::new(Place::Title(at), Key::Title(title)));
            for (index, entry) in part.entries.iter().enumerate() {
                for (change, offset) in offsets(entry) {
                    let places = listed.places.entry(change).or_default();
                    places.push((blocks.len(), offset));
                }
                blocks.push(block_of(Place::Entry(at, index), title, entry, stack));
                let [names, ty] = widths(entry);
                listed.widths = [listed.widths[0].max(names), listed.widths[1].max(ty)];
            }
            if part.n_without_entry() > 0 {
                blocks.push(Block::new(Place::Rest(at), Key::Rest(title)));
            }
        }
        if !page.remarks.is_empty() {
            let remarks = Block::new(Place::Remarks, Key::Remarks);
            listed.blocks.push(remarks);
        }
        listed.page = page;
        listed.measure();
        let anchors = listed.searched();
        let anchors = anchors.map(|(block, offset)| listed.anchor_of(block, offset));
        listed.texts = RowTexts {
            keys: Arc::new(anchors.map(RowKey::Brief).collect()),
            texts: Arc::new(lines::texts(&listed, stack)),
            without: if listed.searches_groups {
                ""
            } else {
                "the resources of groups were"
            },
            ..RowTexts::default()
        };
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
    pub fn row(&self, row: usize) -> Option<Row<'_>> {
        let (block, offset) = self.find(row)?;
        Some(self.row_of_block(block, offset))
    }

    /// The section of a row.
    pub fn part_of(&self, row: usize) -> Option<&Part> {
        let (block, _) = self.rows.find(row)?;
        match self.blocks[block].place {
            Place::Title(part) | Place::Entry(part, _) | Place::Rest(part) => {
                self.page.parts.get(part)
            }
            Place::Head | Place::Remarks => None,
        }
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

    /// The entry that a block is.
    fn entry(&self, block: usize) -> Option<&Entry> {
        self.row_of_block(block, 0).entry()
    }

    /// Number of rows of a block that tell its properties.
    fn n_details(&self, block: usize) -> usize {
        self.entry(block).map_or(0, n_details)
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
    fn row_of_block(&self, block: usize, offset: usize) -> Row<'_> {
        let parts = &self.page.parts;
        let entry = match self.blocks[block].place {
            Place::Head => return Row::Head,
            Place::Title(part) => return Row::Title(&parts[part]),
            Place::Rest(part) => return Row::Rest(&parts[part]),
            Place::Remarks => return Row::Remarks,
            Place::Entry(part, entry) => &parts[part].entries[entry],
        };
        let along = 1 + n_details(entry);
        match offset {
            0 => Row::Entry(entry),
            _ if offset <= entry.below().len() => Row::Detail(entry, offset - 1),
            _ if offset < along => Row::More(entry),
            _ => match entry.along.get(offset - along) {
                Some(along) => Row::Along(along),
                None => Row::Member(entry, offset - along - entry.along.len()),
            },
        }
    }

    /// The blocks of the rows that a search finds, each with the number of rows before: all of them, with those in closed sections and
    /// groups. It does not find the resources of very large groups.
    fn searched(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = |block| (0..self.n_searched(block)).map(move |offset| (block, offset));
        (0..self.blocks.len()).flat_map(rows)
    }

    /// The rows that a search finds. The selected one is a row, or the one above it that is among them.
    pub fn texts(&self, row: usize) -> RowTexts {
        let (block, offset) = self.find(row).unwrap_or_default();
        let last = self.n_searched(block).saturating_sub(1);
        let before = (0..block).map(|it| self.n_searched(it));
        RowTexts {
            at: before.sum::<usize>() + offset.min(last),
            ..self.texts.clone()
        }
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
        let (block, offset) = self.places_of(change).next()?;
        self.open_to(block, offset)
    }

    /// Leaves open what a search opened.
    pub fn keep_found(&mut self) {
        self.found.clear();
    }

    /// Closes the folds that a search opened.
    pub fn close_found(&mut self) {
        let found = std::mem::take(&mut self.found);
        self.flip(&found);
    }

    fn open_to(&mut self, block: usize, offset: usize) -> Option<usize> {
        self.close_found();
        let is_member = matches!(self.row_of_block(block, offset), Row::Member(..));
        let around = self.rows.around(block).chain(is_member.then_some(block));
        let closed: Vec<usize> = around.filter(|it| !self.rows.is_open(*it)).collect();
        self.flip(&closed);
        self.found = closed;
        self.row_at_offset(block, offset)
    }

    /// The block that contains a row.
    pub fn block_of(&self, row: usize) -> usize {
        self.rows.find(row).map_or(0, |(block, _)| block)
    }

    /// The groups of the listed rows.
    pub fn groups(&self) -> &Groups {
        &self.rows
    }

    /// The places of the rows of a change: their blocks, each with the number of rows before.
    fn places_of(&self, change: impl Into<ChangeId>) -> impl Iterator<Item = (usize, usize)> {
        let places = self.places.get(&change.into());
        places.into_iter().flatten().copied()
    }

    /// True if a row speaks of a resource. Where each row leads to a difference, it is one of the row itself.
    pub fn is_about(&self, row: usize, id: ResourceId) -> bool {
        let is_own = self.form == Form::Narrow || matches!(self.row(row), Some(Row::Member(..)));
        if is_own {
            return self.leads_to(row, id);
        }
        let block = self.block_of(row);
        self.places_of(id).any(|(it, _)| it == block)
    }

    /// True if a resource is one of those of a row, without those that come along.
    pub fn leads_to(&self, row: usize, id: ResourceId) -> bool {
        let Some((block, offset)) = self.find(row) else {
            return false;
        };
        let entry = self.row_of_block(block, offset).entry();
        let along = entry.map(|it| 1 + n_details(it)..1 + n_details(it) + it.along.len());
        let is_its = |place| match &along {
            Some(along) => !along.contains(&place),
            None => place == offset,
        };
        self.places_of(id)
            .any(|(at, place)| at == block && is_its(place))
    }

    /// The row of the first visible entry that mentions a change: the row of the change itself, if its group is open.
    pub fn row_of(&self, change: ChangeId) -> Option<usize> {
        self.places_of(change).find_map(|(block, offset)| {
            let own = self.row_at_offset(block, offset);
            own.or_else(|| self.rows.row(block, 0))
        })
    }

    /// The rows of the visible entries that mention any of these resources.
    pub fn rows_of(&self, ids: &[ResourceId]) -> Vec<usize> {
        let places = ids.iter().flat_map(|id| self.places_of(*id));
        let blocks: BTreeSet<usize> = places.map(|(block, _)| block).collect();
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
        self.entry(block).is_some()
    }

    /// True for the block of a title.
    pub fn is_title(&self, block: usize) -> bool {
        matches!(self.blocks[block].place, Place::Title(_))
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
    fn like_reviewed(&self, block: usize, entry: &Entry) -> Option<String> {
        let n_alike = self.blocks[block].n_alike;
        let mut ids = entry.all_ids().filter(|_| n_alike > 0);
        let name = shown(ids.find_map(|id| self.alike.get(&id))?);
        Some(match (n_alike, entry.all_ids().count()) {
            (n, all) if n == all => format!("like reviewed {name}"),
            (n, _) => format!("{} like reviewed {name}", count(n as u64)),
        })
    }

    /// The level of a block that folds: a section, or an entry that is a group. The entries of open sections are a level too.
    pub fn level(&self, block: usize) -> Option<u16> {
        match self.entry(block) {
            Some(entry) => (n_members(entry) > 0).then_some(3),
            None => self.is_title(block).then_some(2),
        }
    }

    /// True if the section or the group of a row is open; `None` if the row does not fold.
    pub fn is_open(&self, row: usize) -> Option<bool> {
        let block = self.rows.fold_of(row, |it| self.level(it))?;
        Some(self.rows.is_open(block))
    }

    /// Opens or closes sections and groups.
    pub fn flip(&mut self, blocks: &[usize]) {
        if blocks.is_empty() {
            return;
        }
        self.found.clear();
        for block in blocks {
            let key = &self.blocks[*block].key;
            if !self.folded.remove(key) {
                self.folded.insert(key.clone());
            }
        }
        self.measure();
    }

    /// Takes the folds of the page that this one replaces.
    pub fn keep_folds(&mut self, old: &Self) {
        self.folded.clone_from(&old.folded);
        self.measure();
    }

    /// The thing that a row speaks of.
    pub fn anchor(&self, row: usize) -> Option<Anchor> {
        let (block, offset) = self.find(row)?;
        Some(self.anchor_of(block, offset))
    }

    fn anchor_of(&self, block: usize, offset: usize) -> Anchor {
        let row = self.row_of_block(block, offset);
        let is_member = matches!(row, Row::Member(..));
        Anchor {
            key: self.blocks[block].key.clone(),
            offset,
            member: row.ids().first().copied().filter(|_| is_member),
            is_of_all: row.is_of_all(),
        }
    }

    /// The row that speaks of the same thing; of an entry that has fewer rows here, the last one.
    pub fn row_at(&self, anchor: &Anchor) -> Option<usize> {
        let block = self.block_with(anchor)?;
        let n_rows = self.n_rows_of(block, self.rows.is_open(block));
        let offset = self.offset_in(block, n_rows, anchor)?;
        self.row_at_offset(block, offset)
    }

    fn block_with(&self, anchor: &Anchor) -> Option<usize> {
        self.blocks.iter().position(|it| it.key == anchor.key)
    }

    /// The row of the anchor among the first `size` rows of its block.
    fn offset_in(&self, block: usize, size: usize, anchor: &Anchor) -> Option<usize> {
        let is_member = |offset: &usize| match self.row_of_block(block, *offset) {
            Row::Member(entry, at) => entry.ids.get(at) == anchor.member.as_ref(),
            _ => false,
        };
        let member = anchor.member.and_then(|_| (0..size).find(is_member));
        Some(member.unwrap_or(anchor.offset.min(size.checked_sub(1)?)))
    }

    fn measure(&mut self) {
        let extents = self.blocks.iter().enumerate().map(|(at, block)| {
            let n_own = self.n_rows_of(at, false);
            let left_out = match (self.form, block.place) {
                (Form::Wide, _) => 0,
                (Form::Narrow, Place::Head) => usize::from(self.page.common.is_empty()),
                (Form::Narrow, Place::Remarks) => 1,
                (Form::Narrow, Place::Title(_) | Place::Entry(..) | Place::Rest(_)) => {
                    self.n_details(at) - block.outputs.len()
                }
            };
            let n_below = match self.row_of_block(at, 0) {
                Row::Title(part) => part.entries.len() + usize::from(part.n_without_entry() > 0),
                _ => 0,
            };
            Extent {
                n_own: n_own - left_out,
                n_inside: self.n_rows_of(at, true) - n_own,
                n_below,
                is_open: self.folded.contains(&block.key) != self.is_title(at),
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
        let Some(entry) = self.entry(block) else {
            return 1;
        };
        let n_members = if has_members { n_members(entry) } else { 0 };
        1 + n_details(entry) + entry.along.len() + n_members
    }
}

/// The block of an entry.
fn block_of(place: Place, title: Title, entry: &Entry, stack: &Stack) -> Block {
    let resources = entry.all_ids().map(ChangeId::Resource);
    let changes = resources.chain(entry.outputs.iter().copied().map(ChangeId::Output));
    Block {
        outputs: rows_of_outputs(entry),
        n_to_review: changes.filter(|it| is_reviewed(stack, *it)).count(),
        ..Block::new(place, Key::of(title, entry))
    }
}

/// The widths in cells of the names of an entry and of its type.
fn widths(entry: &Entry) -> [usize; 2] {
    let names: usize = entry.names.iter().map(|name| width(&name.text) + 2).sum();
    let names = match (&entry.names[..], entry.share()) {
        (_, Some(share)) => width(&share),
        ([_] | [], _) => names.saturating_sub(2),
        ([_, _, ..], _) => names.min(MAX_GROUP),
    };
    let ty = entry.shows_type().then(|| display_type(&entry.ty));
    [names, ty.map_or(0, |ty| width(&ty))]
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
