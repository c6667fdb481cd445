import { describe, expect, test } from '@jest/globals';
import { createExchangeApi, type ExchangeApi, type FirstPages } from '../../../src/client/exchange-api.ts';
import { completeRows } from '../../../src/client/history-reader.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { Completed, ReadOutcome } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { refused } from '../refused.ts';

const symbol = 'BTC/INR';
const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const facts = { sentAt: 1, receivedAt: 2 };
const order = { symbol, side: 'buy', price: decimal('5'), quantity: decimal('1') } as const;
const all = { by: 'all' } as const;

/** Everything fails here: what counts is what was asked. */
function api(): { api: ExchangeApi & FirstPages; asked: VenueRequest[] } {
  const asked: VenueRequest[] = [];
  const perform = async (request: VenueRequest): Promise<Completed> => {
    asked.push(request);
    const fault = { sent: false, reason: 'refused', detail: 'Nobody is there.' } as const;
    const completed = { kind: request.kind, request, facts, outcome: { kind: 'failed', fault } };
    return JSON.parse(JSON.stringify(completed));
  };
  const { api, firstPage } = createExchangeApi({ perform, stamp: () => stamp });
  return { api: Object.assign(firstPage, api), asked };
}

type Call = (api: ExchangeApi & FirstPages) => Promise<unknown>;
const CALLS: readonly (readonly [string, Call, VenueRequest])[] = [
  ['legacyBestPrices', (x) => x.legacyBestPrices(), { kind: 'legacy-best-prices' }],
  ['legacyTickers', (x) => x.legacyTickers(), { kind: 'legacy-tickers' }],
  ['legacyDepth', (x) => x.legacyDepth({ symbol }), { kind: 'legacy-depth', symbol }],
  ['legacyTrades', (x) => x.legacyTrades({ symbol }), { kind: 'legacy-trades', symbol }],
  ['tickers', (x) => x.tickers(), { kind: 'tickers' }],
  ['tickers', (x) => x.tickers({ symbol }), { kind: 'tickers', symbol }],
  ['symbols', (x) => x.symbols(), { kind: 'symbols' }],
  ['publicTrades', (x) => x.publicTrades({ symbol }), { kind: 'public-trades', symbol }],
  ['publicTrades', (x) => x.publicTrades({ symbol, limit: 50 }), { kind: 'public-trades', symbol, limit: 50 }],
  ['orderBook', (x) => x.orderBook({ symbol, limit: 1 }), { kind: 'order-book', symbol, limit: 1 }],
  ['assets', (x) => x.assets(), { kind: 'assets' }],
  ['assets', (x) => x.assets({ asset: 'BTC' }), { kind: 'assets', asset: 'BTC' }],
  ['wallet', (x) => x.wallet(), { kind: 'wallet', stamp }],
  ['wallet', (x) => x.wallet({ omitZeroBalances: true }), { kind: 'wallet', omitZeroBalances: true, stamp }],
  ['cryptoDeposits', (x) => x.cryptoDeposits(), { kind: 'crypto-deposits', filter: { time: all }, stamp }],
  [
    'cryptoDeposits',
    (x) => x.cryptoDeposits({ asset: 'BTC', status: 'pending', time: { by: 'start', startTime: 5 }, limit: 50 }),
    {
      kind: 'crypto-deposits',
      filter: { time: { by: 'start', startTime: 5 }, asset: 'BTC', status: 'pending' },
      limit: 50,
      stamp,
    },
  ],
  [
    'cryptoDepositsHistorical',
    (x) => x.cryptoDepositsHistorical(),
    { kind: 'crypto-deposits-historical', filter: { time: all }, stamp },
  ],
  ['cryptoWithdrawals', (x) => x.cryptoWithdrawals(), { kind: 'crypto-withdrawals', filter: { time: all }, stamp }],
  [
    'cryptoWithdrawalsHistorical',
    (x) => x.cryptoWithdrawalsHistorical(),
    { kind: 'crypto-withdrawals-historical', filter: { time: all }, stamp },
  ],
  ['fiatDeposits', (x) => x.fiatDeposits(), { kind: 'fiat-deposits', filter: { time: all }, stamp }],
  [
    'fiatDepositsHistorical',
    (x) => x.fiatDepositsHistorical({ limit: 2 }),
    { kind: 'fiat-deposits-historical', filter: { time: all }, limit: 2, stamp },
  ],
  [
    'fiatWithdrawals',
    (x) => x.fiatWithdrawals({ status: 'rejected' }),
    { kind: 'fiat-withdrawals', filter: { time: all, status: 'rejected' }, stamp },
  ],
  [
    'fiatWithdrawalsHistorical',
    (x) => x.fiatWithdrawalsHistorical(),
    { kind: 'fiat-withdrawals-historical', filter: { time: all }, stamp },
  ],
  ['openOrders', (x) => x.openOrders(), { kind: 'open-orders', stamp }],
  ['openOrders', (x) => x.openOrders({ symbol }), { kind: 'open-orders', symbol, stamp }],
  ['spotTrades', (x) => x.spotTrades({ symbol }), { kind: 'spot-trades', symbol, filter: { by: 'symbol' }, stamp }],
  [
    'spotTradesHistorical',
    (x) => x.spotTradesHistorical({ symbol, filter: { by: 'from-id', fromId: tradeId('7') }, limit: 50 }),
    {
      kind: 'spot-trades-historical',
      symbol,
      filter: { by: 'from-id', fromId: tradeId('7') },
      limit: 50,
      stamp,
    },
  ],
  [
    'sbsTrades',
    (x) => x.sbsTrades({ symbol, orderId: tradeId('7'), limit: 3 }),
    { kind: 'sbs-trades', symbol, filter: { time: all, orderId: tradeId('7') }, limit: 3, stamp },
  ],
  ['createOrder', (x) => x.createOrder(order), { kind: 'create', order, stamp }],
  [
    'cancelOrder',
    (x) => x.cancelOrder({ orderId: orderId('1-7-1') }),
    { kind: 'cancel', orderId: orderId('1-7-1'), stamp },
  ],
  ['cancelSymbol', (x) => x.cancelSymbol({ symbol }), { kind: 'cancel-symbol', symbol, stamp }],
  ['cancelAll', (x) => x.cancelAll(), { kind: 'cancel-all', stamp }],
];

describe('a method asks once', () => {
  test.each(CALLS)('%s', async (_name, call, request) => {
    const { api: exchange, asked } = api();
    const completed = await call(exchange);
    expect(asked).toEqual([request]);
    expect(completed).toMatchObject({ kind: request.kind, outcome: { kind: 'failed' }, facts });
  });
});

test('there is one method for each endpoint', () => {
  const methods = new Set(CALLS.map(([name]) => name));
  expect([...methods].sort()).toEqual(Object.keys(api().api).sort());
  expect(new Set(CALLS.map(([, , { kind }]) => kind)).size).toBe(Object.keys(ENDPOINTS).length);
});

test('the answer has the type of its rows', async () => {
  const { outcome } = await api().api.orderBook({ symbol });
  // Compiles only where the rows are those of a book.
  const best = outcome.kind === 'read' ? outcome.read.rows.bids[0]?.price.toFixed() : outcome.kind;
  expect(best).toBe('failed');
});

describe('whether all rows are there', () => {
  const method = (kind: string) => kind.replaceAll(/-(\w)/g, (_, first: string) => first.toUpperCase());
  /** Of any list: rows and kinds can't be paired by the compiler here. */
  const told = async (kind: string): Promise<{ readonly outcome: ReadOutcome<unknown> }> => {
    const outcome = { kind: 'read', read: { rows: [], complete: true, sentAt: 1, receivedAt: 2 } };
    const perform = async (request: VenueRequest): Promise<Completed> =>
      JSON.parse(JSON.stringify({ kind: request.kind, request, outcome, facts }));
    const { api, firstPage } = createExchangeApi({ perform, stamp: () => stamp });
    const given = /trades|book/.test(kind) ? { symbol } : undefined;
    return Reflect.apply(Reflect.get({ ...api, ...firstPage }, method(kind)), undefined, [given]);
  };

  test.each(Object.keys(ENDPOINTS).filter((kind) => /trades|deposits|withdrawals/.test(kind)))(
    'a first page of %s does not claim it',
    async (kind) => {
      const { outcome } = await told(kind);
      expect(outcome).toEqual({ kind: 'read', read: { rows: [], sentAt: 1, receivedAt: 2 } });
      expect(completeRows(outcome)).toEqual({ ok: false, error: 'A first page does not prove that there is no more.' });
    },
  );

  test.each(['wallet', 'symbols', 'assets', 'tickers', 'open-orders', 'order-book'])('%s says it', async (kind) => {
    expect(completeRows((await told(kind)).outcome)).toEqual({ ok: true, value: [] });
  });
});

test('an answer to another question is a bug', async () => {
  const outcome: ReadOutcome<readonly string[]> = { kind: 'throttled', status: 429, retryAt: 5 };
  const perform = async (): Promise<Completed> => ({ kind: 'symbols', request: { kind: 'symbols' }, outcome, facts });
  const exchange = createExchangeApi({ perform, stamp: () => stamp });
  await expect(exchange.api.wallet()).rejects.toThrow('A request wallet was answered as symbols.');
});

describe('rows that must all be there', () => {
  const times = { sentAt: 1, receivedAt: 2 };
  test.each<[string, ReadOutcome<readonly string[]>, unknown]>([
    ['are', { kind: 'read', read: { rows: ['A/B'], complete: true, ...times } }, { ok: true, value: ['A/B'] }],
    [
      'are not',
      { kind: 'read', read: { rows: [], complete: false, incompleteBecause: 'Row 1 is odd.', ...times } },
      { ok: false, error: 'Row 1 is odd.' },
    ],
    [
      'are refused',
      refused(-1105, { msg: 'Limit outside allowed range.' }),
      { ok: false, error: 'HTTP 400 -1105: Limit outside allowed range.' },
    ],
    [
      'will be there later',
      { kind: 'throttled', status: 429, retryAt: 1_700_000_000_000 },
      { ok: false, error: 'HTTP 429: to be asked again at 2023-11-14T22:13:20.000Z.' },
    ],
    [
      'did not come',
      { kind: 'failed', fault: { sent: true, reason: 'reset', detail: 'The connection ended.' } },
      { ok: false, error: 'The connection ended.' },
    ],
  ])('%s', (_name, outcome, expected) => expect(completeRows(outcome)).toEqual(expected));
});
