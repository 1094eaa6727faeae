//! Tables at the start of a rich text: fonts, colours, and the metadata of the document.

use std::collections::HashMap;

use encoding_rs::Encoding;

use super::code_pages;
use crate::office::draft::Draft;
use crate::office::metadata;

/// Maximum number of bytes kept of a value.
const LONGEST: usize = 4096;

/// Maximum number of fonts, of colours and of revision ids that are kept.
const ENTRIES: usize = 10_000;

/// The tables of a document.
#[derive(Debug, Default)]
pub(super) struct Tables {
    fonts: HashMap<i32, &'static Encoding>,
    font: i32,
    /// For each colour, true if it is white.
    colours: Vec<bool>,
    /// Red, green and blue of the colour that is being read, as far as they are known.
    colour: [i32; 3],
    values: HashMap<&'static str, String>,
    /// Year, month, day, hour and minute.
    created: [Option<i32>; 5],
    revisions: Vec<u32>,
    /// True if the shape behind the pages is shown.
    pub(super) has_background: bool,
    /// Name of the property of that shape whose value comes next.
    background_name: String,
    /// True if that shape has a colour that is not white.
    is_background_dark: bool,
}

impl Tables {
    /// Handles a control word of the table of fonts.
    pub(super) fn font(&mut self, word: &str, number: Option<i32>) {
        match (word, number) {
            ("f", Some(number)) => self.font = number,
            ("fcharset", Some(charset)) => {
                if let Some(encoding) = code_pages::of_charset(charset)
                    && self.fonts.len() < ENTRIES
                {
                    self.fonts.insert(self.font, encoding);
                }
            }
            _ => {}
        }
    }

    /// Handles the name of a property of the shape behind the pages.
    pub(super) fn background_name(&mut self, text: &str) {
        text.trim().clone_into(&mut self.background_name);
    }

    /// Handles the value of such a property: a colour is blue, green and red in one number.
    pub(super) fn background_value(&mut self, text: &str) {
        /// The least value of a channel that cannot be told from white.
        const LIGHT: u32 = 0xF5;
        if self.background_name == "fillColor"
            && let Ok(colour) = text.trim().parse::<u32>()
        {
            self.is_background_dark =
                colour.to_le_bytes()[..3].iter().any(|channel| u32::from(*channel) < LIGHT);
        }
    }

    /// Returns whether white text can be read on the pages.
    pub(super) fn is_dark(&self) -> bool {
        self.has_background && self.is_background_dark
    }

    /// Returns the code page of a font.
    pub(super) fn encoding(&self, font: i32, usual: &'static Encoding) -> &'static Encoding {
        self.fonts.get(&font).copied().unwrap_or(usual)
    }

    /// Handles a control word of the table of colours.
    pub(super) fn colour(&mut self, word: &str, number: Option<i32>) {
        let channel = match word {
            "red" => 0,
            "green" => 1,
            "blue" => 2,
            _ => return,
        };
        self.colour[channel] = number.unwrap_or(0);
    }

    /// Handles a letter of the table of colours; a semicolon ends a colour.
    pub(super) fn colour_letter(&mut self, letter: u8) {
        if letter == b';' && self.colours.len() < ENTRIES {
            let colour = std::mem::take(&mut self.colour);
            self.colours.push(colour.iter().all(|value| *value >= 0xF5));
        }
    }

    pub(super) fn is_white(&self, colour: i32) -> bool {
        usize::try_from(colour).is_ok_and(|colour| self.colours.get(colour) == Some(&true))
    }

    /// Appends text to a value.
    pub(super) fn value(&mut self, name: &'static str, text: &str) {
        let value = self.values.entry(name).or_default();
        if value.len() + text.len() <= LONGEST {
            value.push_str(text);
        }
    }

    /// Handles a control word of the time of creation.
    pub(super) fn created(&mut self, word: &str, number: Option<i32>) {
        let words = ["yr", "mo", "dy", "hr", "min"];
        if let Some(at) = words.iter().position(|known| *known == word) {
            self.created[at] = number;
        }
    }

    /// Handles a control word of the table of revision ids.
    pub(super) fn revision(&mut self, word: &str, number: Option<i32>) {
        if word == "rsid" && self.revisions.len() < ENTRIES {
            self.revisions.extend(number.and_then(|number| u32::try_from(number).ok()));
        }
    }

    /// Moves the metadata into the draft.
    pub(super) fn into_metadata(self, draft: &mut Draft) {
        for name in ["author", "operator", "generator"] {
            if let Some(value) = self.values.get(name).map(|value| value.trim_matches([' ', ';'])) {
                metadata::take(draft, name, value);
            }
        }
        if let [Some(year), Some(month), Some(day), hour, minute] = self.created {
            let (hour, minute) = (hour.unwrap_or(0), minute.unwrap_or(0));
            let time = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}");
            metadata::take(draft, "created", &time);
        }
        draft.metadata.revision_ids = self.revisions;
    }
}
