//! One file for a model: safetensors with a JSON header and a checksum over the whole.
//!
//! Tensors hold the numbers; the metadata key `likewise` holds everything else as JSON. Nothing in the
//! file can run code, and no size written in it is trusted before the bytes are seen to be there.

use std::collections::HashMap;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView, serialize};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::data::{Csr, Dense, Texts};
use crate::error::{Error, Result};

/// Rises when a reader of the old version could misread a new file.
pub const FORMAT: u64 = 1;

/// Words and columns are named in the file, so it has more bytes than columns; columns without names are at most so many.
const MOST_COLUMNS: usize = 1 << 24;

const HEADER: &str = "likewise";
const CHECKSUM: &str = "checksum";
const NO_CHECKSUM: &str = "00000000";

/// Collects named tensors and values. Names are joined by `/` inside `nested` parts.
#[derive(Default)]
pub struct Writer {
    prefix: String,
    tensors: Vec<(String, Dtype, Vec<usize>, Vec<u8>)>,
    values: Map<String, Value>,
    kept_rows: usize,
}

macro_rules! numbers {
    ($write:ident, $read:ident, $type:ty, $dtype:expr, $usable:expr) => {
        impl Writer {
            /// Adds a tensor.
            pub fn $write(&mut self, name: &str, shape: &[usize], numbers: &[$type]) {
                debug_assert_eq!(shape.iter().product::<usize>(), numbers.len(), "{name}");
                let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
                self.tensors.push((self.full(name), $dtype, shape.to_vec(), bytes));
            }
        }
        impl Reader {
            /// Reads a tensor; what is not finite is refused.
            pub fn $read(&self, name: &str) -> Result<Vec<$type>> {
                let bytes = self.tensor(name, $dtype)?.1;
                let width = std::mem::size_of::<$type>();
                let usable: fn(&$type) -> bool = $usable;
                let numbers: Vec<$type> = bytes
                    .chunks_exact(width)
                    .map(|b| <$type>::from_le_bytes(b.try_into().expect("width")))
                    .collect();
                match numbers.iter().all(usable) {
                    true => Ok(numbers),
                    false => Err(Error::model_file(format!("`{name}` holds what is not a finite number"))),
                }
            }
        }
    };
}
numbers!(f32s, read_f32s, f32, Dtype::F32, |n| n.is_finite());
numbers!(f64s, read_f64s, f64, Dtype::F64, |n| n.is_finite());
numbers!(u32s, read_u32s, u32, Dtype::U32, |_| true);
numbers!(u64s, read_u64s, u64, Dtype::U64, |_| true);

impl Writer {
    fn full(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// A plain value: a number, a text, a small struct.
    pub fn value(&mut self, name: &str, value: &impl Serialize) {
        let value = serde_json::to_value(value).expect("a plain value");
        self.values.insert(self.full(name), value);
    }

    /// One number, kept to the last bit, which a JSON value does not promise.
    pub fn number(&mut self, name: &str, number: f64) {
        self.f64s(name, &[1], &[number]);
    }

    /// Adds a list of texts.
    pub fn texts(&mut self, name: &str, texts: &Texts) {
        let mut end = 0;
        let ends: Vec<u64> = (texts.iter())
            .map(|text| {
                end += text.len() as u64;
                end
            })
            .collect();
        self.u64s(&format!("{name}.ends"), &[ends.len()], &ends);
        let bytes: Vec<u8> = texts.iter().flat_map(str::bytes).collect();
        let full = self.full(&format!("{name}.bytes"));
        self.tensors.push((full, Dtype::U8, vec![bytes.len()], bytes));
    }

    /// Adds a sparse matrix.
    pub fn csr(&mut self, name: &str, x: &Csr) {
        self.value(&format!("{name}.cols"), &x.cols);
        let indptr: Vec<u64> = x.indptr.iter().map(|&i| i as u64).collect();
        self.u64s(&format!("{name}.indptr"), &[indptr.len()], &indptr);
        self.u32s(&format!("{name}.indices"), &[x.indices.len()], &x.indices);
        self.f32s(&format!("{name}.values"), &[x.values.len()], &x.values);
    }

    /// Adds a dense matrix.
    pub fn dense(&mut self, name: &str, x: &Dense) {
        self.f32s(name, &[x.rows(), x.cols], &x.values);
    }

    /// Says that so many rows of what was written are rows of training, which whoever reads the file can read.
    pub fn kept_rows(&mut self, rows: usize) {
        self.kept_rows += rows;
    }

    /// How many rows of training were written.
    pub fn rows_kept(&self) -> usize {
        self.kept_rows
    }

    /// Writes a part (a base model, say) under a name of its own.
    pub fn nested<T>(&mut self, name: &str, write: impl FnOnce(&mut Writer) -> T) -> T {
        let outer = std::mem::take(&mut self.prefix);
        self.prefix = format!("{outer}{name}/");
        let out = write(self);
        self.prefix = outer;
        out
    }

    /// The bytes of the file.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        self.values.insert("format".into(), FORMAT.into());
        self.values.insert(CHECKSUM.into(), NO_CHECKSUM.into());
        // One entry only: safetensors writes several in an order that changes from run to run.
        let metadata = HashMap::from([(HEADER.to_string(), Value::Object(self.values).to_string())]);
        let tensors = self.tensors.iter().map(|(name, dtype, shape, bytes)| {
            TensorView::new(*dtype, shape.clone(), bytes).map(|view| (name.as_str(), view)).map_err(container)
        });
        let tensors: Vec<_> = tensors.collect::<Result<_>>()?;
        let mut bytes = serialize(tensors, Some(metadata)).map_err(container)?;
        seal(&mut bytes);
        Ok(bytes)
    }
}

fn container(e: safetensors::SafeTensorError) -> Error {
    Error::model_file(format!("{e:?}"))
}

/// Writes the checksum into its place.
fn seal(bytes: &mut [u8]) {
    let at = checksum_position(bytes).expect("a file of ours");
    let sum = checksum(bytes, at);
    bytes[at..at + sum.len()].copy_from_slice(sum.as_bytes());
}

/// Over everything but the digits at `at`, which count as zeros.
fn checksum(bytes: &[u8], at: usize) -> String {
    let mut hash = crc32fast::Hasher::new();
    hash.update(&bytes[..at]);
    hash.update(NO_CHECKSUM.as_bytes());
    hash.update(&bytes[at + NO_CHECKSUM.len()..]);
    format!("{:08x}", hash.finalize())
}

/// Where the eight hexadecimal digits of the checksum stand: in JSON without blanks, inside a JSON text.
fn checksum_position(bytes: &[u8]) -> Option<usize> {
    let length = usize::try_from(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?)).ok()?;
    let header = bytes.get(8..8usize.checked_add(length)?)?;
    let key = format!("\\\"{CHECKSUM}\\\":\\\"");
    let at = header.windows(key.len()).position(|w| w == key.as_bytes())? + key.len();
    header.get(at..at + NO_CHECKSUM.len()).map(|_| 8 + at)
}

/// What a model file holds, checked as a whole before anything is read from it.
pub struct Reader {
    prefix: String,
    parts: std::sync::Arc<Parts>,
}

struct Parts {
    tensors: HashMap<String, (Dtype, Vec<usize>, std::ops::Range<usize>)>,
    values: Map<String, Value>,
    bytes: Vec<u8>,
}

impl Reader {
    /// Checks the bytes as a whole.
    pub fn new(bytes: Vec<u8>) -> Result<Self> {
        let (_, metadata) = SafeTensors::read_metadata(&bytes)
            .map_err(|_| Error::model_file("it is damaged or truncated, or was not written by likewise"))?;
        let foreign = || Error::model_file("it was not written by likewise");
        let metadata = metadata.metadata().as_ref().ok_or_else(foreign)?;
        let header = metadata.get(HEADER).ok_or_else(foreign)?;
        let damaged = || {
            Error::model_file("its checksum does not match: the file is damaged; use a copy or train again")
        };
        let at = checksum_position(&bytes).ok_or_else(damaged)?;
        if checksum(&bytes, at).as_bytes() != &bytes[at..at + NO_CHECKSUM.len()] {
            return Err(damaged());
        }
        let values: Map<String, Value> = serde_json::from_str(header).map_err(|_| foreign())?;
        let format = values.get("format").and_then(Value::as_u64).ok_or_else(foreign)?;
        if format > FORMAT {
            let message = format!(
                "it has format {format}, this version reads up to {FORMAT}; install a newer likewise"
            );
            return Err(Error::model_file(message));
        }
        let file = SafeTensors::deserialize(&bytes).map_err(|_| damaged())?;
        let start = bytes.as_ptr() as usize;
        let tensors = file
            .iter()
            .map(|(name, view)| {
                let from = view.data().as_ptr() as usize - start;
                (name.to_string(), (view.dtype(), view.shape().to_vec(), from..from + view.data().len()))
            })
            .collect();
        drop(file);
        Ok(Reader { prefix: String::new(), parts: std::sync::Arc::new(Parts { tensors, values, bytes }) })
    }

    fn tensor(&self, name: &str, dtype: Dtype) -> Result<(&[usize], &[u8])> {
        let full = format!("{}{name}", self.prefix);
        match self.parts.tensors.get(&full) {
            Some((found, shape, range)) if *found == dtype => Ok((shape, &self.parts.bytes[range.clone()])),
            _ => Err(Error::model_file(format!("it has no `{full}`"))),
        }
    }

    /// What `Writer::value` wrote.
    pub fn value<T: DeserializeOwned>(&self, name: &str) -> Result<T> {
        let full = format!("{}{name}", self.prefix);
        let value =
            self.parts.values.get(&full).ok_or_else(|| Error::model_file(format!("it has no `{full}`")))?;
        serde_json::from_value(value.clone()).map_err(|e| Error::model_file(format!("`{full}`: {e}")))
    }

    /// What `Writer::number` wrote.
    pub fn number(&self, name: &str) -> Result<f64> {
        match self.read_f64s(name)?[..] {
            [number] => Ok(number),
            _ => Err(Error::model_file(format!("`{name}` is not one number"))),
        }
    }

    /// Whether a value of that name was written.
    pub fn has_value(&self, name: &str) -> bool {
        self.parts.values.contains_key(&format!("{}{name}", self.prefix))
    }

    /// Whether numbers of that name were written.
    pub fn has_numbers(&self, name: &str) -> bool {
        self.parts.tensors.contains_key(&format!("{}{name}", self.prefix))
    }

    /// What `Writer::texts` wrote.
    pub fn texts(&self, name: &str) -> Result<Texts> {
        let ends = self.read_u64s(&format!("{name}.ends"))?;
        let bytes = self.tensor(&format!("{name}.bytes"), Dtype::U8)?.1;
        let broken = || Error::model_file(format!("`{name}` is not a list of texts"));
        let all = std::str::from_utf8(bytes).map_err(|_| broken())?;
        let mut texts = Texts::new();
        let mut start = 0;
        for end in ends {
            let end = usize::try_from(end).map_err(|_| broken())?;
            texts.push(all.get(start..end).ok_or_else(broken)?);
            start = end;
        }
        Ok(texts)
    }

    /// What `Writer::csr` wrote; its sizes are checked before memory is taken.
    pub fn csr(&self, name: &str) -> Result<Csr> {
        let indptr = self.read_u64s(&format!("{name}.indptr"))?.into_iter().map(|i| i as usize).collect();
        let (cols, indices): (usize, _) =
            (self.value(&format!("{name}.cols"))?, self.read_u32s(&format!("{name}.indices"))?);
        if cols > self.parts.bytes.len().max(MOST_COLUMNS) {
            let message = format!("`{name}` claims {cols} columns, more than a file of this size can hold");
            return Err(Error::model_file(message));
        }
        Csr::new(cols, indptr, indices, self.read_f32s(&format!("{name}.values"))?)
            .map_err(|e| Error::model_file(format!("`{name}` is {e}")))
    }

    /// What `Writer::dense` wrote.
    pub fn dense(&self, name: &str) -> Result<Dense> {
        let shape = self.tensor(name, Dtype::F32)?.0.to_vec();
        let [rows, cols] = shape[..] else {
            return Err(Error::model_file(format!("`{name}` is not a matrix")));
        };
        Dense::new(rows, cols, self.read_f32s(name)?)
    }

    /// The part written under that name by `Writer::nested`.
    pub fn nested(&self, name: &str) -> Reader {
        Reader { prefix: format!("{}{name}/", self.prefix), parts: self.parts.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample() -> Vec<u8> {
        let mut out = Writer::default();
        out.value("method", &"nb");
        out.f64s("weights", &[2, 2], &[1.0, -2.5, 1e-300, 0.1]);
        out.nested("words", |out| out.texts("list", &["a", "", "über"].into_iter().collect()));
        out.number("threshold", 0.1);
        out.finish().unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let file = Reader::new(sample()).unwrap();
        assert_eq!(file.value::<String>("method").unwrap(), "nb");
        assert_eq!(file.read_f64s("weights").unwrap(), [1.0, -2.5, 1e-300, 0.1]);
        assert_eq!(file.nested("words").texts("list").unwrap().iter().collect::<Vec<_>>(), ["a", "", "über"]);
        assert_eq!(file.number("threshold").unwrap(), 0.1);
        assert!(file.number("weights").is_err());
        assert!(file.read_f32s("weights").is_err() && file.value::<u64>("method").is_err());
    }

    #[test]
    fn what_no_model_holds_is_refused() {
        let mut out = Writer::default();
        out.f64s("weights", &[2], &[1.0, f64::NAN]);
        out.csr("rows", &Csr::new(1 << 40, vec![0, 1], vec![0], vec![1.0]).unwrap());
        let file = Reader::new(out.finish().unwrap()).unwrap();
        assert!(file.read_f64s("weights").unwrap_err().to_string().contains("finite"));
        assert!(file.csr("rows").unwrap_err().to_string().contains("columns"));
    }

    #[test]
    fn a_newer_format_is_named() {
        let old = format!("\\\"format\\\":{FORMAT}");
        let mut bytes = sample();
        let at = bytes.windows(old.len()).position(|w| w == old.as_bytes()).unwrap() + old.len() - 1;
        bytes[at] = b'9';
        seal(&mut bytes);
        let message = Reader::new(bytes).err().unwrap().to_string();
        assert!(message.contains("newer likewise"), "{message}");
    }

    proptest! {
        #[test]
        fn any_damage_is_noticed(at in 0usize..10_000, bit in 0u8..8, cut in any::<bool>()) {
            let mut bytes = sample();
            let at = at % bytes.len();
            if cut { bytes.truncate(at) } else { bytes[at] ^= 1 << bit }
            prop_assert!(Reader::new(bytes).is_err());
        }
    }
}
