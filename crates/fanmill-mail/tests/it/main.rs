//! What is promised about mail of any kind.

mod disguises;
mod hostile;
mod hostile_wrapped;
