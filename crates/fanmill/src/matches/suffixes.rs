//! Suffix arrays: the suffixes of a text in order, and the lengths of the prefixes that neighbours share.
//!
//! Cost: O(n) time for `n` numbers, whatever repeats in them; about 14 bytes of memory for each, and half as much again
//! for each step of the recursion.
//! Source: Nong, Zhang & Chan, "Linear suffix array construction by almost pure induced-sorting", DCC 2009; common
//! prefixes: Kasai, Lee, Arimura, Arikawa & Park, CPM 2001.

/// Returns the start of each suffix, in ascending order of the suffixes.
///
/// Symbols of `text` are in `0..n_symbols`; the only 0 is at its end.
pub(super) fn suffix_array(text: &[u32], n_symbols: usize) -> Vec<u32> {
    debug_assert_eq!(text.iter().position(|&symbol| symbol == 0), text.len().checked_sub(1));
    if text.len() <= 1 {
        return (0..text.len() as u32).collect();
    }
    let sorter = Sorter::new(text, n_symbols);
    let places: Vec<u32> = (1..text.len() as u32).filter(|&at| sorter.begins_a_piece(at)).collect();

    // First sort the pieces that begin at these positions, each up to and including the next position.
    let mut sorted = sorter.induce(&places);
    sorted.retain(|&at| sorter.begins_a_piece(at));
    // Equal pieces get equal names. No two of these positions are neighbours, so half a position identifies one.
    let mut names = vec![0; text.len() / 2 + 1];
    let mut piece_ends = vec![0; text.len() / 2 + 1];
    for two in places.windows(2) {
        piece_ends[two[0] as usize / 2] = two[1];
    }
    piece_ends[(text.len() - 1) / 2] = text.len() as u32 - 1;
    let piece = |at: u32| &text[at as usize..=piece_ends[at as usize / 2] as usize];
    let mut n_names = 1;
    for two in sorted.windows(2) {
        n_names += u32::from(piece(two[0]) != piece(two[1]));
        names[two[1] as usize / 2] = n_names - 1;
    }
    // Then sort the suffixes that begin there, as texts of names; the order of all suffixes follows from theirs.
    if (n_names as usize) < places.len() {
        let named: Vec<u32> = places.iter().map(|&at| names[at as usize / 2]).collect();
        sorted = suffix_array(&named, n_names as usize);
        for place in &mut sorted {
            *place = places[*place as usize];
        }
    }
    sorter.induce(&sorted)
}

/// Returns the number of symbols that each suffix shares with the one before it in `order`, by rank; 0 for the first.
pub(super) fn common_prefixes(text: &[u32], order: &[u32]) -> Vec<u32> {
    let mut rank = vec![0_u32; text.len()];
    for (number, &at) in (0..).zip(order) {
        rank[at as usize] = number;
    }
    let mut common = vec![0; text.len()];
    let mut n_common = 0;
    for at in 0..text.len() {
        let Some(before) = (rank[at] as usize).checked_sub(1) else {
            n_common = 0;
            continue;
        };
        let (own, other) = (&text[at..], &text[order[before] as usize..]);
        let more = own[n_common..].iter().zip(&other[n_common..]).take_while(|(x, y)| x == y);
        n_common += more.count();
        common[rank[at] as usize] = n_common as u32;
        // Without its first symbol, a suffix shares at most one symbol less with the one before it.
        n_common = n_common.saturating_sub(1);
    }
    common
}

/// Sorts all suffixes, given the order of a few of them.
struct Sorter<'a> {
    text: &'a [u32],
    /// For each suffix, true if it comes before the one that begins one position later.
    ascends: Vec<bool>,
    /// The suffixes that begin with symbol `s` have the ranks `starts[s]..starts[s + 1]`.
    starts: Vec<u32>,
}

/// Marks a rank that no suffix has yet.
const FREE: u32 = u32::MAX;

impl<'a> Sorter<'a> {
    fn new(text: &'a [u32], n_symbols: usize) -> Sorter<'a> {
        let mut ascends = vec![true; text.len()];
        for at in (0..text.len() - 1).rev() {
            ascends[at] = text[at] < text[at + 1] || text[at] == text[at + 1] && ascends[at + 1];
        }
        let mut starts = vec![0; n_symbols + 1];
        for &symbol in text {
            starts[symbol as usize + 1] += 1;
        }
        for symbol in 0..n_symbols {
            starts[symbol + 1] += starts[symbol];
        }
        Sorter { text, ascends, starts }
    }

    /// Returns whether the suffix ascends and the one before it in the text does not.
    fn begins_a_piece(&self, at: u32) -> bool {
        at > 0 && self.ascends[at as usize] && !self.ascends[at as usize - 1]
    }

    /// Returns all suffixes in order, if `pieces`, the suffixes that begin a piece, are in order; otherwise sorts these
    /// by their pieces.
    fn induce(&self, pieces: &[u32]) -> Vec<u32> {
        let symbol = |at: u32| self.text[at as usize] as usize;
        let mut order = vec![FREE; self.text.len()];
        let mut ends = self.starts[1..].to_vec();
        for &at in pieces.iter().rev() {
            ends[symbol(at)] -= 1;
            order[ends[symbol(at)] as usize] = at;
        }
        // A descending suffix comes after the one that follows it in the text, which is in its place already.
        let mut starts = self.starts.clone();
        for rank in 0..order.len() {
            let Some(before) = before(order[rank]).filter(|&at| !self.ascends[at as usize]) else {
                continue;
            };
            order[starts[symbol(before)] as usize] = before;
            starts[symbol(before)] += 1;
        }
        // An ascending suffix comes before the one that follows it in the text.
        ends.copy_from_slice(&self.starts[1..]);
        for rank in (0..order.len()).rev() {
            let Some(before) = before(order[rank]).filter(|&at| self.ascends[at as usize]) else {
                continue;
            };
            ends[symbol(before)] -= 1;
            order[ends[symbol(before)] as usize] = before;
        }
        order
    }
}

/// Returns the suffix that begins one position earlier.
fn before(at: u32) -> Option<u32> {
    if at == FREE { None } else { at.checked_sub(1) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_right(text: &[u32], n_symbols: usize) -> Result<(), TestCaseError> {
        let order = suffix_array(text, n_symbols);
        let mut expected: Vec<u32> = (0..text.len() as u32).collect();
        expected.sort_by_key(|&at| &text[at as usize..]);
        prop_assert_eq!(&order, &expected);
        let common =
            |x: &[u32], y: &[u32]| x.iter().zip(y).take_while(|(x, y)| x == y).count() as u32;
        let suffix = |at: u32| &text[at as usize..];
        let between = order.windows(2).map(|two| common(suffix(two[0]), suffix(two[1])));
        let expected: Vec<u32> = order.first().map(|_| 0).into_iter().chain(between).collect();
        prop_assert_eq!(common_prefixes(text, &order), expected);
        Ok(())
    }

    proptest! {
        #[test]
        fn suffixes_are_in_order(
            mut text in (1_u32..9).prop_flat_map(|most| proptest::collection::vec(1..=most, 0..200)),
        ) {
            text.push(0);
            is_right(&text, 9)?;
        }
    }

    #[test]
    fn what_repeats_is_in_order_too() {
        for period in [&[1][..], &[1, 2], &[2, 1], &[1, 1, 2], &[3, 1, 2, 1]] {
            for n in 0..70 {
                let text: Vec<u32> = period.iter().cycle().take(n).copied().chain([0]).collect();
                is_right(&text, 4).expect("in order");
            }
        }
        // Fibonacci words: every one of their factors repeats.
        let (mut short, mut long) = (vec![1], vec![1, 2]);
        while long.len() < 300 {
            let next = [&long[..], &short].concat();
            short = std::mem::replace(&mut long, next);
        }
        long.push(0);
        is_right(&long, 3).expect("in order");
    }
}
