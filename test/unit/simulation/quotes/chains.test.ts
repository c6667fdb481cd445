// The price that a judge reads off two other books: along and turned over, by any of the last books, and none that is
// too old or too far from the market's own price.
import { expect, test } from '@jest/globals';
import type { CheckContext } from '../../../../simulation/checks/context.ts';
import type { JournalIntent } from '../../../../simulation/checks/journal-model.ts';
import { chainsOf } from '../../../../simulation/quotes/chains.ts';
import { createBooks } from '../../../../simulation/shown/shown-book.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { RunSettings } from '../../../../src/trader/state/settings.ts';

const NOW = 1_000_000;
const context = {
  ...{ now: () => NOW, clockError: () => 0, journal: { fills: new Map() } },
  settings: { assumptions: { readLagBoundMs: 1_000 } },
} as unknown as CheckContext;

type Side = readonly (readonly [string, string])[];

function booksOf(...came: readonly (readonly [symbol: string, bids: Side, asks: Side, ageMs?: number])[]) {
  const books = createBooks();
  for (const [symbol, bids, asks, ageMs = 1_000] of came)
    books.answered({
      ...{ endpoint: 'order-book', status: 200, text: JSON.stringify({ bids, asks }), headers: {} },
      ...{ query: new URLSearchParams({ symbol }), sentAt: NOW - ageMs, body: {}, intent: null, request: {} as never },
    });
  return books;
}

function prices(legs: readonly string[], books: ReturnType<typeof createBooks>, reference: string, own = new Map()) {
  const params = { legs, maxLegAgeMs: 30_000, maxDeviationBps: 500 };
  const run = { params, instrument: { base: 'BTC', quote: 'INR' } } as unknown as RunSettings;
  const known = { recent: own, books, reference: decimal(reference) };
  const chains = chainsOf(context, run, known);
  if (chains === null) throw new Error('A book can’t be read.');
  return chains.map((chain) => [chain?.price.toNumber(), chain?.addedBps.toNumber()]);
}

const USDT = ['USDT/INR', [['86.00', '1']], [['86.10', '1']]] as const;

test('the example of docs/strategies.md', () => {
  const books = booksOf(['BTC/USDT', [['64000', '1']], [['64064', '1']]], USDT);
  const [[price, added] = []] = prices(['BTC/USDT', 'USDT/INR'], books, '5500000');
  expect([price, added?.toFixed(1)]).toEqual([5_509_953.6, '10.8']);
});

test('a leg that leads the other way is turned over, and its ask makes a bid', () => {
  const books = booksOf(['ETH/BTC', [['0.05', '1']], [['0.0625', '1']]], ['ETH/INR', [['299', '1']], [['301', '1']]]);
  // 16 to 20 ETH for a BTC: 18 × 300, and (20·301 − 16·299)/2 between selling and buying.
  expect(prices(['ETH/BTC', 'ETH/INR'], books, '5400')).toEqual([[5_400, expect.closeTo((618 / 5_400) * 10_000, 9)]]);
});

test('each of the last books may be the one, but for those that are too old', () => {
  const books = booksOf(
    ['BTC/USDT', [['63000', '1']], [['63064', '1']], 32_001],
    ['BTC/USDT', [['64000', '1']], [['64064', '1']], 31_999],
    ['BTC/USDT', [['64100', '1']], [['64164', '1']]],
    ['BTC/USDT', [['64200', '1']], [['64100', '1']]],
    USDT,
  );
  const all = prices(['BTC/USDT', 'USDT/INR'], books, '5500000').map(([price]) => Number(price) / 86.05);
  // A crossed book makes a price, too: what becomes of it is another matter.
  expect(all.map(Math.round).toSorted()).toEqual([64_032, 64_132, 64_150]);
});

test('a price that is too far from that of the market itself is none', () => {
  const books = booksOf(['BTC/USDT', [['640000', '1']], [['640640', '1']]], USDT);
  expect(prices(['BTC/USDT', 'USDT/INR'], books, '5500000')).toEqual([]);
  expect(prices(['BTC/USDT', 'USDT/INR'], booksOf(USDT), '5500000')).toEqual([]);
});

test('what of a leg is our own order may be out of it, or not', () => {
  const order = { side: 'sell', price: '86.10', quantity: '1', state: 'open', since: NOW } as unknown as JournalIntent;
  const books = booksOf(
    ['BTC/USDT', [['64000', '1']], [['64000', '1']]],
    [
      'USDT/INR',
      [['86.00', '1']],
      [
        ['86.10', '1'],
        ['86.20', '2'],
      ],
    ],
  );
  const all = prices(['BTC/USDT', 'USDT/INR'], books, '5500000', new Map([['USDT/INR', [order]]]));
  expect(all.map(([price]) => Number(price) / 64_000)).toEqual([86.05, 86.1]);
});

test('where the last book of a leg can’t be read, nobody can tell what is believed of it', () => {
  const unread = [
    ['1e-7', '1'],
    ['86.00', '1'],
  ] as const;
  const books = booksOf(['BTC/USDT', [['64000', '1']], [['64064', '1']]], USDT, [
    'USDT/INR',
    unread,
    [['86.10', '1']],
    10,
  ]);
  expect(() => prices(['BTC/USDT', 'USDT/INR'], books, '5500000')).toThrow('can’t be read');
});

test('a strategy of one market has no chain', () => {
  const run = { params: {} } as unknown as RunSettings;
  expect(chainsOf(context, run, { recent: new Map(), books: createBooks(), reference: decimal(1) })).toEqual([null]);
});
