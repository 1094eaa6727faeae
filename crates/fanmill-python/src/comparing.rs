//! Comparison of two columns row by row: of texts, or of sets that were made from them.

use std::ops::Range;

use arrow_array::{Array, Float64Array};
use fanmill_corpus::recipe::{Recipe, Scratch};
use fanmill_records::arrow::{Sets, Texts, are_sets};
use fanmill_text::frontend::runs::WordKey;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};

use crate::arrays::Arrays;
use crate::rows;

/// A measure of two sets; `None` where it would be 0/0.
pub(crate) type Measure = fn(&[u64], &[u64]) -> Option<f64>;

/// Measures the two sets of each row; null where one of them is null.
///
/// # Errors
/// If the columns do not have the same number of rows, or one has neither texts nor sets; or if the work is cancelled.
pub(crate) fn compare(
    [a, b]: [&Column; 2],
    recipe: &Recipe,
    key: &SetKey,
    measure: Measure,
    progress: &dyn Progress,
) -> Result<Float64Array> {
    let n_rows = a.len();
    if b.len() != n_rows {
        return Err(Error::input(format!(
            "the columns have {n_rows} and {} rows, and are compared row by row; give as many of both",
            b.len()
        )));
    }
    let make = |scratch: &mut [Scratch; 2], rows: Range<usize>| {
        let [of_a, of_b] = scratch;
        let measured = rows.map(|row| {
            let (a, b) = (a.set(row, recipe, key, of_a)?, b.set(row, recipe, key, of_b)?);
            Ok(a.zip(b).and_then(|(a, b)| measure(a, b)))
        });
        measured.collect::<Result<Vec<Option<f64>>>>()
    };
    let mut all = Vec::with_capacity(n_rows);
    rows::each_block(n_rows, progress, make, |block| {
        all.extend(block);
        Ok(())
    })?;
    Ok(Float64Array::from(all))
}

/// A column whose rows are compared.
pub(crate) enum Column {
    Texts(Parts<Texts>),
    Sets(Parts<Sets>),
}

/// The parts of a column.
pub(crate) struct Parts<T> {
    all: Vec<T>,
    /// The row at which each part begins.
    starts: Vec<usize>,
    len: usize,
}

impl<T> Parts<T> {
    /// Returns the part of a row, and the row's number there.
    fn locate(&self, row: usize) -> (&T, usize) {
        let part = self.starts.partition_point(|&start| start <= row) - 1;
        (&self.all[part], row - self.starts[part])
    }
}

impl Column {
    /// Reads all arrays.
    ///
    /// # Errors
    /// If they have neither texts nor sets.
    pub(crate) fn read(arrays: Arrays) -> Result<Column> {
        let arrays: Vec<_> = arrays.collect::<Result<_>>()?;
        let are_sets = arrays.first().is_some_and(are_sets);
        let (mut starts, mut len) = (Vec::new(), 0);
        for array in &arrays {
            starts.push(len);
            len += array.len();
        }
        let numbered = arrays.iter().zip(starts.iter().copied());
        Ok(if are_sets {
            let all =
                numbered.map(|(array, first)| Sets::new(array, first)).collect::<Result<_>>()?;
            Column::Sets(Parts { all, starts, len })
        } else {
            let all =
                numbered.map(|(array, first)| Texts::new(array, first)).collect::<Result<_>>()?;
            Column::Texts(Parts { all, starts, len })
        })
    }

    fn len(&self) -> usize {
        match self {
            Column::Texts(parts) => parts.len,
            Column::Sets(parts) => parts.len,
        }
    }

    /// Returns the set of a row; `None` for a null.
    fn set<'a>(
        &'a self,
        row: usize,
        recipe: &Recipe,
        key: &SetKey,
        scratch: &'a mut Scratch,
    ) -> Result<Option<&'a [u64]>> {
        match self {
            Column::Texts(parts) => {
                let (texts, row) = parts.locate(row);
                Ok(texts.text(row)?.map(|text| recipe.set(text, &key.words, scratch)))
            }
            Column::Sets(parts) => {
                let (sets, row) = parts.locate(row);
                sets.set(row)
            }
        }
    }
}

/// The key under which words of sets are hashed.
pub(crate) struct SetKey {
    pub(crate) words: WordKey<1>,
    /// An id of the key, which need not be secret.
    pub(crate) id: String,
}

impl SetKey {
    /// Takes a key of 32 bytes; without one, a key that everybody knows.
    pub(crate) fn given(key: Option<&[u8]>) -> Result<SetKey> {
        let key = key.unwrap_or(&[0; 32]);
        let key: &[u8; 32] = key.try_into().map_err(|_| {
            Error::setting(message![Setting("key"), (" has {} bytes, and must have 32", key.len())])
        })?;
        Ok(SetKey::from_bytes(key))
    }

    /// Makes a key that nobody knows.
    pub(crate) fn secret() -> Result<SetKey> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| {
            let error = std::io::Error::other(error.to_string());
            Error::system("the operating system gave no random numbers", error)
        })?;
        Ok(SetKey::from_bytes(&key))
    }

    fn from_bytes(key: &[u8; 32]) -> SetKey {
        let id = blake3::derive_key("fanmill id of a key of sets 1", key);
        let id = format!("{:08x}", u32::from_be_bytes([id[0], id[1], id[2], id[3]]));
        SetKey { words: WordKey::new(key), id }
    }
}
