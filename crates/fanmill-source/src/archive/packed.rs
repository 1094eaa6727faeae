//! gzip and Zstandard: a packed tar, or one packed file.

use std::io::{self, Read};

use super::{Ending, Entry, Kind, Source, Visit, tar, trouble};
use crate::label::label;
use crate::limits::{Budget, Layer, Metered};
use crate::sniff::is_tar;
use fanmill_disk::packing::Packing;

pub(super) fn each_entry(
    packing: Packing,
    name: &str,
    source: &mut dyn Source,
    budget: &Budget,
    layer: &Layer,
    visit: Visit,
) -> Ending {
    stream(name, Metered::new(packing.unpack(source), budget), layer, visit)
}

fn stream(name: &str, mut content: impl Read, layer: &Layer, visit: Visit) -> Ending {
    let mut head = Vec::new();
    let begun = content.by_ref().take(512).read_to_end(&mut head);
    if let Err(error) = begun
        && head.is_empty()
    {
        return Ending { damage: Some(trouble(&error)), ..Ending::default() };
    }
    // An error here is met again when reading continues.
    let tar = is_tar(&head);
    let mut content = io::Cursor::new(head).chain(content);
    if tar {
        return tar::each_entry(&mut content, layer, visit);
    }
    let _ = visit(Entry { label: inner_name(name), kind: Kind::File(&mut content) });
    Ending::default()
}

/// Returns `notes.txt` for `notes.txt.gz`, `work.tar` for `work.tgz`.
fn inner_name(name: &str) -> String {
    let name = label(name);
    let file = name.rsplit('/').next().unwrap_or(&name);
    let (packing, stem) = Packing::from_name(file);
    if packing != Packing::Plain {
        return stem.to_owned();
    }
    match file.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() => match end.to_ascii_lowercase().as_str() {
            "z" => stem.to_owned(),
            "tgz" | "tzst" => format!("{stem}.tar"),
            _ => file.to_owned(),
        },
        _ => file.to_owned(),
    }
}
