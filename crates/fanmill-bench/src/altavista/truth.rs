//! The numbers of planted clusters found and of false clusters.

use std::collections::BTreeMap;

use anyhow::Result;
use fanmill_sketch::Sketch;
use fanmill_sketch::classic::Classic;
use fanmill_sketch::lsh::acceptance::Filter;
use fanmill_sketch::lsh::verify;
use fanmill_sketch::shingle::normalise;

use super::planted::Planted;
use fanmill::cluster::forest::Forest;

/// Number of clusters from which one pair each is examined.
const SAMPLED: usize = 20_000;

/// Prints recall by resemblance, false merges and sizes.
pub(super) fn print(planted: &Planted, classic: Classic, mut forest: Forest) -> Result<()> {
    let n = planted.n_documents();
    let mut root_at = vec![0; n as usize];
    let mut size_of = vec![0_u32; n as usize];
    let mut n_strangers = 0;
    for document in 0..n {
        let (root, place) = (forest.root(document), planted.place(document));
        root_at[place as usize] = root;
        size_of[root as usize] += 1;
        let is_at_home = planted.family(place) == planted.family(planted.place(root));
        n_strangers += u32::from(!is_at_home);
    }
    println!("\nnot verified, as the texts are gone: the filter's word is final");
    println!("documents in a cluster where they do not belong: {n_strangers} of {n}");
    recall(planted, classic, &root_at)?;
    whole(planted, &root_at);
    sizes(&size_of);
    Ok(())
}

/// Prints the recall of pairs of neighbours in sampled clusters, by resemblance.
fn recall(planted: &Planted, classic: Classic, root_at: &[u32]) -> Result<()> {
    /// Numbers of pairs: in all, accepted by the filter, and in one cluster; and the expected number accepted.
    #[derive(Default)]
    struct Bin {
        n: usize,
        accepted: usize,
        together: usize,
        expected: f64,
    }
    let sketcher = Sketch::FastSimilarity { t: classic.n_registers() as u32 }.sketcher()?;
    let (filter, mut bins) = (Filter::classic(classic), BTreeMap::<usize, Bin>::new());
    for cluster in (0..planted.n_clusters()).step_by(planted.n_clusters().div_ceil(SAMPLED)) {
        let first = planted.places(cluster).start;
        let [a, b] = [first, first + 1].map(|place| {
            let (mut set, mut row, mut features) = (Vec::new(), Vec::new(), Vec::new());
            planted.append_at(place, &mut set);
            sketcher.append(&set, &mut row);
            classic.features(&row, &mut features);
            normalise(&mut set);
            (set, features)
        });
        let resemblance = verify::resemblance(&a.0, &b.0).unwrap_or(0.0);
        let steps = (1..=50_u32).take_while(|&step| f64::from(step) / 50.0 <= resemblance);
        // A resemblance of exactly 1 has a bin of its own.
        let percent = 2 * steps.count();
        let bin = bins.entry(percent).or_default();
        bin.n += 1;
        bin.accepted += usize::from(classic.is_fungible(&a.1, &b.1));
        bin.together += usize::from(root_at[first as usize] == root_at[first as usize + 1]);
        bin.expected += filter.probability(resemblance);
    }
    println!("\nplanted pairs, one of each sampled cluster");
    println!(
        "{:>12} {:>8} {:>10} {:>10} {:>12}",
        "resemblance", "pairs", "accepted", "expected", "in a cluster"
    );
    for (percent, bin) in &bins {
        let [accepted, together] = [bin.accepted, bin.together].map(|n| n as f64 / bin.n as f64);
        let expected = bin.expected / bin.n as f64;
        println!(
            "{:>9} %+ {:>8} {accepted:>10.3} {expected:>10.3} {together:>12.3}",
            percent, bin.n
        );
    }
    Ok(())
}

/// Prints the share of each planted cluster that is in the largest found cluster.
fn whole(planted: &Planted, root_at: &[u32]) {
    println!(
        "\nplanted clusters, and the share of their documents that the largest found part has"
    );
    let mut by_size = BTreeMap::<u32, (usize, f64)>::new();
    for cluster in 0..planted.n_clusters() {
        let places = planted.places(cluster);
        let mut roots = root_at[places.start as usize..places.end as usize].to_vec();
        roots.sort_unstable();
        let largest = roots.chunk_by(|x, y| x == y).map(<[u32]>::len).max().unwrap_or(0);
        let (n, share) = by_size.entry(roots.len().ilog2()).or_default();
        *n += 1;
        *share += largest as f64 / roots.len() as f64;
    }
    for (log, (n, share)) in by_size {
        println!("{:>12} {n:>9} clusters {:>8.3}", range(log), share / n as f64);
    }
}

/// Prints the number of clusters found, by size.
fn sizes(size_of: &[u32]) {
    let mut by_size = BTreeMap::<u32, usize>::new();
    for size in size_of.iter().filter(|&&size| size > 0) {
        *by_size.entry(size.ilog2()).or_default() += 1;
    }
    println!("\nfound clusters by documents");
    for (log, n) in by_size {
        println!("{:>12} {n:>9}", range(log));
    }
}

/// Returns the range of sizes with this logarithm.
fn range(log: u32) -> String {
    let (from, to) = (1_u32 << log, (1_u64 << (log + 1)) - 1);
    if u64::from(from) == to { from.to_string() } else { format!("{from}–{to}") }
}
