//! Steps of a scheme: how they are written, read and refused, and that every type which is one agrees.

use std::str::FromStr;

use fanmill::select::{Selector, Thresholds};
use fanmill_sift::family::Family;
use fanmill_sift::profile::Profile;
use fanmill_sift::reduce::Reduction;
use fanmill_sift::thousandths::Thousandths;
use fanmill_sketch::Sketch;
use fanmill_sketch::lsh::bands::Bands;
use fanmill_text::scheme::{Grammar, POSITIVE};
use fanmill_text::{Error, Result};
use proptest::prelude::*;

const DISHES: Grammar =
    Grammar { what: "dish", forms: "soup(salt=2) pie(l=3,p=0.5) pie(whole=1) tea" };

fn refused<T: std::fmt::Debug>(result: Result<T>) -> String {
    let error = result.expect_err("wrong");
    assert!(error.is_setting());
    error.to_string()
}

#[test]
fn a_step_has_a_name_and_parameters() {
    let soup = DISHES.step("soup(salt=7)");
    assert_eq!((soup.name(), soup.number("salt", POSITIVE).expect("a number")), ("soup", 7));
    let [l, p] = DISHES.step("pie(l=3,p=0.5)").parameters(["l", "p"]).expect("both");
    assert_eq!(l.number(1..=9).expect("a number"), 3);
    assert_eq!(p.read::<Thousandths>().expect("a decimal"), Thousandths(500));
    assert_eq!(DISHES.step("tea").alone("hot").expect("alone"), "hot");
    let mut pie = DISHES.step("pie(l=3,p=0.5,n=4)");
    let n = pie.take_last("n").expect("the last");
    assert!(n.number(4..=4).is_ok() && pie.take_last("n").is_none());
    assert!(pie.parameters(["l", "p"]).is_ok() && pie.has("p") && !pie.has("n"));
}

#[test]
fn what_is_wrong_is_said_with_the_way_out() {
    let all = "soup(salt=2), pie(l=3,p=0.5), pie(whole=1) or tea";
    for unknown in ["", "soap(salt=2)", "(salt=2)", "soup(salt=2", "salt=2"] {
        let error = refused(DISHES.step(unknown).parameters(["salt"]));
        assert_eq!(error, format!("unknown dish `{unknown}`; use {all}"));
    }
    for wrong in ["soup", "soup()", "soup(l=2)", "soup(salt)", "soup(salt=2,salt=2)"] {
        let error = refused(DISHES.step(wrong).number("salt", POSITIVE));
        let expected = "has the wrong parameters; write it like soup(salt=2)";
        assert_eq!(error, format!("dish `{wrong}` {expected}"));
    }
    for wrong in ["", "0", "10", "02", "+2", "-2", " 2", "2.0", "(2)", "99999999999"] {
        let text = format!("soup(salt={wrong})");
        assert_eq!(
            refused(DISHES.step(&text).number("salt", 1..=9)),
            format!(
                "dish `{text}`: salt is a whole number from 1 to 9 in plain digits, as in soup(salt=2)"
            )
        );
    }
    let pie = DISHES.step("pie(l=3)");
    let error = refused(pie.parameters(["l", "p"]));
    assert!(error.ends_with("write it like pie(l=3,p=0.5) or pie(whole=1)"), "{error}");
    assert!(refused(DISHES.step("tea(l=3)").alone(())).contains("wrong parameters"));
    let [p] = DISHES.step("pie(whole=.5)").parameters(["whole"]).expect("it");
    let error = refused(p.read::<Thousandths>());
    assert!(error.starts_with("dish `pie(whole=.5)`: `.5` is not a decimal"), "{error}");
}

#[test]
fn a_long_text_is_not_shown_whole() {
    assert!(refused(DISHES.step(&"é".repeat(99_999)).alone(())).len() < 400);
}

/// Reads a text as every type that is a step. What is read is written the same, but for a selector's bare name.
fn read_by_all(text: &str) -> usize {
    fn read<T: FromStr<Err = Error> + ToString>(text: &str) -> usize {
        match text.parse::<T>() {
            Ok(step) => {
                let written = step.to_string();
                assert!(written == text || written.starts_with(&format!("{text}(")), "{text}");
                1
            }
            Err(error) => {
                assert!(error.is_setting() && !error.to_string().is_empty());
                0
            }
        }
    }
    read::<Selector>(text)
        + read::<Thresholds>(text)
        + read::<Sketch>(text)
        + read::<Bands>(text)
        + read::<Reduction>(text)
        + read::<Family>(text)
        + read::<Profile>(text)
}

fn steps() -> impl Strategy<Value = String> {
    let with = |name: &'static str, most: u32| (1..=most).prop_map(move |n| format!("{name}{n})"));
    let decimal = |most: u32| (20..=most).prop_map(|n| Thousandths(n).to_string());
    let family = prop_oneof![
        (1_u32..=64).prop_map(|l| format!("slide(l={l}")),
        (1_u32..=64, decimal(1000)).prop_map(|(l, p)| format!("skip(l={l},p={p}")),
        (1_u32..=64, decimal(1000)).prop_map(|(l, p)| format!("space(l={l},p={p}")),
        (decimal(500), decimal(500)).prop_map(|(a, s)| format!("skip(add={a},stop={s}")),
    ];
    let family = (family, 1_u32..=16).prop_map(|(family, parts)| match parts {
        1 => format!("{family})"),
        _ => format!("{family},b={parts})"),
    });
    prop_oneof![
        prop::sample::select(vec!["winnow", "robust", "all"]).prop_map(str::to_owned),
        with("roc(r=", u32::MAX),
        with("safe-mod(p=", u32::MAX),
        with("smallest(n=", u32::MAX),
        with("fss(t=", 200),
        with("lead(t=", 200),
        with("bottom(t=", u32::MAX),
        with("pow2(n=", u32::MAX),
        with("min(m=", u32::MAX),
        with("whole(n=", 10_000),
        decimal(1000).prop_map(|share| format!("min(m={share}n)")),
        decimal(1_000_000).prop_map(|times| format!("min(m={times}sqrt)")),
        (1_u32..9, 1_u32..9).prop_map(|(s, r)| format!("classic(k=9,s={s},r={r})")),
        (1_u32..9, 1_u32..9).prop_map(|(s, r)| format!("bytes(s={s},r={r})")),
        (1_u32..9, 1_u32..9).prop_map(|(r, needed)| format!("bands(b=9,r={r},needed={needed})")),
        (1_u32..999, 999_u32..99_999).prop_map(|(k, t)| format!("k={k},t={t}")),
        family,
    ]
}

proptest! {
    #[test]
    fn every_type_reads_what_it_writes(text in steps()) {
        prop_assert_eq!(read_by_all(&text), 1, "{}", text);
    }

    /// A character removed, added or replaced, or two texts joined in the middle: read back the same, or refused.
    #[test]
    fn a_changed_step_is_read_back_the_same_or_refused(
        text in steps(),
        other in steps(),
        at in 0_usize..40,
        mutation in 0_usize..4,
        c in prop::sample::select("0019=(),.+- bklnprst@/é".chars().collect::<Vec<_>>()),
    ) {
        let at = at.min(text.len());
        let rest = text.get(at + 1..).unwrap_or_default();
        let changed = match mutation {
            0 => [&text[..at], rest].concat(),
            1 => format!("{}{c}{}", &text[..at], &text[at..]),
            2 => format!("{}{c}{rest}", &text[..at]),
            _ => [&text[..at], &other[other.len().min(at)..]].concat(),
        };
        read_by_all(&changed);
    }

    #[test]
    fn any_text_is_refused_without_a_panic(text in any::<String>()) {
        read_by_all(&text);
    }
}
