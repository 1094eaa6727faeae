//! PL/SQL: the Oracle Database PL/SQL Language Reference, 21c.

use super::sql::{COMMENTS, KEYWORDS, SQL};
use crate::{Escape, Idioms, Language, Quote};

/// The prefixes of alternative quoting, `q'[…]'`.
const Q: &[&str] = &["nq", "q"];

/// The table of PL/SQL.
pub(crate) const PLSQL: Language = Language {
    name: "plsql",
    aliases: &["oracle"],
    extensions: &["pkb", "pkg", "pks", "plb", "pls", "plsql", "sql"],
    hints: &[
        ("dbms_output", 9),
        ("varchar2", 5),
        ("pls_integer", 6),
        ("create or replace", 4),
        ("end loop", 4),
        ("elsif", 4),
        ("%type", 5),
        ("exception", 3),
        ("declare", 1),
        ("\n/", 2),
    ],
    version: 2,
    idioms: Idioms {
        common: "
            ^and ^begin ^end; ^from ^if ^into ^select ^where
        ",
        typical: "
            ^cursor ^declare ^end·if; ^end·loop; ^exception ^loop
        ",
        sure: "
            %rowtype %type create·or·replace dbms_output. varchar2(
        ",
    },
    keywords: &[
        KEYWORDS,
        "
        accessible aggregate authid bfile binary_integer bulk char_base close cluster collect
        compress connect constant continue crash currval customdatum data_base dba debugoff
        debugon deterministic digits dispose do elsif entry exception exception_init exclusive
        exit file forall goto identified indicator interface intersect limited long loop mlslabel
        mod mode natural naturaln new nextval nocopy nowait number_base others package
        parallel_enable pctfree pipelined pls_integer positive positiven pragma prior private
        raise raw ref rename resource reverse rowid rownum rowtype separate share signtype size
        sql sqlcode sqlerrm stddev subtype successful synonym sysdate tabauth tables task
        terminate uid under variance vsize xor
    ",
    ],
    comments: COMMENTS,
    quotes: &[
        Quote::lines("'", "'").escape(Escape::Doubled).prefixes(&["n"]),
        Quote::line("\"", "\"").raw().name(),
        Quote::lines("'[", "]'").raw().prefixed(Q),
        Quote::lines("'(", ")'").raw().prefixed(Q),
        Quote::lines("'{", "}'").raw().prefixed(Q),
        Quote::lines("'<", ">'").raw().prefixed(Q),
        Quote::lines("'!", "!'").raw().prefixed(Q),
        Quote::lines("'|", "|'").raw().prefixed(Q),
        Quote::lines("'~", "~'").raw().prefixed(Q),
    ],
    sigils: ":",
    ..SQL
};

#[cfg(test)]
mod tests {
    use super::PLSQL;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &PLSQL,
            r#"
DECLARE v emp.name%TYPE := q'[it's]'; -- note
BEGIN
  FOR r IN (SELECT * FROM "Emp" WHERE id = :new.id) LOOP
    dbms_output.put_line('a''b' || r.x ** 2);
  END LOOP;
EXCEPTION WHEN OTHERS THEN NULL;
END;
/
"#,
            "declare ID ID . ID % ID := STR ;
             begin
               for ID in ( select * from ID where ID = ID . ID ) loop
                 ID . ID ( STR || ID . ID ** NUM ) ;
               end loop ;
             exception when others then null ; end ; /",
        );
    }
}
