//! Tests of the program as people run it.
