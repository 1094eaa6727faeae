//! x

pub mod law;
pub mod measure;
pub mod sample;
pub mod shared;
