//! Ruby: ISO/IEC 30170:2012, with the here-documents of 2.3.

use crate::{
    Comment, CommentPlace, Idioms, Import, Language, Numbers, OpenerContext, Quote, Terminator,
};

/// The table of Ruby. After a name, the blanks around `/` and `%` decide how they are read, as in Ruby.
pub(crate) const RUBY: Language = Language {
    name: "ruby",
    aliases: &["rb"],
    extensions: &["gemspec", "podspec", "rake", "rb", "rbw", "ru"],
    file_names: &["capfile", "gemfile", "guardfile", "podfile", "rakefile", "vagrantfile"],
    interpreters: &["jruby", "ruby"],
    version: 2,
    idioms: Idioms {
        common: "
            ^class ^def ^else ^end ^if ^module ^return ^when ^while
        ",
        typical: "
            #{ .new .nil? ^describe ^elsif ^it·' ^private ^require ^unless gets nil
        ",
        sure: "
            .each ^attr_accessor ^attr_reader ^puts ^require_relative ^rescue do·| {·|
        ",
    },
    sigils: "$@",
    keywords: &["
        BEGIN END __FILE__ alias and begin break case class def defined do else elsif end ensure
        false for if in module next nil not or redo rescue retry return self super then true undef
        unless until when while yield
    "],
    operands: &["end false nil self true"],
    operators: &["
        ** << >> <= >= == != === =~ !~ && || <=> .. ... -> => :: &. += -= *= /= %= **= &= |= ^= <<=
        >>= &&= ||= @@
    "],
    comments: &[
        Comment::line("#"),
        Comment::lines("=begin", "=end").at(CommentPlace::Column(1)),
        Comment::rest("__END__"),
    ],
    quotes: &[
        Quote::template("\"", "#{", b'}'),
        Quote::lines("'", "'"),
        Quote::template("`", "#{", b'}'),
        Quote::delimited("%", "wWiIqQrsx").after(OpenerContext::OperatorOrCommand),
        Quote::pattern().after(OpenerContext::OperatorOrCommand),
        Quote::here_document("<<", Terminator::Line),
    ],
    numbers: Numbers::STRICT,
    imports: &[
        Import::either("require"),
        Import::either("require_relative"),
        Import::either("load"),
    ],
    qualifiers: &[("self", ".")],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::RUBY;
    use crate::languages::expect;

    #[test]
    fn words_that_only_begin_like_a_comment_hide_nothing() {
        expect(
            &RUBY,
            "__END__x = 1\ny \\\n=beginning\n__END__ + 1",
            "ID = NUM ID \\ = ID ID + NUM",
        );
    }

    #[test]
    fn worked_example() {
        expect(
            &RUBY,
            r##"
require 'set'; require_relative "a"
=begin
it's
=end
def f(a, b = %w[x y], *c) # note '
  @s = "a #{h["k"]} #{b.map { |x| "<#{x}>" }} b" if a =~ /["\/]/i && 10 / 2 % 3 > a / b
  puts <<~EOS, %q(a (b) c), :sym
    text "#{x}" '
  EOS
  puts /x/ unless c << 1_0.5e3; 3.times { |i| $g ||= i }
end
__END__
it's over
"##,
            "def ID ( ID , ID = STR , * ID )
               ID = STR ID [ STR ] STR ID . ID { | ID | STR ID STR } STR
                 if ID =~ STR && NUM / NUM % NUM > ID / ID
               ID STR , STR , : ID STR
               ID STR unless ID << NUM ; NUM . ID { | ID | ID ||= ID }
             end",
        );
    }
}
