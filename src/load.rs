//! Loading: a path or a pipe to chunks, to records, and bytes again on demand. The only reader of the file system.
