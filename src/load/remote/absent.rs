//! The answers of a build without connections.

use std::io;

use super::{Address, Listed, Object, Wanted};
use crate::text::Limit;

fn absent<T>() -> io::Result<T> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this build makes no connections; `cargo install --path . --features remote` in a clone makes one that reads buckets and URLs",
    ))
}

pub(super) fn is_object(_: &Address) -> io::Result<bool> {
    absent()
}

pub(super) fn read(_: &Address, _: Limit) -> io::Result<Vec<u8>> {
    absent()
}

pub(super) fn list(_: &Address) -> io::Result<Listed> {
    absent()
}

pub(super) fn siblings(_: &Address) -> io::Result<Vec<Object>> {
    absent()
}

pub(super) fn versions(_: &Address) -> io::Result<Vec<Object>> {
    absent()
}

pub(super) fn heads(objects: &[&Object], _: u64) -> Vec<io::Result<Vec<u8>>> {
    objects.iter().map(|_| absent()).collect()
}

pub(super) fn read_all(wanted: &[Wanted<'_>]) -> Vec<io::Result<Option<Vec<u8>>>> {
    wanted.iter().map(|_| absent()).collect()
}
