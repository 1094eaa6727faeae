//! Search for the known name that a misspelt one was meant for.

/// Returns the edit distance between a given and a known name if they are near: at most one edit, plus one for every
/// four bytes of the shorter.
pub fn nearness(given: &str, known: &str) -> Option<usize> {
    let distance = distance(given, known);
    (distance <= 1 + given.len().min(known.len()) / 4).then_some(distance)
}

/// Returns the nearest known name, the first of equals, or `None` if no name is near.
///
/// ```
/// use fanmill_text::near::nearest;
///
/// assert_eq!(nearest("guarante", ["noise", "guarantee"]), Some("guarantee"));
/// assert_eq!(nearest("threshold", ["noise", "guarantee"]), None);
/// ```
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = known.into_iter().filter_map(|name| nearness(given, name).map(|n| (n, name)));
    near.min_by_key(|&(distance, _)| distance).map(|(_, name)| name)
}

/// Returns the edit distance of two names: insertions, deletions, substitutions and swaps of neighbours. Only the first
/// 64 characters of `a` count.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(a[i - 1] != b[j - 1]);
                let step =
                    (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + same);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped { step.min(rows[i - 2][j - 2] + 1) } else { step }
            };
        }
    }
    rows[a.len()][b.len()]
}
