//! The index of a state's instances, from the tokens of their rows.

use crate::address;
use crate::format::Context;
use crate::format::scan::Element;
use crate::format::sheet::{Counted, Draft, Sheet};
use crate::format::terraform::{Identity, key_suffix};
use crate::format::walk::{self, Dialect, Hidden, Odd, Seen, Text, text, texts, token};
use crate::json::{self, Numbers, Reader, Token};
use crate::stack::{EdgeKind, Flags, Section, Span};

/// What the fields of a row say of all of its instances; they may stand behind them.
#[derive(Default)]
struct Row<'a> {
    module: Text<'a>,
    mode: Text<'a>,
    ty: Text<'a>,
    name: Text<'a>,
    provider: Text<'a>,
}

/// What the tokens of an instance say.
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

/// Adds the instances of the row `bytes`; gives up where something is odd.
pub(super) fn index(
    element: &Element,
    bytes: &[u8],
    context: &Context,
    sheet: &mut Sheet,
) -> Result<(), Odd> {
    let mut reader = Reader::new(bytes);
    let mut row = Row::default();
    let mut instances = Vec::new();
    if token(&mut reader)? != Token::MapStart {
        return Err(Odd);
    }
    while let Token::Key(key) = token(&mut reader)? {
        if key.is_escaped() {
            return Err(Odd);
        }
        match key.raw() {
            b"module" => row.module = text(&mut reader)?,
            b"mode" => row.mode = text(&mut reader)?,
            b"type" => row.ty = text(&mut reader)?,
            b"name" => row.name = text(&mut reader)?,
            b"provider" => row.provider = text(&mut reader)?,
            b"instances" => {
                match token(&mut reader)? {
                    Token::Null => continue,
                    Token::ArrayStart => {}
                    _ => return Err(Odd),
                }
                while let Token::MapStart = token(&mut reader)? {
                    instances.push(instance(element, &mut reader, sheet)?);
                }
            }
            _ => {
                reader.skip_value()?;
            }
        }
    }
    for instance in &instances {
        push(&row, instance, context, sheet);
    }
    Ok(())
}

fn instance<'a>(
    element: &Element,
    reader: &mut Reader<'a>,
    sheet: &mut Sheet,
) -> Result<Instance<'a>, Odd> {
    let start = reader.token_start();
    let mut found = Instance::default();
    let mut seen = Seen::default();
    let mut hidden = Hidden::default();
    while let Token::Key(key) = token(reader)? {
        if key.is_escaped() {
            return Err(Odd);
        }
        match key.raw() {
            b"index_key" => {
                let key = json::build(reader, Numbers::Exact, &mut Vec::new())?;
                found.key = key_suffix(Some(&key));
            }
            b"status" => found.tainted = &*text(reader)? == "tainted",
            b"deposed" => found.deposed = text(reader)?,
            b"provider" => found.provider = text(reader)?,
            b"attributes" => {
                walk::properties(reader, sheet, Section::Outputs, Dialect::State, &mut seen)?;
            }
            b"sensitive_attributes" => sensitive(reader, sheet, &mut hidden)?,
            b"dependencies" | b"depends_on" => texts(reader, |target| {
                let target = address::config_address(target);
                found.needs.push(sheet.hash(&target));
                Ok(())
            })?,
            // Rare: what an upgrade left to the provider.
            b"attributes_flat" => return Err(Odd),
            _ => {
                reader.skip_value()?;
            }
        }
    }
    found.secrets = hidden.count(sheet);
    let secret_id = hidden.apply(sheet);
    if let Some(id) = seen.id.filter(|_| !secret_id) {
        found.id = Text::new(id)?;
    }
    found.shape = sheet.close_shape();
    found.span = Span {
        offset: element.start + start as u64,
        len: u32::try_from(reader.offset() - start).map_err(|_| Odd)?,
    };
    Ok(found)
}

fn sensitive(reader: &mut Reader<'_>, sheet: &mut Sheet, hidden: &mut Hidden) -> Result<(), Odd> {
    match token(reader)? {
        Token::Null => return Ok(()),
        Token::ArrayStart => {}
        _ => return Err(Odd),
    }
    let depth = reader.depth();
    loop {
        // An empty list ends here; else each entry is a list of steps.
        match token(reader)? {
            Token::ArrayEnd if reader.depth() < depth => return Ok(()),
            Token::ArrayStart => {
                let mut entry = Reader::at(reader.bytes(), reader.token_start());
                walk::sensitive_path(&mut entry, sheet, hidden)?;
                reader.skip_rest()?;
            }
            _ => return Err(Odd),
        }
    }
}

fn push(row: &Row<'_>, instance: &Instance<'_>, context: &Context, sheet: &mut Sheet) {
    let provider = if instance.provider.is_empty() {
        &row.provider
    } else {
        &instance.provider
    };
    let mut address = String::with_capacity(64);
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
    let key = address::config_address(&address);
    address.push_str(&instance.key);
    let identity = Identity {
        address,
        mode: row.mode.to_string(),
        ty: row.ty.to_string(),
        provider: provider.to_string(),
        deposed: instance.deposed.to_string(),
    };
    for target in &instance.needs {
        sheet.edge_to(*target, EdgeKind::Dependency);
    }
    let draft = Draft {
        span: instance.span,
        flags: identity.flags().with(Flags::TAINTED, instance.tainted),
        action: None,
        prefix: &identity.prefix(&context.workspace, &context.project),
        name: &identity.name(),
        id: &instance.id,
        group: identity.module(),
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
    };
    sheet.push_shaped(&draft, instance.shape);
}
