//! Scans the bytes of a file without parsing it.

use std::io::{self, Read};

use super::super::run;
use crate::format;
use crate::search::Prefilter;

/// Number of bytes that are scanned at once.
const PIECE: usize = 1 << 20;

/// False only if the bytes are a whole JSON file that holds no hit of the query of `filter`.
///
/// Files that are packed, encrypted or translated have other bytes than their values, so they are never ruled out. Nor is a file that
/// does not end as JSON does: it may be cut off, and whoever loads it says so.
pub(super) fn may_hit(reader: impl Read, filter: &Prefilter, buffer: &mut Vec<u8>) -> bool {
    scan(reader, filter, buffer).unwrap_or(true)
}

fn scan(mut reader: impl Read, filter: &Prefilter, buffer: &mut Vec<u8>) -> io::Result<bool> {
    let overlap = filter.reach();
    buffer.resize(PIECE + overlap, 0);
    // Number of bytes at the start of the buffer that were scanned already.
    let mut kept = 0;
    let mut is_first = true;
    let mut last = b' ';
    loop {
        let end = fill(&mut reader, buffer, kept)?;
        let piece = &buffer[..end];
        if is_first && !format::has_plain_values(&piece[..end.min(run::HEAD)]) {
            return Ok(true);
        }
        is_first = false;
        if filter.may_hit(piece) {
            return Ok(true);
        }
        let fresh = piece[kept..].trim_ascii_end();
        last = *fresh.last().unwrap_or(&last);
        if end < buffer.len() {
            return Ok(last != b'}');
        }
        buffer.copy_within(end - overlap..end, 0);
        kept = overlap;
    }
}

/// Reads until the buffer is full or the file ends. Returns the number of bytes in the buffer.
pub(super) fn fill(reader: &mut impl Read, buffer: &mut [u8], start: usize) -> io::Result<usize> {
    let mut end = start;
    while end < buffer.len() {
        match reader.read(&mut buffer[end..]) {
            Ok(0) => break,
            Ok(n_read) => end += n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Query;

    #[track_caller]
    fn check(bytes: &[u8], query: &str, want: bool) {
        let filter = Prefilter::of(&Query::parse(query).unwrap()).unwrap();
        assert_eq!(may_hit(bytes, &filter, &mut Vec::new()), want, "{query}");
    }

    fn state(before: usize, text: &str) -> Vec<u8> {
        let space = " ".repeat(before);
        format!(r#"{{"version":4,"serial":1,"lineage":"l",{space}"resources":["{text}"]}}"#).into()
    }

    #[test]
    fn a_text_is_found_across_pieces() {
        check(&state(0, "ami-1"), "=ami-2", false);
        check(&state(0, "ami-2"), "=ami-2", true);
        check(&state(0, "a\\u003cb"), "=a<b", true);
        for before in PIECE - 80..PIECE + 20 {
            check(&state(before, "ami-2"), "=ami-2", true);
        }
        check(&state(3 * PIECE, "ami-1"), "=ami-2", false);
    }

    #[test]
    fn only_whole_json_is_ruled_out() {
        let whole = state(0, "ami-1");
        check(&whole[..whole.len() - 1], "=ami-2", true);
        check(&[&whole[..], b"\n \n"].concat(), "=ami-2", false);
        check(&zstd::encode_all(&whole[..], 1).unwrap(), "=ami-2", true);
        // A state of an old version is translated.
        check(br#"{"version":3,"serial":1,"modules":[]}"#, "=ami-2", true);
    }

    #[test]
    fn a_query_without_a_text_of_values_rules_out_nothing() {
        for query in ["web", "!=a", "=~a", "=a | web", "new:a", "is:secret"] {
            assert!(
                Prefilter::of(&Query::parse(query).unwrap()).is_none(),
                "{query}"
            );
        }
        for query in ["=a", "=a web", "=a | =b type:x"] {
            assert!(
                Prefilter::of(&Query::parse(query).unwrap()).is_some(),
                "{query}"
            );
        }
    }
}
