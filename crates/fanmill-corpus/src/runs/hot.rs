//! Seeds that occur twice: only windows that contain one can be repeated.

use std::iter::Peekable;

use fanmill_text::Result;

use super::context::Context;
use super::items::Seed;
use crate::spill::{Series, Sorter};

/// The seeds of all texts.
#[derive(Debug)]
pub(super) struct Seeds {
    /// Those of the original texts.
    pub(super) original: Series<Seed>,
    /// Those of stretches that earlier rounds have joined.
    pub(super) joined: Series<Seed>,
    /// Those of stretches that the last round has joined.
    pub(super) new: Series<Seed>,
}

/// The seeds that may tell of repeated windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All whose value occurs twice.
    All,
    /// Of these, the ones with the value of a new seed.
    New,
}

impl Seeds {
    /// Returns the documents and places of seeds whose value occurs twice.
    pub(super) fn repeated(
        &self,
        context: Context<'_>,
        wanted: Wanted,
    ) -> Result<Sorter<(u32, u32)>> {
        let mut places = Sorter::distinct(context.spill, context.settings.memory / 8);
        let mut streams = [self.original.iter().peekable(), self.joined.iter().peekable()];
        let mut new = self.new.iter().peekable();
        loop {
            context.steps.check()?;
            let value = match wanted {
                Wanted::New => value(&mut new)?,
                Wanted::All => {
                    let [a, b] = &mut streams;
                    [value(a)?, value(b)?, value(&mut new)?].into_iter().flatten().min()
                }
            };
            let Some(value) = value else { return Ok(places) };
            // The first place waits until there is another one.
            let mut first = None;
            let mut see = |seed: Seed| -> Result<()> {
                let place = (seed.document, seed.begin);
                match first {
                    None => first = Some(place),
                    Some(known) if known == place => {}
                    Some(known) => {
                        places.push(known)?;
                        places.push(place)?;
                    }
                }
                Ok(())
            };
            let [a, b] = &mut streams;
            each(a, value, &mut see)?;
            each(b, value, &mut see)?;
            each(&mut new, value, &mut see)?;
        }
    }
}

/// Returns the value of the next seed.
fn value(seeds: &mut Peekable<impl Iterator<Item = Result<Seed>>>) -> Result<Option<u64>> {
    match seeds.peek() {
        Some(Ok(seed)) => Ok(Some(seed.value)),
        Some(Err(_)) => seeds.next().transpose().map(|_| None),
        None => Ok(None),
    }
}

/// Takes all seeds up to those of this value, and passes these to `see`.
fn each(
    seeds: &mut Peekable<impl Iterator<Item = Result<Seed>>>,
    wanted: u64,
    see: &mut impl FnMut(Seed) -> Result<()>,
) -> Result<()> {
    while value(seeds)?.is_some_and(|own| own <= wanted) {
        if let Some(seed) = seeds.next().transpose()?
            && seed.value == wanted
        {
            see(seed)?;
        }
    }
    Ok(())
}
