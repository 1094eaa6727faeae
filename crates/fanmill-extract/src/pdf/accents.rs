//! Accents that are drawn apart from their letters, as TeX does where a font has no letter with an accent.
//!
//! The accent is drawn right before its letter or right after it, at the same place. Only letters that have a character
//! of their own with that accent are composed: `x̄` in a formula stays two signs.
//!
//! Cost: O(n) for n glyphs.

use unicode_normalization::char::compose;

use super::page::{Glyph, Text};

/// Distance of the baselines of an accent and its letter, as a fraction of the font size: accents of capitals are
/// raised.
const RAISED: f64 = 0.6;

/// Composes accents with the letters that they are drawn on.
pub(super) fn compose_accents(glyphs: &mut Vec<Glyph>) {
    glyphs.dedup_by(|next, last| {
        let letter = composed(last, next).map(|c| Glyph { text: Text::One(c), ..next.clone() });
        let letter = letter
            .or_else(|| composed(next, last).map(|c| Glyph { text: Text::One(c), ..last.clone() }));
        letter.is_some_and(|letter| {
            *last = letter;
            true
        })
    });
}

/// Returns the letter with the accent, if the one is drawn on the other.
fn composed(accent: &Glyph, letter: &Glyph) -> Option<char> {
    let (Text::One(mark), Text::One(base)) = (&accent.text, &letter.text) else { return None };
    let mark = combining(*mark)?;
    let base = match base {
        'ı' => 'i',
        'ȷ' => 'j',
        base => *base,
    };
    let middle = f64::midpoint(accent.start, accent.end);
    let is_on = (letter.start..letter.end).contains(&middle)
        && (accent.across - letter.across).abs() <= RAISED * letter.size
        && accent.turns == letter.turns
        && accent.sight == letter.sight;
    if is_on { compose(base, mark) } else { None }
}

/// Returns the mark that combines with a letter as this accent does.
fn combining(accent: char) -> Option<char> {
    let mark = match accent {
        '`' => '\u{300}',
        '´' => '\u{301}',
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' => '\u{303}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' | '°' => '\u{30A}',
        '˝' => '\u{30B}',
        'ˇ' => '\u{30C}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        _ => return None,
    };
    Some(mark)
}

#[cfg(test)]
mod tests {
    use super::super::page::Sight;
    use super::*;

    /// Characters drawn at these positions, 5 points wide.
    fn read(drawn: &[(char, f64)]) -> String {
        let glyph = |&(c, start): &(char, f64)| Glyph {
            text: Text::One(c),
            start,
            end: start + 5.0,
            across: 0.0,
            size: 10.0,
            turns: 0,
            sight: Sight::Seen,
        };
        let mut glyphs: Vec<Glyph> = drawn.iter().map(glyph).collect();
        compose_accents(&mut glyphs);
        glyphs.iter().flat_map(|glyph| glyph.text.chars()).collect()
    }

    #[test]
    fn accents_are_composed_with_the_letters_below_them() {
        assert_eq!(read(&[('f', 0.0), ('¨', 5.2), ('u', 5.0), ('r', 10.0)]), "für");
        assert_eq!(read(&[('c', 0.0), ('¸', 0.3), ('a', 5.0)]), "ça");
        assert_eq!(read(&[('´', 0.0), ('ı', 0.0), ('i', 5.0)]), "íi");
        assert_eq!(read(&[('^', 0.0), ('e', 0.0), ('´', 0.0), ('x', 5.0)]), "ếx");
    }

    #[test]
    fn accents_beside_letters_stay() {
        assert_eq!(read(&[('a', 0.0), ('¨', 5.0), ('u', 10.0)]), "a¨u");
        assert_eq!(read(&[('a', 0.0), ('^', 5.0), ('b', 10.0), ('~', 15.0)]), "a^b~");
        assert_eq!(read(&[('¯', 0.0), ('x', 0.0)]), "¯x");
    }
}
