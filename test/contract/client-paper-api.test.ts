// The 26 methods that developers call, against the real exchange: each asks its own endpoint once, with the documented
// defaults, and what it gives is what the question alone gives; what can't be right never leaves.
import { describe, expect, test } from '@jest/globals';
import type { ExchangeApi } from '../../src/client/exchange-api.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../src/domain/ids.ts';
import { InvariantViolation } from '../../src/domain/invariant.ts';
import { FIELD_QUIRKS, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { ALICE, orderIdAt, SECRETS } from './client-paper-market.ts';
import { goodRequest } from './client-paper-requests.ts';
import { enrich, withoutTimes } from './client-paper-rich.ts';
import { withUrl } from './client-paper-tamper.ts';
import { orderOf, verdictOf } from './client-paper-words.ts';

const kit = paperKit();
const symbol = 'BTC/INR';
const limit = 50;

type Call = (api: ExchangeApi) => Promise<Completed>;

/** Each method with what `goodRequest` asks, what it sends beside its stamp, and what it gives. */
const CALLS: readonly (readonly [EndpointName, Call, string])[] = [
  ['legacy-best-prices', (api) => api.legacyBestPrices(), 'GET /api/ticker'],
  ['legacy-tickers', (api) => api.legacyTickers(), 'GET /api/v2/ticker'],
  ['legacy-depth', (api) => api.legacyDepth({ symbol }), 'GET /api/v2/depth market=btcinr'],
  ['legacy-trades', (api) => api.legacyTrades({ symbol }), 'GET /api/v2/trades market=btcinr'],
  ['tickers', (api) => api.tickers({ symbol }), 'GET /api/v1/public/exchange/ticker symbol=BTC/INR'],
  ['symbols', (api) => api.symbols(), 'GET /api/v1/public/exchange/symbols'],
  [
    'public-trades',
    (api) => api.publicTrades({ symbol, limit }),
    'GET /api/v1/public/market/trades limit=50 symbol=BTC/INR',
  ],
  [
    'order-book',
    (api) => api.orderBook({ symbol, limit }),
    'GET /api/v1/public/market/orderbook limit=50 symbol=BTC/INR',
  ],
  ['assets', (api) => api.assets({ asset: 'BTC' }), 'GET /api/v1/public/exchange/assets asset=BTC'],
  ['wallet', (api) => api.wallet(), 'GET /api/v1/wallet omitZeroBalances=false'],
  ['crypto-deposits', (api) => api.cryptoDeposits({ limit }), 'GET /api/v1/crypto/deposits limit=50'],
  [
    'crypto-deposits-historical',
    (api) => api.cryptoDepositsHistorical({ limit }),
    'GET /api/v1/crypto/deposits/historical limit=50',
  ],
  ['crypto-withdrawals', (api) => api.cryptoWithdrawals({ limit }), 'GET /api/v1/crypto/withdrawals limit=50'],
  [
    'crypto-withdrawals-historical',
    (api) => api.cryptoWithdrawalsHistorical({ limit }),
    'GET /api/v1/crypto/withdrawals/historical limit=50',
  ],
  ['fiat-deposits', (api) => api.fiatDeposits({ limit }), 'GET /api/v1/fiat/deposits limit=50'],
  [
    'fiat-deposits-historical',
    (api) => api.fiatDepositsHistorical({ limit }),
    'GET /api/v1/fiat/deposits/historical limit=50',
  ],
  ['fiat-withdrawals', (api) => api.fiatWithdrawals({ limit }), 'GET /api/v1/fiat/withdrawals limit=50'],
  [
    'fiat-withdrawals-historical',
    (api) => api.fiatWithdrawalsHistorical({ limit }),
    'GET /api/v1/fiat/withdrawals/historical limit=50',
  ],
  ['open-orders', (api) => api.openOrders({ symbol }), 'GET /api/v1/spot/orders/open symbol=BTC/INR'],
  ['spot-trades', (api) => api.spotTrades({ symbol, limit }), 'GET /api/v1/spot/trades limit=50 symbol=BTC/INR'],
  [
    'spot-trades-historical',
    (api) => api.spotTradesHistorical({ symbol, limit }),
    'GET /api/v1/spot/trades/historical limit=50 symbol=BTC/INR',
  ],
  ['sbs-trades', (api) => api.sbsTrades({ symbol, limit }), 'GET /api/v1/ebes/trades limit=50 symbol=BTC/INR'],
];

const BODY = '{"symbol":"BTC/INR","action":"BUY","type":"LIMIT","price":"4000000","quantity":"0.001"}';
const WRITES: readonly (readonly [EndpointName, Call, string])[] = [
  ['create', (api) => api.createOrder(orderOf('BUY 0.001 @ 4000000')), `POST /api/v1/spot/order/create ${BODY}`],
  [
    'cancel',
    (api) => api.cancelOrder({ orderId: orderId(orderIdAt(0)) }),
    `POST /api/v1/spot/order/cancel {"order_id":"${orderIdAt(0)}"}`,
  ],
  ['cancel-symbol', (api) => api.cancelSymbol({ symbol }), 'POST /api/v1/spot/orders/cancel {"symbol":"BTC/INR"}'],
  ['cancel-all', (api) => api.cancelAll(), 'POST /api/v1/spot/orders/cancel/all'],
];

/** What went out: method, path, what is asked, with stamp and signature looked at and left out. */
function listen(meeting: Meeting): { readonly sent: string[]; readonly client: ReturnType<Meeting['client']> } {
  const sent: string[] = [];
  const client = meeting.client({
    tamper: (request) => {
      const url = new URL(request.url);
      const pairs = url.search
        .slice(1)
        .split('&')
        .filter((pair) => !/^(?:timestamp|recvWindow|signature)=/.test(pair));
      const signed = ['timestamp', 'recvWindow', 'signature'].filter((name) => url.searchParams.has(name)).length;
      const named = Object.values(request.headers).includes(ALICE.apiKey);
      expect([signed, named]).toEqual(
        url.pathname.startsWith('/api/v1/') && !url.pathname.includes('/public/') ? [3, true] : [0, false],
      );
      sent.push([request.method, url.pathname, ...pairs, request.body ?? ''].filter((part) => part !== '').join(' '));
      return request;
    },
  });
  return { sent, client };
}

describe.each([
  ['spec', SPEC_QUIRKS],
  ['field', FIELD_QUIRKS],
])('%s', (_profile, quirks) => {
  test.each(CALLS)('%s by its method', async (name, call, wanted) => {
    const meeting = await kit.meet({ quirks, withOwner: true });
    await enrich(meeting);
    const { sent, client } = listen(meeting);
    const completed = await call(client.api());
    expect(sent).toEqual([wanted]);
    expect([completed.kind, completed.outcome.kind]).toEqual([name, 'read']);
    const again = meeting.client();
    const direct = await again.perform(goodRequest(name, again.stamp()));
    // Legacy prices are of the second of the question.
    const seen = name.startsWith('legacy-') ? withoutTimes : (shown: unknown) => shown;
    expect(seen(rows(completed))).toEqual(seen(rows(direct)));
    expect(JSON.stringify(rows(completed))).toMatch(/"[A-Za-z]/);
  });
});

const rows = ({ outcome }: Completed): unknown => (outcome.kind === 'read' ? outcome.read.rows : outcome);

test.each(WRITES)('%s by its method', async (name, call, wanted) => {
  const meeting = await kit.meet();
  if (name !== 'create') await meeting.client().place('BUY 0.00100 @ 4000000.00');
  const { sent, client } = listen(meeting);
  const completed = await call(client.api());
  expect(sent).toEqual([wanted]);
  expect([completed.kind, verdictOf(completed)]).toEqual([name, name === 'create' ? 'accepted' : 'acknowledged']);
  expect(await client.openOrders()).toHaveLength(name === 'create' ? 1 : 0);
});

test('the methods are as many as the endpoints', async () => {
  const api = (await kit.meet()).client().api();
  expect(Object.keys(api)).toHaveLength(Object.keys(ENDPOINTS).length);
  expect([...CALLS, ...WRITES].map(([name]) => name).sort()).toEqual(Object.keys(ENDPOINTS).sort());
});

describe('left out, a parameter is not sent', () => {
  test.each<[string, Call, string]>([
    ['tickers of all', (api) => api.tickers(), 'GET /api/v1/public/exchange/ticker'],
    ['assets of all', (api) => api.assets(), 'GET /api/v1/public/exchange/assets'],
    ['open orders of all', (api) => api.openOrders(), 'GET /api/v1/spot/orders/open'],
    ['deposits of all', (api) => api.cryptoDeposits(), 'GET /api/v1/crypto/deposits'],
    ['public trades', (api) => api.publicTrades({ symbol }), 'GET /api/v1/public/market/trades symbol=BTC/INR'],
    ['simple trades', (api) => api.sbsTrades({ symbol }), 'GET /api/v1/ebes/trades symbol=BTC/INR'],
    [
      'a wallet without zeros',
      (api) => api.wallet({ omitZeroBalances: true }),
      'GET /api/v1/wallet omitZeroBalances=true',
    ],
  ])('%s', async (_what, call, wanted) => {
    const { sent, client } = listen(await kit.meet());
    expect((await call(client.api())).outcome.kind).toBe('read');
    expect(sent).toEqual([wanted]);
  });
});

describe('what the exchange would refuse whatever its state is thrown, and nothing leaves', () => {
  test.each<[string, Call]>([
    ['a symbol in small letters', (api) => api.tickers({ symbol: 'btc/inr' })],
    ['a symbol without a slash', (api) => api.orderBook({ symbol: 'BTCINR' })],
    ['no symbol', (api) => api.cancelSymbol({ symbol: '' })],
    ['an asset with a space', (api) => api.assets({ asset: 'B C' })],
    ['a simple trade against BTC', (api) => api.sbsTrades({ symbol: 'ETH/BTC' })],
    ['no order id', (api) => api.cancelOrder({ orderId: orderId('') })],
    [
      'a trade id that is no number',
      (api) => api.spotTrades({ symbol, filter: { by: 'from-id', fromId: tradeId('x') } }),
    ],
    ['a start before time', (api) => api.spotTrades({ symbol, filter: { by: 'start', startTime: -1 } })],
    ['half a millisecond', (api) => api.fiatDeposits({ time: { by: 'end', endTime: 0.5 } })],
    ['an order of nothing', (api) => api.createOrder(orderOf('BUY 0 @ 4000000'))],
    ['an order for nothing', (api) => api.createOrder(orderOf('BUY 1 @ 0'))],
    ['an order at a negative price', (api) => api.createOrder({ ...orderOf('BUY 1 @ 1'), price: decimal('-1') })],
  ])('%s', async (_what, call) => {
    const { sent, client } = listen(await kit.meet());
    await expect(call(client.api())).rejects.toThrow(InvariantViolation);
    expect(sent).toEqual([]);
  });
});

test('a refusal by the exchange is an outcome, not an error, and carries no secret', async () => {
  const meeting = await kit.meet();
  const client = meeting.client({ tamper: withUrl((url) => `${url}&extra=1`) });
  const completed = await client.api().wallet();
  expect(verdictOf(completed)).toBe('rejected 403 -1022 stop-all');
  for (const secret of SECRETS) expect(JSON.stringify(completed)).not.toContain(secret);
});
