//! Wire and stored forms.

use proptest::prelude::*;
use stacklens::pulumi::wire::{
    self, Ciphertext, Decrypt, DecryptError, Encrypt, SecretKey, Secrets,
};
use stacklens::value::{Map, Payload, Value};
use zeroize::Zeroizing;

use super::generate::{Kinds, value};

/// A cipher that reveals a mistake in nesting: it reverses the text.
struct Reversed;

impl Encrypt for Reversed {
    fn encrypt(&self, plaintext: &str) -> String {
        format!("v0:{}", plaintext.chars().rev().collect::<String>())
    }
}

impl Decrypt for Reversed {
    fn decrypt(&self, ciphertext: &str) -> Result<Zeroizing<String>, DecryptError> {
        let reversed = ciphertext.strip_prefix("v0:").ok_or(DecryptError)?;
        Ok(Zeroizing::new(reversed.chars().rev().collect()))
    }
}

/// The value without any dependencies, which are not stored.
fn without_dependencies(value: &Value) -> Value {
    let payload = match value.payload() {
        Payload::Array(items) => Payload::Array(items.iter().map(without_dependencies).collect()),
        Payload::Map(map) => {
            let entries = map.iter();
            let entries = entries.map(|(key, value)| (key.clone(), without_dependencies(value)));
            Payload::Map(entries.collect::<Map>())
        }
        payload => payload.clone(),
    };
    Value::new(payload).with_secret(value.is_secret())
}

proptest! {
    #[test]
    fn the_wire_gives_the_value_back(value in value(Kinds::Pulumi)) {
        for key in [SecretKey::Plaintext, SecretKey::Value] {
            let form = wire::encode(&value, key);
            prop_assert!(!form.has_secrets() && !form.has_computed());
            let decoded = wire::decode(&form).unwrap();
            prop_assert_eq!(&decoded, &value);
            prop_assert_eq!(wire::encode(&decoded, key), form);
        }
    }

    #[test]
    fn decoding_what_is_decoded_changes_nothing(value in value(Kinds::Pulumi)) {
        prop_assert_eq!(wire::decode(&value).unwrap(), value);
    }

    #[test]
    fn state_gives_the_value_back(value in value(Kinds::Pulumi)) {
        let want = without_dependencies(&value);
        let shown = wire::encode_state(&value, Secrets::Show);
        prop_assert_eq!(&wire::decode_state(&shown, None).unwrap(), &want);
        let hidden = wire::encode_state(&value, Secrets::Encrypt(&Reversed));
        prop_assert_eq!(&wire::decode_state(&hidden, Some(&Reversed)).unwrap(), &want);
        prop_assert_eq!(&wire::decode_state_leniently(&hidden, Some(&Reversed)), &want);
    }

    #[test]
    fn sealed_values_keep_their_ciphertext(value in value(Kinds::Pulumi)) {
        let hidden = wire::encode_state(&value, Secrets::Encrypt(&Reversed));
        let sealed = wire::decode_state(&hidden, None).unwrap();
        prop_assert_eq!(sealed.has_secrets(), value.has_secrets());
        prop_assert_eq!(wire::encode_state(&sealed, Secrets::Encrypt(&Ciphertext)), hidden);
    }

    #[test]
    fn any_form_is_decoded_or_refused(value in value(Kinds::Plain), field in "(value|secret|id|urn|assets|plaintext)") {
        // Any plain value in any place of a form gives an answer or an error with a path, never a panic.
        for signature in [wire::SECRET, wire::OUTPUT, wire::REFERENCE, wire::ASSET, wire::ARCHIVE, wire::BYTES, wire::FLOAT] {
            let form = Value::from(Map::from_iter([
                (wire::SIGNATURE, Value::from(signature)),
                (field.as_str(), value.clone()),
            ]));
            let form = Value::from(vec![form]);
            if let Err(error) = wire::decode(&form) {
                prop_assert!(error.path.to_string().starts_with("[0]"), "{}", error);
            }
            let lenient = wire::decode_state_leniently(&form, Some(&Reversed));
            match wire::decode_state(&form, Some(&Reversed)) {
                Ok(strict) => prop_assert_eq!(lenient, strict),
                Err(_) => prop_assert!(lenient.has_secrets()),
            }
        }
    }
}
