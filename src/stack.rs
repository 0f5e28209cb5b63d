//! Stacks: what every file becomes.
