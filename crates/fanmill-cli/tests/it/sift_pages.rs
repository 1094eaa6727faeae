//! Pages are read as a browser shows them, in every command of `fanmill sift` and by every profile.

use insta::assert_snapshot;

use crate::place::{Place, example};
use crate::sift::place_with_keys;

/// The prose on pages that show it, each written so that a reader that takes tags for words would miss it.
fn pages(prose: &str) -> Vec<(&'static str, String)> {
    let each_word = |word: &dyn Fn(&str) -> String| -> String {
        prose.split_whitespace().map(|text| word(text) + " ").collect::<Vec<_>>().concat()
    };
    let split = |word: &str| -> String {
        word.chars().map(|c| format!("<b></b>{c}<!-- x -->")).collect::<Vec<_>>().concat()
    };
    vec![
        ("spans.html", each_word(&|word| format!("<span>{word}</span>"))),
        ("split.htm", each_word(&split)),
        (
            "letters.xhtml",
            each_word(&|word| {
                word.chars().map(|c| format!("&#x{:x};", c as u32)).collect::<Vec<_>>().concat()
            }),
        ),
        ("hidden.html", each_word(&|word| format!("{word} <i style=\"display:none\">decoy</i>"))),
        (
            "told.txt",
            format!("<!doctype html><html><body>{}", each_word(&|word| format!("<u>{word}</u>"))),
        ),
        (
            "sheet.html",
            format!(
                "<style>.x{{display:none}}</style>{}",
                each_word(&|word| format!("{word}<b class=x>zz</b>"))
            ),
        ),
    ]
}

fn place() -> (Place, String) {
    let (place, prose) = (place_with_keys(), example("sift/originals/lighthouse.txt"));
    place.write("prose.txt", &prose);
    for (name, page) in pages(&prose) {
        place.write(format!("pages/{name}"), page);
    }
    (place, prose)
}

#[test]
fn pages_are_the_text_that_they_show_by_every_profile() {
    let (place, prose) = place();
    for profile in ["standard", "short", "mail", "words@1/slide(l=4)/min(m=0.2n)"] {
        let add = format!("sift add --key a.key --quiet --profile {profile} s.sift prose.txt");
        assert_eq!(place.fanmill(&add).run().code, Some(0));
        let done = place.fanmill("sift check --key a.key s.sift pages").run();
        assert_eq!(done.code, Some(0), "{done}");
        let n_same = done.stdout.lines().filter(|line| line.starts_with("yes  same ")).count();
        assert_eq!(n_same, pages(&prose).len(), "{profile}: {done}");
        std::fs::remove_dir_all(place.path("s.sift")).expect("a store");
    }
}

#[test]
fn what_a_page_hides_is_counted() {
    let (place, _) = place();
    place.write("one.html", "<p>shown<p hidden>not shown<!-- nor this -->");
    let add = "sift add --key a.key --quiet s.sift prose.txt";
    assert_eq!(place.fanmill(add).run().code, Some(0));
    assert_snapshot!(place.fanmill("sift check --key a.key s.sift one.html").run(), @r"
    exit: 0
    --- stdout
    no           one.html
                 (hidden text left out: 8 characters)
                 (so short that only an unchanged copy would be recognised)
    --- stderr
    0 copies, 1 not recognised
    ");
    let as_text = place.fanmill("sift check --key a.key s.sift one.html --input-format text").run();
    assert!(!as_text.stdout.contains("hidden"), "{as_text}");
}

#[test]
fn originals_that_are_pages_are_added_grouped_explained_and_rekeyed_as_pages() {
    let (place, _) = place();
    let run = |arguments: &str| {
        let done = place.fanmill(&format!("sift {arguments}")).run();
        assert_eq!(done.code, Some(0), "{arguments}: {done}");
        done
    };
    run("add --key a.key s.sift pages");
    let found = run("check --key a.key s.sift prose.txt --explain pages --format json");
    assert!(found.stdout.contains("\"grade\":\"same\""), "{found}");
    assert!(found.stdout.contains("\"there\":[{"), "{found}");
    run("rekey --key a.key --new-key b.key s.sift pages");
    let found = run("check --key b.key s.sift prose.txt");
    assert!(found.stdout.starts_with("yes  same "), "{found}");
    let groups = run("campaign --key a.key pages prose.txt --profile standard");
    assert!(groups.stdout.contains("\n     7  pages/"), "{groups}");
}

#[test]
fn attacks_are_made_on_what_pages_show() {
    let (place, prose) = place();
    let orchard = example("sift/originals/orchard.txt");
    let page = |text: &str| -> String {
        text.split_whitespace()
            .map(|word| format!("<span class=\"w\">{word}</span> "))
            .collect::<Vec<_>>()
            .concat()
    };
    for (i, text) in [prose, orchard].iter().enumerate() {
        let words: Vec<&str> = text.split_whitespace().collect();
        place.write(format!("plain/{i}.txt"), words.join(" "));
        place.write(format!("marked/{i}.html"), page(text));
    }
    let attack = |folder: &str| {
        let done = place
            .fanmill(&format!("sift attack {folder} --keys 1 --seed 1 --scheme standard"))
            .run();
        assert_eq!(done.code, Some(0), "{done}");
        done.stdout
    };
    assert_eq!(attack("plain"), attack("marked"));
}

#[test]
fn as_many_originals_are_named_as_were_asked_for_and_all_are_counted() {
    let place = place_with_keys();
    let prose = example("sift/originals/lighthouse.txt");
    for i in 0..120 {
        place.write(format!("o/{i:03}.txt"), format!("{prose}\nEnd of version {i}."));
    }
    place.write("suspect.txt", &prose);
    let add = place.fanmill("sift add --key a.key --quiet s.sift o").run();
    assert_eq!(add.code, Some(0), "{add}");
    for (flag, n_named) in [
        ("--names", 5),
        ("--names=1", 1),
        ("--names=7", 7),
        ("--names=120", 120),
        ("--names=500", 120),
    ] {
        let check = |format: &str| {
            place
                .fanmill(&format!(
                    "sift check --key a.key s.sift {flag} suspect.txt --format {format}"
                ))
                .run()
        };
        let done = check("json");
        let line: serde_json::Value = serde_json::from_str(&done.stdout).expect(&done.stdout);
        let named = line["originals"].as_array().expect("names");
        let count = line["n_originals"].as_u64().expect("a count");
        let n_known = if n_named > 100 { 120 } else { 100 };
        assert_eq!((named.len(), count), (n_named, n_known), "{flag}: {done}");
        let crowded = "not all were compared";
        assert_eq!(done.stdout.contains(crowded), n_named <= 100, "{flag}: {done}");
        let table = check("table");
        let more = n_known as usize - n_named;
        assert_eq!(
            table.stdout.contains(&format!(" and {more} more\n")),
            more > 0,
            "{flag}: {table}"
        );
        assert_eq!(table.stdout.matches("o/").count(), n_named, "{flag}: {table}");
    }
    // A path after it is still a path.
    let done = place.fanmill("sift check --key a.key s.sift --names suspect.txt").run();
    assert!(done.code == Some(0) && done.stdout.contains("  <-  o/"), "{done}");
    assert_eq!(
        place.fanmill("sift check --key a.key s.sift --names=0 suspect.txt").run().code,
        Some(2)
    );
}
