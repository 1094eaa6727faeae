//! Julia: the Julia Manual, 1.11, "Strings" and "Mathematical Operations".

use super::c::OPERATORS;
use crate::{Comment, Docstrings, Idioms, Import, Language, Numbers, OpenerContext, Quote};

/// The table of Julia. Directly after an operand, `'` is an adjoint.
pub(crate) const JULIA: Language = Language {
    name: "julia",
    aliases: &["jl"],
    extensions: &["jl"],
    interpreters: &["julia"],
    version: 2,
    idioms: Idioms {
        common: "
            .* .+ :: ^else ^end ^for ^function ^if ^return ^struct ^while
        ",
        typical: "
            ^elseif ^using in·1: length( println(
        ",
        sure: "
            ::Float64 ::Int ::String @assert ^abstract·type ^mutable·struct ^using·LinearAlgebra
            push!( zeros(Float64
        ",
    },
    sigils: "@",
    keywords: &["
        Bool Char Float32 Float64 Int Int64 Nothing String baremodule begin break catch const
        continue do else elseif end export false finally for function global if import in isa let
        local macro missing module nothing quote return struct true try using where while
    "],
    operands: &["end '"],
    operators: &[
        OPERATORS,
        "=== !== => :: .. ... |> <: >: .+ .- .* ./ .^ .== .< .> .<= .>= .= // ÷=",
    ],
    comments: &[Comment::line("#"), Comment::nested("#=", "=#")],
    quotes: &[
        Quote::template("\"", "$(", b')'),
        Quote::template("\"\"\"", "$(", b')'),
        Quote::lines("\"", "\"").prefixed(&["b", "r", "raw", "v"]),
        Quote::lines("\"\"\"", "\"\"\"").prefixed(&["b", "r", "raw"]),
        Quote::lines("`", "`"),
        Quote::character("'").after(OpenerContext::Gap),
    ],
    numbers: Numbers { prefixes: &["."], ..Numbers::STRICT },
    imports: &[Import::either("using"), Import::either("import")],
    docstrings: Docstrings::Comment,
    ..Language::EMPTY
};

#[cfg(test)]
mod tests {
    use super::JULIA;
    use crate::languages::expect;

    #[test]
    fn worked_example() {
        expect(
            &JULIA,
            r#"
using LinearAlgebra
#= one #= two =# =#
"""
    f(x)  it's "so"
"""
function f(x::Vector{T}) where T <: Real # note
    A' * x' .+ 'c' |> @show("a $(x[1] + g("b")) \"", r"\d+"i, 1_0.5e3, 0xff, :sym)
    β = x[end]' ÷ 2
end
"#,
            "function ID ( ID :: ID { ID } ) where ID <: ID
               ID ' * ID ' .+ STR |> ID ( STR ID [ NUM ] + ID ( STR ) STR , STR ID , NUM , NUM , : ID )
               ID = ID [ end ] ' ÷ NUM
             end",
        );
    }
}
