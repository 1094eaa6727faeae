#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fanmill_fuzz::libraries::dump(bytes));
