use super::*;

#[test]
fn the_piece_is_what_every_writer_leaves_as_it_is() {
    assert_eq!(plain_piece("10.0.3.17"), "10.0.3.17");
    assert_eq!(plain_piece("a/longer/b"), "longer");
    assert_eq!(plain_piece("say \"hello\""), "hello");
    assert_eq!(plain_piece("über alles"), "ber alles");
    assert_eq!(plain_piece("\n"), "");
    assert_eq!(plain_piece(""), "");
}
