//! Elixir: the Elixir documentation, 1.17, "Syntax reference".

use crate::{Comment, Idioms, Import, Language, Numbers, OpenerContext, Quote};

/// The table of Elixir. `@doc` and its relatives are dropped with their texts.
pub(crate) const ELIXIR: Language = Language {
    name: "elixir",
    aliases: &["ex"],
    extensions: &["eex", "ex", "exs", "heex"],
    interpreters: &["elixir"],
    idioms: Idioms {
        common: "
            ^case ^def ^else ^end ^if ·-> ·do
        ",
        typical: "
            %{ :ok Enum. ^alias ^import ^use |>
        ",
        sure: "
            ,·do: IO.inspect IO.puts ^@doc ^@moduledoc ^@spec ^defmodule ^defp ^defstruct
            {:error {:ok
        ",
    },
    sigils: "@",
    keywords: &["
        after and case catch cond def defdelegate defexception defguard defimpl defmacro defmacrop
        defmodule defp defprotocol defstruct do else end false fn for if in nil not or quote raise
        receive rescue super true try unless unquote when while with
    "],
    operands: &["end false nil true"],
    operators: &["
        == != === !== =~ <= >= && || <> ++ -- +++ --- |> -> <- => :: .. ... \\\\ ** <<< >>> ~>> <<~
        ~> <~ &&& ||| << >> ^^^
    "],
    comments: &[Comment::line("#")],
    quotes: &[
        Quote::template("\"", "#{", b'}'),
        Quote::template("\"\"\"", "#{", b'}'),
        Quote::lines("'", "'"),
        Quote::lines("'''", "'''"),
        Quote::lines("~s\"\"\"", "\"\"\""),
        Quote::lines("~S\"\"\"", "\"\"\"").raw(),
        Quote::lines("~H\"\"\"", "\"\"\"").raw(),
        Quote::lines("~c\"\"\"", "\"\"\""),
        Quote::delimited("~", "cCDNrRsSTUwWHpL"),
        Quote::glyph("?").after(OpenerContext::Gap),
    ],
    numbers: Numbers::STRICT,
    imports: &[
        Import::line("alias"),
        Import::line("import"),
        Import::line("require"),
        Import::line("use"),
        Import::line("@doc"),
        Import::line("@moduledoc"),
        Import::line("@typedoc"),
        Import::line("@shortdoc"),
    ],
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::ELIXIR;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &ELIXIR,
            r#"
defmodule A do
  use GenServer
  @moduledoc """
  it's "documentation" #{x}
  """
  @spec f(t) :: :ok # note '
  def f(x) when x != nil, do: "a #{m["k"]} b" |> g(~r/["\/]/i, ~w(a (b) c), 'it\'s', ?a, ?")
  def h?(<<a::8, _::binary>>), do: %{k: 1_0.5e3, l: &(&1 <> ~s|"|)}
end
"#,
            "defmodule ID do
               ID ID ( ID ) :: : ID
               def ID ( ID ) when ID != nil , do : STR ID [ STR ] STR |> ID ( STR , STR , STR , STR , STR )
               def ID ? ( << ID :: NUM , ID :: ID >> ) , do : % { ID : NUM , ID : & ( & NUM <> STR ) }
             end",
        );
    }
}
