//! The promises of the README on random input, through the whole pipeline.
