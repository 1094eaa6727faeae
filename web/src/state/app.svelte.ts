// What all views share: the report, the threshold, the names in use, the reader's preferences.
import { getContext, setContext } from 'svelte';
import type { Loader } from '../data/load.ts';
import type { Overview, Pair } from '../data/model.ts';
import { clustersAt, type Cluster } from '../logic/clusters.ts';
import type { Sheet } from '../logic/csv.ts';
import { Marks } from './marks.svelte.ts';
import type { MarkStore } from './markstore.ts';
import { pseudonymousNames, realNames, type Names } from './names.ts';
import { PermanentIds } from './permanent.ts';
import { hashOf, router, type Route, type View } from './route.svelte.ts';
import { keep, kept } from './store.ts';
import { Walk } from './walk.ts';

/** What a view exports: how much of what, and the table itself. */
export interface Export {
  about: string;
  make: () => Sheet;
}

export class App {
  readonly marks: Marks;
  readonly walk = new Walk(this);
  anonymous = $state(kept('anonymous') === 'yes');
  /** The sheet that the current view exports; set by the view. */
  sheet = $state.raw<Export | null>(null);
  private readonly real: Names;
  private pseudonymous: Names | null = null;
  /** Distinct labels, ascending: a label's colour and shape is its index. */
  readonly labels: string[];
  private readonly ids: PermanentIds;

  constructor(
    readonly overview: Overview,
    readonly loader: Loader,
    marks: MarkStore,
  ) {
    this.marks = new Marks(overview, marks);
    this.ids = new PermanentIds(overview);
    this.real = realNames(overview);
    const labels = overview.submissions.flatMap(({ label }) => (label ? [label] : []));
    this.labels = [...new Set(labels)].sort();
  }

  get names(): Names {
    if (!this.anonymous) return this.real;
    this.pseudonymous ??= pseudonymousNames(this.overview);
    return this.pseudonymous;
  }

  /** The program's own threshold for clusters: where the reader starts. */
  get standard(): number {
    return this.overview.settings.cluster_threshold;
  }

  /** The score from which on pairs are looked at, from the address. */
  threshold = $derived.by(() => {
    const text = router.current.params.get('t');
    const value = text === null ? NaN : Number(text);
    return value >= 0 && value <= 1 ? value : this.standard;
  });

  resetThreshold(): void {
    router.set({ t: null });
  }

  setThreshold(value: number): void {
    const rounded = Math.round(Math.min(1, Math.max(0, value)) * 100) / 100;
    router.set({ t: String(rounded) });
  }

  /** Listed pairs at or above the threshold: indices, best first. */
  above = $derived.by(() => {
    const out: number[] = [];
    this.overview.pairs.forEach((pair, i) => pair.score >= this.threshold && out.push(i));
    return out;
  });

  clusters: Cluster[] = $derived.by(() =>
    clustersAt(this.overview.pairs, this.threshold, this.overview.submissions.length, {
      threshold: this.standard,
      clusters: this.overview.clusters,
    }),
  );

  setAnonymous(on: boolean): void {
    this.anonymous = on;
    keep('anonymous', on ? 'yes' : 'no');
  }

  pair(i: number): Pair | undefined {
    return this.overview.pairs[i];
  }

  /** A link that keeps the threshold. Numbers count from 1. */
  link(view: View, number: number | null = null, params: Record<string, string | null> = {}): string {
    const id = number === null ? null : this.ids.of(view, number);
    return hashOf({ view, number, id }, { t: router.current.params.get('t'), ...params });
  }

  /**
   * What a pair or a submission, by its number from 1, is called in what is saved, also when ranks have changed since. Where names are
   * covered it is the number, as an id follows from the names.
   */
  called(view: 'pair' | 'submission', number: number): string {
    return this.names.mask === null ? this.ids.briefly(view, number) : String(number);
  }

  /** The number of the pair or submission in an address, from 1, as this report counts them: 0 if it is not in it. */
  numberIn({ view, number, id }: Route): number | null {
    return id === null ? number : this.ids.number(view, id);
  }

  /** Index of a submission's label among all labels; -1 if it has none. */
  labelIndex(submission: number): number {
    const label = this.overview.submissions[submission]?.label;
    return label ? this.labels.indexOf(label) : -1;
  }
}

const KEY = Symbol('app');
export const provide = (app: App) => setContext(KEY, app);
export const useApp = () => getContext<App>(KEY);
