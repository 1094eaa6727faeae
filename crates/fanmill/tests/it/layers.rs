//! Which module uses which: data flows from left to right, and so does knowledge.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tidy::files;

/// The modules of the library in the order in which `lib.rs` declares them, test modules left out.
fn order(lib: &str) -> Vec<String> {
    let public = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    public.map(str::to_owned).collect()
}

#[test]
fn a_module_uses_only_modules_to_its_left() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let order = order(&fs::read_to_string(src.join("lib.rs")).expect("lib.rs"));
    assert_eq!(order.first().map(String::as_str), Some("error"));
    assert_eq!(order.last().map(String::as_str), Some("pipeline"));
    let rank = |module: &str| order.iter().position(|name| name == module);
    let sources: Vec<PathBuf> =
        files(&src).into_iter().filter(|p| p.extension().is_some_and(|e| e == "rs")).collect();
    let for_tests = test_modules(&sources);
    let mut wrong = Vec::new();
    for path in &sources {
        let inside = path.strip_prefix(&src).expect("below src").with_extension("");
        let parts: Vec<String> =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let is_test = (1..=inside.iter().count())
            .any(|n| for_tests.contains(&inside.iter().take(n).collect::<PathBuf>()));
        if is_test || parts == ["lib"] {
            continue;
        }
        let own = rank(&parts[0]).unwrap_or_else(|| panic!("{} is not in lib.rs", parts[0]));
        let depth = parts.iter().filter(|part| *part != "mod").count();
        for used in uses(&code(&fs::read_to_string(path).expect("a source")), depth) {
            let used = if used == "Error" || used == "Result" { "error".to_owned() } else { used };
            match rank(&used) {
                Some(rank) if rank <= own => {}
                _ => wrong.push(format!("{} uses {used}", inside.display())),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Modules that are compiled for tests only, as paths below `src` without `.rs`.
fn test_modules(sources: &[PathBuf]) -> BTreeSet<PathBuf> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut modules = BTreeSet::new();
    for path in sources {
        let text = fs::read_to_string(path).expect("a source");
        let inside = path.strip_prefix(&src).expect("below src").with_extension("");
        let folder = match inside.file_name().and_then(|name| name.to_str()) {
            Some("mod" | "lib") => inside.parent().unwrap_or(Path::new("")).to_owned(),
            _ => inside,
        };
        for rest in text.split("#[cfg(test)]").skip(1) {
            let declared = rest.trim_start().trim_start_matches("pub(crate) ");
            let name = declared.strip_prefix("mod ").and_then(|rest| rest.split([';', ' ']).next());
            modules.extend(name.map(|name| folder.join(name)));
        }
    }
    modules
}

/// A source without its comments, and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.to_owned() + "\n").collect()
}

/// The first parts of all paths that start at the crate's root, from a module at `depth`.
fn uses(code: &str, depth: usize) -> BTreeSet<String> {
    let code = code.replace(&"super::".repeat(depth), "crate::").replace("$crate::", "crate::");
    let mut used = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => used.extend(heads(group)),
            None => used.extend(head(rest)),
        }
    }
    used
}

/// The first parts of the paths of a group, from after its brace.
fn heads(group: &str) -> Vec<String> {
    let (mut depth, mut starts) = (1, vec![0]);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => starts.push(at + 1),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    starts.into_iter().filter_map(|at| head(group[at..].trim_start())).collect()
}

fn head(path: &str) -> Option<String> {
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    (end > 0).then(|| path[..end].to_owned())
}

#[test]
fn paths_are_read_alone_and_in_groups() {
    let code = "use crate::a::{B, c::D};\nuse crate::{e::{f, g}, H,\n    i};\nlet x = crate::j::k();\n\
                use super::super::l::M;\n";
    let used: Vec<String> = uses(code, 2).into_iter().collect();
    assert_eq!(used, ["H", "a", "e", "i", "j", "l"]);
}
