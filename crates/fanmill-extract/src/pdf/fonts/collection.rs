//! Characters by the numbers of Adobe's collections for Chinese, Japanese and Korean.
//!
//! Source: Adobe Technical Notes 5078 (Japan1), 5079 (GB1), 5080 (CNS1) and 5093 (Korea1).

use std::collections::HashMap;
use std::rc::Rc;

use hayro_interpret::CMapResolverFn;
use hayro_interpret::hayro_cmap::{CMap, CMapName, CidFamily};
use hayro_interpret::hayro_syntax::object::{Array, Dict, Object, String};

/// Tables from the numbers of collections to characters, read when a font needs one.
#[derive(Default)]
pub(super) struct Collections(HashMap<&'static [u8], Option<Rc<CMap>>>);

impl Collections {
    /// Returns the characters of the collection that a composite font says it is of.
    pub(super) fn of(&mut self, font: &Dict<'_>, files: &CMapResolverFn) -> Option<Rc<CMap>> {
        let descendant = font.get::<Array<'_>>("DescendantFonts")?.iter::<Dict<'_>>().next()?;
        let info = descendant.get::<Dict<'_>>("CIDSystemInfo")?;
        let [registry, ordering] = ["Registry", "Ordering"].map(|key| info.get::<String<'_>>(key));
        let family = CidFamily::from_registry_ordering(&registry?, &ordering?);
        let (name, file) = match family {
            CidFamily::AdobeJapan1 => (b"Japan1".as_slice(), CMapName::AdobeJapan1Ucs2),
            CidFamily::AdobeGB1 => (b"GB1".as_slice(), CMapName::AdobeGb1Ucs2),
            CidFamily::AdobeCNS1 => (b"CNS1".as_slice(), CMapName::AdobeCns1Ucs2),
            CidFamily::AdobeKorea1 => (b"Korea1".as_slice(), CMapName::AdobeKorea1Ucs2),
            CidFamily::AdobeIdentity | CidFamily::Custom { .. } => return None,
        };
        let table = self.0.entry(name);
        table.or_insert_with(|| parsed(files(file)?, files).map(Rc::new)).clone()
    }
}

/// Returns the table from codes to numbers of a composite font.
pub(super) fn encoding(font: &Dict<'_>, files: &CMapResolverFn) -> Option<CMap> {
    match font.get::<Object<'_>>("Encoding")? {
        Object::Name(name) => match CMapName::from_bytes(&name) {
            CMapName::IdentityH => Some(CMap::identity_h()),
            CMapName::IdentityV => Some(CMap::identity_v()),
            name => parsed(files(name)?, files),
        },
        Object::Stream(stream) => parsed(&stream.decoded_data().ok()?, files),
        _ => None,
    }
}

fn parsed(table: &[u8], files: &CMapResolverFn) -> Option<CMap> {
    let files = files.clone();
    CMap::parse(table, move |name| files(name))
}
