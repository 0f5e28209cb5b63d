//! Differences of Pulumi values, as its engine computes them.
