//! R: the R Language Definition, 4.4.

use crate::{Comment, Fence, Idioms, Import, Language, Numbers, Quote};

/// The table of R. It knows the common ones of the operators `%…%`.
pub(crate) const R: Language = Language {
    name: "r",
    extensions: &["r", "rprofile"],
    file_names: &[".rprofile"],
    interpreters: &["rscript"],
    idioms: Idioms {
        common: "
            FALSE NULL TRUE ^for ^for( ^if ^if( ^plot( ^print( ^return( ^} lm(
        ",
        typical: "
            NA c( function( in·1: mean( nrow( paste( rep( seq( summary( ·<-·
        ",
        sure: "
            %>% <-·c( <-·function( aes( data.frame( ggplot( library( paste0( read.csv( set.seed(
        ",
    },
    word_start: ".",
    keywords: &["
        FALSE Inf NA NULL NaN TRUE break else for function if in next repeat return while
    "],
    operators: &["
        <- <<- -> ->> <= >= == != && || |> := :: ::: %% %/% %*% %in% %o% %x% %>% %<>% %$% %T>% %do%
        %dopar% %||% [[ ]]
    "],
    comments: &[Comment::line("#")],
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::lines("'", "'"),
        Quote::fenced("\"", Fence::Tagged).prefixed(&["R", "r"]),
        Quote::fenced("'", Fence::Tagged).prefixed(&["R", "r"]),
        Quote::line("`", "`").name(),
    ],
    numbers: Numbers::C,
    imports: &[Import::either("library"), Import::either("require"), Import::either("source")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::R;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &R,
            r#"
library(dplyr); require("a")
my.f <- function(x, ...) { # it's
  x$`odd name` %>% g(.5e-3, 1L, 0xFF, r"-(a ")" \ )-", 'it\'s') -> y[[1:2]]
  if (is.null(x) || !TRUE) NA |> h()
}
"#,
            "ID <- function ( ID , ID ) {
               ID $ ID %>% ID ( NUM , NUM , NUM , STR , STR ) -> ID [[ NUM : NUM ]]
               if ( ID ( ID ) || ! TRUE ) NA |> ID ( )
             }",
        );
    }
}
