//! Assembly of a report from the results of the steps before it.

use fanmill_text::message;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::base::Boilerplate;
use crate::cluster::{self, Link};
use crate::fingerprint::Recipe;
use crate::pipeline::chance::Chance;
use crate::pipeline::evidence::{Evidence, Extent};
use crate::pipeline::found::FoundPair;
use crate::pipeline::listing::{Listed, ListedPair};
use crate::pipeline::numbers::Numbers;
use crate::pipeline::own_earlier::{first_of_others, is_own_earlier, joins, n_pairs_of_others};
use crate::pipeline::recipes::{BatchRecipe, SHORT};
use crate::pipeline::unlisted::Unlisted;
use crate::pipeline::{Batch, Config, MaxDocs, Member, Ranking, hidden_ring, metadata};
use crate::report::{self, Report};
use fanmill_text::document::{Notice, Outcome, Role, Submission};
use fanmill_text::frontend::{Kind, Mark};
use fanmill_text::scheme::{FrontEndVersion, Scheme};
use fanmill_text::span::Span;

/// The pairs of a report, with their evidence.
pub(super) struct ReportPairs<'a> {
    pub(super) listed: &'a Listed,
    /// Evidence of the listed pairs, in their order.
    pub(super) evidence: Vec<Evidence>,
    pub(super) unlisted: &'a Unlisted,
    /// Extents of the unlisted pairs, in their order; or none.
    pub(super) extents: Vec<Extent>,
}

/// Assembles the report on a batch.
pub(super) fn report(
    batch: &Batch<'_>,
    ranking: &Ranking,
    found: &[FoundPair],
    shown: ReportPairs<'_>,
    config: &Config,
) -> Report {
    let ReportPairs { listed, evidence, unlisted, extents } = shown;
    let numbers = Numbers::from_batch(batch);
    let compared = numbers.members();
    let number = |member: usize| numbers.number(member);

    let chance = Chance::new(batch, ranking, found, config);
    let mut pairs: Vec<report::Pair> = (listed.pairs.iter().zip(evidence))
        .filter(|(_, evidence)| !evidence.passages.is_empty())
        .map(|(pair, evidence)| {
            let [a, b] = [pair.members.0, pair.members.1];
            let mut shown = show_pair([a, b].map(&number), pair, evidence, &chance);
            let submission = |member: usize| &batch.members[member].submission;
            shown.metadata = metadata::shared(submission(a), submission(b));
            if is_own_earlier(batch, a, b) {
                (shown.own_earlier, shown.expected) = (true, None);
            }
            shown
        })
        .collect();
    // The list is in the order in which pairs were chosen; the report is ordered by score.
    pairs.sort_by(|x, y| {
        y.score
            .total_cmp(&x.score)
            .then(y.matched.cmp(&x.matched))
            .then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    let links = links(batch, ranking, found, number);
    let max_docs = config.max_docs.map(|max_docs: MaxDocs| max_docs.limit(compared.len()));
    let clusters = cluster::clusters(compared.len(), &links, chance.threshold);
    let unlisted = unlisted.summaries(&extents, &numbers, &chance);
    Report {
        format: "fanmill report".to_owned(),
        version: report::VERSION,
        tool: concat!("fanmill ", env!("CARGO_PKG_VERSION")).to_owned(),
        title: None,
        page_language: None,
        promises: promises(batch, ranking, config),
        settings: settings(config, max_docs, &chance),
        inputs: inputs(batch),
        notices: notices(batch, ranking, max_docs),
        submissions: compared
            .iter()
            .map(|&i| show_member(&batch.members[i], &ranking.grey[i], &ranking.grey_spans[i]))
            .collect(),
        counts: report::Counts {
            listed: pairs.len() as u64,
            standing_out: chance.standing_out(batch, ranking, found),
            ..listed.counts
        },
        expectation: chance.fitted.ok(),
        unjudged: chance.fitted.err(),
        histogram: listed.histogram.clone(),
        pairs,
        unlisted,
        clusters: clusters.into_iter().map(show_cluster).collect(),
        sources: Vec::new(),
    }
}

/// Returns all pairs that share a passage, as links between numbered submissions.
fn links(
    batch: &Batch<'_>,
    ranking: &Ranking,
    found: &[FoundPair],
    number: impl Fn(usize) -> u32,
) -> Vec<Link> {
    let mut links = Vec::new();
    for FoundPair { ranked: pair, finding } in found {
        let score = finding.score;
        let Some((a, b)) = first_of_others(batch, ranking, pair) else { continue };
        let pairs = n_pairs_of_others(batch, ranking, pair);
        links.push(Link { a: number(a), b: number(b), score, pairs });
        if pair.a == pair.b {
            // Identical submissions: their pairs are counted above.
            let joins = joins(batch, &ranking.classes[pair.a as usize]);
            links.extend(joins.into_iter().map(|(a, b)| Link {
                a: number(a),
                b: number(b),
                score,
                pairs: 0,
            }));
        }
    }
    links
}

/// Returns the guarantees of all recipes.
fn promises(batch: &Batch<'_>, ranking: &Ranking, config: &Config) -> Vec<report::Promise> {
    ranking.recipes.iter().map(|of_pairs| promise(of_pairs, batch, ranking, config)).collect()
}

fn promise(
    of_pairs: &BatchRecipe,
    batch: &Batch<'_>,
    ranking: &Ranking,
    config: &Config,
) -> report::Promise {
    let recipe = &of_pairs.recipe;
    let unit = match recipe.kind {
        Kind::Code => "tokens of code",
        Kind::Words => "words",
        Kind::Chars => "characters",
    };
    let noise = recipe.thresholds.noise();
    // If not all candidates were scored, only passages that few submissions share are sure to be found.
    let max_holders = ranking.is_limited.then_some(config.candidates.max_holders as u32);
    let guarantee = recipe.selector.guarantee(recipe.thresholds);
    let found = guarantee.map_or_else(
        || format!("this selector does not promise to find every passage of {unit}"),
        |guarantee| {
            let within = max_holders.map_or_else(String::new, |most| {
                format!(
                    " if at most {most} submissions have it, and else in the pairs that were scored"
                )
            });
            format!("a shared passage of {guarantee} {unit} or more is always found{within}")
        },
    );
    let shown = match recipe.kind {
        Kind::Words => format!("no passage without a run of {noise} is ever shown"),
        Kind::Code | Kind::Chars => format!("nothing shorter than {noise} is ever shown"),
    };
    let (mut start, mut end) = (String::new(), String::new());
    if of_pairs.is_for_short() {
        start = format!("if one of the two submissions has fewer than {SHORT} tokens of code, ");
    } else if of_pairs.is_for_long() {
        end = format!(", unless one of the two submissions has fewer than {SHORT} tokens of code");
    }
    report::Promise {
        kind: recipe.kind,
        scheme: scheme(recipe, batch).to_string(),
        noise: noise as u32,
        guarantee: guarantee.map(|guarantee| guarantee as u32),
        shorter_than: of_pairs.is_for_short().then_some(SHORT as u32),
        max_holders,
        text: format!("{start}{found}; {shown}{end}"),
    }
}

/// Returns the scheme of a recipe, with the front ends that made its tokens.
fn scheme(recipe: &Recipe, batch: &Batch<'_>) -> Scheme {
    let parts = batch.members.iter().flat_map(|member| &member.parts);
    let own = parts.flat_map(|part| &part.front_ends).filter(|(kind, ..)| *kind == recipe.kind);
    recipe.scheme(own.map(|&(_, name, version)| FrontEndVersion::new(name, version)))
}

fn settings(config: &Config, max_docs: Option<usize>, chance: &Chance) -> report::Settings {
    report::Settings {
        min_score: config.min_score,
        max_pairs: config.max_pairs as u64,
        cluster_threshold: chance.threshold,
        threshold_from: chance.threshold_from,
        max_docs: max_docs.map(|limit| limit as u64),
        quotes: config.quotes,
        language: config.fingerprints.lang.clone(),
    }
}

/// Counts all inputs, those of base documents included.
///
/// A degraded archive or manifest counts as an input besides the documents that it holds or names.
fn inputs(batch: &Batch<'_>) -> report::Inputs {
    let documents: BTreeSet<Input> = batch
        .members
        .iter()
        .flat_map(|member| {
            let Submission { role, name, documents, .. } = &member.submission;
            documents.iter().map(|document| (*role, name.as_str(), document.path.as_str()))
        })
        .collect();
    let of = |outcome| -> BTreeSet<Input> {
        let notices = batch.notices.iter().filter(|notice| notice.outcome == outcome);
        notices.map(|n| (n.role, n.submission.as_str(), n.path.as_str())).collect()
    };
    let degraded = of(Outcome::Degraded);
    let [skipped, failed] = [Outcome::Skipped, Outcome::Failed].map(|outcome| of(outcome).len());
    let compared = documents.difference(&degraded).count();
    report::Inputs {
        seen: (compared + degraded.len() + skipped + failed) as u64,
        compared: compared as u64,
        degraded: degraded.len() as u64,
        skipped: skipped as u64,
        failed: failed as u64,
    }
}

/// Role, submission and path: no two inputs have all three in common.
type Input<'a> = (Role, &'a str, &'a str);

/// Collects the notices: what was lost, signs of disguise in documents that were compared whole, and hidden rings.
fn notices(batch: &Batch<'_>, ranking: &Ranking, max_docs: Option<usize>) -> Vec<Notice> {
    let flagged = batch.members.iter().flat_map(|member| {
        let documents = member.submission.documents.iter().zip(&member.parts);
        let marked = documents.filter(|(_, part)| !part.marks.is_empty());
        marked.map(|(document, part)| {
            let found =
                part.marks.iter().map(|(mark, found)| format!("{} {}", found.count, mark.name()));
            // By themselves, these are no sign of disguise.
            let is_usual = part.marks.iter().all(|(mark, _)| mark == Mark::Compatibility);
            let why =
                if is_usual { ", as formulas do; they are compared as plain ones" } else { "" };
            Notice {
                role: member.submission.role,
                submission: member.submission.name.clone(),
                path: document.path.clone(),
                outcome: Outcome::Flagged,
                reason: message![("holds {}{why}", found.collect::<Vec<_>>().join(", "))],
            }
        })
    });
    let hidden = max_docs.map(|limit| hidden_ring::notices(batch, ranking, limit));
    batch.notices.iter().cloned().chain(flagged).chain(hidden.into_iter().flatten()).collect()
}

fn show_member(
    member: &Member,
    grey: &[(Range<usize>, Boilerplate)],
    spans: &[Span],
) -> report::Submission {
    let submission = &member.submission;
    // Boilerplate is counted separately from the other tokens.
    let boilerplate_tokens = grey.iter().map(|(range, _)| range.len() as u64).sum();
    let files = submission.documents.iter().zip(&member.parts).zip(greys(member, grey, spans));
    report::Submission {
        name: submission.name.clone(),
        role: submission.role,
        author: submission.author.clone(),
        label: submission.label.clone(),
        submitted: submission.submitted.clone(),
        publication: submission.publication.clone(),
        files: files
            .map(|((document, part), boilerplate)| report::File {
                path: document.path.clone(),
                language: part.language.to_owned(),
                chosen_by: part.chosen,
                encoding: part.encoding.to_owned(),
                bytes: document.bytes.len() as u64,
                lines: part.n_lines,
                tokens: part.n_tokens as u64,
                boilerplate,
            })
            .collect(),
        tokens: member.outline.n_tokens() as u64 - boilerplate_tokens,
        boilerplate_tokens,
    }
}

/// Returns the boilerplate of each document, in bytes.
fn greys(
    member: &Member,
    grey: &[(Range<usize>, Boilerplate)],
    spans: &[Span],
) -> Vec<Vec<report::BoilerplateSpan>> {
    let outline = &member.outline;
    let mut greys = vec![Vec::new(); member.parts.len()];
    for (&(ref range, why), span) in grey.iter().zip(spans) {
        let document = outline.documents[outline.part_of(range.start)].document;
        greys[document].push(report::BoilerplateSpan { start: span.start, end: span.end, why });
    }
    // Prose and code of a page alternate, and the span of a word that a tag cuts contains that tag.
    for of_document in &mut greys {
        of_document.sort_unstable_by_key(|grey| (grey.start, grey.end));
        let mut end = 0;
        for grey in &mut *of_document {
            grey.start = grey.start.max(end);
            end = end.max(grey.end);
        }
        of_document.retain(|grey| grey.start < grey.end);
    }
    greys
}

fn show_pair(
    [a, b]: [u32; 2],
    listed: &ListedPair,
    evidence: Evidence,
    chance: &Chance,
) -> report::Pair {
    let Evidence { coverage, truncated, passages } = evidence;
    report::Pair {
        a,
        b,
        score: listed.score,
        expected: chance.expected(listed.score),
        containment_a: coverage.containment_a(),
        containment_b: coverage.containment_b(),
        resemblance: coverage.resemblance(),
        rare: listed.evidence / 65536,
        rare_run: u64::from(listed.rare_run),
        listed_for: listed.listed_for,
        longest: passages.iter().map(|passage| passage.tokens).max().unwrap_or(0),
        matched: coverage.covered_a.min(coverage.covered_b),
        truncated,
        own_earlier: false,
        passages,
        metadata: Vec::new(),
    }
}

fn show_cluster(cluster: cluster::Cluster) -> report::Cluster {
    report::Cluster {
        members: cluster.members,
        links: cluster.links,
        weakest: cluster.weakest,
        mean: cluster.mean,
        chain: cluster.chain,
    }
}
