//! Outputs, and the decoders that use them.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use proptest::collection::vec;
use proptest::prelude::*;
use stacklens::change::decode::{Decoder, MAX_DOCUMENT, contents};
use stacklens::json;
use stacklens::pulumi::urn::Urn;
use stacklens::value::output::{Output, apply_value};
use stacklens::value::{Map, Payload, Text, Value};

use super::generate::{Kinds, value};

fn output() -> impl Strategy<Value = Output<u8>> {
    (any::<Option<u8>>(), any::<bool>(), vec("[abc]", 0..4)).prop_map(|(value, secret, urns)| {
        value
            .map_or_else(Output::unknown, Output::known)
            .with_secret(secret)
            .with_dependencies(urns.iter().map(|urn| Urn::from(urn.as_str())))
    })
}

/// A function to outputs, given as its results for even and odd numbers.
fn function() -> impl Strategy<Value = [Output<u8>; 2]> {
    [output(), output()]
}

fn call(function: &[Output<u8>; 2], n: u8) -> Output<u8> {
    function[usize::from(n % 2)].clone()
}

/// A text close to a form that a decoder knows, and a word in it that occurs in no message.
fn text_with_a_word() -> impl Strategy<Value = (String, String)> {
    const FORMS: [&str; 14] = [
        "{\"key\": \"WORD\"}",
        "{\"key\": WORD}",
        "{\"WORD\": [1, 2",
        "key: WORD",
        "key: [WORD",
        "key: *WORD",
        "&WORD [*WORD, %WORD]",
        "%WORD%4",
        "%51WORD%zz",
        "-----BEGIN WORD-----\nWORD\n-----END WORD-----\n",
        "-----BEGIN CERTIFICATE-----\nWORD\n-----END CERTIFICATE-----\n",
        "-----BEGIN PRIVATE KEY-----\nWORD\n",
        "eyJhbGciOiJIUzI1NiJ9.WORD.WORD",
        "WORD",
    ];
    (0..FORMS.len(), "[QZX]{4,12}")
        .prop_map(|(form, word)| (FORMS[form].replace("WORD", &word), word))
}

proptest! {
    #[test]
    fn outputs_are_a_monad(x in any::<u8>(), o in output(), f in function(), g in function()) {
        prop_assert_eq!(Output::known(x).apply(|n| call(&f, n)), call(&f, x));
        prop_assert_eq!(&o.clone().apply(Output::known), &o);
        let stepwise = o.clone().apply(|n| call(&f, n)).apply(|n| call(&g, n));
        let nested = o.apply(|n| call(&f, n).apply(|n| call(&g, n)));
        prop_assert_eq!(stepwise, nested);
    }

    #[test]
    fn apply_is_unwrap_of_map(o in output(), f in function()) {
        prop_assert_eq!(o.clone().map(|n| call(&f, n)).unwrap(), o.apply(|n| call(&f, n)));
    }

    #[test]
    fn all_does_not_depend_on_the_grouping(a in vec(output(), 0..4), b in vec(output(), 0..4)) {
        let whole = Output::all(a.iter().chain(&b).cloned());
        let parts = Output::all([Output::all(a), Output::all(b)]).map(|parts| parts.concat());
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn values_keep_their_metadata_through_apply(value in value(Kinds::Pulumi), result in value(Kinds::Pulumi)) {
        let by_value = apply_value(&value, |_| Ok::<_, ()>(result.clone())).unwrap();
        prop_assert_eq!(by_value.is_secret(), value.is_secret() || (!value.is_computed() && result.is_secret()));
        let by_output = Output::from(&value).apply(|_| Output::from(&result));
        let again = Output::from(&by_value);
        prop_assert_eq!(again.dependencies(), by_output.dependencies());
        prop_assert_eq!(by_value.is_secret(), by_output.is_secret());
        prop_assert_eq!(by_value.is_computed(), by_output.is_unknown());
    }

    #[test]
    fn decoders_are_total_and_keep_secrets(bytes in vec(any::<u8>(), 0..200)) {
        for decoder in Decoder::ALL {
            for is_secret in [false, true] {
                let value = Value::from(Text::from(bytes.clone())).with_secret(is_secret);
                prop_assert!(contents(&value, MAX_DOCUMENT).is_none() || !is_secret);
                if let Ok(decoded) = decoder.decode(&value) {
                    prop_assert_eq!(decoded.is_secret(), is_secret);
                }
            }
        }
    }

    #[test]
    fn decoders_tell_no_secret((text, word) in text_with_a_word()) {
        for layer in [text.clone(), STANDARD.encode(&text), URL_SAFE_NO_PAD.encode(&text)] {
            let value = Value::from(layer).with_secret(true);
            for decoders in Decoder::ALL.iter().flat_map(|one| [vec![*one], vec![Decoder::Base64, *one]]) {
                let told = match decoders.iter().try_fold(value.clone(), |value, decoder| decoder.decode(&value)) {
                    Ok(decoded) => {
                        prop_assert_eq!(decoded.to_string(), "[secret]");
                        format!("{decoded:?}")
                    }
                    Err(error) => format!("{error} {error:?}"),
                };
                for piece in word.as_bytes().windows(3) {
                    let piece = std::str::from_utf8(piece).unwrap();
                    prop_assert!(!told.contains(piece), "{} of {} by {:?}", told, word, decoders);
                }
            }
        }
    }

    #[test]
    fn a_text_that_is_decoded_is_found_in_it((text, word) in text_with_a_word()) {
        // Otherwise the law above would hold for decoders that find nothing.
        let value = Value::from(STANDARD.encode(&text));
        let decoded = Decoder::Base64.decode(&value).unwrap();
        prop_assert!(decoded.to_string().contains(&word));
    }

    #[test]
    fn json_in_base64_comes_back(value in value(Kinds::Plain)) {
        let text = json::to_compact(&value);
        let packed = URL_SAFE_NO_PAD.encode(&text);
        let decoded = Decoder::Json.decode(&Decoder::Base64.decode(&Value::from(packed)).unwrap()).unwrap();
        prop_assert_eq!(json::to_compact(&decoded), text);
    }

    /// JSON is YAML, except that YAML has no lone surrogates and reads `<<` as a merge.
    #[test]
    fn json_is_yaml(value in value(Kinds::Plain)) {
        prop_assume!(is_text(&value));
        let text = json::to_compact(&value);
        let by_yaml = Decoder::Yaml.decode(&Value::from(text.as_str())).unwrap();
        let by_json = Decoder::Json.decode(&Value::from(text.as_str())).unwrap();
        prop_assert_eq!(json::to_compact(&by_yaml), json::to_compact(&by_json));
    }
}

fn is_text(value: &Value) -> bool {
    match value.payload() {
        Payload::String(text) => text.as_str().is_some_and(is_basic),
        Payload::Array(items) => items.iter().all(is_text),
        Payload::Map(map) => is_text_map(map),
        _ => true,
    }
}

fn is_text_map(map: &Map) -> bool {
    map.iter()
        .all(|(key, value)| is_basic(key) && is_text(value))
}

/// JSON escapes characters that are beyond the basic plane, or unsafe to show, as pairs of surrogates.
fn is_basic(text: &str) -> bool {
    text.chars().all(|char| u32::from(char) < 0x1_0000)
}
