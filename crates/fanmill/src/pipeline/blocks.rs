//! Work in turns, so that the data made from texts is never in memory for all of them at once.
//!
//! Members are cut into blocks of about an eighth of all texts. A turn is the work that needs the texts of one block,
//! or of two: at most a quarter of all, and each text in few turns.

use crate::pipeline::Member;

/// Minimum number of bytes of text in a block; blocks are larger if an eighth of all is more.
const LEAST: usize = 2 << 20;

/// The block of each member of a batch.
#[derive(Debug)]
pub(super) struct Blocks(Vec<usize>);

impl Blocks {
    pub(super) fn from_members(members: &[Member]) -> Blocks {
        let sizes = || members.iter().map(|member| member.submission.n_bytes());
        let size = LEAST.max(sizes().sum::<usize>().div_ceil(8));
        let starts = sizes().scan(0, |end, len| Some(std::mem::replace(end, *end + len)));
        Blocks(starts.map(|start| start / size).collect())
    }

    /// Divides the numbers of `items` into turns, ascending in each; `members` gives the two members that an item
    /// needs.
    pub(super) fn schedule<T>(
        &self,
        items: &[T],
        members: impl Fn(&T) -> (usize, usize),
    ) -> Vec<Vec<usize>> {
        let blocks = |item: &T| {
            let (a, b) = members(item);
            let (a, b) = (self.0[a], self.0[b]);
            (a.min(b), a.max(b))
        };
        let mut keyed: Vec<_> = items.iter().map(blocks).zip(0..).collect();
        keyed.sort_unstable();
        let turns = keyed.chunk_by(|x, y| x.0 == y.0);
        turns.map(|turn| turn.iter().map(|&(_, number)| number).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_asks_for_two_blocks_at_most() {
        let blocks = Blocks(vec![0, 0, 1, 1, 2]);
        let pairs = [(0, 4), (1, 2), (3, 2), (2, 0), (4, 1), (0, 1)];
        let expected: [&[usize]; 4] = [&[5], &[1, 3], &[0, 4], &[2]];
        assert_eq!(blocks.schedule(&pairs, |&pair| pair), expected);
        assert_eq!(blocks.schedule(&[4, 0, 3], |&member| (member, member)), [[1], [2], [0]]);
        assert!(blocks.schedule(&[], |&pair: &(usize, usize)| pair).is_empty());
    }
}
