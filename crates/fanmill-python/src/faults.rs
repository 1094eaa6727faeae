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
//! Where a message of a library names a setting, the exception has it as an argument: `guarantee=`. The names are in
//! its attribute `settings`, too.

use std::any::Any;
use std::cell::RefCell;

use fanmill::Error;
use fanmill::setting::{renamed, tasks_renamed};
use pyo3::prelude::*;

/// An argument by the name of its setting.
fn argument(name: &str) -> String {
    match name {
        "stdin-name" => "name".to_owned(),
        _ => name.replace('-', "_"),
    }
}

/// What does a task here. What Python has no function for, the command does.
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

/// A message in Python's words, and the arguments that it names.
fn worded(message: &str) -> (String, Vec<String>) {
    let names = RefCell::new(Vec::new());
    let message = renamed(message, |name| {
        let name = argument(name);
        let shown = format!("`{name}=`");
        names.borrow_mut().push(name);
        shown
    });
    let message = tasks_renamed(&message, function);
    (message.into_owned(), names.into_inner())
}

/// A message that is not an error, in Python's words: what was not read of an input, say.
#[pyfunction(name = "worded")]
pub(crate) fn message(message: &str) -> String {
    worded(message).0
}

fn code(error: &Error) -> &'static str {
    match error {
        error if error.is_setting() => "setting",
        error if error.is_input() => "input",
        error if error.is_busy() => "busy",
        error if error.is_cancelled() => "cancelled",
        _ => "io",
    }
}

/// The exception that an error becomes.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let class = match code(error) {
        "setting" | "input" => "FanmillValueError",
        _ => "FanmillError",
    };
    made(py, class, &error.to_string(), code(error))
}

/// The exception that a panic becomes, from what it was given.
pub(crate) fn of_panic(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("a panic without a message");
    made(py, "FanmillError", &format!("an internal fault, please report it: {text}"), "internal")
}

fn made(py: Python<'_>, class: &str, message: &str, code: &str) -> PyErr {
    let (message, settings) = worded(message);
    let made = py
        .import("fanmill._errors")
        .and_then(|module| module.getattr(class)?.call_method1("_of", (message, code, settings)));
    made.map_or_else(|error| error, PyErr::from_value)
}
