//! Indexes a plan's changes, and the resources that `show -json` lists, from their tokens.

use crate::format::draft::span_of;
use crate::format::terraform::identity::Identity;
use crate::format::{Site, hide};
use crate::index::indexer::{Counted, Draft, Indexer};
use crate::index::walk::{self, Dialect, Hidden, Odd, Seen, Text, Unknown, flag, text, texts};
use crate::json::tape::Cursor;
use crate::stack::{Action, EdgeKind, Flags, NO_CHANGE, ReplaceOrder, Section};
use crate::terraform::address;

/// The fields of an element that the index reads.
#[derive(Default)]
struct ElementFields<'a> {
    address: Text<'a>,
    previous: Text<'a>,
    mode: Text<'a>,
    ty: Text<'a>,
    provider: Text<'a>,
    deposed: Text<'a>,
    reason: Text<'a>,
    /// `None` if there is no change.
    actions: Option<Vec<String>>,
    importing: bool,
    tainted: bool,
    before: Seen<'a>,
    after: Seen<'a>,
    hidden_before: Hidden,
    hidden_after: Hidden,
    /// True if there is a mask of sensitive places: the configuration adds nothing to it.
    has_masks: bool,
    unknown: Unknown,
    needs: Vec<u64>,
}

/// Adds the change at `cursor`. Fails with [`Odd`] if something is unusual.
pub(in crate::modules::format) fn of_change(
    site: Site<'_>,
    cursor: &mut Cursor<'_>,
    flags: Flags,
    indexer: &mut Indexer,
) -> Result<(), Odd> {
    let found = fields(cursor, indexer, &|key, cursor, indexer, found| {
        match key {
            b"deposed" => found.deposed = text(cursor)?,
            b"change" => change(cursor, indexer, found)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let written = found.actions.as_deref();
    let actions: Vec<&str> = written
        .unwrap_or_default()
        .iter()
        .map(String::as_str)
        .collect();
    let moved = !found.previous.is_empty() && *found.previous != *found.address;
    let action = match super::action(&actions) {
        Action::Noop if found.importing => Action::Import,
        Action::Noop if moved => Action::Move,
        action => action,
    };
    let order = super::order(&actions).filter(|_| action == Action::Replace);
    let is_drift = flags.contains(Flags::DRIFT_ENTRY);
    let flags = flags
        .with(Flags::DRIFTED, is_drift && super::has_drifted(Some(action)))
        .with(order.map_or(Flags::NONE, ReplaceOrder::flag), true)
        .with(Flags::MOVED, moved)
        .with(Flags::IMPORTED, found.importing)
        .with(Flags::TAINTED, &*found.reason == "replace_because_tainted");
    let counted = if flags.contains(Flags::DRIFT_ENTRY) {
        Counted::No
    } else {
        Counted::Resource
    };
    let is_unjudged = written.is_none() && !moved;
    if is_unjudged && counted == Counted::Resource {
        indexer.word(NO_CHANGE, 1);
    }
    let words = written.unwrap_or_default().join("+");
    let facts = RowFacts {
        flags,
        counted,
        action: (!is_unjudged).then_some(action),
        words: &words,
    };
    push(site, found, &facts, indexer)
}

/// Adds the resource at `cursor`, an entry of a state in JSON. Fails with [`Odd`] if something is unusual.
pub(in crate::modules::format) fn of_resource(
    site: Site<'_>,
    cursor: &mut Cursor<'_>,
    indexer: &mut Indexer,
) -> Result<(), Odd> {
    let found = fields(cursor, indexer, &|key, cursor, indexer, found| {
        match key {
            b"deposed_key" => found.deposed = text(cursor)?,
            b"values" => properties(cursor, indexer, &mut found.after)?,
            b"sensitive_values" => found.hidden_after.read(cursor, indexer)?,
            b"tainted" => found.tainted = flag(cursor)?,
            b"depends_on" => texts(cursor, |target| {
                let target = address::config_address(target);
                found.needs.push(indexer.hash(&target));
                Ok(())
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let facts = RowFacts {
        flags: Flags::NONE.with(Flags::TAINTED, found.tainted),
        counted: Counted::Resource,
        action: None,
        words: "",
    };
    push(site, found, &facts, indexer)
}

/// Reads the field at a cursor. False if it has another key than those of a kind of element.
type Own<'a> =
    dyn Fn(&[u8], &mut Cursor<'a>, &mut Indexer, &mut ElementFields<'a>) -> Result<bool, Odd>;

fn fields<'a>(
    cursor: &mut Cursor<'a>,
    indexer: &mut Indexer,
    own: &Own<'a>,
) -> Result<ElementFields<'a>, Odd> {
    let mut found = ElementFields::default();
    walk::fields(cursor, |key, cursor| {
        match key {
            b"address" => found.address = text(cursor)?,
            b"previous_address" => found.previous = text(cursor)?,
            b"mode" => found.mode = text(cursor)?,
            b"type" => found.ty = text(cursor)?,
            b"provider_name" => found.provider = text(cursor)?,
            b"action_reason" => found.reason = text(cursor)?,
            key => {
                if !own(key, cursor, indexer, &mut found)? {
                    walk::skip(cursor)?;
                }
            }
        }
        Ok(())
    })?;
    if found.address.is_empty() {
        return Err(Odd);
    }
    Ok(found)
}

fn properties<'a>(
    cursor: &mut Cursor<'a>,
    indexer: &mut Indexer,
    seen: &mut Seen<'a>,
) -> Result<(), Odd> {
    walk::properties(cursor, indexer, Section::Outputs, Dialect::Plain, seen)
}

fn change<'a>(
    cursor: &mut Cursor<'a>,
    indexer: &mut Indexer,
    found: &mut ElementFields<'a>,
) -> Result<(), Odd> {
    let actions = found.actions.insert(Vec::new());
    walk::fields(cursor, |key, cursor| {
        match key {
            b"actions" => texts(cursor, |action| {
                actions.push(action.to_owned());
                Ok(())
            })?,
            b"before" => properties(cursor, indexer, &mut found.before)?,
            b"after" => properties(cursor, indexer, &mut found.after)?,
            b"after_unknown" => found.unknown = Unknown::read(cursor, indexer)?,
            b"before_sensitive" => found.hidden_before.read(cursor, indexer)?,
            b"after_sensitive" => {
                found.has_masks = true;
                found.hidden_after.read(cursor, indexer)?;
            }
            b"importing" => {
                let start = walk::skip(cursor)?;
                found.importing = cursor.text().get(start) == Some(&b'{');
            }
            _ => {
                walk::skip(cursor)?;
            }
        }
        Ok(())
    })
}

/// The flags, count role, action and words of an element's row.
struct RowFacts<'t> {
    flags: Flags,
    counted: Counted,
    action: Option<Action>,
    words: &'t str,
}

fn push(
    site: Site<'_>,
    found: ElementFields<'_>,
    facts: &RowFacts<'_>,
    indexer: &mut Indexer,
) -> Result<(), Odd> {
    let nothing = Unknown::default();
    found.hidden_before.fits(&found.before, &nothing, indexer)?;
    found
        .hidden_after
        .fits(&found.after, &found.unknown, indexer)?;
    // If either side is masked, both are.
    let mut hidden = found.hidden_before;
    hidden.join(found.hidden_after);
    hidden.lies_in_maps([&found.before, &found.after], indexer)?;
    let (has_masks, is_masked) = (found.has_masks, hidden.is_any());
    let secrets = hidden.count(indexer);
    let is_secret = hidden.apply(indexer);
    let id = match found.after.id.or(found.before.id) {
        Some(id) if !is_secret => Text::new(id)?,
        _ => Text::default(),
    };
    let identity: Identity<&str> = Identity {
        address: &found.address,
        mode: &found.mode,
        ty: &found.ty,
        provider: &found.provider,
        deposed: &found.deposed,
    };
    let hidden = hide::of_type(
        &site.context.hidden,
        identity.provider,
        identity.mode(),
        identity.ty,
    );
    if hidden.is_some() {
        return Err(Odd);
    }
    for target in &found.needs {
        indexer.edge_to(*target, EdgeKind::Dependency);
    }
    let group = indexer.last_module.of(identity.address);
    let key = indexer.last_module.config(identity.address);
    indexer.push(&Draft {
        span: span_of(site.element),
        flags: (facts.flags | identity.flags()).with(Flags::UNKNOWN, found.unknown.is_any()),
        action: facts.action,
        prefix: &identity.prefix(site.context),
        name: &identity.name(),
        id: &id,
        group,
        provider: &found.provider,
        parent: "",
        key: &key,
        words: facts.words,
        secrets,
        counted: facts.counted,
        may_hide: !has_masks || is_masked,
    });
    Ok(())
}
