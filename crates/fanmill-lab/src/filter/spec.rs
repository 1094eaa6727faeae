//! Filters as users write them: the grouping of registers, and the sketch that fills them.

use std::fmt;
use std::str::FromStr;

use fanmill_sketch::Sketch;
use fanmill_sketch::bytes::ByteFilter;
use fanmill_sketch::classic::Classic;
use fanmill_sketch::lsh::acceptance::Filter;
use fanmill_sketch::similarity::MAX_REGISTERS;
use fanmill_text::error::{Error, Result};

/// Number of bits in a feature that is stored whole.
const WHOLE: u32 = 64;

/// A filter on the registers of a sketch.
///
/// | text | filter |
/// |---|---|
/// | `6x14,r=2` | 6 groups of 14 registers, of which 2 agree |
/// | `84,T=76` | 84 registers, of which 76 agree |
/// | `8x11,r=3,bits=8` | features of one byte |
/// | `fss:21x6,r=1` | registers of the fast similarity sketch; also `lead:`, and `perm:`, the default |
/// | `classic(k=6,s=14,r=2)`, `bytes(s=11,r=3)` | the sketches of these names |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// The sketch that fills the registers.
    pub sampler: Sampler,
    /// The grouping of the registers, and the number of groups that must agree.
    pub filter: Filter,
}

/// Sketches with registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampler {
    /// `perm`: independent permutations.
    Permutations,
    /// `lead`: independent permutations, lead byte first.
    LeadByte,
    /// `fss`: the fast similarity sketch.
    FastSimilarity,
}

impl Sampler {
    /// Returns the sketch with `t` registers.
    pub fn sketch(self, t: u32) -> Sketch {
        match self {
            Sampler::Permutations => Sketch::Permutations { t },
            Sampler::LeadByte => Sketch::LeadByte { t },
            Sampler::FastSimilarity => Sketch::FastSimilarity { t },
        }
    }
}

impl Spec {
    /// Returns the number of registers of a document.
    pub fn n_registers(&self) -> u32 {
        self.filter.groups * self.filter.samples
    }

    /// Returns the number of bytes stored per document.
    pub fn stored_bytes(&self) -> u64 {
        (u64::from(self.filter.groups) * u64::from(self.filter.bits)).div_ceil(8)
    }

    /// Returns the default filters: those of the slides, and the one that the job `dedup` uses at a threshold of .8.
    pub fn usual() -> Vec<Spec> {
        let ours = Filter { groups: 21, samples: 6, needed: 1, bits: WHOLE };
        vec![
            Spec::permuted(Filter::classic(Classic::alta_vista())),
            Spec::permuted(Filter::classic(Classic::variant())),
            Spec::permuted(Filter::full(84, 76)),
            Spec::permuted(Filter::bytes(ByteFilter::small_scale())),
            Spec::permuted(Filter::bytes(ByteFilter::large_scale())),
            Spec { sampler: Sampler::FastSimilarity, filter: ours },
        ]
    }

    fn permuted(filter: Filter) -> Spec {
        Spec { sampler: Sampler::Permutations, filter }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.sampler {
            Sampler::Permutations => "",
            Sampler::LeadByte => "lead:",
            Sampler::FastSimilarity => "fss:",
        })?;
        let Filter { groups, samples, needed, bits } = self.filter;
        match samples {
            1 => write!(f, "{groups},T={needed}")?,
            _ => write!(f, "{groups}x{samples},r={needed}")?,
        }
        if bits < WHOLE { write!(f, ",bits={bits}") } else { Ok(()) }
    }
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Spec> {
        let spec = match text.parse() {
            Ok(Sketch::Classic(classic)) => Some(Spec::permuted(Filter::classic(classic))),
            Ok(Sketch::Bytes(bytes)) => Some(Spec::permuted(Filter::bytes(bytes))),
            _ => read(text),
        };
        let spec = spec.ok_or_else(|| {
            Error::setting(format!(
                "`{text}` is not a filter; write 6x14,r=2 for 2 of 6 groups of 14 registers, 84,T=76 \
                 for 76 of 84 registers, with bits=8 for features of a byte, and fss: or lead: in \
                 front for another sketch"
            ))
        })?;
        let Filter { groups, samples, needed, bits } = spec.filter;
        let n_registers = u64::from(groups) * u64::from(samples);
        let counts_fit = (1..=MAX_REGISTERS as u64).contains(&n_registers);
        if counts_fit && (1..=groups).contains(&needed) && (1..=WHOLE).contains(&bits) {
            return Ok(spec);
        }
        Err(Error::setting(format!(
            "filter `{text}` is not possible: it needs 1 to {MAX_REGISTERS} registers, 1 to {groups} groups \
             that agree, and 1 to {WHOLE} bits per feature; write for example 6x14,r=2"
        )))
    }
}

/// Parses a filter, without checking its numbers.
fn read(text: &str) -> Option<Spec> {
    let (sampler, text) = match text.split_once(':') {
        None => (Sampler::Permutations, text),
        Some(("perm", rest)) => (Sampler::Permutations, rest),
        Some(("lead", rest)) => (Sampler::LeadByte, rest),
        Some(("fss", rest)) => (Sampler::FastSimilarity, rest),
        Some(_) => return None,
    };
    let mut parts = text.split(',');
    let shape = parts.next()?;
    let (groups, samples) = shape.split_once('x').unwrap_or((shape, "1"));
    let (mut needed, mut bits) = (None, None);
    for part in parts {
        let (name, value) = part.split_once('=')?;
        let slot = match name {
            "r" | "T" => &mut needed,
            "bits" => &mut bits,
            _ => return None,
        };
        if slot.replace(number(value)?).is_some() {
            return None;
        }
    }
    let (groups, samples) = (number(groups)?, number(samples)?);
    let filter = Filter { groups, samples, needed: needed?, bits: bits.unwrap_or(WHOLE) };
    Some(Spec { sampler, filter })
}

/// Parses a number of digits only.
fn number(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read_back_as_they_are_written() {
        let usual: Vec<String> = Spec::usual().iter().map(Spec::to_string).collect();
        let expected = "6x14,r=2 8x25,r=1 84,T=76 8x11,r=3,bits=8 8x2,r=7,bits=8 fss:21x6,r=1";
        assert_eq!(usual.join(" "), expected);
        for spec in Spec::usual() {
            assert_eq!(spec.to_string().parse::<Spec>().expect("own text"), spec);
        }
        let classic: Spec = "classic(k=6,s=14,r=2)".parse().expect("a sketch's name");
        assert_eq!(classic.to_string(), "6x14,r=2");
        assert_eq!((classic.n_registers(), classic.stored_bytes()), (84, 48));
        let bytes: Spec = "bytes(s=11,r=3)".parse().expect("a sketch's name");
        assert_eq!(bytes.to_string(), "8x11,r=3,bits=8");
        assert_eq!((bytes.n_registers(), bytes.stored_bytes()), (88, 8));
        assert_eq!("lead:84x1,r=76".parse::<Spec>().expect("a filter").to_string(), "lead:84,T=76");
    }

    #[test]
    fn other_texts_are_refused() {
        for wrong in [
            "",
            "6x14",
            "6x14,r=7",
            "6x14,r=0",
            "0x14,r=1",
            "6x14,r=2,r=2",
            "6x14,r=+2",
            "x,r=1",
            "6x14,r=2,bits=65",
            "99999x99999,r=1",
            "mod:6x14,r=2",
            "fss(t=128)",
            "6x14,r=2,s=3",
        ] {
            let error = wrong.parse::<Spec>().expect_err("no filter").to_string();
            assert!(error.contains("6x14,r=2"), "{error}");
        }
    }
}
