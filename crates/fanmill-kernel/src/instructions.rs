//! The processor's instructions that kernels use.
//!
//! | set | processors | additional instructions |
//! |---|---|---|
//! | `scalar` | all | those of every processor of the platform: SSE2 on x86-64, NEON on 64-bit ARM |
//! | `sse41` | x86-64 since 2008 | minima of 32-bit numbers |
//! | `avx2` | x86-64 since 2013 | 32 bytes at a time |
//! | `avx512` | x86-64 servers since 2017, AMD since 2022 | 64 bytes at a time, products of 64-bit numbers |
//!
//! The best set that the processor has is found at the first use of a kernel. The choice belongs to the process,
//! because no result depends on it: all sets give the same, to the last bit.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions. Each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstructionSet {
    /// The instructions that every processor of the platform has.
    Scalar,
    /// SSE4.1 and the sets before it.
    Sse41,
    /// AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2,
    /// AVX-512 F, BW, CD, DQ and VL.
    Avx512,
}

/// The choice of this process, as a place in [`InstructionSet::ALL`], counted from 1; 0 before there is one.
///
/// Only [`InstructionSet::choose`] writes it, and only the place of a set that the processor has.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

impl InstructionSet {
    /// All sets, the smallest first.
    pub const ALL: [InstructionSet; 4] = [
        InstructionSet::Scalar,
        InstructionSet::Sse41,
        InstructionSet::Avx2,
        InstructionSet::Avx512,
    ];

    /// Returns the name by which users ask for it.
    pub fn name(self) -> &'static str {
        match self {
            InstructionSet::Scalar => "scalar",
            InstructionSet::Sse41 => "sse41",
            InstructionSet::Avx2 => "avx2",
            InstructionSet::Avx512 => "avx512",
        }
    }

    /// Returns whether this processor has it.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        match self {
            InstructionSet::Scalar => true,
            InstructionSet::Sse41 => is_x86_feature_detected!("sse4.1"),
            InstructionSet::Avx2 => {
                InstructionSet::Sse41.is_available()
                    && is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            InstructionSet::Avx512 => {
                InstructionSet::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        matches!(self, InstructionSet::Scalar)
    }

    /// Returns the sets that this processor has, the smallest first; `scalar` is always among them.
    pub fn available() -> impl Iterator<Item = InstructionSet> {
        InstructionSet::ALL.into_iter().filter(|set| set.is_available())
    }

    /// Returns the set that kernels of this process use: the one that was chosen, or the best available.
    #[inline]
    pub fn in_use() -> InstructionSet {
        match CHOSEN.load(Ordering::Relaxed) {
            0 => InstructionSet::choose_best(),
            place => InstructionSet::ALL[usize::from(place) - 1],
        }
    }

    #[cold]
    fn choose_best() -> InstructionSet {
        let best = InstructionSet::available().last().unwrap_or(InstructionSet::Scalar);
        CHOSEN.store(best as u8 + 1, Ordering::Relaxed);
        best
    }

    /// Makes all kernels of this process use this set from now on. Only their speed changes, not their results.
    ///
    /// # Errors
    /// If this processor does not have it.
    pub fn choose(self) -> Result<(), UnusableInstructions> {
        if self.is_available() {
            CHOSEN.store(self as u8 + 1, Ordering::Relaxed);
            return Ok(());
        }
        Err(UnusableInstructions::Missing(self))
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for InstructionSet {
    type Err = UnusableInstructions;

    /// Parses a name, exactly.
    fn from_str(name: &str) -> Result<InstructionSet, UnusableInstructions> {
        let set = InstructionSet::ALL.into_iter().find(|set| set.name() == name);
        set.ok_or_else(|| UnusableInstructions::Unknown(name.to_owned()))
    }
}

/// A set of instructions that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnusableInstructions {
    /// No set has this name.
    Unknown(String),
    /// This processor does not have it.
    Missing(InstructionSet),
}

impl fmt::Display for UnusableInstructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |sets: &mut dyn Iterator<Item = InstructionSet>| {
            sets.map(InstructionSet::name).collect::<Vec<_>>().join(", ")
        };
        match self {
            UnusableInstructions::Unknown(name) => {
                let all = names(&mut InstructionSet::ALL.into_iter());
                write!(f, "unknown kernel `{name}`; use one of {all}")
            }
            UnusableInstructions::Missing(set) => {
                let available = names(&mut InstructionSet::available());
                write!(f, "this processor has no `{set}` kernels; use one of {available}")
            }
        }
    }
}

impl std::error::Error for UnusableInstructions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stands_at_its_own_place_and_is_read_back() {
        for (place, set) in InstructionSet::ALL.into_iter().enumerate() {
            assert_eq!(set as usize, place);
            assert_eq!(set.to_string().parse::<InstructionSet>().expect("its own name"), set);
        }
        let wrong = "AVX2".parse::<InstructionSet>().expect_err("in capitals").to_string();
        assert_eq!(wrong, "unknown kernel `AVX2`; use one of scalar, sse41, avx2, avx512");
    }

    #[test]
    fn only_what_the_processor_has_can_be_chosen() {
        for set in InstructionSet::ALL {
            assert_eq!(set.choose().is_ok(), set.is_available(), "{set}");
            assert!(InstructionSet::in_use().is_available());
        }
        assert!(InstructionSet::Scalar.is_available());
        // A set includes all those before it.
        assert!(
            InstructionSet::available()
                .eq(InstructionSet::ALL.into_iter().take(InstructionSet::available().count()))
        );
    }
}
