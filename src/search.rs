//! Search: the query language, the index and the fuzzy match.
