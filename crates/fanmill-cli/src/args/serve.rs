//! `serve`, with its help.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use fanmill_server::Network;
use serde::Deserialize;

const EXAMPLES: &str = concat!(
    "\
Examples:
  For this machine, with data in ./fanmill-data; the first start prints a link for the administrator:
    fanmill serve

  Behind a proxy that has TLS:
    fanmill serve --data /var/lib/fanmill --public-url https://copies.example.edu

  And by clients of MOSS, whose pages are then on this machine too:
    fanmill serve --moss 127.0.0.1:7690

  With limits from a file; docs/serve.md lists all of them:
    fanmill serve --config serve.toml

  An administrator who has lost the password, while the server runs or not:
    fanmill serve user reset anna --data /var/lib/fanmill

",
    exit_statuses!(
        2: "the command line or a setting is wrong, or another server uses the folder",
        3: "it is not the folder of a server, or nobody and nothing in it has this name",
        4: "something is not as it should be: the audit log, an erasure, or a server that is asked for its health",
    )
);

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct ServeArgs {
    #[command(subcommand)]
    pub(crate) command: Option<ServeCommand>,

    #[arg(
        long,
        value_name = "ADDR",
        help = "Address and port to listen at [default: 127.0.0.1:7474]"
    )]
    pub(crate) listen: Option<SocketAddr>,

    /// Address and port at which clients of MOSS find it; without it there is none.
    #[arg(long, value_name = "ADDR")]
    pub(crate) moss: Option<SocketAddr>,

    /// Folder of everything that the server keeps, created if necessary.
    #[arg(long, value_name = "DIR", default_value = "fanmill-data", value_hint = ValueHint::DirPath)]
    pub(crate) data: PathBuf,

    /// Allow an address that other machines reach, although passwords then travel without TLS.
    #[arg(long)]
    pub(crate) insecure: bool,

    #[arg(
        long,
        value_name = "N",
        help = "Maximum number of comparisons at the same time [default: 1]"
    )]
    pub(crate) jobs: Option<usize>,

    /// Address that people use, if it is another one than that listened at: `https://copies.example.edu`, or one with a path.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,

    /// Language in which pages begin: de, en, or auto for that of the reader's browser [default: auto].
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<String>,

    /// Proxy, or network of proxies as 10.1.0.0/16, whose header X-Forwarded-For or Forwarded names the client; may be repeated.
    #[arg(long, value_name = "ADDR")]
    pub(crate) trusted_proxy: Vec<Network>,

    #[arg(
        long,
        value_name = "FORMAT",
        help = "How requests and comparisons are logged to standard error [default: text]"
    )]
    pub(crate) log: Option<LogArg>,

    /// File with settings and limits, in TOML; options on the command line take precedence.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// The form of the service's log.
#[derive(Debug, Clone, Copy, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LogArg {
    /// A line of `key=value` each.
    #[default]
    Text,
    /// An object of JSON a line.
    Json,
    Off,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ServeCommand {
    /// Manage accounts, also while the server runs.
    #[command(subcommand)]
    User(UserCommand),
    /// Give out or erase what one student handed in, in all courses.
    #[command(subcommand)]
    Person(PersonCommand),
    /// Register learning platforms (LTI 1.3), also while the server runs.
    #[command(subcommand)]
    Platform(PlatformCommand),
    /// Copy everything that a server keeps to a new folder, also while it runs.
    Backup {
        /// The new folder, which must not exist; a server can be started with it.
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        to: PathBuf,
        #[command(flatten)]
        server: ServerFolder,
    },
    /// Look at the log of who deleted, shared and erased what.
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Ask a server on this machine whether it can serve requests; ends with 4 if it cannot.
    Health {
        /// Address and port at which it listens.
        #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7474")]
        listen: SocketAddr,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Check that each line follows from the one before, and print the last one's hash; ends with 4 if one does not.
    Verify {
        #[command(flatten)]
        server: ServerFolder,
    },
}

/// The server that a command is about.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServerFolder {
    /// Folder of the server.
    #[arg(long, value_name = "DIR", default_value = "fanmill-data", value_hint = ValueHint::DirPath)]
    pub(crate) data: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PersonCommand {
    /// Write a zip of the student's files, and of the passages that others share.
    Export {
        /// Name or id, as in the names of what was handed in.
        name: String,
        /// The zip, which must not exist.
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: PathBuf,
        #[command(flatten)]
        server: ServerFolder,
    },
    /// Erase the student's files, fingerprints and passages; the server must not run.
    Erase {
        /// Name or id, as in the names of what was handed in.
        name: String,
        #[command(flatten)]
        server: ServerFolder,
    },
}

#[derive(Debug, Clone, Subcommand)]
pub(crate) enum PlatformCommand {
    /// Register a platform, or change the one with this issuer and client id.
    Add {
        /// Name by which people know it.
        name: String,
        /// The platform's name for itself (issuer).
        #[arg(long, value_name = "URL")]
        issuer: String,
        /// The platform's name for this server (client id).
        #[arg(long, value_name = "ID")]
        client_id: String,
        /// Address at which people log in to it: authentication request URL, OIDC auth URL.
        #[arg(long, value_name = "URL")]
        login_url: String,
        /// Address at which this server gets access to its services (token URL).
        #[arg(long, value_name = "URL")]
        token_url: String,
        /// Address of its keys: JWKS URL, public keyset URL.
        #[arg(long, value_name = "URL")]
        keys_url: String,
        /// Deployment of this server in it; may be given several times.
        #[arg(long = "deployment", value_name = "ID", required = true)]
        deployments: Vec<String>,
        #[command(flatten)]
        server: ServerFolder,
    },
    /// Remove a platform; courses and batches stay.
    Remove {
        /// Name by which people know it.
        name: String,
        #[command(flatten)]
        server: ServerFolder,
    },
    /// List platforms.
    List {
        #[command(flatten)]
        server: ServerFolder,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Add an account, and print the path of its one-time link.
    Add {
        /// Name that its owner logs in with.
        name: String,
        /// Role: administrator, teacher or reader.
        #[arg(long, default_value = "teacher")]
        role: String,
        #[command(flatten)]
        server: ServerFolder,
    },
    /// Print the path of a link by which somebody sets a new password.
    Reset {
        /// Name that its owner logs in with.
        name: String,
        #[command(flatten)]
        server: ServerFolder,
    },
    /// List accounts.
    List {
        #[command(flatten)]
        server: ServerFolder,
    },
}
