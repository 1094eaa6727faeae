//! Temporary.
pub(super) struct Group {
    pub(super) centre: u32,
    pub(super) members: Vec<u32>,
    pub(super) component: u32,
}
fn roots(n: usize, edges: &[(u32, u32, f64)]) -> Vec<u32> {
    let mut p: Vec<u32> = (0..n as u32).collect();
    fn find(p: &mut [u32], mut x: u32) -> u32 {
        while p[x as usize] != x {
            p[x as usize] = p[p[x as usize] as usize];
            x = p[x as usize];
        }
        x
    }
    for &(a, b, _) in edges {
        let (a, b) = (find(&mut p, a), find(&mut p, b));
        let (l, h) = (a.min(b), a.max(b));
        p[h as usize] = l;
    }
    (0..n as u32).map(|x| find(&mut p, x)).collect()
}
pub(super) fn centres(n: usize, edges: &[(u32, u32, f64)]) -> Vec<Group> {
    let roots = roots(n, edges);
    let mut adj = vec![Vec::new(); n];
    for &(a, b, _) in edges {
        adj[a as usize].push(b);
        adj[b as usize].push(a);
    }
    let mut taken = vec![false; n];
    let mut out = Vec::new();
    for i in 0..n {
        if taken[i] {
            continue;
        }
        taken[i] = true;
        let mut members = Vec::new();
        for &j in &adj[i] {
            if !taken[j as usize] {
                taken[j as usize] = true;
                members.push(j);
            }
        }
        out.push(Group { centre: i as u32, members, component: roots[i] });
    }
    out
}
pub(super) fn components(n: usize, edges: &[(u32, u32, f64)]) -> Vec<Group> {
    let roots = roots(n, edges);
    let mut g: std::collections::BTreeMap<u32, Vec<u32>> = Default::default();
    for i in 0..n as u32 {
        g.entry(roots[i as usize]).or_default().push(i);
    }
    g.into_iter()
        .map(|(r, m)| Group { centre: r, members: m[1..].to_vec(), component: r })
        .collect()
}
