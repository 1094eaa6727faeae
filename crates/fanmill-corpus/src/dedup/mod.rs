//! Near-duplicate removal: finds and verifies the near-duplicates of a corpus, and removes or marks them.
//!
//! The corpus is read up to three times, a few batches at a time. Whatever does not fit into memory goes to disk,
//! except for some 16 bytes a document:
//!
//! 1. `sketching`: each text becomes a digest and the keys of its sketch, which go to a log on disk. A run that was
//!    killed resumes after the last batch in the log.
//! 2. If documents are grouped by addresses (`addresses`, `same_address`), only the preferred one of each group is
//!    compared further. `copies`: equal texts are found by sorting their hashes. Only one of each group is compared further.
//! 3. `search`: another sort brings documents with equal keys together, which become candidate pairs.
//! 4. `verify`: documents in candidate pairs are compared shingle by shingle, under a key (`secret`); those whose texts
//!    did not fit into memory (`kept`) are read again (`sets`). Only a pair that reaches the threshold counts.
//! 5. `plan`: clusters are formed around the documents that stay.
//! 6. `output`: the shards are read again, and written without what is removed, but otherwise unchanged.
//!
//! A corpus may also be compared with a reference (`run_against`). The reference is read before the corpus, and its
//! documents are preferred to all others ([`crate::reference_split`]). It is never written.
//!
//! The result is the same at any number of threads, with any memory, and after any number of
//! interruptions; only [`summary::RunFigures`] differ.
//!
//! Source: Broder, "Algorithms for duplicate documents" (slides), "Clustering the Web".
//! Departs from it: every pair is verified, and clusters are stars, not chains.

mod keep;
mod addresses;
mod settings;
pub mod log;
mod secret;
mod context;
mod kept;
mod groups;
mod same_address;
mod copies;
mod sets;
mod order;
mod pairs;
mod search;
mod promise;
mod verify;
mod names;
mod clusters;
mod plan;
mod tables;
mod edges;
mod sketching;
mod output;
mod summary;
mod in_memory;

use std::path::PathBuf;

use fanmill_disk::replace::OnFailure;
use fanmill_sketch::lsh::acceptance::Filter;
use fanmill_sketch::lsh::bands::Bands;
use fanmill_text::message;
use fanmill_text::progress::Progress;
use fanmill_text::{Error, Result, Setting};

use self::context::{Context, Run};
use self::copies::Copies;
use self::edges::Edges;
use self::kept::KeptTexts;
use self::log::Log;
use self::names::Names;
use self::order::{Order, Texts};
use self::plan::Plan;
use self::same_address::SameAddress;
use self::search::FoundPairs;
use self::secret::Secret;
use self::sets::Sets;
use self::sketching::{Inventory, LeftOut};
use crate::job::{self, Corpus, Job, Places, Reference, RunEnd, Starts, Steps, Work, identifying};
use crate::reference_split::Scope;
use crate::spill::Bits;
use fanmill_records::format::Options;

pub use addresses::{AddressCounts, ByAddress, FirstBy};
pub use clusters::ShownCluster;
pub use in_memory::{
    Decision, Decisions, Removal, in_memory, in_memory_against, in_memory_by_address,
};
pub(crate) use in_memory::{check_rule, collect};
pub use keep::Keep;
pub(crate) use keep::LAST;
pub use settings::{
    DEFAULT_MEMORY, DEFAULT_RECALL, LEAST_CONTAINED, LEAST_MEMORY, Linkage, Measure, Mode, Search,
    Settings, batch_bytes, page_bytes, window_bytes,
};
pub(crate) use settings::{check_memory, check_output, check_texts};
pub use summary::{
    CommonKey, Counts, ReferenceCounts, ReferenceSummary, RunFigures, SizeCount, Summary,
};

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The summary, as it is written to `summary.json`.
    pub summary: Summary,
    /// The largest clusters, for display.
    pub largest: Vec<ShownCluster>,
}

/// Finds the duplicates of a corpus, and writes the corpus again as the settings say.
///
/// # Errors
/// If settings contradict each other; if the output already exists; if a shard cannot be opened or breaks off; if a
/// record cannot be read and the run is strict; if a file cannot be written. The output then does not exist, and what
/// was read is kept for the next run.
pub fn run(
    paths: &[PathBuf],
    options: &Options,
    settings: &Settings,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Outcome>> {
    run_on((paths, options), None, settings, places, progress)
}

/// Does what [`run`] does for a corpus that is also compared with a reference: a document that resembles one of the
/// reference is a duplicate of it. The reference is only read, and is not in the output; duplicates among its own
/// documents do not matter.
///
/// # Errors
/// As for [`run`]; and if a path of the reference is part of the corpus, contains one of its paths, or lies in one; or
/// if clusters are to be components, whose chains would link documents of the reference.
pub fn run_against(
    (paths, options): (&[PathBuf], &Options),
    (reference, scope): (Reference<'_>, Scope),
    settings: &Settings,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Outcome>> {
    settings.check_against()?;
    run_on((paths, options), Some((reference, scope)), settings, places, progress)
}

fn run_on(
    (paths, options): (&[PathBuf], &Options),
    against: Option<(Reference<'_>, Scope)>,
    settings: &Settings,
    places: &Places,
    progress: &dyn Progress,
) -> Result<RunEnd<Outcome>> {
    settings.check()?;
    check_output(settings.mode, places)?;
    if settings.has_sizes && settings.mode != Mode::Remove {
        return Err(Error::setting(message![
            (
                "with mode {} no record that stays is written with the size of its cluster; use ",
                settings.mode
            ),
            Setting("mode"),
            " remove, or leave out ",
            Setting("sizes")
        ]));
    }
    if settings.has_pairs && places.output.is_none() {
        return Err(Error::setting(message![
            "pairs.parquet needs a folder to be written to; name one with ",
            Setting("output")
        ]));
    }
    let recipe = settings.recipe()?;
    let (reference, scope) = against.unzip();
    let scope = scope.unwrap_or_default();
    // The memory does not change the result, so a run may resume one that had another amount.
    let same = Settings { memory: 0, ..settings.clone() };
    let job = Job {
        name: "dedup",
        places,
        reference,
        rest: reference.map_or(OnFailure::Stays, |reference| reference.rest()),
        writes: output::form(settings),
        settings: &identifying(&(same, scope)),
    };
    let Some(Work { shards, n_references, left_out, reference_left_out, staging, identity }) =
        job::open(paths, options, job, progress, |_| Ok(()))?
    else {
        return Ok(RunEnd::Before);
    };
    let left_out = LeftOut { own: left_out, reference: reference_left_out };
    let reference_options = reference.map_or(options, |reference| reference.options);
    let corpus = Corpus { shards: &shards, n_references, options, reference_options };
    let steps = Steps::new(progress);
    let has_reference = reference.is_some();
    let run = Run { corpus, settings, recipe, staging, steps, has_reference, scope, identity };
    run.go(left_out).map(RunEnd::Now)
}

/// Returns the filter whose curve tells which pairs a run with these settings would compare.
///
/// # Errors
/// If the settings do not use a filter to find pairs.
pub fn filter(settings: &Settings) -> Result<Filter> {
    settings.recipe()?.filter().ok_or_else(|| {
        Error::setting(message![
            "only sketches of aligned registers are a filter with a curve; use ",
            Setting("sketch"),
            " fss(t=128), perm, lead, classic or bytes, without ",
            Setting("exact"),
            " and ",
            Setting("containment")
        ])
    })
}

impl Run<'_> {
    fn go(self, left_out: LeftOut) -> Result<Outcome> {
        self.steps.begin("reading", 0)?;
        let mut log = Log::open(self.staging.log()?, &self.identity.of_reading)?;
        self.staging.keep_log()?;
        let (inventory, kept) = sketching::read(&self, &mut log, left_out)?;
        if inventory.n_resumed == 0 {
            self.staging.clear_shards()?;
        }
        let starts = inventory.starts()?;
        if let Err(refusal) = self.check(&inventory, &starts) {
            // Under this rule a resumed run would end here again, and under another one it would read everything anew.
            drop(log);
            self.staging.discard()?;
            return Err(refusal);
        }

        self.steps.begin("sorting", 0)?;
        let secret = inventory.secrets.secret();
        let context = self.context(inventory.n_references(&starts));
        let n_documents = starts.n_documents();
        let same_address = &SameAddress::from_log(&context, &log, &secret, n_documents)?;
        let copies = Copies::from_log(&context, &log, &secret, n_documents, same_address)?;
        let texts =
            Texts { ranks: &inventory.ranks, copies: &copies, same_address, sides: context.sides };
        let mut order = Order::by_rule(self.settings, texts)?;
        let (found, sets) = match self.recipe.bands() {
            Some(bands) => {
                self.by_keys(&context, bands, (&log, &starts), (&copies, &order), (kept, &secret))?
            }
            None => self.by_rarest(&context, &starts, &copies, &inventory, (kept, &secret))?,
        };
        if self.settings.measure.is_containment() {
            order = Order::by_size(texts, &sets)?;
        }
        let (spill, memory) = (self.staging.spill(), self.settings.memory / 8);
        let mut edges = self.settings.has_pairs.then(|| Edges::new(spill, memory));
        let plan = Plan::new(&context, texts, &order, &found, &sets, |edge| match &mut edges {
            Some(edges) => edges.push(edge, sets.size(edge.a), sets.size(edge.b)),
            None => Ok(()),
        })?;
        drop(sets);

        self.steps.begin("writing", starts.n_documents().into())?;
        let mut named = plan.members.clone();
        found.large_buckets.iter().for_each(|bucket| named.insert(bucket.first));
        edges.iter().try_for_each(|edges| edges.name(&mut named))?;
        let names = Names::read(&self, &log, &starts, named)?;
        let largest = plan.largest.iter().map(|large| large.shown(&names));
        let largest = largest.collect::<Result<_>>()?;
        let counts = self.counts(&inventory, &copies, &found, &plan);
        if self.settings.mode != Mode::Report {
            output::write(&self, &log, &inventory, &starts, &plan, &names)?;
        }
        self.write_tables(&starts, &plan, edges.as_ref(), &names)?;
        let bad = &inventory.own.bad;
        job::write_failed(&self.corpus, &starts, bad, (&self.staging, &self.steps))?;
        self.steps.end();
        let addresses = same_address.counts(inventory.own.addresses);
        let summary = self.summary((counts, addresses), inventory, &found, &plan, &names)?;
        if self.staging.has_output() {
            self.staging.write_summary(&summary)?;
        }
        self.staging.finish()?;
        Ok(Outcome { summary, largest })
    }

    /// Writes the tables beside the corpus, if files are wanted.
    fn write_tables(
        &self,
        starts: &Starts,
        plan: &Plan,
        edges: Option<&Edges>,
        names: &Names,
    ) -> Result<()> {
        if !self.staging.has_output() {
            return Ok(());
        }
        let made = |name| self.staging.make_extra(name);
        tables::write_removed(made("removed.parquet")?, self, starts, plan, names)?;
        tables::write_clusters(made("clusters.parquet")?, self, starts, plan, names)?;
        edges.map_or(Ok(()), |edges| edges.write(made("pairs.parquet")?, self, starts, names))
    }

    /// Refuses a corpus that is not what the settings are for.
    fn check(&self, inventory: &Inventory, starts: &Starts) -> Result<()> {
        inventory.check(&self.corpus, starts, self.settings.allowed_failures)?;
        self.check_rules(inventory, starts)
    }

    /// Refuses a rule that no document can follow: it would keep the first of each group, which was not asked for. The
    /// same holds for addresses that no document has.
    fn check_rules(&self, inventory: &Inventory, starts: &Starts) -> Result<()> {
        let n_documents = inventory.own.n_documents();
        // Without ranks, none are needed.
        let ranks = inventory.ranks.get(inventory.n_references(starts) as usize..);
        self.settings.keep.check(n_documents, ranks.unwrap_or_default())?;
        let by_address = self.settings.by_address.as_ref();
        by_address.map_or(Ok(()), |own| own.check(&inventory.own.addresses))
    }

    fn counts(
        &self,
        inventory: &Inventory,
        copies: &Copies,
        found: &FoundPairs,
        plan: &Plan,
    ) -> Counts {
        let own = &inventory.own;
        let (documents, duplicates) = (own.n_documents(), plan.n_duplicates);
        Counts {
            shards: (self.corpus.shards.len() - self.corpus.n_references) as u64,
            records: own.n_records,
            bad: own.bad.n(),
            documents,
            text_bytes: own.n_bytes,
            wordless: own.n_wordless,
            copies: copies.n_counted,
            candidates: found.pairs.len(),
            unseen_pairs: found.n_unseen,
            settled_pairs: plan.n_settled,
            edges: plan.n_edges,
            duplicates,
            kept: documents - duplicates,
            clusters: plan.clusters.len(),
            components: plan.clusters.n_components,
        }
    }

    fn summary(
        &self,
        (counts, addresses): (Counts, AddressCounts),
        inventory: Inventory,
        found: &FoundPairs,
        plan: &Plan,
        names: &Names,
    ) -> Result<Summary> {
        // The names of these examples were read along with those of the clusters' members.
        let common_keys = found.large_buckets.iter().take(search::MOST_SHOWN).map(|bucket| {
            let example = names.get(bucket.first)?;
            Ok(CommonKey { documents: bucket.n_documents.into(), example })
        });
        let n_shards = self.corpus.n_references as u64;
        let reference = self
            .has_reference
            .then(|| ReferenceSummary::new(inventory.reference, n_shards, plan.of_reference));
        Ok(Summary {
            kind: "fanmill dedup",
            version: env!("CARGO_PKG_VERSION"),
            scheme: self.recipe.scheme(),
            measure: self.settings.measure.to_string(),
            linkage: self.settings.linkage.to_string(),
            keep: self.settings.keep.to_string(),
            first_by: self.settings.by_address.is_some().then_some(FirstBy::Url),
            mode: self.settings.mode.to_string(),
            promise: promise::promise(self.settings, &self.recipe, found),
            inputs: inventory.own.inputs(),
            counts,
            addresses: self.settings.by_address.is_some().then_some(addresses),
            reference,
            cluster_sizes: Summary::histogram(&plan.sizes),
            common_keys: common_keys.collect::<Result<_>>()?,
            bad_records: inventory.own.bad.notices.first,
            degraded: inventory.own.flawed.first,
            skipped: inventory.own.skipped.first,
            run: RunFigures {
                resumed_records: inventory.n_resumed,
                ..RunFigures::new(&self.staging, &self.identity, &self.steps, self.settings.memory)
            },
        })
    }

    /// Finds candidates first, so that only their documents are read again.
    fn by_keys(
        &self,
        context: &Context<'_>,
        bands: Bands,
        (log, starts): (&Log, &Starts),
        (copies, order): (&Copies, &Order),
        (kept, secret): (KeptTexts, &Secret),
    ) -> Result<(FoundPairs, Sets)> {
        let found = search::by_keys(context, bands, log, copies, order)?;
        self.steps.begin("comparing", starts.n_documents().into())?;
        let members = found.pairs.members(starts.n_documents() as usize)?;
        let sets = Sets::read(self, starts, members, kept, &secret.words)?;
        Ok((found, sets))
    }

    /// Reads all sets first, since any document may be a candidate.
    fn by_rarest(
        &self,
        context: &Context<'_>,
        starts: &Starts,
        copies: &Copies,
        inventory: &Inventory,
        (kept, secret): (KeptTexts, &Secret),
    ) -> Result<(FoundPairs, Sets)> {
        self.steps.begin("comparing", starts.n_documents().into())?;
        let mut members = Bits::new(starts.n_documents() as usize);
        for document in 0..starts.n_documents() {
            if !copies.represented.contains(document) && !inventory.is_bad(document) {
                members.insert(document);
            }
        }
        let sets = Sets::read(self, starts, members, kept, &secret.words)?;
        let n_bytes = inventory.own.n_bytes + inventory.reference.n_bytes;
        Ok((search::by_rarest(context, &sets, n_bytes)?, sets))
    }
}
