//! The bytes of a Parquet file. What the file says of itself is held against its length, and its end is an error to
//! whoever reads on: the decoder would go on skipping for ever.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{ChunkReader, Length};

pub(super) struct Chunks {
    file: File,
    length: u64,
}

impl Chunks {
    pub fn of(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Chunks { file, length })
    }

    pub fn length(&self) -> u64 {
        self.length
    }
}

/// Whether all columns lie within the file.
pub(super) fn check(metadata: &ParquetMetaData, length: u64) -> Result<(), String> {
    for (g, group) in metadata.row_groups().iter().enumerate() {
        for column in group.columns() {
            let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
            let (start, size) = (u64::try_from(start), u64::try_from(column.compressed_size()));
            let end = start.ok().zip(size.ok()).and_then(|(start, size)| start.checked_add(size));
            if end.is_none_or(|end| end > length) {
                let name = column.column_path().string();
                return Err(format!(
                    "row group {} says that column `{name}` lies outside of the file",
                    g + 1
                ));
            }
        }
    }
    Ok(())
}

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Chunks {
    type T = BufReader<EndIsAnError>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(start))?;
        Ok(BufReader::new(EndIsAnError(file)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if start.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(ParquetError::EOF(format!("{length} bytes from {start} on are not in the file")));
        }
        self.file.get_bytes(start, length)
    }
}

pub(super) struct EndIsAnError(File);

impl Read for EndIsAnError {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 if !buffer.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            n => Ok(n),
        }
    }
}
