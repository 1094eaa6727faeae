//! Tables, figures and findings about filters.

use fanmill_text::Setting;
use fanmill_text::message;
use fanmill_text::message::Message;

use super::cheapest::{Cost, QualifyingFilter, Requirement};
use super::spec::{Sampler, Spec};
use super::{Found, Settings, accidental, n_pairs};
use crate::cells::{any_size, in_three_digits, number, text, thousands_apart};
use crate::outcome::{Axis, Cell, Column, Figure, Line, Outcome, Place, Series, Style, Table};
use crate::table::counted;

/// Number of points on a curve from resemblance 0 to 1.
const STEPS: u32 = 400;
/// The lower end of logarithmic curves: one pair in a thousand million.
const FLOOR: f64 = 1e-9;
/// Number of standard errors beyond which a deviation is not chance.
const FAR: f64 = 4.0;

/// Returns the outcome.
pub(super) fn outcome(
    settings: &Settings,
    found: &[Found],
    offers: Option<&[QualifyingFilter]>,
) -> Outcome {
    let mut findings = Vec::new();
    let mut tables = Vec::new();
    if let (Some(wish), Some(offers)) = (&settings.wish, offers) {
        answer(wish, offers, &mut findings);
        tables.push(offers_table(wish, offers, settings.n_offers));
    }
    // The answer to the question comes first, then the evidence.
    findings.push(about_curves(found).into());
    findings.push(about_trials(settings, found).into());
    findings.extend(about_accidents(settings, found));
    tables.push(filters_table(found));
    tables.push(curves_table(
        "accepted",
        "share of pairs accepted, by the polynomial",
        settings,
        found,
        |one, i| one.spec.filter.probability(settings.resemblances[i]),
    ));
    let caption = format!(
        "share of pairs accepted, measured on {} pairs with {} shingles between them",
        thousands_apart(settings.trials.n_trials.into()),
        thousands_apart(settings.trials.n_members.into()),
    );
    tables
        .push(curves_table("measured", &caption, settings, found, |one, i| one.shares[i].value()));
    tables.push(accidents_table(settings, found));
    Outcome {
        experiment: "filter",
        question: "Which pairs does a filter accept?".to_owned(),
        source: "Broder, \"Algorithms for duplicate documents\" (slides), \"Features vs. full sketch\" and \"8 bytes are enough!\"",
        input: message![(
            "polynomials; pairs of random sets with {} members in their union, seed {}",
            thousands_apart(settings.trials.n_members.into()),
            settings.trials.seed
        )],
        seed: Some(settings.trials.seed),
        findings,
        tables,
        figures: figures(settings, found),
    }
}

/// Adds the findings of the search.
fn answer(wish: &Requirement, offers: &[QualifyingFilter], findings: &mut Vec<Message>) {
    let asked = format!(
        "{} of the pairs at {} and at most {} at {}",
        in_three_digits(wish.recall),
        wish.at,
        in_three_digits(wish.false_positive),
        wish.at_most
    );
    let Some(best) = offers.first() else {
        findings.push(nothing(wish, &asked));
        return;
    };
    findings.push(message![(
        "Cheapest for {asked}: {}, with {} and {} a document; it accepts {} and {}.",
        name(best),
        counted(best.n_registers() as usize, "register"),
        counted(best.stored_bits().div_ceil(8) as usize, "byte"),
        in_three_digits(best.recall),
        in_three_digits(best.false_positive)
    )]);
    let ties: Vec<String> =
        offers[1..].iter().take_while(|o| o.ties_with(best, wish.cost)).map(name).collect();
    if !ties.is_empty() {
        findings.push(message![("The same price: {}.", ties.join(", "))]);
    }
    let (other, what): (fn(&QualifyingFilter) -> u32, _) = match wish.cost {
        Cost::Bytes => (QualifyingFilter::n_registers, "registers"),
        Cost::Registers => (|offer| offer.stored_bits().div_ceil(8), "bytes"),
    };
    // The best offer may be expensive by the other cost.
    let least = offers.iter().min_by_key(|offer| other(offer)).expect("there is the best one");
    if other(least) < other(best) {
        findings.push(message![(
            "Fewest {what}: {}, with {} and {} a document.",
            name(least),
            counted(least.n_registers() as usize, "register"),
            counted(least.stored_bits().div_ceil(8) as usize, "byte")
        )]);
    }
    if best.filter.bits < 32 {
        findings.push(message![
            (
                "Features of {} bits serve to compare given pairs. To look up candidates by equal features \
                 in a large collection takes 32 bits or more: ",
                best.filter.bits
            ),
            Setting("bits"),
            " 64."
        ]);
    }
}

/// Returns a finding that no filter was found, with the one that came nearest.
fn nothing(wish: &Requirement, asked: &str) -> Message {
    let most = wish.most_registers;
    let start = format!("No filter of up to {most} registers accepts {asked}.");
    match wish.nearest() {
        None => message![
            "{start} Even if all groups must agree, too many pairs are accepted: raise \
             ",
            Setting("false-positive"),
            " or ",
            Setting("registers"),
            "."
        ],
        Some(nearest) => message![
            (
                "{start} Nearest: {}, which accepts {} and {}. Raise ",
                name(&nearest),
                in_three_digits(nearest.recall),
                in_three_digits(nearest.false_positive)
            ),
            Setting("registers"),
            ", or ask for less."
        ],
    }
}

/// Returns a found filter as users write it.
fn name(offer: &QualifyingFilter) -> String {
    Spec { sampler: Sampler::Permutations, filter: offer.filter }.to_string()
}

fn offers_table(wish: &Requirement, offers: &[QualifyingFilter], n: usize) -> Table {
    let columns = vec![
        Column::new("filter", ""),
        Column::new("r up to", ""),
        Column::new("stored", "bytes"),
        Column::new("registers", ""),
        Column::new(format!("accepted at {}", wish.at), ""),
        Column::new(format!("accepted at {}", wish.at_most), ""),
    ];
    let row = |offer: &QualifyingFilter| {
        vec![
            text(&name(offer)),
            Cell::Count(offer.most_needed.into()),
            Cell::Count(offer.stored_bits().div_ceil(8).into()),
            Cell::Count(offer.n_registers().into()),
            number(offer.recall, 4),
            any_size(offer.false_positive),
        ]
    };
    // Without an offer, the table has the nearest filter alone.
    if offers.is_empty() {
        let rows = wish.nearest().iter().map(row).collect();
        return Table {
            name: "nearest",
            caption: "nearest to what was asked".to_owned(),
            columns,
            rows,
        };
    }
    let caption = format!(
        "the cheapest {} of {} ways to cut registers that do what was asked",
        n.min(offers.len()),
        thousands_apart(offers.len() as u64)
    );
    Table { name: "cheapest", caption, columns, rows: offers.iter().take(n).map(row).collect() }
}

fn about_curves(found: &[Found]) -> String {
    let medians: Vec<String> = found
        .iter()
        .map(|one| format!("{} from {:.3}", one.spec, one.spec.filter.median()))
        .collect();
    format!("Half of the pairs are accepted from this resemblance on: {}.", medians.join("; "))
}

fn about_trials(settings: &Settings, found: &[Found]) -> String {
    let far: Vec<String> = found
        .iter()
        .flat_map(|one| {
            let points = one.shares.iter().filter(|share| distance(one, share).abs() > FAR);
            points.map(|share| {
                format!("{} at {} ({:+.1})", one.spec, share.resemblance, distance(one, share))
            })
        })
        .collect();
    let worst = found.iter().map(worst_of).fold(0.0, f64::max);
    let n_points = found.len() * settings.resemblances.len();
    if far.is_empty() {
        return format!(
            "Real sketches follow the polynomials: the farthest of {n_points} measured points is \
             {worst:.1} standard errors away."
        );
    }
    let is_fast = |one: &Found| one.spec.sampler == Sampler::FastSimilarity && worst_of(one) > FAR;
    let reason = if found.iter().any(is_fast) {
        " Registers of the fast similarity sketch are not independent: its curve is a little steeper."
    } else {
        ""
    };
    format!(
        "More than {FAR} standard errors from the polynomial, of {n_points} measured points: {}.{reason}",
        far.join(", ")
    )
}

/// Returns the distance of a measurement from the polynomial, in standard errors.
fn distance(one: &Found, share: &super::Share) -> f64 {
    share.standard_errors_from(one.spec.filter.probability(share.resemblance))
}

/// Returns the largest distance of a filter's measurements.
fn worst_of(one: &Found) -> f64 {
    one.shares.iter().map(|share| distance(one, share).abs()).fold(0.0, f64::max)
}

fn about_accidents(settings: &Settings, found: &[Found]) -> Vec<Message> {
    let mut findings = Vec::new();
    for &n in &settings.documents {
        let many: Vec<String> = found
            .iter()
            .map(|one| (one, n_pairs(n) * accidental(one.spec.filter, settings.unrelated)))
            .filter(|(_, expected)| *expected >= 1.0)
            .map(|(one, expected)| format!("{} {}", one.spec, in_three_digits(expected)))
            .collect();
        if !many.is_empty() {
            findings.push(message![(
                "Accepted by accident among {} unrelated documents: {} pairs; by the other filters less \
                 than one.",
                thousands_apart(n),
                many.join(", ")
            )]);
        }
    }
    let is_bytes = |one: &Found| one.spec.filter.groups == 8 && one.spec.filter.bits == 8;
    if found.iter().any(is_bytes) {
        findings.push(
            "The slides call 3 of 8 bytes good for less than 50,000 documents, and take 7 of 8 \
             beyond; they do not say how many samples make a byte."
                .into(),
        );
    }
    findings
}

fn filters_table(found: &[Found]) -> Table {
    let columns = vec![
        Column::new("filter", ""),
        Column::new("registers", ""),
        Column::new("stored", "bytes"),
        Column::new("5 % at", ""),
        Column::new("half at", ""),
        Column::new("95 % at", ""),
        Column::new("measured, farthest", "standard errors"),
    ];
    let row = |one: &Found| {
        let at = |share: f64| number(resemblance_of(one, share), 3);
        vec![
            text(&one.spec),
            Cell::Count(one.spec.n_registers().into()),
            Cell::Count(one.spec.stored_bytes()),
            at(0.05),
            number(one.spec.filter.median(), 4),
            at(0.95),
            number(worst_of(one), 1),
        ]
    };
    let caption = "filters, and the resemblance from which they accept so many pairs".to_owned();
    Table { name: "filters", caption, columns, rows: found.iter().map(row).collect() }
}

/// Returns the resemblance at which this share of the pairs is accepted.
fn resemblance_of(one: &Found, share: f64) -> f64 {
    let (mut below, mut above) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = f64::midpoint(below, above);
        *(if one.spec.filter.probability(middle) < share { &mut below } else { &mut above }) =
            middle;
    }
    above
}

/// Returns a table with a row for each filter and a column for each resemblance.
fn curves_table(
    name: &'static str,
    caption: &str,
    settings: &Settings,
    found: &[Found],
    value: impl Fn(&Found, usize) -> f64,
) -> Table {
    let of_resemblance = settings.resemblances.iter().map(|j| Column::new(format!("at {j}"), ""));
    let columns = std::iter::once(Column::new("filter", "")).chain(of_resemblance).collect();
    let row = |one: &Found| {
        let cells = (0..settings.resemblances.len()).map(|i| number(value(one, i), 4));
        std::iter::once(text(&one.spec)).chain(cells).collect()
    };
    Table { name, caption: caption.to_owned(), columns, rows: found.iter().map(row).collect() }
}

fn accidents_table(settings: &Settings, found: &[Found]) -> Table {
    let of_size = settings
        .documents
        .iter()
        .map(|&n| Column::new(format!("of {} documents", thousands_apart(n)), "pairs"));
    let columns = [Column::new("filter", ""), Column::new("one pair", "")];
    let row = |one: &Found| {
        let p = accidental(one.spec.filter, settings.unrelated);
        let of_sizes = settings.documents.iter().map(|&n| any_size(p * n_pairs(n)));
        [text(&one.spec), any_size(p)].into_iter().chain(of_sizes).collect()
    };
    Table {
        name: "accidents",
        caption: format!("unrelated pairs accepted, of resemblance {}", settings.unrelated),
        columns: columns.into_iter().chain(of_size).collect(),
        rows: found.iter().map(row).collect(),
    }
}

fn figures(settings: &Settings, found: &[Found]) -> Vec<Figure> {
    let figure = |name, title: &str, y, curve: &dyn Fn(&Spec, f64) -> f64, floor, measured| {
        let mut series: Vec<Series> = found.iter().map(|one| curve_of(one, curve, floor)).collect();
        if measured {
            series.push(measured_points(found, floor));
        }
        let title = title.to_owned();
        Figure { name, title, x: Axis::linear("resemblance"), y, series, lines: lines(settings) }
    };
    let accepted = |spec: &Spec, j: f64| spec.filter.probability(j);
    let rejected = |spec: &Spec, j: f64| spec.filter.rejection(j);
    let share = "share of pairs accepted";
    let title = "Probability of acceptance";
    vec![
        figure("linear", title, Axis::linear(share), &accepted, -1.0, true),
        figure("accepted-log", title, Axis::log(share), &accepted, FLOOR, true),
        figure(
            "rejected-log",
            "Probability of rejection",
            Axis::log("share of pairs rejected"),
            &rejected,
            FLOOR,
            false,
        ),
    ]
}

fn curve_of(one: &Found, curve: &dyn Fn(&Spec, f64) -> f64, floor: f64) -> Series {
    let at = (0..=STEPS).map(|i| f64::from(i) / f64::from(STEPS));
    let points = at.map(|j| (j, curve(&one.spec, j))).filter(|point| point.1 > floor).collect();
    Series { name: one.spec.to_string(), style: Style::Line, points }
}

/// Returns all measurements as one series, since each dot is near its own curve.
fn measured_points(found: &[Found], floor: f64) -> Series {
    let shares = found.iter().flat_map(|one| &one.shares);
    let points = shares.map(|share| (share.resemblance, share.value()));
    let points = points.filter(|point| point.1 > floor).collect();
    Series { name: "measured".to_owned(), style: Style::Points, points }
}

fn lines(settings: &Settings) -> Vec<Line> {
    let Some(wish) = &settings.wish else { return Vec::new() };
    let line = |name: &str, j: f64| Line { name: name.to_owned(), at: Place::X(j) };
    vec![line("to be accepted", wish.at), line("to be refused", wish.at_most)]
}
