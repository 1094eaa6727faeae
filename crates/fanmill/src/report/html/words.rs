//! Numbers and names as the pages write them.

use super::escape::Html;
use crate::report::model::{Report, Submission};

/// A count with its digits in groups of three: `12,345`.
pub(super) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count with its noun: `1 line`, `2 lines`.
pub(super) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A length as `u64`.
pub(super) fn len<T>(items: &[T]) -> u64 {
    items.len() as u64
}

/// A fraction as whole percent. Only everything is `100 %` and only nothing is `0 %`.
pub(super) fn percent(fraction: f64) -> String {
    match fraction * 100.0 {
        percent if percent <= 0.0 => "0 %".to_owned(),
        percent if percent < 1.0 => "< 1 %".to_owned(),
        percent if percent < 100.0 => format!("{} %", percent.round().min(99.0)),
        percent if percent.is_nan() => "–".to_owned(),
        _ => "100 %".to_owned(),
    }
}

/// A score with two decimals. Not a percentage: 0.87 does not mean that 87 % is copied.
pub(super) fn score(score: f64) -> String {
    if (0.0..1.0).contains(&score) {
        format!("{:.2}", (score * 100.0).round().min(99.0) / 100.0)
    } else {
        format!("{score:.2}")
    }
}

/// A bar as long as a fraction.
pub(super) fn bar(html: &mut Html, fraction: f64) {
    let width =
        format!("{:.1}", if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) * 100.0 });
    html.raw("<svg class=\"bar\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
    html.raw("<rect class=\"rest\" width=\"100\" height=\"6\"/>");
    html.tag("rect", &[("width", &width), ("height", "6")]);
    html.raw("</rect></svg>");
}

/// A submission's name, or a sign that it is missing from a damaged report.
pub(super) fn name(report: &Report, number: u32) -> &str {
    report.submission(number).map_or("(missing)", |submission| &submission.name)
}

/// What else is known of a submission: author, label, archive, and when it was handed in.
pub(super) fn facts(html: &mut Html, submission: &Submission) {
    listed(html, &[who(submission).as_slice(), &[submission.submitted.as_deref()]].concat());
}

/// The same in short, for lists: author, label, archive.
pub(super) fn short_facts(html: &mut Html, submission: &Submission) {
    listed(html, &who(submission));
}

fn who(submission: &Submission) -> [Option<&str>; 3] {
    let archive = (submission.role == "archive").then_some("archive");
    [submission.author.as_deref(), submission.label.as_deref(), archive]
}

fn listed(html: &mut Html, facts: &[Option<&str>]) {
    for (i, fact) in facts.iter().flatten().enumerate() {
        html.raw(if i > 0 { " · " } else { "" });
        html.name(fact);
    }
}

/// A remark that a list of `total` items goes on beyond the `shown` ones in another file.
pub(super) fn rest(html: &mut Html, total: usize, shown: usize, place: &'static str) {
    if total > shown {
        html.of_class("p", "more", |html| {
            html.value(format_args!("… {} more in ", count((total - shown) as u64)));
            html.raw("<code>");
            html.raw(place);
            html.raw("</code>");
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "line", "lines"), "1 line");
        assert_eq!(counted(2, "line", "lines"), "2 lines");
    }

    #[test]
    fn only_all_is_all_and_only_nothing_is_nothing() {
        let cases = [0.0, 0.001, 0.01, 0.876, 0.999, 1.0].map(percent);
        assert_eq!(cases, ["0 %", "< 1 %", "1 %", "88 %", "99 %", "100 %"]);
        assert_eq!([0.0, 0.876, 0.999, 1.0].map(score), ["0.00", "0.88", "0.99", "1.00"]);
    }
}
