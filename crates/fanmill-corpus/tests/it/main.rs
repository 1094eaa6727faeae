//! Tests of whole jobs on small corpora: their output is compared with that of naive twins, and with their own
//! output with other threads, memory, batches and interruptions.

mod collisions;
mod corpus;
mod job;
mod naive;

mod account;
mod duplicates;
mod groups;
mod against;
mod by_address;
mod contamination;
mod in_memory;
mod marks;
mod short;
mod sizes;
mod steady;
mod resume;
mod staging;
mod failed;
mod faults;
mod folders;
mod passages;
mod run_operators;
mod runs;
