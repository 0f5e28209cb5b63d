//! Outputs: values that know their dependencies, whether they are known, and whether they are secret.
