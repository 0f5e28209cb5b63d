//! JSON text.

use proptest::prelude::*;
use stacklens::json::{self, Numbers, Reader};
use stacklens::text::is_unsafe_to_show;
use stacklens::value::{Map, Value};

use super::generate::{Kinds, key, map, value};

proptest! {
    #[test]
    fn printed_json_reads_back(value in value(Kinds::Plain)) {
        for text in [json::to_compact(&value), json::to_pretty(&value)] {
            let parsed = json::parse(text.as_bytes(), Numbers::Exact).unwrap();
            prop_assert_eq!(&parsed.value, &value);
            prop_assert!(!text.chars().any(|char| char != '\n' && is_unsafe_to_show(char)));
            prop_assert_eq!(Reader::new(text.as_bytes()).skip_value(), Ok(0..text.len()));
        }
    }

    #[test]
    fn pairs_read_like_single_values(
        before in map(Kinds::Plain),
        edits in prop::collection::vec((key(), prop::option::of(value(Kinds::Plain))), 0..4),
        rest in map(Kinds::Plain),
    ) {
        let after = edits.into_iter().fold(before.clone(), |map, (key, value)| match value {
            Some(value) => map.set(key.as_str(), value),
            None => map.delete(&key),
        });
        let inner = |map: Map| Value::from(Map::from_iter([("inputs", Value::from(map)), ("more", Value::from(rest.clone()))]));
        let pair = Value::from(Map::from_iter([("before", inner(before)), ("after", inner(after))]));
        for text in [json::to_compact(&pair), json::to_pretty(&pair)] {
            // Cut short, it has an error, and with a key given twice, a note.
            let twice = text.replacen("\"more\"", "\"inputs\"", 1);
            let bytes = text.as_bytes();
            for text in [bytes, &bytes[..bytes.len() / 2], &bytes[..bytes.len() - 1], twice.as_bytes()] {
                for numbers in [Numbers::Exact, Numbers::Double] {
                    let [one, other] = [json::parse, json::parse_pairs].map(|parse| parse(text, numbers));
                    prop_assert_eq!(one, other, "{:?}", text);
                }
            }
        }
    }

    #[test]
    fn doubles_read_back(double: f64) {
        let value = Value::from(double);
        let parsed = json::parse(json::to_compact(&value).as_bytes(), Numbers::Double).unwrap();
        prop_assert!(parsed.value == value || !double.is_finite());
    }

    #[test]
    fn other_readers_agree(text in "[\\[\\]{}:,\"\\\\a-e0-9.+ \t\nultrufsn-]{0,24}") {
        let ours = json::parse(text.as_bytes(), Numbers::Double);
        let theirs: Result<serde_json::Value, _> = serde_json::from_str(&text);
        // Our reader accepts control characters in a string where other readers do not, and numbers other than doubles.
        if theirs.is_ok() {
            prop_assert!(ours.is_ok(), "{:?}", ours);
        } else if let Ok(ours) = ours {
            let has_note = !ours.notes.is_empty();
            prop_assert!(has_note || text.contains(['e', 'E']), "{:?}", text);
        }
    }

    #[test]
    fn any_bytes_end_in_a_value_or_a_place(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Err(error) = json::parse(&bytes, Numbers::Exact) {
            prop_assert!(error.offset <= bytes.len());
            prop_assert!(error.line >= 1 && error.column >= 1);
        }
    }
}
