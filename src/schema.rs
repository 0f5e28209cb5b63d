//! Schemas: what a provider says of a resource type (`terraform providers schema -json`).
