//! Matlab: MATLAB Programming Fundamentals, R2024a, "Syntax Basics"; also for GNU Octave.

use crate::{Comment, Escape, Idioms, Import, Language, Numbers, OpenerContext, Quote};

/// The table of Matlab. Directly after an operand, `'` is a transpose.
pub(crate) const MATLAB: Language = Language {
    name: "matlab",
    aliases: &["octave"],
    extensions: &["m", "mlx", "oct"],
    interpreters: &["octave"],
    hints: &[
        ("\n%", 3),
        ("function ", 3),
        ("end\n", 2),
        ("zeros(", 3),
        ("disp(", 3),
        ("fprintf(", 2),
        ("plot(", 2),
        (".*", 2),
        ("clc", 2),
    ],
    version: 2,
    idioms: Idioms {
        common: "
            ); ^else ^end ^end; ^for ^function ^if ^otherwise ^plot( ^switch ^while
        ",
        typical: "
            % .* ./ .^ =1: =·1: ^elseif ^figure ^fprintf( ^title( ^xlabel( ^ylabel( disp( end;
            length( ones( size( zeros(
        ",
        sure: "
            ^clc ^clear·all ^close·all ^hold·off ^hold·on num2str( numel(
        ",
    },
    keywords: &["
        break case catch classdef continue do else elseif end end_try_catch end_unwind_protect
        endclassdef endfor endfunction endif endmethods endparfor endproperties endswitch endwhile
        false for function global if otherwise parfor persistent return spmd switch true try until
        unwind_protect unwind_protect_cleanup while
    "],
    operands: &["' .'"],
    operators: &["== ~= != <= >= && || .* ./ .\\ .^ .' ++ -- += -= *= /= ^= .^'"],
    comments: &[
        Comment::line("%"),
        Comment::line("#"),
        Comment::line("..."),
        Comment::lines("%{", "%}").alone(),
        Comment::lines("#{", "#}").alone(),
    ],
    quotes: &[
        Quote::line("'", "'").escape(Escape::Doubled).after(OpenerContext::Gap),
        Quote::line("\"", "\"").escape(Escape::Doubled),
    ],
    numbers: Numbers { exponents: "eEdD", ..Numbers::C },
    imports: &[Import::line("import")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::MATLAB;
    use crate::languages::expect;

    #[test]
    fn a_block_comment_stands_alone_on_its_line() {
        expect(&MATLAB, "%{ note }\nx = 1;\n%{\ny\n%}\nz", "ID = NUM ; ID");
    }

    #[test]
    fn worked_example() {
        expect(
            &MATLAB,
            "
%{
block 'comment
%}
function y = f(x, varargin) % it's a note
  y = x' * [1 2.5e3]' .* x.' + a''; s = ['it''s' \"a%b\"];
  z = y(end)' ... continued 'here
      ./ 3.; if ~isempty(z) && y ~= 2, disp 'done', end
end
",
            "function ID = ID ( ID , ID )
               ID = ID ' * [ NUM NUM ] ' .* ID .' + ID ' ' ; ID = [ STR STR ] ;
               ID = ID ( end ) ' ./ NUM ; if ~ ID ( ID ) && ID ~= NUM , ID STR , end
             end",
        );
    }
}
