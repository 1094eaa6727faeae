//! `fanmill lab filter`: acceptance by filters on sketches, and the cheapest filter for a purpose.

use fanmill_lab::filter::{self, Cost, Requirement, Spec, Trials};

use super::LabRun;
use crate::args::{CostArg, FilterArgs, WishArgs};

pub(super) fn run(args: &FilterArgs) -> anyhow::Result<LabRun> {
    let mut filters = args.filters.clone();
    if filters.is_empty() {
        filters = Spec::usual();
        // With a wish, the cheapest filter is shown beside the slides' own, and without the others.
        filters.truncate(if args.wish.recall.is_some() { 3 } else { filters.len() });
    }
    let settings = filter::Settings {
        filters,
        resemblances: args.resemblance.clone(),
        trials: Trials { n_members: args.members, n_trials: args.trials, seed: args.common.seed },
        unrelated: args.unrelated,
        documents: args.documents.clone(),
        wish: wish(&args.wish),
        n_offers: args.wish.offers,
    };
    Ok(LabRun { outcome: filter::run(&settings)?, notices: Vec::new() })
}

/// Returns the wish, if there is one; each of its numbers requires the others.
fn wish(args: &WishArgs) -> Option<Requirement> {
    let cost = match args.cheapest {
        CostArg::Bytes => Cost::Bytes,
        CostArg::Registers => Cost::Registers,
    };
    Some(Requirement {
        recall: args.recall?,
        at: args.at?,
        false_positive: args.false_positive?,
        at_most: args.at_most?,
        most_registers: args.registers,
        bits: args.bits.clone(),
        cost,
    })
}
