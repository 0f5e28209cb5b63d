//! Credentials in the settings of backends. Files keep these in clear and do not mark them.

use crate::likely;
use crate::text::words;
use crate::value::{Payload, Value};

/// `value` with credentials masked: settings with a credential's name, and
/// texts that are secret by their form.
pub fn mask_credentials(value: &Value) -> Value {
    if let Payload::String(text) = value.payload() {
        let is_secret = likely::has_form(&text.to_str_lossy());
        return value.clone().with_secret(value.is_secret() || is_secret);
    }
    value.with_parts(|key, value| {
        let is_told = value.is_null() || matches!(value.payload(), Payload::Bool(_));
        match key {
            Some(key) if is_backend_secret(key) && !is_told => value.clone().with_secret(true),
            Some(_) | None => mask_credentials(value),
        }
    })
}

/// True if a setting of a backend is secret by its name. There some more names mean secrets than elsewhere, and `key` is the path of the
/// state.
fn is_backend_secret(name: &str) -> bool {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["key"] => false,
        [.., "id" | "prefix" | "path" | "file"] if !words.contains(&"secret") => false,
        [.., "conn", "str"]
        | ["headers"]
        | [.., "certificate" | "auth" | "pem" | "material"]
        | [_, .., "key" | "keys"] => true,
        _ => likely::names_secret(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Numbers, parse};

    #[test]
    fn settings_of_backends_lose_their_credentials_and_nothing_else() {
        let settings = r#"{"bucket": "b", "key": "a/state", "region": "r", "access_key": "1", "secret_key": "2", "token": "3",
            "kms_key_id": "k", "workspace_key_prefix": "w", "sas_token": "4", "conn_str": "postgres://h/db", "http_auth": "u:p",
            "client_certificate": "5", "client_key": "6", "encryption_key": "7", "credentials": "8", "password": "9",
            "username": "me", "headers": {"Authorization": "10"}, "assume_role": {"external_id": "x", "session_token": "11"},
            "address": "https://me:12@host/state", "lock_address": "https://host/lock", "sse_customer_key": "13",
            "use_token": true, "http_auth_": null, "skip_credentials_validation": true}"#;
        let settings = parse(settings.as_bytes(), Numbers::Exact).unwrap().value;
        let masked = mask_credentials(&settings);
        let shown: Vec<&str> = masked
            .as_map()
            .unwrap()
            .iter()
            .filter(|(_, value)| !value.is_secret())
            .map(|(key, _)| &**key)
            .collect();
        let plain = [
            "bucket",
            "key",
            "region",
            "kms_key_id",
            "workspace_key_prefix",
            "username",
            "assume_role",
            "lock_address",
            "use_token",
            "http_auth_",
            "skip_credentials_validation",
        ];
        assert_eq!(shown, plain);
        let role = masked.get("assume_role").unwrap();
        assert!(role.get("session_token").unwrap().is_secret());
        assert!(!role.get("external_id").unwrap().is_secret());
    }
}
