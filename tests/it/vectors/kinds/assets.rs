//! Hashes of assets and archives, and the tar streams that are hashed.

use std::sync::Arc;

use base64::Engine;
use serde_json::Value as Json;
use stacklens::load::asset::{Blob, Disk, hash};
use stacklens::pulumi::asset;
use stacklens::value::{Archive, Asset, Member, Text};

pub(crate) fn run(case: &Json) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|err| err.to_string())?;
    for (name, text) in case["files"].as_object().into_iter().flatten() {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("below the folder"))
            .map_err(|err| err.to_string())?;
        std::fs::write(path, text.as_str().unwrap_or_default()).map_err(|err| err.to_string())?;
    }
    let disk = Disk::new(folder.path());
    let member = member(&case["value"]);
    let (blob, recorded) = match &member {
        Member::Asset(asset) => (Blob::Asset(asset), &asset.hash),
        Member::Archive(archive) => (Blob::Archive(archive), &archive.hash),
    };
    let expect = &case["expect"];
    // A recorded hash is trusted; only a missing one is computed.
    let hash = match recorded.as_str() {
        Some("") | None => hash(blob, &disk, &mut asset::unwatched).map_err(|err| err.to_string()),
        Some(recorded) => Ok(recorded.to_owned()),
    };
    match (&hash, expect["hash"].as_str()) {
        (Ok(hash), Some(want)) if hash == want => {}
        (Err(_), None) if expect["error"] == true => return Ok(()),
        _ => return Err(format!("expected {expect}, got {hash:?}")),
    }
    match (&member, expect["tarBlocks"].as_array()) {
        (Member::Archive(archive), Some(want)) => blocks(archive, &disk, want),
        _ => Ok(()),
    }
}

fn blocks(archive: &Archive, disk: &Disk, want: &[Json]) -> Result<(), String> {
    let mut tar = Vec::new();
    asset::write_tar(archive, disk, &mut tar, &mut asset::unwatched)
        .map_err(|err| err.to_string())?;
    let got: Vec<String> = tar.chunks(512).map(told).collect();
    let at = got.iter().zip(want).position(|(got, want)| got != want);
    if let Some(at) = at {
        return Err(format!(
            "block {at}: expected {}, got {}",
            want[at], got[at]
        ));
    }
    if got.len() != want.len() {
        return Err(format!("expected {} blocks, got {}", want.len(), got.len()));
    }
    Ok(())
}

/// Hexadecimal without the zero bytes at the end.
fn told(block: &[u8]) -> String {
    let end = block
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |at| at + 1);
    let bytes: Vec<String> = block[..end]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    bytes.concat()
}

fn text(json: &Json, name: &str) -> Text {
    json[name].as_str().unwrap_or_default().into()
}

fn member(json: &Json) -> Member {
    if json["type"] == "archive" {
        let assets = json["assets"].as_object().map(|assets| {
            assets
                .iter()
                .map(|(name, json)| (Arc::from(name.as_str()), member(json)))
                .collect()
        });
        return Member::Archive(Arc::new(Archive {
            assets,
            path: text(json, "path"),
            uri: text(json, "uri"),
            hash: text(json, "hash"),
        }));
    }
    let bytes = json["textBase64"].as_str().map(|base64| {
        base64::engine::general_purpose::STANDARD
            .decode(base64)
            .expect("base64")
    });
    Member::Asset(Arc::new(Asset {
        text: bytes
            .map(Text::from)
            .or_else(|| json["text"].as_str().map(Text::from)),
        path: text(json, "path"),
        uri: text(json, "uri"),
        hash: text(json, "hash"),
    }))
}
