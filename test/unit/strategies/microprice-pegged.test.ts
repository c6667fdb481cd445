import { describe, expect, test } from '@jest/globals';
import type { OrderBook } from '../../../src/domain/order-book.ts';
import type { MarketEvent } from '../../../src/quoting/strategy.ts';
import { strategy } from '../../../strategies/microprice-pegged.ts';
import { book, NOW, view } from '../quoting/market.ts';

const read = (params: object) => strategy.params.parse({ orderSize: '1', sizeUnit: 'base', ...params });

const event = (seen: OrderBook): MarketEvent => ({ kind: 'book', book: seen, sentAt: NOW });

/** Bids are three times as large as asks, or the other way round; the price follows the larger side by a unit. */
function remember(looks: number, params: ReturnType<typeof read>) {
  let memory = strategy.memory?.start(params);
  let mid = 1_000;
  for (let look = 0; look < looks && memory !== undefined; look += 1) {
    const isHeavy = look % 3 > 0;
    const [bid, ask] = isHeavy ? [3, 1] : [1, 3];
    memory = strategy.memory?.reduce(memory, event(book([`${mid - 1} x ${bid}`], [`${mid + 1} x ${ask}`])), params);
    mid += isHeavy ? 1 : -1;
  }
  if (memory === undefined) throw new Error('It has a memory.');
  return memory;
}

describe('microprice-pegged', () => {
  test('the example of its comment', () => {
    const params = read({ halfSpreadBps: 100 });
    const market = view({ book: book(['99 x 1'], ['101 x 3']) });
    const { quotes, explain } = strategy.quote(market, params, remember(0, params));
    expect(explain[0]).toMatchObject({ name: 'micro-price', before: '100', after: '99.5' });
    expect(quotes.map(({ price }) => price.toNumber())).toEqual([99.5 * 0.99, 99.5 * 1.01]);
  });

  test('learned: until enough books were read the sizes alone count, then the table does', () => {
    const params = read({ learned: true, minimumSnapshots: 100, imbalanceBuckets: 2, mostSpreads: 1 });
    const market = view({ book: book(['999 x 3'], ['1001 x 1']) });
    const early = strategy.quote(market, params, remember(60, params));
    expect(early.explain[0]).toMatchObject({
      after: '1000.5',
      why: expect.stringContaining('59 of 100 books are read'),
    });
    const late = strategy.quote(market, params, remember(400, params));
    expect(late.explain[0]?.why).toMatch(/^Learned from 399 books: [\d.]+ bps off the middle\.$/);
    expect(Number(late.explain[0]?.after)).toBeGreaterThan(1_000);
  });

  test('one that does not learn remembers nothing', () => {
    const params = read({});
    const memory = remember(10, params);
    expect(memory.counts.samples).toBe(0);
    expect(memory).toEqual(strategy.memory?.start(params));
  });

  test('a book without two sides is passed over', () => {
    const params = read({ learned: true });
    const before = remember(3, params);
    expect(strategy.memory?.reduce(before, event(book([], ['1 x 1'])), params)).toBe(before);
  });
});

test('what the price did while no book was read is no step of the table', () => {
  const params = read({ learned: true, minimumSnapshots: 100, imbalanceBuckets: 2, mostSpreads: 1 });
  const market = view({ book: book(['999 x 3'], ['1001 x 1']) });
  const offOf = (memory: ReturnType<typeof remember>): string =>
    strategy.quote(market, params, memory).explain[0]?.after ?? '';
  const learned = remember(400, params);
  const heavy = (mid: number, sentAt: number): MarketEvent => ({
    ...{ kind: 'book', book: book([`${mid - 1} x 3`], [`${mid + 1} x 1`]), sentAt },
  });
  const before = strategy.memory?.reduce(learned, heavy(1_134, NOW + 1_000), params);
  const after = before && strategy.memory?.reduce(before, heavy(1_070, NOW + 3_600_000), params);
  if (before === undefined || after === undefined) throw new Error('It has a memory.');
  expect(after.counts.movedBps).toEqual(before.counts.movedBps);
  expect(offOf(after)).toBe(offOf(before));
});
