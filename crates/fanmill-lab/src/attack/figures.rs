//! Figures of an attack run.

use super::Measured;
use super::attacks::{self, Attack, SCRAMBLING, STRENGTHS};
use super::summary::changes;
use crate::outcome::{Axis, Figure, Line, Place, Series, Style};

/// Number of steps in curves over thresholds.
const STEPS: u32 = 100;

pub(super) fn figures(measured: &Measured<'_>) -> Vec<Figure> {
    let periods = &attacks::strengths()[STRENGTHS.len()..];
    let rewriting = [periods, &attacks::rewriting()].concat();
    vec![
        bars(measured, "scrambling", "the paper's eight attacks", &SCRAMBLING),
        bars(measured, "rewriting", "stronger attacks, synonyms, blocks and letters", &rewriting),
        bars(measured, "cosmetics", "changes that cost nothing", &attacks::cosmetics()),
        scores(measured),
        strengths(measured),
        schemes(measured),
    ]
}

/// Draws bars of mean S3, one per scheme and attack.
fn bars(measured: &Measured<'_>, name: &'static str, title: &str, attacks: &[Attack]) -> Figure {
    let of_scheme = |(i, scheme): (usize, &super::Scheme)| {
        let mean = |(x, &attack): (usize, &Attack)| (x as f64, measured.scores.mean(i, attack));
        Series {
            name: scheme.name.clone(),
            style: Style::Bars,
            points: attacks.iter().enumerate().map(mean).collect(),
        }
    };
    Figure {
        name,
        title: format!("Similarity under {title}"),
        x: Axis::named("attack", attacks.iter().map(|attack| attack.short_name()).collect()),
        y: Axis::linear("mean S3 with the original"),
        series: measured.settings.schemes.iter().enumerate().map(of_scheme).collect(),
        lines: Vec::new(),
    }
}

/// Draws a curve over thresholds.
fn curve(name: String, style: Style, share: impl Fn(f64) -> f64) -> Series {
    let point = |step: u32| {
        let threshold = f64::from(step) / f64::from(STEPS);
        (threshold, share(threshold))
    };
    Series { name, style, points: (1..=STEPS).map(point).collect() }
}

/// Draws, for the first scheme, the scores of attacked texts against those of unrelated ones.
fn scores(measured: &Measured<'_>) -> Figure {
    let found = |attack: Attack| {
        curve(attack.to_string(), Style::Line, move |threshold| {
            measured.recall(0, attack, threshold)
        })
    };
    let at_most = curve("unrelated texts, at most".to_owned(), Style::Dashed, |threshold| {
        measured.rates(0, threshold).at_most
    });
    // Zeros are not visible on this axis, but the upper bounds always are.
    let n = measured.unrelated.n_scores().max(1) as f64;
    let by_chance = (measured.n_false(0, 1.0 / f64::from(STEPS)) > 0).then(|| {
        curve("unrelated texts".to_owned(), Style::Line, |threshold| {
            measured.n_false(0, threshold) as f64 / n
        })
    });
    let attacks = [changes(10), changes(30), SCRAMBLING[2], SCRAMBLING[3]];
    Figure {
        name: "scores",
        title: format!(
            "{}: scores of attacked and of unrelated texts",
            measured.settings.schemes[0].name
        ),
        x: Axis::linear("threshold on S3"),
        y: Axis::log("share of pairs that reach it"),
        series: attacks.into_iter().map(found).chain(by_chance).chain([at_most]).collect(),
        lines: vec![chosen(measured)],
    }
}

/// Draws, for the first scheme, the share found at each strength.
fn strengths(measured: &Measured<'_>) -> Figure {
    let of_strength = |percent: u32| {
        curve(format!("{percent} % changed"), Style::Line, move |threshold| {
            measured.recall(0, changes(percent), threshold)
        })
    };
    Figure {
        name: "strengths",
        title: format!("{}: what is found under random changes", measured.settings.schemes[0].name),
        x: Axis::linear("threshold on S3"),
        y: Axis::linear("part of the texts found"),
        series: STRENGTHS.map(of_strength).to_vec(),
        lines: vec![chosen(measured)],
    }
}

/// Draws, for all schemes, the share found with a tenth of the words changed.
fn schemes(measured: &Measured<'_>) -> Figure {
    let of_scheme = |(i, scheme): (usize, &super::Scheme)| {
        curve(scheme.name.clone(), Style::Line, move |threshold| {
            measured.recall(i, changes(10), threshold)
        })
    };
    Figure {
        name: "schemes",
        title: "What is found with 10 % of the words changed at random".to_owned(),
        x: Axis::linear("threshold on S3"),
        y: Axis::linear("part of the texts found"),
        series: measured.settings.schemes.iter().enumerate().map(of_scheme).collect(),
        lines: Vec::new(),
    }
}

/// Returns a line at the threshold that the findings are about.
fn chosen(measured: &Measured<'_>) -> Line {
    let threshold = measured.chosen(0).threshold;
    Line { name: format!("threshold {threshold}"), at: Place::X(threshold) }
}
