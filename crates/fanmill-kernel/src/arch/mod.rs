//! Kernels compiled for each set of instructions, and the forms that they ask.
//!
//! Calls of functions that need certain instructions are unsafe. They rest on two facts: an [`InstructionSet`] is in
//! use only if the processor has it, and a form other than the scalar one is made only inside the function that needs
//! its instructions.
#![allow(unsafe_code, reason = "functions for certain instructions can only be called so")]

mod scalar;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::InstructionSet;
use crate::form::Task;
use scalar::Scalar;

pub use scalar::alphanumeric_bytes;

/// Runs a task with the instructions in use.
#[inline]
pub fn run<T: Task>(task: T) -> T::Output {
    // SAFETY: the set in use is one that the processor has.
    unsafe { with(InstructionSet::in_use(), task) }
}

/// Runs a task with a set of instructions, for tests.
///
/// # Panics
/// If the processor does not have it.
#[cfg(test)]
pub(crate) fn on<T: Task>(set: InstructionSet, task: T) -> T::Output {
    assert!(set.is_available(), "{set}");
    // SAFETY: the processor has it.
    unsafe { with(set, task) }
}

/// Runs a task with a set of instructions.
///
/// # Safety
/// The processor must have these instructions ([`InstructionSet::is_available`]).
#[inline]
unsafe fn with<T: Task>(set: InstructionSet, task: T) -> T::Output {
    match set {
        // SAFETY: the caller guarantees that the processor has the instructions.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { x86::avx512(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { x86::avx2(task) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Sse41 => unsafe { x86::sse41(task) },
        _ => task.run(Scalar(())),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::form::{BLOCK, BYTE_SETS, ByteKinds, ByteSets, Form};

    struct Kinds<'a>(&'a [u8; BLOCK]);

    impl Task for Kinds<'_> {
        type Output = ByteKinds;

        #[inline(always)]
        fn run<F: Form>(self, form: F) -> ByteKinds {
            form.byte_kinds(self.0)
        }
    }

    fn check(block: &[u8; BLOCK]) {
        let mask = |is: fn(&u8) -> bool| (0..BLOCK).map(|i| u64::from(is(&block[i])) << i).sum();
        let naive = ByteKinds {
            word: mask(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'),
            white: mask(|byte| *byte <= b' '),
            beyond: mask(|byte| !byte.is_ascii()),
        };
        for set in InstructionSet::available() {
            assert_eq!(on(set, Kinds(block)), naive, "{set}: {block:?}");
        }
    }

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=255 {
            for at in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[at] = byte;
                check(&block);
            }
        }
    }

    struct Sets<'a>(&'a [u8; BLOCK], &'a ByteSets);

    impl Task for Sets<'_> {
        type Output = [u64; BYTE_SETS];

        #[inline(always)]
        fn run<F: Form>(self, form: F) -> [u64; BYTE_SETS] {
            form.byte_sets(self.0, self.1)
        }
    }

    proptest! {
        #[test]
        fn sets_are_those_of_each_byte(members: [bool; 256], low: [u8; 32], high: [u8; 32]) {
            // Bytes beyond ASCII are in no set, whatever the functions answer.
            let is_in = |byte: u8, of: usize| members[usize::from(byte).wrapping_mul(of) % 256];
            let sets = ByteSets::new(|byte| is_in(byte, 1), |byte| is_in(byte, 3), |byte| is_in(byte, 5));
            let mut block = [0; BLOCK];
            block[..32].copy_from_slice(&low);
            block[32..].copy_from_slice(&high);
            let naive = [1, 3, 5].map(|of| {
                let bit = |i: usize| u64::from(block[i].is_ascii() && is_in(block[i], of)) << i;
                (0..BLOCK).map(bit).sum::<u64>()
            });
            for set in InstructionSet::available() {
                prop_assert_eq!(on(set, Sets(&block, &sets)), naive, "{}", set);
            }
        }

        #[test]
        fn every_form_equals_naive(block: [u8; 32], other: [u8; 32]) {
            let mut whole = [0; BLOCK];
            whole[..32].copy_from_slice(&block);
            whole[32..].copy_from_slice(&other);
            check(&whole);
        }
    }
}
