//! NumPy's `.npy`: one array. A matrix becomes the column `vector`, a list of numbers the column `value`.
//!
//! The layout is that of NumPy's format specification: magic, version, length of the header, a Python literal with
//! `descr`, `fortran_order` and `shape`, then the numbers.

use std::path::Path;

use half::f16;
use likewise::data::{Column, Dense, Table};

use crate::error::{Error, Result};
use crate::input::Input;
use crate::read::{Reading, RowReader};

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// No honest header of numbers is longer.
const LONGEST_HEADER: usize = 1 << 16;
/// The columns a file may become.
const VECTOR: &str = "vector";
const VALUE: &str = "value";

pub(crate) struct Npy {
    numbers: Numbers,
    /// Of a row; `None` is a list of numbers.
    width: Option<usize>,
    given: usize,
}

/// All rows of a file of vectors. Messages count its rows from 1.
pub fn read_npy(path: impl AsRef<Path>) -> Result<Dense> {
    let mut numbers = Numbers::open(Input::open_file(path.as_ref(), None)?)?;
    let width = match numbers.shape[..] {
        [_, width] => width,
        _ => return Err(numbers.wrong("holds a list of numbers, not a matrix; save one vector a row")),
    };
    let rows = numbers.shape[0];
    numbers.rows(rows, width, 0)
}

/// The numbers of a file, row by row.
struct Numbers {
    input: Input,
    kind: ItemKind,
    big_endian: bool,
    shape: Vec<usize>,
    /// Of an array that is stored column by column: all of it, row by row.
    turned: Option<Vec<f64>>,
    at: usize,
}

#[derive(Clone, Copy)]
enum ItemKind {
    Half,
    Single,
    Double,
    Signed(usize),
    Unsigned(usize),
    Boolean,
}

impl ItemKind {
    fn size(self) -> usize {
        match self {
            ItemKind::Half => 2,
            ItemKind::Single => 4,
            ItemKind::Double => 8,
            ItemKind::Signed(size) | ItemKind::Unsigned(size) => size,
            ItemKind::Boolean => 1,
        }
    }

    /// The number in `bytes`, least byte first.
    fn number(self, bytes: &[u8]) -> f64 {
        let bits = bytes.iter().rev().fold(0u64, |bits, byte| (bits << 8) | u64::from(*byte));
        match self {
            ItemKind::Half => f16::from_bits(bits as u16).into(),
            ItemKind::Single => f32::from_bits(bits as u32).into(),
            ItemKind::Double => f64::from_bits(bits),
            ItemKind::Signed(size) => {
                let unused = 64 - 8 * size as u32;
                (((bits << unused) as i64) >> unused) as f64
            }
            ItemKind::Unsigned(_) => bits as f64,
            ItemKind::Boolean => f64::from(bits != 0),
        }
    }
}

impl Numbers {
    fn open(mut input: Input) -> Result<Self> {
        let malformed = |name: &str, problem: String| Error::Malformed {
            source_name: name.into(),
            line: None,
            problem: format!("cannot be read as .npy ({problem}); write it again with numpy.save"),
        };
        let name = input.name().to_string();
        let mut start = [0; 10];
        exactly(&mut input, &mut start)?;
        if start.starts_with(b"PK") {
            let problem = "it is an archive of arrays (.npz); save the one array that is meant as .npy: numpy.save(\"vectors.npy\", numpy.load(FILE)[NAME])";
            return Err(Error::Malformed { source_name: name, line: None, problem: problem.into() });
        }
        if &start[..6] != MAGIC {
            return Err(malformed(&name, "it does not start like one".into()));
        }
        let length = if start[6] == 1 {
            usize::from(u16::from_le_bytes([start[8], start[9]]))
        } else {
            let mut more = [0; 2];
            exactly(&mut input, &mut more)?;
            u32::from_le_bytes([start[8], start[9], more[0], more[1]]) as usize
        };
        if length > LONGEST_HEADER {
            return Err(malformed(&name, format!("its header is said to have {length} bytes")));
        }
        let mut header = vec![0; length];
        exactly(&mut input, &mut header)?;
        let header = String::from_utf8_lossy(&header).into_owned();
        let (kind, big_endian, by_columns, shape) = parse_header(&header).map_err(|e| malformed(&name, e))?;
        let mut numbers = Numbers { input, kind, big_endian, shape, turned: None, at: 0 };
        if let (true, &[rows, width]) = (by_columns, &numbers.shape[..]) {
            let all = numbers.take(rows * width)?;
            let turn = |at: usize| all[(at % width) * rows + at / width];
            numbers.turned = Some((0..rows * width).map(turn).collect());
        }
        Ok(numbers)
    }

    fn take(&mut self, count: usize) -> Result<Vec<f64>> {
        if let Some(all) = &self.turned {
            self.at += count;
            return Ok(all[self.at - count..self.at].to_vec());
        }
        let size = self.kind.size();
        // What is said to be there is believed piece by piece.
        const PIECE: usize = 1 << 16;
        let mut numbers = Vec::with_capacity(count.min(PIECE));
        let mut bytes = vec![0; count.min(PIECE) * size];
        while numbers.len() < count {
            let piece = &mut bytes[..(count - numbers.len()).min(PIECE) * size];
            exactly(&mut self.input, piece)?;
            for number in piece.chunks_exact_mut(size) {
                if self.big_endian {
                    number.reverse();
                }
                numbers.push(self.kind.number(number));
            }
        }
        Ok(numbers)
    }

    /// The next rows; `before` of them came already.
    fn rows(&mut self, rows: usize, width: usize, before: usize) -> Result<Dense> {
        let mut values: Vec<f32> = Vec::new();
        for row in 0..rows {
            values.extend(self.take(width)?.into_iter().map(|v| v as f32));
            let row_values = &values[row * width..];
            if let Some(at) = row_values.iter().position(|v| !v.is_finite()) {
                return Err(Error::Malformed {
                    source_name: self.input.name().into(),
                    line: Some((before + row + 1) as u64),
                    problem: format!(
                        "number {} of the vector is {}, not a finite number",
                        at + 1,
                        row_values[at]
                    ),
                });
            }
        }
        Ok(Dense::new(rows, width, values)?)
    }

    fn wrong(&self, problem: &str) -> Error {
        Error::Malformed { source_name: self.input.name().into(), line: None, problem: problem.into() }
    }
}

fn exactly(input: &mut Input, bytes: &mut [u8]) -> Result<()> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..])? {
            0 => {
                return Err(Error::Malformed {
                    source_name: input.name().into(),
                    line: None,
                    problem: "the file ends before the array does; copy it again, or write it again with numpy.save".into(),
                });
            }
            n => filled += n,
        }
    }
    Ok(())
}

/// Type, whether the largest byte comes first, whether columns follow each other, shape.
fn parse_header(header: &str) -> Result<(ItemKind, bool, bool, Vec<usize>), String> {
    let value = |key: &str| {
        let after = header.split_once(&format!("'{key}'")).map(|(_, after)| after.trim_start());
        let after = after.and_then(|after| after.strip_prefix(':')).map(str::trim_start);
        after.ok_or_else(|| format!("its header has no `{key}`"))
    };
    let descr = value("descr")?.strip_prefix('\'').and_then(|rest| rest.split_once('\''));
    let (descr, _) = descr.ok_or("its cells are records; save plain numbers")?;
    let (order, kind) = descr.split_at(descr.chars().next().map_or(0, char::len_utf8));
    let kind = match kind {
        "f2" => ItemKind::Half,
        "f4" => ItemKind::Single,
        "f8" => ItemKind::Double,
        "i1" => ItemKind::Signed(1),
        "i2" => ItemKind::Signed(2),
        "i4" => ItemKind::Signed(4),
        "i8" => ItemKind::Signed(8),
        "u1" => ItemKind::Unsigned(1),
        "u2" => ItemKind::Unsigned(2),
        "u4" => ItemKind::Unsigned(4),
        "u8" => ItemKind::Unsigned(8),
        "b1" => ItemKind::Boolean,
        _ => return Err(format!("its cells are of type `{descr}`; save numbers")),
    };
    let by_columns = value("fortran_order")?.starts_with("True");
    let shape = value("shape")?.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let shape = shape.map(|(shape, _)| shape.split(',').map(str::trim).filter(|n| !n.is_empty()));
    let shape: Option<Vec<usize>> = shape.and_then(|mut shape| {
        shape.try_fold(Vec::new(), |mut all, n| {
            all.push(n.trim_end_matches('L').parse().ok()?);
            Some(all)
        })
    });
    let shape = shape.ok_or("its shape cannot be understood")?;
    let cells = shape.iter().try_fold(kind.size(), |cells, n| cells.checked_mul(*n));
    if !(1..=2).contains(&shape.len()) || cells.is_none() {
        return Err(format!(
            "its shape is {shape:?}; save a list of numbers or a matrix with a row for each row"
        ));
    }
    Ok((kind, order == ">", by_columns, shape))
}

impl Npy {
    pub fn open(input: Input, reading: &mut Reading) -> Result<Self> {
        let numbers = Numbers::open(input)?;
        let width = numbers.shape.get(1).copied();
        reading.check_required(&[if width.is_some() { VECTOR } else { VALUE }.into()])?;
        Ok(Npy { numbers, width, given: 0 })
    }
}

impl RowReader for Npy {
    fn next_batch(&mut self, reading: &mut Reading) -> Result<Option<Table>> {
        let bytes_a_row = self.width.unwrap_or(1).max(1) * size_of::<f32>();
        let most = reading.options.batch_rows.min(reading.options.batch_bytes / bytes_a_row).max(1);
        let rows = (self.numbers.shape[0] - self.given).min(most);
        if rows == 0 {
            return Ok(None);
        }
        let (name, column) = match self.width {
            Some(width) => (VECTOR, Column::Vectors(self.numbers.rows(rows, width, self.given)?)),
            None => (VALUE, Column::Number(self.numbers.take(rows)?)),
        };
        let mut table = reading.table();
        table.origins = (self.given + 1..=self.given + rows).map(|row| (0, row as u64)).collect();
        if reading.wants(name) {
            table.push_column(name, column);
        }
        self.given += rows;
        Ok(Some(table))
    }
}

#[cfg(test)]
mod tests {
    use likewise::data::Column;

    use super::read_npy;
    use crate::Format::Npy;
    use crate::testing::{cells, failure, lines, parse, requiring, table};

    fn file(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
        let order = if fortran { "True" } else { "False" };
        let mut header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
        while (10 + header.len() + 1) % 64 != 0 {
            header.push(' ');
        }
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn singles(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    #[test]
    fn a_matrix_is_a_column_of_vectors_in_either_order() {
        let by_rows = file("<f4", false, "(2, 3)", &singles(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.5]));
        let by_columns = file("<f4", true, "(2, 3)", &singles(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.5]));
        for bytes in [by_rows, by_columns] {
            let read = table(Npy, &bytes);
            let Column::Vectors(x) = read.column("vector").unwrap() else { panic!("no vectors") };
            assert_eq!((x.rows(), &x.values), (2, &vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.5].into()));
            assert_eq!(lines(&read), [1, 2]);
            let one = crate::ReadOptions { batch_rows: 1, ..Default::default() };
            assert_eq!(parse(Npy, &bytes, &one).unwrap().0, read);
        }
    }

    #[test]
    fn every_type_of_number() {
        for (descr, data) in [
            ("<f2", &[0x00, 0x3c, 0x00, 0xc0][..]),
            (">f4", &[0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0]),
            ("<f8", &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0]),
            ("|i1", &[1, 0xfe]),
            (">i2", &[0, 1, 0xff, 0xfe]),
        ] {
            assert_eq!(
                cells(&table(Npy, file(descr, false, "(2,)", data))),
                [["value", "1", "-2"]],
                "{descr}"
            );
        }
        assert_eq!(cells(&table(Npy, file("|b1", false, "(2,)", &[1, 0]))), [["value", "1", "0"]]);
        assert_eq!(
            cells(&table(Npy, file("<u8", false, "(1,)", &[7, 0, 0, 0, 0, 0, 0, 0]))),
            [["value", "7"]]
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let bad = file("<f4", false, "(2, 2)", &singles(&[1.0, 2.0, 3.0, f32::NAN]));
        assert_eq!(failure(Npy, bad), "in:2: number 2 of the vector is NaN, not a finite number");
        let cut = file("<f4", false, "(9000000000, 2)", &singles(&[1.0, 2.0]));
        assert!(failure(Npy, cut).contains("the file ends before the array does"));
        for (descr, shape, problem) in [
            ("<U5", "(2,)", "type `<U5`"),
            ("|O", "(2,)", "type `|O`"),
            ("<f4", "(2, 2, 2)", "shape is [2, 2, 2]"),
            ("<f4", "(99999999999, 99999999999)", "shape is"),
            ("<f4", "()", "shape is []"),
        ] {
            let message = failure(Npy, file(descr, false, shape, &[]));
            assert!(message.contains(problem), "{message}");
        }
        assert!(failure(Npy, "a,b\n1,2\n3,4\n").contains("does not start like one"));
        assert!(failure(Npy, b"PK\x03\x04 and more of it").contains("an archive of arrays (.npz)"));
        let none = file("<f4", false, "(0, 3)", &[]);
        assert_eq!(failure(Npy, none), "in: there are no rows in it; give a file with data");
        let text = parse(Npy, file("<f4", false, "(1, 1)", &singles(&[1.0])), &requiring(&["text"]));
        assert!(text.unwrap_err().to_string().ends_with("it has `vector`"));
    }

    #[test]
    fn a_matrix_beside_a_table_is_read_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("emb.npy");
        std::fs::write(&path, file("<f4", false, "(1, 2)", &singles(&[1.0, 2.0]))).unwrap();
        assert_eq!(read_npy(&path).unwrap().values, [1.0, 2.0]);
        std::fs::write(&path, file("<f4", false, "(2,)", &singles(&[1.0, 2.0]))).unwrap();
        assert!(read_npy(&path).unwrap_err().to_string().contains("not a matrix"));
    }
}
