//! The whole job: from a corpus to a report.

use std::path::Path;

use rayon::prelude::*;

use crate::base::Boilerplate;
use crate::cluster::{self, Link};
use crate::error::Result;
use crate::fingerprint::Scheme;
use crate::frontend::{Decoded, Kind, Registry, decode};
use crate::pipeline::evidence::{Evidence, Finder};
use crate::pipeline::{Batch, Config, MaxDocs, Member, Progress, Ranking};
use crate::report::model::{self, Report};
use crate::report::{self, Shown, Texts};
use crate::source::{Corpus, Notice, Outcome, Role};
use crate::span::Span;

/// A finished comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The result with its evidence.
    pub report: Report,
    /// The submissions that the report speaks of, in its order.
    members: Vec<Member>,
}

/// Compares the submissions of a corpus with each other, and lists the best pairs with their passages.
///
/// # Errors
/// If the settings contradict each other or name an unknown language. Documents that cannot be
/// read are not errors: they are notices in the report.
pub fn compare(
    corpus: Corpus,
    registry: &Registry,
    config: &Config,
    progress: &dyn Progress,
) -> Result<Comparison> {
    let batch = Batch::read(corpus, registry, config, progress)?;
    let ranking = Ranking::of(&batch, config, progress)?;
    let listed = Listed::of(&batch, &ranking, config);

    progress.begin("matching", listed.pairs.len() as u64);
    let finder = Finder::new(&batch, &ranking);
    let evidence: Vec<Evidence> = listed
        .pairs
        .par_iter()
        .map(|pair| {
            progress.advance();
            finder.find(pair.members.0, pair.members.1)
        })
        .collect();
    drop(finder);
    let report = report(&batch, &ranking, &listed, evidence, config);
    let members =
        batch.members.into_iter().filter(|member| member.submission.role != Role::Base).collect();
    Ok(Comparison { report, members })
}

/// The pairs that the report lists.
struct Listed {
    /// Best first.
    pairs: Vec<ListedPair>,
    counts: model::Counts,
    histogram: Vec<u64>,
}

struct ListedPair {
    members: (usize, usize),
    score: f64,
}

/// Buckets of the histogram of scores.
const BUCKETS: usize = 20;

impl Listed {
    /// The best pairs by score, and a fifth as many again by evidence: a long copied passage in two
    /// large submissions is a small share of both, and must not be crowded out.
    fn of(batch: &Batch, ranking: &Ranking, config: &Config) -> Listed {
        let mut counts =
            model::Counts { possible: possible_pairs(batch), ..model::Counts::default() };
        let mut histogram = vec![0; BUCKETS];
        let mut by_evidence: Vec<usize> = Vec::new();
        let mut chosen: Vec<usize> = Vec::new();
        let mut room = config.max_pairs;
        for (i, pair) in ranking.pairs.iter().enumerate() {
            let n_pairs = ranking.members_of(pair, batch).count() as u64;
            counts.scored += n_pairs;
            #[expect(clippy::cast_sign_loss, reason = "scores are fractions")]
            let bucket = (pair.score * BUCKETS as f64) as usize;
            histogram[bucket.min(BUCKETS - 1)] += n_pairs;
            if pair.score < config.min_score {
                continue;
            }
            counts.reached += n_pairs;
            if room > 0 {
                room = room.saturating_sub(n_pairs as usize);
                chosen.push(i);
            } else {
                by_evidence.push(i);
            }
        }
        let by = |&i: &usize| (std::cmp::Reverse(ranking.pairs[i].evidence), i);
        by_evidence.sort_unstable_by_key(by);
        let mut pairs = expand(batch, ranking, &chosen, config.max_pairs);
        pairs.extend(expand(batch, ranking, &by_evidence, config.max_pairs / 5));
        Listed { pairs, counts, histogram }
    }
}

/// The first `limit` pairs of members that ranked pairs of classes stand for.
fn expand(batch: &Batch, ranking: &Ranking, chosen: &[usize], limit: usize) -> Vec<ListedPair> {
    let ranked = chosen.iter().map(|&i| &ranking.pairs[i]);
    let members = ranked
        .flat_map(|pair| ranking.members_of(pair, batch).map(move |members| (members, pair.score)));
    members.take(limit).map(|(members, score)| ListedPair { members, score }).collect()
}

/// New with new, and new with archive.
fn possible_pairs(batch: &Batch) -> u64 {
    let of_role = |role| batch.members.iter().filter(|m| m.submission.role == role).count() as u64;
    let (new, archive) = (of_role(Role::New), of_role(Role::Archive));
    new * new.saturating_sub(1) / 2 + new * archive
}

fn report(
    batch: &Batch,
    ranking: &Ranking,
    listed: &Listed,
    evidence: Vec<Evidence>,
    config: &Config,
) -> Report {
    // The report leaves base documents out, so its numbering differs from the batch's.
    let compared: Vec<usize> = (0..batch.members.len())
        .filter(|&i| batch.members[i].submission.role != Role::Base)
        .collect();
    let number = |member: usize| compared.partition_point(|&i| i < member) as u32;

    let mut pairs: Vec<model::Pair> = listed
        .pairs
        .iter()
        .zip(evidence)
        .filter(|(_, evidence)| !evidence.passages.is_empty())
        .map(|(pair, evidence)| {
            show_pair(number(pair.members.0), number(pair.members.1), pair.score, evidence)
        })
        .collect();
    pairs.sort_by(|x, y| {
        y.score
            .total_cmp(&x.score)
            .then(y.matched.cmp(&x.matched))
            .then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    let links = links(batch, ranking, number);
    let clusters = cluster::components(compared.len(), &links, config.cluster_threshold);
    Report {
        format: "fanmill report".to_owned(),
        version: model::VERSION,
        tool: concat!("fanmill ", env!("CARGO_PKG_VERSION")).to_owned(),
        promises: ranking.schemes.iter().map(|(scheme, _)| promise(scheme)).collect(),
        settings: settings(config, compared.len()),
        inputs: inputs(batch),
        notices: notices(batch),
        submissions: compared
            .iter()
            .map(|&i| show_member(&batch.members[i], &ranking.grey[i]))
            .collect(),
        counts: model::Counts { listed: pairs.len() as u64, ..listed.counts },
        histogram: listed.histogram.clone(),
        pairs,
        clusters: clusters.into_iter().map(show_cluster).collect(),
    }
}

/// All scored pairs, as links between numbered submissions.
fn links(batch: &Batch, ranking: &Ranking, number: impl Fn(usize) -> u32) -> Vec<Link> {
    let mut links = Vec::new();
    for pair in &ranking.pairs {
        let mut pairs = ranking.members_of(pair, batch);
        let Some((a, b)) = pairs.next() else { continue };
        let pairs = 1 + pairs.count() as u64;
        links.push(Link { a: number(a), b: number(b), score: pair.score, pairs });
        if pair.a == pair.b {
            // Identical ones: the pairs are counted above, and each is linked to the first.
            let members = &ranking.classes[pair.a as usize];
            let to_first = members[1..].iter().map(|&member| (members[0], member));
            links.extend(to_first.map(|(a, b)| Link {
                a: number(a),
                b: number(b),
                score: pair.score,
                pairs: 0,
            }));
        }
    }
    links
}

fn promise(scheme: &Scheme) -> model::Promise {
    let unit = match scheme.kind {
        Kind::Code => "tokens of code",
        Kind::Words => "words",
        Kind::Chars => "characters",
    };
    let noise = scheme.thresholds.noise();
    let guarantee = scheme.selector.guarantee(scheme.thresholds);
    let found = guarantee.map_or_else(
        || format!("this selector does not promise to find every passage of {unit}"),
        |guarantee| format!("a shared passage of {guarantee} {unit} or more is always found"),
    );
    model::Promise {
        kind: scheme.kind.to_string(),
        scheme: scheme.to_string(),
        noise: noise as u32,
        guarantee: guarantee.map(|guarantee| guarantee as u32),
        text: format!("{found}; nothing shorter than {noise} is ever shown"),
    }
}

fn settings(config: &Config, n_submissions: usize) -> model::Settings {
    model::Settings {
        min_score: config.min_score,
        max_pairs: config.max_pairs as u64,
        cluster_threshold: config.cluster_threshold,
        max_docs: config.max_docs.map(|max_docs: MaxDocs| max_docs.limit(n_submissions) as u64),
        language: config.language.clone(),
    }
}

/// The account of all inputs; those of base documents are part of it.
fn inputs(batch: &Batch) -> model::Inputs {
    let count = |outcome| {
        let mut paths: Vec<(&str, &str)> = batch
            .notices
            .iter()
            .filter(|notice| notice.outcome == outcome)
            .map(|notice| (notice.submission.as_str(), notice.path.as_str()))
            .collect();
        paths.dedup();
        paths.len() as u64
    };
    let taken: u64 =
        batch.members.iter().map(|member| member.submission.documents.len() as u64).sum();
    let (degraded, skipped, failed) =
        (count(Outcome::Degraded).min(taken), count(Outcome::Skipped), count(Outcome::Failed));
    model::Inputs {
        seen: taken + skipped + failed,
        compared: taken - degraded,
        degraded,
        skipped,
        failed,
    }
}

/// What was lost, and what to look at: signs of disguise in documents that were compared whole.
fn notices(batch: &Batch) -> Vec<model::Notice> {
    let lost = batch.notices.iter().map(|notice: &Notice| model::Notice {
        submission: notice.submission.clone(),
        path: notice.path.clone(),
        outcome: match notice.outcome {
            Outcome::Degraded => "degraded",
            Outcome::Skipped => "skipped",
            Outcome::Failed => "failed",
        }
        .to_owned(),
        reason: notice.reason.clone(),
    });
    let flagged = batch.members.iter().flat_map(|member| {
        let documents = member.submission.documents.iter().zip(&member.parts);
        let marked = documents.filter(|(_, part)| !part.marks.is_empty());
        marked.map(|(document, part)| {
            let found =
                part.marks.iter().map(|(mark, found)| format!("{} {}", found.count, mark.name()));
            model::Notice {
                submission: member.submission.name.clone(),
                path: document.path.clone(),
                outcome: "flagged".to_owned(),
                reason: format!("holds {}", found.collect::<Vec<_>>().join(", ")),
            }
        })
    });
    lost.chain(flagged).collect()
}

fn show_member(
    member: &Member,
    grey: &[(std::ops::Range<usize>, Boilerplate)],
) -> model::Submission {
    let submission = &member.submission;
    let boilerplate_tokens = grey.iter().map(|(range, _)| range.len() as u64).sum();
    let files = submission.documents.iter().zip(&member.parts).enumerate();
    model::Submission {
        name: submission.name.clone(),
        role: if submission.role == Role::New { "new" } else { "archive" }.to_owned(),
        author: submission.author.clone(),
        label: submission.label.clone(),
        submitted: submission.submitted.clone(),
        files: files
            .map(|(index, (document, part))| model::File {
                path: document.path.clone(),
                language: part.language.to_owned(),
                chosen_by: part.chosen.name().to_owned(),
                encoding: part.encoding.to_owned(),
                bytes: document.bytes.len() as u64,
                lines: memchr::memchr_iter(b'\n', &document.bytes).count() as u64 + 1,
                tokens: part.n_tokens as u64,
                boilerplate: greys(member, index, grey),
            })
            .collect(),
        tokens: member.stream.n_tokens() as u64 - boilerplate_tokens,
        boilerplate_tokens,
    }
}

/// The boilerplate of one document, as bytes.
fn greys(
    member: &Member,
    document: usize,
    grey: &[(std::ops::Range<usize>, Boilerplate)],
) -> Vec<model::Grey> {
    let stream = &member.stream;
    let own = grey
        .iter()
        .filter(|(range, _)| stream.documents[stream.part_of(range.start)].document == document);
    own.map(|(range, why)| {
        let span = stream.tokens.spans[range.start].join(stream.tokens.spans[range.end - 1]);
        let why = match why {
            Boilerplate::Given => "given",
            Boilerplate::Frequent => "frequent",
        };
        model::Grey { start: span.start, end: span.end, why: why.to_owned() }
    })
    .collect()
}

fn show_pair(a: u32, b: u32, score: f64, evidence: Evidence) -> model::Pair {
    let Evidence { coverage, truncated, passages } = evidence;
    model::Pair {
        a,
        b,
        score,
        containment_a: coverage.containment_a(),
        containment_b: coverage.containment_b(),
        resemblance: coverage.resemblance(),
        longest: passages.iter().map(|passage| passage.tokens).max().unwrap_or(0),
        matched: coverage.covered_a.min(coverage.covered_b),
        truncated,
        passages,
    }
}

fn show_cluster(cluster: cluster::Cluster) -> model::Cluster {
    model::Cluster {
        members: cluster.members,
        links: cluster.links,
        weakest: cluster.weakest,
        mean: cluster.mean,
    }
}

impl Comparison {
    /// The submissions that the report speaks of, in its order, with the bytes that they were read from.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Writes the report as a folder of pages and data; see [`crate::report`].
    ///
    /// # Errors
    /// If `dir` holds something else than an earlier report, or writing fails.
    pub fn write(&self, dir: &Path) -> Result<()> {
        report::write_folder(&self.report, self, dir)
    }
}

impl Texts for Comparison {
    fn text(&self, submission: u32, file: u32) -> Option<Shown<'_>> {
        let document =
            self.members.get(submission as usize)?.submission.documents.get(file as usize)?;
        let Decoded { text, map, .. } = decode(&document.bytes);
        if map.is_identity() {
            return Some(Shown::identity(text));
        }
        Some(Shown::mapped(text, move |at| map.map_span(Span::new(at as u32, at as u32 + 1)).start))
    }
}
