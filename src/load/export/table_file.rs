//! Files of a table: the only module that knows Parquet.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::record::{Field, Row};
use parquet::schema::parser::parse_message_type;

use crate::dataset::{Buffer, ColumnBuffer, ColumnType, Table, Values};

/// Number of rows that are encoded at once.
const BATCH: usize = 8192;

/// A file with rows of a table.
pub(super) struct TableWriter(SerializedFileWriter<File>);

/// The schema of a table, as Parquet writes it.
fn schema(table: Table, names: Option<&[&str]>) -> String {
    let mut schema = format!("message {} {{\n", table.name());
    let is_wanted = |name: &str| names.is_none_or(|names| names.contains(&name));
    for column in table.columns().iter().filter(|it| is_wanted(it.name)) {
        let repetition = if column.is_nullable {
            "optional"
        } else {
            "required"
        };
        let (ty, logical) = match column.ty {
            ColumnType::Text => ("binary", " (STRING)"),
            ColumnType::Long => ("int64", ""),
            ColumnType::Time => ("int64", " (TIMESTAMP(MILLIS,true))"),
            ColumnType::Double => ("double", ""),
            ColumnType::Boolean => ("boolean", ""),
        };
        // Writing to a string cannot fail.
        _ = writeln!(schema, "  {repetition} {ty} {}{logical};", column.name);
    }
    schema + "}"
}

impl TableWriter {
    /// A new file.
    pub(super) fn create(path: &Path, table: Table) -> io::Result<Self> {
        let level = ZstdLevel::try_new(1).map_err(in_io)?;
        let properties = WriterProperties::builder()
            .set_created_by(concat!("stacklens ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(level))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .build();
        let schema = parse_message_type(&schema(table, None)).map_err(in_io)?;
        let file = File::create_new(path)?;
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties));
        Ok(Self(writer.map_err(in_io)?))
    }

    /// Adds rows as one row group.
    pub(super) fn write(&mut self, buffer: Buffer) -> io::Result<()> {
        self.write_group(buffer).map_err(in_io)
    }

    fn write_group(&mut self, buffer: Buffer) -> Result<(), ParquetError> {
        let mut group = self.0.next_row_group()?;
        for ColumnBuffer { values, levels, .. } in buffer.columns {
            let mut writer = group
                .next_column()?
                .expect("the schema has the columns of the table");
            match values {
                Values::Longs(values) => {
                    write_column::<Int64Type, _>(&mut writer, &values, &levels, |it| *it)?;
                }
                Values::Doubles(values) => {
                    write_column::<DoubleType, _>(&mut writer, &values, &levels, |it| *it)?;
                }
                Values::Booleans(values) => {
                    write_column::<BoolType, _>(&mut writer, &values, &levels, |it| *it)?;
                }
                Values::Texts { bytes, spans } => {
                    let bytes = ByteArray::from(bytes);
                    let text = |(start, len): &(usize, usize)| bytes.slice(*start, *len);
                    write_column::<ByteArrayType, _>(&mut writer, &spans, &levels, text)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Number of bytes in the file so far.
    pub(super) fn n_bytes(&self) -> usize {
        self.0.bytes_written()
    }

    /// Ends the file. Its bytes are on the disk then.
    pub(super) fn close(self) -> io::Result<()> {
        self.0.into_inner().map_err(in_io)?.sync_all()
    }
}

/// Writes a column. Without levels every row has a value.
fn write_column<T: DataType, V>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &[V],
    levels: &[i16],
    value: impl Fn(&V) -> T::T,
) -> Result<(), ParquetError> {
    let writer = writer.typed::<T>();
    if levels.is_empty() {
        for values in values.chunks(BATCH) {
            let values: Vec<T::T> = values.iter().map(&value).collect();
            writer.write_batch(&values, None, None)?;
        }
        return Ok(());
    }
    let mut rest = values;
    for levels in levels.chunks(BATCH) {
        let n_values = levels.iter().filter(|level| **level > 0).count();
        let (values, after) = rest.split_at(n_values);
        rest = after;
        let values: Vec<T::T> = values.iter().map(&value).collect();
        writer.write_batch(&values, Some(levels), None)?;
    }
    Ok(())
}

/// Calls `take` with the fields of each row of a file: those of the named columns, in the order of the table.
///
/// # Errors
///
/// If it is no file of the table.
pub fn read(
    path: &Path,
    table: Table,
    names: &[&str],
    take: &mut dyn FnMut(&Fields),
) -> io::Result<()> {
    let wanted = parse_message_type(&schema(table, Some(names))).map_err(in_io)?;
    let reader = SerializedFileReader::new(File::open(path)?).map_err(in_io)?;
    for row in reader.get_row_iter(Some(wanted)).map_err(in_io)? {
        take(&Fields(row.map_err(in_io)?));
    }
    Ok(())
}

/// The fields of a row that was read.
pub struct Fields(Row);

impl Fields {
    /// A field as text; `None` if it has no value.
    pub fn text(&self, index: usize) -> Option<String> {
        let (_, field) = self.0.get_column_iter().nth(index)?;
        match field {
            Field::Null => None,
            Field::Str(text) => Some(text.clone()),
            field => Some(field.to_string()),
        }
    }

    /// A field as a number; `None` if it is none.
    pub fn long(&self, index: usize) -> Option<i64> {
        let (_, field) = self.0.get_column_iter().nth(index)?;
        match field {
            Field::Long(number) => Some(*number),
            _ => None,
        }
    }
}

/// An error of the system as it was, other errors in words.
fn in_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
