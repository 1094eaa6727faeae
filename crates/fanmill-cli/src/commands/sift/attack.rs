//! `fanmill sift attack`: measures how well the user's texts are recognised after deliberate changes.

use std::io;

use fanmill::progress::Silent;
use fanmill::sift::thousandths::Thousandths;
use fanmill_jobs::sift::texts::{self, Account};
use fanmill_lab::attack::scheme::{self, Scheme};
use fanmill_lab::attack::{self, Settings, Texts};

use super::{inputs, print_notices};
use crate::args::AttackArgs;
use crate::commands::lab::{self, LabRun};
use crate::exit::Exit;
use crate::progress::Bar;
use crate::size;

pub(crate) fn run(args: &AttackArgs) -> anyhow::Result<Exit> {
    let settings = settings(args)?;
    settings.check()?;
    let mut account = Account::default();
    let exit = lab::finish(&args.common, |bar| measure(args, &settings, &mut account, bar))?;
    print_notices(&account, args.common.quiet)?;
    Ok(exit)
}

fn measure(
    args: &AttackArgs,
    settings: &Settings,
    account: &mut Account,
    bar: &Bar,
) -> anyhow::Result<LabRun> {
    let mut sample = Texts::for_settings(settings);
    let mut stdin = io::stdin();
    let given = inputs(&args.paths, &args.reading, &mut stdin)?;
    *account = texts::each(given, &Silent, &mut |batch| {
        for text in batch {
            if args.table2 {
                sample.add_plain(&text.bytes);
            } else {
                sample.add(&text.bytes);
            }
        }
        Ok(())
    })?;
    let outcome = if args.table2 {
        attack::reproduce(&sample, settings.n_keys, settings.seed, bar)?
    } else {
        attack::run(&sample, settings, bar)?
    };
    Ok(LabRun { outcome, notices: Vec::new() })
}

fn settings(args: &AttackArgs) -> anyhow::Result<Settings> {
    let standard = Settings::standard();
    let scores = |flag: &str, texts: &[String]| -> anyhow::Result<Vec<f64>> {
        texts.iter().map(|text| size::score(flag, text)).collect()
    };
    let mut thresholds = scores("--threshold", &args.thresholds)?;
    thresholds.sort_by(f64::total_cmp);
    Ok(Settings {
        schemes: schemes(args)?,
        n_keys: args.keys,
        n_attacked: args.documents,
        n_compared: args.unrelated,
        related: size::score("--related", &args.related)?,
        thresholds: if thresholds.is_empty() { standard.thresholds } else { thresholds },
        least_common: args.min_common.unwrap_or(standard.least_common),
        seed: args.common.seed,
    })
}

/// The named schemes, then the grid of lengths and probabilities.
fn schemes(args: &AttackArgs) -> anyhow::Result<Vec<Scheme>> {
    let mut schemes =
        args.schemes.iter().map(|text| Scheme::read(text)).collect::<fanmill::Result<Vec<_>>>()?;
    let probabilities = args
        .probabilities
        .iter()
        .map(|text| text.parse())
        .collect::<fanmill::Result<Vec<Thousandths>>>()?;
    if !(args.lengths.is_empty() && probabilities.is_empty()) {
        schemes.extend(scheme::grid(&args.lengths, &probabilities)?);
    }
    Ok(if schemes.is_empty() { scheme::named() } else { schemes })
}
