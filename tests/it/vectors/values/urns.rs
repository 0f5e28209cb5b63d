//! `urn`.

use serde_json::{Value as Json, json};
use stacklens::pulumi::urn::{self, Parts, ProviderReference, Urn};

use super::super::canonical;

pub(crate) fn urn(case: &Json) -> Result<(), String> {
    let text = |key: &str| case[key].as_str().unwrap_or_default();
    let urn = Urn::from(text("urn"));
    let got = match case["op"].as_str().unwrap() {
        "parse" => match urn.parts() {
            Some(parts) => json!({"valid": true, "parts": parts_json(&parts)}),
            None => json!({"valid": false, "error": true}),
        },
        "parts" => json!({"parts": parts_json(&Parts::of(text("urn")))}),
        "new" => {
            let urn = Urn::new(
                text("stack"),
                text("project"),
                text("parentType"),
                text("type"),
                text("name"),
            );
            json!({"urn": urn.as_str()})
        }
        "rename" => json!({"urn": urn.rename(text("to")).as_str()}),
        "rename_stack" => match urn.rename_stack(text("to")) {
            Ok(urn) => json!({"urn": urn.as_str()}),
            Err(_) => json!({"error": true}),
        },
        "rename_project" => json!({"urn": urn.rename_project(text("to")).as_str()}),
        "provider_ref" => match ProviderReference::parse(text("ref")) {
            Ok(reference) => {
                let parts = reference.urn().parts().expect("a valid URN");
                json!({
                    "urn": reference.urn().as_str(),
                    "id": reference.id(),
                    "idUnknown": reference.is_unknown(),
                    "isDefault": urn::is_default_provider(parts.ty(), parts.name),
                    "package": reference.package(),
                    "printed": reference.to_string(),
                })
            }
            Err(_) => json!({"error": true}),
        },
        other => return Err(format!("unknown op {other}")),
    };
    let mut want = case["expect"].clone();
    if let Some(error) = want.get_mut("error") {
        // The engine's wording is informative only.
        *error = json!(true);
    }
    canonical::expect(&want, &got)
}

fn parts_json(parts: &Parts<'_>) -> Json {
    json!({
        "stack": parts.stack,
        "project": parts.project,
        "qualifiedType": parts.qualified_type,
        "name": parts.name,
        "type": parts.ty(),
        "parentType": parts.parent_type(),
    })
}
