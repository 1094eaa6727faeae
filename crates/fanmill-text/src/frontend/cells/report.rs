//! Reports: documents of word processors and PDF whose paragraphs are prose, and some of whose lines are code.
//!
//! Nothing marks the code but the looks of its lines. Each line costs something as prose and something as code, and so
//! does each change between the two; the cheapest reading of all lines is taken. So a few statements within a paragraph
//! stay prose, and a caption within a program stays code. A stretch counts as code if it is clearly that by itself.
//!
//! Cost: O(n), and some 20 bytes for each line.
//! Source: Viterbi, 1967, §IV, with two states, and costs in place of probabilities.

use std::ops::Range;

use super::cell::{Cell, CellBuilder, CellKind};
use super::lines::lines;
use crate::frontend::code_or_prose::{LineLook, is_clearly_code, look, n_rows};
use crate::frontend::registry::sample;

/// Cost of a change between prose and code: that of two statements read as prose.
const CHANGE: u32 = 4;

/// Cost of a statement that is read as prose.
const STATEMENT: u32 = 2;

/// Cost of a row of a sentence that is read as code.
const SENTENCE: u32 = 3;

/// Cost of any other line that is read as code: headings, captions, names.
const OTHER: u32 = 1;

/// Returns the cells of a text; `None` if it has no code, or nothing else.
pub(super) fn cells(text: &str) -> Option<Vec<Cell>> {
    let lines: Vec<Range<usize>> = lines(text, 0..text.len()).collect();
    let mut cells = CellBuilder::new(text, CellKind::Raw);
    let mut has_prose = false;
    for (is_code, stretch) in stretches(text, &lines) {
        if is_code && is_clearly_code(sample(&text[stretch.clone()])) {
            cells.code(None, [stretch]);
        } else {
            has_prose |= !text[stretch.clone()].trim().is_empty();
            cells.prose(stretch);
        }
    }
    cells.finish().filter(|_| has_prose)
}

/// Returns the stretches of the cheapest reading, in order, and whether each is code.
fn stretches(text: &str, lines: &[Range<usize>]) -> Vec<(bool, Range<usize>)> {
    let mut stretches: Vec<(bool, Range<usize>)> = Vec::new();
    for (is_code, line) in cheapest(text, lines).into_iter().zip(lines) {
        match stretches.last_mut() {
            Some((of_code, stretch)) if *of_code == is_code => stretch.end = line.end,
            _ => stretches.push((is_code, line.clone())),
        }
    }
    stretches
}

/// Returns the cheapest reading of lines: whether each is code.
fn cheapest(text: &str, lines: &[Range<usize>]) -> Vec<bool> {
    // Costs of the cheapest readings that end as prose and as code. Only their difference matters, so they stay small.
    let (mut prose, mut code) = (0u32, CHANGE);
    // Per line, true if the cheapest reading has code in the line before it: where it is prose, and where it is code.
    let mut before: Vec<[bool; 2]> = Vec::with_capacity(lines.len());
    for line in lines {
        before.push([code + CHANGE < prose, code <= prose + CHANGE]);
        let (of_prose, of_code) = costs(&text[line.clone()]);
        let (last_prose, last_code) = (prose, code);
        prose = last_prose.min(last_code + CHANGE) + of_prose;
        code = last_code.min(last_prose + CHANGE) + of_code;
        let least = prose.min(code);
        (prose, code) = (prose - least, code - least);
    }
    let mut is_code = code < prose;
    let mut reading = vec![false; lines.len()];
    for (at, before) in before.iter().enumerate().rev() {
        reading[at] = is_code;
        is_code = before[usize::from(is_code)];
    }
    reading
}

/// Returns the costs of a line as prose and as code.
fn costs(line: &str) -> (u32, u32) {
    let line = line.trim();
    match look(line) {
        LineLook::Neutral => (0, 0),
        LineLook::Statement => (STATEMENT, 0),
        LineLook::Sentence => {
            (0, SENTENCE * u32::try_from(n_rows(line)).unwrap_or(u32::MAX / 8).min(1 << 20))
        }
        LineLook::Other => (0, OTHER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CODE: &str = "int f(int n) {\n    int sum = 0;\n    for (int i = 0; i < n; i++) {\n        \
                        sum += i;\n    }\n\n    return sum;\n}\n";
    const PROSE: &str = "The sum is computed in a loop, since nobody asked for less.\nIt takes time \
                         in proportion to the number given.\nWe measured it twice.\n";

    /// Returns each cell as its first letter, `c` for code and `p` for prose, and its text.
    fn read(text: &str) -> Vec<(char, String)> {
        let of = |cell: Cell| {
            (if cell.kind == CellKind::Code { 'c' } else { 'p' }, cell.source().to_owned())
        };
        cells(text).unwrap_or_default().into_iter().map(of).collect()
    }

    #[test]
    fn prose_meets_prose_and_code_meets_code() {
        let text = format!("1 Method\n\n{PROSE}{CODE}{PROSE}{CODE}");
        let found = read(&text);
        let kinds: String = found.iter().map(|cell| cell.0).collect();
        assert_eq!(kinds, "pcpc");
        assert_eq!((&*found[1].1, &*found[3].1), (CODE, CODE));
        let whole: String = found.into_iter().map(|cell| cell.1).collect();
        assert_eq!(whole, text);
    }

    #[test]
    fn one_line_changes_nothing() {
        let with_caption = CODE.replace("\n\n", "\nListing 2, continued\n");
        let kinds = |text: &str| read(text).iter().map(|cell| cell.0).collect::<String>();
        assert_eq!(kinds(&format!("{PROSE}{with_caption}{PROSE}")), "pcp");
        assert_eq!(kinds(&format!("{PROSE}sum = f(3);\nprint(sum);\n{PROSE}")), "");
    }

    #[test]
    fn formulas_and_values_are_no_code() {
        let law = "U = R / I\nP = U * I\nW = P * t\nQ = C * U\nE = Q / A\nF = q * E\n".repeat(4);
        let values: Vec<String> =
            (0..30).map(|i| format!("m{i} = {i}.{} kg", i * 7 % 10)).collect();
        for text in [law, values.join("\n") + "\n"] {
            assert_eq!(cells(&format!("{PROSE}{text}{PROSE}")), None, "{text}");
        }
    }

    #[test]
    fn what_is_all_of_one_kind_is_read_as_a_whole() {
        for text in ["", "\n\n", PROSE, CODE, &CODE.repeat(3)] {
            assert_eq!(cells(text), None, "{text}");
        }
    }

    /// Returns the least cost of all readings.
    fn naive(costs: &[(u32, u32)]) -> u32 {
        let readings = 0..1u32 << costs.len();
        let cost = |reading: u32| {
            let is_code = |at: usize| reading >> at & 1 == 1;
            let of = |at: usize| if is_code(at) { costs[at].1 } else { costs[at].0 };
            let changes = |&at: &usize| is_code(at) != (at > 0 && is_code(at - 1));
            let n_changes = (0..costs.len()).filter(changes).count() as u32;
            (0..costs.len()).map(of).sum::<u32>() + CHANGE * n_changes
        };
        readings.map(cost).min().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn the_reading_is_the_cheapest(parts in prop::collection::vec(prop::sample::select(vec![
            "x = f(y);\n", "if (x) {\n", "The sum is computed in a loop.\n", "Results\n", "\n",
        ]), 0..10)) {
            let text: String = parts.concat();
            let lines: Vec<Range<usize>> = lines(&text, 0..text.len()).collect();
            let costs: Vec<(u32, u32)> = lines.iter().map(|line| costs(&text[line.clone()])).collect();
            let reading = cheapest(&text, &lines);
            let of = |(&is_code, &(prose, code)): (&bool, &(u32, u32))| if is_code { code } else { prose };
            let mut cost: u32 = reading.iter().zip(&costs).map(of).sum();
            let mut last = false;
            for &is_code in &reading {
                cost += if is_code == last { 0 } else { CHANGE };
                last = is_code;
            }
            prop_assert_eq!(cost, naive(&costs));
        }

        #[test]
        fn cells_are_all_of_any_text(text in "(\\PC|\n|x = f\\(y\\);\n|It is a sentence of words\\.\n){0,40}") {
            if let Some(cells) = cells(&text) {
                let whole: usize = cells.iter().map(|cell| cell.source().len()).sum();
                prop_assert!(whole <= text.len());
            }
        }
    }
}
