//! Rows that wait to be written, column by column.

use super::{Column, ColumnType, Table};

/// A value of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Cell<'c> {
    /// No value.
    Null,
    /// A text.
    Text(&'c str),
    /// A whole number, or a time in milliseconds.
    Long(i64),
    /// A floating-point number.
    Double(f64),
    /// True or false.
    Boolean(bool),
}

impl<'c> Cell<'c> {
    /// A text, or none if it is empty.
    pub fn filled(text: &'c str) -> Self {
        Some(text).filter(|text| !text.is_empty()).into()
    }

    /// A count.
    pub fn count(n: u64) -> Self {
        Self::Long(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

impl<'c> From<&'c str> for Cell<'c> {
    fn from(text: &'c str) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Cell<'_> {
    fn from(is: bool) -> Self {
        Self::Boolean(is)
    }
}

impl<'c, T: Into<Cell<'c>>> From<Option<T>> for Cell<'c> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Rows of one table.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The columns, in the order of [`Table::columns`].
    pub columns: Vec<ColumnBuffer>,
    n_rows: usize,
    n_bytes: usize,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub struct ColumnBuffer {
    /// The values that are there.
    pub values: Values,
    /// For each row of a nullable column 1 if it has a value, else 0. Empty if every row has one.
    pub levels: Vec<i16>,
    is_nullable: bool,
}

/// Values of one type.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Texts, one after another. A text that follows itself is kept once.
    Texts {
        /// The texts.
        bytes: Vec<u8>,
        /// Start and length of each.
        spans: Vec<(usize, usize)>,
    },
    /// Whole numbers and times.
    Longs(Vec<i64>),
    /// Floating-point numbers.
    Doubles(Vec<f64>),
    /// Booleans.
    Booleans(Vec<bool>),
}

impl Values {
    fn of(ty: ColumnType) -> Self {
        match ty {
            ColumnType::Text => Self::Texts {
                bytes: Vec::new(),
                spans: Vec::new(),
            },
            ColumnType::Long | ColumnType::Time => Self::Longs(Vec::new()),
            ColumnType::Double => Self::Doubles(Vec::new()),
            ColumnType::Boolean => Self::Booleans(Vec::new()),
        }
    }
}

impl ColumnBuffer {
    fn new(column: &Column) -> Self {
        Self {
            values: Values::of(column.ty),
            levels: Vec::new(),
            is_nullable: column.is_nullable,
        }
    }

    /// Adds a value. Returns the memory that it takes, in bytes.
    fn push(&mut self, cell: Cell<'_>) -> usize {
        if self.is_nullable {
            self.levels.push(i16::from(cell != Cell::Null));
        }
        match (&mut self.values, cell) {
            (_, Cell::Null) => {
                assert!(
                    self.is_nullable,
                    "a required column has a value in every row"
                );
                size_of::<i16>()
            }
            (Values::Texts { bytes, spans }, Cell::Text(text)) => {
                let is_last = |(start, len): &&(usize, usize)| {
                    bytes.get(*start..start + len) == Some(text.as_bytes())
                };
                let span = spans.last().filter(is_last).copied();
                let added = if span.is_none() { text.len() } else { 0 };
                spans.push(span.unwrap_or_else(|| {
                    bytes.extend_from_slice(text.as_bytes());
                    (bytes.len() - text.len(), text.len())
                }));
                added + size_of::<(usize, usize)>()
            }
            (Values::Longs(values), Cell::Long(value)) => {
                values.push(value);
                size_of::<i64>()
            }
            (Values::Doubles(values), Cell::Double(value)) => {
                values.push(value);
                size_of::<f64>()
            }
            (Values::Booleans(values), Cell::Boolean(value)) => {
                values.push(value);
                size_of::<bool>()
            }
            (
                Values::Texts { .. } | Values::Longs(_) | Values::Doubles(_) | Values::Booleans(_),
                _,
            ) => unreachable!("a cell has the type of its column"),
        }
    }

    fn append(&mut self, other: &Self) {
        self.levels.extend_from_slice(&other.levels);
        match (&mut self.values, &other.values) {
            (
                Values::Texts { bytes, spans },
                Values::Texts {
                    bytes: more,
                    spans: their,
                },
            ) => {
                let before = bytes.len();
                bytes.extend_from_slice(more);
                spans.extend(their.iter().map(|(start, len)| (before + start, *len)));
            }
            (Values::Longs(values), Values::Longs(more)) => values.extend_from_slice(more),
            (Values::Doubles(values), Values::Doubles(more)) => values.extend_from_slice(more),
            (Values::Booleans(values), Values::Booleans(more)) => values.extend_from_slice(more),
            (
                Values::Texts { .. } | Values::Longs(_) | Values::Doubles(_) | Values::Booleans(_),
                _,
            ) => {
                unreachable!("both are the same column")
            }
        }
    }
}

impl Buffer {
    /// No rows of this table.
    pub fn new(table: Table) -> Self {
        Self {
            columns: table.columns().iter().map(ColumnBuffer::new).collect(),
            n_rows: 0,
            n_bytes: 0,
        }
    }

    /// Adds a row: its first cell, and the others.
    ///
    /// # Panics
    ///
    /// If it does not have the columns of the table.
    pub fn push(&mut self, first: Cell<'_>, others: &[Cell<'_>]) {
        assert_eq!(
            1 + others.len(),
            self.columns.len(),
            "a cell for each column"
        );
        let cells = std::iter::once(&first).chain(others);
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            self.n_bytes += column.push(*cell);
        }
        self.n_rows += 1;
    }

    /// Adds all rows of another one.
    pub fn append(&mut self, other: &Self) {
        for (column, more) in self.columns.iter_mut().zip(&other.columns) {
            column.append(more);
        }
        self.n_rows += other.n_rows;
        self.n_bytes += other.n_bytes;
    }

    /// Number of rows.
    #[cfg(any(test, feature = "internals"))]
    pub fn len(&self) -> usize {
        self.n_rows
    }

    /// True if there is no row.
    pub fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// The memory that the rows take, in bytes.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_follows_itself_is_kept_once() {
        let mut column = ColumnBuffer::new(&Table::Stacks.columns()[0]);
        for text in ["a", "a", "", "", "bc", "a"] {
            column.push(text.into());
        }
        let Values::Texts { bytes, spans } = &column.values else {
            panic!("no texts");
        };
        assert_eq!(bytes, b"abca");
        assert_eq!(spans, &[(0, 1), (0, 1), (1, 0), (1, 0), (1, 2), (3, 1)]);
        let mut both = column.clone();
        both.append(&column);
        let Values::Texts { bytes, spans } = &both.values else {
            panic!("no texts");
        };
        let texts = spans.iter().map(|(start, len)| &bytes[*start..start + len]);
        let want: Vec<&[u8]> = vec![b"a", b"a", b"", b"", b"bc", b"a"];
        assert!(texts.eq(want.iter().copied().chain(want.iter().copied())));
    }
}
