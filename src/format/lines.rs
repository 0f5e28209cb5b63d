//! Logs: JSON documents one after the other, with other text between them.

use crate::json::{self, Numbers};
use crate::value::{Map, Value};

/// The objects of a log.
pub(super) struct Log {
    /// The objects, in order.
    pub(super) objects: Vec<Map>,
    /// How many lines are something else.
    pub(super) n_other: usize,
    /// Where the first of these is, counted from 1.
    pub(super) first_other: usize,
}

/// Reads a log: each line that is an object; or one array, or one object whose `wrapper` is an array of objects.
pub(super) fn read(bytes: &[u8], numbers: Numbers, wrapper: &str) -> Log {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut log = Log {
        objects: Vec::new(),
        n_other: 0,
        first_other: 0,
    };
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        // CI systems put a time in front of each line.
        let start = memchr::memchr(b'{', line).unwrap_or(0);
        match json::parse(&line[start..], numbers).map(|parsed| parsed.value) {
            Ok(value) if value.as_map().is_some() => {
                log.objects.extend(value.as_map().cloned());
            }
            _ => {
                log.n_other += 1;
                if log.n_other == 1 {
                    log.first_other = number + 1;
                }
            }
        }
    }
    if log.objects.is_empty() || log.objects.len() == 1 && log.objects[0].contains_key(wrapper) {
        unwrap(bytes, numbers, wrapper, &mut log);
    }
    log
}

fn unwrap(bytes: &[u8], numbers: Numbers, wrapper: &str, log: &mut Log) {
    let Ok(parsed) = json::parse(bytes, numbers) else {
        return;
    };
    let list = parsed.value.get(wrapper).unwrap_or(&parsed.value);
    if let Some(items) = list.as_array() {
        log.n_other = 0;
        log.objects = items.iter().filter_map(Value::as_map).cloned().collect();
    }
}

/// `text` without the colour tags of Pulumi (`<{%fg 1%}>`).
pub(super) fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once("<{%") {
        plain.push_str(before);
        if let Some((_, after)) = tag.split_once("%}>") {
            rest = after;
        } else {
            plain.push_str("<{%");
            rest = tag;
        }
    }
    plain.push_str(rest);
    plain
}
