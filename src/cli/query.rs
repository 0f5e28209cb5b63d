//! Runs queries in the language of the search bar from the command line.

use std::sync::Arc;

use super::{Console, Failure};
use crate::change::rules::Rules;
use crate::load::brief::Brief;
use crate::load::fleet::Opened;
use crate::load::{Document, Input, LoadError, schemas};
use crate::search::{self, Facts, Goal, Index, Query, Reading, Request, SearchResult, Searched};
use crate::terraform::schema::Schemas;

/// Parses `words` as one query.
pub(super) fn parse(words: &[String]) -> Result<Query, Failure> {
    let text = words.join(" ");
    Query::parse(&text).map_err(|error| Failure::usage(format!("query `{text}`: {error}")))
}

/// The facts that `query` needs besides the index. Reads the changes if it asks for sections of the brief.
pub(super) fn facts(input: &Input, document: &Document, query: &Query) -> Result<Facts, Failure> {
    let stack = &document.stack;
    let searched = if stack.header.kind.has_changes() || stack.is_comparison {
        Searched::Changes
    } else {
        Searched::Resources
    };
    if let Some((_, field)) = query.misplaced(searched) {
        return Err(Failure::usage(format!(
            "query `{}`: `{}:` is about changes, and a {} holds none",
            query.text, field.name, stack.header.kind
        )));
    }
    let mut facts = Facts::default();
    if query.reads_changes() || query.reads_sections() {
        let schemas = schemas::of(input)?.map(|found| found.contents);
        facts.schemas = schemas.map(Arc::new);
    }
    if query.reads_sections() {
        let none = Schemas::default();
        let schemas = facts.schemas.as_deref().unwrap_or(&none);
        let brief = Brief::of(document, schemas, Rules::built_in(), &|| false);
        facts.sections = brief.map_or_else(Arc::default, |it| Arc::new(it.sections(stack)));
    }
    Ok(facts)
}

/// Runs `query` on `index`, the index of `document`. Returns at most `limit` hits, best first, and the outputs that are hits. Says
/// on standard error if the words name nothing.
pub(super) fn run(
    document: &Document,
    index: &Index,
    asked: (&Query, &Facts),
    goal: Goal,
    limit: usize,
    console: &mut Console<'_>,
) -> SearchResult {
    let found = search(document, index, asked, goal, limit);
    if let (0, Some(unknown)) = (found.total, asked.0.unknown_field()) {
        console.remark(&unknown.to_string());
    }
    match found.reading {
        Reading::Written => {}
        Reading::Action | Reading::NameAndAction => {
            console
                .remark("a word is the name of an action: resources with the action are found too");
        }
        Reading::NameOnly => {
            console.remark("a word is the name of an action that nothing has: found by name");
        }
        Reading::Value => console.remark("found by value: no name matches"),
        Reading::Scattered => {
            console.remark("nothing contains the words as written: their letters are scattered");
        }
    }
    found
}

/// The hits in one of many stacks. Scattered letters are none: some stack always has them.
pub(super) fn of_many(
    opened: &Opened<'_>,
    document: &Document,
    index: &Index,
    query: &Query,
    limit: usize,
) -> Result<Option<SearchResult>, LoadError> {
    let facts = match facts(&opened.input(), document, query) {
        Ok(facts) => facts,
        Err(Failure::Load(error)) => return Err(error),
        // A query about changes finds nothing in a state.
        Err(_) => return Ok(None),
    };
    let found = search(document, index, (query, &facts), Goal::Filter, limit);
    Ok((found.reading != Reading::Scattered).then_some(found))
}

fn search(
    document: &Document,
    index: &Index,
    (query, facts): (&Query, &Facts),
    goal: Goal,
    limit: usize,
) -> SearchResult {
    let request = Request {
        index,
        query,
        goal,
        among: None,
        narrowed: None,
        beyond: false,
        facts,
        supply: document,
        limit,
    };
    search::find(&request, &mut |_, _| true).unwrap_or_default()
}
