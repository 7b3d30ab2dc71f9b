//! Packed columns say how much memory they need once unpacked, and the decoder takes their word for it. Here that
//! is held against what they could possibly hold, before any is taken.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use arrow_ipc::{RecordBatch, root_as_footer, root_as_message};

/// No byte of packed data becomes more: zstd's shortest block of one repeated byte is that good.
const MOST_FOR_A_BYTE: u64 = 1 << 16;
const MOST: u64 = 8 << 30;
const MARK: [u8; 4] = [0xff; 4];

/// The messages that a footer names.
pub(super) fn check_file(file: &mut File) -> Result<(), String> {
    let length = length(file)?;
    let end = read(file, length.saturating_sub(10), 10, length)?;
    let footer_length = u64::from(number(&end)?);
    let start = length.checked_sub(10 + footer_length).ok_or("its footer is longer than the file")?;
    let footer = read(file, start, footer_length, length)?;
    let footer = root_as_footer(&footer).map_err(|e| e.to_string())?;
    let blocks = [footer.dictionaries(), footer.recordBatches()];
    for block in blocks.into_iter().flatten().flatten() {
        let (Ok(offset), Ok(metadata), Ok(body)) = (
            u64::try_from(block.offset()),
            u64::try_from(block.metaDataLength()),
            u64::try_from(block.bodyLength()),
        ) else {
            return Err(OUTSIDE.into());
        };
        let bytes = read(file, offset, metadata, length)?;
        let message = bytes.strip_prefix(&MARK).unwrap_or(&bytes).get(4..).unwrap_or_default();
        check_message(file, message, offset + metadata, length)?;
        // The footer has its own word for how long the body is, and that much memory is taken.
        if body > length - offset - metadata {
            return Err(OUTSIDE.into());
        }
    }
    Ok(())
}

/// The messages one after the other.
pub(super) fn check_stream(file: &mut File) -> Result<(), String> {
    let length = length(file)?;
    let mut at = 0;
    while at + 8 <= length {
        let start = read(file, at, 8, length)?;
        let (prefix, size) = match start.strip_prefix(&MARK) {
            Some(size) => (8, number(size)?),
            None => (4, number(&start)?),
        };
        if size == 0 {
            break;
        }
        let message = read(file, at + prefix, size.into(), length)?;
        at = check_message(file, &message, at + prefix + u64::from(size), length)?;
    }
    Ok(())
}

const OUTSIDE: &str = "it says that a part of it lies outside of the file";

fn length(file: &File) -> Result<u64, String> {
    file.metadata().map(|metadata| metadata.len()).map_err(|e| e.to_string())
}

fn read(file: &mut File, start: u64, count: u64, length: u64) -> Result<Vec<u8>, String> {
    if start.checked_add(count).is_none_or(|end| end > length) {
        return Err(OUTSIDE.into());
    }
    let mut bytes = vec![0; count as usize];
    file.seek(SeekFrom::Start(start)).and_then(|_| file.read_exact(&mut bytes)).map_err(|e| e.to_string())?;
    Ok(bytes)
}

fn number(bytes: &[u8]) -> Result<u32, String> {
    bytes.first_chunk().map(|four| u32::from_le_bytes(*four)).ok_or_else(|| OUTSIDE.into())
}

/// Where the message's body ends.
fn check_message(file: &mut File, bytes: &[u8], body: u64, length: u64) -> Result<u64, String> {
    let message = root_as_message(bytes).map_err(|e| e.to_string())?;
    let size = u64::try_from(message.bodyLength()).map_err(|_| OUTSIDE)?;
    let end = body.checked_add(size).filter(|end| *end <= length).ok_or(OUTSIDE)?;
    let dictionary = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
    if let Some(batch) = message.header_as_record_batch().or(dictionary) {
        check_batch(file, batch, body, length)?;
    }
    Ok(end)
}

fn check_batch(file: &mut File, batch: RecordBatch<'_>, body: u64, length: u64) -> Result<(), String> {
    if batch.compression().is_none() {
        return Ok(());
    }
    for buffer in batch.buffers().into_iter().flatten() {
        let (Ok(offset), Ok(packed)) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length()))
        else {
            return Err(OUTSIDE.into());
        };
        if packed < 8 {
            continue;
        }
        let start = body.checked_add(offset).ok_or(OUTSIDE)?;
        let said = read(file, start, 8, length)?;
        let said = said.first_chunk().map_or(0, |eight| i64::from_le_bytes(*eight));
        if u64::try_from(said).is_ok_and(|said| said > MOST.min(packed.saturating_mul(MOST_FOR_A_BYTE))) {
            return Err(format!("{packed} packed bytes are said to hold {said}"));
        }
    }
    Ok(())
}
