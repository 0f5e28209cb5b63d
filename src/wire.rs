//! Values to and from the forms that engines send over the wire and store in state files.
