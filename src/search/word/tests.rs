use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(word: &str, anchor: Anchor, text: &str, want: impl Into<Option<Match>>) {
    assert_eq!(
        Word::new(word, anchor).find(text),
        want.into(),
        "{word} in {text}"
    );
}

#[test]
fn smart_case() {
    check("db", Anchor::Fuzzy, "orders-DB", Some(7..9));
    check("DB", Anchor::Fuzzy, "orders-db", None);
    check("Name", Anchor::Exact, "bucketName", Some(6..10));
}

#[test]
fn the_start_of_a_part_is_preferred() {
    check("or", Anchor::Fuzzy, "word-orders", Some(5..7));
    check("name", Anchor::Fuzzy, "renamedName", Some(7..11));
}

#[test]
fn anchors() {
    check("ord", Anchor::Start, "orders", Some(0..3));
    check("rd", Anchor::Start, "orders", None);
    check("ers", Anchor::End, "orders", Some(3..6));
    check("orders", Anchor::Whole, "Orders", Some(0..6));
    check("order", Anchor::Whole, "orders", None);
}

#[test]
fn other_scripts_fold_too() {
    check("straße", Anchor::Exact, "Hauptstraße", Some(5..12));
    check("über", Anchor::Start, "ÜBERSICHT", Some(0..5));
    check("sicht", Anchor::End, "ÜBERSICHT", Some(5..10));
}

#[test]
fn written_beats_scattered() {
    let word = Word::new("odb", Anchor::Fuzzy);
    let scattered = word.fit("orders-db").unwrap();
    let written = word.fit("a-very-long-name-with-odbc-in-it").unwrap();
    assert!(scattered.scattered && !written.scattered);
    assert!(written.score > scattered.score);
    assert_eq!(Word::new("odb", Anchor::Exact).fit("orders-db"), None);
}

proptest! {
    #[test]
    fn a_mask_never_hides_a_match(text in "\\PC{0,12}", start in 0..12_usize, len in 0..6_usize) {
        let word: String = text.chars().skip(start).take(len).flat_map(char::to_lowercase).collect();
        let word = Word::new(&word, Anchor::Fuzzy);
        if word.find(&text).is_some() || word.scatter(&text).is_some() {
            prop_assert!(word.fits_mask(mask(&text)));
        }
    }

    #[test]
    fn the_cheap_answers_agree_with_the_dear_one(text in "[aAbB1é-]{0,12}|[aAb-]{10,50}", word in "[abB1é-]{0,4}|[ab-]{4,12}", more in "[ab]{0,20}") {
        let behind = format!("{text}{more}");
        let word = Word::new(&word, Anchor::Fuzzy);
        let fit = word.fit(&text);
        prop_assert_eq!(word.is_in(&text, behind.as_bytes(), mask(&text)), fit.is_some());
        let first = text.bytes().next().map_or(0, |first| first.to_ascii_lowercase());
        let best = word.best_score(text.len(), first);
        prop_assert!(fit.is_none_or(|fit| fit.score <= best || !text.is_ascii()));
    }

    #[test]
    fn each_place_is_answered_cheaply_as_well(text in "[aAbB1é-]{0,8}", word in "[abB1é-]{0,4}") {
        let behind = format!("{text}ab-");
        for anchor in [Anchor::Fuzzy, Anchor::Exact, Anchor::Start, Anchor::End, Anchor::Whole] {
            let word = Word::new(&word, anchor);
            let found = word.find(&text).is_some();
            prop_assert_eq!(word.is_written_in(&text, mask(&text)), found);
            prop_assert_eq!(word.is_in(&text, behind.as_bytes(), mask(&text)), word.fit(&text).is_some());
            let first = text.bytes().next().map_or(0, |first| first.to_ascii_lowercase());
            let needed = word.needs_first();
            prop_assert!(!found || !text.is_ascii() || needed == 0 || needed == first);
        }
    }

    #[test]
    fn matched_letters_spell_the_word(text in "[aAbBé-]{0,12}", word in "[abé]{0,3}") {
        if let Some(found) = Word::new(&word, Anchor::Exact).find(&text) {
            prop_assert_eq!(text[found].to_lowercase(), word);
        } else {
            prop_assert!(!text.to_lowercase().contains(&word));
        }
    }
}
