//! Packed files of all kinds: whole, in members, padded, damaged and greedy.

use std::fs;
use std::io::Write;

use proptest::prelude::*;

use super::packed::PackOptions;
use crate::replace::Disk;

use super::*;

/// Returns the bytes of a file with these members.
fn packed(packing: Packing, members: &[&[u8]]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    let file = Disk::default().make_file(&path).expect("a file");
    let mut out = packing.pack(file, PackOptions::default());
    for member in members {
        out.next_member().expect("a member");
        out.write_all(member).expect("written");
    }
    out.finish().expect("finished");
    fs::read(path).expect("a file")
}

fn unpacked(packing: Packing, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    packing.unpack(bytes).read_to_end(&mut all)?;
    Ok(all)
}

#[test]
fn members_follow_each_other() {
    for packing in Packing::ALL {
        let bytes = packed(packing, &[b"one, ", b"", b"two"]);
        assert_eq!(Packing::from_head(&bytes), packing);
        assert_eq!(unpacked(packing, &bytes).expect("whole"), b"one, two");
    }
}

#[test]
fn a_file_that_is_cut_off_is_an_error() {
    let text: Vec<u8> =
        (0_u32..5000).map(|i| (i.wrapping_mul(2_654_435_761) >> 25) as u8).collect();
    for packing in Packing::ALL {
        let bytes = packed(packing, &[&text]);
        for end in 1..bytes.len() {
            assert!(unpacked(packing, &bytes[..end]).is_err(), "{packing} {end}");
        }
    }
}

#[test]
fn names_tell_the_packing() {
    assert_eq!(Packing::from_name("a.jsonl.GZ"), (Packing::Gzip, "a.jsonl"));
    assert_eq!(Packing::from_name("a.zst"), (Packing::Zstandard, "a"));
    assert_eq!(Packing::from_name(".gz"), (Packing::Plain, ".gz"));
    assert_eq!(Packing::from_name("né"), (Packing::Plain, "né"));
}

#[test]
fn the_beginning_shows_the_packing() {
    for packing in Packing::ALL {
        for content in [&b""[..], b"some text"] {
            let bytes = packed(packing, &[content]);
            assert_eq!(Packing::from_head(&bytes), packing);
            assert_eq!(Packing::from_name(&format!("a{}", packing.extension())), (packing, "a"));
        }
    }
    let skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    let lz4 = [skipped, &*packed(Packing::Lz4, &[b"text"])].concat();
    let zstandard = [skipped, &*packed(Packing::Zstandard, &[b"text"])].concat();
    for (bytes, packing) in [(lz4, Packing::Lz4), (zstandard, Packing::Zstandard)] {
        assert_eq!(Packing::from_head(&bytes), packing);
        assert_eq!(unpacked(packing, &bytes).expect("whole"), b"text");
        let ended = [&*bytes, skipped].concat();
        assert_eq!(unpacked(packing, &ended).expect("whole"), b"text");
        assert!(unpacked(packing, &ended[..ended.len() - 1]).is_err());
    }
    for text in [&b"BZh9 is how they begin"[..], b"7zXZ", b"PK"] {
        assert_eq!(Packing::from_head(text), Packing::Plain);
    }
}

/// `gzip` and `bzip2` accept zeros behind the last member, as tapes have them; `xz` four or a multiple of them.
#[test]
fn zeros_behind_a_member_are_padding() {
    for (packing, n_zeros, is_sound) in [
        (Packing::Gzip, 1, true),
        (Packing::Gzip, 9, true),
        (Packing::Gzip, 512, true),
        (Packing::Gzip, 300_000, true),
        (Packing::Bzip2, 7, true),
        (Packing::Xz, 8, true),
        (Packing::Xz, 300_000, true),
        (Packing::Xz, 7, false),
        (Packing::Lz4, 8, false),
        (Packing::Zstandard, 8, false),
    ] {
        let member = packed(packing, &[b"text"]);
        let padded = [&*member, &vec![0; n_zeros]].concat();
        assert_eq!(unpacked(packing, &padded).is_ok(), is_sound, "{packing} {n_zeros}");
        if is_sound {
            let between = [&*padded, &*padded].concat();
            assert_eq!(unpacked(packing, &between).expect("whole"), b"texttext");
        }
    }
}

#[test]
fn bytes_behind_a_member_that_are_neither_padding_nor_a_member_are_damage() {
    for packing in Packing::ALL {
        for more in
            [&b"x"[..], b"\0\0\0\0x", b"more than any head of a member is long, and then some"]
        {
            let bytes = [&*packed(packing, &[b"text"]), more].concat();
            assert!(unpacked(packing, &bytes).is_err(), "{packing}");
        }
    }
}

#[test]
fn members_are_read_whatever_the_input_gives_at_once() {
    struct Slow<'a>(&'a [u8], usize);
    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(out.len());
            self.0.read(&mut out[..n])
        }
    }
    for packing in Packing::ALL {
        let bytes = packed(packing, &[b"one, ", b"two, ", b"three"]);
        for n in 1..40 {
            let mut all = Vec::new();
            packing.unpack(Slow(&bytes, n)).read_to_end(&mut all).expect("whole");
            assert_eq!(all, b"one, two, three");
        }
    }
}

/// The memory that a file asks for is known before it is taken.
#[test]
fn windows_above_the_limit_are_refused_with_their_size() {
    let text = vec![b'x'; 3 << 20];
    let mut zstandard = zstd::stream::Encoder::new(Vec::new(), 3).expect("an encoder");
    zstandard.window_log(21).expect("a window");
    zstandard.write_all(&text).expect("packed");
    let zstandard = zstandard.finish().expect("packed");
    // A frame that says its size has a window of that size, if smaller.
    let single = zstd::bulk::compress(&text, 3).expect("packed");
    let mut options = lzma_rust2::XzOptions::with_preset(6);
    options.lzma_options.dict_size = 2 << 20;
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).expect("an encoder");
    xz.write_all(&text).expect("packed");
    let xz = xz.finish().expect("packed");
    let cases = [
        (Packing::Zstandard, zstandard, 2 << 20),
        (Packing::Zstandard, single, 2 << 20),
        (Packing::Xz, xz, 2 << 20),
    ];
    for (packing, bytes, window) in cases {
        let unpacked = |limit| {
            let mut all = Vec::new();
            let options = UnpackOptions { window: limit, ..UnpackOptions::standard() };
            packing.unpack_with(&*bytes, options).read_to_end(&mut all).map(|_| all)
        };
        assert_eq!(unpacked(window).expect("allowed"), text);
        let error = unpacked(window - 1).expect_err("refused");
        let expected = Obstacle::Window { asked: Some(window), limit: window - 1 };
        assert_eq!(Obstacle::from_error(&error), Some(expected), "{packing}");
        assert_eq!(
            error.to_string(),
            "it takes 2 MiB of memory to unpack, above the limit of 2 MiB"
        );
    }
}

#[test]
fn windows_longer_than_usual_are_read_up_to_the_limit() {
    let mut packer = zstd::stream::Encoder::new(Vec::new(), 1).expect("an encoder");
    packer.window_log(30).expect("a window");
    packer.write_all(b"a little text").expect("packed");
    let bytes = packer.finish().expect("packed");
    let error = unpacked(Packing::Zstandard, &bytes).expect_err("above the standard limit");
    let expected = Obstacle::Window { asked: Some(1 << 30), limit: 128 << 20 };
    assert_eq!(Obstacle::from_error(&error), Some(expected));
    let options = UnpackOptions { window: 1 << 30, ..UnpackOptions::standard() };
    let mut all = Vec::new();
    let mut input = Packing::Zstandard.unpack_with(&*bytes, options);
    input.read_to_end(&mut all).expect("allowed");
    assert_eq!(all, b"a little text");
}

/// A frame names its dictionary, which must be the one that is given.
#[test]
fn frames_with_a_dictionary_are_read_by_that_dictionary_alone() {
    let samples: Vec<String> =
        (0..2000).map(|i| format!("{{\"id\":{i},\"text\":\"sample of {}\"}}", i * i)).collect();
    let dictionaries = [0, 1000].map(|from| {
        zstd::dict::from_samples(&samples[from..from + 1000], 4000).expect("a dictionary")
    });
    let id = zstd::zstd_safe::get_dict_id_from_dict(&dictionaries[0]).expect("a number").get();
    let packer = zstd::stream::Encoder::with_dictionary(Vec::new(), 3, &dictionaries[0]);
    let mut packer = packer.expect("an encoder");
    packer.write_all(samples[7].as_bytes()).expect("packed");
    let frame = packer.finish().expect("packed");
    // Frames without one may come between.
    let bytes = [&*frame, &*packed(Packing::Zstandard, &[b", "]), &*frame].concat();
    let unpacked = |dictionary: Option<&Vec<u8>>| {
        let dictionary = dictionary.map(|bytes| bytes.as_slice().into());
        let options = UnpackOptions { dictionary, ..UnpackOptions::standard() };
        let mut all = Vec::new();
        Packing::Zstandard.unpack_with(&*bytes, options).read_to_end(&mut all).map(|_| all)
    };
    let expected = format!("{0}, {0}", samples[7]);
    assert_eq!(unpacked(Some(&dictionaries[0])).expect("whole"), expected.as_bytes());
    for wrong in [None, Some(&dictionaries[1])] {
        let error = unpacked(wrong).expect_err("another dictionary");
        assert_eq!(Obstacle::from_error(&error), Some(Obstacle::Dictionary(id)));
        assert!(error.to_string().contains(&id.to_string()), "{error}");
    }
}

proptest! {
    #[test]
    fn no_bytes_make_a_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for packing in Packing::ALL {
            let whole = packed(packing, &[b"some text, some text"]);
            for n in [4, 8, 12, 24, whole.len()] {
                let _ = unpacked(packing, &[&whole[..n.min(whole.len())], &bytes].concat());
            }
        }
    }

    /// A byte that is changed is an error or, in parts that nothing checks, nothing.
    #[test]
    fn a_changed_byte_never_changes_the_text(at in any::<prop::sample::Index>(), change in 1..=255_u8) {
        let text: Vec<u8> = (0..2000_u32).flat_map(|i| (i * i % 977).to_le_bytes()).collect();
        for packing in [Packing::Gzip, Packing::Bzip2, Packing::Xz, Packing::Lz4] {
            let mut bytes = packed(packing, &[&text]);
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            if let Ok(found) = unpacked(packing, &bytes) {
                prop_assert!(found == text, "{} {}", packing, at);
            }
        }
    }
}
