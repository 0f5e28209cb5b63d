//! The rows of resources, from their tapes.

use memchr::memmem;

use crate::format::draft::span_of;
use crate::index::indexer::{Counted, Draft, Indexer};
use crate::index::repeats::Keys;
use crate::index::scan::Element;
use crate::index::trie::Trie;
use crate::index::walk::{self, Dialect, Odd, Seen, Text, fields, flag, text, texts};
use crate::json::Str;
use crate::json::tape::{Cursor, Met, Where};
use crate::pulumi::urn;
use crate::pulumi::urn::ProviderReference;
use crate::pulumi::wire;
use crate::stack::{Action, EdgeKind, Flags, Section};

/// The facts on the tape of a resource.
#[derive(Default)]
pub(in crate::modules::format::pulumi) struct ElementFields<'a> {
    pub(in crate::modules::format::pulumi) urn: Text<'a>,
    pub(in crate::modules::format::pulumi) ty: Text<'a>,
    pub(in crate::modules::format::pulumi) id: Text<'a>,
    pub(in crate::modules::format::pulumi) parent: Text<'a>,
    pub(in crate::modules::format::pulumi) provider: Text<'a>,
    pub(in crate::modules::format::pulumi) custom: bool,
    pub(in crate::modules::format::pulumi) flags: Flags,
    pub(in crate::modules::format::pulumi) seen: Seen<'a>,
    /// The hashes of the URNs that it depends on.
    needs: Vec<u64>,
    /// The dependencies by property, as hashes.
    by_property: Vec<u64>,
    others: Vec<(u64, EdgeKind)>,
    /// Options that lead to no other resource, as written, by their place in [`WRITTEN`].
    options: Vec<(usize, &'a [u8])>,
}

/// The options that are compared as they are written.
const WRITTEN: [&[u8]; 5] = [
    b"ignoreChanges",
    b"deleteBeforeReplace",
    b"replaceOnChanges",
    b"customTimeouts",
    b"hideDiff",
];

impl ElementFields<'_> {
    /// True if the options of a resource are written as those of `other`. Equal ones may be written otherwise.
    pub(in crate::modules::format::pulumi) fn has_options_of(&self, other: &Self) -> bool {
        let guards = |it: &Self| {
            let is_on = |flag| it.flags.contains(flag);
            [Flags::PROTECTED, Flags::RETAIN_ON_DELETE].map(is_on)
        };
        guards(self) == guards(other)
            && self.options == other.options
            && self.others == other.others
            && *self.parent == *other.parent
            && *self.provider == *other.provider
    }
}

/// Reads the resource at `cursor`; gives up if something is odd.
pub(in crate::modules::format::pulumi) fn read<'a>(
    cursor: &mut Cursor<'a>,
    indexer: &mut Indexer,
) -> Result<ElementFields<'a>, Odd> {
    let mut found = ElementFields::default();
    fields(cursor, |key, cursor| {
        field(key, cursor, indexer, &mut found)
    })?;
    if found.urn.is_empty() || repeats_secret(&found) {
        return Err(Odd);
    }
    Ok(found)
}

/// True if the id may be the text of a secret.
fn repeats_secret(found: &ElementFields<'_>) -> bool {
    let id = found.id.as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/".contains(byte);
    // Another text may be written with escapes.
    let may_be_in = |text: &[u8]| !id.iter().all(is_plain) || memmem::find(text, id).is_some();
    !id.is_empty() && found.seen.hidden.iter().any(|text| may_be_in(text))
}

fn field<'a>(
    key: &[u8],
    cursor: &mut Cursor<'a>,
    indexer: &mut Indexer,
    found: &mut ElementFields<'a>,
) -> Result<(), Odd> {
    let mut set = |flags, on| found.flags = found.flags.with(flags, on);
    match key {
        b"urn" => found.urn = text(cursor)?,
        b"type" => found.ty = text(cursor)?,
        b"id" => {
            found.id = text(cursor)?;
            if wire::may_be_signed(found.id.as_bytes()) {
                return Err(Odd);
            }
        }
        b"parent" => found.parent = text(cursor)?,
        b"provider" => found.provider = text(cursor)?,
        b"custom" => found.custom = flag(cursor)?,
        b"inputs" | b"outputs" => {
            let section = if key == b"inputs" {
                Section::Inputs
            } else {
                Section::Outputs
            };
            walk::properties(cursor, indexer, section, Dialect::Pulumi, &mut found.seen)?;
        }
        b"dependencies" => texts(cursor, |target| {
            found.needs.push(indexer.hash(target));
            Ok(())
        })?,
        b"propertyDependencies" => properties_need(cursor, indexer, found)?,
        b"deletedWith" => {
            let target = text(cursor)?;
            if !target.is_empty() {
                let target = indexer.hash(&target);
                found.others.push((target, EdgeKind::DeletedWith));
            }
        }
        b"replaceWith" => texts(cursor, |target| {
            let target = indexer.hash(target);
            found.others.push((target, EdgeKind::ReplaceWith));
            Ok(())
        })?,
        b"initErrors" => {
            let mut any = false;
            texts(cursor, |_| {
                any = true;
                Ok(())
            })?;
            set(Flags::INIT_ERRORS, any);
        }
        b"additionalSecretOutputs" => {
            // Rare, and most of these are secrets anyway. They have to come after the outputs for that to be visible.
            texts(cursor, |name| {
                let top = Trie::root(Section::Outputs);
                let path = indexer.trie().child(top, name.as_bytes());
                let known = found.seen.secret_tops.contains(&path);
                if known { Ok(()) } else { Err(Odd) }
            })?;
        }
        _ => {
            if let Some(flags) = super::flags_of(key) {
                set(flags, flag(cursor)?);
                return Ok(());
            }
            let start = walk::skip(cursor)?;
            if let Some(place) = WRITTEN.iter().position(|it| *it == key) {
                let written = cursor.text().get(start..cursor.offset()).ok_or(Odd)?;
                found.options.push((place, written));
            }
        }
    }
    Ok(())
}

fn properties_need(
    cursor: &mut Cursor<'_>,
    indexer: &Indexer,
    found: &mut ElementFields<'_>,
) -> Result<(), Odd> {
    let mut keys = Keys::default();
    match cursor.value()? {
        Met::Null => return Ok(()),
        Met::Map => {}
        _ => return Err(Odd),
    }
    let mut place = Where::First;
    while let Some(key) = cursor.key(place)? {
        keys.take(&Str::of_raw(key).decode());
        texts(cursor, |target| {
            found.by_property.push(indexer.hash(target));
            Ok(())
        })?;
        place = Where::Later;
    }
    if keys.has_repeats() {
        return Err(Odd);
    }
    Ok(())
}

/// Adds the edges of a resource.
pub(in crate::modules::format::pulumi) fn edges(
    found: &mut ElementFields<'_>,
    indexer: &mut Indexer,
) {
    found.by_property.sort_unstable();
    found.by_property.dedup();
    for target in &found.by_property {
        indexer.edge_to(*target, EdgeKind::Property);
    }
    for target in &found.needs {
        if found.by_property.binary_search(target).is_err() {
            indexer.edge_to(*target, EdgeKind::Dependency);
        }
    }
    if !found.parent.is_empty() {
        indexer.edge(&found.parent, EdgeKind::Parent);
    }
    if !found.provider.is_empty()
        && let Some(urn) = ProviderReference::urn_in(&found.provider)
    {
        indexer.edge(urn, EdgeKind::Provider);
    }
    for (target, kind) in &found.others {
        indexer.edge_to(*target, *kind);
    }
}

/// The parts of a row that a file of changes says otherwise than a state.
pub(in crate::modules::format::pulumi) struct Row<'r> {
    pub(in crate::modules::format::pulumi) id: &'r str,
    pub(in crate::modules::format::pulumi) provider: &'r str,
    pub(in crate::modules::format::pulumi) action: Option<Action>,
    pub(in crate::modules::format::pulumi) may_hide: bool,
}

/// Adds the row of a resource.
pub(in crate::modules::format::pulumi) fn push(
    element: &Element,
    found: &ElementFields<'_>,
    row: &Row<'_>,
    indexer: &mut Indexer,
) {
    let urn = &*found.urn;
    let parts = urn::parts(urn);
    let ty = match (&*found.ty, &parts) {
        ("", Some(parts)) => parts.ty(),
        (ty, _) => ty,
    };
    let name = parts.map_or(urn, |parts| parts.name);
    let prefix = urn[..urn.len() - name.len()].strip_suffix("::");
    let is_stack = ty == urn::STACK_TYPE;
    let flags = found
        .flags
        .with(Flags::CUSTOM, found.custom)
        .with(Flags::COMPONENT, !found.custom && !is_stack)
        .with(Flags::STACK, is_stack)
        .with(Flags::PROVIDER, ty.starts_with(urn::PROVIDER_TYPE))
        .with(
            Flags::DEFAULT_PROVIDER,
            parts.is_some() && urn::is_default_provider(ty, name),
        )
        .with(Flags::UNKNOWN, found.seen.unknown);
    indexer.push(&Draft {
        span: span_of(element),
        flags,
        action: row.action,
        prefix: prefix.unwrap_or_default(),
        name,
        id: row.id,
        group: "",
        provider: row.provider,
        parent: &found.parent,
        key: urn,
        words: "",
        secrets: found.seen.secrets,
        counted: Counted::Resource,
        may_hide: row.may_hide,
    });
}

/// An id of the provider; "" if it is not known yet.
pub(in crate::modules::format::pulumi) fn known(id: &str) -> &str {
    match id {
        wire::UNKNOWN => "",
        id => id,
    }
}
