//! The frequency of grams: a power law, with the collection's boilerplate at its top.
//!
//! Grams sorted by frequency lie on a line when both axes are logarithmic: a few occur very often, most occur once. The
//! most common ones are menus, disclaimers, handouts and repetitive strings; joined into passages, they are what a
//! comparison should leave out.
//!
//! Cost: see [`count`], plus two passes over all grams.
//! Source: Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1 and Figure 4.
//! Departs from it: no plateau is removed by hand; strings are shown joined into passages.

pub mod base;
pub mod documents;
pub mod rank;
pub mod count;
pub mod passages;
#[cfg(test)]
mod tests;

use fanmill::pipeline::{Config, MaxDocs, ThresholdOverrides};
use fanmill::select::{Selector, Thresholds};
use fanmill_text::counted::counted;
use fanmill_text::message;
use fanmill_text::message::Message;
use fanmill_text::progress::Progress;
use fanmill_text::token::Kind;
use fanmill_text::{Error, Result, Setting};

use crate::collection::Collection;
use crate::excerpt::excerpt;
use crate::outcome::{Axis, Cell, Column, Figure, Outcome, Series, Style, Table};
use base::Base;
use count::{Counts, Rule};
use documents::{Documents, OfKind};
use passages::Passage;
use rank::{Plateau, PowerLaw};

/// The paper's shares of grams that occur once, twice and three times on 20,000 Web pages; they are equal for all grams
/// and for fingerprints.
pub const PAPER: [f64; 3] = [0.82, 0.14, 0.02];

/// The source of the lengths of grams and windows.
#[derive(Debug, Clone, Copy)]
pub enum Lengths {
    /// These lengths.
    Given(Thresholds),
    /// The lengths of a comparison of this kind of text, except for the user's overrides.
    OfKind(ThresholdOverrides),
}

impl Lengths {
    fn thresholds(self, kind: Kind) -> Result<Thresholds> {
        match self {
            Lengths::Given(thresholds) => Ok(thresholds),
            Lengths::OfKind(ThresholdOverrides { noise, guarantee }) => {
                let config = Config::standard().with(|config| {
                    config.fingerprints.noise = noise;
                    config.fingerprints.guarantee = guarantee;
                });
                config.recipe(kind).map(|scheme| scheme.thresholds)
            }
        }
    }
}

/// The settings of the experiment.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The length of grams, and the window of the selector.
    pub lengths: Lengths,
    /// The selector of the grams that are fingerprints.
    pub selector: Selector,
    /// Grams in more documents than this are boilerplate.
    pub max_docs: MaxDocs,
    /// Number of strings shown.
    pub n_strings: usize,
}

impl Settings {
    /// Returns the settings for winnowing, as in the paper, and twenty strings. Grams in more than 30 % of the
    /// documents are boilerplate, so that the copies of a smaller group are not.
    pub fn new(lengths: Lengths) -> Settings {
        Settings {
            lengths,
            selector: Selector::Winnow,
            max_docs: MaxDocs::Share(0.3),
            n_strings: 20,
        }
    }
}

/// The results of the experiment.
#[derive(Debug)]
pub struct Frequency {
    /// Tables and the figure.
    pub outcome: Outcome,
    /// Passages that many documents contain, to be left out of a comparison.
    pub base: Base,
}

/// Counts the grams of a collection, in documents of the kind that has the most tokens.
///
/// # Errors
/// If no document has a token, or the lengths contradict each other.
pub fn run(
    settings: &Settings,
    collection: &Collection,
    progress: &dyn Progress,
) -> Result<Frequency> {
    let documents = OfKind::commonest(collection)
        .ok_or_else(|| Error::input("no document has any tokens, so there is nothing to count"))?;
    let limit = settings.max_docs.limit(documents.n_documents()) as u64;
    let rule = Rule {
        thresholds: settings.lengths.thresholds(documents.kind)?,
        selector: settings.selector,
        max_documents: limit,
    };
    let counts = count::count(&documents, documents.n_tokens, &rule, progress);
    let k = rule.thresholds.noise();
    // Strings that occur often are shown; passages in many documents make the base.
    let strings = passages::commonest(&documents, k, &counts.often, settings.n_strings);
    let passages = passages::covering(&documents, k, &counts.widespread);
    let text = |passage: &Passage| {
        let document = collection.document(documents.number(passage.document));
        document.passage(passage.tokens.clone()).to_owned()
    };
    let base = Base {
        kind: documents.kind,
        texts: passages.iter().map(&text).collect(),
        grams: counts.widespread.iter().map(|gram| gram.hash).collect(),
        noise: k,
    };
    let curves = [&counts.all, &counts.selected].map(|plateaus| Curve::from_plateaus(plateaus));
    let outcome = Outcome {
        experiment: "frequency",
        question: format!("how often does each gram of {k} {} occur?", collection.token_unit()),
        source: "Schleimer, Wilkerson & Aiken, SIGMOD 2003, §5.1 and Figure 4",
        input: input(collection, &documents),
        seed: None,
        findings: findings(&counts, &curves, &base, limit, &rule),
        tables: vec![shares(&counts), curves_table(&curves), strings_table(&strings, &text)],
        figures: vec![figure(&curves)],
    };
    Ok(Frequency { outcome, base })
}

fn input(collection: &Collection, documents: &OfKind) -> Message {
    let mut input = Message::from(collection.description());
    if documents.n_others() > 0 {
        let (n, kind, include) = (documents.n_others(), documents.kind, Setting("include"));
        input.push(message![
            "; {n} of another kind than {kind} are left out: ",
            include,
            " chooses"
        ]);
    }
    input
}

/// One curve of frequencies by rank.
#[derive(Debug)]
struct Curve {
    n_occurrences: u64,
    n_distinct: u64,
    n_plateaus: u64,
    points: Vec<(f64, f64)>,
    fitted: Option<PowerLaw>,
}

impl Curve {
    fn from_plateaus(plateaus: &[Plateau]) -> Curve {
        let points = rank::endpoints(plateaus);
        Curve {
            n_occurrences: plateaus.iter().map(|p| p.occurrences * p.n_grams).sum(),
            n_distinct: plateaus.iter().map(|p| p.n_grams).sum(),
            n_plateaus: plateaus.len() as u64,
            fitted: PowerLaw::fit(&points),
            points,
        }
    }

    fn commonest(&self) -> Option<f64> {
        self.points.first().map(|point| point.1)
    }
}

/// Returns the share of distinct grams that occur `times` times.
pub fn share(plateaus: &[Plateau], times: u64) -> f64 {
    let all: u64 = plateaus.iter().map(|p| p.n_grams).sum();
    let n = plateaus.iter().find(|p| p.occurrences == times).map_or(0, |p| p.n_grams);
    n as f64 / all.max(1) as f64
}

fn findings(
    counts: &Counts,
    curves: &[Curve; 2],
    base: &Base,
    limit: u64,
    rule: &Rule,
) -> Vec<Message> {
    let mut findings = Vec::new();
    let (once, twice) = (share(&counts.all, 1), share(&counts.all, 2));
    if curves[0].n_distinct == 0 {
        let k = rule.thresholds.noise();
        let tokens = counted(k as u64, "token", "tokens");
        return vec![message!["no document has {tokens}, so there is no gram to count"]];
    }
    findings.push(message![(
        "{:.1} % of all distinct grams occur once, {:.1} % twice; of the fingerprints, {:.1} % and \
         {:.1} % (the paper: 82 % and 14 % for both)",
        100.0 * once,
        100.0 * twice,
        100.0 * share(&counts.selected, 1),
        100.0 * share(&counts.selected, 2)
    )]);
    if let [Some(all), Some(selected)] = curves.each_ref().map(|curve| curve.fitted) {
        findings.push(message![(
            "frequency falls with the rank to the power of {:.2}, that of fingerprints to {:.2} \
             (the paper: about -0.7 on Web pages; the less is copied, the flatter the line)",
            all.slope,
            selected.slope
        )]);
    }
    // The base is empty if no gram exceeds the limit.
    findings.push(match base.texts.len() {
        0 => message![(
            "no gram is in more than {}: there is no boilerplate",
            counted(limit, "document", "documents")
        )],
        n => message![
            (
                "{} in more than {}; joined, they are {}",
                counted(counts.widespread.len() as u64, "gram is", "grams are"),
                counted(limit, "document", "documents"),
                counted(n as u64, "passage", "passages")
            ),
            if counts.is_cut {
                message![", and there are more: raise ", Setting("max-docs")]
            } else {
                Message::default()
            }
        ],
    });
    findings
}

fn number(value: f64, decimals: u8) -> Cell {
    Cell::Number { value, decimals }
}

fn shares(counts: &Counts) -> Table {
    let both = [&counts.all, &counts.selected];
    let grams = |plateaus: &[Plateau], wanted: &dyn Fn(u64) -> bool| -> u64 {
        plateaus.iter().filter(|p| wanted(p.occurrences)).map(|p| p.n_grams).sum()
    };
    let row = |name: &str, wanted: &dyn Fn(u64) -> bool, paper: f64| {
        // Shares are of the distinct grams of each kind, so each pair of columns adds up to 100.
        let mut row = vec![Cell::Text(name.to_owned())];
        for plateaus in both {
            let n = grams(plateaus, wanted);
            row.push(Cell::Count(n));
            row.push(number(100.0 * n as f64 / grams(plateaus, &|_| true).max(1) as f64, 1));
        }
        row.push(number(100.0 * paper, 0));
        row
    };
    Table {
        name: "shares",
        caption: "Distinct grams by how often they occur".to_owned(),
        columns: vec![
            Column::new("occurrences", ""),
            Column::new("all", "grams"),
            Column::new("share", "%"),
            Column::new("fingerprints", "grams"),
            Column::new("share", "%"),
            Column::new("the paper", "%"),
        ],
        rows: vec![
            row("once", &|n| n == 1, PAPER[0]),
            row("twice", &|n| n == 2, PAPER[1]),
            row("three times", &|n| n == 3, PAPER[2]),
            row("more often", &|n| n > 3, 1.0 - PAPER.iter().sum::<f64>()),
        ],
    }
}

fn curves_table(curves: &[Curve; 2]) -> Table {
    let row = |name: &str, curve: &Curve| {
        // A curve of a single rank has no law.
        let of_law = |value: fn(&PowerLaw) -> f64, decimals| {
            curve.fitted.as_ref().map_or(Cell::Nothing, |law| number(value(law), decimals))
        };
        vec![
            Cell::Text(name.to_owned()),
            Cell::Count(curve.n_occurrences),
            Cell::Count(curve.n_distinct),
            curve.commonest().map_or(Cell::Nothing, |f| number(f, 0)),
            Cell::Count(curve.n_plateaus),
            of_law(|law| law.slope, 3),
            of_law(|law| 10_f64.powf(law.log10_c), 0),
            of_law(|law| law.r2, 3),
        ]
    };
    Table {
        name: "law",
        caption: "Frequency by rank: f = C · rank^slope, fitted to the ends of the plateaus"
            .to_owned(),
        columns: vec![
            Column::new("curve", ""),
            Column::new("occurrences", "grams"),
            Column::new("distinct", "grams"),
            Column::new("commonest", "times"),
            Column::new("plateaus", ""),
            Column::new("slope", ""),
            Column::new("C", "times"),
            Column::new("r²", ""),
        ],
        rows: vec![row("all", &curves[0]), row("fingerprints", &curves[1])],
    }
}

fn strings_table(strings: &[Passage], text: &dyn Fn(&Passage) -> String) -> Table {
    let row = |passage: &Passage| {
        vec![
            Cell::Count(passage.occurrences),
            Cell::Count(passage.documents),
            Cell::Count(passage.tokens.len() as u64),
            Cell::Text(excerpt(&text(passage))),
        ]
    };
    Table {
        name: "strings",
        caption: "The commonest strings: what your documents repeat".to_owned(),
        columns: vec![
            Column::new("occurs", "times"),
            Column::new("in", "documents"),
            Column::new("length", "tokens"),
            Column::new("text", ""),
        ],
        rows: strings.iter().map(row).collect(),
    }
}

fn figure(curves: &[Curve; 2]) -> Figure {
    let mut series = Vec::new();
    for (name, curve) in ["all hashes", "fingerprints"].into_iter().zip(curves) {
        series.push(Series {
            name: name.to_owned(),
            style: Style::Line,
            points: curve.points.clone(),
        });
        if let (Some(fitted), Some(last)) = (curve.fitted, curve.points.last()) {
            series.push(Series {
                name: format!("rank^{:.2}", fitted.slope),
                style: Style::Dashed,
                points: [1.0, last.0].map(|rank| (rank, fitted.at(rank))).to_vec(),
            });
        }
    }
    Figure {
        name: "frequency",
        title: "Frequency by rank, at the ends of the plateaus".to_owned(),
        x: Axis::log("rank of a gram"),
        y: Axis::log("frequency, in occurrences"),
        series,
        lines: Vec::new(),
    }
}
