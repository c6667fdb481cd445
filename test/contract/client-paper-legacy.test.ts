// The legacy interface, read by the client: prices, depth and trades to the last digit, at either path, in either zone,
// and the statuses that it has instead of codes.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../src/domain/decimal.ts';
import { FIELD_QUIRKS, type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { LEGACY_STATUSES } from '../../src/venue/error-codes.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { ReadKind, ReadRequest } from '../../src/venue/requests.ts';
import { type ClientOptions, type Meeting, type MeetingOptions, paperKit } from './client-paper-kit.ts';
import { tradeIdAt } from './client-paper-market.ts';
import { withPath } from './client-paper-tamper.ts';
import { verdictOf } from './client-paper-words.ts';
import { send } from './paper-connection.ts';

const kit = paperKit();
const symbol = 'BTC/INR';

const rowsOf = ({ outcome }: Completed): unknown => (outcome.kind === 'read' ? outcome.read.rows : outcome);
const atLevel = (price: string, quantity: string) => ({ price: decimal(price), quantity: decimal(quantity) });

/**
 * The crowd rests 20 INR apart, and two trades happen at 5000010: one of a lot, one of less than a millionth's
 * exponent.
 */
async function market(options: MeetingOptions = {}): Promise<Meeting> {
  const meeting = await kit.meet(options);
  meeting.crowd.rests('BUY 0.50000 @ 4999990.00', 'BUY 0.20000 @ 4999980.50', 'SELL 0.70001 @ 5000010.00');
  meeting.crowd.takes('BUY 0.04321 @ 5000010.00', 'SELL 0.00001 @ 4999990.00');
  await meeting.client().perform({ kind: 'symbols' });
  // What follows is in the same second, however long it takes.
  meeting.stand();
  meeting.skip(1_050 - (meeting.clock.now() % 1_000));
  return meeting;
}

/** When the trades happened, as the exchange's own public list says without any shift. */
async function tradedAt(meeting: Meeting): Promise<number> {
  const { body } = await send(meeting.url, { method: 'GET', target: `/api/v1/public/market/trades?symbol=${symbol}` });
  return JSON.parse(body)[0].time;
}

const ask = async (meeting: Meeting, request: ReadRequest<ReadKind & `legacy-${string}`>, options?: ClientOptions) =>
  meeting.client(options).perform(request);

describe.each([
  ['spec', SPEC_QUIRKS],
  ['field', FIELD_QUIRKS],
  ['numbers as text', { timeAs: 'string' }],
] as const)('%s', (_profile, quirks) => {
  test('legacy-best-prices: bid and ask with their asset, the last price; null where nobody quotes', async () => {
    const meeting = await market({ quirks });
    expect(rowsOf(await ask(meeting, { kind: 'legacy-best-prices' }))).toEqual([
      {
        symbol,
        bid: { amount: decimal('4999990'), asset: 'INR' },
        ask: { amount: decimal('5000010'), asset: 'INR' },
        lastPrice: decimal('4999990'),
      },
      { symbol: 'ETH/INR', bid: null, ask: null, lastPrice: null },
      { symbol: 'ETH/BTC', bid: null, ask: null, lastPrice: null },
    ]);
  });

  test('legacy-tickers: all prices and the volume of the day; null where nothing was traded', async () => {
    const meeting = await market({ quirks });
    const before = Math.floor(meeting.clock.now() / 1_000) * 1_000;
    const none = { bid: null, ask: null, high: null, low: null, open: null, last: null, volume: decimal(0) };
    const shared = { marketType: 'SPOT', venueTime: expect.any(Number) };
    const completed = await ask(meeting, { kind: 'legacy-tickers' });
    expect(rowsOf(completed)).toEqual([
      {
        ...shared,
        ...{ key: 'btcinr', symbol, bid: decimal('4999990'), ask: decimal('5000010') },
        ...{ high: decimal('5000010'), low: decimal('4999990'), open: decimal('5000010'), last: decimal('4999990') },
        volume: decimal('0.04322'),
      },
      { ...shared, ...none, key: 'ethinr', symbol: 'ETH/INR' },
      { ...shared, ...none, key: 'ethbtc', symbol: 'ETH/BTC' },
    ]);
    // Seconds, read as milliseconds.
    expect(rowsOf(completed)).toMatchObject([{ venueTime: before }, { venueTime: before }, { venueTime: before }]);
  });

  test('legacy-tickers: a volume in exponent notation is the same number', async () => {
    const tiny = { lotSize: decimal('0.00000001'), tickSize: decimal(1), minNotional: decimal('0.01') };
    const meeting = await kit.meet({
      quirks,
      engine: { instruments: [{ symbol, base: 'BTC', quote: 'INR', ...tiny }] },
    });
    await meeting.client().place('BUY 0.00000025 @ 5000000');
    await meeting.client().place('SELL 0.00000025 @ 5000000');
    const completed = await ask(meeting, { kind: 'legacy-tickers' });
    expect(meeting.heard.at(-1)).toContain('2.5e-7');
    expect(rowsOf(completed)).toMatchObject([{ volume: decimal('0.00000025') }]);
  });

  test('legacy-depth: levels from the best outwards, with the second in which they were true', async () => {
    const meeting = await market({ quirks });
    const before = Math.floor(meeting.clock.now() / 1_000) * 1_000;
    expect(rowsOf(await ask(meeting, { kind: 'legacy-depth', symbol }))).toEqual({
      bids: [atLevel('4999990', '0.49999'), atLevel('4999980.5', '0.2')],
      asks: [atLevel('5000010', '0.6568')],
      venueTime: before,
    });
    expect(rowsOf(await ask(meeting, { kind: 'legacy-depth', symbol: 'ETH/BTC' }))).toMatchObject({
      bids: [],
      asks: [],
    });
  });

  test.each<Quirks['legacyTradeZone']>(['+05:30', 'UTC'])(
    'legacy-trades: newest first, with ids beyond 2^53, at their true time though written in %s (Q17)',
    async (legacyTradeZone) => {
      const meeting = await market({ quirks: { ...quirks, legacyTradeZone } });
      const second = Math.floor((await tradedAt(meeting)) / 1_000) * 1_000 - (quirks === FIELD_QUIRKS ? 19_800_000 : 0);
      const row = { marketKey: 'btcinr', venueTime: second };
      const written = new Date(second + (legacyTradeZone === 'UTC' ? 0 : 19_800_000)).toISOString().slice(0, 19);
      expect(rowsOf(await ask(meeting, { kind: 'legacy-trades', symbol }))).toEqual([
        {
          ...row,
          ...atLevel('4999990', '0.00001'),
          tradeId: tradeIdAt(1),
          side: 'sell',
          quoteQuantity: decimal('49.9999'),
        },
        {
          ...row,
          ...atLevel('5000010', '0.04321'),
          tradeId: tradeIdAt(0),
          side: 'buy',
          quoteQuantity: decimal('216050.4321'),
        },
      ]);
      expect(meeting.heard.at(-1)).toContain(written);
    },
  );
});

describe('Q13: the paths of the request lines, or those of the sample calls', () => {
  test.each<[Quirks['legacyPaths'], 'versioned' | 'sample', string]>([
    ['versioned', 'versioned', 'read'],
    ['versioned', 'sample', 'failed 404'],
    ['sample', 'versioned', 'failed 404'],
    ['sample', 'sample', 'read'],
    ['both', 'versioned', 'read'],
    ['both', 'sample', 'read'],
  ])('exchange %s, client %s: %s', async (legacyPaths, mine, verdict) => {
    const meeting = await market({ quirks: { legacyPaths } });
    const options: ClientOptions = { settings: { legacyPaths: mine } };
    for (const kind of ['legacy-depth', 'legacy-trades'] as const) {
      expect(verdictOf(await ask(meeting, { kind, symbol }, options))).toBe(verdict);
    }
    // Both tickers have one path each.
    for (const kind of ['legacy-best-prices', 'legacy-tickers'] as const) {
      expect(verdictOf(await ask(meeting, { kind }, options))).toBe('read');
    }
  });
});

describe('Q18: whose limit counts', () => {
  const one = [{ requests: 1, perMs: 60_000 }];

  test.each<[Quirks['legacyRateLimit'], readonly string[]]>([
    ['shared', ['read', 'throttled 429', 'throttled 429']],
    ['separate', ['read', 'read', 'throttled 429']],
  ])('%s', async (legacyRateLimit, verdicts) => {
    const meeting = await kit.meet({ quirks: { legacyRateLimit }, rateLimits: { public: one, legacy: one } });
    const client = meeting.client();
    const asked = [
      await client.perform({ kind: 'symbols' }),
      await client.perform({ kind: 'legacy-tickers' }),
      await client.perform({ kind: 'legacy-best-prices' }),
    ];
    expect(asked.map(verdictOf)).toEqual(verdicts);
    expect(asked.at(-1)?.facts.rateLimit).toMatchObject({ limit: 1, remaining: 0, retryAfter: expect.any(Number) });
  });
});

describe.each(['json', 'text', 'empty'] as const)('the statuses, with a body that is %s', (legacyErrorBody) => {
  const ways: readonly (readonly [string, string, (meeting: Meeting) => ClientOptions])[] = [
    ['400 without a market', 'failed 400', () => ({ tamper: withPath('/api/v2/depth') })],
    ['403 by order', 'failed 403', (meeting) => fails(meeting, -2003)],
    ['404 of a market that is not there', 'failed 404', () => ({ tamper: withPath('/api/v2/depth?market=xrpinr') })],
    ['404 disabled', 'failed 404', (meeting) => controlled(meeting, { disabledEndpoints: ['legacy-depth'] })],
    ['405 by another method', 'failed 405', () => ({ tamper: (request) => ({ ...request, method: 'POST' }) })],
    ['429 by order', 'throttled 429', (meeting) => fails(meeting, -1003)],
    ['500 by order', 'failed 500', (meeting) => fails(meeting, -4001)],
    ['503 in maintenance', 'throttled 503', (meeting) => controlled(meeting, { maintenance: true })],
  ];

  test.each(ways)('legacy-depth: %s is %s', async (_what, verdict, prepare) => {
    const meeting = await market({ quirks: { legacyErrorBody } });
    const completed = await ask(meeting, { kind: 'legacy-depth', symbol }, prepare(meeting));
    expect(verdictOf(completed)).toBe(verdict);
    const { outcome, facts } = completed;
    const { meaning } = LEGACY_STATUSES.find(({ status }) => status === facts.status) ?? { meaning: 'none' };
    if (outcome.kind === 'failed') expect(outcome.fault.detail).toContain(meaning);
    expect(facts.venueDate).toBeDefined();
    const body = { json: `{"error":"${meaning}"}`, text: meaning, empty: '' }[legacyErrorBody];
    expect(JSON.parse(meeting.heard.at(-1) ?? '{}').body).toBe(body);
  });
});

function fails(meeting: Meeting, code: number): ClientOptions {
  return controlled(meeting, { failures: [{ endpoint: 'legacy-depth', code, skip: 0, times: 1, processed: false }] });
}

function controlled(meeting: Meeting, change: Parameters<Meeting['control']>[0]): ClientOptions {
  meeting.control(change);
  return {};
}

test('legacy-depth, legacy-trades: two symbols that are one key stand for the first', async () => {
  const steps = { tickSize: decimal(1), lotSize: decimal(1), minNotional: decimal(1) };
  const instruments = [
    { symbol: 'AB/CD', base: 'AB', quote: 'CD', ...steps },
    { symbol: 'A/BCD', base: 'A', quote: 'BCD', ...steps },
  ];
  const balances = { CD: decimal(100), BCD: decimal(100) };
  const keys = [{ apiKey: 'canary-key-alice-7e1d', secret: 'canary-secret-alice-b40c' }];
  const accounts = keys.map((key) => ({
    name: 'alice',
    keys: [{ ...key, permissions: ['orders'] as const, ipWhitelist: null }],
    balances,
  }));
  const meeting = await kit.meet({ engine: { instruments }, accounts });
  await meeting.client().place('BUY 3 @ 7 AB/CD');
  await meeting.client().place('BUY 5 @ 9 A/BCD');
  const wanted = { bids: [atLevel('7', '3')] };
  expect(rowsOf(await ask(meeting, { kind: 'legacy-depth', symbol: 'AB/CD' }))).toMatchObject(wanted);
  // The client can't see it: the depth has no name. It is what the key means here.
  expect(rowsOf(await ask(meeting, { kind: 'legacy-depth', symbol: 'A/BCD' }))).toMatchObject(wanted);
});

test('a client without the address of the legacy interface says so, and sends nothing', async () => {
  const meeting = await kit.meet();
  const { legacyBaseUrl: _none, ...rest } = meeting.settings();
  const { outcome } = await meeting.client({ replace: rest }).perform({ kind: 'legacy-depth', symbol });
  expect(outcome).toMatchObject({ kind: 'failed', fault: { sent: false } });
  expect(meeting.heard).toEqual([]);
});
