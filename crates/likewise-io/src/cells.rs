//! Arrow arrays as columns of cells.

use std::borrow::Cow;
use std::fmt::{Debug, Display, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray};
use arrow_schema::{DataType, TimeUnit};
use likewise::data::{Column, Texts};

use crate::vectors::{Gathered, Wrong};

/// From here on a double has no room for every integer, and an identifier would change.
const INEXACT: i128 = 1 << 53;

pub(crate) fn is_readable(kind: &DataType) -> bool {
    use DataType::*;
    match kind {
        Dictionary(_, values) => is_readable(values),
        List(item) | LargeList(item) | FixedSizeList(item, _) => is_readable(item.data_type()),
        Null | Boolean | Date32 | Date64 | Timestamp(..) | Time32(_) | Time64(_) | Duration(_) => true,
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView | FixedSizeBinary(_) => true,
        kind => kind.is_numeric(),
    }
}

/// Lists of numbers, which may be vectors.
pub(crate) fn is_list_of_numbers(kind: &DataType) -> bool {
    use DataType::*;
    match kind {
        List(item) | LargeList(item) | FixedSizeList(item, _) => {
            item.data_type().is_floating() || item.data_type().is_integer()
        }
        _ => false,
    }
}

/// The rows of an array of lists of numbers as vectors.
pub(crate) fn vectors(array: &dyn Array) -> Result<Column, Wrong> {
    use DataType::*;
    let mut gathered = Gathered::default();
    for row in 0..array.len() {
        if array.is_null(row) {
            gathered.missing();
            continue;
        }
        let numbers = list(array, row);
        if numbers.null_count() > 0 {
            return Err((row, "a number of the vector is missing".into()));
        }
        macro_rules! push {
            ($kind:ty, $single:expr) => {
                gathered.push(numbers.as_primitive::<$kind>().values().iter().map($single))
            };
        }
        match numbers.data_type() {
            Float16 => push!(Float16Type, |v| v.to_f32()),
            Float32 => push!(Float32Type, |v| *v),
            Int8 => push!(Int8Type, |v| f32::from(*v)),
            Int16 => push!(Int16Type, |v| f32::from(*v)),
            Int32 => push!(Int32Type, |v| *v as f32),
            Int64 => push!(Int64Type, |v| *v as f32),
            UInt8 => push!(UInt8Type, |v| f32::from(*v)),
            UInt16 => push!(UInt16Type, |v| f32::from(*v)),
            UInt32 => push!(UInt32Type, |v| *v as f32),
            UInt64 => push!(UInt64Type, |v| *v as f32),
            _ => push!(Float64Type, |v| *v as f32),
        }?;
    }
    Ok(Column::Vectors(gathered.finish()))
}

/// What stands in the list of a row.
fn list(array: &dyn Array, row: usize) -> ArrayRef {
    match array.data_type() {
        DataType::List(_) => array.as_list::<i32>().value(row),
        DataType::LargeList(_) => array.as_list::<i64>().value(row),
        _ => array.as_fixed_size_list().value(row),
    }
}

/// Lists as they would stand in JSON.
fn lists(array: &dyn Array) -> Column {
    use DataType::*;
    formatted(array, |row, cell| {
        let list = list(array, row);
        let plain = match list.data_type() {
            Boolean | List(_) | LargeList(_) | FixedSizeList(..) => true,
            kind => kind.is_numeric(),
        };
        let (members, _) = column(list.as_ref());
        for at in 0..members.len() {
            cell.push_str(if at == 0 { "[" } else { "," });
            match members.cell(at) {
                _ if list.is_null(at) => cell.push_str("null"),
                member if plain => cell.push_str(&member),
                member => write!(cell, "{}", serde_json::Value::from(member.as_ref()))?,
            }
        }
        cell.push_str(if members.is_empty() { "[]" } else { "]" });
        Ok(())
    })
}

/// The cells of an array of a readable type, spans of time in seconds, and the rows whose bytes were not UTF-8.
pub(crate) fn column(array: &dyn Array) -> (Column, Vec<usize>) {
    use DataType::*;
    let column = match array.data_type() {
        Dictionary(..) => return dictionary(array),
        Binary => return bytes(array, |i| array.as_binary::<i32>().value(i)),
        LargeBinary => return bytes(array, |i| array.as_binary::<i64>().value(i)),
        BinaryView => return bytes(array, |i| array.as_binary_view().value(i)),
        FixedSizeBinary(_) => return bytes(array, |i| array.as_fixed_size_binary().value(i)),

        Utf8 => text(array, |i, cells| cells.push(array.as_string::<i32>().value(i))),
        LargeUtf8 => text(array, |i, cells| cells.push(array.as_string::<i64>().value(i))),
        Utf8View => text(array, |i, cells| cells.push(array.as_string_view().value(i))),
        List(_) | LargeList(_) | FixedSizeList(..) => lists(array),
        Boolean => {
            let values = array.as_boolean();
            text(array, |i, cells| cells.push(if values.value(i) { "true" } else { "false" }))
        }

        Int8 => integers::<Int8Type>(array),
        Int16 => integers::<Int16Type>(array),
        Int32 => integers::<Int32Type>(array),
        Int64 => integers::<Int64Type>(array),
        UInt8 => integers::<UInt8Type>(array),
        UInt16 => integers::<UInt16Type>(array),
        UInt32 => integers::<UInt32Type>(array),
        UInt64 => integers::<UInt64Type>(array),
        Float16 => numbers::<Float16Type>(array, |values, i| values.value(i).to_f64()),
        Float32 => numbers::<Float32Type>(array, |values, i| values.value(i).into()),
        Float64 => numbers::<Float64Type>(array, |values, i| values.value(i)),
        Decimal32(..) => decimals::<Decimal32Type>(array),
        Decimal64(..) => decimals::<Decimal64Type>(array),
        Decimal128(..) => decimals::<Decimal128Type>(array),
        Decimal256(..) => decimals::<Decimal256Type>(array),

        Duration(TimeUnit::Second) => numbers::<DurationSecondType>(array, |v, i| v.value(i) as f64),
        Duration(TimeUnit::Millisecond) => {
            numbers::<DurationMillisecondType>(array, |v, i| v.value(i) as f64 / 1e3)
        }
        Duration(TimeUnit::Microsecond) => {
            numbers::<DurationMicrosecondType>(array, |v, i| v.value(i) as f64 / 1e6)
        }
        Duration(TimeUnit::Nanosecond) => {
            numbers::<DurationNanosecondType>(array, |v, i| v.value(i) as f64 / 1e9)
        }
        Date32 => moments::<Date32Type, _>(array, "", PrimitiveArray::value_as_date),
        Date64 => moments::<Date64Type, _>(array, "", PrimitiveArray::value_as_date),
        Time32(TimeUnit::Second) => moments::<Time32SecondType, _>(array, "", PrimitiveArray::value_as_time),
        Time32(_) => moments::<Time32MillisecondType, _>(array, "", PrimitiveArray::value_as_time),
        Time64(TimeUnit::Microsecond) => {
            moments::<Time64MicrosecondType, _>(array, "", PrimitiveArray::value_as_time)
        }
        Time64(_) => moments::<Time64NanosecondType, _>(array, "", PrimitiveArray::value_as_time),
        Timestamp(unit, zone) => {
            // With a zone the stored moment is in universal time, whatever the zone.
            let zone = if zone.is_some() { "Z" } else { "" };
            match unit {
                TimeUnit::Second => {
                    moments::<TimestampSecondType, _>(array, zone, PrimitiveArray::value_as_datetime)
                }
                TimeUnit::Millisecond => {
                    moments::<TimestampMillisecondType, _>(array, zone, PrimitiveArray::value_as_datetime)
                }
                TimeUnit::Microsecond => {
                    moments::<TimestampMicrosecondType, _>(array, zone, PrimitiveArray::value_as_datetime)
                }
                TimeUnit::Nanosecond => {
                    moments::<TimestampNanosecondType, _>(array, zone, PrimitiveArray::value_as_datetime)
                }
            }
        }
        _ => Column::Text((0..array.len()).map(|_| "").collect()),
    };
    (column, Vec::new())
}

fn text(array: &dyn Array, push: impl Fn(usize, &mut Texts)) -> Column {
    let mut cells = Texts::new();
    for i in 0..array.len() {
        if array.is_null(i) {
            cells.push("");
        } else {
            push(i, &mut cells);
        }
    }
    Column::Text(cells)
}

fn bytes<'a>(array: &'a dyn Array, value: impl Fn(usize) -> &'a [u8]) -> (Column, Vec<usize>) {
    let mut replaced = Vec::new();
    let mut cells = Texts::new();
    for i in 0..array.len() {
        let cell = if array.is_null(i) { "".into() } else { String::from_utf8_lossy(value(i)) };
        if let Cow::Owned(_) = cell {
            replaced.push(i);
        }
        cells.push(&cell);
    }
    (Column::Text(cells), replaced)
}

fn numbers<T: ArrowPrimitiveType>(
    array: &dyn Array,
    value: impl Fn(&PrimitiveArray<T>, usize) -> f64,
) -> Column {
    let values = array.as_primitive::<T>();
    Column::Number(
        (0..array.len()).map(|i| if array.is_null(i) { f64::NAN } else { value(values, i) }).collect(),
    )
}

/// Numbers, or text where one of them is too large for a number to be exact.
fn integers<T: ArrowPrimitiveType>(array: &dyn Array) -> Column
where
    T::Native: Into<i128> + Display,
{
    let values = array.as_primitive::<T>();
    if values.iter().flatten().all(|v| v.into().abs() <= INEXACT) {
        numbers::<T>(array, |values, i| values.value(i).into() as f64)
    } else {
        formatted(array, |i, cell| write!(cell, "{}", values.value(i)))
    }
}

fn decimals<T: DecimalType>(array: &dyn Array) -> Column {
    numbers::<T>(array, |values, i| values.value_as_string(i).parse().unwrap_or(f64::NAN))
}

/// Dates and times as ISO 8601; one beyond the calendar as the number that was stored.
fn moments<T: ArrowPrimitiveType, M: Debug>(
    array: &dyn Array,
    zone: &str,
    moment: impl Fn(&PrimitiveArray<T>, usize) -> Option<M>,
) -> Column {
    let values = array.as_primitive::<T>();
    formatted(array, |i, cell| match moment(values, i) {
        Some(moment) => write!(cell, "{moment:?}{zone}"),
        None => write!(cell, "{:?}", values.value(i)),
    })
}

fn formatted(array: &dyn Array, format: impl Fn(usize, &mut String) -> std::fmt::Result) -> Column {
    let mut cells = Texts::new();
    let mut cell = String::new();
    for i in 0..array.len() {
        cell.clear();
        if !array.is_null(i) {
            format(i, &mut cell).expect("a string takes all");
        }
        cells.push(&cell);
    }
    Column::Text(cells)
}

/// The values once, then each row's by its key.
fn dictionary(array: &dyn Array) -> (Column, Vec<usize>) {
    let array = array.as_any_dictionary();
    let (values, replaced_values) = column(array.values().as_ref());
    let keys = if values.is_empty() { Vec::new() } else { array.normalized_keys() };
    let key = |i: usize| keys.get(i).copied().filter(|_| !array.is_null(i));
    let rows = 0..array.len();
    let cells = match &values {
        Column::Text(values) => {
            Column::Text(rows.clone().map(|i| key(i).map_or("", |k| values.get(k))).collect())
        }
        Column::Number(values) => {
            Column::Number(rows.clone().map(|i| key(i).map_or(f64::NAN, |k| values[k])).collect())
        }
        Column::Vectors(_) => unreachable!("a list is no readable type"),
    };
    let replaced =
        rows.filter(|i| key(*i).is_some_and(|k| replaced_values.binary_search(&k).is_ok())).collect();
    (cells, replaced)
}
