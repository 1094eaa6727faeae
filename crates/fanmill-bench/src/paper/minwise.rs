//! The claims about families of permutations, and our measurements.

use fanmill_lab::cells::{number, text};

use super::claim::{Band, Claim};
use crate::experiment::minwise::bias::{Plan, biases};
use crate::experiment::minwise::family::Family;
use crate::experiment::minwise::sets;

const QUALITY: &str = "Broder, slides, \"Quality of MWI families\"";

/// Number of members of a set.
const N_MEMBERS: u64 = 256;
/// Number of permutations drawn.
const N_DRAWS: u32 = 4000;

/// Returns all claims of this experiment. Takes half a second.
pub(super) fn claims() -> Vec<Claim> {
    let sets = [sets::interval(N_MEMBERS), sets::random(N_MEMBERS, 1)];
    let plan = Plan { n_draws: N_DRAWS, resemblance: 0.5, seed: 1 };
    let of = |family| biases(family, &sets, plan);
    // The standard error of a share of the draws, at its largest: for a probability of one half.
    let chance = Band::around(0.0, (0.25 / f64::from(N_DRAWS)).sqrt());
    let claim = |what: &str, papers: &str, ours: f64, band: &Band, why: &str| {
        Claim::exact(QUALITY, what, text(papers), number(ours, 3), why).within(band.clone())
    };
    let [linear, matrix, mix] = [Family::Linear, Family::Matrix, Family::Mix].map(of);
    vec![
        claim(
            "linear: mean error of resemblance .5, sets of 256 consecutive numbers",
            "not good in the worst case",
            linear[0],
            &Band::Within(-0.10..=-0.03),
            "Ends of a run have more chance to be the minimum, and they are not common",
        ),
        claim(
            "linear: the same, sets of 256 random numbers",
            "reasonably well in practice",
            linear[1],
            &chance,
            "Hashed shingles are such numbers: no error can be seen",
        ),
        claim(
            "matrix: the same, consecutive numbers",
            "no figure",
            matrix[0],
            &chance,
            "Every member has the same chance, but errors come together",
        ),
        claim(
            "ours (mix): the same, consecutive numbers",
            "not known then",
            mix[0],
            &chance,
            "Cannot be told from chance on any set",
        ),
    ]
}
