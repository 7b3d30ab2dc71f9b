//! The numbers of a static model: a matrix of safetensors, and what newer files say beside it.

use half::{bf16, f16};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};

use super::{LARGEST, WIDEST};

/// What the matrix is called, by model2vec and by sentence-transformers.
const MATRIX: [&str; 2] = ["embeddings", "embedding.weight"];

/// The vectors of tokens.
#[derive(Debug)]
pub struct TokenVectors {
    width: usize,
    values: Vec<f32>,
    /// The row of each token, where several share one.
    places: Option<Vec<u32>>,
    /// What the vector of each token is multiplied by.
    weights: Option<Vec<f32>>,
}

impl TokenVectors {
    pub fn parse(bytes: &[u8]) -> Result<TokenVectors, String> {
        let file = SafeTensors::deserialize(bytes)
            .map_err(|e| format!("cannot be read as safetensors ({e}); copy or download it again"))?;
        let matrix = MATRIX.iter().find_map(|name| file.tensor(name).ok()).ok_or_else(|| {
            let names = file.names().into_iter().take(9).map(|n| format!("`{n}`")).collect::<Vec<_>>();
            format!("it has no tensor `{}`, but {}; give a model of model2vec", MATRIX[0], names.join(", "))
        })?;
        let &[rows, width] = matrix.shape() else {
            let shape = matrix.shape();
            return Err(format!("its embeddings have the shape {shape:?}; they must be rows of numbers"));
        };
        if rows == 0 || !(1..=WIDEST).contains(&width) {
            return Err(format!(
                "its embeddings are {rows} vectors of {width} numbers, where 1 to {WIDEST} can be"
            ));
        }
        let values = numbers("embeddings", &matrix)?;
        let places = file.tensor("mapping").ok().map(|tensor| places(&tensor, rows)).transpose()?;
        let weights = file.tensor("weights").ok().map(|tensor| numbers("weights", &tensor)).transpose()?;
        let table = TokenVectors { width, values, places, weights };
        match &table.weights {
            Some(weights) if weights.len() != table.tokens() => {
                Err(format!("it has {} weights for {} tokens", weights.len(), table.tokens()))
            }
            _ => Ok(table),
        }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// How many tokens have a vector.
    pub fn tokens(&self) -> usize {
        self.places.as_ref().map_or(self.values.len() / self.width, Vec::len)
    }

    /// Adds the vector of a token.
    #[inline]
    pub fn add(&self, token: u32, sum: &mut [f32]) {
        let place = self.places.as_ref().map_or(token, |places| places[token as usize]) as usize;
        let vector = &self.values[place * self.width..][..self.width];
        match &self.weights {
            Some(weights) => {
                let weight = weights[token as usize];
                sum.iter_mut().zip(vector).for_each(|(sum, v)| *sum += weight * v);
            }
            None => sum.iter_mut().zip(vector).for_each(|(sum, v)| *sum += v),
        }
    }
}

fn numbers(name: &str, tensor: &TensorView<'_>) -> Result<Vec<f32>, String> {
    let data = tensor.data();
    let values: Vec<f32> = match tensor.dtype() {
        Dtype::F32 => of(data, f32::from_le_bytes),
        Dtype::F64 => of(data, |b| f64::from_le_bytes(b) as f32),
        Dtype::F16 => of(data, |b| f16::from_le_bytes(b).to_f32()),
        Dtype::BF16 => of(data, |b| bf16::from_le_bytes(b).to_f32()),
        Dtype::I8 => of(data, |b| f32::from(i8::from_le_bytes(b))),
        other => return Err(format!("its `{name}` are of type {other:?}; save them as F32, F16 or I8")),
    };
    match values.iter().position(|v| !(-LARGEST..=LARGEST).contains(v)) {
        Some(at) => Err(format!(
            "number {} of its `{name}` is {}, not a finite number below {LARGEST:e}",
            at + 1,
            values[at]
        )),
        None => Ok(values),
    }
}

/// The rows that tokens have, all of them within the matrix.
fn places(tensor: &TensorView<'_>, rows: usize) -> Result<Vec<u32>, String> {
    let data = tensor.data();
    let places: Vec<i64> = match tensor.dtype() {
        Dtype::I64 => of(data, i64::from_le_bytes),
        Dtype::I32 => of(data, |b| i64::from(i32::from_le_bytes(b))),
        Dtype::U32 => of(data, |b| i64::from(u32::from_le_bytes(b))),
        other => return Err(format!("its `mapping` is of type {other:?}; save it as I64 or I32")),
    };
    let place = |place: &i64| u32::try_from(*place).ok().filter(|place| (*place as usize) < rows);
    let found: Option<Vec<u32>> = places.iter().map(place).collect();
    found.ok_or_else(|| format!("its `mapping` names rows beyond the {rows} there are"))
}

fn of<const N: usize, T>(data: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
    data.as_chunks::<N>().0.iter().map(|bytes| number(*bytes)).collect()
}
