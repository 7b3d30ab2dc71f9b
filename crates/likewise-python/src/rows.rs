//! What Python gives as rows: a dense array, compressed rows, documents, a table of columns, or a stream of Arrow's.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use likewise::codes;
use likewise::data::{Buffer, Column, Csr, Data, Dense, Table, Texts};
use likewise::error::{Error, Result};
use likewise::note::Note;
use numpy::ndarray::Dimension;
use numpy::{Element, PyArray1, PyReadonlyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString};

use crate::errors::to_python;
use crate::wording::notes;

/// Rows, with the arrays they borrow from.
pub enum PyRows<'py> {
    Dense(Matrix<'py>),
    Sparse(Compressed<'py>),
    Table(Box<Table>),
}

/// A two-dimensional array, row after row.
pub enum Matrix<'py> {
    Single(PyReadonlyArray2<'py, f32>),
    Double(PyReadonlyArray2<'py, f64>),
}

/// The arrays of a compressed-row matrix; no column is twice in a row.
pub struct Compressed<'py> {
    cols: usize,
    indptr: Whole<'py>,
    indices: ColumnNumbers<'py>,
    values: Numbers<'py>,
}

enum Whole<'py> {
    Short(PyReadonlyArray1<'py, i32>),
    Long(PyReadonlyArray1<'py, i64>),
}

enum ColumnNumbers<'py> {
    /// Python's are signed, but of the same size: a negative one is larger here than any number of columns there.
    Short(PyReadonlyArray1<'py, u32>),
    Long(PyReadonlyArray1<'py, i64>),
}

enum Numbers<'py> {
    Single(PyReadonlyArray1<'py, f32>),
    Double(PyReadonlyArray1<'py, f64>),
}

/// Rows that can be read on another thread. Arrays of the library's own layout are lent to it, the others are there
/// to be converted.
pub enum View<'a> {
    Dense { rows: usize, cols: usize, values: Cells<'a, f32, f64> },
    Sparse { cols: usize, indptr: Integers<'a>, indices: Cells<'a, u32, i64>, values: Cells<'a, f32, f64> },
    Table(&'a Table),
}

pub enum Cells<'a, Fitting: 'static, Other> {
    Lent(Buffer<Fitting>),
    Other(&'a [Other]),
}

#[derive(Clone, Copy)]
pub enum Integers<'a> {
    Short(&'a [i32]),
    Long(&'a [i64]),
}

impl<'py> PyRows<'py> {
    /// An array, a tuple `(columns, indptr, indices, values)`, a list of documents, or a dictionary of columns.
    pub fn read(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(documents) = given.cast::<PyList>() {
            return Ok(PyRows::Table(Box::new(one_column(texts(documents)?, THE_ROWS))));
        }
        if let Ok(columns) = given.cast::<PyDict>() {
            return Ok(PyRows::Table(Box::new(table(columns, THE_ROWS)?)));
        }
        if let Ok(capsule) = given.cast::<PyCapsule>() {
            return Ok(PyRows::Table(Box::new(stream(capsule, THE_ROWS)?)));
        }
        if let Ok((cols, indptr, indices, values)) = given.extract() {
            return Ok(PyRows::Sparse(Compressed { cols, indptr, indices, values }));
        }
        if let Ok(array) = given.extract() {
            return Ok(PyRows::Dense(Matrix::Single(array)));
        }
        if let Ok(array) = given.extract() {
            return Ok(PyRows::Dense(Matrix::Double(array)));
        }
        Err(PyTypeError::new_err(format!("rows cannot be made of {}", given.get_type())))
    }

    pub fn view(&self) -> PyResult<View<'_>> {
        Ok(match self {
            PyRows::Dense(Matrix::Single(array)) => View::Dense {
                rows: array.shape()[0],
                cols: array.shape()[1],
                values: Cells::Lent(lent(array)?),
            },
            PyRows::Dense(Matrix::Double(array)) => {
                let values = Cells::Other(array.as_slice().map_err(not_contiguous)?);
                View::Dense { rows: array.shape()[0], cols: array.shape()[1], values }
            }
            PyRows::Sparse(matrix) => View::Sparse {
                cols: matrix.cols,
                indptr: match &matrix.indptr {
                    Whole::Short(array) => Integers::Short(array.as_slice().map_err(not_contiguous)?),
                    Whole::Long(array) => Integers::Long(array.as_slice().map_err(not_contiguous)?),
                },
                indices: match &matrix.indices {
                    ColumnNumbers::Short(array) => Cells::Lent(lent(array)?),
                    ColumnNumbers::Long(array) => Cells::Other(array.as_slice().map_err(not_contiguous)?),
                },
                values: match &matrix.values {
                    Numbers::Single(array) => Cells::Lent(lent(array)?),
                    Numbers::Double(array) => Cells::Other(array.as_slice().map_err(not_contiguous)?),
                },
            },
            PyRows::Table(table) => View::Table(table),
        })
    }
}

fn not_contiguous(_: impl std::error::Error) -> PyErr {
    PyValueError::new_err("an array is not contiguous, row after row")
}

/// The memory of an array, which stays Python's.
fn lent<T: Element + Copy, D: Dimension>(array: &PyReadonlyArray<'_, T, D>) -> PyResult<Buffer<T>> {
    let values = array.as_slice().map_err(not_contiguous)?;
    let lender: Py<PyAny> = array.as_any().clone().unbind();
    // SAFETY: the lender keeps the array and so its memory. The array is borrowed for reading as long as the call
    // lasts, and no model keeps lent rows after it (`a_model_keeps_nothing_that_was_lent`). A Python thread that
    // writes to the array meanwhile spoils the answer, as it does with any function that frees the interpreter;
    // every index is still checked where it is used.
    Ok(unsafe { Buffer::lent(values, Arc::new(lender)) })
}

macro_rules! either_array {
    ($name:ident, $first:ident, $first_type:ty, $second:ident, $second_type:ty) => {
        impl<'a, 'py> FromPyObject<'a, 'py> for $name<'py> {
            type Error = PyErr;

            fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                if let Ok(array) = given.extract::<PyReadonlyArray1<'py, $first_type>>() {
                    return Ok($name::$first(array));
                }
                Ok($name::$second(given.extract::<PyReadonlyArray1<'py, $second_type>>()?))
            }
        }
    };
}
either_array!(Whole, Short, i32, Long, i64);
either_array!(Numbers, Single, f32, Double, f64);

impl<'a, 'py> FromPyObject<'a, 'py> for ColumnNumbers<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if given.cast::<PyArray1<i32>>().is_ok() {
            return Ok(ColumnNumbers::Short(given.call_method1("view", ("uint32",))?.extract()?));
        }
        Ok(ColumnNumbers::Long(given.extract()?))
    }
}

impl View<'_> {
    pub fn len(&self) -> usize {
        match self {
            View::Dense { rows, .. } => *rows,
            View::Sparse { indptr, .. } => indptr.len().saturating_sub(1),
            View::Table(table) => table.rows(),
        }
    }

    /// The rows as the library holds them; none where they are a table. To be called within the pool of a run.
    pub fn data(&self) -> Result<Option<Data>> {
        Ok(match self {
            View::Dense { rows, cols, values } => {
                Some(Data::Dense(Arc::new(Dense::from_buffer(*rows, *cols, values.to_single())?)))
            }
            View::Sparse { cols, indptr, indices, values } => {
                let indptr = indptr.to_usize()?;
                // Most of the time of a conversion goes into fresh memory, which two threads fill at once.
                let (indices, values) = rayon::join(|| indices.to_u32(*cols), || values.to_single());
                Some(Data::Sparse(Arc::new(compressed(*cols, indptr, indices?, values)?)))
            }
            View::Table(_) => None,
        })
    }
}

/// Rows whose columns are put in order where they are not, as in those of scikit-learn's own vectorisers.
fn compressed(
    cols: usize,
    indptr: Vec<usize>,
    mut indices: Buffer<u32>,
    mut values: Buffer<f32>,
) -> Result<Csr> {
    // Whether lent rows are in order shows when they are checked, and only those that are not are copied.
    if indices.is_lent()
        && values.is_lent()
        && let Ok(x) = Csr::from_buffers(cols, indptr.clone(), indices.clone(), values.clone())
    {
        return Ok(x);
    }
    if !ascends(&indptr, &indices) {
        ascend(&indptr, &mut indices, &mut values);
    }
    Csr::from_buffers(cols, indptr, indices, values)
}

fn ascends(indptr: &[usize], indices: &[u32]) -> bool {
    indptr.windows(2).all(|ends| indices.get(ends[0]..ends[1]).is_some_and(<[u32]>::is_sorted))
}

/// Puts the columns of every row in order. What is wrong with the arrays is left for the library to say.
fn ascend(indptr: &[usize], indices: &mut [u32], values: &mut [f32]) {
    let mut entries: Vec<u64> = Vec::new();
    for ends in indptr.windows(2) {
        let (Some(columns), Some(cells)) =
            (indices.get_mut(ends[0]..ends[1]), values.get_mut(ends[0]..ends[1]))
        else {
            return;
        };
        if columns.is_sorted() {
            continue;
        }
        entries.clear();
        let packed = columns.iter().zip(cells.iter());
        entries.extend(packed.map(|(j, v)| u64::from(*j) << 32 | u64::from(v.to_bits())));
        entries.sort_unstable();
        for ((entry, column), cell) in entries.iter().zip(columns).zip(cells) {
            (*column, *cell) = ((entry >> 32) as u32, f32::from_bits(*entry as u32));
        }
    }
}

impl Cells<'_, f32, f64> {
    fn to_single(&self) -> Buffer<f32> {
        match self {
            Cells::Lent(values) => values.clone(),
            Cells::Other(values) => values.iter().map(|v| *v as f32).collect(),
        }
    }
}

impl Cells<'_, u32, i64> {
    fn to_u32(&self, cols: usize) -> Result<Buffer<u32>> {
        match self {
            // With more columns than 32 bits with a sign can number, a negative index would pass for a column.
            Cells::Lent(_) if cols > 1 << 31 => Err(Error::data("a sparse matrix with too short indices")),
            Cells::Lent(indices) => Ok(indices.clone()),
            Cells::Other(indices) => {
                Integers::Long(indices).check(u64::from(u32::MAX))?;
                Ok(indices.iter().map(|v| *v as u32).collect())
            }
        }
    }
}

impl Integers<'_> {
    fn len(self) -> usize {
        match self {
            Integers::Short(values) => values.len(),
            Integers::Long(values) => values.len(),
        }
    }

    fn to_usize(self) -> Result<Vec<usize>> {
        self.check(u64::MAX)?;
        Ok(match self {
            Integers::Short(values) => values.iter().map(|v| *v as usize).collect(),
            Integers::Long(values) => values.iter().map(|v| *v as usize).collect(),
        })
    }

    /// First all are checked and then all are converted: a loop that may fail at any step neither vectorises nor
    /// knows how much memory it needs.
    fn check(self, most: u64) -> Result<()> {
        let fits = match self {
            Integers::Short(values) => values.iter().fold(0, |all, v| all | v) >= 0,
            Integers::Long(values) => {
                let all = values.iter().fold(0, |all, v| all | v);
                all >= 0 && (most == u64::MAX || values.iter().all(|v| *v as u64 <= most))
            }
        };
        if fits { Ok(()) } else { Err(Error::data("a sparse matrix with a negative or too large index")) }
    }
}

/// The name of the only column where documents come without a table.
pub const DOCUMENT: &str = "text";

/// What messages call rows that are no argument with a name of its own.
pub const THE_ROWS: &str = "the input";

/// Rows of any kind as a table, with a name for messages: documents, columns, a stream of Arrow's, or a matrix.
pub fn table_of(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Table> {
    if let Ok(documents) = given.cast::<PyList>() {
        return Ok(one_column(texts(documents)?, name));
    }
    if let Ok(columns) = given.cast::<PyDict>() {
        return table(columns, name);
    }
    if let Ok(capsule) = given.cast::<PyCapsule>() {
        return stream(capsule, name);
    }
    let rows = PyRows::read(given)?;
    let table = match rows.view()? {
        View::Dense { rows, cols, values } => {
            columns_of(rows, cols, &values).map_err(|e| to_python(given.py(), e))?
        }
        View::Sparse { .. } => match rows.view()?.data().map_err(|e| to_python(given.py(), e))? {
            Some(Data::Sparse(x)) => {
                let owned = Arc::try_unwrap(x).unwrap_or_else(|shared| Csr::clone(&shared));
                Table::from_sparse(owned, Vec::new())
            }
            _ => unreachable!("compressed rows are sparse"),
        },
        View::Table(table) => table.clone(),
    };
    let mut table = table.called(name);
    table.origins = origins(table.rows());
    Ok(table)
}

/// Rows with their labels, and the column of these: one of the table, or `labels` under that name, as it is free.
pub fn with_labels(
    given: &Bound<'_, PyAny>,
    label: &str,
    labels: Option<Vec<String>>,
) -> PyResult<(Table, String)> {
    let mut table = table_of(given, "rows")?;
    let mut name = label.to_string();
    if let Some(labels) = labels {
        if labels.len() != table.rows() {
            let message = format!("there are {} labels for {} rows", labels.len(), table.rows());
            return Err(PyValueError::new_err(message));
        }
        while table.get(&name).is_some() {
            name.push('_');
        }
        table.push_column(&name, Column::Text(labels.into_iter().collect()));
    }
    Ok((table, name))
}

/// The columns of a matrix, called as the library calls those without a name, with all digits that they have.
fn columns_of(rows: usize, cols: usize, values: &Cells<'_, f32, f64>) -> Result<Table> {
    let value = |at: usize| match values {
        Cells::Lent(values) => f64::from(values[at]),
        Cells::Other(values) => values[at],
    };
    let column = |j: usize| {
        let cells = (0..rows).map(|i| value(i * cols + j)).collect();
        (format!("feature {}", j + 1), Column::Number(cells))
    };
    Table::from_columns((0..cols).map(column).collect())
}

/// What another library hands over by Arrow's C stream interface.
fn stream(capsule: &Bound<'_, PyCapsule>, name: &str) -> PyResult<Table> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of that name holds such a stream, which is taken out of it; what is left is marked as released.
    let table = unsafe {
        let stream = FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast());
        likewise_io::table_of_stream(stream, name)
    };
    let (mut table, left_out) = table.map_err(|e| to_python(capsule.py(), e))?;
    table.origins = origins(table.rows());
    if !left_out.is_empty() {
        let text = format!(
            "{name}: columns left out because their type cannot be read: {}; turn them into text or numbers to learn from them",
            left_out.join(", ")
        );
        let note = Note::warning(&codes::COLUMNS_NOT_USED, text).field("columns", left_out);
        capsule.py().import("likewise._notes")?.call_method1("tell", (notes(&[note]),))?;
    }
    Ok(table)
}

fn one_column(texts: Texts, source: &str) -> Table {
    let mut table = Table::from_source(source);
    table.origins = origins(texts.len());
    table.push_column(DOCUMENT, Column::Text(texts));
    table
}

/// Messages count rows as Python does, from 0.
fn origins(rows: usize) -> Vec<(u32, u64)> {
    (0..rows as u64).map(|row| (0, row)).collect()
}

/// A dictionary from names to documents (a list), numbers (an array of doubles) or vectors (a matrix of singles).
fn table(columns: &Bound<'_, PyDict>, source: &str) -> PyResult<Table> {
    let mut table = Table::from_source(source);
    for (name, cells) in columns.iter() {
        let name: String = name.extract()?;
        let column = match cells.cast::<PyList>() {
            Ok(cells) => Column::Text(texts(cells)?),
            Err(_) => match cells.extract::<PyReadonlyArray2<'_, f32>>() {
                Ok(rows) => {
                    let (count, cols) = (rows.shape()[0], rows.shape()[1]);
                    let values = rows.as_slice().map_err(not_contiguous)?.to_vec();
                    let wrong =
                        |error: Error| PyValueError::new_err(format!("column {name:?} of vectors: {error}"));
                    Column::Vectors(Dense::new(count, cols, values).map_err(wrong)?)
                }
                Err(_) => Column::Number(cells.extract::<PyReadonlyArray1<'_, f64>>()?.as_slice()?.to_vec()),
            },
        };
        if table.column_names().is_empty() {
            table.origins = origins(column.len());
        } else if column.len() != table.rows() {
            let message = format!("column {name:?} has {} rows, not {}", column.len(), table.rows());
            return Err(PyValueError::new_err(message));
        }
        table.push_column(name, column);
    }
    Ok(table)
}

/// Documents; a missing one is empty.
fn texts(cells: &Bound<'_, PyList>) -> PyResult<Texts> {
    let mut texts = Texts::new();
    for (row, cell) in cells.iter().enumerate() {
        match cell.cast::<PyString>() {
            Ok(text) => texts.push(&text.to_string_lossy()),
            Err(_) if cell.is_none() => texts.push(""),
            Err(_) => {
                let found = cell.get_type().name()?;
                return Err(PyTypeError::new_err(format!("row {row} is not a text but of type {found}")));
            }
        }
    }
    Ok(texts)
}
