//! Axis ranges, ticks, and the text of numbers.
//!
//! A position on an axis is the number itself or, on a logarithmic axis, its decimal logarithm.

use crate::outcome::{Axis, Scale};

/// Maximum number of labelled ticks on an axis.
const MOST_TICKS: usize = 8;

/// The part of an axis that a figure shows, and its ticks, as positions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Extent {
    pub(super) from: f64,
    pub(super) to: f64,
    /// Ticks with their labels, ascending.
    pub(super) ticks: Vec<(f64, String)>,
    /// Positions of finer lines, without labels.
    pub(super) minor: Vec<f64>,
}

/// Returns the position of a number; `None` if it has none, such as zero on a logarithmic axis, or a number without a
/// name on an axis of names.
pub(super) fn place(axis: &Axis, number: f64) -> Option<f64> {
    let place = match axis.scale {
        Scale::Linear => number,
        Scale::Log => number.log10(),
    };
    let is_named = (-0.5..axis.names.len() as f64 - 0.5).contains(&place);
    let is_there = place.is_finite() && (axis.names.is_empty() || is_named);
    is_there.then(|| place.clamp(-1e100, 1e100))
}

impl Extent {
    /// Returns the extent of an axis that shows all of `numbers`; on a linear axis also zero, if it is near enough or
    /// if `from_zero` is set.
    pub(super) fn new(axis: &Axis, numbers: impl Iterator<Item = f64>, from_zero: bool) -> Extent {
        if !axis.names.is_empty() {
            return Extent::named(&axis.names);
        }
        let places = numbers.filter_map(|number| place(axis, number));
        let (least, most) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), at| {
            (least.min(at), most.max(at))
        });
        // Without numbers, any extent will do.
        let (least, most) = if least > most { (0.0, 1.0) } else { (least, most) };
        match axis.scale {
            Scale::Linear => Extent::linear(least, most, from_zero),
            Scale::Log => Extent::log(least, most),
        }
    }

    /// Returns the position as a share of the axis, in `0..=1`; 0 or 1 if it is outside.
    pub(super) fn share(&self, at: f64) -> f64 {
        ((at - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    fn named(names: &[String]) -> Extent {
        let ticks = names.iter().enumerate().map(|(i, name)| (i as f64, name.clone())).collect();
        Extent { from: -0.5, to: names.len() as f64 - 0.5, ticks, minor: Vec::new() }
    }

    fn linear(least: f64, most: f64, from_zero: bool) -> Extent {
        let is_near_zero = least > 0.0 && least <= 0.6 * most;
        let least = if from_zero || is_near_zero { least.min(0.0) } else { least };
        let most = if from_zero { most.max(0.0) } else { most };
        // About five steps of a round width, from below the least number to above the greatest.
        let width = if most > least { most - least } else { most.abs().max(1.0) };
        let step = round_step(width / 5.0);
        let first = (least / step).floor();
        let last = (most / step - 1e-9).ceil().max(first + 1.0);
        let n_steps = (last - first).clamp(1.0, 20.0) as usize;
        let decimals = decimals_of(step);
        let ticks = (0..=n_steps).map(|i| {
            let at = (first + i as f64) * step;
            (at, number(at, decimals))
        });
        let ticks: Vec<_> = ticks.collect();
        Extent { from: first * step, to: last * step, ticks, minor: Vec::new() }
    }

    fn log(least: f64, most: f64) -> Extent {
        if most - least < 2.3 {
            return Extent::short_log(least, most);
        }
        let (first, last) = ((least + 1e-9).floor(), (most - 1e-9).ceil());
        let n_decades = (last - first) as usize;
        let stride = n_decades.div_ceil(MOST_TICKS).max(1);
        let decades = (0..=n_decades).step_by(stride).map(|i| first + i as f64);
        // Finer lines at 2 to 9 times each power of ten, unless there are too many decades.
        let within =
            |decade: usize| (2..10).map(move |m| first + decade as f64 + f64::from(m).log10());
        let minor: Vec<f64> =
            if n_decades <= 6 { (0..n_decades).flat_map(within).collect() } else { Vec::new() };
        // The first and last decades are cut at finer lines, which still show the range of the data.
        let from = minor.iter().copied().filter(|&at| at <= least).fold(first, f64::max);
        let to = minor.iter().copied().filter(|&at| at >= most).fold(last, f64::min);
        let is_shown = |at: &f64| (from - 1e-9..=to + 1e-9).contains(at);
        let ticks = decades.filter(is_shown).map(|at| (at, power_of_ten(at))).collect();
        let minor = minor.into_iter().filter(is_shown).collect();
        Extent { from, to, ticks, minor }
    }

    /// Returns the extent for little more than two decades, or fewer: ticks at 1, 2 and 5.
    fn short_log(least: f64, most: f64) -> Extent {
        let first = least.floor();
        let candidates: Vec<f64> = (0..15)
            .map(|i| first + f64::from(i / 3) + [1.0, 2.0, 5.0_f64][i as usize % 3].log10())
            .collect();
        // From the last candidate below the data to the first above them.
        let from = candidates.iter().rposition(|&at| at <= least + 1e-9).unwrap_or(0);
        let reach = candidates.iter().position(|&at| at >= most - 1e-9);
        let to = reach.unwrap_or(candidates.len() - 1).max(from + 1);
        let label = |at: f64| {
            let value = 10_f64.powf(at);
            let decimals = if at < 0.0 { (-at).ceil() as usize } else { 0 };
            (at, if at < -4.0 { format!("{value:.0e}") } else { number(value, decimals) })
        };
        let ticks = candidates[from..=to].iter().map(|&at| label(at)).collect();
        Extent { from: candidates[from], to: candidates[to], ticks, minor: Vec::new() }
    }
}

/// Returns the smallest number that is at least `rough` and is 1, 2, 2.5 or 5 times a power of ten.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999);
    factor.unwrap_or(10.0) * power
}

/// Returns the number of decimals that multiples of `step` need.
fn decimals_of(step: f64) -> usize {
    (0..12)
        .find(|&n| {
            let scaled = step * 10_f64.powi(n);
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        })
        .unwrap_or(12) as usize
}

/// Formats a power of ten: `1,000`, `0.001`, `1e-6`.
fn power_of_ten(exponent: f64) -> String {
    if (-5.0..=7.0).contains(&exponent) {
        return number(10_f64.powf(exponent), (-exponent).max(0.0) as usize);
    }
    format!("1e{exponent:.0}")
}

/// Formats a number with thousands separators: `-12,345.60`.
pub fn number(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let is_zero = plain.chars().all(|c| c == '0' || c == '.');
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{}{rest}", thousands(whole))
}

/// Puts a comma after every third digit from the right.
pub fn thousands(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, numbers: &[f64]) -> Vec<String> {
        let extent = Extent::new(axis, numbers.iter().copied(), false);
        assert!(extent.from < extent.to, "{extent:?}");
        extent.ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_reach_around_the_data() {
        let axis = Axis::linear("x");
        assert_eq!(labels(&axis, &[0.0, 10.0]), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&axis, &[3.0, 29_983.0])[1..3], ["10,000", "20,000"]);
        assert_eq!(labels(&axis, &[0.0148, 0.0551]), ["0.00", "0.02", "0.04", "0.06"]);
        assert_eq!(labels(&axis, &[-3.0, 4.0]), ["−4", "−2", "0", "2", "4"]);
        assert_eq!(labels(&axis, &[100.0, 101.0]).first().map(String::as_str), Some("100.0"));
        assert_eq!(labels(&axis, &[7.0, 7.0]), ["6", "8"]);
    }

    #[test]
    fn logarithmic_ticks_are_decades_or_one_two_five() {
        let axis = Axis::log("x");
        assert_eq!(labels(&axis, &[1.0, 20_000.0]), ["1", "10", "100", "1,000", "10,000"]);
        assert_eq!(labels(&axis, &[1e-9, 0.5])[0], "1e-9");
        assert_eq!(labels(&axis, &[0.013, 0.05]), ["0.01", "0.02", "0.05"]);
        assert_eq!(labels(&axis, &[10.0, 500.0]), ["10", "20", "50", "100", "200", "500"]);
        assert_eq!(labels(&axis, &[0.0, -1.0, 3.0, f64::NAN]), ["2", "5"]);
    }

    #[test]
    fn odd_data_still_gives_an_axis() {
        for numbers in [&[][..], &[f64::NAN], &[f64::INFINITY], &[1e300, -1e300], &[0.0], &[1e-300]]
        {
            for axis in [Axis::linear("x"), Axis::log("x")] {
                let extent = Extent::new(&axis, numbers.iter().copied(), false);
                assert!(extent.from < extent.to, "{numbers:?}: {extent:?}");
                assert!((2..=25).contains(&extent.ticks.len()), "{numbers:?}: {extent:?}");
            }
        }
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(
            ["7", "999", "1000", "1234567"].map(thousands),
            ["7", "999", "1,000", "1,234,567"]
        );
        assert_eq!(number(-0.0001, 2), "0.00");
        assert_eq!(number(-12_345.6, 1), "−12,345.6");
    }
}
