//! Many stacks: listing them, reading each, searching all, and opening some.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::pace::Pace;
use super::search::values;
use super::{Cancel, Counts, Job, Topic};
use crate::load::fleet::edges::{Sketch, Sketches, Ties};
use crate::load::fleet::{
    self, Asked, Copies, Ended, Fleet, Member, Opened, Place, StackSummary, now,
};
use crate::load::{Document, Input, LoadError};
use crate::search::{self, Facts, Goal, Index, Prefilter, Query, Reading, Request, Target};
use crate::stack::Stack;
use crate::tui::hit_lines;
use crate::tui::stacks::{Aim, Arranged, Contents, FleetEdges, StackHit, StackHits, StackRow};

/// Minimum time between two partial answers, in milliseconds.
const PATIENCE: u64 = 60;

/// Number of older copies up to which they are read as well.
const MAX_COPIES: usize = 100;

/// Number of stacks after which the first edges are sent.
const FIRST_TIED: usize = 64;

/// Maximum number of listed hits in one stack. The rest are counted.
const MAX_HITS: usize = 60;

/// Number of hits in one stack up to which each is looked at: a pattern such as `**.password` may hit every resource by the index alone.
const MAX_SETTLED: usize = 100_000;

/// A request to list many stacks, and to read each.
pub struct ListStacks(pub Fleet);

/// A part of the list.
pub enum Listing {
    /// Members, first without their contents and then with them, and the time of the list in seconds since 1970.
    Found(Vec<StackRow>, u64),
    /// All members are read.
    Ended(Ended),
}

impl Job for ListStacks {
    type Answer = Listing;

    const TOPIC: Topic = Topic::named("listing");

    /// All names come first, then the contents of each member.
    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(mut fleet) = self;
        let flag = cancel.flag();
        let now = now();
        let mut pace = Pace::new(PATIENCE);
        let (mut found, mut n_copies) = (Vec::new(), 0);
        fleet.list(flag, &mut |member| {
            n_copies += usize::from(member.role.is_older_copy());
            found.push(row(member, Contents::Unread));
            pace.answer(|| {
                let found = std::mem::take(&mut found);
                say(Listing::Found(found, now));
            });
        });
        say(Listing::Found(found, now));
        fleet.copies = if n_copies <= MAX_COPIES {
            Copies::Ask
        } else {
            Copies::Leave
        };
        let mut read = Vec::new();
        let work = |opened: &Opened<'_>| opened.ask(|it| Box::new(StackSummary::of(it)));
        let ended = fleet.ask(flag, &work, &mut |member, answer| {
            let contents = match answer {
                fleet::Answer::Done(summary) => Contents::Read(summary),
                fleet::Answer::Failed(LoadError::Locked { .. }) => Contents::Locked,
                fleet::Answer::Failed(error) => Contents::Failed(error.to_string()),
                fleet::Answer::Left => Contents::Left,
            };
            read.push(row(member, contents));
            pace.answer(|| say(Listing::Found(std::mem::take(&mut read), now)));
            ControlFlow::Continue(())
        });
        if !ended.is_cancelled {
            say(Listing::Found(read, now));
            say(Listing::Ended(ended));
        }
    }
}

fn row(member: Member, contents: Contents) -> StackRow {
    StackRow {
        family: member.family(),
        is_in_use: member.is_in_use(),
        member,
        contents,
    }
}

/// A search through many stacks.
pub struct SearchStacks {
    /// The places.
    pub fleet: Fleet,
    /// The query.
    pub query: Query,
}

/// The stacks in which something was found since the last answer.
#[derive(Default)]
pub struct FoundStacks {
    /// The hits of each stack.
    pub hits: Vec<(Place, Arc<StackHits>)>,
    /// Number of files that were searched since then.
    pub n_searched: usize,
    /// True if all were searched.
    pub is_done: bool,
}

impl Job for SearchStacks {
    type Answer = FoundStacks;

    const TOPIC: Topic = Topic::named("searching the stacks");

    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let query = &self.query;
        let filter = Prefilter::of(query);
        let mut pace = Pace::new(PATIENCE);
        let mut found = FoundStacks::default();
        let work = |opened: &Opened<'_>| {
            if filter.as_ref().is_some_and(|it| !opened.may_hit(it)) {
                return Ok(Asked::uncounted(None));
            }
            let document = opened.load()?;
            let hits = hits(&document, query, cancel).map(Arc::new);
            Ok(Asked {
                fingerprint: hits.as_ref().and_then(|_| opened.fingerprint(&document)),
                result: hits,
            })
        };
        let ended = self.fleet.ask(cancel.flag(), &work, &mut |member, answer| {
            found.n_searched += 1;
            match answer {
                fleet::Answer::Done(hits) if member.twin.is_none() => {
                    let hits = hits.map(|hits| (member.place, hits));
                    found.hits.extend(hits);
                }
                fleet::Answer::Done(_) | fleet::Answer::Failed(_) | fleet::Answer::Left => {}
            }
            pace.answer(|| say(std::mem::take(&mut found)));
            ControlFlow::Continue(())
        });
        if !ended.is_cancelled {
            found.is_done = true;
            say(found);
        }
    }
}

/// The hits of a query in one stack; `None` if there are none.
fn hits(document: &Document, query: &Query, cancel: &Cancel) -> Option<StackHits> {
    let index = Index::new(&document.stack);
    let request = Request {
        index: &index,
        query,
        goal: Goal::Filter,
        among: None,
        narrowed: None,
        beyond: false,
        facts: &Facts::default(),
        supply: document,
        limit: MAX_SETTLED,
    };
    let mut found = search::find(&request, &mut |_, _| !cancel.is_cancelled())?;
    // In many stacks scattered letters are found everywhere.
    if found.reading == Reading::Scattered || found.total == 0 {
        return None;
    }
    found.hits.truncate(MAX_HITS);
    let stack = &document.stack;
    let outputs = found.outputs.iter().take(MAX_HITS).map(|hit| StackHit {
        line: hit_lines::output_line(stack, hit),
        aim: aim(stack, Target::of_output(hit)),
    });
    let values = values(document, &found.hits);
    let of_resources = found.hits.iter().zip(values).map(|(hit, value)| StackHit {
        line: hit_lines::line(stack, &index, hit, value.as_ref()),
        aim: aim(stack, Target::of_hit(hit)),
    });
    let mut hits: Vec<_> = outputs.chain(of_resources).collect();
    hits.sort_by(|one, other| one.aim.target.cmp(&other.aim.target));
    Some(StackHits {
        hits,
        total: found.total,
    })
}

fn aim(stack: &Stack, target: Target) -> Aim {
    let identity = match &target {
        Target::Resource(id, _) => stack.identity(*id),
        Target::Output(_) => String::new(),
    };
    Aim { identity, target }
}

/// A request to find the edges between many stacks.
pub struct TieStacks(pub Fleet);

/// The edges between many stacks as far as they are known.
pub struct Tied {
    /// Number of members that were read.
    pub n_read: usize,
    /// The edges, if there are more than in the last answer.
    pub edges: Option<Arc<FleetEdges>>,
}

impl Job for TieStacks {
    type Answer = Tied;

    const TOPIC: Topic = Topic::named("finding edges between stacks");

    /// Says the number of stacks that were read, and the edges each time that twice as many were: first those that files record, then
    /// with those by equal ids.
    fn run(self, cancel: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        let Self(fleet) = self;
        let cancel = cancel.flag();
        let mut pace = Pace::new(PATIENCE);
        let (mut sketches, mut n_read, mut n_next) = (Sketches::default(), 0, FIRST_TIED);
        let work = |opened: &Opened<'_>| opened.ask(|document| Sketch::of(opened, document));
        fleet.ask(cancel, &work, &mut |member, answer| {
            n_read += 1;
            match answer {
                fleet::Answer::Done(sketch) if member.twin.is_none() => {
                    sketches.push(member, sketch);
                }
                fleet::Answer::Done(_) | fleet::Answer::Failed(_) | fleet::Answer::Left => {}
            }
            if sketches.members().len() == n_next {
                n_next *= 2;
                say(Tied::new(sketches.members(), n_read, cancel));
            } else {
                pace.answer(|| {
                    say(Tied {
                        n_read,
                        edges: None,
                    });
                });
            }
            ControlFlow::Continue(())
        });
        let mut n_next = FIRST_TIED;
        let members = sketches.complete(&fleet, cancel, &mut |members, n_again| {
            if n_again == n_next {
                n_next *= 2;
                say(Tied::new(members, n_read, cancel));
            }
        });
        let mut edges = FleetEdges::new(&members, cancel);
        edges.is_whole = true;
        let edges = Some(Arc::new(edges));
        say(Tied { n_read, edges });
    }
}

impl Tied {
    /// The edges between these members.
    fn new(members: &[(Member, Ties)], n_read: usize, cancel: &AtomicBool) -> Self {
        let edges = Some(Arc::new(FleetEdges::new(members, cancel)));
        Self { n_read, edges }
    }
}

/// A request to arrange the list of many stacks.
pub struct ArrangeStacks(pub crate::tui::stacks::Request);

impl Job for ArrangeStacks {
    type Answer = Arranged;

    const TOPIC: Topic = Topic::named("arranging the stacks");

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        say(Arranged::new(&self.0));
    }
}

/// A request to open one stack, or to compare two.
#[derive(Debug)]
pub struct OpenStacks {
    /// The files, the older one first.
    pub places: Vec<Place>,
    /// An input with the options of the files.
    pub like: Input,
}

impl Job for OpenStacks {
    /// The input that opens them. Entries of archives are unpacked.
    type Answer = Result<Input, LoadError>;

    const TOPIC: Topic = Topic {
        counts: Counts::Last,
        ..Topic::named("opening")
    };

    fn run(self, _: &Cancel, say: &mut dyn FnMut(Self::Answer)) {
        say(self.input());
    }
}

impl OpenStacks {
    fn input(self) -> Result<Input, LoadError> {
        let inputs = self.places.iter().map(|place| place.input(&self.like));
        let mut inputs = inputs.collect::<Result<Vec<_>, _>>()?.into_iter();
        let first = inputs.next().unwrap_or(self.like);
        Ok(match inputs.next() {
            Some(newer) => Input::pair(first, newer),
            None => first,
        })
    }
}
