//! Indexes a state's instances from the tokens of their rows.

use crate::format::terraform::identity::{Identity, key_suffix};
use crate::format::{Context, Site, hide};
use crate::index::indexer::{Counted, Draft, Indexer};
use crate::index::scan::Element;
use crate::index::walk::{self, Dialect, Hidden, Odd, Seen, Text, fields, items, text, texts};
use crate::json::tape::{Cursor, Met};
use crate::stack::{EdgeKind, Flags, Section, Span};
use crate::terraform::address;

/// The fields of a row that apply to all of its instances. They may come after the instances.
#[derive(Default)]
struct ResourceBlock<'a> {
    module: Text<'a>,
    mode: Text<'a>,
    ty: Text<'a>,
    name: Text<'a>,
    provider: Text<'a>,
}

/// The fields of an instance that the index reads.
#[derive(Default)]
struct Instance<'a> {
    span: Span,
    key: String,
    deposed: Text<'a>,
    provider: Text<'a>,
    id: Text<'a>,
    tainted: bool,
    shape: u32,
    secrets: u32,
    needs: Vec<u64>,
}

/// Adds the instances of the row at `cursor`. Fails with [`Odd`] if something is unusual.
pub(super) fn index(
    site: Site<'_>,
    cursor: &mut Cursor<'_>,
    indexer: &mut Indexer,
) -> Result<(), Odd> {
    let mut row = ResourceBlock::default();
    let mut instances = Vec::new();
    fields(cursor, |key, cursor| {
        match key {
            b"module" => row.module = text(cursor)?,
            b"mode" => row.mode = text(cursor)?,
            b"type" => {
                row.ty = text(cursor)?;
            }
            b"name" => row.name = text(cursor)?,
            b"provider" => row.provider = text(cursor)?,
            b"instances" => items(cursor, |cursor| {
                instances.push(instance(site.element, cursor, indexer)?);
                Ok(())
            })?,
            _ => {
                walk::skip(cursor)?;
            }
        }
        Ok(())
    })?;
    let mode = Identity {
        mode: &*row.mode,
        ..Identity::default()
    };
    if hide::of_type(&site.context.hidden, &row.provider, mode.mode(), &row.ty).is_some() {
        return Err(Odd);
    }
    for instance in &instances {
        push(&row, instance, site.context, indexer);
    }
    Ok(())
}

fn instance<'a>(
    element: &Element,
    cursor: &mut Cursor<'a>,
    indexer: &mut Indexer,
) -> Result<Instance<'a>, Odd> {
    let start = cursor.start();
    let mut found = Instance::default();
    let mut seen = Seen::default();
    let mut hidden = Hidden::default();
    fields(cursor, |key, cursor| {
        match key {
            b"index_key" => found.key = instance_key(cursor)?,
            b"status" => found.tainted = &*text(cursor)? == "tainted",
            b"deposed" => found.deposed = text(cursor)?,
            b"provider" => found.provider = text(cursor)?,
            b"attributes" => {
                walk::properties(cursor, indexer, Section::Outputs, Dialect::State, &mut seen)?;
            }
            b"sensitive_attributes" => items(cursor, |cursor| {
                walk::sensitive_path(cursor, indexer, &mut hidden)
            })?,
            b"dependencies" | b"depends_on" => texts(cursor, |target| {
                let target = address::config_address(target);
                found.needs.push(indexer.hash(&target));
                Ok(())
            })?,
            // Rare: flat attributes that an upgrade left for the provider to convert.
            b"attributes_flat" => return Err(Odd),
            _ => {
                walk::skip(cursor)?;
            }
        }
        Ok(())
    })?;
    hidden.leads(indexer)?;
    found.secrets = hidden.count(indexer);
    let secret_id = hidden.apply(indexer);
    if let Some(id) = seen.id.filter(|_| !secret_id) {
        found.id = Text::new(id)?;
    }
    found.shape = indexer.close_shape();
    found.span = Span {
        offset: element.start + start as u64,
        len: u32::try_from(cursor.offset() - start).map_err(|_| Odd)?,
    };
    Ok(found)
}

/// Reads the next instance key, in the form that follows an address.
fn instance_key(cursor: &mut Cursor<'_>) -> Result<String, Odd> {
    let start = cursor.start();
    let raw = match cursor.clone().value()? {
        Met::String(raw) => {
            cursor.value()?;
            return Ok(format!("[{}]", address::quote_key(&Text::new(raw)?)));
        }
        Met::Number => {
            cursor.value()?;
            &cursor.text()[start..cursor.offset()]
        }
        _ => return Ok(key_suffix(Some(&walk::value(cursor)?))),
    };
    // Plain digits are used as written. Any other notation takes the slow path.
    match std::str::from_utf8(raw) {
        Ok(count) if count.len() < 10 && raw.iter().all(u8::is_ascii_digit) => {
            Ok(["[", count, "]"].concat())
        }
        _ => Err(Odd),
    }
}

fn push(
    row: &ResourceBlock<'_>,
    instance: &Instance<'_>,
    context: &Context,
    indexer: &mut Indexer,
) {
    let provider = if instance.provider.is_empty() {
        &row.provider
    } else {
        &instance.provider
    };
    let parts = [&row.module, &row.mode, &row.ty, &row.name].map(|part| part.len() + 1);
    let mut address = String::with_capacity(parts.iter().sum::<usize>() + instance.key.len());
    if !row.module.is_empty() {
        address.push_str(&row.module);
        address.push('.');
    }
    if !matches!(&*row.mode, "" | "managed") {
        address.push_str(&row.mode);
        address.push('.');
    }
    address.push_str(&row.ty);
    address.push('.');
    address.push_str(&row.name);
    let bare = address.len();
    address.push_str(&instance.key);
    let identity: Identity<&str> = Identity {
        address: &address,
        mode: &row.mode,
        ty: &row.ty,
        provider,
        deposed: &instance.deposed,
    };
    for target in &instance.needs {
        indexer.edge_to(*target, EdgeKind::Dependency);
    }
    let group = indexer.last_module.of(&address);
    let key = indexer.last_module.config(&address[..bare]);
    let draft = Draft {
        span: instance.span,
        flags: identity.flags().with(Flags::TAINTED, instance.tainted),
        action: None,
        prefix: &identity.prefix(context),
        name: &identity.name(),
        id: &instance.id,
        group,
        provider,
        parent: "",
        key: &key,
        words: "",
        secrets: instance.secrets,
        counted: if instance.deposed.is_empty() {
            Counted::Resource
        } else {
            Counted::Deposed
        },
        may_hide: false,
    };
    indexer.push_shaped(&draft, instance.shape);
}
