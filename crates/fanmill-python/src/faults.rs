//! Errors as Python's exceptions, worded for Python.
//!
//! | error | exception | `code` |
//! |---|---|---|
//! | a setting | `FanmillValueError` | `setting` |
//! | an input | `FanmillValueError` | `input` |
//! | what the system refused | `FanmillError` | `io` |
//! | another run has it | `FanmillError` | `busy` |
//! | the job was asked to stop | `FanmillError`, unless Python's own `KeyboardInterrupt` is on its way | `cancelled` |
//! | a panic | `FanmillError` | `internal` |
//!
//! A setting that a library's message names is an argument in the exception: `guarantee=`. The attribute `settings` of
//! the exception lists these names, too.

use std::any::Any;

use fanmill_text::Error;
use fanmill_text::message;
use fanmill_text::message::{Message, Vocabulary};
use pyo3::prelude::*;

/// Puts keyword arguments and functions in place of settings and tasks.
pub(crate) struct InPython;

impl Vocabulary for InPython {
    fn setting(&self, name: &str) -> String {
        format!("`{}=`", argument(name))
    }

    fn task(&self, name: &str) -> String {
        function(name)
    }
}

/// Returns the argument for a setting.
fn argument(name: &str) -> String {
    match name {
        "stdin-name" => "name".to_owned(),
        _ => name.replace('-', "_"),
    }
}

/// Returns the function for a task, or the command, if Python has no function for it.
fn function(name: &str) -> String {
    let function = match name {
        "languages" => "fanmill.languages",
        "index-add" => "fanmill.Index.add",
        "index-upgrade" => "fanmill.Index.upgrade",
        "sift-add" => "fanmill.Sifter.add",
        "sift-keygen" => "fanmill.Sifter.new_key",
        _ => return format!("`fanmill {}`", name.replace('-', " ")),
    };
    format!("`{function}`")
}

/// Makes the exception for an error.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error.code() {
        "setting" | "input" => "FanmillValueError",
        _ => "FanmillError",
    };
    made(py, class, &error.message(), error.code())
}

/// Makes the exception for a panic, from its payload.
pub(crate) fn of_panic(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("a panic without a message");
    made(py, "FanmillError", &message!["an internal fault, please report it: ", text], "internal")
}

fn made(py: Python<'_>, class: &str, message: &Message, code: &str) -> PyErr {
    let settings: Vec<String> = message.settings().map(argument).collect();
    let message = message.say(&InPython);
    let made = py
        .import("fanmill._errors")
        .and_then(|module| module.getattr(class)?.call_method1("_of", (message, code, settings)));
    made.map_or_else(|error| error, PyErr::from_value)
}
