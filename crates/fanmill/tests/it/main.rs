//! Tests of the library as a whole: worked cases, promises on random input, and repository rules.

mod cases;
mod case_file;
mod compare;
mod cells;
mod pages;
mod parts;
mod promises;
mod prose_scores;
mod said;
mod short_programs;
mod shown_tokens;
mod spelling;
mod steps;
mod batches;
mod kinds_of_a_batch;
mod collisions;
mod tracked;
mod tidy;
mod site;
mod layers;
