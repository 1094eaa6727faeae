//! Output and exit codes where scores have no passages to show.

use crate::place::Place;

/// Different words with the same beginning.
fn words(start: &str, n: usize) -> String {
    let words: Vec<String> = (0..n).map(|i| format!("{start}{i} ")).collect();
    words.concat()
}

/// Texts that share a run of four words, too few for a passage, among words of their own.
fn short_runs(names: &[&str]) -> Place {
    names.iter().fold(Place::new(), |place, name| {
        let own = |part: &str| words(&format!("{name}{part}"), 300);
        place.with(format!("in/{name}.txt"), own("before") + &words("shared", 4) + &own("after"))
    })
}

#[test]
fn a_pair_without_a_passage_is_not_said_to_want_a_longer_list() {
    let done = short_runs(&["ann", "bob"]).fanmill("compare in").run();
    assert!(
        done.stdout
            .starts_with("1 pair was scored, but it shares no passage of 12 words or more\n"),
        "{done}"
    );
    assert!(
        done.stderr.contains("1 of 1 pair was scored; none of them shares a passage"),
        "{done}"
    );
    let done = short_runs(&["ann", "bob", "cy"]).fanmill("compare in").run();
    let said = "3 pairs were scored, but none of them shares a passage of 12 words or more\n";
    assert!(done.stdout.starts_with(said), "{done}");
    let done = short_runs(&["ann", "bob"]).fanmill("compare in --select mod(p=1)").run();
    assert!(done.stdout.starts_with("1 pair was scored, but it shares no passage\n"), "{done}");
}

#[test]
fn a_list_that_is_full_says_how_many_have_no_room() {
    let place = (0..12).fold(Place::new(), |place, i| {
        let run = "these are the twelve words that every one of the texts has in it ";
        place.with(format!("in/{i:02}.txt"), words(&format!("own{i}x"), 30) + run)
    });
    let done = place.fanmill("compare in --max-pairs 10").run();
    let said = "66 of 66 pairs were scored; the best 14 of 66 that share a passage are listed; \
                --max-pairs lists more\n";
    assert!(done.stderr.contains(said), "{done}");
    let done = place.fanmill("compare in").run();
    assert!(done.stderr.contains("all 66 that share a passage are listed\n"), "{done}");
}

/// Different words whose XXH3 hashes agree in the upper 32 bits.
#[test]
fn words_that_only_hash_alike_do_not_fail_a_build() {
    let ann = "pevafupuvo natobiloro migegiteko bupesiluve nasapidupu nafevafelu dadebotato \
               mapugogiti lodenosefe pulemerufa vetisofoka tedovanoli lunosinetu foramenipu";
    let bob = "ferikilupe dogibubani kulasugiza pigutiguku rebefozome rikukepeme zudotadusa \
               bamesimama kadorobefi sokukefeme bifibimeza rolobibisi tagutikuko gopadugile";
    let place = Place::new().with("in/ann.txt", ann).with("in/bob.txt", bob);
    let done = place.fanmill("compare in --fail-above 0.1").run();
    assert_eq!(done.code, Some(0), "{done}");
    assert!(!done.stdout.contains("clusters"), "{done}");
    let place = place.with("in/cy.txt", format!("Then cy wrote: {ann}"));
    let done = place.fanmill("compare in --fail-above 0.1").run();
    assert_eq!(done.code, Some(1), "{done}");
}

#[test]
fn lines_are_those_of_the_text_in_any_encoding() {
    // In UTF-16, each Gujarati letter contains the byte of a line feed.
    let text = "\u{a85}\u{a8a}\u{a95} ".repeat(100);
    let wide = |text: &str| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let place = Place::new()
        .with("in/one.txt", wide(&text))
        .with("in/three.txt", wide(&format!("{text}\n{text}\r\n{text}")))
        .with("in/utf8.txt", format!("{text}\n{text}"));
    let report = place.fanmill("compare in").report();
    let lines: Vec<u64> = report.submissions.iter().map(|s| s.files[0].lines).collect();
    assert_eq!(lines, [1, 3, 2]);
}
