//! `fanmill sift attack`: measures how well the user's texts are recognised after deliberate changes.

use std::io;

use fanmill_jobs::sift::texts::{self, Account};
use fanmill_lab::attack::scheme::{self, Scheme};
use fanmill_lab::attack::search::{self, Search};
use fanmill_lab::attack::{self, Settings, Texts};
use fanmill_sift::reduce::Reduction;
use fanmill_sift::thousandths::Thousandths;
use fanmill_text::Error;
use fanmill_text::progress::Silent;

use super::{inputs, reading, show_notices};
use crate::args::AttackArgs;
use crate::commands::lab::{self, LabRun};
use crate::exit::Exit;
use crate::progress::Bar;

pub(crate) fn run(args: &AttackArgs) -> anyhow::Result<Exit> {
    let (settings, search) = (settings(args)?, searched(args)?);
    settings.check()?;
    search.check()?;
    let mut account = Account::default();
    let exit =
        lab::finish(&args.common, |bar| measure(args, (&settings, &search), &mut account, bar))?;
    show_notices(&account, args.common.quiet, None)?;
    Ok(exit)
}

fn measure(
    args: &AttackArgs,
    (settings, search): (&Settings, &Search),
    account: &mut Account,
    bar: &Bar,
) -> anyhow::Result<LabRun> {
    let mut sample = Texts::for_settings(settings);
    let mut stdin = io::stdin();
    let given = inputs(&args.paths, &args.reading, reading(&args.reading)?, &mut stdin)?;
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
    } else if args.search {
        search::run(&sample, settings, search, bar)?
    } else {
        attack::run(&sample, settings, bar)?
    };
    Ok(LabRun { outcome, notices: Vec::new() })
}

fn settings(args: &AttackArgs) -> anyhow::Result<Settings> {
    let standard = Settings::standard();
    let scores = |flag: &str, texts: &[String]| -> anyhow::Result<Vec<f64>> {
        texts
            .iter()
            .map(|text| {
                fanmill_text::amount::parse_share(text).map_err(|error| error.within(flag).into())
            })
            .collect()
    };
    let mut thresholds = scores("--min-score", &args.thresholds)?;
    thresholds.sort_by(f64::total_cmp);
    // Only a search can compare several numbers.
    let least_common = match args.min_common[..] {
        [] => standard.least_common,
        [one] => one,
        _ if args.search => standard.least_common,
        _ => anyhow::bail!(Error::setting(
            "--min-common takes one number; to compare several, add --search"
        )),
    };
    Ok(Settings {
        schemes: schemes(args)?,
        n_keys: args.keys,
        n_attacked: args.documents,
        n_compared: args.unrelated,
        related: fanmill_text::amount::parse_share(&args.related)
            .map_err(|error| error.within("--related"))?,
        thresholds: match (thresholds.is_empty(), args.search) {
            (false, _) => thresholds,
            (true, true) => search::THRESHOLDS.to_vec(),
            (true, false) => standard.thresholds,
        },
        least_common,
        seed: args.common.seed,
    })
}

/// Returns the settings of the search, which are not used without `--search`.
fn searched(args: &AttackArgs) -> anyhow::Result<Search> {
    let standard = Search::standard();
    let mut n_common = args.min_common.clone();
    n_common.sort_unstable();
    Ok(Search {
        rate: match &args.false_rate {
            Some(text) => fanmill_text::amount::parse_share(text)
                .map_err(|error| error.within("--false-rate"))?,
            None => standard.rate,
        },
        n_common: if n_common.is_empty() { standard.n_common } else { n_common },
    })
}

/// Returns the named schemes with all given lengths, probabilities and reductions.
fn schemes(args: &AttackArgs) -> anyhow::Result<Vec<Scheme>> {
    let schemes = args
        .schemes
        .iter()
        .map(|text| Scheme::read(text))
        .collect::<fanmill_text::Result<Vec<_>>>()?;
    let probabilities = args
        .probabilities
        .iter()
        .map(|text| text.parse())
        .collect::<fanmill_text::Result<Vec<Thousandths>>>()?;
    let reductions = args.reductions.iter().map(|text| text.parse());
    let reductions = reductions.collect::<fanmill_text::Result<Vec<Reduction>>>()?;
    let is_varied = !(args.lengths.is_empty() && probabilities.is_empty() && reductions.is_empty());
    if schemes.is_empty() && !is_varied {
        return Ok(scheme::named());
    }
    Ok(scheme::grid(&schemes, &args.lengths, &probabilities, &reductions)?)
}
