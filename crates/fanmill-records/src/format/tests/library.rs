//! Libraries: ZIM files, dumps of MediaWiki, and posts of Stack Exchange.

use fanmill_library::zim::made::{Made, MadeCluster, MadeEntry, MadeLeads};

use super::*;

const DUMP: &str = "<mediawiki xml:lang=\"en\">\n  <siteinfo>\n    <base>https://wiki.example/wiki/Main</base>\n  </siteinfo>\n  \
    <page>\n    <title>Barley</title>\n    <ns>0</ns>\n    <id>1</id>\n    <revision>\n      \
    <timestamp>2026-03-01T00:00:00Z</timestamp>\n      <text>'''Barley''' is [[grain|a grain]].{{x}}</text>\n    \
    </revision>\n  </page>\n  <page>\n    <title>Talk:Barley</title>\n    <ns>1</ns>\n    <revision><text>no</text></revision>\n  \
    </page>\n  <page>\n    <title>Rye</title>\n    <ns>0</ns>\n    <revision><text>Rye &amp;amp; oats</text></revision>\n  \
    </page>\n</mediawiki>\n";
const POSTS: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>\n  \
    <row Id=\"1\" PostTypeId=\"1\" CreationDate=\"2026-03-01\" Title=\"Why?\" Body=\"&lt;p&gt;So:&lt;/p&gt;&lt;pre&gt;a = 1&lt;/pre&gt;\" \
    OwnerDisplayName=\"Ada\" ContentLicense=\"CC BY-SA 4.0\" />\n  \
    <row Id=\"2\" PostTypeId=\"4\" Body=\"no\" />\n  \
    <row Id=\"3\" PostTypeId=\"2\" Body=\"&lt;p&gt;Because.&lt;/p&gt;\" />\n</posts>\n";

fn zim() -> Made<'static> {
    let entry = |namespace, path, kind, text: &'static str| MadeEntry {
        namespace,
        path,
        title: "",
        leads: MadeLeads::Text(kind, text.as_bytes()),
    };
    Made {
        version: (6, 1),
        entries: vec![
            entry(b'C', "Barley", 0, "<title>Barley</title><p>A grain.</p>"),
            entry(b'C', "notes", 1, "Plain <words>"),
            entry(b'M', "Creator", 1, "Ada"),
            entry(b'M', "Date", 1, "2026-03-01"),
            entry(b'M', "License", 1, "CC0"),
            entry(b'M', "Source", 1, "https://farm.example/"),
        ],
        cluster: MadeCluster::PLAIN,
        texts_in_cluster: 1,
    }
}

/// Options that ask for all facts.
fn facts() -> Options {
    let extra = fanmill_library::facts::NAMES.map(str::to_owned).into();
    Options { extra, ..Options::standard() }
}

fn texts(shard: &Shard, options: &Options) -> Vec<String> {
    let all = read(shard, options).expect("read");
    all.into_iter().map(|record| record.expect("sound").text.into_owned()).collect()
}

fn ids(shard: &Shard) -> Vec<String> {
    let all = read(shard, &Options::standard()).expect("read").into_iter();
    all.map(|record| record.expect("sound").id.expect("a name").into_owned()).collect()
}

fn extra<'r>(record: &'r std::result::Result<Record<'static>, BadRecord>) -> Vec<&'r str> {
    let record = record.as_ref().expect("sound");
    record.extra.iter().map(|fact| fact.as_deref().unwrap_or("-")).collect()
}

#[test]
fn articles_of_a_zim_file_are_records_with_facts() {
    for name in ["library.zim", "library"] {
        let (_folder, shard) = one(name, &zim().bytes(), &facts());
        assert_eq!(shard.format(), Format::ZIM);
        assert_eq!(texts(&shard, &facts()), ["Barley\n\nA grain.", "Plain <words>"]);
        assert_eq!(ids(&shard), ["https://farm.example/Barley", "https://farm.example/notes"]);
        let first = &read(&shard, &facts()).expect("read")[0];
        assert_eq!(
            extra(first),
            ["Barley", "https://farm.example/Barley", "Ada", "CC0", "2026-03-01", "-", "Barley"]
        );
        assert_eq!(skipped(&shard, &facts()), []);
    }
}

#[test]
fn a_damaged_zim_file_is_one_bad_record_and_a_wrong_checksum_is_noted() {
    let bytes = zim().bytes();
    let (_folder, shard) = one("cut.zim", &bytes[..bytes.len() - 1], &facts());
    let found = read(&shard, &facts()).expect("read");
    let [Err(bad)] = &found[..] else { panic!("{found:?}") };
    let reason = bad.reason.to_string();
    assert!(
        reason.starts_with("damaged, or not a ZIM file that can be read: it is cut off"),
        "{reason}"
    );
    let mut wrong = bytes.clone();
    *wrong.last_mut().expect("bytes") ^= 1;
    let (_folder, shard) = one("wrong.zim", &wrong, &facts());
    assert_eq!(texts(&shard, &facts()).len(), 2);
    let notes = skipped(&shard, &facts());
    assert!(notes.len() == 1 && notes[0].reason.contains("checksum"), "{notes:?}");
    let error = one_error("x.zim", b"PK\x03\x04 no");
    assert!(error.contains("is not zim"), "{error}");
}

fn one_error(name: &str, content: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("written");
    shards(&[path], &Options::standard()).expect_err("refused").to_string()
}

#[test]
fn a_zim_file_is_not_written_again() {
    let (_folder, shard) = one("library.zim", &zim().bytes(), &facts());
    let out = tempfile::tempdir().expect("a folder");
    let keep = |_, _: &Record<'_>| RecordAction::Keep;
    let error =
        write(&shard, out.path(), &facts(), OutputForm::Records, &keep).expect_err("refused");
    assert!(error.is_setting() && error.to_string().contains("ask for a report only"), "{error}");
}

#[test]
fn pages_of_a_dump_are_records_whatever_packs_it() {
    for packing in [Packing::Plain].into_iter().chain(Packing::ALL) {
        let name = format!("pages.xml{}", packing.extension());
        let (folder, shard) = one(&name, &packed(packing, DUMP.as_bytes()), &facts());
        assert_eq!((shard.format(), shard.packing()), (Format::MEDIAWIKI, packing));
        assert_eq!(Format::from_file(&folder.path().join(&name)), Some(Format::MEDIAWIKI));
        assert_eq!(texts(&shard, &facts()), ["Barley is a grain.", "Rye & oats"]);
        assert_eq!(
            ids(&shard),
            ["https://wiki.example/wiki/Barley", "https://wiki.example/wiki/Rye"]
        );
        let first = &read(&shard, &facts()).expect("read")[0];
        let address = "https://wiki.example/wiki/Barley";
        assert_eq!(extra(first), ["Barley", address, "-", "-", "2026-03-01T00:00:00Z", "en", "1"]);
        assert_eq!(unpacked(&kept(&shard, &facts())), DUMP.as_bytes());
    }
}

#[test]
fn streams_of_bzip2_one_after_another_are_one_dump() {
    let (head, rest) = DUMP.split_at(DUMP.find("<page>").expect("a page"));
    let streams =
        [packed(Packing::Bzip2, head.as_bytes()), packed(Packing::Bzip2, rest.as_bytes())];
    let (_folder, shard) = one("multistream.xml.bz2", &streams.concat(), &facts());
    assert_eq!(texts(&shard, &facts()), ["Barley is a grain.", "Rye & oats"]);
}

#[test]
fn posts_are_records_with_code_in_fences() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = folder.path().join("farm.stackexchange.com");
    fs::create_dir(&site).expect("a folder");
    let path = site.join("Posts.xml");
    fs::write(&path, POSTS).expect("written");
    let shard = shards(&[path], &facts()).expect("a shard").remove(0);
    assert_eq!(shard.format(), Format::STACK_EXCHANGE);
    assert_eq!(texts(&shard, &facts()), ["Why?\n\nSo:\n\n```\na = 1\n```", "Because."]);
    let address = "https://farm.stackexchange.com/q/1";
    assert_eq!(ids(&shard), [address, "https://farm.stackexchange.com/a/3"]);
    let first = &read(&shard, &facts()).expect("read")[0];
    assert_eq!(extra(first), ["Why?", address, "Ada", "CC BY-SA 4.0", "2026-03-01", "-", "1"]);
    assert_eq!(kept(&shard, &facts()), POSTS.as_bytes());
    let options = Options { id: Some("title".to_owned()), ..Options::standard() };
    assert_eq!(
        read(&shard, &options).expect("read")[0].as_ref().expect("sound").id.as_deref(),
        Some("Why?")
    );
}

/// Where batches end changes nothing, and what is removed leaves a sound file.
#[test]
fn elements_lie_across_batches() {
    for (content, expected) in [(DUMP, 2), (POSTS, 2)] {
        let (_folder, whole) = one("x.xml", content.as_bytes(), &facts());
        let all = read(&whole, &facts()).expect("read");
        assert_eq!(all.len(), expected);
        for batch_bytes in 1..300 {
            let options = Options { batch_bytes, ..facts() };
            assert_eq!(read(&whole, &options).expect("read"), all, "{batch_bytes}");
            assert_eq!(kept(&whole, &options), content.as_bytes(), "{batch_bytes}");
        }
        let out = tempfile::tempdir().expect("a folder");
        let second = |number, _: &Record<'_>| match number {
            1 => RecordAction::Remove,
            _ => RecordAction::Keep,
        };
        write(&whole, out.path(), &facts(), OutputForm::Records, &second).expect("written");
        let (_folder, written) =
            one("y.xml", &fs::read(out.path().join("x.xml")).expect("a file"), &facts());
        assert_eq!(read(&written, &facts()).expect("read"), all[..1]);
        let error =
            write(&whole, out.path(), &facts(), OutputForm::Marks, &second).expect_err("refused");
        assert!(error.is_setting() && error.to_string().contains("no place for a mark"), "{error}");
    }
}

#[test]
fn a_dump_that_is_cut_off_ends_in_a_bad_record_and_a_long_page_is_skipped() {
    let cut = DUMP.find("oats").expect("the last page");
    let (_folder, shard) = one("cut.xml", &DUMP.as_bytes()[..cut], &facts());
    let found = read(&shard, &facts()).expect("read");
    assert!(found[0].is_ok() && found.len() == 2);
    let reason = found[1].as_ref().expect_err("cut off").reason.to_string();
    assert_eq!(reason, "cut off: the file ends in it");
    let long = DUMP.replace("is [[", &format!("{} [[", "is ".repeat(2000)));
    for batch_bytes in [1, 50, 1000, 1 << 20] {
        let options = Options { record_bytes: 1000, batch_bytes, ..facts() };
        let (_folder, shard) = one("long.xml", long.as_bytes(), &options);
        assert_eq!(texts(&shard, &options), ["Rye & oats"], "{batch_bytes}");
        let notes = skipped(&shard, &options);
        assert!(notes.len() == 1 && notes[0].reason.contains("1000 bytes"), "{notes:?}");
        assert_eq!(kept(&shard, &options), long.as_bytes(), "{batch_bytes}");
    }
}

/// A dump that is cut at each byte, and one with each byte wrong, is read without a panic.
#[test]
fn any_damage_to_a_dump_is_survived() {
    for content in [DUMP, POSTS] {
        for at in 0..content.len() {
            let bytes = content.as_bytes();
            let mut wrong = bytes.to_vec();
            wrong[at] ^= 0x1F;
            for damaged in [&bytes[..at], &wrong[..]] {
                let folder = tempfile::tempdir().expect("a folder");
                let path = folder.path().join("x.xml");
                fs::write(&path, damaged).expect("written");
                let Ok(found) = shards(&[path], &facts()) else { continue };
                for shard in found.iter().filter(|shard| !shard.format().is_loose()) {
                    assert!(read(shard, &facts()).expect("read").len() <= 3);
                }
            }
        }
    }
}
