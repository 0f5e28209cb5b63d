//! Addresses and files.

use serde_json::Value as Json;
use stacklens::json::{self, Numbers};
use stacklens::terraform::address::{
    Address, AddressMode, Key, ProviderAddress, config_address, module_of,
};

use super::{Runner, rewrite};

/// The files that are run here.
pub(super) const RUNNERS: &[(&str, Runner)] = &[
    ("resource_address", resource_address),
    ("provider_address", provider_address),
    ("state_read", state_read),
];

fn text(case: &Json) -> &str {
    case["text"].as_str().expect("a case has a text")
}

fn equal(name: &str, want: &Json, found: &str) -> Result<(), String> {
    let want = want.as_str().unwrap_or_default();
    if want == found {
        Ok(())
    } else {
        Err(format!("{name}: expected {want}, found {found}"))
    }
}

fn key_is(want: Option<&Json>, found: Option<&Key>) -> bool {
    match (want, found) {
        (None | Some(Json::Null), None) => true,
        (Some(Json::String(want)), Some(Key::Text(found))) => want == found,
        (Some(Json::Number(want)), Some(Key::Number(found))) => want.as_u64() == Some(*found),
        _ => false,
    }
}

fn resource_address(case: &Json) -> Result<(), String> {
    let parsed = Address::parse(text(case));
    let Some(want) = case.get("want") else {
        return match parsed {
            Ok(address) => Err(format!("expected an error, found {address}")),
            Err(_) => Ok(()),
        };
    };
    let address = parsed.map_err(|error| error.to_string())?;
    let canonical = address.to_string();
    equal("canonical", &want["canonical"], &canonical)?;
    // Files hold canonical addresses.
    let config = config_address(&canonical);
    equal("config", &want["config_address"], &config)?;
    equal("module", &want["module_address"], module_of(&canonical))?;
    equal("name", &want["resource_name"], &address.name)?;
    equal("type", &want["type"], &address.ty)?;
    let mode = match address.mode {
        AddressMode::Managed => "managed",
        AddressMode::Data => "data",
        AddressMode::Ephemeral => "ephemeral",
        AddressMode::List => "ListResourceMode",
    };
    equal("mode", &want["mode"], mode)?;
    let modules = want["module"].as_array().expect("modules are listed");
    let same = modules.len() == address.module.len()
        && modules.iter().zip(&address.module).all(|(want, found)| {
            want["name"] == found.name.as_str() && key_is(want.get("key"), found.key.as_ref())
        });
    if same && key_is(want.get("key"), address.key.as_ref()) {
        Ok(())
    } else {
        Err(format!("keys: expected {want}, found {address:?}"))
    }
}

fn provider_address(case: &Json) -> Result<(), String> {
    let parsed = ProviderAddress::parse(text(case));
    if let Some(want) = case.get("legacy_want") {
        let legacy =
            ProviderAddress::parse_legacy(text(case)).map_err(|error| error.to_string())?;
        equal("canonical", &want["canonical"], &legacy.to_string())?;
        equal("namespace", &want["namespace"], &legacy.namespace)?;
        equal("type", &want["type"], &legacy.ty)?;
    }
    let Some(want) = case.get("want") else {
        return match parsed {
            Ok(address) => Err(format!("expected an error, found {address}")),
            Err(_) => Ok(()),
        };
    };
    let address = parsed.map_err(|error| error.to_string())?;
    equal("canonical", &want["canonical"], &address.to_string())?;
    equal("display", &want["for_display"], &address.for_display())?;
    equal("hostname", &want["hostname"], &address.ascii_host())?;
    equal("namespace", &want["namespace"], &address.namespace)?;
    equal("type", &want["type"], &address.ty)?;
    equal("alias", &want["alias"], &address.alias)?;
    equal("module", &want["module"], &address.module)
}

fn state_read(case: &Json) -> Result<(), String> {
    let text = case["input_text"].as_str().expect("a case has a state");
    let rewritten = rewrite::rewrite_state(text.as_bytes());
    let Some(want) = case.get("want_v4") else {
        return match rewritten {
            Ok(_) => Err("expected an error".to_owned()),
            Err(_) => Ok(()),
        };
    };
    let state = rewritten?;
    let want = want
        .as_str()
        .map_or_else(|| want.to_string(), str::to_owned);
    let want = json::parse(want.as_bytes(), Numbers::Exact)
        .expect("vectors are JSON")
        .value;
    if state == want {
        return Ok(());
    }
    Err(format!(
        "expected {}, found {}",
        json::to_compact(&want),
        json::to_compact(&state)
    ))
}
