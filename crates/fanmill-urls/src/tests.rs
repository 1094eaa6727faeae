//! Tests of learning, on generated sites whose grammar is known.

use fanmill_kernel::hash::mix::mix;
use fanmill_text::progress::Silent;
use proptest::prelude::*;

use super::content::Content;
use super::{Collector, Findings, Limits, Options};

/// Learns from addresses and texts.
fn learn_with(options: Options, records: &[(String, String)]) -> Findings {
    let mut collector = Collector::new(options).expect("options");
    let summariser = collector.summariser().expect("the standard sketch");
    for (url, text) in records {
        let summary = summariser.summary(Content::Text(text));
        collector.push(url, &summary).expect("memory").expect(url);
    }
    collector.learn(&Silent).expect("rules")
}

fn learn(records: &[(String, String)]) -> Findings {
    learn_with(Options::standard(), records)
}

/// Returns the rules, each as its host and its description.
fn rules(findings: &Findings) -> Vec<String> {
    findings.rules.iter().map(|l| format!("{}: {}", l.rule.host, l.rule)).collect()
}

/// Returns a text of 40 words that does not resemble other texts.
fn text(page: u64) -> String {
    let words: Vec<String> = (0..40).map(|i| format!("w{}", mix(page << 8 | i) % 50_000)).collect();
    words.join(" ")
}

/// Returns a value that other visits do not have.
fn token(seed: u64) -> String {
    let digits: Vec<char> = ('0'..='9').chain('a'..='z').chain('A'..='Z').collect();
    (0..12).map(|i| digits[(mix(seed << 4 | i) % 62) as usize]).collect()
}

/// Returns `visits` records for each of `pages` pages; `address` makes a URL of the page and the visit.
fn site(pages: u64, visits: u64, address: impl Fn(u64, u64) -> String) -> Vec<(String, String)> {
    let all = (0..pages).flat_map(|page| (0..visits).map(move |visit| (page, visit)));
    all.map(|(page, visit)| (address(page, visit), text(page))).collect()
}

/// Returns whether there are never two contents at one address, and one address for each content.
fn is_perfect(findings: &Findings) -> bool {
    findings.check.lost == 0 && findings.check.after == findings.n_contents
}

#[test]
fn a_session_id_is_found_and_a_page_number_is_not() {
    let records = site(12, 3, |page, visit| {
        let sid = token(page * 100 + visit);
        format!("http://example.org/item?id={page}&sid={sid}&view=full")
    });
    let findings = learn(&records);
    assert_eq!(rules(&findings), ["example.org: drop parameter sid"]);
    assert!(is_perfect(&findings));
    let learnt = &findings.rules[0];
    assert_eq!((learnt.evidence.contents, learnt.evidence.conflicts, learnt.n_urls), (12, 0, 36));
    assert_eq!(learnt.looks, Some("random values, as of sessions"));
    assert_eq!(&*findings.canonical[5], "http://example.org/item?id=1&view=full");
}

#[test]
fn crumbs_in_the_path_are_found_with_and_without_a_lead() {
    let led =
        site(8, 3, |page, visit| format!("http://example.org/S-{}/goods/{page}/", token(visit)));
    let findings = learn(&led);
    assert_eq!(rules(&findings), ["example.org: drop path segment 1, S-[0-9A-Za-z]{12}"]);
    assert!(is_perfect(&findings));
    let bare = site(8, 4, |page, visit| match visit {
        0 => format!("http://example.org/goods/page-{page}.html"),
        _ => format!("http://example.org/goods/{}/page-{page}.html", token(page * 10 + visit)),
    });
    let findings = learn(&bare);
    assert_eq!(
        rules(&findings),
        ["example.org: drop path segment 2, [0-9A-Za-z]{12} below /goods"]
    );
    assert!(is_perfect(&findings));
    assert_eq!(findings.rules[0].evidence.seen, 8, "the short addresses were in the input");
}

#[test]
fn path_parameters_are_found() {
    let records = site(9, 2, |page, visit| {
        format!("http://example.org/a/p{page}.do;jsessionid={}?x=1", token(visit + 7 * page))
    });
    let findings = learn(&records);
    assert_eq!(rules(&findings), ["example.org: drop path parameter ;jsessionid"]);
    assert!(is_perfect(&findings));
}

/// Every visit has its own values of both, so that dropping only one of them shows nothing.
#[test]
fn what_varies_together_is_found_together() {
    let records = site(9, 2, |page, visit| {
        let n = 10 * page + visit;
        format!("http://example.org/{page}?from=mail{n}&sid={}", token(n))
    });
    let findings = learn(&records);
    assert_eq!(
        rules(&findings),
        ["example.org: drop parameter from", "example.org: drop parameter sid"]
    );
    assert!(findings.rules.iter().all(|l| l.is_joint) && is_perfect(&findings));
    let crumbs = site(9, 3, |page, visit| {
        let n = 10 * page + visit;
        format!("http://example.org/s-{}/p/{page}?from=mail{n}", token(n))
    });
    let findings = learn(&crumbs);
    assert_eq!(rules(&findings).len(), 2, "{:?}", rules(&findings));
    assert!(is_perfect(&findings));
}

#[test]
fn a_constant_parameter_gives_no_rule() {
    let records = site(12, 1, |page, _| format!("http://example.org/?id={page}&lang=en"));
    let findings = learn(&records);
    assert_eq!(rules(&findings), Vec::<String>::new());
    assert_eq!(findings.check.after, 12);
}

#[test]
fn one_page_at_many_addresses_proves_nothing() {
    let records: Vec<(String, String)> = (0..200)
        .map(|i| (format!("http://example.org/p{}?id={i}", i % 7), "not found".to_owned()))
        .collect();
    assert_eq!(rules(&learn(&records)), Vec::<String>::new());
}

#[test]
fn a_parameter_that_matters_on_one_path_stays_there() {
    let mut records = site(10, 3, |page, visit| {
        format!("http://example.org/item/{page}?sort={}", ["up", "down", "new"][visit as usize])
    });
    for (i, sort) in ["up", "down", "new"].iter().enumerate() {
        records.push((format!("http://example.org/list?sort={sort}"), text(1000 + i as u64)));
    }
    let findings = learn(&records);
    assert_eq!(rules(&findings), ["example.org: drop parameter sort below /item"]);
    assert!(is_perfect(&findings));
}

/// The items of a large site must not outvote its one list.
#[test]
fn a_few_lists_outweigh_many_items() {
    let mut records =
        site(400, 2, |page, visit| format!("http://example.org/item/{page}?page={visit}"));
    for page in 0..4 {
        records.push((format!("http://example.org/list?page={page}"), text(1000 + page)));
    }
    let findings = learn(&records);
    assert_eq!(rules(&findings), ["example.org: drop parameter page below /item"]);
    assert!(is_perfect(&findings));
}

#[test]
fn noise_is_borne_and_counted() {
    let mut records = site(150, 2, |page, visit| {
        format!("http://example.org/item/{page}?sid={}", token(2 * page + visit))
    });
    records[17].1 = "out of order, please come back later".to_owned();
    let findings = learn(&records);
    assert_eq!(rules(&findings), ["example.org: drop parameter sid"]);
    assert_eq!((findings.check.whole, findings.check.lost), (149, 1));
    let strict = Options {
        limits: Limits { max_conflicts: 0.0, ..Limits::standard() },
        ..Options::standard()
    };
    let findings = learn_with(strict, &records);
    assert_eq!((rules(&findings).len(), findings.check.lost), (0, 0));
}

#[test]
fn the_order_of_parameters_is_learnt_where_it_varies() {
    let records = site(10, 2, |page, visit| match visit {
        0 => format!("http://example.org/v?id={page}&lang=en"),
        _ => format!("http://example.org/v?lang=en&id={page}"),
    });
    let findings = learn(&records);
    assert_eq!(rules(&findings), ["example.org: sort parameters"]);
    assert!(is_perfect(&findings));
}

#[test]
fn slashes_files_and_case_are_learnt() {
    let of = |variant: &str| {
        let variant = variant.to_owned();
        learn(&site(6, 2, move |page, visit| {
            let path = format!("dir/p{page}");
            match (visit, &*variant) {
                (0, "slash") => format!("http://example.org/{path}"),
                (1, "case") => format!("http://example.org/{}/", path.to_uppercase()),
                (1, "index") => format!("http://example.org/{path}/start.asp"),
                (1, "scheme") => format!("https://example.org/{path}/"),
                _ => format!("http://example.org/{path}/"),
            }
        }))
    };
    for (variant, expected) in [
        ("slash", "example.org: drop the slash at the end"),
        ("case", "example.org: lower case path"),
        ("index", "example.org: drop start.asp"),
        ("scheme", "example.org: write https"),
    ] {
        let findings = of(variant);
        assert_eq!(rules(&findings), [expected]);
        assert!(is_perfect(&findings), "{variant}");
    }
}

#[test]
fn mirrors_are_found_and_sites_of_one_owner_are_none() {
    let mirrored = site(10, 2, |page, visit| match visit {
        0 => format!("https://example.org/docs/{page}"),
        _ => format!("http://www.example.org/docs/{page}"),
    });
    let findings = learn(&mirrored);
    assert_eq!(rules(&findings), ["www.example.org: write example.org for the host"]);
    assert!(is_perfect(&findings));
    assert_eq!(&*findings.canonical[1], "https://example.org/docs/0");
    // The two sites share five pages, and each has thirty of its own.
    let cousins = |host: &'static str, own: u64| {
        let common = site(5, 1, move |page, _| format!("http://{host}/legal/{page}"));
        let own = (0..30).map(move |i| (format!("http://{host}/p/{i}"), text(own + i)));
        common.into_iter().chain(own)
    };
    let records: Vec<_> =
        cousins("example.org", 1000).chain(cousins("example.net", 2000)).collect();
    let findings = learn(&records);
    // The folder that they share is moved, and the rest is not touched.
    assert_eq!(rules(&findings), ["example.org: write example.net/legal for /legal"]);
    assert!(is_perfect(&findings));
}

#[test]
fn a_mirror_hidden_by_session_ids_is_found() {
    let records = site(10, 4, |page, visit| {
        let host = if visit % 2 == 0 { "example.org" } else { "mirror.example.net" };
        format!("http://{host}/p/{page}?sid={}", token(10 * page + visit))
    });
    let findings = learn(&records);
    assert!(is_perfect(&findings), "{:?}", rules(&findings));
    assert_eq!(findings.rules.len(), 3, "{:?}", rules(&findings));
    // Addresses are moved to their new host before its rules apply.
    assert_eq!(findings.rules[2].rule.host, "example.org", "{:?}", rules(&findings));
}

#[test]
fn links_between_folders_are_found() {
    let records = site(8, 2, |page, visit| match visit {
        0 => format!("http://example.org/~nina/notes/{page}.html"),
        _ => format!("http://example.org/users/nina/notes/{page}.html"),
    });
    let findings = learn(&records);
    assert_eq!(rules(&findings), ["example.org: write /~nina for /users/nina"]);
    assert!(is_perfect(&findings));
}

#[test]
fn too_much_for_the_memory_is_an_error_that_says_so() {
    let mut collector =
        Collector::new(Options { memory: 10_000, ..Options::standard() }).expect("fine");
    let summariser = collector.summariser().expect("standard");
    let mut push = |i: u64| {
        let summary = summariser.summary(Content::Text(&text(i)));
        collector.push(&format!("http://example.org/{i}"), &summary).map(drop)
    };
    let error = (0..100).find_map(|i| push(i).err()).expect("an end");
    assert!(error.is_setting() && error.to_string().contains("the setting `memory`"), "{error}");
}

/// Every visit has parameters of its own, more or fewer than are tried together.
#[test]
fn addresses_with_many_parameters_take_time_by_their_length() {
    let address = |n: u64, mark: &str, before: &str| {
        let (mark, before) = (mark.to_owned(), before.to_owned());
        move |page: u64, visit: u64| {
            let value = |k: u64| format!("p{k}={}", token(page * 1000 + visit * 100 + k));
            let values: Vec<String> = (0..n).map(value).collect();
            format!("http://example.org/page-{page}{before}{}", values.join(&mark))
        }
    };
    // There is one thread, so that all work is done where it is measured.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut efforts = Vec::new();
    for (mark, before) in [("&", "?"), (";", ";")] {
        for n in [12, 40] {
            let records = site(1000, 2, address(n, mark, before));
            let (findings, effort) = pool.install(|| fanmill_effort::of(|| learn(&records)));
            assert_eq!(findings.rules.len(), if n == 12 { 12 } else { 0 }, "{n} {mark}");
            efforts.push(effort);
        }
    }
    // An address with forty parameters is three times as long as one with a dozen.
    assert!(efforts.iter().all(|effort| *effort < 4 * efforts[0]), "{efforts:?}");
}

/// Addresses are as long as possible, have up to ten thousand parameters, or are in other scripts.
#[test]
fn hostile_addresses_take_bounded_work() {
    let mut collector = Collector::new(Options::standard()).expect("fine");
    let summariser = collector.summariser().expect("standard");
    let parameters =
        |n: usize| (0..n).map(|i| ["&p", &i.to_string(), "="].concat()).collect::<String>();
    let many = parameters(10_000);
    let deep = "/a".repeat(4000);
    let mut n_refused = 0;
    for page in 0..8 {
        let summary = summariser.summary(Content::Text(&text(page)));
        for visit in 0..4 {
            let sid = token(page * 10 + visit);
            let short = parameters(1000);
            for url in [
                format!("http://example.org/{page}?sid={sid}{many}"),
                format!("http://example.org/{page}?sid={sid}{short}"),
                format!("http://example.net{deep}/{page}?sid={sid}"),
                format!("http://bücher.example.com/é{page}/日本?sid={sid}"),
                format!("http://example.org/{}", "x".repeat(100_000)),
                format!("http://example.org/\u{0}\n{page}\u{202e}?sid={sid}"),
                "http://[::1".to_owned(),
            ] {
                n_refused += usize::from(collector.push(&url, &summary).expect("memory").is_err());
            }
        }
    }
    // Two of the addresses are too long, and one is malformed.
    assert_eq!(n_refused, 8 * 4 * 3);
    let findings = collector.learn(&Silent).expect("rules");
    assert_eq!(findings.check.lost, 0);
    let dropped = |l: &str| l.ends_with("drop parameter sid");
    assert!(rules(&findings).iter().all(|rule| dropped(rule)), "{:?}", rules(&findings));
    assert_eq!(findings.n_hosts, 3);
}

/// The behaviour of one part of a generated site's addresses.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    /// The part is absent.
    Absent,
    /// The part is the same everywhere.
    Constant,
    /// The part has another value at every visit.
    Random,
    /// The part has one of three values.
    Few,
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![Just(Part::Absent), Just(Part::Constant), Just(Part::Random), Just(Part::Few)]
}

fn value(part: Part, visit: u64, seed: u64) -> Option<String> {
    match part {
        Part::Absent => None,
        Part::Constant => Some("same".to_owned()),
        Part::Random => Some(token(seed)),
        Part::Few => Some(["mail", "news", "shop"][((visit + seed) % 3) as usize].to_owned()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fanmill_effort::cases(60)))]

    /// Everything that varies without a reason is found, and parts that select content are never touched.
    #[test]
    fn generated_sites_are_put_together_and_not_more(
        crumb in prop_oneof![Just(Part::Absent), Just(Part::Random)],
        sid in part(), from in part(), path_parameter in part(),
        pages in 6_u64..14, visits in 3_u64..6, seed in 0_u64..1000,
    ) {
        let records = site(pages, visits, |page, visit| {
            let n = seed << 20 | page << 8 | visit;
            let crumb = value(crumb, visit, n).map_or(String::new(), |v| format!("/S-{v}"));
            let matrix = value(path_parameter, visit, n + 1).map_or(String::new(), |v| format!(";m={v}"));
            let sid = value(sid, visit, n + 2).map_or(String::new(), |v| format!("&sid={v}"));
            let from = value(from, visit, n + 3).map_or(String::new(), |v| format!("&from={v}"));
            let (folder, id) = (page % 2, page / 2);
            format!("http://example.org{crumb}/f{folder}/view{matrix}?id={id}{sid}{from}&part={}", page % 3)
        });
        let findings = learn(&records);
        prop_assert!(is_perfect(&findings), "{:?}\n{:?}", rules(&findings), findings.check);
        let touched = rules(&findings).iter().any(|rule| rule.contains("parameter id") || rule.contains("parameter part"));
        prop_assert!(!touched, "{:?}", rules(&findings));
    }

    /// Contents are random: rules may or may not be found, but they never lose more than is allowed.
    #[test]
    fn nothing_is_lost_beyond_the_limit(
        records in proptest::collection::vec(
            (prop::sample::select(vec!["", "/a", "/b", "/S-abcd1", "/S-bcde2", "/S-cdef3", "/A"]),
             0_u64..4, 0_u64..4, 0_u64..3, 0_u64..6), 0..120),
    ) {
        let records: Vec<(String, String)> = records
            .into_iter()
            .map(|(folder, x, y, host, page)| {
                (format!("http://{}example.org{folder}/p{y}?x={x}", ["", "www.", "m."][host as usize]), text(page))
            })
            .collect();
        let findings = learn(&records);
        let touched = findings.check.whole + findings.check.lost;
        prop_assert!(findings.check.lost as f64 <= 0.02 * touched as f64, "{:?}", findings.check);
    }

    /// The order of records changes the numbers of contents, and nothing else.
    #[test]
    fn rules_do_not_depend_on_the_order_of_equal_texts(seed in 0_u64..50) {
        let mut records = site(10, 3, |page, visit| {
            format!("http://example.org/i/{page}?s={}&f={visit}", token(seed + 10 * page + visit))
        });
        let forward = rules(&learn(&records));
        records.reverse();
        prop_assert_eq!(forward, rules(&learn(&records)));
    }
}
