//! Numbers, as the table of a language describes them.

/// The features that distinguish one language's numbers from another's.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// Texts that begin a number if a digit follows: `.`, Pascal's `$`, Basic's `&H`.
    pub prefixes: &'static [&'static str],
    /// Characters that may occur in a number before a letter or digit; after one of them, the same character
    /// may also end the number: C++'s `'`, Ada's `#` in `16#FF#`.
    pub marks: &'static str,
    /// Letters after which a sign belongs to the number.
    pub exponents: &'static str,
    /// The reading of `1.`: as a number, or as a number and an operator.
    pub final_point: FinalPoint,
}

/// The reading of a point that follows an integer, without digits after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinalPoint {
    /// An operator: Ruby's `1.upto`, Prolog's end of clause.
    Operator,
    /// A part of the number: C's `1.`
    Number,
}

impl Numbers {
    /// Numbers as in C: `.5`, `1.`, `1e-5`, `0x1p-3`.
    pub const C: Numbers =
        Numbers { prefixes: &["."], marks: "", exponents: "eEpP", final_point: FinalPoint::Number };

    /// Numbers with digits on both sides of the point, as in Rust: `1.max(2)` and `t.0` are not fractions.
    pub const STRICT: Numbers =
        Numbers { prefixes: &[], marks: "", exponents: "eE", final_point: FinalPoint::Operator };
}
