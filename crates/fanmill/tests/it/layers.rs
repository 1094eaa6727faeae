//! Which module uses which, in every crate and in every folder: data flows from left to right, and so
//! does knowledge. Modules are declared in the order in which they build on each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, PathBuf};

use crate::tracked::{files, text};

/// Crates and folders whose modules have no order.
const KNOTS: [(&str, &str); 1] = [
    // Tables in the order of the alphabet, of which some begin with another's.
    ("fanmill-lang", "languages"),
];

/// A module's path inside its crate; the crate's root has none.
type Name = Vec<String>;

/// The modules of one crate, those for tests left out.
struct Modules {
    /// Their code, without comments and tests.
    code: BTreeMap<Name, String>,
    /// For each, the modules that it declares, in order.
    declared: BTreeMap<Name, Vec<String>>,
}

impl Modules {
    /// Reads the sources of the crate of a name.
    fn read(name: &str) -> Modules {
        let src = format!("crates/{name}/src");
        let mut modules = Modules { code: BTreeMap::new(), declared: BTreeMap::new() };
        let mut for_tests = BTreeSet::new();
        for path in files(&src).into_iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
            let Some(text) = text(&path) else { continue };
            let inside = path.strip_prefix(&src).expect("below src").with_extension("");
            let mut name: Name =
                inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if matches!(name.last().map(String::as_str), Some("mod" | "lib" | "main")) {
                name.pop();
            }
            for rest in text.split("#[cfg(test)]").skip(1) {
                for_tests.extend(declared(rest.trim_start()).map(|module| child(&name, module)));
            }
            let own = text.lines().filter_map(declared).map(str::to_owned).collect();
            modules.declared.insert(name.clone(), own);
            modules.code.insert(name, code(&text));
        }
        let is_for_tests = |name: &Name| (1..=name.len()).any(|n| for_tests.contains(&name[..n]));
        modules.code.retain(|name, _| !is_for_tests(name));
        modules
    }

    /// `user` and `used`, two modules of one folder, if the one is declared before the other that it uses.
    fn upward<'a>(&self, user: &'a [String], used: &'a [String]) -> Option<(&'a str, &'a str)> {
        let n_common = user.iter().zip(used).take_while(|(x, y)| x == y).count();
        let (own, other) = (user.get(n_common)?, used.get(n_common)?);
        // A folder that git does not know yet has no order yet.
        let order = self.declared.get(&user[..n_common])?;
        let rank = |module: &String| order.iter().position(|name| name == module);
        (rank(other)? > rank(own)?).then_some((own.as_str(), other.as_str()))
    }
}

fn child(name: &[String], module: &str) -> Name {
    name.iter().cloned().chain([module.to_owned()]).collect()
}

/// The module that a line declares.
fn declared(line: &str) -> Option<&str> {
    let line =
        line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) ")).unwrap_or(line);
    let name = line.strip_prefix("mod ")?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (&name[end..=end] == ";").then_some(&name[..end])
}

/// The names of all crates, ascending.
fn crates() -> BTreeSet<String> {
    let name = |path: PathBuf| match path.components().nth(1) {
        Some(Component::Normal(name)) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    };
    let names: BTreeSet<String> = files("crates").into_iter().filter_map(name).collect();
    assert!(names.contains("fanmill"), "{names:?}");
    names
}

#[test]
fn a_module_uses_only_modules_to_its_left() {
    let mut wrong = Vec::new();
    for name in crates() {
        let modules = Modules::read(&name);
        for (user, code) in &modules.code {
            for used in uses(code, user) {
                let Some((own, other)) = modules.upward(user, &used) else { continue };
                let n_common = user.iter().zip(&used).take_while(|(x, y)| x == y).count();
                let place = user[..n_common].join("::");
                if !KNOTS.contains(&(name.as_str(), place.as_str())) {
                    wrong.push(format!("{name}: {place}: {own} uses {other}"));
                }
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Crates that know a command line: the program itself, and those that start it.
const WITH_FLAGS: [&str; 3] = ["fanmill-cli", "fanmill-bench", "fanmill-fuzz"];

/// Modules that start another program, whose flags they name.
const OF_OTHERS: [(&str, &str); 1] = [("fanmill-jobs", "change")];

/// What a setting is called is for each front end to say; a library names the setting.
#[test]
fn no_library_names_a_flag() {
    let mut wrong = Vec::new();
    for name in crates() {
        if WITH_FLAGS.contains(&&*name) {
            continue;
        }
        for (module, code) in Modules::read(&name).code {
            if OF_OTHERS.contains(&(&*name, &*module.join("::"))) {
                continue;
            }
            wrong.extend(flags(&code).map(|flag| format!("{name}: {}: {flag}", module.join("::"))));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A setting is a part of a message, which alone knows how it is said where nobody has other words for it.
#[test]
fn only_a_message_says_that_something_is_a_setting_or_a_task() {
    let mut wrong = Vec::new();
    for name in crates() {
        for (module, code) in Modules::read(&name).code {
            let is_message = name == "fanmill-text" && module == ["message"];
            // Tests that need a feature have another attribute.
            let code = code.split("mod tests {").next().unwrap_or_default();
            let says = code.contains("the setting `") || code.contains("the task `");
            if says && !is_message {
                wrong.push(format!("{name}: {}", module.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What looks like flags: two hyphens before a small letter.
fn flags(code: &str) -> impl Iterator<Item = &str> {
    let starts = code.match_indices("--").map(|(at, _)| &code[at..]);
    let starts = starts.filter(|rest| rest[2..].starts_with(|c: char| c.is_ascii_lowercase()));
    starts.map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
        &rest[..end]
    })
}

/// The crates whose modules are stages.
const ENGINE: [&str; 5] =
    ["fanmill-kernel", "fanmill-text", "fanmill-sketch", "fanmill-sift", "fanmill"];

/// Stages do no input or output and start no threads, so that they run wherever Rust does.
#[test]
fn the_engine_opens_no_file_and_starts_threads_in_its_pipeline_only() {
    const NOWHERE: [&str; 5] = ["std::fs", "std::net", "std::process", "std::env", "io::stdin"];
    const IN_THE_PIPELINE: [&str; 2] = ["rayon", "std::thread"];
    let mut wrong = Vec::new();
    for name in ENGINE {
        for (module, code) in Modules::read(name).code {
            let is_in = |crate_name, folder| {
                name == crate_name && module.first().is_some_and(|name| name == folder)
            };
            // The store of sifted texts is files.
            if is_in("fanmill-sift", "disk") {
                continue;
            }
            let is_pipeline = is_in("fanmill", "pipeline");
            let elsewhere = if is_pipeline { &[][..] } else { &IN_THE_PIPELINE };
            let used = NOWHERE.iter().chain(elsewhere).filter(|name| code.contains(**name));
            wrong.extend(used.map(|used| format!("{name}: {} uses {used}", module.join("::"))));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A source without its comments, and without the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.map(|line| line.to_owned() + "\n").collect()
}

/// All paths inside the crate that the code of a module names, from the crate's root.
fn uses(code: &str, module: &[String]) -> BTreeSet<Name> {
    let mut used = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        used.extend(paths(rest));
    }
    let mut rest = code;
    while let Some(at) = rest.find("super::") {
        let n_up = rest.as_bytes()[at..].chunks(7).take_while(|chunk| *chunk == b"super::").count();
        rest = &rest[at + 7 * n_up..];
        let base = &module[..module.len().saturating_sub(n_up)];
        used.extend(paths(rest).into_iter().map(|path| [base, &path].concat()));
    }
    used
}

/// The paths that a text starts with: one, or all of a group.
fn paths(text: &str) -> Vec<Name> {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        return parts(group).into_iter().flat_map(paths).collect();
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if end == 0 {
        return Vec::new();
    }
    let first = text[..end].to_owned();
    let Some(rest) = text[end..].strip_prefix("::") else { return vec![vec![first]] };
    let longer = paths(rest).into_iter().map(|path| [vec![first.clone()], path].concat());
    let longer: Vec<Name> = longer.collect();
    if longer.is_empty() { vec![vec![first]] } else { longer }
}

/// The parts of a group, from after its brace.
fn parts(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_u32, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

#[test]
fn paths_are_read_alone_and_in_groups() {
    let code = "use crate::a::{B, c::D};\nuse crate::{e::{f, g}, H,\n    i};\nlet x = crate::j::k();\n\
                use super::super::l::M;\nuse super::n;\n";
    let module = ["o", "p"].map(str::to_owned);
    let used: Vec<String> = uses(code, &module).iter().map(|path| path.join("::")).collect();
    assert_eq!(used, ["H", "a::B", "a::c::D", "e::f", "e::g", "i", "j::k", "l::M", "o::n"]);
}

#[test]
fn declarations_of_modules_are_told_from_modules() {
    let lines = ["mod a;", "pub mod b;", "pub(crate) mod c;", "mod tests {", "use mod_d;", "x"];
    assert_eq!(lines.map(declared), [Some("a"), Some("b"), Some("c"), None, None, None]);
}

#[test]
fn flags_are_told_from_other_hyphens() {
    let code = "\"raise --max-ratio\", b\"-->\", \"--\", x - -y, `--unit line`";
    assert_eq!(flags(code).collect::<Vec<_>>(), ["--max-ratio", "--unit"]);
}
