//! Pairs of the null batches that anyone would call copies although they have no label. All were read.

/// Pairs, by their names without extensions, and the reasons for leaving them out.
const KNOWN: [(&str, &[[&str; 2]]); 11] = [
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
    (
        "the same definitions and steps of a textbook, word by word or with other words put in",
        &[
            ["clough/g0pA_taske", "clough/g2pE_taske"],
            ["clough/g0pA_taske", "clough/g2pA_taske"],
            ["clough/g2pA_taske", "clough/g2pE_taske"],
            ["clough/g0pD_taske", "clough/g2pE_taske"],
            ["clough/g0pD_taske", "clough/g2pA_taske"],
            ["clough/g0pA_taske", "clough/g0pD_taske"],
        ],
    ),
    (
        "the same sentence of a lecture on inheritance, reworded",
        &[
            ["clough/g0pA_taska", "clough/g1pB_taska"],
            ["clough/g0pA_taska", "clough/g2pB_taska"],
            ["clough/g0pB_taska", "clough/g1pB_taska"],
        ],
    ),
    (
        "two reports of one agency on one event, with the same sentences",
        &[
            ["reuters/04824", "reuters/07304"],
            ["reuters/04137", "reuters/04196"],
            ["reuters/05643", "reuters/05808"],
            ["reuters/03185", "reuters/03245"],
            ["reuters/05515", "reuters/06360"],
            ["reuters/06600", "reuters/07062"],
            ["reuters/04126", "reuters/07022"],
            ["reuters/02973", "reuters/04126"],
            ["reuters/02688", "reuters/02973"],
        ],
    ),
    (
        "two articles of one agency on one event, with the same sentences",
        &[
            ["pan/source-document00115", "pan/source-document02462"],
            ["pan/source-document00378", "pan/source-document01557"],
            ["pan/source-document00115", "pan/source-document01238"],
            ["pan/source-document01238", "pan/source-document02462"],
            ["pan/source-document01017", "pan/source-document02157"],
            ["pan/source-document02265", "pan/source-document02632"],
            ["pan/source-document00102", "pan/source-document01940"],
        ],
    ),
    (
        "the same frame of a site, the same profile of an institute, or the same famous document, quoted",
        &[
            ["pan/source-document00711", "pan/source-document01327"],
            ["pan/source-document01003", "pan/source-document02817"],
            ["pan/source-document01935", "pan/source-document02364"],
            ["pan/source-document02424", "pan/source-document03049"],
            ["pan/source-document00895", "pan/source-document01811"],
        ],
    ),
];

/// Returns whether a pair is left out, in either order.
pub(super) fn is_known(a: &str, b: &str) -> bool {
    let mut pairs = KNOWN.iter().flat_map(|(_, pairs)| *pairs);
    pairs.any(|pair| *pair == [a, b] || *pair == [b, a])
}

/// Prints all pairs with the reasons.
pub(super) fn print() {
    for (reason, pairs) in KNOWN {
        let names: Vec<String> = pairs.iter().map(|[a, b]| format!("{a} with {b}")).collect();
        println!("left out: {}: {reason}", names.join(", "));
    }
}
