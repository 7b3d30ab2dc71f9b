//! A model file taken apart and put together again with a checksum that holds.

use rand::RngExt;
use rand_pcg::Pcg64;
use serde_json::{Map, Value, json};

use crate::alter::{self, EDGES, one_of};

const CHECKSUM: &str = "\\\"checksum\\\":\\\"";
const DIGITS: usize = 8;

#[derive(Clone)]
struct Tensor {
    name: String,
    dtype: String,
    shape: Vec<u64>,
    bytes: Vec<u8>,
}

/// The header's values and the tensors.
#[derive(Clone)]
pub struct Container {
    values: Map<String, Value>,
    tensors: Vec<Tensor>,
}

impl Container {
    /// Takes a file apart that likewise wrote.
    pub fn parse(file: &[u8]) -> Option<Container> {
        let length = u64::from_le_bytes(file.get(..8)?.try_into().ok()?) as usize;
        let header: Map<String, Value> = serde_json::from_slice(file.get(8..8 + length)?).ok()?;
        let data = &file[8 + length..];
        let values = serde_json::from_str(header["__metadata__"]["likewise"].as_str()?).ok()?;
        let tensors = header.iter().filter(|(name, _)| *name != "__metadata__").map(|(name, told)| {
            let number = |value: &Value| value.as_u64();
            let offsets: Vec<u64> = told["data_offsets"].as_array()?.iter().filter_map(number).collect();
            Some(Tensor {
                name: name.clone(),
                dtype: told["dtype"].as_str()?.into(),
                shape: told["shape"].as_array()?.iter().filter_map(number).collect(),
                bytes: data.get(offsets[0] as usize..offsets[1] as usize)?.to_vec(),
            })
        });
        Some(Container { values, tensors: tensors.collect::<Option<_>>()? })
    }

    /// Puts it together.
    pub fn file(&self) -> Vec<u8> {
        let mut header = Map::new();
        let values = Value::Object(self.values.clone()).to_string();
        header.insert("__metadata__".into(), json!({ "likewise": values }));
        let mut end = 0;
        for tensor in &self.tensors {
            let start = end;
            end += tensor.bytes.len();
            let told = json!({ "dtype": tensor.dtype, "shape": tensor.shape, "data_offsets": [start, end] });
            header.insert(tensor.name.clone(), told);
        }
        let mut header = Value::Object(header).to_string();
        while !header.len().is_multiple_of(8) {
            header.push(' ');
        }
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        self.tensors.iter().for_each(|tensor| file.extend_from_slice(&tensor.bytes));
        seal(&mut file);
        file
    }

    /// Alters a value or a tensor.
    pub fn alter(&mut self, rng: &mut Pcg64) {
        if self.tensors.is_empty() || rng.random_bool(0.35) {
            let mut whole = Value::Object(std::mem::take(&mut self.values));
            alter_value(rng, &mut whole, true);
            if let Value::Object(values) = whole {
                self.values = values;
            }
            return;
        }
        let at = rng.random_range(0..self.tensors.len());
        match rng.random_range(0..12) {
            0 => drop(self.tensors.remove(at)),
            1 => {
                let other = rng.random_range(0..self.tensors.len());
                if self.tensors[at].dtype == self.tensors[other].dtype {
                    let (shape, bytes) =
                        (self.tensors[other].shape.clone(), self.tensors[other].bytes.clone());
                    (self.tensors[at].shape, self.tensors[at].bytes) = (shape, bytes);
                }
            }
            2 => {
                let swapped = match self.tensors[at].dtype.as_str() {
                    "F32" => "U32",
                    "U32" => "F32",
                    "F64" => "U64",
                    "U64" => "F64",
                    other => other,
                };
                self.tensors[at].dtype = swapped.into();
            }
            3..=5 => self.tensors[at].resize(rng),
            _ => (0..rng.random_range(1..4)).for_each(|_| self.tensors[at].set_element(rng)),
        }
    }
}

impl Tensor {
    fn width(&self) -> usize {
        match self.dtype.as_str() {
            "F64" | "U64" | "I64" => 8,
            "F32" | "U32" | "I32" => 4,
            _ => 1,
        }
    }

    /// Another number of elements, with a shape that agrees with it, or nearly always.
    fn resize(&mut self, rng: &mut Pcg64) {
        let width = self.width();
        match rng.random_range(0..5) {
            0 => self.bytes.truncate(self.bytes.len().saturating_sub(width)),
            1 => {
                let last = self.bytes.len().saturating_sub(width);
                self.bytes.extend_from_within(last..);
            }
            2 => self.bytes.clear(),
            3 => self.bytes.extend_from_within(..),
            _ => {}
        }
        let elements = (self.bytes.len() / width) as u64;
        self.shape = match rng.random_range(0..8) {
            0 => vec![1, elements],
            1 => vec![elements, 1],
            2 => vec![elements, EDGES[rng.random_range(0..EDGES.len())]],
            3 => vec![0, 1 << 40],
            4 if self.shape.len() == 2 && elements.is_multiple_of(2) => vec![2, elements / 2],
            _ if self.shape.len() == 2 && self.shape[1] > 0 && elements.is_multiple_of(self.shape[1]) => {
                vec![elements / self.shape[1], self.shape[1]]
            }
            _ => vec![elements],
        };
    }

    fn set_element(&mut self, rng: &mut Pcg64) {
        let width = self.width();
        let elements = self.bytes.len() / width;
        if elements == 0 {
            return;
        }
        let at = width * rng.random_range(0..elements);
        const FLOATS: [f64; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1e-300,
            -1e300,
            1e308,
            f64::MAX,
            f64::MIN,
            3e38,
            1e-40,
            f64::NAN,
            f64::INFINITY,
        ];
        let float = FLOATS[rng.random_range(0..FLOATS.len())];
        let number = EDGES[rng.random_range(0..EDGES.len())];
        match self.dtype.as_str() {
            "F64" => self.bytes[at..at + 8].copy_from_slice(&float.to_le_bytes()),
            "F32" => self.bytes[at..at + 4].copy_from_slice(&(float as f32).to_le_bytes()),
            _ if rng.random_bool(0.5) => {
                // Near what was there: an index that is just too large.
                self.bytes[at] = self.bytes[at].wrapping_add([1, 2, 255][rng.random_range(0..3)]);
            }
            _ => self.bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]),
        }
    }
}

/// One leaf, or one list, somewhere in the value.
fn alter_value(rng: &mut Pcg64, value: &mut Value, top: bool) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let name = fields.keys().nth(rng.random_range(0..fields.len())).cloned().unwrap_or_default();
            if rng.random_bool(if top { 0.03 } else { 0.1 }) {
                fields.remove(&name);
            } else if rng.random_bool(0.03) {
                fields.insert(format!("{name}x"), json!(1));
            } else if let Some(inside) = fields.get_mut(&name).filter(|_| name != "checksum") {
                alter_value(rng, inside, false);
            }
        }
        Value::Array(items) if !items.is_empty() => match rng.random_range(0..8) {
            0 => drop(items.pop()),
            1 => items.clear(),
            2 => items.extend_from_within(..),
            _ => {
                let at = rng.random_range(0..items.len());
                alter_value(rng, &mut items[at], false);
            }
        },
        leaf => {
            *leaf = match rng.random_range(0..7) {
                0 => json!(EDGES[rng.random_range(0..EDGES.len())]),
                1 => json!(-(EDGES[rng.random_range(0..14)] as i64)),
                2 => json!([1e308, -1e308, 1e-320, 0.5, -1.5][rng.random_range(0..5)]),
                3 => json!(one_of(rng, &alter::TEXTS)),
                4 => Value::Null,
                5 => json!([]),
                _ => match leaf.as_i64() {
                    Some(number) => json!(number.wrapping_add([1, -1, 2][rng.random_range(0..3)])),
                    None => json!(rng.random_bool(0.5)),
                },
            }
        }
    }
}

/// Puts a checksum in its place that holds, where there is a place for one.
pub fn seal(file: &mut [u8]) {
    let Some(at) = file.windows(CHECKSUM.len()).position(|bytes| bytes == CHECKSUM.as_bytes()) else {
        return;
    };
    let at = at + CHECKSUM.len();
    if file.len() < at + DIGITS {
        return;
    }
    file[at..at + DIGITS].fill(b'0');
    let sum = format!("{:08x}", crc32fast::hash(file));
    file[at..at + DIGITS].copy_from_slice(sum.as_bytes());
}
