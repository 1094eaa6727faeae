//! Kernels: the loops over bytes and numbers that take most of the time.
//!
//! A kernel knows nothing of tokens, documents or sketches: it takes slices, and writes to the caller's buffers. So a
//! form for the vector registers of one processor can be added in `arch`, without a change to any
//! caller. Results are the same in every form, to the last bit.
//!
//! Most kernels are plain loops, written so that compilers can vectorise them, and compiled for several sets of
//! instructions (module `arch`). The tests of each kernel have a naive twin, which every form must equal.

#![deny(unsafe_code)]

pub mod hash;
mod instructions;
mod sip_rounds;
mod form;
mod arch;
mod byte_window;
mod ascending;
mod each;
mod byte_order;
mod gram_hash;
mod polynomial;
mod register_min;
mod scatter;
mod set_merge;
mod sliding_min;
mod open_closed;
mod sip_hash;
mod walks;
mod min_queue;
mod block_minima;
mod window_places;
mod open_keys;
mod window_minima;

pub use byte_window::ByteWindow;
pub use form::{ByteKinds, ByteSets};
pub use instructions::{InstructionSet, UnusableInstructions};

#[cfg(test)]
pub(crate) use arch::on;
pub use arch::{alphanumeric_bytes, run};
pub use ascending::{normalise, normalise_in, sort, sort_by_key, sort_in_place};
pub use byte_order::{OrderScratch, byte_orders, naive};
pub use form::{BLOCK, BYTE_SETS, Form, GROUP, HALF, Task};
pub use gram_hash::{hash, hash_all, order_all};
pub use min_queue::MinQueue;
pub use open_closed::{KeyScratch, open_closed_keys};
pub use open_keys::{LEAST_PARTS, OpenScratch, open_keys};
pub use polynomial::{polynomial_hash, polynomial_hashes};
pub use register_min::smallest_image;
pub use scatter::{EMPTY, VALUE_BITS, scatter};
pub use set_merge::{n_common, n_differing};
pub use sip_hash::sip_hashes;
pub use sip_rounds::{LANES, Lanes};
pub use walks::{Decision, NOTED, WALKS, pays as walks_pay, walks};
pub use window_minima::window_minima;
pub use window_places::{PlaceScratch, window_places};
