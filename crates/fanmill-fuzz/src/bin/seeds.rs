//! Writes each target's seeds to a folder with its name: `seeds fuzz/corpus`.

use std::path::PathBuf;
use std::{env, fs, io};

use fanmill_fuzz::TARGETS;

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| "fuzz/corpus".into()));
    for target in TARGETS {
        let folder = root.join(target.name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
