//! Sorting and storing of what does not fit into memory.
//!
//! Each structure is given a budget in bytes and a folder. Within the budget no file is made; beyond it, data goes to
//! unnamed files, so that none is left behind however the run ends. The output is the same for any budget.

pub(crate) mod bits;
mod file;
pub(crate) mod fixed_bytes;
pub(crate) mod column;
pub(crate) mod series;
pub(crate) mod sorter;

pub(crate) use bits::Bits;
pub(crate) use column::Column;
pub(crate) use series::Series;
pub(crate) use sorter::Sorter;

/// Makes room for one more item; the vector grows by doubling, but not beyond `limit` items.
///
/// The system grows large blocks by remapping where it can, so that old and new are not held at once.
fn reserve_one<T>(items: &mut Vec<T>, limit: usize) {
    if items.len() == items.capacity() {
        let target = (2 * items.capacity()).clamp(64, limit.max(64));
        items.reserve_exact(target.saturating_sub(items.len()).max(1));
    }
}
