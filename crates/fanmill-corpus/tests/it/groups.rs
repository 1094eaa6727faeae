//! `dedup` of Parquet: row groups without a duplicate are copied as they are, and rows are those of rewriting all.

use std::fs::{self, File};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

use crate::corpus::cases;
use crate::job;

/// Texts in row groups of so many.
fn write(path: &Path, texts: &[String], in_a_group: usize) {
    let text: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
    let other: ArrayRef = Arc::new(StringArray::from_iter_values(
        (0..).take(texts.len()).map(|i: u32| i.to_string()),
    ));
    let rows = RecordBatch::try_from_iter([("text", text), ("other", other)]).expect("columns");
    let properties =
        WriterProperties::builder().set_max_row_group_row_count(Some(in_a_group)).build();
    let file = File::create(path).expect("a file");
    let mut out = ArrowWriter::try_new(file, rows.schema(), Some(properties)).expect("a writer");
    out.write(&rows).expect("written");
    out.close().expect("written");
}

/// The values of the other column, and the bytes of each row group.
fn read(path: &Path) -> (Vec<String>, Vec<Vec<u8>>) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).expect("a file"));
    let builder = builder.expect("Parquet");
    let bytes = fs::read(path).expect("a file");
    let groups = builder.metadata().row_groups().iter().map(|group| {
        let columns = group.columns().iter().map(|column| {
            let (start, len) = column.byte_range();
            bytes[start as usize..(start + len) as usize].to_vec()
        });
        columns.collect::<Vec<_>>().concat()
    });
    let (groups, schema) = (groups.collect(), Arc::clone(builder.schema()));
    let all: Vec<RecordBatch> =
        builder.build().expect("rows").map(|rows| rows.expect("rows")).collect();
    let all = concat_batches(&schema, &all).expect("rows");
    let others = all.column_by_name("other").expect("the column").as_string::<i32>();
    (others.iter().map(|other| other.expect("a value").to_owned()).collect(), groups)
}

/// Words of a family, of which each member has the last one for itself.
fn text(family: u8, member: u8) -> String {
    let words = (0..40).map(|i| format!("f{family}w{i}"));
    words.chain([format!("own{member}")]).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(cases(40))]
    #[test]
    fn groups_without_a_duplicate_are_copied(
        documents in prop::collection::vec((0_u8..30, any::<u8>()), 1..40),
        in_a_group in 1_usize..6,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let (input, output) = (folder.path().join("a.parquet"), folder.path().join("out"));
        let texts: Vec<String> = documents.iter().map(|&(family, member)| text(family, member)).collect();
        write(&input, &texts, in_a_group);
        job::dedup(std::slice::from_ref(&input), &job::settings(), &output).expect("done");

        let stays = |at: usize| documents[..at].iter().all(|earlier| earlier.0 != documents[at].0);
        let expected: Vec<String> =
            (0..documents.len()).filter(|&at| stays(at)).map(|at| at.to_string()).collect();
        let (others, groups) = read(&output.join("a.parquet"));
        prop_assert_eq!(others, expected);
        let (_, before) = read(&input);
        let rows = |group: usize| -> Range<usize> {
            let start = group * in_a_group;
            start..documents.len().min(start + in_a_group)
        };
        for (group, before) in before.iter().enumerate().filter(|(group, _)| rows(*group).all(stays)) {
            prop_assert!(groups.contains(before), "group {}", group);
        }
    }
}
