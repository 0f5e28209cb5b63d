//! The `stacklens` program. Everything it does is in the library.

use std::process::ExitCode;

/// The allocator of glibc keeps what the jobs of a long session free, for each thread apart: a file of a gigabyte grew by
/// 80 MB in 3,000 keys. This one gives it back. `tests/bench/soak.sh` presses such keys.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    stacklens::program::main()
}
