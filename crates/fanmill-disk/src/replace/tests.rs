//! Tests in which every step of a replacement fails, finds no room, or is the last: nothing is ever lost.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::disk::Lock;
use super::*;
use fanmill_text::Result;

/// Returns paths and contents below a folder: of a link, its target; of an empty folder, nothing.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut tree, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(inside) = open.pop() {
        let mut is_empty = true;
        for entry in fs::read_dir(&inside).expect("a folder") {
            is_empty = false;
            let entry = entry.expect("an entry");
            let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
            let name = path.strip_prefix(folder).expect("inside").to_owned();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() {
                tree.insert(name, fs::read(&path).expect("readable"));
            } else {
                let target = fs::read_link(&path).map(|to| to.display().to_string());
                tree.insert(name, target.unwrap_or_default().into_bytes());
            }
        }
        if is_empty && inside != folder {
            tree.insert(inside.strip_prefix(folder).expect("inside").to_owned(), Vec::new());
        }
    }
    tree
}

fn put(path: PathBuf, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("written");
}

fn is_part(name: &Path) -> bool {
    let name = name.to_str().unwrap_or_default();
    ["head", "data", "data/part1", "data/part2", "data/part3"].contains(&name)
}

/// A job that writes an output.
type Job = fn(&Disk, &Path) -> Result<()>;

fn replace_folder(disk: &Disk, home: &Path) -> Result<()> {
    let mut new = Replacement::begin(disk, &home.join("out"), "test", is_part)?;
    new.write("head", |out| out.write_all(b"new"))?;
    new.write("data/part1", |out| out.write_all(b"new one"))?;
    new.write("data/part2", |out| out.write_all(&vec![b'x'; 20_000]))?;
    new.finish()
}

fn make_folder_deep(disk: &Disk, home: &Path) -> Result<()> {
    let mut new = Replacement::begin(disk, &home.join("a/b/out"), "test", is_part)?;
    new.write("head", |out| out.write_all(b"new"))?;
    new.finish()
}

fn replace_file(disk: &Disk, home: &Path) -> Result<()> {
    let mut new = NewFile::begin(disk, home, "out", "test")?;
    new.write("out", Access::Usual, |out| out.write_all(b"new"))?;
    new.finish(ExistingFile::Replaced).map(drop)
}

fn make_file(disk: &Disk, home: &Path) -> Result<()> {
    let mut new = NewFile::begin(disk, home, "out", "test")?;
    new.write("out", Access::Usual, |out| out.write_all(b"new"))?;
    let is_placed = new.finish(ExistingFile::Absent)?;
    // A killed run may have put it there.
    assert!(is_placed || fs::read(home.join("out")).expect("a file") == b"new");
    Ok(())
}

/// Makes a home with an earlier output and somebody's own files.
fn home(before: &[(&str, &str)]) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    put(home.path().join(".other.partial/thesis.txt"), "precious");
    put(home.path().join("notes.txt"), "precious");
    for (name, text) in before {
        put(home.path().join(name), text);
    }
    home
}

/// Tries every fault at every step of `write`. Afterwards the output is as before or as it should be, and the next run
/// makes it as it should be, with nothing beside it.
fn try_every_step(write: Job, before: &[(&str, &str)], disk: fn(Fault) -> Disk) {
    let start = home(before);
    let old = tree(start.path());
    let counted = disk(Fault::Nothing);
    write(&counted, start.path()).expect("nothing goes wrong");
    let new = tree(start.path());
    assert!(counted.n_steps() > 8 && old != new);
    for n in 0..counted.n_steps() {
        for fault in [Fault::Fails(n), Fault::Full(n), Fault::Killed(n)] {
            let place = home(before);
            let done = write(&disk(fault), place.path());
            let after = tree(place.path());
            let is = |there: &BTreeMap<PathBuf, Vec<u8>>| {
                there.iter().all(|(k, v)| after.get(k) == Some(v))
            };
            // Where two names cannot be exchanged, a killed run may leave the old output set aside, and the next run
            // puts it back. A run that lives puts it back itself.
            let is_aside = matches!(fault, Fault::Killed(_))
                && after.keys().any(|name| name.starts_with(".out.partial/old"));
            assert!(is(&old) || is(&new) || is_aside, "{fault:?}: {after:?}");
            assert!(
                done.is_ok() == is(&new) || matches!(done, Err(ref e) if e.is_io()),
                "{fault:?}"
            );
            if !matches!(fault, Fault::Killed(_)) && done.is_err() && !is_aside {
                let extra = after
                    .keys()
                    .filter(|name| !old.contains_key(*name) && !new.contains_key(*name));
                let is_cleaned = matches!(fault, Fault::Full(_));
                assert!(!is_cleaned || extra.count() == 0 || is(&new), "{fault:?}: {after:?}");
            }
            write(&Disk::default(), place.path()).expect("the next run ends well");
            assert_eq!(tree(place.path()), new, "{fault:?}");
        }
    }
}

#[test]
fn a_folder_is_replaced_whole_or_not_at_all() {
    let old = [("out/head", "old"), ("out/data/part1", "old"), ("out/data/part3", "old three")];
    try_every_step(replace_folder, &old, Disk::with_fault);
    try_every_step(replace_folder, &[], Disk::with_fault);
}

/// Folders above an output are made with it, and removed with it.
#[test]
fn folders_above_an_output_do_not_stay_without_it() {
    try_every_step(make_folder_deep, &[], Disk::with_fault);
    let home = home(&[("a/notes.txt", "precious")]);
    let before = tree(home.path());
    Replacement::check(&home.path().join("a/b/c/out"), "test", is_part).expect("free");
    assert_eq!(tree(home.path()), before);
    // A name that cannot be made, and a file in the way.
    for name in ["a/b/c/\0/out", "notes.txt/b/out"] {
        Replacement::check(&home.path().join(name), "test", is_part).expect_err(name);
        assert_eq!(tree(home.path()), before, "{name}");
    }
}

#[test]
fn so_it_is_where_two_names_cannot_be_exchanged() {
    let old = [("out/head", "old"), ("out/data/part1", "old"), ("out/data/part3", "old three")];
    try_every_step(replace_folder, &old, Disk::without_exchange);
}

#[test]
fn a_file_is_replaced_whole_or_not_at_all() {
    try_every_step(replace_file, &[("out", "old")], Disk::with_fault);
    try_every_step(make_file, &[], Disk::with_fault);
}

#[test]
fn a_file_that_appears_meanwhile_stays() {
    let home = home(&[]);
    let mut new = NewFile::begin(&Disk::default(), home.path(), "out", "test").expect("begun");
    new.write("out", Access::Usual, |out| out.write_all(b"new")).expect("written");
    put(home.path().join("out"), "theirs");
    assert!(!new.finish(ExistingFile::Absent).expect("no error"));
    assert_eq!(fs::read(home.path().join("out")).expect("there"), b"theirs");
    assert!(!home.path().join(".out.partial").exists());
}

/// Whatever somebody has put into a folder that would be replaced stays, at any depth; so do links.
#[test]
fn what_is_no_part_is_never_replaced() {
    for name in ["mine", "data/mine", "data/part1/mine"] {
        let home = home(&[("out/head", "old")]);
        put(home.path().join("out").join(name), "precious");
        let before = tree(home.path());
        let error = replace_folder(&Disk::default(), home.path()).expect_err("refused");
        assert!(error.is_setting() && error.to_string().contains("mine"), "{error}");
        assert_eq!(tree(home.path()), before);
    }
    #[cfg(unix)]
    {
        let home = home(&[("out/head", "old"), ("far/away.txt", "precious")]);
        std::os::unix::fs::symlink(home.path().join("far"), home.path().join("out/data"))
            .expect("a link");
        let before = tree(home.path());
        let error = replace_folder(&Disk::default(), home.path()).expect_err("refused");
        assert!(error.is_setting() && error.to_string().contains("data"), "{error}");
        assert_eq!(tree(home.path()), before);
    }
}

fn open(path: &Path, run: &str, rest: OnFailure) -> Result<Workplace> {
    Workplace::open(&Disk::default(), path, Work { job: "test", run }, rest)
}

/// Makes a folder as a killed run leaves it, with two files and a mark between them.
fn killed(path: &Path) {
    let disk = Disk::with_fault(Fault::Nothing);
    let work = Work { job: "test", run: "one" };
    let mut workplace = Workplace::open(&disk, path, work, OnFailure::Stays).expect("made");
    workplace.make_file(Path::new("log")).expect("made").write_all(b"log").expect("written");
    workplace.mark("log").expect("marked");
    workplace.make_file(Path::new("deep/er/a")).expect("made").write_all(b"a").expect("written");
    // The folder stays, with what was made after the mark.
    drop(workplace);
    assert!(path.join("deep/er/a").exists());
}

#[test]
fn work_goes_on_after_the_last_mark() {
    let home = home(&[]);
    let path = home.path().join("o.partial");
    killed(&path);
    let mut workplace = open(&path, "one", OnFailure::Stays).expect("ours");
    assert_eq!(workplace.marks(), ["log"]);
    workplace.rewind(1).expect("rewound");
    assert!(!path.join("deep").exists() && path.join("log").exists());
    workplace.make_file(Path::new("deep/er/a")).expect("made again");
    workplace.clear().expect("cleared");
    assert!(!path.exists());

    // Another run begins from scratch.
    killed(&path);
    let workplace = open(&path, "two", OnFailure::Stays).expect("ours");
    assert!(workplace.marks().is_empty() && !path.join("log").exists());
    drop(workplace);
    assert!(!path.exists(), "without a mark there is nothing to keep");
}

#[test]
fn a_folder_of_somebody_else_is_refused_and_left_alone() {
    type Prepare = fn(&Path);
    let cases: [(&str, Prepare); 8] = [
        ("thesis.txt", |path| put(path.join("thesis.txt"), "precious")),
        ("lock", |path| {
            // The folder as an earlier version left it.
            put(path.join("lock"), "");
            put(path.join("log"), "log");
        }),
        ("owner", |path| put(path.join("owner"), "I am the owner")),
        ("made", |path| {
            put(path.join("owner"), "");
            put(path.join("made"), "F\0");
        }),
        ("thesis.txt", |path| {
            put(path.join("owner"), "");
            put(path.join("thesis.txt"), "precious");
        }),
        ("thesis.txt", |path| {
            killed(path);
            put(path.join("thesis.txt"), "precious");
        }),
        ("version 0.0.1", |path| {
            killed(path);
            let owner = fs::read_to_string(path.join("owner")).expect("an owner");
            let version = concat!("version ", env!("CARGO_PKG_VERSION"));
            put(path.join("owner"), &owner.replace(version, "version 0.0.1"));
        }),
        ("not a folder", |path| put(path.to_owned(), "a file")),
    ];
    for (words, prepare) in cases {
        for run in ["one", "two"] {
            let home = home(&[]);
            let path = home.path().join("o.partial");
            prepare(&path);
            let before = tree(home.path());
            let error = open(&path, run, OnFailure::Stays).expect_err("refused");
            assert!(error.is_setting() && error.to_string().contains(words), "{words}: {error}");
            assert_eq!(tree(home.path()), before, "{words}");
        }
    }
}

/// Deeper down, it is met only when the folders around it are to be removed.
#[test]
fn what_somebody_has_put_deep_into_our_folder_stays() {
    let home = home(&[]);
    let path = home.path().join("o.partial");
    killed(&path);
    put(path.join("deep/er/thesis.txt"), "precious");
    let error = open(&path, "two", OnFailure::Stays).expect_err("refused");
    assert!(error.is_setting() && error.to_string().contains("thesis.txt"), "{error}");
    assert_eq!(fs::read(path.join("deep/er/thesis.txt")).expect("there"), b"precious");
    fs::rename(path.join("deep/er/thesis.txt"), home.path().join("mine")).expect("moved");
    open(&path, "two", OnFailure::Stays).expect("what the message says helps");
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    use std::os::unix::fs::symlink;
    let links: [(&str, &str); 5] =
        [("", ""), ("owner", "o.partial"), ("made", "made"), ("log", "log"), ("deep", "deep")];
    for (name, words) in links {
        let home = home(&[("far/away.txt", "precious"), ("far/er/a", "precious")]);
        let path = home.path().join("o.partial");
        if !name.is_empty() {
            killed(&path);
            let at = path.join(name);
            if at.is_dir() { fs::remove_dir_all(&at) } else { fs::remove_file(&at) }
                .expect("removed");
        }
        let far = if ["", "deep"].contains(&name) { "far" } else { "far/away.txt" };
        symlink(
            home.path().join(far),
            if name.is_empty() { path.clone() } else { path.join(name) },
        )
        .expect("a link");
        let before = tree(&home.path().join("far"));
        let error = open(&path, "two", OnFailure::Stays).expect_err("refused");
        assert!(error.to_string().contains(words), "{name}: {error}");
        assert_eq!(tree(&home.path().join("far")), before, "{name}");
    }
}

/// Whoever waits for a folder gets it, at whatever step of its removal the next attempt comes.
#[test]
fn a_folder_that_goes_meanwhile_is_made_again() {
    let home = home(&[]);
    let path = home.path().join("o.partial");
    let work = || {
        let mut n_done = 0;
        while n_done < 150 {
            match open(&path, "one", OnFailure::Stays) {
                Ok(held) => {
                    held.clear().expect("cleared");
                    n_done += 1;
                }
                Err(error) => assert!(error.is_busy(), "{error}"),
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(work);
        }
    });
    assert!(!path.exists());
}

#[test]
fn one_process_works_in_a_folder() {
    let home = home(&[]);
    let path = home.path().join("o.partial");
    let held = open(&path, "one", OnFailure::Stays).expect("made");
    let error = open(&path, "one", OnFailure::Stays).expect_err("held");
    let own = format!("process {} is at work", std::process::id());
    assert!(error.is_busy() && error.to_string().contains(&own), "{error}");
    held.clear().expect("cleared");
    open(&path, "one", OnFailure::Goes).expect("free");
    assert!(!path.exists());
}

#[test]
fn what_is_in_the_way_is_not_overwritten_and_not_removed() {
    let home = home(&[]);
    let path = home.path().join("o.partial");
    let mut workplace = open(&path, "one", OnFailure::Goes).expect("made");
    workplace.make_file(Path::new("finished/a")).expect("made");
    put(path.join("finished/b"), "precious");
    for name in ["finished/a", "finished/b"] {
        let error = workplace.make_file(Path::new(name)).expect_err("in the way");
        assert!(error.is_setting() && error.to_string().contains(name), "{error}");
    }
    drop(workplace);
    assert_eq!(fs::read(path.join("finished/b")).expect("there"), b"precious");
    assert!(!path.join("finished/a").exists());
}

#[test]
fn temporary_folders_of_killed_runs_go_with_the_next() {
    let base = tempfile::tempdir().expect("a folder");
    put(base.path().join("fanmill-mine/thesis.txt"), "precious");
    fs::create_dir(base.path().join("fanmill-notes")).expect("a folder");
    put(base.path().join("fanmill-7-0/owner"), "");
    let before = tree(base.path());
    // Killed after it has begun.
    let disk = Disk::with_fault(Fault::Killed(7));
    let killed = Workplace::temporary(&disk, Some(base.path())).expect("made");
    let killed_at = killed.path().to_owned();
    drop(killed);
    assert!(killed_at.join("owner").exists());
    // A run that began more than an hour ago and has come no further was killed.
    put(base.path().join("fanmill-8-0/owner"), "");
    fs::create_dir(base.path().join("fanmill-8-1")).expect("a folder");
    for name in ["fanmill-8-0", "fanmill-8-1", "fanmill-mine", "fanmill-notes"] {
        let folder = fs::File::open(base.path().join(name)).expect("opened");
        let then = std::time::SystemTime::now() - std::time::Duration::from_hours(2);
        folder.set_modified(then).expect("set");
    }
    let held = Workplace::temporary(&Disk::default(), Some(base.path())).expect("made");
    let next = Workplace::temporary(&Disk::default(), Some(base.path())).expect("made");
    assert!(held.path().exists() && next.path() != held.path());
    drop((held, next));
    assert_eq!(tree(base.path()), before);
}

#[test]
fn a_damaged_list_leads_nowhere_else() {
    let home = home(&[]);
    let path = home.path().join("o.partial");
    for lines in
        ["F../notes.txt\0", "F/etc/passwd\0", "D..\0", "Xa\0", "F", "Fdeep/../../notes.txt\0"]
    {
        killed(&path);
        put(path.join("made"), &format!("Flog\0Ddeep\0Ddeep/er\0Fdeep/er/a\0{lines}"));
        open(&path, "two", OnFailure::Goes).expect("ours");
        assert!(home.path().join("notes.txt").exists() && !path.exists(), "{lines:?}");
    }
}

/// A momentary name of a nameless file is ours only in the folder for such files.
#[test]
fn files_that_were_to_lose_their_names_go_from_their_own_folder_only() {
    let home = home(&[]);
    let path = home.path().join("o.partial");
    killed(&path);
    let mut workplace = open(&path, "one", OnFailure::Stays).expect("ours");
    let nameless = workplace.make_nameless().expect("made");
    put(nameless.join(".tmpAb12Cd"), "spilled");
    drop(workplace);
    put(path.join(".tmpMyNote"), "precious");
    let error = open(&path, "two", OnFailure::Goes).expect_err("refused");
    assert!(error.to_string().contains(".tmpMyNote"), "{error}");
    fs::rename(path.join(".tmpMyNote"), home.path().join("mine")).expect("moved");
    open(&path, "two", OnFailure::Goes).expect("ours");
    assert!(!path.exists());
}

/// Only a user who may change the owner of a folder can prepare this.
#[cfg(unix)]
#[test]
fn a_folder_of_another_user_is_not_taken_over() {
    use std::os::unix::fs::{chown, lchown};
    const NOBODY: u32 = 65_534;
    for name in ["", "owner"] {
        let home = home(&[]);
        let path = home.path().join("o.partial");
        killed(&path);
        let before = tree(home.path());
        if lchown(path.join(name), Some(NOBODY), None).is_err() {
            return;
        }
        for run in ["one", "two"] {
            let error = open(&path, run, OnFailure::Stays).expect_err("refused");
            assert!(error.is_setting() && error.to_string().contains("user 65534"), "{error}");
        }
        assert_eq!(tree(home.path()), before);
        fs::rename(&path, home.path().join("fanmill-1-0")).expect("renamed");
        drop(Workplace::temporary(&Disk::default(), Some(home.path())).expect("made"));
        assert!(home.path().join("fanmill-1-0/log").exists());
        chown(home.path().join("fanmill-1-0").join(name), Some(0), None).expect("given back");
    }
}

/// At no step of its making can others open a file that is for its owner alone.
#[cfg(unix)]
#[test]
fn a_private_file_is_private_from_its_first_moment() {
    use std::os::unix::fs::PermissionsExt;
    let like = Access::Like(fs::Permissions::from_mode(0o600));
    for access in [Access::Private, like] {
        let write = |disk: &Disk, home: &Path| {
            let mut new = NewFile::begin(disk, home, "out", "test")?;
            new.write("out", access.clone(), |out| out.write_all(b"secret"))?;
            new.finish(ExistingFile::Replaced)
        };
        let counted = Disk::with_fault(Fault::Nothing);
        write(&counted, home(&[]).path()).expect("done");
        let mut n_seen = 0;
        for n in 0..=counted.n_steps() {
            let home = home(&[]);
            let _ = write(&Disk::with_fault(Fault::Killed(n)), home.path());
            for path in ["out", ".out.partial", ".out.partial/out"] {
                let Ok(metadata) = fs::metadata(home.path().join(path)) else { continue };
                assert_eq!(metadata.permissions().mode() & 0o077, 0, "{n}: {path}");
                n_seen += 1;
            }
        }
        assert!(n_seen > 5);
    }
}

#[test]
fn a_file_system_without_locks_will_do() {
    let old = [("out/head", "old"), ("out/data/part1", "old"), ("out/data/part3", "old three")];
    try_every_step(replace_folder, &old, Disk::without_locks);
    try_every_step(make_file, &[], Disk::without_locks);
}

/// A child that another thread has just forked also has every open file, until it starts its own program.
#[test]
fn a_lock_ends_with_its_holder_though_a_child_has_the_file() {
    let home = home(&[]);
    let path = home.path().join("owner");
    let mut held = Disk::default().make_file(&path).expect("made");
    assert_eq!(held.lock().expect("locked"), Lock::Ours);
    let mut other = Disk::default().open_file(&path).expect("there");
    assert_eq!(other.lock().expect("asked"), Lock::Theirs);
    let inherited = held.file().try_clone().expect("a second handle");
    drop(held);
    assert_eq!(other.lock().expect("asked"), Lock::Ours);
    drop(inherited);
}

/// Without locks, a folder is left alone while the process that made it is alive, and if that cannot be known.
#[test]
fn without_locks_the_owner_says_which_process_is_at_work() {
    let home = home(&[]);
    let path = home.path().join("o.partial");
    let open = |rest| {
        let work = Work { job: "test", run: "one" };
        Workplace::open(&Disk::without_locks(Fault::Nothing), &path, work, rest)
    };
    let mut held = open(OnFailure::Stays).expect("made");
    held.make_file(Path::new("log")).expect("made");
    held.mark("log").expect("marked");
    let error = open(OnFailure::Stays).expect_err("held");
    let own = std::process::id().to_string();
    assert!(error.is_busy() && error.to_string().contains(&own), "{error}");
    let owner = fs::read_to_string(path.join("owner")).expect("an owner");
    drop(held);
    // A run that has failed does not hold up another one, not even in the same process.
    drop(open(OnFailure::Stays).expect("it was let go"));

    // This process is alive; a child that was waited for is not.
    let mut child = std::process::Command::new("true").spawn().expect("it starts");
    child.wait().expect("it has ended");
    let of = |process: String, host: Option<&str>| {
        let (words, line) = owner.split_once("process ").expect("a process");
        let own = line.split_once(" on ").expect("a host").1;
        let owner = format!("{words}process {process} on {}", host.unwrap_or(own));
        put(path.join("owner"), &owner);
    };
    of(own, None);
    open(OnFailure::Stays).expect_err("it lives");
    of(child.id().to_string(), Some("elsewhere\n"));
    let error = open(OnFailure::Stays).expect_err("nobody knows");
    assert!(error.to_string().contains("`elsewhere`"), "{error}");
    of(child.id().to_string(), None);
    let taken = open(OnFailure::Stays).expect("it has ended");
    assert_eq!(taken.marks(), ["log"]);
}

/// An error that would end a long job at its end is reported at its beginning.
#[test]
fn a_place_that_cannot_be_taken_is_known_before_anything_is_made() {
    type Prepare = fn(&Path);
    let cases: [(&str, &str, Prepare); 5] = [
        ("thesis.txt", "out", |home| put(home.join(".out.partial/thesis.txt"), "precious")),
        ("is at work", "out", |home| {
            let work = Work { job: "test", run: "" };
            let held = Workplace::open(
                &Disk::default(),
                &home.join(".out.partial"),
                work,
                OnFailure::Goes,
            );
            // Never dropped, so that it stays locked as if another run held it.
            std::mem::forget(held.expect("made"));
        }),
        ("version 0.0.1", "out", |home| {
            killed(&home.join(".out.partial"));
            let owner = fs::read_to_string(home.join(".out.partial/owner")).expect("an owner");
            let version = concat!("version ", env!("CARGO_PKG_VERSION"));
            put(home.join(".out.partial/owner"), &owner.replace(version, "version 0.0.1"));
        }),
        ("mine", "out", |home| put(home.join("out/mine"), "precious")),
        ("file name", &"x".repeat(250), |_| {}),
    ];
    for (words, name, prepare) in cases {
        let home = home(&[]);
        prepare(home.path());
        let before = tree(home.path());
        let error = Replacement::check(&home.path().join(name), "test", is_part).expect_err(words);
        assert!(error.to_string().to_lowercase().contains(words), "{words}: {error}");
        assert_eq!(tree(home.path()), before, "{words}");
    }
    let home = home(&[]);
    let before = tree(home.path());
    for name in ["out", "not/there/out"] {
        Replacement::check(&home.path().join(name), "test", is_part).expect("free");
        assert_eq!(tree(home.path()), before, "{name}");
    }
}
