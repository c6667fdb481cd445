// Each quirk of the paper exchange in each of its values: once the lags have passed, one story leaves the same facts.
import { describe, expect, test } from '@jest/globals';
import type { ClientSettings } from '../../src/client/exchange-client.ts';
import { plain } from '../../src/domain/decimal.ts';
import { DAY } from '../../src/domain/time.ts';
import type { EngineSettings } from '../../src/matching/types.ts';
import { FIELD_QUIRKS, INDIA_OFFSET_MS, type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { DIALECT } from '../../src/venue/dialect.ts';
import { type MeetingOptions, paperKit } from './client-paper-kit.ts';
import { BOB, orderIdAt } from './client-paper-market.ts';
import { enrich, everything } from './client-paper-rich.ts';

const kit = paperKit();
const LONGEST_LAG_MS = 60_000;

/** A new quirk, or a new value of one, must be added here: the compiler asks for it. */
const VALUES: { readonly [K in keyof Quirks]: readonly Quirks[K][] } = {
  emptyValues: ['skipped', 'included'],
  signedValues: ['raw', 'percent-encoded'],
  signatureHeader: [null, 'X-EXCHANGE-SIGNATURE'],
  cancelAllContentType: ['either', 'required', 'refused'],
  recvWindowChecked: ['gate', 'both'],
  matchingLagMs: [0, 40],
  cancelLagMs: [0, 1_000, LONGEST_LAG_MS],
  creationsDuringCancel: ['land-after', 'canceled'],
  openOrdersLagMs: [0, 1_000, LONGEST_LAG_MS],
  tradesLagMs: [0, 1_000, LONGEST_LAG_MS],
  walletLagMs: [0, 1_000, LONGEST_LAG_MS],
  transfersLagMs: [0, 1_000, LONGEST_LAG_MS],
  cancelOfClosed: ['acknowledged', 'rejected'],
  insufficientFunds: ['code', 'msg', 'failure'],
  offStep: ['code', 'msg', 'failure'],
  tradeListOrder: ['newest-first', 'oldest-first', 'unordered'],
  transferListOrder: ['newest-first', 'oldest-first', 'unordered'],
  fromIdPage: ['oldest', 'newest'],
  tradePage: ['oldest', 'newest'],
  transferPage: ['oldest', 'newest'],
  openOrdersCap: [null, 20, 50],
  listCap: [null, 20],
  lockedIncludes: ['all', 'trading'],
  historyWindowMs: [DAY, 7 * DAY, 90 * DAY],
  archiveHolds: ['older', 'everything'],
  codeAs: ['number', 'string'],
  tradeIdAs: ['number', 'string'],
  timeAs: ['number', 'string'],
  rateHeaders: ['always', 'when-throttled', 'never'],
  retryAfter: ['seconds', 'date', 'missing'],
  orderBookCap: [null, 20],
  tickerTimeUnit: ['ms', 's'],
  publicTradeOffsetMs: [0, INDIA_OFFSET_MS],
  legacyPaths: ['versioned', 'sample', 'both'],
  legacyTradeZone: ['+05:30', 'UTC'],
  legacyRateLimit: ['shared', 'separate'],
};

const single: readonly (readonly [string, Partial<Quirks>])[] = Object.entries(VALUES).flatMap(([name, values]) =>
  values.map((value) => [`${name}: ${value}`, { [name]: value }] as const),
);
const others: readonly (readonly [string, Partial<Quirks>])[] = [
  ['profile spec', SPEC_QUIRKS],
  ['profile field', FIELD_QUIRKS],
  ['the last value of each', Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, values.at(-1)]))],
];

interface Facts {
  readonly orders: readonly string[];
  readonly fills: readonly string[];
  readonly wallet: Readonly<Record<string, string>>;
}

/** Alice rests two orders, bob takes one and a half of them, alice cancels one and is refused a third. */
async function story(options: MeetingOptions): Promise<Facts> {
  const meeting = await kit.meet({ rateLimits: { private: [{ requests: 100, perMs: 60_000 }] }, ...options });
  const [alice, bob] = [meeting.client(), meeting.client({ key: BOB })];
  await alice.place('SELL 0.01000 @ 5000000.01');
  const second = await alice.place('SELL 0.02000 @ 5000000.02');
  await alice.place('SELL 0.03000 @ 5000000.03');
  await bob.place('BUY 0.02000 @ 5000000.02');
  expect((await alice.cancel(second)).outcome.kind).toBe('acknowledged');
  for (const refused of ['BUY 3.00000 @ 5000000.00', 'BUY 0.00100 @ 4000000.005']) {
    expect(['rejected', 'soft-rejected', 'unknown']).toContain((await alice.create(refused)).outcome.kind);
  }
  // A cancel that is late, and lists that trail it.
  meeting.skip(3 * LONGEST_LAG_MS);
  const orders = await alice.openOrders('BTC/INR');
  const fills = await alice.fills({ by: 'symbol' }, 50);
  return {
    orders: orders.map(({ orderId, remainingQuantity }) => `${orderId} ${plain(remainingQuantity)}`),
    fills: fills.map(({ orderId, quantity, tds }) => `${orderId} ${plain(quantity)} ${plain(tds)}`).sort(),
    wallet: await alice.wallet(),
  };
}

// Twice 0.01 BTC sold for 50000.0001 and 50000.0002: the maker's 0.354 % is 177.000000354 and 177.000000708, the tax
// 500.000001 and 500.000002.
const FACTS: Facts = {
  orders: [`${orderIdAt(2)} 0.03`],
  fills: [`${orderIdAt(0)} 0.01 500.000001`, `${orderIdAt(1)} 0.01 500.000002`],
  wallet: { BTC: '9.95 + 0.03', ETH: '100 + 0', INR: '10098646.00029594 + 0' },
};

describe('the same facts under', () => {
  test.each([...single, ...others])('%s', async (_what, quirks) => {
    expect(await story({ quirks })).toEqual(FACTS);
  });

  test.each<Partial<EngineSettings>>([
    { selfTrade: 'reject' },
    { selfTrade: 'cancel-resting' },
    { buyerFeeAsset: 'base' },
    { firstOrderNumber: 9_007_199_254_740_993n, firstTradeNumber: 1n },
  ])('engine %#', async (engine) => {
    expect(await story({ engine })).toEqual(FACTS);
  });
});

/** Settings of a client that knows these quirks. */
const knowing = (quirks: Quirks): Partial<ClientSettings> => ({
  dialect: {
    ...DIALECT,
    emptyValues: quirks.emptyValues === 'skipped' ? 'skip' : 'include',
    percentEncoding: quirks.signedValues === 'raw' ? 'raw' : 'encoded',
  },
  legacyPaths: quirks.legacyPaths === 'sample' ? 'sample' : 'versioned',
  timeOffsetsMs: {
    'public-trades': quirks.publicTradeOffsetMs,
    'legacy-trades': quirks.legacyTradeZone === 'UTC' ? 0 : INDIA_OFFSET_MS,
  },
});

/** Rows without their order, and times to the second: a ticker may know no more. */
const comparable = (rows: unknown): unknown => {
  const plainer = JSON.parse(
    JSON.stringify(rows, (name, value) => (name === 'venueTime' ? Math.floor(value / 1_000) : value)),
  );
  return Array.isArray(plainer) ? plainer.map((row) => JSON.stringify(row)).sort() : plainer;
};

test('every read gives the same under each value of each quirk, but for what an archive holds', async () => {
  const meeting = await kit.meet({ withOwner: true });
  await enrich(meeting);
  meeting.skip(3 * LONGEST_LAG_MS);
  const read = async (quirks: Quirks) => {
    meeting.control({ quirks });
    const all = await everything(meeting.client({ settings: knowing(quirks) }));
    return Object.fromEntries(Object.entries(all).map(([name, rows]) => [name, comparable(rows)]));
  };
  const plainly = await read(SPEC_QUIRKS);
  for (const [what, change] of [...single, ...others]) {
    const quirks = { ...SPEC_QUIRKS, ...change };
    const wanted = Object.entries(plainly).map(([name, rows]) => {
      const recent = plainly[name.replace('-historical', '')];
      const holdsAll = name.endsWith('-historical') && quirks.archiveHolds === 'everything';
      return [name, holdsAll && Array.isArray(rows) && Array.isArray(recent) ? [...rows, ...recent].sort() : rows];
    });
    expect([what, await read(quirks)]).toEqual([what, Object.fromEntries(wanted)]);
  }
});
