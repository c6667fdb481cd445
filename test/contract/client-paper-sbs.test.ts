// Simple buys and sells of the owner's, read back by the client: the one trade list without a historical twin and
// without a rule on what may be asked together.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../src/domain/decimal.ts';
import { tradeId } from '../../src/domain/ids.ts';
import { DAY, HOUR } from '../../src/domain/time.ts';
import { FIELD_QUIRKS, type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import type { ListLimit } from '../../src/venue/bounds.ts';
import type { SbsTradesFilter } from '../../src/venue/requests.ts';
import { type Meeting, type MeetingOptions, paperKit } from './client-paper-kit.ts';
import { BOB, FIRST_ORDER } from './client-paper-market.ts';
import type { Act } from './client-paper-owner.ts';
import { verdictOf, windowOf } from './client-paper-words.ts';

const kit = paperKit();
const meet = (options: MeetingOptions = {}) => kit.meet({ withOwner: true, ...options });

/** Simple trades are numbered as orders are, each on its own. */
const numberAt = (n: number) => tradeId(`${FIRST_ORDER + BigInt(n)}`);

const buy = (at: number, more: object = {}): Act => ({
  ...{
    kind: 'sbs-trade',
    account: 'alice',
    at,
    coin: 'BTC',
    side: 'buy',
    price: '5123456.789',
    quantity: '0.00123457',
  },
  ...{ commission: '31.62', tds: '0', ...more },
});

interface Asked {
  readonly filter?: Partial<SbsTradesFilter>;
  readonly limit?: ListLimit;
  readonly symbol?: string;
}

async function ask(
  meeting: Meeting,
  { filter = {}, limit, symbol = 'BTC/INR' }: Asked = {},
  client = meeting.client(),
) {
  const all = { time: { by: 'all' }, ...filter } as const;
  const stamp = client.stamp();
  const completed = await client.perform({ kind: 'sbs-trades', symbol, filter: all, ...(limit && { limit }), stamp });
  if (completed.kind !== 'sbs-trades' || completed.outcome.kind !== 'read' || !completed.outcome.read.complete) {
    throw new Error(`Not a complete read: ${verdictOf(completed)}.`);
  }
  return completed.outcome.read.rows;
}

/** `0 1 2`: the numbers of the rows after the first. */
const numbers = async (meeting: Meeting, asked: Asked = {}) =>
  (await ask(meeting, asked)).map((row) => String(BigInt(row.tradeId) - FIRST_ORDER)).join(' ');

/** So many, one each hour, the last an hour ago. */
async function hourly(
  count: number,
  quirks: Partial<Quirks> = {},
): Promise<{ meeting: Meeting; at: readonly number[] }> {
  const meeting = await meet({ quirks });
  const now = meeting.clock.now();
  const at = Array.from({ length: count }, (_, index) => now - (count - index) * HOUR);
  for (const moment of at) await meeting.owner().act(buy(moment, { quantity: '0.001' }));
  return { meeting, at };
}

describe.each([
  ['spec', SPEC_QUIRKS],
  ['field', FIELD_QUIRKS],
  ['all numbers as text', { tradeIdAs: 'string', timeAs: 'string' }],
] as const)('%s', (_profile, quirks) => {
  test('sbs-trades: a buy with its fee in INR, a sell with its fee in the coin and tax, exactly', async () => {
    const meeting = await meet({ quirks });
    const at = meeting.clock.now() - HOUR;
    await meeting.owner().act(buy(at));
    const sale = {
      side: 'sell',
      price: '5000000.3',
      quantity: '0.50000001',
      commission: '0.00000001',
      commissionIn: 'coin',
    };
    await meeting.owner().act(buy(at + 1, { ...sale, tds: '25000' }));
    const row = { symbol: 'BTC/INR', commissionAsset: 'INR' };
    expect(await ask(meeting)).toEqual([
      {
        ...row,
        ...{ tradeId: numberAt(1), side: 'sell', price: decimal('5000000.3'), quantity: decimal('0.50000001') },
        // 5000000.3 × 0.50000001 = 2500000.200000003.
        ...{ quoteQuantity: decimal('2500000.2'), commission: decimal('0.00000001'), commissionAsset: 'BTC' },
        ...{ tds: decimal('25000'), venueTime: at + 1 },
      },
      {
        ...row,
        ...{ tradeId: numberAt(0), side: 'buy', price: decimal('5123456.789'), quantity: decimal('0.00123457') },
        // 5123456.789 × 0.00123457 = 6325.26604799973, to eight decimals.
        ...{ quoteQuantity: decimal('6325.266048'), commission: decimal('31.62'), tds: decimal(0), venueTime: at },
      },
    ]);
    // 10 + 0.00123457 − 0.50000001 − 0.00000001; 10000000 − 6325.266048 − 31.62 + 2500000.2 − 25000.
    expect(await meeting.client().wallet()).toMatchObject({ BTC: '9.50123455 + 0', INR: '12468643.313952 + 0' });
  });
});

describe('which rows', () => {
  test('sbs-trades: by order, from an id, in a time, and all of these together', async () => {
    const { meeting, at } = await hourly(4);
    const [, second = 0, third = 0] = at;
    const window = windowOf(second, third);
    const rows: readonly [Partial<SbsTradesFilter>, string][] = [
      [{}, '3 2 1 0'],
      [{ orderId: numberAt(2) }, '2'],
      [{ orderId: numberAt(9) }, ''],
      [{ fromId: numberAt(2) }, '3 2'],
      [{ time: { by: 'start', startTime: second } }, '3 2 1'],
      [{ time: { by: 'end', endTime: second } }, '1 0'],
      [{ time: { by: 'range', range: window } }, '2 1'],
      [{ time: { by: 'range', range: window }, fromId: numberAt(2) }, '2'],
      [{ time: { by: 'range', range: window }, fromId: numberAt(0), orderId: numberAt(1) }, '1'],
      [{ time: { by: 'range', range: window }, orderId: numberAt(3) }, ''],
    ];
    for (const [filter, wanted] of rows) expect([filter, await numbers(meeting, { filter })]).toEqual([filter, wanted]);
  });

  test('sbs-trades: of this coin and this account only', async () => {
    const { meeting } = await hourly(1);
    await meeting.owner().act(buy(meeting.clock.now(), { coin: 'ETH', quantity: '0.5' }));
    await meeting.owner().act(buy(meeting.clock.now(), { coin: 'DOGE', price: '12.5', quantity: '7' }));
    await meeting.owner().act(buy(meeting.clock.now(), { account: 'bob' }));
    expect(await numbers(meeting)).toBe('0');
    expect(await numbers(meeting, { symbol: 'ETH/INR' })).toBe('1');
    // A coin that has no market, as soon as the exchange knows it.
    expect(await numbers(meeting, { symbol: 'DOGE/INR' })).toBe('2');
    expect(await ask(meeting, {}, meeting.client({ key: BOB }))).toMatchObject([{ tradeId: numberAt(3) }]);
  });

  test.each<[Partial<Quirks>, Asked, string]>([
    [{}, {}, '24 … 5'],
    [{}, { limit: 50 }, '24 … 0'],
    [{ listCap: 3 }, { limit: 50 }, '24 … 22'],
    [{ tradePage: 'oldest' }, { limit: 2 }, '1 … 0'],
    [{ tradeListOrder: 'oldest-first' }, { limit: 2 }, '23 … 24'],
    [{ fromIdPage: 'oldest' }, { limit: 2, filter: { fromId: numberAt(3) } }, '4 … 3'],
    [{ fromIdPage: 'newest' }, { limit: 2, filter: { fromId: numberAt(3) } }, '24 … 23'],
  ])('sbs-trades: 25 rows, %j, %j: %s', async (quirks, asked, wanted) => {
    const { meeting } = await hourly(25, quirks);
    const got = (await numbers(meeting, asked)).split(' ');
    expect(`${got[0]} … ${got.at(-1)}`).toBe(wanted);
  });

  test.each([1, 7, 90])('sbs-trades: what is older than %i days is nowhere to be read', async (days) => {
    const meeting = await meet({ quirks: { historyWindowMs: days * DAY } });
    const edge = meeting.clock.now() - days * DAY;
    await meeting.owner().act(buy(edge + 60_000));
    await meeting.owner().act(buy(edge - 1));
    expect(await numbers(meeting)).toBe('0');
    meeting.skip(61_000);
    expect(await numbers(meeting, { filter: { fromId: numberAt(0) } })).toBe('');
  });

  test('sbs-trades: shows when the lag of the trade lists has passed', async () => {
    const meeting = await meet({ quirks: { tradesLagMs: 60_000 } });
    await meeting.owner().act(buy(meeting.clock.now()));
    expect(await numbers(meeting)).toBe('');
    meeting.skip(60_000);
    expect(await numbers(meeting)).toBe('0');
  });
});
