//! Settings of a job: the presets, then those of the config file, then the flags.

use fanmill_jobs::config_file;
use fanmill_jobs::given::{Fault, SettingsLayer};
#[cfg(feature = "lab")]
use fanmill_source::Limits;
use fanmill_text::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::args::ConfigArgs;
#[cfg(feature = "lab")]
use crate::args::ConfiguredLimitArgs;

/// Fills settings of a job: `fill` takes what it knows from the table `job` of the config file, and then from the
/// arguments.
///
/// Paths are not among the fields of arguments, since they need not be UTF-8, as settings in a file are.
///
/// # Errors
/// If the config file cannot be read, or a value is not valid for its setting.
pub(crate) fn fill(
    config: &ConfigArgs,
    job: &str,
    args: &impl Serialize,
    mut fill: impl FnMut(&mut SettingsLayer) -> Result<(), Fault>,
) -> anyhow::Result<()> {
    if let Some(path) = &config.config {
        config_file::read(path)?.fill(job, &mut fill)?;
    }
    let mut given = SettingsLayer::from_fields(args);
    fill(&mut given).and_then(|()| given.finish()).map_err(of_flag)?;
    Ok(())
}

/// Returns the settings and the inputs of a job, from the presets, the config file and the arguments. The caller adds
/// paths.
///
/// # Errors
/// As [`fill`].
pub(crate) fn filled<T, U>(
    config: &ConfigArgs,
    job: &str,
    args: &impl Serialize,
) -> anyhow::Result<(T, U)>
where
    T: Default + Serialize + DeserializeOwned,
    U: Default + Serialize + DeserializeOwned,
{
    let (mut settings, mut inputs) = (T::default(), U::default());
    fill(config, job, args, |given| {
        given.fill(&mut settings)?;
        given.fill(&mut inputs)
    })?;
    Ok((settings, inputs))
}

/// Returns the error for the value of a flag.
fn of_flag(Fault { name, why }: Fault) -> Error {
    Error::setting(format!("--{name}: {why}"))
}

/// Returns the limits of a command that has no other settings in a config file.
///
/// # Errors
/// As [`fill`].
#[cfg(feature = "lab")]
pub(crate) fn limits(args: &ConfiguredLimitArgs) -> anyhow::Result<Limits> {
    let mut limits = Limits::standard();
    fill(&args.config, "lab", &args.flags, |given| given.fill(&mut limits))?;
    Ok(limits)
}

/// Replaces the values of the config file by those that were given as arguments, if there are any.
pub(crate) fn replace<T: Clone>(place: &mut Vec<T>, given: &[T]) {
    if !given.is_empty() {
        *place = given.to_vec();
    }
}

/// Replaces the value of the config file by the one that was given as an argument, if there is one.
pub(crate) fn replace_one<T: Clone>(place: &mut Option<T>, given: Option<&T>) {
    if given.is_some() {
        *place = given.cloned();
    }
}
