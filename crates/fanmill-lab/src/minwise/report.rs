//! Tables, figures and findings about families of permutations.

use super::family::Family;
use super::measure::{Measured, PairMeasured};
use super::{Found, Settings};
use crate::cells::{number, text, thousands_apart};
use crate::outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Series, Style, Table};
use fanmill_text::message::Message;

/// Number of standard deviations beyond which a deviation is not chance, in some hundred comparisons.
const FAR: f64 = 5.0;
/// Share of estimates beyond three standard deviations above which they are not chance; by chance it is .003.
const FAR_OFF: f64 = 0.01;

/// Returns the outcome; `found` has the sets of one family after those of another, in the order of `sets`.
pub(super) fn outcome(settings: &Settings, sets: &[String], found: &[Found]) -> Outcome {
    let input = format!(
        "{} sets of {} members, {} permutations of each of {} families, seed {}",
        sets.len(),
        thousands_apart(settings.n_members.into()),
        thousands_apart(settings.n_draws.into()),
        Family::ALL.len(),
        settings.seed
    );
    let sheet = Sheet { sets, found };
    Outcome {
        experiment: "minwise",
        question: "How far are families of permutations from min-wise independent?".to_owned(),
        source: "Broder, \"Algorithms for duplicate documents\" (slides), \"Quality of MWI families\"",
        input: input.into(),
        seed: Some(settings.seed),
        findings: findings(settings, &sheet).into_iter().map(Message::from).collect(),
        tables: tables(settings, &sheet),
        figures: figures(&sheet),
    }
}

/// The measurements as families by sets.
struct Sheet<'a> {
    sets: &'a [String],
    found: &'a [Found],
}

impl Sheet<'_> {
    /// Returns each family with its measurements on all sets.
    fn families(&self) -> impl Iterator<Item = (Family, &[Found])> {
        self.found.chunks(self.sets.len()).map(|row| (row[0].family, row))
    }

    /// Returns a table with a row for each family and a column for each set.
    fn table(
        &self,
        name: &'static str,
        caption: String,
        cell: impl Fn(&Measured) -> Cell,
    ) -> Table {
        let of_sets = self.sets.iter().map(|set| Column::new(set, ""));
        let columns = std::iter::once(Column::new("family", "")).chain(of_sets).collect();
        let row = |(family, row): (Family, &[Found])| {
            let cells = row.iter().map(|one| cell(&one.measured));
            std::iter::once(text(family.name())).chain(cells).collect()
        };
        Table { name, caption, columns, rows: self.families().map(row).collect() }
    }

    /// Returns a table with a row for each family and resemblance, and a column for each set.
    fn pairs(
        &self,
        name: &'static str,
        caption: String,
        cell: impl Fn(&PairMeasured) -> Cell,
    ) -> Table {
        let columns = ["family", "resemblance"].map(|name| Column::new(name, ""));
        let of_sets = self.sets.iter().map(|set| Column::new(set, ""));
        let rows = self.families().flat_map(|(family, row)| {
            let cell = &cell;
            (0..row[0].measured.pairs.len()).map(move |i| {
                let cells = row.iter().map(|one| cell(&one.measured.pairs[i]));
                let head = [text(family.name()), number(row[0].measured.pairs[i].resemblance, 2)];
                head.into_iter().chain(cells).collect()
            })
        });
        let rows = rows.collect();
        Table { name, caption, columns: columns.into_iter().chain(of_sets).collect(), rows }
    }
}

fn tables(settings: &Settings, sheet: &Sheet<'_>) -> Vec<Table> {
    // The captions say what chance alone gives, so that a reader can judge the numbers.
    let standard_error = (0.25 / f64::from(settings.n_draws)).sqrt();
    let n_sketches = f64::from(settings.n_draws / settings.t);
    let of_minima = (2.0 / n_sketches).sqrt();
    let t = settings.t;
    let likeliest = |measured: &Measured| {
        let [most, _] = measured.extremes();
        measured.likelihood(measured.minima[most])
    };
    vec![
        sheet.table(
            "chi-square",
            "how unevenly members become the minimum: chi-square over its expectation, 1 if evenly"
                .to_owned(),
            |measured| number(measured.chi_square() / measured.freedom(), 2),
        ),
        sheet.table(
            "likeliest",
            "the member that is the minimum most often, over its fair share".to_owned(),
            |measured| number(likeliest(measured), 2),
        ),
        sheet.pairs(
            "bias",
            format!(
                "mean error of the resemblance estimated by minima; a standard error is {standard_error:.4} \
                 at most"
            ),
            |pair| number(pair.bias(), 4),
        ),
        sheet.pairs(
            "minima",
            format!(
                "variance of estimates by {t} minima, over J (1 - J) / {t}; within {:.2} of 1 by chance",
                2.0 * of_minima
            ),
            |pair| number(pair.variance_of_minima(), 2),
        ),
        sheet.pairs(
            "smallest",
            format!(
                "variance of estimates by the {t} smallest under one permutation, over that of a \
                 random sample"
            ),
            |pair| pair.variance_of_smallest().map_or(Cell::Nothing, |[ratio, _]| number(ratio, 2)),
        ),
        sheet.pairs(
            "far-off",
            format!(
                "share of the estimates by the {t} smallest that are more than three standard \
                 deviations of a random sample off; .003 by chance"
            ),
            |pair| number(pair.share_far_off(), 4),
        ),
    ]
}

/// Describes the deviations of a family from chance on a set.
fn departures(settings: &Settings, one: &Found) -> Vec<String> {
    let mut found = Vec::new();
    let measured = &one.measured;
    if measured.deviations() > FAR {
        let [most, _] = measured.extremes();
        found.push(format!(
            "{} is the minimum {:.1} times its share",
            member(one, most),
            measured.likelihood(measured.minima[most])
        ));
    }
    // The mean of an estimate may be right while its variance is not, so both are checked.
    for pair in &measured.pairs {
        if pair.bias().abs() > FAR * pair.standard_error() {
            let estimate = pair.resemblance + pair.bias();
            found.push(format!("{:.2} is estimated as {estimate:.3}", pair.resemblance));
        }
    }
    let t = settings.t;
    let ratios = measured.pairs.iter().filter_map(PairMeasured::variance_of_smallest);
    let far = ratios.filter(|[ratio, error]| (ratio - 1.0).abs() > FAR * error);
    if let Some([ratio, _]) = far.max_by(|x, y| x[0].total_cmp(&y[0])) {
        found.push(format!("the {t} smallest vary {ratio:.2} times as much as a random sample"));
    }
    let shares = measured.pairs.iter().map(PairMeasured::share_far_off);
    if let Some(share) = shares.filter(|share| *share > FAR_OFF).max_by(f64::total_cmp) {
        found.push(format!(
            "{:.1} % of the estimates by the {t} smallest are far off, by chance .3 %",
            100.0 * share
        ));
    }
    found
}

/// Returns a member's name: its number if that is meaningful, otherwise its index.
fn member(one: &Found, place: usize) -> String {
    match one.members[place] {
        small if small < 1 << 20 => thousands_apart(small),
        _ => format!("member {} of {}", place + 1, one.members.len()),
    }
}

fn findings(settings: &Settings, sheet: &Sheet<'_>) -> Vec<String> {
    let mut fair = Vec::new();
    let mut findings = Vec::new();
    for (family, row) in sheet.families().filter(|(family, _)| *family != Family::Random) {
        let told: Vec<String> = row
            .iter()
            .map(|one| (&one.set, departures(settings, one)))
            .filter(|(_, found)| !found.is_empty())
            .map(|(set, found)| format!("{set} ({})", found.join("; ")))
            .collect();
        if told.is_empty() {
            fair.push(family.name());
        } else {
            findings.push(format!("{}: off on {}.", family.name(), told.join(", ")));
        }
    }
    if !fair.is_empty() {
        findings.insert(0, format!("Not told from chance on any set: {}.", fair.join(", ")));
    }
    findings.push(on_random_sets(settings, sheet));
    let seen = FAR * (0.25 / f64::from(settings.n_draws)).sqrt();
    findings.push(format!(
        "Said is what {} permutations tell from chance by more than {FAR} standard deviations: a bias \
         of {seen:.3}, for example. Less may be there.",
        thousands_apart(settings.n_draws.into())
    ));
    findings
}

/// Describes whether hashing first makes the families fair.
fn on_random_sets(settings: &Settings, sheet: &Sheet<'_>) -> String {
    let off: Vec<&str> = sheet
        .found
        .iter()
        .filter(|one| one.set == "random" && !departures(settings, one).is_empty())
        .map(|one| one.family.name())
        .collect();
    if off.is_empty() {
        return "On random numbers, such as hashes of shingles are, every family is fair: hash shingles \
                well first, and even linear permutations do, as the slides say of practice."
            .to_owned();
    }
    format!(
        "Even on random numbers, such as hashes of shingles are, these are off: {}. Use a mixer.",
        off.join(", ")
    )
}

fn figures(sheet: &Sheet<'_>) -> Vec<Figure> {
    let first = &sheet.found[0].measured;
    let spread = (2.0 / first.freedom()).sqrt();
    let far_off =
        |measured: &Measured| measured.pairs.first().map_or(0.0, PairMeasured::share_far_off);
    let resemblance = first.pairs.first().map_or(0.0, |pair| pair.resemblance);
    let chi_square = |measured: &Measured| measured.chi_square() / measured.freedom();
    vec![
        Figure {
            name: "minimum",
            title: "How unevenly members become the minimum".to_owned(),
            x: families(),
            y: Axis::log("chi-square over its expectation"),
            series: series(sheet, chi_square),
            lines: vec![line("fair", 1.0), line("no chance", 1.0 + FAR * spread)],
        },
        Figure {
            name: "far-off",
            title: format!(
                "Estimates of {resemblance} by the smallest images under one permutation"
            ),
            x: families(),
            y: Axis::log("share more than three deviations off"),
            series: series(sheet, far_off),
            lines: vec![line("a normal law's", 0.0027)],
        },
        profile(sheet),
    ]
}

fn families() -> Axis {
    Axis::named("family", Family::ALL.iter().map(|family| family.name().to_owned()).collect())
}

fn line(name: &str, y: f64) -> Line {
    Line { name: name.to_owned(), at: Place::Y(y) }
}

/// Returns, for each set, a series with a point per family.
fn series(sheet: &Sheet<'_>, value: impl Fn(&Measured) -> f64) -> Vec<Series> {
    let of_set = |(i, set): (usize, &String)| {
        let rows = sheet.families().map(|(_, row)| &row[i].measured);
        let points = rows.zip(0_u32..).map(|(row, at)| (f64::from(at), value(row))).collect();
        Series { name: set.clone(), style: Style::Points, points }
    };
    sheet.sets.iter().enumerate().map(of_set).collect()
}

/// Draws the members of the first set, the interval, that become the minimum.
fn profile(sheet: &Sheet<'_>) -> Figure {
    let shown = [Family::Linear, Family::Matrix, Family::Mix];
    let rows = sheet.families().filter(|(family, _)| shown.contains(family));
    let series = rows.map(|(family, row)| {
        let measured = &row[0].measured;
        let likelihoods = measured.minima.iter().map(|&count| measured.likelihood(count));
        let points = (0_u32..).zip(likelihoods).map(|(i, y)| (f64::from(i), y)).collect();
        Series { name: family.name().to_owned(), style: Style::Line, points }
    });
    Figure {
        name: "profile",
        title: format!("Who becomes the minimum of the {}", sheet.sets[0]),
        x: Axis::linear("member"),
        y: Axis::linear("times a member is the minimum, over its share"),
        series: series.collect(),
        lines: vec![line("fair", 1.0)],
    }
}
