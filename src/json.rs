//! JSON text to plain values and back, keeping what a JSON library would drop: exact digits, key order, spans, lone surrogates.
