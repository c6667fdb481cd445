// Every endpoint of the table, answered by the real exchange to the real client: the exact values, in both profiles.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { decimal } from '../../src/domain/decimal.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import { FIELD_QUIRKS, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { ENDPOINTS, type Endpoint } from '../../src/venue/endpoints.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { BOB, orderIdAt, tradeIdAt } from './client-paper-market.ts';
import { ENDPOINT_NAMES, goodRequest } from './client-paper-requests.ts';
import { windowOf } from './client-paper-words.ts';

const kit = paperKit();
const symbol = 'BTC/INR';

/** The crowd holds the book open by 20 INR; alice bids inside it, and bob sells her a part. */
async function tradedMarket(quirks = SPEC_QUIRKS): Promise<Meeting> {
  const meeting = await kit.meet({ quirks });
  meeting.crowd.rests('BUY 0.50000 @ 4999990.00', 'SELL 0.70001 @ 5000010.00', 'SELL 0.00003 @ 5000010.07');
  await meeting.client().place('BUY 0.12345 @ 5000000.01');
  await meeting.client({ key: BOB }).place('SELL 0.04321 @ 4999995.00');
  return meeting;
}

const rowsOf = ({ outcome }: Completed): unknown => (outcome.kind === 'read' ? outcome.read.rows : outcome);
/** Levels are decimals once they are read. */
const written = (completed: Completed): unknown => JSON.parse(JSON.stringify(rowsOf(completed)));
const atLevel = (price: string, quantity: string) => ({ price: decimal(price), quantity: decimal(quantity) });
const noLocks = { lockedFd: decimal(0), lockedStaking: decimal(0), lockedOtc: decimal(0) };

describe.each([
  ['spec', SPEC_QUIRKS],
  ['field', FIELD_QUIRKS],
])('profile %s', (_profile, quirks) => {
  /** When the trade happened, when alice's order was made: as the exchange itself knows. */
  async function momentsOf(meeting: Meeting): Promise<{ tradedAt: number; createdAt: number }> {
    const [alice] = (await meeting.truth()).accounts;
    const order: { time?: number } = alice?.orders[0] ?? {};
    return { tradedAt: alice?.fills?.[0]?.time ?? Number.NaN, createdAt: Number(order.time) };
  }

  test('order-book: levels from the best outwards', async () => {
    const meeting = await tradedMarket(quirks);
    expect(written(await meeting.client().perform({ kind: 'order-book', symbol, limit: 50 }))).toEqual({
      bids: [
        { price: '5000000.01', quantity: '0.08024' },
        { price: '4999990', quantity: '0.5' },
      ],
      asks: [
        { price: '5000010', quantity: '0.70001' },
        { price: '5000010.07', quantity: '0.00003' },
      ],
    });
  });

  test('order-book: no more levels than asked for', async () => {
    const meeting = await tradedMarket(quirks);
    expect(written(await meeting.client().perform({ kind: 'order-book', symbol, limit: 1 }))).toEqual({
      bids: [{ price: '5000000.01', quantity: '0.08024' }],
      asks: [{ price: '5000010', quantity: '0.70001' }],
    });
  });

  test('order-book: of a symbol that nobody quotes', async () => {
    const meeting = await tradedMarket(quirks);
    const empty = await meeting.client().perform({ kind: 'order-book', symbol: 'ETH/INR', limit: 50 });
    expect(rowsOf(empty)).toEqual({ bids: [], asks: [] });
  });

  test('tickers: the last price and when, in ms whatever unit it came in', async () => {
    const meeting = await tradedMarket(quirks);
    const { tradedAt } = await momentsOf(meeting);
    const venueTime = quirks.tickerTimeUnit === 's' ? tradedAt - (tradedAt % 1_000) : tradedAt;
    const price = decimal('5000000.01');
    const day = { high: price, low: price, volume: decimal('0.04321'), changePercent: decimal(0) };
    const rows = [{ symbol, lastPrice: price, ...day, venueTime }];
    for (const request of [{ kind: 'tickers' }, { kind: 'tickers', symbol }] as const) {
      expect(rowsOf(await meeting.client().perform(request))).toEqual(rows);
    }
    expect(JSON.parse(meeting.heard.at(-1) ?? '{}').body).toMatch(
      quirks.tickerTimeUnit === 's' ? /"time":"\d{10}"/ : /"time":"\d{13}"/,
    );
    const untraded = await meeting.client().perform({ kind: 'tickers', symbol: 'ETH/BTC' });
    expect(rowsOf(untraded)).toEqual([]);
  });

  test('symbols', async () => {
    const meeting = await tradedMarket(quirks);
    expect(rowsOf(await meeting.client().perform({ kind: 'symbols' }))).toEqual(['BTC/INR', 'ETH/INR', 'ETH/BTC']);
  });

  test('public-trades: newest first, by who took, when it really was', async () => {
    const meeting = await tradedMarket(quirks);
    meeting.crowd.takes('BUY 0.00001 @ 5000010.00');
    const rows = rowsOf(await meeting.client().perform({ kind: 'public-trades', symbol, limit: 50 }));
    const { tradedAt } = await momentsOf(meeting);
    expect(meeting.heard.at(-1)).toContain(String(tradedAt + quirks.publicTradeOffsetMs));
    expect(rows).toEqual([
      { ...atLevel('5000010', '0.00001'), takerSide: 'buy', venueTime: expect.any(Number) },
      { ...atLevel('5000000.01', '0.04321'), takerSide: 'sell', venueTime: tradedAt },
    ]);
  });

  test('wallet: every asset, to the last digit', async () => {
    const meeting = await tradedMarket(quirks);
    // The rest of the bid, 0.08024 × 5000000.01 = 401200.0008024, is locked with a fee at the taker's 0.472 %, which is
    // 1893.664003787328, rounded up. What was bought cost 216050.0004321 and the maker's 0.354 % of it,
    // 764.817001529634.
    const locked = decimal('403093.66480619');
    expect(rowsOf(await meeting.client().perform(goodRequest('wallet', meeting.client().stamp())))).toEqual([
      { asset: 'BTC', free: decimal('10.04321'), locked: decimal(0), ...noLocks },
      { asset: 'ETH', free: decimal('100'), locked: decimal(0), ...noLocks },
      { asset: 'INR', free: decimal('9783185.18256637').sub(locked), locked, ...noLocks },
    ]);
  });

  test('open-orders: what was asked for and what is left', async () => {
    const meeting = await tradedMarket(quirks);
    const { createdAt } = await momentsOf(meeting);
    const order = {
      symbol,
      orderId: orderIdAt(3),
      side: 'buy',
      type: 'limit',
      price: decimal('5000000.01'),
      originalQuantity: decimal('0.12345'),
      executedQuantity: decimal('0.04321'),
      remainingQuantity: decimal('0.08024'),
      status: 'PARTIALLY_FILLED',
      venueTime: createdAt,
    };
    const stamp = meeting.client().stamp();
    expect(rowsOf(await meeting.client().perform({ kind: 'open-orders', stamp }))).toEqual([order]);
    expect(rowsOf(await meeting.client().perform({ kind: 'open-orders', symbol, stamp }))).toEqual([order]);
    expect(rowsOf(await meeting.client().perform({ kind: 'open-orders', symbol: 'ETH/INR', stamp }))).toEqual([]);
    const fresh = await meeting.client().place('SELL 0.00100 @ 6000000.00');
    expect(await meeting.client().openOrders()).toMatchObject([{}, { orderId: fresh, side: 'sell', status: 'NEW' }]);
  });

  test('spot-trades: maker and taker of one trade, each with his own fee, the seller with tax', async () => {
    const meeting = await tradedMarket(quirks);
    const { tradedAt } = await momentsOf(meeting);
    const trade = {
      symbol,
      tradeId: tradeIdAt(0),
      ...atLevel('5000000.01', '0.04321'),
      quoteQuantity: decimal('216050.0004321'),
      commissionAsset: 'INR',
      venueTime: tradedAt,
    };
    const [commission, tds] = [decimal('764.81700153'), decimal(0)];
    expect(await meeting.client().fills()).toEqual([
      { ...trade, orderId: orderIdAt(3), side: 'buy', commission, tds, liquidity: 'maker' },
    ]);
    const sold = { commission: decimal('1019.75600204'), tds: decimal('2160.50000432') };
    expect(await meeting.client({ key: BOB }).fills()).toEqual([
      { ...trade, orderId: orderIdAt(4), side: 'sell', ...sold, liquidity: 'taker' },
    ]);
  });

  test('spot-trades: each of the six filters that the specification allows', async () => {
    const meeting = await tradedMarket(quirks);
    const { tradedAt } = await momentsOf(meeting);
    const client = meeting.client();
    const [own] = await client.fills();
    if (own === undefined) throw new Error('Alice has no fill.');
    const { orderId, tradeId } = own;
    expect(await client.fills({ by: 'order', orderId })).toEqual([own]);
    expect(await client.fills({ by: 'from-id', fromId: tradeId })).toEqual([own]);
    // Both ends are inclusive.
    expect(await client.fills({ by: 'start', startTime: tradedAt })).toEqual([own]);
    expect(await client.fills({ by: 'start', startTime: tradedAt + 1 })).toEqual([]);
    expect(await client.fills({ by: 'end', endTime: tradedAt })).toEqual([own]);
    expect(await client.fills({ by: 'end', endTime: tradedAt - 1 })).toEqual([]);
    const longest = 72 * 3_600_000;
    expect(await client.fills({ by: 'window', window: windowOf(tradedAt - longest, tradedAt) })).toEqual([own]);
    expect(await client.fills({ by: 'window', window: windowOf(tradedAt, tradedAt) })).toEqual([own]);
  });

  test('create: the id as text, digit by digit, beyond 2^53', async () => {
    const meeting = await kit.meet({ quirks });
    const { outcome } = await meeting.client().create('BUY 0.00100 @ 4000000.01');
    expect(outcome).toEqual({ kind: 'accepted', orderId: '1-9007199254740993-1' });
    const [account] = (await meeting.truth()).accounts;
    expect(account?.orders).toMatchObject([
      { orderId: '1-9007199254740993-1', side: 'BUY', price: '4000000.01', origQty: '0.001' },
    ]);
  });

  test('cancel: hits what it names and nothing else, and so do cancel-symbol and cancel-all', async () => {
    const meeting = await kit.meet({ quirks });
    const [client, bob] = [meeting.client(), meeting.client({ key: BOB })];
    const orders = ['BUY 0.00100 @ 4000000.00', 'BUY 0.00200 @ 4000000.00', 'SELL 1.0000 @ 400000.00 ETH/INR'];
    const ids: OrderId[] = [];
    for (const order of [...orders, 'BUY 0.100 @ 0.05000 ETH/BTC']) ids.push(await client.place(order));
    const others = await bob.place('BUY 0.00100 @ 4000000.00');
    const open = async () => (await client.openOrders()).map(({ orderId }) => orderId);

    expect((await client.cancel(ids[0] ?? '')).outcome).toEqual({ kind: 'acknowledged', msg: expect.any(String) });
    expect(await open()).toEqual(ids.slice(1));
    expect((await client.cancelSymbol('BTC/INR')).outcome.kind).toBe('acknowledged');
    expect(await open()).toEqual(ids.slice(2));
    expect((await client.cancelAll()).outcome.kind).toBe('acknowledged');
    expect(await open()).toEqual([]);
    expect(await client.wallet()).toEqual({ BTC: '10 + 0', ETH: '100 + 0', INR: '10000000 + 0' });
    expect(await bob.openOrders()).toMatchObject([{ orderId: others }]);
  });

  test.each(ENDPOINT_NAMES)('%s says when, by whom, and how it was asked', async (name) => {
    const meeting = await tradedMarket(quirks);
    const asked = goodRequest(name, meeting.client().stamp());
    const before = meeting.clock.now();
    const { kind, facts, request: echoed } = await meeting.client().perform(asked);
    expect([kind, echoed]).toEqual([name, asked]);
    expect(facts).toMatchObject({ status: 200, paperInstance: meeting.instanceId });
    expect(facts.venueDate).toBeGreaterThanOrEqual(before - 1_000);
    expect(facts.venueDate).toBeLessThanOrEqual(facts.receivedAt);
    expect(facts.sentAt).toBeGreaterThanOrEqual(before);
    expect(facts.rateLimit).toBeUndefined();
  });
});

type Responses = Readonly<Record<string, { readonly $ref?: string }>>;
const DOCUMENT: { readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Responses }>>>> } =
  JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const openapi = new Ajv2020({ strict: false, validateFormats: false }).addSchema(DOCUMENT, 'openapi');

/** What the document has against an answer with status 200; empty where it fits. */
function complaints({ method, path }: Endpoint, body: string): unknown {
  const verb = method.toLowerCase();
  const documented = DOCUMENT.paths[path]?.[verb]?.responses['200'];
  const place = documented?.$ref ?? `#/paths/${path.replaceAll('/', '~1')}/${verb}/responses/200`;
  const validate = openapi.compile({ $ref: `openapi${place}/content/application~1json/schema` });
  validate(JSON.parse(body));
  return validate.errors ?? [];
}

test.each(ENDPOINT_NAMES)('%s answers as docs/openapi.json says', async (name) => {
  const meeting = await tradedMarket();
  await meeting.client().perform(goodRequest(name, meeting.client().stamp()));
  const { status, body } = JSON.parse(meeting.heard.at(-1) ?? '{}');
  expect([status, complaints(ENDPOINTS[name], body)]).toEqual([200, []]);
});
