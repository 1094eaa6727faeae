//! Parts of a folder of programs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// Copies parts of a folder, of these numbers of files, to folders in `to`, and returns their paths. The files of a part are spread
/// over the names in the folder, and each part has those of the parts before it.
pub(super) fn parts(folder: &Path, sizes: &[usize], to: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        files.push(entry?.path());
    }
    files.sort();
    let largest = sizes.iter().copied().max().unwrap_or(0);
    ensure!(
        sizes.is_sorted_by(|x, y| x < y) && sizes.first() != Some(&0),
        "the sizes {sizes:?} do not ascend from 1 on"
    );
    ensure!(
        largest < files.len().max(1),
        "a part of {largest} files is not smaller than `{}`, which has {}",
        folder.display(),
        files.len()
    );
    let order = spread(files.len());
    let mut parts = Vec::new();
    for &size in sizes {
        let part = to.join(format!("part-{size}"));
        fs::create_dir(&part)?;
        for &number in &order[..size] {
            let file = &files[number];
            ensure!(file.is_file(), "`{}` is not a file", file.display());
            fs::copy(file, part.join(file.file_name().unwrap_or_default()))?;
        }
        parts.push(part);
    }
    Ok(parts)
}

/// Returns the numbers below `n` in an order whose beginnings are spread evenly: by their bits from the last to the first.
fn spread(n: usize) -> Vec<usize> {
    let n_bits = n.next_power_of_two().trailing_zeros();
    let reversed = |i: usize| {
        let bits = (0..n_bits).map(|bit| (i >> bit & 1) << (n_bits - 1 - bit));
        bits.sum::<usize>()
    };
    (0..n.next_power_of_two()).map(reversed).filter(|&number| number < n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_are_spread() {
        for n in [0, 1, 5, 8, 100] {
            let order = spread(n);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..n), "{n}");
        }
        let mut beginning = spread(100)[..10].to_vec();
        beginning.sort_unstable();
        assert!(beginning.windows(2).all(|pair| pair[1] - pair[0] <= 16), "{beginning:?}");
    }

    #[test]
    fn larger_parts_have_the_files_of_smaller_ones() {
        let (from, to) = (tempfile::tempdir().expect("from"), tempfile::tempdir().expect("to"));
        for i in 0..9 {
            fs::write(from.path().join(format!("{i}.c")), "int x;").expect("a file");
        }
        let parts = parts(from.path(), &[2, 5], to.path()).expect("parts");
        let names = |part: &PathBuf| -> Vec<_> {
            let entries = fs::read_dir(part).expect("a part");
            entries.map(|entry| entry.expect("an entry").file_name()).collect()
        };
        let (small, large) = (names(&parts[0]), names(&parts[1]));
        assert_eq!((small.len(), large.len()), (2, 5));
        assert!(small.iter().all(|name| large.contains(name)));
        for wrong in [&[9][..], &[0], &[5, 2], &[2, 2]] {
            assert!(super::parts(from.path(), wrong, to.path()).is_err(), "{wrong:?}");
        }
    }
}
