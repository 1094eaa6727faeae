//! Colours on a screen: pairs beyond chance, work of the same person, and notices.
//!
//! `--color` decides, or else the screen: none where `NO_COLOR` is set, on a dumb terminal, and in a file or pipe. What a
//! colour says is said in words, too.

use std::env;
use std::sync::OnceLock;

use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};

/// When to write colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColorArg {
    /// On a screen, unless `NO_COLOR` is set.
    #[default]
    Auto,
    Always,
    Never,
}

/// The choice for this run.
static CHOICE: OnceLock<ColorArg> = OnceLock::new();

/// Something that has a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Painted {
    /// A pair that chance does not explain, and their number.
    StandsOut,
    /// A pair of works of one person.
    Own,
    Notice,
}

/// Makes the choice for this run.
pub(crate) fn choose(when: ColorArg) {
    // The command line is read once.
    let _ = CHOICE.set(when);
}

/// Returns a line in a colour, if its place is a screen or colours are asked for.
pub(crate) fn painted(what: Painted, line: String, is_screen: bool) -> String {
    let when = CHOICE.get().copied().unwrap_or_default();
    if !is_wanted(when, is_screen, |name| env::var(name).ok()) {
        return line;
    }
    let style = match what {
        Painted::StandsOut => AnsiColor::Red.on_default().bold(),
        Painted::Own => Style::new().dimmed(),
        Painted::Notice => AnsiColor::Yellow.on_default(),
    };
    format!("{style}{line}{style:#}")
}

fn is_wanted(when: ColorArg, is_screen: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    match when {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => {
            let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
            // The older console of Windows shows escapes as they are; others say which terminal they are.
            let is_known = !cfg!(windows) || is_set("WT_SESSION") || is_set("TERM");
            let is_dumb = variable("TERM").as_deref() == Some("dumb");
            is_screen && is_known && !is_dumb && !is_set("NO_COLOR")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_has_colours_unless_somebody_objects() {
        let with = |set: &'static [(&str, &str)]| {
            move |name: &str| {
                set.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
            }
        };
        let known = with(&[("TERM", "xterm")]);
        let plain = with(&[("TERM", "xterm"), ("NO_COLOR", "1")]);
        assert!(is_wanted(ColorArg::Auto, true, known));
        assert!(!is_wanted(ColorArg::Auto, false, known));
        assert!(!is_wanted(ColorArg::Auto, true, plain));
        assert!(!is_wanted(ColorArg::Auto, true, with(&[("TERM", "dumb")])));
        assert!(is_wanted(ColorArg::Auto, true, with(&[("TERM", "xterm"), ("NO_COLOR", "")])));
        assert!(is_wanted(ColorArg::Always, false, plain));
        assert!(!is_wanted(ColorArg::Never, true, known));
    }
}
