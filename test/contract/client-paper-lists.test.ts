// What the exchange's lists may leave open, each value once: order, pages, caps, lags, windows, ids.
import { describe, expect, test } from '@jest/globals';
import { plain } from '../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../src/domain/ids.ts';
import { DAY } from '../../src/domain/time.ts';
import type { Quirks } from '../../src/paper/wire/quirks.ts';
import type { ListLimit } from '../../src/venue/bounds.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { SpotTradesFilter } from '../../src/venue/requests.ts';
import type { PaperClient } from './client-paper-client.ts';
import { paperKit } from './client-paper-kit.ts';
import { BOB, FIRST_TRADE, orderIdAt, tradeIdAt } from './client-paper-market.ts';
import { verdictOf } from './client-paper-words.ts';

const kit = paperKit();
const symbol = 'BTC/INR';

/** Five fills of alice's bid: ids 0 to 4, one per millisecond. */
async function fiveFills(quirks: Partial<Quirks>): Promise<PaperClient> {
  const meeting = await kit.meet({ quirks });
  const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
  await alice.place('BUY 0.00500 @ 5000000.00');
  for (let sale = 0; sale < 5; sale += 1) {
    await bob.place('SELL 0.00100 @ 5000000.00');
    meeting.skip(1);
  }
  return alice;
}

/** The fills of an answer as their numbers after the first: `0 1 2`. */
async function numbersOf(client: PaperClient, filter: SpotTradesFilter, limit: ListLimit): Promise<string> {
  const fills = await client.fills(filter, limit);
  return fills.map(({ tradeId: id }) => String(BigInt(id) - FIRST_TRADE)).join(' ');
}

describe('Q2, Q3: which fills a page holds, and in which order', () => {
  const fromFirst = { by: 'from-id', fromId: tradeId(tradeIdAt(1)) } as const;

  test.each([
    ['newest-first', '4 3 2 1 0'],
    ['oldest-first', '0 1 2 3 4'],
  ] as const)('%s', async (tradeListOrder, numbers) => {
    expect(await numbersOf(await fiveFills({ tradeListOrder }), { by: 'symbol' }, 50)).toBe(numbers);
  });

  test('unordered: the same fills in whatever order', async () => {
    const numbers = await numbersOf(await fiveFills({ tradeListOrder: 'unordered' }), { by: 'symbol' }, 50);
    expect(numbers.split(' ').sort().join(' ')).toBe('0 1 2 3 4');
  });

  test.each([
    ['oldest', 'newest', '1 2', '3 4'],
    ['newest', 'newest', '3 4', '3 4'],
    ['oldest', 'oldest', '1 2', '0 1'],
    ['newest', 'oldest', '3 4', '0 1'],
  ] as const)('fromId: the %s, else the %s → %s, %s', async (fromIdPage, tradePage, fromId, others) => {
    const client = await fiveFills({ fromIdPage, tradePage, tradeListOrder: 'oldest-first' });
    expect(await numbersOf(client, fromFirst, 2)).toBe(fromId);
    expect(await numbersOf(client, { by: 'symbol' }, 2)).toBe(others);
    expect(await numbersOf(client, { by: 'order', orderId: orderId(orderIdAt(0)) }, 2)).toBe(others);
    expect(await numbersOf(client, fromFirst, 4)).toBe('1 2 3 4');
  });
});

describe('Q4: a page of open orders may be cut', () => {
  const rowsAndVerdict = (completed: Completed): string => {
    const { outcome } = completed;
    const rows = outcome.kind === 'read' && Array.isArray(outcome.read.rows) ? outcome.read.rows.length : 0;
    return `${rows} ${verdictOf(completed)}`;
  };

  test.each([
    [null, 19, '19 read', '19 read'],
    [null, 20, '20 read, incomplete', '20 read'],
    [null, 21, '21 read', '21 read'],
    [null, 50, '50 read, incomplete', '50 read'],
    [null, 51, '51 read', '51 read'],
    [20, 19, '19 read', '19 read'],
    [20, 21, '20 read, incomplete', '20 read'],
    [50, 49, '49 read', '49 read'],
    [50, 51, '50 read, incomplete', '50 read'],
  ])(
    'cap %p, %i orders → %s; where the venue is known to have no cap: %s',
    async (openOrdersCap, count, cautious, trusting) => {
      const meeting = await kit.meet({ quirks: { openOrdersCap } });
      const client = meeting.client();
      await Promise.all(Array.from({ length: count }, () => client.place('BUY 0.00010 @ 4000000.00')));
      const stamp = client.stamp();
      expect(rowsAndVerdict(await client.perform({ kind: 'open-orders', stamp }))).toBe(cautious);
      expect(rowsAndVerdict(await client.perform({ kind: 'open-orders', symbol, stamp }))).toBe(cautious);
      const uncapped = meeting.client({ settings: { openOrdersUncapped: true } });
      expect(rowsAndVerdict(await uncapped.perform({ kind: 'open-orders', stamp }))).toBe(trusting);
    },
  );
});

describe('Q6: each list trails the facts on its own', () => {
  /** `NEW · 0 fills · 10 BTC · 5023.6 INR locked` */
  async function shown(client: PaperClient): Promise<string> {
    const [orders, fills, wallet] = [await client.openOrders(), await client.fills(), await client.balances()];
    const free = wallet.find(({ asset }) => asset === 'BTC')?.free;
    const locked = wallet.find(({ asset }) => asset === 'INR')?.locked;
    const statuses = orders.map(({ status }) => status).join(' ');
    return [
      statuses,
      `${fills.length} fills`,
      `${free && plain(free)} BTC`,
      `${locked && plain(locked)} INR locked`,
    ].join(' · ');
  }

  const nothing = ' · 0 fills · 10 BTC · 0 INR locked';
  const open = 'NEW · 0 fills · 10 BTC · 5023.6 INR locked';
  const filled = ' · 1 fills · 10.001 BTC · 0 INR locked';

  test.each<[Partial<Quirks>, number, string, string]>([
    [{}, 0, open, filled],
    [{ openOrdersLagMs: 60_000 }, 60_000, ' · 0 fills · 10 BTC · 5023.6 INR locked', `NEW${filled}`],
    [{ tradesLagMs: 60_000 }, 60_000, open, ' · 0 fills · 10.001 BTC · 0 INR locked'],
    [
      { walletLagMs: 60_000 },
      60_000,
      'NEW · 0 fills · 10 BTC · 0 INR locked',
      ' · 1 fills · 10 BTC · 5023.6 INR locked',
    ],
    [{ openOrdersLagMs: 60_000, tradesLagMs: 60_000, walletLagMs: 60_000 }, 60_000, nothing, open],
  ])('%j: after %i ms it has caught up', async (quirks, lagMs, afterCreate, afterFill) => {
    const meeting = await kit.meet({ quirks });
    const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
    await alice.place('BUY 0.00100 @ 5000000.00');
    expect(await shown(alice)).toBe(afterCreate);
    meeting.skip(lagMs);
    expect(await shown(alice)).toBe(open);
    await bob.place('SELL 0.00100 @ 5000000.00');
    expect(await shown(alice)).toBe(afterFill);
    meeting.skip(lagMs);
    expect(await shown(alice)).toBe(filled);
  });

  test('a cancel is acknowledged at once and shows late: the order is listed while the list trails', async () => {
    const meeting = await kit.meet({ quirks: { openOrdersLagMs: 60_000 } });
    const client = meeting.client();
    const id = await client.place('BUY 0.00100 @ 5000000.00');
    meeting.skip(60_000);
    expect(verdictOf(await client.cancel(id))).toBe('acknowledged');
    expect(await client.openOrders()).toMatchObject([{ orderId: id, status: 'NEW' }]);
    meeting.skip(60_000);
    expect(await client.openOrders()).toEqual([]);
  });
});

describe('Q16: the list of own trades forgets', () => {
  test.each([1, 7, 90])('after %i days', async (days) => {
    const meeting = await kit.meet({ quirks: { historyWindowMs: days * DAY } });
    const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
    await alice.place('BUY 0.00100 @ 5000000.00');
    await bob.place('SELL 0.00100 @ 5000000.00');
    const fromId = tradeId(tradeIdAt(0));
    meeting.skip(days * DAY - 60_000);
    expect(await alice.fills({ by: 'from-id', fromId })).toHaveLength(1);
    meeting.skip(60_000);
    // Complete and empty: nothing in the answer tells that there was more.
    expect(await alice.fills({ by: 'from-id', fromId })).toEqual([]);
    expect(await alice.fills()).toEqual([]);
  });
});

describe('Q20: ids of any length are text, digit by digit', () => {
  test.each([1n, 9_007_199_254_740_993n, 10n ** 39n - 1n])('from %d', async (first) => {
    const meeting = await kit.meet({ engine: { firstOrderNumber: first, firstTradeNumber: first } });
    const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
    const id = await alice.place('BUY 0.00300 @ 5000000.00');
    expect(id).toBe(`1-${first}-1`);
    for (let sale = 0; sale < 2; sale += 1) await bob.place('SELL 0.00100 @ 5000000.00');
    expect(await alice.openOrders()).toMatchObject([{ orderId: id }]);
    const ids = (fills: readonly { tradeId: string }[]) => fills.map(({ tradeId: each }) => each);
    expect(ids(await alice.fills({ by: 'order', orderId: id }))).toEqual([`${first + 1n}`, `${first}`]);
    expect(ids(await alice.fills({ by: 'from-id', fromId: tradeId(`${first + 1n}`) }))).toEqual([`${first + 1n}`]);
    expect(verdictOf(await alice.cancel(id))).toBe('acknowledged');
    expect(await alice.openOrders()).toEqual([]);
  });
});

describe('N3: a book may show fewer levels than asked for', () => {
  test.each<[number | null, ListLimit, number]>([
    [null, 50, 30],
    [null, 20, 20],
    [20, 50, 20],
    [20, 10, 10],
  ])(
    'cap %p, limit %i → %i levels a side, and nothing says that there are more',
    async (orderBookCap, limit, levels) => {
      const meeting = await kit.meet({ quirks: { orderBookCap } });
      const steps = [...Array(30).keys()];
      meeting.crowd.rests(...steps.map((step) => `BUY 0.00100 @ ${4_999_000 - step}.00`));
      meeting.crowd.rests(...steps.map((step) => `SELL 0.00100 @ ${5_001_000 + step}.00`));
      const { outcome } = await meeting.client().perform({ kind: 'order-book', symbol, limit });
      expect(outcome).toMatchObject({ kind: 'read', read: { complete: true } });
      if (outcome.kind !== 'read' || !('bids' in outcome.read.rows)) throw new Error('The answer is no book.');
      const { bids, asks } = outcome.read.rows;
      expect([bids.length, asks.length]).toEqual([levels, levels]);
      expect([bids[0], asks[0]].map((level) => level && plain(level.price))).toEqual(['4999000', '5001000']);
    },
  );
});
