//! Sorting and keeping what does not fit into memory.
