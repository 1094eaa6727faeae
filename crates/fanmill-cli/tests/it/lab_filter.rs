//! `fanmill lab filter`, in small settings.

use insta::assert_snapshot;

use crate::run::Run;

#[test]
fn a_filter_is_calculated_and_sketched() {
    let run =
        Run::new("lab filter --filter 6x14,r=2 --resemblance .8,.9,.95 --trials 200 --members 100");
    assert_snapshot!(run.run(), @r#"
    exit: 0
    --- stdout
    question  Which pairs does a filter accept?
    repeats   Broder, "Algorithms for duplicate documents" (slides), "Features vs. full sketch" and "8
              bytes are enough!"
    input     polynomials; pairs of random sets with 100 members in their union, seed 1
    seed      1

    filters, and the resemblance from which they accept so many pairs
      filter    registers  stored  5 % at  half at  95 % at  measured, farthest
                            bytes                               standard errors
      6x14,r=2         84      48   0.821   0.9094    0.962                 0.7

    share of pairs accepted, by the polynomial
      filter    at 0.8  at 0.9  at 0.95
      6x14,r=2  0.0258  0.4151   0.8786

    share of pairs accepted, measured on 200 pairs with 100 shingles between them
      filter    at 0.8  at 0.9  at 0.95
      6x14,r=2  0.0300  0.4400   0.8650

    unrelated pairs accepted, of resemblance 0
      filter    one pair  of 50,000 documents  of 85,000,000 documents  of 1,000,000,000 documents
                          pairs                pairs                    pairs
      6x14,r=2  4.41e-38  5.51e-29             1.59e-22                 2.20e-20

    - Half of the pairs are accepted from this resemblance on: 6x14,r=2 from 0.909.
    - Real sketches follow the polynomials: the farthest of 3 measured points is 0.7 standard errors
      away.
    --- stderr

    again: fanmill lab filter --filter 6x14,r=2 --resemblance .8,.9,.95 --trials 200 --members 100 --seed 1
    "#);
}

#[test]
fn the_cheapest_filter_for_a_wish() {
    let run = Run::new(
        "lab filter --filter 6x14,r=2 --resemblance .9 --trials 10 --members 100 --recall .9 --at .9 \
         --false-positive .001 --at-most .5 --registers 64 --bits 32 --offers 2",
    );
    assert_snapshot!(run.run(), @r#"
    exit: 0
    --- stdout
    question  Which pairs does a filter accept?
    repeats   Broder, "Algorithms for duplicate documents" (slides), "Features vs. full sketch" and "8
              bytes are enough!"
    input     polynomials; pairs of random sets with 100 members in their union, seed 1
    seed      1

    the cheapest 2 of 83 ways to cut registers that do what was asked
      filter           r up to  stored  registers  accepted at 0.9  accepted at 0.5
                                 bytes
      8x4,r=4,bits=32        4      32         32           0.9008  8.71e-4
      8x8,r=2,bits=32        2      32         64           0.9220  4.21e-4

    filters, and the resemblance from which they accept so many pairs
      filter           registers  stored  5 % at  half at  95 % at  measured, farthest
                                   bytes                               standard errors
      8x4,r=4,bits=32         32      32   0.663   0.8145    0.918                 1.0
      6x14,r=2                84      48   0.821   0.9094    0.962                 0.5

    share of pairs accepted, by the polynomial
      filter           at 0.9
      8x4,r=4,bits=32  0.9008
      6x14,r=2         0.4151

    share of pairs accepted, measured on 10 pairs with 100 shingles between them
      filter           at 0.9
      8x4,r=4,bits=32  1.0000
      6x14,r=2         0.5000

    unrelated pairs accepted, of resemblance 0
      filter           one pair  of 50,000 documents  of 85,000,000 documents  of 1,000,000,000 documents
                                 pairs                pairs                    pairs
      8x4,r=4,bits=32  2.06e-37  2.57e-28             7.43e-22                 1.03e-19
      6x14,r=2         4.41e-38  5.51e-29             1.59e-22                 2.20e-20

    - Cheapest for 0.9000 of the pairs at 0.9 and at most 0.0010 at 0.5: 8x4,r=4,bits=32, with 32
      registers and 32 bytes a document; it accepts 0.9008 and 8.71e-4.
    - Fewest registers: 24,T=20,bits=32, with 24 registers and 96 bytes a document.
    - Half of the pairs are accepted from this resemblance on: 8x4,r=4,bits=32 from 0.815; 6x14,r=2 from
      0.909.
    - Real sketches follow the polynomials: the farthest of 2 measured points is 1.0 standard errors
      away.
    --- stderr

    again: fanmill lab filter --filter 6x14,r=2 --resemblance .9 --trials 10 --members 100 --recall .9 --at .9 --false-positive .001 --at-most .5 --registers 64 --bits 32 --offers 2 --seed 1
    "#);
}

#[test]
fn settings_of_filters_are_checked() {
    for (arguments, part) in [
        ("lab filter --filter 6x0,r=2", "6x0"),
        ("lab filter --resemblance 1.5", "ascend from 0 to 1"),
    ] {
        let done = Run::new(arguments).run();
        assert_eq!(done.code, Some(2), "{done}");
        assert!(done.stderr.contains(part) && done.stdout.is_empty(), "{done}");
    }
}
