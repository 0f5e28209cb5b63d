//! JSON outputs beside their JSON Schemas.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

use super::json;

/// A schema that is itself valid.
pub(super) struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    /// The schema of a JSON output, as `stacklens schema` prints it.
    #[track_caller]
    pub(super) fn of(name: &str) -> Self {
        Self::new(json(&["schema", name]))
    }

    #[track_caller]
    pub(super) fn new(schema: Value) -> Self {
        let mut schemas = Schemas::new();
        let mut compiler = Compiler::new();
        compiler.enable_format_assertions();
        compiler.add_resource("schema.json", schema).unwrap();
        let index = compiler.compile("schema.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    pub(super) fn allows(&self, document: &Value) -> bool {
        self.schemas.validate(document, self.index).is_ok()
    }

    /// Fails if a document does not follow the schema.
    #[track_caller]
    pub(super) fn check(&self, document: &Value, what: &str) {
        if let Err(error) = self.schemas.validate(document, self.index) {
            panic!("{what}: {error}\n{document}");
        }
    }
}
