//! The command line: one file per printing command.
