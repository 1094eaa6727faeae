// The evidence on one pair or one cluster as a zip: a page with every passage complete, line by line and side
// by side; the texts; their hashes; settings, release and date.
import { strToU8, zipSync } from 'fflate';
import type { Overview, Passage, SharedMetadata } from '../data/model.ts';
import type { Loaded } from '../state/pair.svelte.ts';
import { masked } from './mask.ts';
import { passageRows } from './bundlepassage.ts';
import { escapeHtml, remarksOn, reviewOf, STYLE, type ExportInput } from './exportpair.ts';
import { factsOf } from './facts.ts';
import { hue, percent, score } from './format.ts';
import { saidInWords } from './said.ts';
import { counted, pageWords, say } from './say.ts';
import { sizeIn, unitOfPassage, unitOfSides } from './units.ts';

export interface BundleInput {
  /** What the bundle is about: a pair's or a cluster's name. */
  heading: string;
  /** When it was made; the report itself does not know. */
  made: Date;
  overview: Pick<Overview, 'promises' | 'settings' | 'title' | 'tool'>;
  pairs: (ExportInput & { submissions: [number, number] })[];
  notices: string[];
  /** Tables that go with it, by their names. */
  tables?: ReadonlyMap<string, string>;
}

/** The files of a bundle by name. */
export async function bundleFiles(input: BundleInput): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const texts = textsOf(input);
  const hashes: [string, string][] = [];
  for (const [name, text] of [...(input.tables ?? []), ...texts]) {
    files.set(name, text);
    hashes.push([name, await sha256(text)]);
  }
  files.set('evidence.html', page(input, hashes));
  const sums = [...hashes, ['evidence.html', await sha256(files.get('evidence.html')!)] as const];
  files.set('SHA256SUMS', sums.map(([name, hash]) => `${hash}  ${name}\n`).join(''));
  return files;
}

export async function bundle(input: BundleInput): Promise<Uint8Array> {
  const files = await bundleFiles(input);
  const parts = Object.fromEntries([...files].map(([name, text]) => [name, strToU8(text)]));
  return zipSync(parts, { level: 6, mtime: input.made });
}

/** What a text is called in the bundle: ids keep names apart that differ in signs no file name may have. */
export function nameOf(submission: string, file: number, path: string): string {
  const safe = path.replace(/[^A-Za-z0-9._-]+/g, '_').slice(-60);
  return `texts/${submission}-${file + 1}_${safe}`;
}

function textsOf({ pairs }: BundleInput): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { loaded, a, b, mask } of pairs) {
    for (const [side, who] of [
      ['a', a],
      ['b', b],
    ] as const) {
      loaded.files[side].forEach(({ text }, file) => {
        if (text === null) return;
        const shown = mask ? masked(text, mask) : text;
        texts.set(nameOf(who.id, file, who.path(file)), shown);
      });
    }
  }
  return texts;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function page(input: BundleInput, hashes: [string, string][]): string {
  const { overview, heading, made, pairs, notices } = input;
  const facts = factsOf(overview, made);
  return `<!doctype html>
<html lang="${pageWords().language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)}</title>
<style>${STYLE}${OWN_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(`${say('score-meaning')} ${say('colours')}`)}</p>
<dl>${facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>
</header>
${pairs.map((pair, i) => pairSection(pair, i)).join('')}
${notices.length > 0 ? `<h2>${escapeHtml(say('inputs-notes'))}</h2><ul>${notices.map((notice) => `<li>${escapeHtml(notice)}</li>`).join('')}</ul>` : ''}
<h2>${escapeHtml(say('texts-in-bundle'))}</h2>
<table class="hashes"><thead><tr><th>${escapeHtml(say('head-file'))}</th><th>${escapeHtml(say('head-hash'))}</th></tr></thead><tbody>${hashes.map(([name, hash]) => `<tr><td>${escapeHtml(name)}</td><td><code>${hash}</code></td></tr>`).join('')}</tbody></table>
</body>
</html>
`;
}

/** `12 words, moved`. */
function sizeOf(passage: Passage, files: Loaded['files']): string {
  const size = sizeIn(unitOfPassage(passage, files), passage.tokens);
  return passage.moved ? say('size-moved', { size }) : size;
}

function pairSection(input: BundleInput['pairs'][number], index: number): string {
  const { pair, a, b, number, id, loaded } = input;
  const about = counted('evidence-pair', loaded.passages.length, {
    score: score(pair.score),
    ofA: percent(pair.containment_a),
    ofB: percent(pair.containment_b),
    longest: sizeIn(unitOfSides(loaded.files), pair.longest),
  });
  const who = ([name, side]: readonly ['A' | 'B', typeof a]) =>
    `<p><b>${name}: ${escapeHtml(side.name)}</b> ${[side.author, side.label, side.submitted]
      .flatMap((part) => (part ? [escapeHtml(part)] : []))
      .join(' · ')}</p>`;
  const passages = loaded.passages.map(
    (passage, i) =>
      `<section><h3><b class="n h${hue(i)}">${i + 1}</b> ${escapeHtml(sizeOf(passage, loaded.files))}</h3><table class="aligned"><tbody>${passageRows(input, passage, i)}</tbody></table></section>`,
  );
  return `<article id="pair-${index + 1}"><h2>${escapeHtml(say('pair-heading', { n: String(number), name: a.name, other: b.name }))}</h2>
${(
  [
    ['A', a],
    ['B', b],
  ] as const
)
  .map(who)
  .join('')}
<p>${escapeHtml([about, ...remarksOn(pair)].join(' '))}</p>
${input.mask ? '' : `<p>${escapeHtml(say('pair-called', { id }))}</p>`}
${reviewOf(input)}
${metadataSection(input)}${passages.join('')}</article>`;
}

/** What documents of both say of themselves, unless names are covered: it names people. */
function metadataSection({ loaded, mask }: BundleInput['pairs'][number]): string {
  if (mask || loaded.metadata.length === 0) return '';
  const line = (said: SharedMetadata) =>
    `<li>${escapeHtml(saidInWords(said))} (${escapeHtml(say('two', { name: said.path_a, other: said.path_b }))})</li>`;
  return `<section><p>${escapeHtml(say('metadata-lead'))}</p><ul>${loaded.metadata.map(line).join('')}</ul></section>`;
}

const OWN_STYLE = `
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px}dt{color:#5a5d63}dd{margin:0}
article{break-before:page}article:first-of-type{break-before:auto}section{margin:14px 0}
h3{background:none;padding:0}.aligned{width:100%;table-layout:fixed;margin:4px 0}
.aligned td{font:11px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;vertical-align:top;width:50%;padding:0 8px 0 0;tab-size:4}
.aligned .prose{font:12px/1.5 system-ui,sans-serif;white-space:normal;overflow-wrap:break-word}.prose p{margin:0 0 6px}
.aligned tr:not(:has(.prose)){break-inside:avoid}.file th{font-size:12px;background:#efefec;padding:2px 6px}
.hashes td{overflow-wrap:anywhere;font-size:11px}
`;
