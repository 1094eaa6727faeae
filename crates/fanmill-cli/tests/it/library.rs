//! Libraries of sources: the commands that `docs/sources-library.md` gives to newcomers, and dumps from standard input.

use std::fs;
use std::path::Path;

use fanmill_library::zim::made::{Made, MadeCluster, MadeEntry, MadeLeads};
use serde_json::Value;

use crate::place::Place;

/// A passage of an article, which an essay has, too.
const KETTLE: &str = "a kettle that whistles when the water boils was sold in the north of the country long before \
    anybody wrote about it";
/// A passage of a thesis, likewise.
const MILL: &str = "the mill at the end of the valley ground barley for eleven villages until the river was turned away \
    from its wheel";
/// The library that the page takes for an example.
const ZIM: &str = "wikipedia_en_simple_all_nopic.zim";

/// A library of three articles: one has the passage, and another has a copy of it.
fn zim() -> Vec<u8> {
    let kettle =
        format!("<title>Kettle</title><p>In short, {KETTLE}. It has a spout and a lid.</p>");
    let whistle =
        format!("<title>Whistle</title><p>Some say that {KETTLE}. Others whistle by hand.</p>");
    let barley = b"<title>Barley</title><p>Barley is a grain that many breads are made of.</p>";
    let entry = |namespace, path, text| MadeEntry {
        namespace,
        path,
        title: "",
        leads: MadeLeads::Text(0, text),
    };
    let made = Made {
        version: (6, 1),
        entries: vec![
            entry(b'C', "Barley", barley),
            entry(b'C', "Kettle", kettle.as_bytes()),
            entry(b'C', "Whistle", whistle.as_bytes()),
            entry(b'M', "Date", b"2026-03-01"),
            entry(b'M', "License", b"CC BY-SA 4.0"),
            entry(b'M', "Source", b"https://wiki.example/"),
        ],
        cluster: MadeCluster::PLAIN,
        texts_in_cluster: 2,
    };
    made.bytes()
}

/// A library of one article: a sentence, and a program of several screens.
fn article_of_code(program: &str) -> Vec<u8> {
    let page = format!(
        "<title>Mill</title><p>In short, {KETTLE}.</p><pre><code class=\"language-rust\">{program}</code></pre>"
    );
    let leads = MadeLeads::Text(0, page.as_bytes());
    let entries = vec![MadeEntry { namespace: b'C', path: "Mill", title: "", leads }];
    let cluster = MadeCluster::PLAIN;
    Made { version: (6, 1), entries, cluster, texts_in_cluster: 1 }.bytes()
}

fn place() -> Place {
    let anna = format!("As I see it, {KETTLE}. I also think that {MILL}. So much for that.");
    let ben = "Nothing in this essay is from anywhere, and whoever reads it will see that soon.";
    let thesis = format!("My grandmother knew how {MILL}, and that nobody minded.");
    Place::new()
        .with(ZIM, zim())
        .with("essays/anna.txt", anna)
        .with("essays/ben.txt", ben)
        .with("theses/1998.txt", thesis)
}

/// Returns the commands of the newcomer's section of the page.
fn commands() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sources-library.md");
    let page = fs::read_to_string(page).expect("the page");
    let mut sections = page.split("\n## ");
    let section = sections.find(|section| section.starts_with("Check essays"));
    let lines = section.expect("the section").lines();
    lines.filter_map(|line| line.trim().strip_prefix("fanmill ")).map(str::to_owned).collect()
}

#[test]
fn the_commands_for_newcomers_do_what_the_page_says() {
    let place = place();
    let commands = commands();
    assert_eq!(commands.len(), 6, "{commands:?}");
    let mut said = Vec::new();
    for command in &commands {
        let done = place.fanmill(command).run();
        assert_eq!(done.code, Some(0), "{command}: {done}");
        said.push(done);
    }
    assert!(said[0].stderr.starts_with("3 documents added"), "{}", said[0]);
    let again = place.fanmill(&commands[0]).run();
    assert!(again.stderr.starts_with("0 documents added, 0 replaced, 3 already there"), "{again}");
    let searched = &said[2].stdout;
    let head = "essays/anna.txt: passages in common with 2 of 3 documents";
    assert!(searched.contains(head), "{searched}");
    // Two articles have the passage, so one of them is the other's variant.
    let line = |own: &str| format!("          {own} · CC BY-SA 4.0 · 2026-03-01\n");
    let same = |own: &str| format!("          the same is in {ZIM}/https://wiki.example/{own}\n");
    let is_shown = |one: &str, other: &str| searched.contains(&(line(one) + &same(other)));
    assert!(is_shown("Kettle", "Whistle") || is_shown("Whistle", "Kettle"), "{searched}");
    assert!(searched.contains("essays/ben.txt: no passage"), "{searched}");
    let report = fs::read_to_string(place.path("report/report.json")).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let [source] = &report["sources"].as_array().expect("sources")[..] else { panic!("{report}") };
    assert_eq!(source["variants"].as_array().map(Vec::len), Some(1));
    let pair = &report["pairs"][source["pair"].as_u64().expect("a number") as usize];
    let shown = &report["submissions"][pair["b"].as_u64().expect("a number") as usize];
    let url = shown["url"].as_str().expect("an address");
    assert!(url == "https://wiki.example/Kettle" || url == "https://wiki.example/Whistle");
    let both = &said[5].stdout;
    let head = "essays/anna.txt: passages in common with 3 of 4 documents in 2 libraries";
    assert!(both.contains(head) && both.contains("theses/1998.txt"), "{both}");
}

#[test]
fn several_libraries_are_one_answer_in_json() {
    let place = place();
    for command in [&*format!("index add wiki.fanmill {ZIM}"), "index add theses.fanmill theses"] {
        assert_eq!(place.fanmill(command).run().code, Some(0));
    }
    let both =
        "search --library wiki.fanmill --library theses.fanmill essays/anna.txt --format json";
    let done = place.fanmill(both).run();
    assert_eq!(done.code, Some(0), "{done}");
    let answer: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let libraries = answer["libraries"].as_array().expect("libraries").iter();
    let folders: Vec<&Value> = libraries.map(|own| &own["folder"]).collect();
    assert_eq!(folders, ["wiki.fanmill", "theses.fanmill"]);
    let sources = answer["sources"].as_array().expect("sources").iter();
    let said = sources.map(|own| {
        (own["library"].as_u64(), own["variant_of"].is_u64(), own["added"].as_u64() > Some(11))
    });
    let mut said: Vec<_> = said.collect();
    said.sort_unstable();
    let expected = [(Some(0), false, true), (Some(0), true, false), (Some(1), false, true)];
    assert_eq!(said, expected, "{done}");

    for (arguments, why) in [
        (
            "search --library wiki.fanmill --library ./wiki.fanmill essays/anna.txt",
            "index `./wiki.fanmill` is given twice",
        ),
        (
            "search --library wiki.fanmill --library theses.fanmill essays --and-add",
            "--and-add adds to one index",
        ),
        ("search --library wiki.fanmill", "required"),
    ] {
        let done = place.fanmill(arguments).run();
        assert!(done.code != Some(0) && done.stderr.contains(why), "{done}");
    }
}

/// Read as a whole, it would be code, and its words would not be found.
#[test]
fn an_article_full_of_code_is_found_by_its_words_and_by_its_code() {
    let line = |i: u32| {
        format!("    let grain_{i} = mill.weigh(sacks[{i}], {});\n    total += grain_{i};\n", i * 7)
    };
    let program = format!(
        "fn grind(mill: &Mill, sacks: &[Sack]) -> u32 {{\n    let mut total = 0;\n{}    total\n}}\n",
        (0..40).map(line).collect::<String>()
    );
    let place = place()
        .with("docs.zim", article_of_code(&program.replace('&', "&amp;")))
        .with("work/grind.rs", &*program);
    assert_eq!(place.fanmill("index add docs.fanmill docs.zim").run().code, Some(0));
    for text in ["essays/anna.txt", "work/grind.rs"] {
        let found = place.fanmill(&format!("search docs.fanmill {text}")).run();
        let head = format!("{text}: passages in common with 1 of 1 document ");
        assert!(found.stdout.contains(&head), "{found}");
    }
}

/// A dump may come from another program, as archives that are not unpacked here do.
#[test]
fn a_dump_from_standard_input_is_added_with_its_facts() {
    let dump = format!(
        "<mediawiki xml:lang=\"en\">\n<siteinfo><base>https://wiki.example/wiki/Main</base></siteinfo>\n\
         <page><title>Kettle</title><ns>0</ns><id>1</id><revision><timestamp>2026-03-01T00:00:00Z</timestamp>\
         <text>'''So''' {KETTLE}.</text></revision></page>\n</mediawiki>\n"
    );
    let place = place().with("dump.xml", dump);
    let done = place.fanmill("index add wiki.fanmill -").fed(&place.path("dump.xml")).run();
    assert_eq!(done.code, Some(0), "{done}");
    let listed = place.fanmill("index list wiki.fanmill --format json").run();
    let record: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    for (field, fact) in [
        ("name", "stdin/https://wiki.example/wiki/Kettle"),
        ("title", "Kettle"),
        ("url", "https://wiki.example/wiki/Kettle"),
        ("submitted", "2026-03-01T00:00:00Z"),
        ("language", "en"),
    ] {
        assert_eq!(record[field], fact, "{listed}");
    }
    // The exported corpus has the same facts.
    let exported = place.fanmill("index export wiki.fanmill").run();
    place.write("again.jsonl", &exported.stdout);
    assert_eq!(place.fanmill("index add again.fanmill again.jsonl").run().code, Some(0));
    let listed = place.fanmill("index list again.fanmill --format json").run();
    let record: Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert_eq!(record["title"], "Kettle", "{listed}");
    assert_eq!(record["submitted"], "2026-03-01T00:00:00Z", "{listed}");
}

/// A file that cannot be written again is refused before anything is read for it.
#[test]
fn duplicates_are_not_removed_from_a_zim_file() {
    let place = place();
    let done = place.fanmill(&format!("dedup {ZIM} -o out")).run();
    let why = "is a ZIM file, which is read and not written again; ask for a report only";
    assert!(done.code != Some(0) && done.stderr.contains(why), "{done}");
    let rest = fs::read_dir(place.path(".")).expect("a folder").count();
    assert_eq!(rest, 3, "nothing was begun");
}

/// A report on a library with damaged articles names them, although they cannot be written to a file of their own.
#[test]
fn damaged_articles_are_in_the_report() {
    let mut bytes = zim();
    let number = |at: usize| {
        let bytes: [u8; 8] = bytes[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes) as usize
    };
    // The way in which the second cluster is packed: nobody knows it.
    let second = number(number(48) + 8);
    bytes[second] = 0xf;
    let place = Place::new().with("wiki.zim", bytes);
    let done = place.fanmill("dedup wiki.zim --mode report -o out --format json").run();
    assert_eq!(done.code, Some(0), "{done}");
    let summary: Value = serde_json::from_str(&done.stdout).expect("JSON");
    assert_eq!(summary["inputs"]["failed"], 1, "{done}");
    assert!(place.path("out.fanmill/failed.parquet").is_file());
    assert!(!place.path("out.fanmill/failed").exists(), "no file of articles");
}
