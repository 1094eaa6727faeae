//! Mailboxes: each message is a record.

use super::*;

const BOX: &str = "From a@b Thu Mar  5 08:11:02 2026\nMessage-ID: <1@b>\nSubject: one\nX-Kind: ham\n\nwords\n\n\
                   From a@b Thu Mar  5 08:11:03 2026\r\nSubject: two\r\n\r\nmore\r\n>From here\r\n\r\n\
                   From a@b Thu Mar  5 08:11:04 2026\nSubject: three\n\nlast\n";

fn small(batch_bytes: usize, record_bytes: usize) -> Options {
    Options { batch_bytes, record_bytes, extra: vec!["x-kind".to_owned()], ..Options::standard() }
}

/// Returns the records of a mailbox.
fn records(content: &str, options: &Options) -> Read {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.mbox");
    fs::write(&path, content).expect("written");
    let shards = shards(&[path], options).expect("found");
    assert_eq!(shards[0].format(), Format::MBOX);
    super::read(&shards[0], options).expect("read")
}

#[test]
fn messages_are_the_same_whatever_the_batches() {
    for batch_bytes in [1, 7, 40, 90, 1 << 20] {
        let read = records(BOX, &small(batch_bytes, 1 << 20));
        let read: Vec<_> = read.into_iter().map(|record| record.expect("good")).collect();
        let texts: Vec<&str> = read.iter().map(|record| &*record.text).collect();
        let expected = ["one\n\nwords", "two\n\nmore\nFrom here", "three\n\nlast"];
        assert_eq!(texts, expected, "{batch_bytes}");
        let names: Vec<Option<&str>> = read.iter().map(|record| record.id.as_deref()).collect();
        assert_eq!(names, [Some("<1@b>"), None, None]);
        assert_eq!(read[0].extra[0].as_deref(), Some("ham"));
        assert_eq!(read[1].extra[0], None);
    }
}

#[test]
fn a_message_over_the_limit_passes_and_the_others_are_read() {
    let long = format!("From a\nSubject: x\n\n{}\n\n{BOX}", "word ".repeat(100_000));
    for batch_bytes in [1, 1000, 1 << 20] {
        let options = small(batch_bytes, 400);
        let read = records(&long, &options);
        assert_eq!(read.len(), 3, "{batch_bytes}");
        assert!(read.iter().all(Result::is_ok), "{read:?}");
        let (_folder, shard) = one("a.mbox", long.as_bytes(), &options);
        assert_eq!(skipped(&shard, &options), [Skipped::too_long(0, 400)]);
        assert!(kept(&shard, &options) == long.as_bytes(), "{batch_bytes}");
    }
}

#[test]
fn messages_that_stay_are_copied_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.mbox");
    fs::write(&path, BOX).expect("written");
    let options = small(60, 1 << 20);
    let shards = shards(&[path], &options).expect("found");
    let out = folder.path().join("out");
    let written = |writes: OutputForm, action: &dyn Fn(u64) -> RecordAction<'static>| {
        let files = Below(&out);
        let mut writer = shards[0].writer(&files, &options, writes).expect("begun");
        let mut reader = shards[0].reader(&options, Columns::All).expect("opened");
        let mut batch = Batch::new();
        while reader.next(&mut batch).expect("read") {
            let first = batch.first_number();
            let actions: Vec<_> = (0..batch.len() as u64).map(|i| action(first + i)).collect();
            writer.write(&batch, &actions).expect("written");
        }
        writer.finish().expect("written");
        let text = fs::read_to_string(out.join(shards[0].path())).expect("there");
        fs::remove_dir_all(&out).expect("removed");
        text
    };
    assert_eq!(written(OutputForm::Records, &|_| RecordAction::Keep), BOX);
    let second = BOX.find("From a@b Thu Mar  5 08:11:03").expect("there");
    let third = BOX.find("From a@b Thu Mar  5 08:11:04").expect("there");
    let one_less = |i| if i == 1 { RecordAction::Remove } else { RecordAction::Keep };
    assert_eq!(
        written(OutputForm::Records, &one_less),
        format!("{}{}", &BOX[..second], &BOX[third..])
    );
    let mark = crate::record::Mark {
        cluster: 7,
        duplicate_of: Some("a"),
        resemblance: Some(1.0),
        containment: Some(1.0),
    };
    // A mark goes below the `From ` line, with the line ends of the message.
    let marked = written(OutputForm::Marks, &|i| RecordAction::Mark((i == 1).then_some(mark)));
    let line = "From a@b Thu Mar  5 08:11:03 2026\r\n";
    let marks = "Fanmill-Cluster: 7\r\nFanmill-Duplicate-Of: a\r\nFanmill-Resemblance: 1\r\n\
                 Fanmill-Containment: 1\r\n";
    assert_eq!(marked, BOX.replace(line, &format!("{line}{marks}")));
    let why = shards[0].unchangeable(&options).expect("read").expect("a reason");
    assert!(why.contains("no text can be put back"), "{why}");
}
