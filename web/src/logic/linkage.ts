// Average linkage, as the program does it: groups are joined, the most similar first, as long as the mean score of the
// pairs between them reaches the threshold; a pair without a score counts as 0. By chains of nearest neighbours (Murtagh 1983).

/** A scored pair. */
export interface Score {
  a: number;
  b: number;
  score: number;
}

/** Groups of the members, each ascending, in the order of their first members; those of one member included. */
export function averageLinkage(
  members: readonly number[],
  scores: readonly Score[],
  threshold: number,
): number[][] {
  const groups = new Map(members.map((member) => [member, new Group([member])]));
  for (const { a, b, score } of scores) {
    groups.get(a)!.add(b, score);
    groups.get(b)!.add(a, score);
  }
  const path: number[] = [];
  for (const start of members) {
    if (groups.has(start)) path.push(start);
    while (path.length) {
      const last = path.at(-1)!;
      const before = path.at(-2);
      const next = nearest(groups, last, before, threshold);
      if (next === null) path.pop();
      else if (next !== before) path.push(next);
      else {
        path.length -= 2;
        const joined = join(groups, last, next);
        if (path.length === 0) path.push(joined);
      }
    }
  }
  return [...groups.values()]
    .map(({ members }) => members.sort((x, y) => x - y))
    .sort((x, y) => x[0]! - y[0]!);
}

/** Known by its lowest member. */
class Group {
  /** The sum of the scores of all pairs with another group. */
  readonly sums = new Map<number, number>();

  constructor(readonly members: number[]) {}

  add(other: number, score: number): void {
    this.sums.set(other, (this.sums.get(other) ?? 0) + score);
  }
}

/** The group with the highest mean at or above the threshold; among equal ones `preferred`, else the lowest. */
function nearest(
  groups: ReadonlyMap<number, Group>,
  from: number,
  preferred: number | undefined,
  threshold: number,
): number | null {
  const { members, sums } = groups.get(from)!;
  let [best, most] = [null as number | null, threshold];
  for (const [other, sum] of sums) {
    const mean = sum / (members.length * groups.get(other)!.members.length);
    if (!(mean >= most)) continue;
    const isBetter =
      best === null || mean > most || other === preferred || (best !== preferred && other < best);
    if (isBetter) [best, most] = [other, mean];
  }
  return best;
}

function join(groups: Map<number, Group>, a: number, b: number): number {
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const [kept, gone] = [groups.get(low)!, groups.get(high)!];
  groups.delete(high);
  kept.members.push(...gone.members);
  kept.sums.delete(high);
  for (const [other, sum] of gone.sums) {
    const third = other === low ? null : groups.get(other)!;
    if (!third) continue;
    third.sums.delete(high);
    kept.add(other, sum);
    third.sums.set(low, kept.sums.get(other)!);
  }
  return low;
}
