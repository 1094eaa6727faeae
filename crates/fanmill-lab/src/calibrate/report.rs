//! Shows the evidence for the thresholds as tables and figures.

use fanmill_text::message::Message;
use std::collections::BTreeSet;

use fanmill_text::Setting;
use fanmill_text::message;
use fanmill_text::token::{Kind, Symbol};

use super::measure::{Curve, LONGEST, place_of};
use super::{MOST_TOKENS, OfKind, Settings, Verdict};
use crate::collection::Collection;
use crate::excerpt::excerpt;
use crate::figure::thousands;
use crate::outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Series, Style, Table};

/// Number of pairs whose longest run is shown.
const SHOWN_RUNS: usize = 10;

/// Describes the documents, and the part of them that was used.
pub(super) fn input(collection: &Collection, n_chosen: usize, n_cut: usize) -> String {
    let mut input = collection.description();
    if n_chosen < collection.len() {
        input = format!("{input}; {} of them, drawn by the seed", count(n_chosen as u64));
    }
    if n_cut > 0 {
        let (n_cut, most) = (count(n_cut as u64), count(MOST_TOKENS as u64));
        input = format!("{input}; of {n_cut} long ones the first {most} tokens");
    }
    input
}

pub(super) fn outcome(
    kinds: &[OfKind],
    settings: &Settings,
    collection: &Collection,
    input: String,
) -> Outcome {
    let mut tables = vec![thresholds_table(kinds)];
    for of in kinds {
        tables.push(row_table(of));
        tables.push(runs_table(of, collection));
    }
    Outcome {
        experiment: "calibrate",
        question: "from which length on is what documents share no coincidence?".to_owned(),
        source: "Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.2",
        input: input.into(),
        seed: Some(settings.seed),
        findings: kinds.iter().flat_map(|of| findings(of, settings)).collect(),
        tables,
        figures: kinds
            .iter()
            .flat_map(|of| [matches_figure(of), pairs_figure(of, settings)])
            .collect(),
    }
}

fn findings(of: &OfKind, settings: &Settings) -> Vec<Message> {
    let kind = of.kind;
    let verdict = match &of.verdict {
        Ok(verdict) => verdict,
        Err(why) => return vec![message!["{kind}: nothing to recommend; ", why]],
    };
    let mut findings = recommended(of, verdict, settings);
    let (unrelated, guarantee) = (of.measured.unrelated.survival(), verdict.thresholds.guarantee());
    if verdict.law.at(of.preset.guarantee()) > 0.5 {
        findings.push(message![
            (
                "{kind}: that most unrelated pairs share {} tokens speaks for a template or very similar \
                 tasks; a base made of it (by the experiment `frequency`, with ",
                of.preset.guarantee()
            ),
            Setting("write-base"),
            ") spares the comparison more than so long a guarantee"
        ]);
    }
    // A share of two per cent of 1,000 pairs has a standard deviation of half a per cent.
    let above = unrelated.at(guarantee) - verdict.law.at(guarantee);
    if above > 2.0 * settings.tolerate {
        findings.push(message![(
            "{kind}: {} of the pairs share such a run, far more than the law says: copies, or \
             boilerplate. The longest runs are in the table",
            percent(unrelated.at(guarantee))
        )]);
    }
    let n_pairs = of.measured.unrelated.n_pairs + of.measured.n_related;
    if of.measured.n_related > 0 {
        let is_most = 2 * of.measured.n_related > n_pairs;
        let doubt = "; that is most of them, and the result is in doubt";
        findings.push(message![(
            "{kind}: {} of {} pairs are left out as related: more than {} of the shorter one's grams \
             are in the other{}",
            count(of.measured.n_related),
            count(n_pairs),
            percent(settings.related),
            if is_most { doubt } else { "" }
        )]);
    }
    findings
}

/// Returns the recommended thresholds, and the results of Fanmill's own.
fn recommended(of: &OfKind, verdict: &Verdict, settings: &Settings) -> Vec<Message> {
    let (kind, scrambled) = (of.kind, of.measured.scrambled.survival());
    let (noise, guarantee) = (verdict.thresholds.noise(), verdict.thresholds.guarantee());
    let tolerate = percent(settings.tolerate);
    vec![
        message![
            "{kind}: ",
            Setting("noise"),
            (
                " {noise}. Scrambled documents share a gram of {noise} tokens in {} of the \
             pairs, and one of {} in {}",
                percent(scrambled.at(noise)),
                noise - 1,
                percent(scrambled.at(noise - 1))
            )
        ],
        message![
            "{kind}: ",
            Setting("guarantee"),
            " {guarantee}. By the law of their quartiles, {tolerate} of unrelated pairs \
             share a run of {guarantee} tokens; a tool that shows every match needs ",
            Setting("noise"),
            " {guarantee} for that"
        ],
        presets(of, verdict),
    ]
}

/// Describes the results of Fanmill's own thresholds on this collection.
fn presets(of: &OfKind, verdict: &Verdict) -> Message {
    let (noise, guarantee) = (of.preset.noise(), of.preset.guarantee());
    message![(
        "{}: Fanmill's own thresholds are {noise} and {guarantee}; {} of scrambled pairs share {noise} \
         tokens, and by the law {} of unrelated pairs {guarantee}",
        of.kind,
        percent(of.measured.scrambled.survival().at(noise)),
        percent(verdict.law.at(guarantee))
    )]
}

fn thresholds_table(kinds: &[OfKind]) -> Table {
    let row = |of: &OfKind| {
        let verdict = of.verdict.as_ref().ok();
        // Kinds without a recommendation have empty cells.
        let recommended = |value: fn(&Verdict) -> usize| {
            verdict.map_or(Cell::Nothing, |verdict| Cell::Count(value(verdict) as u64))
        };
        vec![
            Cell::Text(of.kind.to_string()),
            Cell::Count(of.documents.len() as u64),
            Cell::Count(of.measured.unrelated.n_pairs + of.measured.n_related),
            Cell::Count(of.measured.n_related),
            recommended(|verdict| verdict.thresholds.noise()),
            recommended(|verdict| verdict.thresholds.guarantee()),
            Cell::Count(of.preset.noise() as u64),
            Cell::Count(of.preset.guarantee() as u64),
        ]
    };
    let sampled =
        if kinds.iter().any(|of| of.is_sampled) { ", on a sample of the pairs" } else { "" };
    Table {
        name: "thresholds",
        caption: format!("Thresholds for this collection, beside Fanmill's own{sampled}"),
        columns: vec![
            Column::new("kind", ""),
            Column::new("documents", ""),
            Column::new("pairs", ""),
            Column::new("related", "pairs"),
            Column::new("noise", "tokens"),
            Column::new("guarantee", "tokens"),
            Column::new("own noise", "tokens"),
            Column::new("own guarantee", "tokens"),
        ],
        rows: kinds.iter().map(row).collect(),
    }
}

/// Returns a name for a table or a figure of one kind.
fn named(kind: Kind, names: [&'static str; 3]) -> &'static str {
    match kind {
        Kind::Code => names[0],
        Kind::Words => names[1],
        Kind::Chars => names[2],
    }
}

/// Returns the length up to which the evidence is shown.
fn shown_to(of: &OfKind) -> usize {
    let guarantee = of.verdict.as_ref().map_or(0, |verdict| verdict.thresholds.guarantee());
    (guarantee.max(of.preset.guarantee()) * 3 / 2).min(LONGEST)
}

fn row_table(of: &OfKind) -> Table {
    let top = shown_to(of);
    // About 24 lengths at regular steps, and the thresholds themselves.
    let step = top.div_ceil(24).max(1);
    let mut lengths: BTreeSet<usize> = (step..=top).step_by(step).collect();
    lengths.extend([of.preset.noise(), of.preset.guarantee()]);
    let verdict = of.verdict.as_ref().ok();
    if let Some(verdict) = verdict {
        lengths.extend([verdict.thresholds.noise(), verdict.thresholds.guarantee()]);
    }
    let (unrelated, scrambled) = (&of.measured.unrelated, &of.measured.scrambled);
    let share = |curve: &Curve, k: usize| number(100.0 * curve.survival().at(k), 2);
    let row = |k: usize| {
        vec![
            Cell::Count(k as u64),
            share(unrelated, k),
            verdict.map_or(Cell::Nothing, |verdict| number(100.0 * verdict.law.at(k), 2)),
            share(scrambled, k),
            number(unrelated.grams_per_pair(k), 3),
            number(scrambled.grams_per_pair(k), 3),
        ]
    };
    Table {
        name: named(of.kind, ["row-code", "row-words", "row-chars"]),
        caption: format!(
            "{}: pairs that share a gram of k tokens, and shared grams a pair",
            of.kind
        ),
        columns: vec![
            Column::new("k", "tokens"),
            Column::new("unrelated", "% of pairs"),
            Column::new("by the law", "% of pairs"),
            Column::new("scrambled", "% of pairs"),
            Column::new("unrelated", "grams a pair"),
            Column::new("scrambled", "grams a pair"),
        ],
        rows: lengths.into_iter().map(row).collect(),
    }
}

fn runs_table(of: &OfKind, collection: &Collection) -> Table {
    let symbols: Vec<&[Symbol]> = of.documents.iter().map(|held| &*held.symbols).collect();
    let runs = of.measured.runs.iter().filter(|run| run.length > 0).take(SHOWN_RUNS);
    // The passage is cut from the second document, in which `place_of` finds the run.
    let rows = runs.map(|run| {
        let [a, b] = [run.a, run.b].map(|document| of.documents[document].index);
        let at = place_of(run, &symbols);
        let document = collection.document(b);
        vec![
            if run.length < LONGEST {
                Cell::Count(run.length as u64)
            } else {
                Cell::Text(format!("{LONGEST} or more"))
            },
            Cell::Text(excerpt(collection.name(a))),
            Cell::Text(excerpt(collection.name(b))),
            Cell::Text(excerpt(document.passage(at..at + run.length))),
        ]
    });
    Table {
        name: named(of.kind, ["runs-code", "runs-words", "runs-chars"]),
        caption: format!(
            "{}: the longest runs that pairs taken for unrelated share: copies, boilerplate, or chance?",
            of.kind
        ),
        columns: vec![
            Column::new("run", "tokens"),
            Column::new("in", ""),
            Column::new("and", ""),
            Column::new("text", ""),
        ],
        rows: rows.collect(),
    }
}

/// Returns lines at the recommended thresholds.
fn lines(of: &OfKind) -> Vec<Line> {
    let Ok(verdict) = &of.verdict else { return Vec::new() };
    let line = |name: &str, k: usize| Line { name: format!("{name} {k}"), at: Place::X(k as f64) };
    vec![
        line("noise", verdict.thresholds.noise()),
        line("guarantee", verdict.thresholds.guarantee()),
    ]
}

fn series(name: &str, style: Style, top: usize, value: impl Fn(usize) -> f64) -> Series {
    let points = (1..=top).map(|k| (k as f64, value(k)));
    Series { name: name.to_owned(), style, points: points.collect() }
}

fn matches_figure(of: &OfKind) -> Figure {
    let top = shown_to(of);
    let (unrelated, scrambled) = (&of.measured.unrelated, &of.measured.scrambled);
    Figure {
        name: named(of.kind, ["matches-code", "matches-words", "matches-chars"]),
        title: format!("Shared grams by their length ({})", of.kind),
        x: Axis::linear("length of a gram k, in tokens"),
        y: Axis::log("shared grams in the average pair"),
        series: vec![
            series("unrelated documents", Style::Line, top, |k| unrelated.grams_per_pair(k)),
            series("the same, scrambled", Style::Line, top, |k| scrambled.grams_per_pair(k)),
        ],
        lines: lines(of),
    }
}

fn pairs_figure(of: &OfKind, settings: &Settings) -> Figure {
    let top = shown_to(of);
    let (unrelated, scrambled) =
        (of.measured.unrelated.survival(), of.measured.scrambled.survival());
    let mut all = vec![
        series("unrelated documents", Style::Line, top, |k| 100.0 * unrelated.at(k)),
        series("the same, scrambled", Style::Line, top, |k| 100.0 * scrambled.at(k)),
    ];
    let mut lines = lines(of);
    if let Ok(verdict) = &of.verdict {
        // Below a tenth of the tolerated share, the law would only stretch the axis.
        let lowest = settings.tolerate / 10.0;
        let mut law =
            series("law of extreme values", Style::Dashed, top, |k| 100.0 * verdict.law.at(k));
        law.points.retain(|point| point.1 >= 100.0 * lowest);
        all.push(law);
        lines.push(Line {
            name: format!("tolerated: {}", percent(settings.tolerate)),
            at: Place::Y(100.0 * settings.tolerate),
        });
    }
    Figure {
        name: named(of.kind, ["pairs-code", "pairs-words", "pairs-chars"]),
        title: format!("Pairs that share a run of k tokens ({})", of.kind),
        x: Axis::linear("length of the run k, in tokens"),
        y: Axis::log("pairs, in %"),
        series: all,
        lines,
    }
}

fn number(value: f64, decimals: u8) -> Cell {
    Cell::Number { value, decimals }
}

fn count(n: u64) -> String {
    thousands(&n.to_string())
}

/// Returns a share as a percentage, with as many digits as its size needs: `0.4 %`.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 0.05 {
        return "under 0.1 %".to_owned();
    }
    if percent >= 10.0 || (percent - percent.round()).abs() < 1e-9 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}
