//! The same bytes on every platform: the engine does not use the platform's mathematics library.

use std::fs;
use std::path::Path;

use crate::tidy::files;

/// Methods that call the platform's mathematics library, whose last digit differs from one to the next.
/// Roots, rounding and absolute values are exact everywhere.
const OF_THE_PLATFORM: [&str; 13] = [
    ".ln()",
    ".ln_1p()",
    ".log(",
    ".log2()",
    ".log10()",
    ".exp()",
    ".exp2()",
    ".exp_m1()",
    ".powf(",
    ".cbrt()",
    ".sin()",
    ".cos()",
    ".tanh()",
];

#[test]
fn no_score_depends_on_the_mathematics_library_of_the_platform() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let sources =
        files(&src).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let mut wrong = Vec::new();
    for path in sources {
        let text = fs::read_to_string(&path).expect("a source");
        let code = text.split("#[cfg(test)]").next().expect("a part");
        for (number, line) in (1..).zip(code.lines()).filter(|(_, line)| !line.contains("//")) {
            if OF_THE_PLATFORM.iter().any(|method| line.contains(method)) {
                wrong.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "use `libm` instead: {wrong:#?}");
}
