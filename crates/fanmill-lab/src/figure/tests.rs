use super::*;
use crate::outcome::{Axis, Line, Series};

fn line(name: &str, style: Style, points: &[(f64, f64)]) -> Series {
    Series { name: name.to_owned(), style, points: points.to_vec() }
}

fn figure(series: Vec<Series>, lines: Vec<Line>) -> Figure {
    Figure {
        name: "test",
        title: "A title".to_owned(),
        x: Axis::linear("length, in hashes"),
        y: Axis::log("share of all"),
        series,
        lines,
    }
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    let points: Vec<(f64, f64)> = (1..500).map(|i| (f64::from(i), 1.0 / f64::from(i))).collect();
    let made = || {
        let series = vec![
            line("measured", Style::Line, &points),
            line("expected", Style::Dashed, &points),
            line("found", Style::Points, &points[..9]),
        ];
        figure(series, vec![Line { name: "w".to_owned(), at: Place::X(100.0) }])
    };
    assert_eq!(svg(&made()), svg(&made()));
}

#[test]
fn untrusted_texts_do_no_harm() {
    let hostile = "</text><script>alert('\u{1b}[31m\u{0}\u{202e}')</script>&\"\n";
    let mut figure = figure(
        vec![line(hostile, Style::Line, &[(1.0, 1.0), (2.0, 3.0)])],
        vec![
            Line { name: hostile.to_owned(), at: Place::X(1.0) },
            Line { name: hostile.to_owned(), at: Place::Y(1.0) },
        ],
    );
    hostile.clone_into(&mut figure.title);
    figure.x = Axis::named(hostile, vec![hostile.to_owned(); 3]);
    figure.y.label = hostile.to_owned();
    let svg = svg(&figure);
    assert!(!svg.contains("<script") && !svg.contains('\u{1b}') && !svg.contains('\u{202e}'));
    assert!(svg.contains("&lt;script&gt;") && !svg.contains('\0'));
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
}

#[test]
fn every_odd_figure_is_drawn() {
    let odd = [(f64::NAN, 1.0), (0.0, 0.0), (f64::INFINITY, -1.0), (1e300, 1e300), (3.0, 1e-300)];
    for style in [Style::Line, Style::Dashed, Style::Points, Style::Bars] {
        for points in [&odd[..], &[], &odd[4..]] {
            let series = vec![line(&"long name ".repeat(40), style, points); 60];
            let at = |at| Line { name: "a line with a long name".repeat(9), at };
            let mut lines = vec![at(Place::X(f64::NAN)), at(Place::Y(0.0))];
            lines.extend((0..40).map(|i| at(Place::Y(f64::from(i)))));
            let mut figure = figure(series, lines);
            figure.title = "word ".repeat(300);
            assert!(svg(&figure).ends_with("</svg>\n"));
            figure.x = Axis::named("names", (0..70).map(|i| format!("name {i}")).collect());
            assert!(svg(&figure).ends_with("</svg>\n"));
        }
    }
}

#[test]
fn many_points_do_not_make_a_huge_file() {
    let many: Vec<(f64, f64)> = (0..300_000).map(|i| (f64::from(i), 1.0 + f64::from(i))).collect();
    assert!(svg(&figure(vec![line("all", Style::Line, &many)], Vec::new())).len() < 30_000);
}

#[test]
fn names_in_a_margin_do_not_overlap() {
    let tops = apart(&[100, 104, 108, 490], &[20, 20, 20, 20], 0, 500);
    assert_eq!(tops, [90, 110, 130, 480]);
}
