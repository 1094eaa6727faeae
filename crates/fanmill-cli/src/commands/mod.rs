//! Commands, one per file. The heavy ones are features; a build without one says how to get it.

/// Makes the module of a command that is not built in: its `run` refuses.
#[cfg(not(all(
    feature = "corpus",
    feature = "index",
    feature = "lab",
    feature = "server",
    feature = "sift"
)))]
macro_rules! left_out {
    ($command:ident, $feature:literal) => {
        pub(crate) mod $command {
            pub(crate) fn run(_: &crate::args::LeftOut) -> anyhow::Result<crate::exit::Exit> {
                let name = stringify!($command);
                anyhow::bail!(fanmill_text::Error::setting(format!(
                    "this build leaves `{name}` out; install the whole program with \
                     `cargo install --path crates/fanmill-cli`, or build with `--features {}`",
                    $feature
                )))
            }
        }
    };
}

pub(crate) mod compare;
#[cfg(feature = "corpus")]
pub(crate) mod dedup;
#[cfg(feature = "index")]
pub(crate) mod index;
#[cfg(feature = "lab")]
pub(crate) mod lab;
pub(crate) mod languages;
pub(crate) mod manual;
#[cfg(feature = "index")]
pub(crate) mod search;
#[cfg(feature = "server")]
pub(crate) mod serve;
#[cfg(feature = "sift")]
pub(crate) mod sift;
pub(crate) mod text;
#[cfg(feature = "corpus")]
pub(crate) mod urls;

#[cfg(not(feature = "corpus"))]
left_out!(dedup, "corpus");
#[cfg(not(feature = "index"))]
left_out!(index, "index");
#[cfg(not(feature = "lab"))]
left_out!(lab, "lab");
#[cfg(not(feature = "index"))]
left_out!(search, "index");
#[cfg(not(feature = "server"))]
left_out!(serve, "server");
#[cfg(not(feature = "sift"))]
left_out!(sift, "sift");
#[cfg(not(feature = "corpus"))]
left_out!(urls, "corpus");
