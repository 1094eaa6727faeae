//! One character for the simplified and traditional forms of Chinese.
//!
//! | written | becomes | why |
//! |---|---|---|
//! | `漢語` | `汉语` | traditional |
//! | `發` `髮` | `发` | both are simplified to it, so a simplified text does not show which was meant |
//! | `爲` `為` | `为` | variants of Taiwan, Hong Kong and older print |
//!
//! Words of several characters that differ from place to place (`軟體` `软件`) stay different. Japanese is folded by the
//! same table: some of its characters become others, on both sides alike.
//!
//! Cost: a look-up in a table of 112 kB, which is made at the first such character.
//! Source: `STCharacters`, `TSCharacters`, `TWVariants` and `HKVariants` of `OpenCC` (Apache License 2.0), joined by
//! `tables/han.py` into `tables/han.txt`.
//! Considered: `ferrous-opencc` and `opencc-rust` convert by words and phrases, for readers; the `Traditional` and
//! `Simplified` variants of Unihan lack what `OpenCC` has learned from texts.

use std::sync::LazyLock;

/// The spellings: each line begins with the simplified character.
const SPELLINGS: &str = include_str!("../../tables/han.txt");
/// The first character of the table, and the one after its last.
const FIRST: u32 = 0x3400;
const END: u32 = 0xA000;

struct Table {
    /// Simplified form of each character of the Basic Multilingual Plane.
    low: Vec<char>,
    /// The other characters that are not simplified, with their simplified forms: ascending.
    high: Vec<(char, char)>,
}

/// Returns the character for all spellings of `c`: `c` itself, unless it is Han and not simplified.
pub(super) fn simplified(c: char) -> char {
    static TABLE: LazyLock<Table> = LazyLock::new(Table::new);
    match c as u32 {
        code @ FIRST..END => TABLE.low[(code - FIRST) as usize],
        0x20000.. => {
            let found = TABLE.high.binary_search_by_key(&c, |&(from, _)| from);
            found.map_or(c, |at| TABLE.high[at].1)
        }
        _ => c,
    }
}

impl Table {
    fn new() -> Table {
        let mut table =
            Table { low: (FIRST..END).filter_map(char::from_u32).collect(), high: Vec::new() };
        for line in SPELLINGS.lines() {
            let mut spellings = line.chars();
            let Some(to) = spellings.next() else { continue };
            for from in spellings {
                match from as u32 {
                    code @ FIRST..END => table.low[(code - FIRST) as usize] = to,
                    _ => table.high.push((from, to)),
                }
            }
        }
        table.high.sort_unstable();
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        text.chars().map(simplified).collect()
    }

    #[test]
    fn traditional_characters_become_simplified_ones() {
        assert_eq!(text("漢語 發髮 後 爲為 𠗣 a한か"), "汉语 发发 后 为为 㓆 a한か");
        assert_eq!(text("我們在圖書館裏學習電腦"), text("我们在图书馆里学习电脑"));
    }

    #[test]
    fn spellings_are_of_one_character_each_and_simplified_for_good() {
        let mut all: Vec<char> = SPELLINGS.lines().flat_map(str::chars).collect();
        let n = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), n, "a character stands twice");
        for c in all {
            assert_eq!(simplified(simplified(c)), simplified(c));
            assert!(matches!(c as u32, FIRST..END | 0x20000..=0x3FFFF), "{c}");
        }
    }
}
