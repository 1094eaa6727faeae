//! What is promised about mail of any kind.

mod hostile;
