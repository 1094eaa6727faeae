//! Shards of records: formats in and out.
