// Executions beyond the rolling window: what the historical list holds, next to the one that forgets.
import { describe, expect, test } from '@jest/globals';
import { plain } from '../../src/domain/decimal.ts';
import type { Fill } from '../../src/domain/fill.ts';
import { orderId, tradeId } from '../../src/domain/ids.ts';
import { DAY, HOUR } from '../../src/domain/time.ts';
import { FIELD_QUIRKS, type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import type { ListLimit } from '../../src/venue/bounds.ts';
import type { SpotTradesFilter } from '../../src/venue/requests.ts';
import { rowsOf } from './client-paper-client.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { FIRST_TRADE, orderIdAt, tradeIdAt } from './client-paper-market.ts';
import { windowOf } from './client-paper-words.ts';

const kit = paperKit();
type List = 'spot-trades' | 'spot-trades-historical';

interface Asked {
  readonly filter?: SpotTradesFilter;
  readonly limit?: ListLimit;
  readonly symbol?: string;
}

async function ask(meeting: Meeting, kind: List, asked: Asked = {}): Promise<readonly Fill[]> {
  const { filter = { by: 'symbol' }, limit, symbol = 'BTC/INR' } = asked;
  const client = meeting.client();
  const completed = await client.perform({ kind, symbol, filter, ...(limit && { limit }), stamp: client.stamp() });
  if (completed.kind !== kind) throw new Error(`The answer is one to ${completed.kind}.`);
  return rowsOf(completed.outcome);
}

/** The trades by their number after the first. */
const numbers = async (meeting: Meeting, kind: List, asked: Asked = {}): Promise<string> =>
  (await ask(meeting, kind, asked)).map((fill) => String(BigInt(fill.tradeId) - FIRST_TRADE)).join(' ');

/** Bob offers, and alice buys by hand, at each of these moments before now. */
async function bought(
  quirks: Partial<Quirks>,
  ages: readonly number[],
): Promise<{ meeting: Meeting; at: readonly number[] }> {
  const meeting = await kit.meet({ quirks, withOwner: true });
  const now = meeting.clock.now();
  const at = ages.map((age) => now - age);
  const order = {
    kind: 'place-order',
    symbol: 'BTC/INR',
    quantity: '0.001',
    terms: { type: 'LIMIT', price: '5000000.01' },
  } as const;
  for (const moment of at) {
    await meeting.owner().act({ ...order, account: 'bob', side: 'sell', at: moment });
    await meeting.owner().act({ ...order, account: 'alice', side: 'buy', at: moment });
  }
  return { meeting, at };
}

const WINDOW = SPEC_QUIRKS.historyWindowMs;

describe.each([
  ['spec', SPEC_QUIRKS],
  ['field', FIELD_QUIRKS],
])('%s', (_profile, quirks) => {
  test('spot-trades-historical: every field of an execution, as the other list shows it at first', async () => {
    const { meeting, at } = await bought({ ...quirks, archiveHolds: 'everything' }, [WINDOW - 60_000]);
    const before = await ask(meeting, 'spot-trades');
    // 0.001 × 5000000.01 = 5000.00001; alice takes, 0.472 % of it is 23.6000000472.
    expect(
      before.map(({ price, quoteQuantity, commission, tds }) => [price, quoteQuantity, commission, tds].map(plain)),
    ).toEqual([['5000000.01', '5000.00001', '23.60000005', '0']]);
    expect(before).toMatchObject([
      { tradeId: tradeIdAt(0), orderId: orderIdAt(1), side: 'buy', liquidity: 'taker', venueTime: at[0] },
    ]);
    expect(await ask(meeting, 'spot-trades-historical')).toEqual(before);
    meeting.skip(61_000);
    expect(await ask(meeting, 'spot-trades')).toEqual([]);
    expect(await ask(meeting, 'spot-trades-historical')).toEqual(before);
  });
});

describe('Q16', () => {
  const DAYS = [100, 89, 8, 6, 2, 0.5];

  test.each<[number, Quirks['archiveHolds'], string, string]>([
    [1, 'older', '5', '4 3 2 1 0'],
    [1, 'everything', '5', '5 4 3 2 1 0'],
    [7, 'older', '5 4 3', '2 1 0'],
    [7, 'everything', '5 4 3', '5 4 3 2 1 0'],
    [90, 'older', '5 4 3 2 1', '0'],
    [90, 'everything', '5 4 3 2 1', '5 4 3 2 1 0'],
  ])(
    'spot-trades-historical: a window of %i days, the archive holds %s: %s and %s',
    async (days, archiveHolds, recent, old) => {
      const { meeting } = await bought(
        { historyWindowMs: days * DAY, archiveHolds },
        DAYS.map((age) => age * DAY),
      );
      expect([await numbers(meeting, 'spot-trades'), await numbers(meeting, 'spot-trades-historical')]).toEqual([
        recent,
        old,
      ]);
    },
  );
});

describe('the six questions', () => {
  const ages = [WINDOW + 3 * HOUR, WINDOW + 2 * HOUR, WINDOW + HOUR, HOUR];

  test('spot-trades-historical: by order, id and times, of what is old', async () => {
    const { meeting, at } = await bought({}, ages);
    const [first = 0, second = 0, third = 0] = at;
    const rows: readonly [SpotTradesFilter, string][] = [
      [{ by: 'symbol' }, '2 1 0'],
      [{ by: 'order', orderId: orderId(orderIdAt(3)) }, '1'],
      [{ by: 'order', orderId: orderId(orderIdAt(7)) }, ''],
      [{ by: 'from-id', fromId: tradeId(tradeIdAt(1)) }, '2 1'],
      [{ by: 'start', startTime: second }, '2 1'],
      [{ by: 'end', endTime: second }, '1 0'],
      [{ by: 'window', window: windowOf(second, second) }, '1'],
      [{ by: 'window', window: windowOf(first, third) }, '2 1 0'],
    ];
    for (const [filter, wanted] of rows) {
      expect([filter, await numbers(meeting, 'spot-trades-historical', { filter })]).toEqual([filter, wanted]);
    }
    expect(await numbers(meeting, 'spot-trades-historical', { symbol: 'ETH/INR' })).toBe('');
  });

  test.each<[Partial<Quirks>, Asked, string]>([
    [{}, {}, '24 … 5'],
    [{ tradePage: 'oldest' }, { limit: 3 }, '2 … 0'],
    [{ tradeListOrder: 'oldest-first', listCap: 20 }, { limit: 50 }, '5 … 24'],
    [{ fromIdPage: 'oldest' }, { limit: 2, filter: { by: 'from-id', fromId: tradeId(tradeIdAt(3)) } }, '4 … 3'],
    [{ fromIdPage: 'newest' }, { limit: 2, filter: { by: 'from-id', fromId: tradeId(tradeIdAt(3)) } }, '24 … 23'],
  ])('spot-trades-historical: 25 rows, %j, %j: %s', async (quirks, asked, wanted) => {
    const { meeting } = await bought(
      quirks,
      Array.from({ length: 25 }, (_, index) => WINDOW + (25 - index) * HOUR),
    );
    const got = (await numbers(meeting, 'spot-trades-historical', asked)).split(' ');
    expect(`${got[0]} … ${got.at(-1)}`).toBe(wanted);
  });
});

describe('trades that turn out otherwise', () => {
  test('spot-trades: one that never was leaves no row, and both get back what they gave', async () => {
    const { meeting } = await bought({}, [HOUR]);
    await meeting.owner().act({ kind: 'bust-trade', tradeId: tradeIdAt(0) });
    expect(await ask(meeting, 'spot-trades')).toEqual([]);
    expect(await meeting.client().wallet()).toEqual({ BTC: '10 + 0', ETH: '100 + 0', INR: '10000000 + 0' });
  });

  test('spot-trades: one that was another keeps id and time, with fee and balance of what it is now', async () => {
    const { meeting, at } = await bought({}, [HOUR]);
    await meeting.owner().act({ kind: 'correct-trade', tradeId: tradeIdAt(0), price: '4000000', quantity: '0.002' });
    const [fill] = await ask(meeting, 'spot-trades');
    expect(fill).toMatchObject({ tradeId: tradeIdAt(0), venueTime: at[0], side: 'buy' });
    // 8000 INR and 0.472 % of it.
    expect([fill?.quoteQuantity, fill?.commission].map((value) => value && plain(value))).toEqual(['8000', '37.76']);
    expect(await meeting.client().wallet()).toMatchObject({ BTC: '10.002 + 0', INR: '9991962.24 + 0' });
  });

  test('spot-trades: one that is told late comes with its old id and time, after younger ones', async () => {
    const { meeting, at } = await bought({}, [2 * HOUR, HOUR]);
    await meeting.owner().act({ kind: 'delay-trade', account: 'alice', tradeId: tradeIdAt(0), forMs: 60_000 });
    expect(await numbers(meeting, 'spot-trades')).toBe('1');
    meeting.skip(60_000);
    expect(await numbers(meeting, 'spot-trades')).toBe('1 0');
    expect((await ask(meeting, 'spot-trades')).at(-1)?.venueTime).toBe(at[0]);
  });
});
