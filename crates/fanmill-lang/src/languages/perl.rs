//! Perl: perlop and perldata, 5.40, "Quote and Quote-like Operators".

use crate::{
    Comment, CommentPlace, Idioms, Import, Language, Numbers, OpenerContext, Quote, Terminator,
};

/// A section of documentation: from a command at the start of a line to `=cut`.
const fn pod(command: &'static str) -> Comment {
    Comment::lines_or_rest(command, "=cut").at(CommentPlace::Statement)
}

/// The table of Perl. Variables are words with their `$` or `@`; `%` and `&` are operators.
pub(crate) const PERL: Language = Language {
    name: "perl",
    extensions: &["cgi", "pl", "plx", "pm", "pod", "psgi", "t"],
    interpreters: &["perl"],
    hints: &[
        ("use strict", 8),
        ("use warnings", 6),
        ("my $", 5),
        ("my @", 5),
        ("sub ", 2),
        ("$_", 2),
        ("print ", 1),
        (" => ", 1),
    ],
    idioms: Idioms {
        common: "
            ^else ^for ^foreach ^if ^open ^print ^return ^use ^while ^}
        ",
        typical: "
            $_ ->{ =~ @_ ^elsif ^our ^package ^push ^sub ^unless scalar( shift;
        ",
        sure: "
            $self-> <STDIN> =·@_; ^my ^use·strict ^use·warnings chomp qw(
        ",
    },
    sigils: "$@",
    keywords: &["
        __PACKAGE__ and cmp continue defined delete die do each else elsif eq eval exists for
        foreach ge given gt if keys last le local lt map my ne next no not or our package pop
        print push redo require return shift sort state sub undef unless unshift until use values
        wantarray when while xor
    "],
    operators: &["
        ++ -- ** =~ !~ == != <=> <= >= && || // .. ... -> => :: << >> += -= *= /= .= %= x= &= |= ^=
        <<= >>= **= ||= &&= //= $/ $' $\" $; $, $! $@ $& $. $| $\\ $$ $# $^ $< $> $0 $` $+ $- $~
    "],
    comments: &[
        Comment::line("#"),
        pod("=pod"),
        pod("=head"),
        pod("=over"),
        pod("=item"),
        pod("=back"),
        pod("=begin"),
        pod("=for"),
        pod("=encoding"),
        Comment::rest("__END__"),
        Comment::rest("__DATA__"),
    ],
    quotes: &[
        Quote::lines("\"", "\""),
        Quote::lines("'", "'"),
        Quote::lines("`", "`"),
        Quote::delimited_words(&["m", "q", "qq", "qr", "qw", "qx"], 1),
        Quote::delimited_words(&["s", "tr", "y"], 2),
        Quote::pattern().after(OpenerContext::OperatorOrCommand),
        Quote::here_document("<<", Terminator::Line),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[
        Import::statement("use"),
        Import::statement("no"),
        Import::statement("require"),
        Import::statement("package"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::PERL;
    use crate::languages::expect;

    #[test]
    fn documentation_in_mid_statement_hides_nothing() {
        expect(
            &PERL,
            "my $x\n=head(1); f();\n=head1 NAME\n\nit's\n",
            "my ID = ID ( NUM ) ; ID ( ) ;",
        );
    }

    #[test]
    fn a_delimiter_is_never_half_a_character() {
        expect(&PERL, "s{a}é1é; x", "ID { ID } ID ; ID");
    }

    #[test]
    fn worked_example() {
        expect(
            &PERL,
            r#"#!/usr/bin/perl -w
use strict; use List::Util qw(sum max);
=head1 NAME

it's documentation
=cut
my ($x, @y) = (q{a {b} "c}, qq'd', 1_000 / 2 / .5); # note
$x =~ s{a/b}
       {c}gx if $x =~ m/"\/#/i && -s $file; tr/a-z/A-Z/;
print join(',', map { $_ => 1 } split /,/, $h->{s}), <<"END" . 'x', $#y;
text with ' and "
END
my %y = (y => $x << 3);
__END__
it's over
"#,
            "my ( ID , ID ) = ( STR , STR , NUM / NUM / NUM ) ;
             ID =~ STR if ID =~ STR && - ID ID ; STR ;
             print ID ( STR , map { ID => NUM } ID STR , ID -> { ID } ) , STR . STR , $# ID ; STR
             my % ID = ( ID => ID << NUM ) ;",
        );
    }
}
