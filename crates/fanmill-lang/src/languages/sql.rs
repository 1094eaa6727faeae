//! SQL: ISO/IEC 9075-2:2016, with the quotes of `MySQL`, SQL Server and Postgres.

use crate::{Case, Comment, Escape, Idioms, Language, Numbers, Quote};

/// Words of SQL and its procedural dialects.
pub(crate) const KEYWORDS: &str = "
    add after all alter and any array as asc auto_increment begin between bigint binary blob both
    by cascade case cast char character check clob collate column commit constraint create cross
    cube current current_date current_time current_timestamp cursor database deallocate dec
    decimal declare default deferrable delete desc describe distinct double drop each else end
    escape except exec execute exists explain external false fetch filter float following for
    foreign from full function global grant group grouping having if in index inner inout insert
    int integer intersect interval into is join key last lateral leading left like limit lock
    match merge minus modify natural nchar not null nulls number numeric nvarchar of on only
    option or order out outer over partition preceding precision prepare primary privileges
    procedure public range read real recursive references replace restrict return returning
    returns revoke right rollback rollup row rows savepoint schema select sequence set similar
    smallint some table then to trailing transaction trigger true truncate unbounded union unique
    unsigned update user using values varbinary varchar varchar2 varying when where while window
    with without
";

/// Comments of SQL.
pub(crate) const COMMENTS: &[Comment] = &[Comment::line("--"), Comment::block("/*", "*/")];

/// The table of SQL.
///
/// Postgres quotes the bodies of functions, `$tag$ … $tag$`. Code in them can be copied too, so
/// the quotes are operators here and the bodies are code.
pub(crate) const SQL: Language = Language {
    name: "sql",
    aliases: &["mysql", "postgresql", "sqlite", "tsql"],
    extensions: &["ddl", "dml", "mysql", "pgsql", "psql", "sql"],
    hints: &[
        ("create table", 3),
        ("insert into", 3),
        ("select", 2),
        ("drop table", 2),
        ("auto_increment", 3),
    ],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^and ^from ^join ^on ^or ^set ^union ^update ^values ^where ·int, ·integer
            ·integer, ·text,
        ",
        typical: "
            ^commit; ^delete·from ^group·by ^having ^inner·join ^left·join ^order·by ^select
            avg( count( not·null unique
        ",
        sure: "
            ^alter·table ^create·database ^create·index ^create·table ^create·view ^drop·table
            ^insert·into auto_increment count(*) foreign·key primary·key varchar(
        ",
    },
    case: Case::Ignored,
    sigils: "@:#",
    keywords: &[KEYWORDS],
    operators: &["<> != <= >= := || :: .. => ** -> ->> @@ @> <@ << >> += -="],
    comments: COMMENTS,
    quotes: &[
        Quote::lines("'", "'").escape(Escape::Doubled).prefixes(&["b", "e", "n", "u", "x"]),
        Quote::line("\"", "\"").escape(Escape::Doubled).name(),
        Quote::line("`", "`").escape(Escape::Doubled).name(),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::SQL;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &SQL,
            r#"
-- it's a note
SELECT "odd name", `b`, t.x::text FROM t /* two */
WHERE s = 'it''s
here' AND n <> .5e3 OR v = N'x' or @p = $1;
create function f() returns int as $$ select ';' $$ language sql;
"#,
            "select ID , ID , ID . ID :: ID from ID
             where ID = STR and ID <> NUM or ID = STR or ID = $ NUM ;
             create function ID ( ) returns int as $ $ select STR $ $ ID ID ;",
        );
    }
}
