//! Fences: closing texts that the opener determines.

/// The rule by which an opener determines its closing text.
#[derive(Debug, Clone, Copy)]
pub enum Fence {
    /// C++'s `R"tag(` … `)tag"`, R's `r"--[` … `]--"`: a tag between quote and bracket.
    Tagged,
    /// Rust's `r##"` … `"##`, Swift's `#"` … `"#`: as many `#` as before, including the opener's.
    Hashes,
    /// Lua's `[==[` … `]==]`.
    Brackets,
    /// C#'s `""""` … `""""`: as many quotes as before, at least three.
    Quotes,
}
