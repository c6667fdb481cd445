// The strategies that the READMEs show are strategies: they load, and they quote.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../src/domain/fill.ts';
import type { MarketView, Strategy } from '../../../src/quoting/strategy.ts';
import { loadStrategy } from '../../../strategies/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'readme-strategy-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The example of the page with this number, loaded by its name. */
async function exampleOf(page: string, place: number, name: string): Promise<Strategy> {
  const examples = [...readFileSync(path.join(ROOT, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)];
  writeFileSync(path.join(folder, `${name}.ts`), examples[place]?.[1] ?? '');
  const loaded = await loadStrategy(name, folder);
  if (!loaded.ok) throw new Error(loaded.error);
  return loaded.value;
}

const view = { referencePrice: decimal('5000000'), now: 1_000_000 } as MarketView;

const textsOf = (strategy: Strategy, params: unknown, memory?: unknown): string[][] =>
  strategy
    .quote(view, params, memory)
    .quotes.map(({ side, price, quantity }) => [side, price.toFixed(), quantity.toFixed()]);

test.each(['README.md', 'strategies/README.md'])(
  '%s: a strategy that quotes one percent on both sides',
  async (page) => {
    const strategy = await exampleOf(page, 0, 'one-percent');
    expect(textsOf(strategy, strategy.params.parse({ quantity: '0.01' }))).toEqual([
      ['buy', '4950000', '0.01'],
      ['sell', '5050000', '0.01'],
    ]);
  },
);

describe('strategies/README.md: one that leans with the flow of takers', () => {
  const trade = (takerSide: 'buy' | 'sell'): PublicTrade => ({
    ...{ price: decimal(1), quantity: decimal(1), takerSide, venueTime: 990_000 },
  });

  test('needs public trades, and remembers who bought', async () => {
    const strategy = await exampleOf('strategies/README.md', 1, 'with-the-flow');
    const params = strategy.params.parse({ quantity: '0.01', memoryTrades: 2 });
    expect(strategy.needs?.(params)).toEqual({ trades: true });
    const start = strategy.memory?.start(params);
    expect(textsOf(strategy, params, start).map(([, price]) => price)).toEqual(['4950000', '5050000']);
    const seen = { kind: 'trades', trades: [trade('buy'), trade('buy')], sentAt: 0, hasGap: false } as const;
    const memory = strategy.memory?.reduce(start, seen, params);
    expect(memory).toEqual({ net: 0.75, lastAt: 990_000 });
    expect(start).toEqual({ net: 0, lastAt: null });
    // 20 bps · 0.75 = 15 bps higher: 5,007,500.
    expect(textsOf(strategy, params, memory).map(([, price]) => price)).toEqual(['4957425', '5057575']);
    expect(strategy.quote(view, params, memory).explain[0]?.why).toBe('Takers are 75 % on the buying side.');
    const later = { ...view, now: 990_000 + 600_001 };
    expect(strategy.quote(later, params, memory).explain[0]?.why).toBe('No taker was seen for long.');
  });

  test('is as short as its title says', () => {
    const [first, second] = [
      ...readFileSync(path.join(ROOT, 'strategies/README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
    ].map(([, code = '']) => code.split('\n').length - 1);
    expect(first).toBeLessThanOrEqual(20);
    expect(second).toBeLessThanOrEqual(60);
  });
});
