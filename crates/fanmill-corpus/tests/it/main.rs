//! Tests of whole jobs over small corpora: what they write is held against twins too simple to be
//! wrong, and against themselves with other threads, memory, batches and interruptions.

mod collisions;
mod corpus;
mod job;
mod naive;

mod account;
mod duplicates;
mod in_memory;
mod marks;
mod steady;
mod resume;
mod staging;
mod faults;
mod passages;
