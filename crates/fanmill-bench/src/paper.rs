//! The papers' figures beside ours, as a page: this prints `docs/reproduction.md`.
//!
//! For every experiment, a module below states the paper's claims, and runs the code of [`crate::experiment`], of
//! `fanmill lab` or of `fanmill sift attack` on small inputs; the page has a row for each claim with both figures.
//! Nothing on the page is typed by hand, and a test compares it with the program's output: calculated figures to the
//! digit, measured ones within their bands.
//!
//! Cost: a few seconds.

mod claim;
mod attack;
mod calibrate;
mod density;
mod filter;
mod frequency;
mod gaps;
mod leadbyte;
mod minwise;
mod miss;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use fanmill_lab::Cell;

use claim::{Band, Claim};

/// The command's options.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Also write the page to this file, such as `docs/reproduction.md`.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Returns the experiments with claims, by their headings, in the order of the page.
fn experiments() -> anyhow::Result<Vec<(&'static str, Vec<Claim>)>> {
    Ok(vec![
        ("Densities", density::claims()?),
        ("Gaps", gaps::claims()?),
        ("Misses of 0 mod p", miss::claims()),
        ("`lab frequency`", frequency::claims()?),
        ("`lab calibrate`", calibrate::claims()),
        ("`lab filter`", filter::claims()?),
        ("Min-wise independence", minwise::claims()),
        ("Lead bytes", leadbyte::claims()?),
        ("`sift attack`", attack::claims()),
    ])
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let page = page(&experiments()?);
    print!("{page}");
    if let Some(path) = &options.write {
        write(path, &page)?;
    }
    Ok(())
}

fn write(path: &Path, page: &str) -> anyhow::Result<()> {
    fs::write(path, page).with_context(|| format!("{} cannot be written", path.display()))
}

const HEAD: &str = "\
# Reproduction

What the papers say, and what comes out here, on small inputs that are built in. `fanmill-bench paper --write
docs/reproduction.md` made this page, and a test holds it to the code: what is calculated to the digit, what is
measured to where it may lie, which is four standard errors around what theory expects unless its row says why not.
A heading that is a command names the one that runs the same experiment at full size, on documents of one's own
([lab.md](lab.md), [sift.md](sift.md)).

The papers, with what follows each, are listed in [sources.md](sources.md): Schleimer, Wilkerson & Aiken on winnowing
(2003), Broder's slides on duplicate documents, and Malkin & Venkatesan on sifting (2005).
";

fn page(experiments: &[(&str, Vec<Claim>)]) -> String {
    let mut page = HEAD.to_owned();
    for (heading, claims) in experiments {
        let _ = write!(
            page,
            "\n## {heading}\n\n\
             | where | what | paper | ours | may lie | why |\n|---|---|---|---|---|---|\n"
        );
        for claim in claims {
            page.push_str(&row(claim));
        }
    }
    page
}

fn row(claim: &Claim) -> String {
    let decimals = match claim.ours {
        Cell::Number { decimals, .. } => usize::from(decimals),
        _ => 0,
    };
    let band = match &claim.band {
        Band::Exact => String::new(),
        Band::Within(band) => format!("{:.decimals$} to {:.decimals$}", band.start(), band.end()),
    };
    let [papers, ours] = [&claim.papers, &claim.ours].map(cell);
    let cells = [claim.source, &claim.what, &papers, &ours, &band, &claim.why];
    format!("| {} |\n", cells.map(|each| each.replace('|', "\\|")).join(" | "))
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(words) => words.clone(),
        Cell::Count(n) => n.to_string(),
        Cell::Number { value, decimals } => format!("{value:.*}", usize::from(*decimals)),
        Cell::Nothing => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../docs/reproduction.md");

    /// The index of our figure among the cells of a row.
    const OURS: usize = 3;

    fn cells(line: &str) -> Vec<&str> {
        line.split(" | ").collect()
    }

    #[test]
    fn the_page_is_what_comes_out() {
        let experiments = experiments().expect("settings are in bounds");
        let page = page(&experiments);
        let claims: Vec<&Claim> = experiments.iter().flat_map(|(_, claims)| claims).collect();
        let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| where");
        let (found, written) = (page.lines().filter(is_row), PAGE.lines().filter(is_row));
        assert_eq!(found.clone().count(), claims.len());
        for ((found, written), claim) in found.zip(written).zip(claims) {
            assert!(claim.holds(), "{claim:?}");
            if let Band::Within(band) = &claim.band {
                let (mut found, mut written) = (cells(found), cells(written));
                let value: f64 = written[OURS].parse().expect("a number");
                assert!(band.contains(&value), "{value} is not in {band:?}");
                (found[OURS], written[OURS]) = ("", "");
                assert_eq!(found, written);
            } else {
                assert_eq!(found, written);
            }
        }
        let others =
            |page: &str| page.lines().filter(|line| !is_row(line)).collect::<Vec<_>>().join("\n");
        assert_eq!(others(&page), others(PAGE));
        assert_eq!(page.lines().count(), PAGE.lines().count());
    }

    #[test]
    fn bars_in_texts_do_not_end_cells() {
        let claim = Claim {
            source: "a paper",
            what: "|A|".to_owned(),
            papers: Cell::Nothing,
            ours: Cell::Count(3),
            band: Band::Within(2.0..=4.0),
            why: "so".to_owned(),
        };
        assert_eq!(row(&claim), "| a paper | \\|A\\| |  | 3 | 2 to 4 | so |\n");
    }
}
