//! Clojure: The Reader, clojure.org/reference/reader.

use super::common_lisp::NUMBERS;
use crate::{Comment, Idioms, Import, Language, Quote};

/// The table of Clojure. The comma is blank, as for Clojure's reader.
pub(crate) const CLOJURE: Language = Language {
    name: "clojure",
    aliases: &["clj"],
    extensions: &["clj", "cljc", "cljs", "edn"],
    interpreters: &["bb", "clojure"],
    idioms: Idioms {
        common: "
            (and (if (not (or (str )))
        ",
        typical: "
            (cond (conj (map (reduce (when [x] ^;;
        ",
        sure: "
            (:require (def (defn (defn- (fn·[ (let·[ (ns (println (swap! :as
        ",
    },
    word_start: "!$%&*+-/:<=>?|.",
    word_part: "'#",
    blanks: ",",
    keywords: &["
        -> ->> and as-> binding case catch comment cond cond-> cond->> condp def definterface
        defmacro defmethod defmulti defn defn- defonce defprotocol defrecord defstruct deftype do
        doseq dosync dotimes doto extend-protocol extend-type false finally fn for future if
        if-let if-not if-some let letfn loop monitor-enter monitor-exit new nil not ns or proxy
        quote recur reify set! some-> some->> throw true try var when when-first when-let when-not
        when-some while with-open
    "],
    operators: &["#( #{ #' #_ ~@ #? #^"],
    comments: &[Comment::line(";")],
    quotes: &[Quote::lines("\"", "\""), Quote::lines("#\"", "\""), Quote::glyph("\\")],
    numbers: NUMBERS,
    imports: &[
        Import::bracketed("ns"),
        Import::bracketed("require"),
        Import::bracketed("import"),
        Import::bracketed("use"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::CLOJURE;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &CLOJURE,
            r#"
(ns my.app
  (:require [clojure.string :as str]))
(defn f' [{:keys [a, b]} & more] ; note
  (->> [1/2 -3 \a \newline "s
\"" #"\d+"] (map #(inc %1)) @state ^:meta #_skip nil))
"#,
            "( defn ID [ { ID [ ID ID ] } ID ID ]
               ( ->> [ NUM NUM STR STR STR STR ] ( ID #( ID ID ) ) @ ID ^ ID #_ ID nil ) )",
        );
    }
}
