//! Files that were cut off: while they were written, copied or packed.

/// The start of `file`, nearly all of it, and its start with zeros in place of the rest, as after a loss of power.
pub(super) fn pieces(file: &[u8]) -> [Vec<u8>; 3] {
    let mut zeros = file[..file.len() / 2].to_vec();
    zeros.resize(file.len() + 64, 0);
    let nearly = file.len().saturating_sub(2);
    [
        file[..file.len() * 2 / 3].to_vec(),
        file[..nearly].to_vec(),
        zeros,
    ]
}
