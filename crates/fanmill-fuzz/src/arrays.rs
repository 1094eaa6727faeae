//! A target for columns of other programs: Arrow arrays whose offsets, views, keys and characters nobody has checked.
//!
//! The bytes are read as a small array of each layout, damaged or not. The buffers are as long as the layout asks for,
//! which the producer of an array is trusted for; what is in them is not.

#![expect(unsafe_code, reason = "an array with wrong offsets can only be made unchecked")]

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, make_array};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use fanmill_records::arrow::{Sets, Texts};

/// Maximum number of rows.
const MOST_ROWS: usize = 20;

/// The numbers and the text that an array is made of.
struct Parts<'a> {
    layout: u8,
    /// Rows that are valid, as bits.
    valid: u32,
    /// Rows of the array that are taken.
    taken: Range<usize>,
    /// Three numbers for each row, and three for its end.
    numbers: Vec<[i16; 3]>,
    values: &'a [u8],
}

impl<'a> Parts<'a> {
    fn read(bytes: &'a [u8]) -> Option<Parts<'a>> {
        let (&[layout, n_rows, skipped, a, b, c], rest) = bytes.split_first_chunk()?;
        let n_rows = usize::from(n_rows) % MOST_ROWS;
        let (numbers, values) = rest.split_at_checked(6 * (n_rows + 1))?;
        let (pairs, _) = numbers.as_chunks::<2>();
        let (numbers, _) = pairs.as_chunks::<3>();
        let numbers = numbers.iter().map(|three| three.map(i16::from_le_bytes)).collect();
        let valid = u32::from_le_bytes([a, b, c, 255]);
        let taken = usize::from(skipped).min(n_rows)..n_rows;
        Some(Parts { layout, valid, taken, numbers, values })
    }

    fn n_rows(&self) -> usize {
        self.numbers.len() - 1
    }

    fn is_valid(&self, row: usize) -> bool {
        self.valid >> row & 1 == 1
    }

    /// Returns the first number of each row, and of the end.
    fn offsets(&self) -> Vec<i64> {
        self.numbers.iter().map(|three| three[0].into()).collect()
    }

    /// Returns the bytes of a row that begins and ends at these offsets; `None` if they are not inside of the values.
    fn between(&self, row: usize) -> Option<&'a [u8]> {
        let at = |row: usize| usize::try_from(self.numbers[row][0]).ok();
        self.values.get(at(row)?..at(row + 1)?)
    }

    /// Returns the length, the buffer and the offset of a row's view.
    fn view(&self, row: usize) -> [i32; 3] {
        self.numbers[row].map(i32::from)
    }

    /// Returns an array of this layout, cut to the rows that are taken.
    fn array(&self, kind: DataType, buffers: Vec<Buffer>, children: Vec<ArrayData>) -> ArrayRef {
        let nulls = (0..self.n_rows()).map(|row| self.is_valid(row)).collect::<NullBuffer>();
        let data = ArrayData::builder(kind)
            .len(self.n_rows())
            .buffers(buffers)
            .child_data(children)
            .nulls(Some(nulls));
        // SAFETY: the buffers own their bytes, and are as long and aligned as the layout asks for. Their contents are not
        // valid for it, and nothing here or in the readers uses an access of Arrow's that relies on them.
        let data = unsafe { data.build_unchecked() };
        make_array(data).slice(self.taken.start, self.taken.len())
    }
}

/// Reads the bytes as a column of texts and as one of sets.
///
/// # Panics
/// If a row is read that is not in its buffer or not UTF-8, or another one is not read as it is.
pub fn arrow(bytes: &[u8]) {
    let Some(parts) = Parts::read(bytes) else { return };
    match parts.layout % 7 {
        0 => check_texts(&parts, &texts(&parts), |row| parts.between(row)),
        1 => check_texts(&parts, &large_texts(&parts), |row| parts.between(row)),
        2 => check_views(&parts),
        3 => check_dictionary(&parts),
        4 => check_sets(&parts, &sets(&parts)),
        5 => check_sets(&parts, &large_sets(&parts)),
        _ => check_bytes(&parts),
    }
}

fn short(numbers: &[i64]) -> Buffer {
    Buffer::from_vec(numbers.iter().map(|&number| number as i32).collect::<Vec<_>>())
}

fn texts(parts: &Parts<'_>) -> ArrayRef {
    let buffers = vec![short(&parts.offsets()), Buffer::from(parts.values)];
    parts.array(DataType::Utf8, buffers, Vec::new())
}

fn large_texts(parts: &Parts<'_>) -> ArrayRef {
    let buffers = vec![Buffer::from_vec(parts.offsets()), Buffer::from(parts.values)];
    parts.array(DataType::LargeUtf8, buffers, Vec::new())
}

/// Checks each row that is taken against its bytes, which are `None` if they are not in the buffer.
fn check_texts<'a>(parts: &Parts<'a>, array: &ArrayRef, own: impl Fn(usize) -> Option<&'a [u8]>) {
    let read = Texts::new(array, 7).expect("a column of texts");
    assert_eq!(read.len(), parts.taken.len(), "rows are missing");
    for (i, row) in parts.taken.clone().enumerate() {
        let expected = own(row).and_then(|bytes| std::str::from_utf8(bytes).ok());
        match read.text(i) {
            Ok(None) => assert!(!parts.is_valid(row), "row {row} is not null"),
            Ok(Some(text)) => assert!(parts.is_valid(row) && expected == Some(text), "row {row}"),
            Err(_) => assert!(parts.is_valid(row) && expected.is_none(), "row {row} is sound"),
        }
    }
}

/// Checks bytes, and replaces each sequence that is not UTF-8 by U+FFFD.
fn check_bytes(parts: &Parts<'_>) {
    let buffers = vec![short(&parts.offsets()), Buffer::from(parts.values)];
    let array = parts.array(DataType::Binary, buffers, Vec::new());
    let read = Texts::new(&array, 7).expect("a column of texts");
    let mut n_mended = 0;
    for (i, row) in parts.taken.clone().enumerate() {
        let own = parts.between(row).filter(|_| parts.is_valid(row));
        let expected = own.map(String::from_utf8_lossy);
        n_mended += usize::from(own.is_some_and(|bytes| std::str::from_utf8(bytes).is_err()));
        match read.text(i) {
            Ok(text) => assert_eq!(text, expected.as_deref(), "row {row}"),
            Err(_) => assert!(parts.is_valid(row) && own.is_none(), "row {row} is sound"),
        }
    }
    assert_eq!(read.n_mended(), n_mended);
}

/// Checks views: a text of up to 12 bytes is in the view itself, a longer one in one of two buffers.
fn check_views(parts: &Parts<'_>) {
    let halves = parts.values.split_at(parts.values.len() / 2);
    let words = |row: usize| {
        let [length, buffer, offset] = parts.view(row);
        let inline = parts.values.first_chunk::<12>().filter(|_| (0..=12).contains(&length));
        let [a, b] = [length, buffer].map(i32::to_le_bytes);
        let rest = [[0; 4], b, offset.to_le_bytes()].concat();
        [&a[..], inline.map_or(&rest[..], |inline| &inline[..])].concat()
    };
    let views: Vec<u128> = (0..parts.n_rows())
        .map(|row| words(row).try_into().map_or(0, u128::from_le_bytes))
        .collect();
    let buffers =
        vec![Buffer::from_vec(views.clone()), Buffer::from(halves.0), Buffer::from(halves.1)];
    let array = parts.array(DataType::Utf8View, buffers, Vec::new());
    let views: Vec<[u8; 16]> = views.into_iter().map(u128::to_le_bytes).collect();
    let read = Texts::new(&array, 0).expect("a column of texts");
    for (i, row) in parts.taken.clone().enumerate() {
        let [length, buffer, offset] = parts.view(row);
        let own = match (usize::try_from(length), usize::try_from(offset)) {
            (Ok(length @ ..=12), _) => views[row].get(4..4 + length),
            (Ok(length), Ok(offset)) => match buffer {
                0 => halves.0.get(offset..offset + length),
                1 => halves.1.get(offset..offset + length),
                _ => None,
            },
            _ => None,
        };
        let expected = own.and_then(|bytes| std::str::from_utf8(bytes).ok());
        match read.text(i) {
            Ok(text) => assert_eq!(text, expected.filter(|_| parts.is_valid(row)), "row {row}"),
            Err(_) => assert!(parts.is_valid(row) && expected.is_none(), "row {row} is sound"),
        }
    }
}

/// Checks a dictionary, whose values are the words of the text, and whose keys may lead nowhere.
fn check_dictionary(parts: &Parts<'_>) {
    let words = parts.values.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(|word| word.escape_ascii().to_string()).collect();
    let values = arrow_array::StringArray::from(words.clone());
    let keys: Vec<i16> = parts.numbers[..parts.n_rows()].iter().map(|three| three[0]).collect();
    let kind = DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8));
    let values = arrow_array::Array::to_data(&values);
    let array = parts.array(kind, vec![Buffer::from_vec(keys)], vec![values]);
    let read = Texts::new(&array, 0).expect("a column of texts");
    for (i, row) in parts.taken.clone().enumerate() {
        let word = usize::try_from(parts.numbers[row][0]).ok().and_then(|key| words.get(key));
        match read.text(i) {
            Ok(None) => assert!(!parts.is_valid(row), "row {row} is not null"),
            Ok(text) => {
                assert!(parts.is_valid(row) && word.map(String::as_str) == text, "row {row}");
            }
            Err(_) => assert!(parts.is_valid(row) && word.is_none(), "row {row} is sound"),
        }
    }
}

/// Returns the members of sets: numbers that mostly ascend.
fn members(parts: &Parts<'_>) -> Vec<i64> {
    let steps = parts.values.iter().map(|&byte| i64::from(byte.cast_signed()));
    steps
        .scan(0_i64, |sum, step| {
            *sum += step;
            Some(*sum)
        })
        .collect()
}

fn sets(parts: &Parts<'_>) -> ArrayRef {
    let field = Arc::new(Field::new("item", DataType::Int64, false));
    let values = arrow_array::Array::to_data(&Int64Array::from(members(parts)));
    parts.array(DataType::List(field), vec![short(&parts.offsets())], vec![values])
}

fn large_sets(parts: &Parts<'_>) -> ArrayRef {
    let field = Arc::new(Field::new("item", DataType::Int64, false));
    let values = arrow_array::Array::to_data(&Int64Array::from(members(parts)));
    parts.array(DataType::LargeList(field), vec![Buffer::from_vec(parts.offsets())], vec![values])
}

fn check_sets(parts: &Parts<'_>, array: &ArrayRef) {
    let read = Sets::new(array, 0).expect("a column of sets");
    let members: Vec<u64> = members(parts).into_iter().map(i64::cast_unsigned).collect();
    for (i, row) in parts.taken.clone().enumerate() {
        let at = |row: usize| usize::try_from(parts.numbers[row][0]).ok();
        let range = at(row).zip(at(row + 1));
        let own = range.and_then(|(start, end)| members.get(start..end));
        let expected = own.filter(|own| own.is_sorted_by(|a, b| a < b));
        match read.set(i) {
            Ok(set) => assert_eq!(set, expected.filter(|_| parts.is_valid(row)), "row {row}"),
            Err(_) => assert!(parts.is_valid(row) && expected.is_none(), "row {row} is a set"),
        }
    }
}

/// Returns arrays of each layout: texts in order, with a null row and without the first rows.
pub fn seeds() -> Vec<Vec<u8>> {
    let text = "wheat is threshed on the floor and chaff flies off, größer 谷物";
    let numbers = |three: &dyn Fn(i16) -> [i16; 3]| -> Vec<u8> {
        (0..7).flat_map(three).flat_map(i16::to_le_bytes).collect()
    };
    let offsets = numbers(&|i| [5 * i, 0, 0]);
    let views = numbers(&|i| [7 * i, i % 2, 3]);
    let keys = numbers(&|i| [i * 3 % 7, 0, 0]);
    let seed = |layout: u8, numbers: &[u8], values: &[u8]| {
        [&[layout, 6, layout % 3, 0b1101_1111, 0, 0][..], numbers, values].concat()
    };
    let ascending = [1_u8, 3, 2, 9, 200, 7].repeat(6);
    vec![
        seed(0, &offsets, text.as_bytes()),
        seed(1, &offsets, text.as_bytes()),
        seed(2, &views, text.repeat(2).as_bytes()),
        seed(3, &keys, text.as_bytes()),
        // Keys before the first value and beyond the last one, and keys of no values.
        seed(3, &numbers(&|i| [4 * i - 8, 0, 0]), text.as_bytes()),
        seed(3, &keys, b""),
        seed(4, &offsets, &ascending),
        seed(5, &offsets, &ascending),
        seed(6, &offsets, text.as_bytes()),
    ]
}
