//! `fanmill lab` on sketches: `filter`, `minwise` and `leadbyte`, in small settings.

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
#[expect(clippy::too_many_lines, reason = "one snapshot")]
fn families_of_permutations_beside_each_other() {
    let run = Run::new("lab minwise --members 16 --draws 400 --samples 8 --resemblance .5");
    assert_snapshot!(run.run(), @r#"
    exit: 0
    --- stdout
    question  How far are families of permutations from min-wise independent?
    repeats   Broder, "Algorithms for duplicate documents" (slides), "Quality of MWI families"
    input     5 sets of 16 members, 400 permutations of each of 10 families, seed 1
    seed      1

    how unevenly members become the minimum: chi-square over its expectation, 1 if evenly
      family      interval  progression  cube  letters  random
      random          0.98         0.78  1.70     1.68    0.72
      linear          3.18         3.11  0.70     1.21    1.21
      multiply        2.50         2.53  0.95     0.87    1.43
      matrix          1.10         0.91  1.09     1.75    1.02
      tabulation      1.11         0.62  0.60     1.04    0.98
      twisted         0.59         0.76  1.64     1.11    0.94
      mixed           1.53         0.85  1.10     1.31    0.75
      mix             1.04         1.08  1.55     1.56    1.31
      splitmix        1.07         1.27  1.29     0.65    0.59
      xxh3            1.03         1.10  0.95     0.83    0.89

    the member that is the minimum most often, over its fair share
      family      interval  progression  cube  letters  random
      random          1.32         1.44  1.56     1.36    1.36
      linear          1.64         2.12  1.28     1.40    1.48
      multiply        1.52         1.80  1.20     1.36    1.40
      matrix          1.32         1.28  1.44     1.52    1.48
      tabulation      1.40         1.24  1.36     1.32    1.36
      twisted         1.24         1.28  1.40     1.36    1.40
      mixed           1.44         1.36  1.40     1.48    1.28
      mix             1.52         1.36  1.36     1.64    1.40
      splitmix        1.52         1.32  1.56     1.20    1.28
      xxh3            1.40         1.32  1.40     1.40    1.28

    mean error of the resemblance estimated by minima; a standard error is 0.0250 at most
      family      resemblance  interval  progression     cube  letters   random
      random             0.50    0.0425       0.0200  −0.0325  −0.0400   0.0175
      linear             0.50   −0.1300      −0.0625   0.0350  −0.0150   0.0175
      multiply           0.50   −0.0825      −0.0900   0.0325  −0.0050   0.0050
      matrix             0.50    0.0000       0.0075  −0.0275   0.0050  −0.0250
      tabulation         0.50   −0.0325       0.0050   0.0050  −0.0100  −0.0325
      twisted            0.50    0.0000      −0.0175  −0.0125  −0.0100  −0.0475
      mixed              0.50    0.0850       0.0150  −0.0250   0.0250  −0.0500
      mix                0.50    0.0125       0.0175  −0.0575  −0.0150   0.0025
      splitmix           0.50   −0.0050      −0.0125  −0.0050   0.0325  −0.0050
      xxh3               0.50    0.0000      −0.0125   0.0000  −0.0400   0.0150

    variance of estimates by 8 minima, over J (1 - J) / 8; within 0.40 of 1 by chance
      family      resemblance  interval  progression  cube  letters  random
      random             0.50      1.25         0.89  0.88     1.07    1.08
      linear             0.50      0.80         1.15  0.72     1.17    0.88
      multiply           0.50      1.05         0.78  0.92     1.04    0.96
      matrix             0.50      1.22         1.21  1.01     0.76    0.72
      tabulation         0.50      1.12         1.12  0.90     0.92    0.90
      twisted            0.50      1.06         0.56  0.98     0.94    0.70
      mixed              0.50      1.33         1.03  0.82     0.84    0.90
      mix                0.50      0.91         0.74  0.88     1.11    0.67
      splitmix           0.50      0.70         1.05  0.94     0.80    0.90
      xxh3               0.50      1.38         1.11  0.98     0.75    1.13

    variance of estimates by the 8 smallest under one permutation, over that of a random sample
      family      resemblance  interval  progression  cube  letters  random
      random             0.50      1.08         0.98  1.09     0.90    1.06
      linear             0.50      1.13         0.98  1.09     0.86    0.84
      multiply           0.50      1.09         1.09  0.80     1.00    0.95
      matrix             0.50      0.98         1.04  1.01     0.91    1.01
      tabulation         0.50      0.96         1.05  1.12     1.05    1.00
      twisted            0.50      1.04         0.90  1.04     1.12    1.03
      mixed              0.50      1.03         1.15  1.02     0.92    1.06
      mix                0.50      0.92         0.89  0.88     1.05    0.93
      splitmix           0.50      1.07         0.84  0.97     0.98    1.06
      xxh3               0.50      0.96         1.04  0.98     0.99    0.90

    share of the estimates by the 8 smallest that are more than three standard deviations of a random
    sample off; .003 by chance
      family      resemblance  interval  progression    cube  letters  random
      random             0.50    0.0000       0.0000  0.0000   0.0000  0.0000
      linear             0.50    0.0225       0.0150  0.0200   0.0000  0.0000
      multiply           0.50    0.0150       0.0250  0.0125   0.0000  0.0000
      matrix             0.50    0.0650       0.0000  0.0675   0.0000  0.0000
      tabulation         0.50    0.0000       0.0000  0.0750   0.0000  0.0000
      twisted            0.50    0.0000       0.0000  0.0000   0.0000  0.0000
      mixed              0.50    0.0000       0.0000  0.0000   0.0000  0.0000
      mix                0.50    0.0000       0.0000  0.0000   0.0000  0.0000
      splitmix           0.50    0.0000       0.0000  0.0000   0.0000  0.0000
      xxh3               0.50    0.0000       0.0000  0.0000   0.0000  0.0000

    - Not told from chance on any set: twisted, mixed, mix, splitmix, xxh3.
    - linear: off on interval (0 is the minimum 1.6 times its share; 0.50 is estimated as 0.370; 2.2 %
      of the estimates by the 8 smallest are far off, by chance .3 %), progression (member 16 of 16 is
      the minimum 2.1 times its share; 1.5 % of the estimates by the 8 smallest are far off, by chance
      .3 %), cube (2.0 % of the estimates by the 8 smallest are far off, by chance .3 %).
    - multiply: off on interval (1.5 % of the estimates by the 8 smallest are far off, by chance .3 %),
      progression (2.5 % of the estimates by the 8 smallest are far off, by chance .3 %), cube (1.2 % of
      the estimates by the 8 smallest are far off, by chance .3 %).
    - matrix: off on interval (6.5 % of the estimates by the 8 smallest are far off, by chance .3 %),
      cube (6.8 % of the estimates by the 8 smallest are far off, by chance .3 %).
    - tabulation: off on cube (7.5 % of the estimates by the 8 smallest are far off, by chance .3 %).
    - On random numbers, such as hashes of shingles are, every family is fair: hash shingles well first,
      and even linear permutations do, as the slides say of practice.
    - Said is what 400 permutations tell from chance by more than 5 standard deviations: a bias of
      0.125, for example. Less may be there.
    --- stderr

    again: fanmill lab minwise --members 16 --draws 400 --samples 8 --resemblance .5 --seed 1
    "#);
}

#[test]
fn tails_are_counted() {
    let run = Run::new("lab leadbyte --registers 8 --sizes 10,100 --runs 1000");
    assert_snapshot!(run.run(), @r#"
    exit: 0
    --- stdout
    question  How often is the tail of an image computed, and what is that worth?
    repeats   Broder, "Algorithms for duplicate documents" (slides), "How often do we have to compute
              (or store) the tail?"
    input     random sets of 2 sizes, seed 1
    seed      1

    lead bytes drawn until the first 0, 1,000 times
      until the lead byte is 0     slides  expected  measured  standard error
      strict left-to-right minima  6.1243    6.1243    6.1590          0.0667
      tails computed               7.1204    7.1204    7.1050          0.0869

    tails computed for random sets, 8 registers
      shingles   sets          expected          measured  standard error  a shingle
                       tails a register  tails a register                  tails of all registers
            10  2,000             2.947             2.942           0.009  2.36
           100  2,000             5.387             5.397           0.015  0.4310

    - Until a lead byte is 0, 6.1243 strict left-to-right minima are expected (H_256), 6.159 were
      counted; tails are computed for ties too, 7.1204 in expectation, 7.105 counted.
    - A register computes a tail for one shingle in 19 of a set of 100; 8 registers together 0.1 for
      every shingle of 1,000. Measured means are at most 0.7 standard errors from what is expected.
    --- stderr

    again: fanmill lab leadbyte --registers 8 --sizes 10,100 --runs 1000 --seed 1
    "#);
}

#[test]
fn settings_of_sketches_are_checked() {
    for (arguments, part) in [
        ("lab filter --filter 6x0,r=2", "6x0"),
        ("lab filter --resemblance 1.5", "ascend from 0 to 1"),
        ("lab minwise --draws 0", "0 permutations"),
        ("lab leadbyte --registers 0", "0 registers"),
    ] {
        let done = Run::new(arguments).run();
        assert_eq!(done.code, Some(2), "{done}");
        assert!(done.stderr.contains(part) && done.stdout.is_empty(), "{done}");
    }
}
