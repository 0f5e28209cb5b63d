//! Names inside of archives.

/// The shortest equivalent name: no `.` parts, no doubled `/`, and `..` resolved where possible; "." for the empty name.
///
/// # Source
///
/// Go's `path.Clean`.
pub(super) fn clean(name: &str) -> String {
    let is_rooted = name.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if is_rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (is_rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// `inner` below `outer`, cleaned; "" if both are empty.
pub(super) fn join(outer: &str, inner: &str) -> String {
    match (outer.is_empty(), inner.is_empty()) {
        (true, true) => String::new(),
        (true, false) => clean(inner),
        (false, true) => clean(outer),
        (false, false) => clean(&format!("{outer}/{inner}")),
    }
}

/// True if, on any system, a file of this name would be unpacked to a place outside of the target folder.
pub(super) fn is_outside(name: &str) -> bool {
    let name = name.replace('\\', "/");
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    let cleaned = clean(&name);
    has_drive || cleaned.starts_with('/') || cleaned == ".." || cleaned.starts_with("../")
}
