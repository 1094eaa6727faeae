//! Haskell: The Haskell 2010 Language Report.

use crate::{Comment, Idioms, Import, Language, Numbers, Quote};

/// The table of Haskell. Pragmas are comments.
pub(crate) const HASKELL: Language = Language {
    name: "haskell",
    aliases: &["hs"],
    extensions: &["hs", "hs-boot", "hsc"],
    interpreters: &["runghc", "runhaskell"],
    version: 2,
    idioms: Idioms {
        common: "
            ^case ^data ^else ^if ^import ^instance ^let ^then ^type ^where ·->· ·<-· ·=· ·where
        ",
        typical: "
            Maybe ^class ^module ^newtype ^where foldr zipWith ·::· ·=>·
        ",
        sure: "
            ^import·Control. ^import·Data. ^import·System. ^import·qualified ^main·::·IO
            ^|·otherwise concatMap deriving main·=·do mapM_ putStrLn
        ",
    },
    word_part: "'",
    keywords: &["
        case class data default deriving do else foreign if import in infix infixl infixr instance
        let module newtype of then type where
    "],
    symbolic: "!#$%&*+./<=>?@\\^|-~:",
    comments: &[Comment::line("--").unless("!#$%&*+./<=>?@\\^|~:"), Comment::nested("{-", "-}")],
    quotes: &[Quote::line("\"", "\""), Quote::character("'")],
    numbers: Numbers::STRICT,
    imports: &[Import::line("import"), Import::line("module")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::HASKELL;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &HASKELL,
            r#"
{-# LANGUAGE GADTs #-}
module Main (main,
  f) where
import qualified Data.Map as M
-- | Doc {- not nested
f :: Int -> [a] --> {- one {- two -} -} b
f' x = foldl' (\y -> y `mod` 2) 'c' ['\'', '\x41'] <$> M.lookup "a\
   \b" [1..10] ---- end
"#,
            "ID :: ID -> [ ID ] --> ID
             ID ID = ID ( \\ ID -> ID ` ID ` NUM ) STR [ STR , STR ] <$> ID . ID STR [ NUM .. NUM ]",
        );
    }
}
