//! The experiments on sketches: `filter`, `minwise`, `leadbyte`.

use fanmill_lab::filter::{self, Cost, Spec, Trials, Wish};
use fanmill_lab::{leadbyte, minwise, shingles};

use super::{LabRun, inputs};
use crate::args::{
    CommonArgs, CostArg, FilterArgs, LeadbyteArgs, MinwiseArgs, ShingleArgs, WishArgs,
};

pub(super) fn filter(args: &FilterArgs) -> anyhow::Result<LabRun> {
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
fn wish(args: &WishArgs) -> Option<Wish> {
    let cost = match args.cheapest {
        CostArg::Bytes => Cost::Bytes,
        CostArg::Registers => Cost::Registers,
    };
    Some(Wish {
        recall: args.recall?,
        at: args.at?,
        false_positive: args.false_positive?,
        at_most: args.at_most?,
        most_registers: args.registers,
        bits: args.bits.clone(),
        cost,
    })
}

pub(super) fn minwise(args: &MinwiseArgs) -> anyhow::Result<LabRun> {
    let mut settings = minwise::Settings {
        n_members: args.members,
        n_draws: args.draws,
        t: args.samples,
        resemblances: args.resemblance.clone(),
        seed: args.common.seed,
        own: Vec::new(),
    };
    with_documents(&args.inputs, &args.common, |documents| {
        if !args.inputs.paths.is_empty() {
            let sample = shingles::sample(documents, args.members as usize);
            settings.own.push(("shingles".to_owned(), sample));
        }
        Ok(minwise::run(&settings)?)
    })
}

pub(super) fn leadbyte(args: &LeadbyteArgs) -> anyhow::Result<LabRun> {
    let settings = leadbyte::Settings {
        registers: args.registers,
        sizes: args.sizes.clone(),
        n_runs: args.runs,
        seed: args.common.seed,
        timed: args.time,
        ..leadbyte::Settings::usual()
    };
    with_documents(&args.inputs, &args.common, |documents| Ok(leadbyte::run(&settings, documents)?))
}

/// Runs an experiment on the documents that are given, each a name and its set of shingles; without paths, on none.
fn with_documents(
    args: &ShingleArgs,
    common: &CommonArgs,
    experiment: impl FnOnce(
        &mut dyn Iterator<Item = shingles::Document>,
    ) -> anyhow::Result<fanmill_lab::Outcome>,
) -> anyhow::Result<LabRun> {
    if args.paths.is_empty() {
        return Ok(LabRun { outcome: experiment(&mut std::iter::empty())?, notices: Vec::new() });
    }
    let inputs = args.inputs();
    let mut read = inputs::read(&inputs, common)?;
    let collection = read.collection()?;
    let outcome = experiment(&mut shingles::documents(&collection, args.words as usize))?;
    drop(collection);
    Ok(LabRun { outcome, notices: read.notices })
}
