// Faults that axe-core finds in a page as it is, in both themes.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { painted } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of all rules in the light theme, and in the dark one of those of colour, whose answer alone a theme changes. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe);
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await painted(page);
    const rules: RunOptions =
      colorScheme === 'light'
        ? { rules: { 'target-size': { enabled: true } } }
        : { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
    const results = await page.evaluate(
      (options) =>
        (window as unknown as { axe: { run: (options: RunOptions) => Promise<AxeResults> } }).axe.run(
          options,
        ),
      { resultTypes: ['violations'], ...rules } satisfies RunOptions,
    );
    found.push(
      ...results.violations.map(
        ({ id, nodes }) =>
          `${colorScheme}: ${id} ×${nodes.length}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
      ),
    );
  }
  return found;
}
