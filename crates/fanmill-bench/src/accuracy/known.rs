//! Pairs of the null batches that anyone would call copies although no label does. All were read.

/// Pairs, by their names without extensions, and why they are left out.
const KNOWN: [(&str, &[[&str; 2]]); 6] = [
    (
        "the same main program of 961 tokens, prompts included",
        &[["emse_z5z1_insert/g/student1551", "emse_z5z1_insert/g/student8118"]],
    ),
    (
        "the same class for Base64, of 260 to 448 tokens, names included",
        &[
            ["soco_train_java/g/183", "soco_train_java/g/257"],
            ["soco_train_java/g/086", "soco_train_java/g/153"],
            ["soco_train_java/g/086", "soco_train_java/g/242"],
            ["soco_train_java/g/153", "soco_train_java/g/242"],
        ],
    ),
    (
        "one author's two versions: the same messages, misspellings and names",
        &[["soco_train_java/g/194", "soco_train_java/g/217"]],
    ),
    (
        "the same solution, variables renamed",
        &[
            ["conplag1/p04/76ad805a", "conplag1/p04/90dc2b20"],
            ["conplag1/p13/1f27b677", "conplag1/p13/b3d4c5ca"],
            ["conplag1/p13/1f27b677", "conplag1/p13/fb69b3b4"],
            ["conplag1/p21/624529e3", "conplag1/p21/80cc284c"],
        ],
    ),
    (
        "the same public class for input, laid out or named anew",
        &[["conplag1/p15/1f6b81b1", "conplag1/p15/656b62de"]],
    ),
    (
        "two sentences of one encyclopaedia, word by word",
        &[["clough/g2pE_taskd", "clough/g4pD_taskd"]],
    ),
];

/// Returns whether a pair is left out, whichever way round.
pub(super) fn is_known(a: &str, b: &str) -> bool {
    let mut pairs = KNOWN.iter().flat_map(|(_, pairs)| *pairs);
    pairs.any(|pair| *pair == [a, b] || *pair == [b, a])
}

/// Prints all of them with the reasons.
pub(super) fn print() {
    for (reason, pairs) in KNOWN {
        let names: Vec<String> = pairs.iter().map(|[a, b]| format!("{a} with {b}")).collect();
        println!("left out: {}: {reason}", names.join(", "));
    }
}
