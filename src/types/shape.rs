//! The three shapes of a type.

use std::sync::Arc;

use super::{ObjectType, Type};

impl Type {
    /// The type with `Input` pushed inwards: every place in a composite type also accepts an output.
    ///
    /// # Source
    ///
    /// The type system specification, `inputShape`.
    #[must_use]
    pub fn input_shape(&self) -> Self {
        Self::Input(Arc::new(self.reshape(&Self::input_shape)))
    }

    /// The type with `Output` pushed inwards: every place in a composite type has separate metadata.
    ///
    /// # Source
    ///
    /// The type system specification, `outputShape`.
    #[must_use]
    pub fn output_shape(&self) -> Self {
        Self::Output(Arc::new(self.reshape(&Self::output_shape)))
    }

    /// The type with one layer of `Output` or `Promise` removed at every place in a composite type.
    ///
    /// # Source
    ///
    /// The type system specification, `plainShape`.
    #[must_use]
    pub fn plain_shape(&self) -> Self {
        self.reshape(&Self::plain_shape)
    }

    /// The case table that the three shapes share. `inner` is applied to the parts of a composite type.
    fn reshape(&self, inner: &dyn Fn(&Self) -> Self) -> Self {
        let shared = |ty: &Arc<Self>| Arc::new(inner(ty));
        match self {
            Self::Tuple(types) => Self::Tuple(types.iter().map(inner).collect()),
            Self::Array(ty) => Self::Array(shared(ty)),
            Self::Set(ty) => Self::Set(shared(ty)),
            Self::Map(ty) => Self::Map(shared(ty)),
            Self::Object(object) => Self::Object(ObjectType {
                attributes: object
                    .attributes
                    .iter()
                    .map(|(key, ty)| (key.clone(), inner(ty)))
                    .collect(),
                optional: object.optional.clone(),
            }),
            Self::Union(types) => Self::Union(types.iter().map(inner).collect()),
            // Its definition: Union<T, Output<T>>.
            Self::Input(ty) => Self::Union(vec![inner(ty), inner(&Self::Output(ty.clone()))]),
            Self::Promise(ty) | Self::Output(ty) => ty.as_ref().clone(),
            Self::Null
            | Self::Bool
            | Self::Number
            | Self::String
            | Self::Asset
            | Self::Archive
            | Self::Reference
            | Self::Enum(..)
            | Self::Dynamic => self.clone(),
        }
    }
}
