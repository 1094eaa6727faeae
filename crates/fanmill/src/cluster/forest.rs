//! Disjoint sets (union–find), joined two at a time.
//!
//! Cost: O(log n) per operation at worst, practically constant; four bytes per node.
//! Source: Tarjan & van Leeuwen, J. ACM 31, 1984 (path halving).
//! Departs from it: the lowest node is the root, whatever the sizes.

/// Disjoint sets of the nodes `0..n`; the lowest member of a set is its root.
#[derive(Debug)]
pub struct Forest(Vec<u32>);

impl Forest {
    /// Every node in a set of its own.
    pub fn new(n: usize) -> Forest {
        Forest((0..n as u32).collect())
    }

    /// The lowest node of the set that contains `node`.
    pub fn root(&mut self, mut node: u32) -> u32 {
        while self.0[node as usize] != node {
            // Path halving: every other node on the way is linked to its grandparent.
            let parent = self.0[node as usize];
            self.0[node as usize] = self.0[parent as usize];
            node = self.0[node as usize];
        }
        node
    }

    /// Merges the sets that contain `a` and `b`.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
