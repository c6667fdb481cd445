// The strategy that the README shows is a strategy: it loads, and it quotes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { MarketView } from '../../../src/quoting/strategy.ts';
import { loadStrategy } from '../../../strategies/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
// Beside strategies/, so that the example's relative imports mean what they mean there.
const folder = mkdtempSync(path.join(ROOT, '.readme-strategy-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the README's strategy quotes one percent on both sides", async () => {
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(path.join(ROOT, 'README.md'), 'utf8')) ?? [];
  writeFileSync(path.join(folder, 'one-percent.ts'), example);
  const loaded = await loadStrategy('one-percent', folder);
  expect(loaded).toMatchObject({ ok: true });
  if (!loaded.ok) return;
  const params = loaded.value.params.parse({ quantity: '0.01' });
  const view = { referencePrice: decimal('5000000') } as MarketView;
  const { quotes } = loaded.value.quote(view, params, undefined);
  expect(quotes.map(({ side, price, quantity }) => [side, price.toFixed(), quantity.toFixed()])).toEqual([
    ['buy', '4950000', '0.01'],
    ['sell', '5050000', '0.01'],
  ]);
});
