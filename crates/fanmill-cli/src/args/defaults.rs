//! Defaults in the help, which come from the settings of the jobs, so that none is written twice.

use clap::{Arg, Command};
use fanmill::pipeline::{PRESET_OF_SHORT, SHORT, preset};
use fanmill_jobs::compare;
use fanmill_text::amount;
use fanmill_text::token::Kind;
use serde::Serialize;
use serde_json::{Map, Value};

/// Defaults of settings, by name.
type Defaults = Map<String, Value>;

/// Settings that are sizes in bytes.
const SIZES: [&str; 3] = ["max-file-bytes", "max-total-bytes", "memory"];

/// Adds the defaults of settings to the help of all commands.
pub(super) fn added(mut command: Command) -> Command {
    for (path, defaults) in jobs() {
        command = changed(command, path, &|arg| with_default(arg, &defaults));
    }
    command = changed(command, &["compare"], &|arg| with_preset(arg, &Preset::Compare));
    command = changed(command, &["index", "add"], &|arg| with_preset(arg, &Preset::Index));
    #[cfg(feature = "lab")]
    {
        command = changed(command, &["lab", "frequency"], &|arg| with_preset(arg, &Preset::Lab));
    }
    command
}

/// Changes the arguments of a command, or of the command at `path` below it.
fn changed(command: Command, path: &[&str], change: &impl Fn(Arg) -> Arg) -> Command {
    match path {
        [] => command.mut_args(change),
        [name, below @ ..] if command.find_subcommand(name).is_some() => {
            command.mut_subcommand(name, |command| changed(command, below, change))
        }
        _ => command,
    }
}

fn with_default(arg: Arg, defaults: &Defaults) -> Arg {
    let default = arg.get_long().and_then(|name| shown(name, defaults.get(name)?));
    with_help(arg, default)
}

/// Adds a default to the help, unless the help names one.
fn with_help(arg: Arg, default: Option<String>) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    match default.filter(|_| !help.contains("[default")) {
        Some(default) => arg.help(format!("{help} [default: {default}]")),
        None => arg,
    }
}

/// Writes a default as people do; `None` if it needs no mention.
fn shown(name: &str, value: &Value) -> Option<String> {
    match value {
        Value::Number(bytes) if SIZES.contains(&name) => bytes.as_u64().map(amount::written),
        Value::Number(number) => Some(number.to_string().trim_end_matches(".0").to_owned()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// The command whose thresholds are named.
enum Preset {
    Compare,
    Index,
    #[cfg(feature = "lab")]
    Lab,
}

/// Adds the thresholds of each kind of text to the help of their flags.
fn with_preset(arg: Arg, preset_of: &Preset) -> Arg {
    let of: fn((u32, u32)) -> u32 = match arg.get_long() {
        Some("noise") => |(noise, _)| noise,
        Some("guarantee") => |(_, guarantee)| guarantee,
        _ => return arg,
    };
    let [code, words, chars] = [Kind::Code, Kind::Words, Kind::Chars].map(|kind| of(preset(kind)));
    let default = match preset_of {
        Preset::Compare => format!(
            "{code} tokens of code, {} if one of the two programs has fewer than {SHORT}; {words} words; {chars} characters of \
             scripts without spaces",
            of(PRESET_OF_SHORT)
        ),
        Preset::Index => {
            format!(
                "{code} tokens of code; {words} words; {chars} characters of scripts without spaces"
            )
        }
        #[cfg(feature = "lab")]
        Preset::Lab => {
            let letters = of(super::lab::PAPER);
            format!("{letters} characters, {words} words, {code} tokens")
        }
    };
    with_help(arg, Some(default))
}

/// Returns the defaults of each job, with the command that has flags of these names.
fn jobs() -> Vec<(&'static [&'static str], Defaults)> {
    let mut jobs = Vec::new();
    add(&mut jobs, &["compare"], &compare::Settings::standard());
    add(&mut jobs, &["compare"], &compare::Inputs::default());
    #[cfg(feature = "index")]
    {
        use fanmill_jobs::index;
        add(&mut jobs, &["index", "add"], &index::Settings::default());
        for path in [&["index", "add"][..], &["index", "watch"], &["search"]] {
            add(&mut jobs, path, &index::Inputs::default());
        }
        add(&mut jobs, &["search"], &index::Search::default());
    }
    #[cfg(feature = "corpus")]
    {
        use fanmill_jobs::{dedup, urls};
        add(&mut jobs, &["dedup"], &dedup::Settings::default());
        add(&mut jobs, &["urls"], &urls::Settings::default());
    }
    #[cfg(feature = "sift")]
    {
        use fanmill_jobs::sift::{campaign, reading};
        add(&mut jobs, &["sift", "campaign"], &campaign::Settings::default());
        let readers: [&[&str]; 6] = [
            &["sift", "add"],
            &["sift", "check"],
            &["sift", "campaign"],
            &["sift", "attack"],
            &["sift", "rekey"],
            &["sift", "upgrade"],
        ];
        for path in readers {
            add(&mut jobs, path, &reading::Reading::default());
        }
    }
    jobs
}

fn add(
    jobs: &mut Vec<(&'static [&'static str], Defaults)>,
    path: &'static [&'static str],
    settings: &impl Serialize,
) {
    if let Ok(Value::Object(defaults)) = serde_json::to_value(settings) {
        jobs.push((path, defaults));
    }
}
