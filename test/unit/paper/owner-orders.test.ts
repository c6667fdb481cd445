// Orders that the owner places by hand: four types, what they lock, when they act, and how they end.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { manualOrder, OwnerExchange, ownerExchange } from './owner-exchange.ts';
import { BOB, START, smallSettings } from './small-exchange.ts';

const open = (exchange: OwnerExchange, key?: typeof BOB): string[] =>
  exchange
    .rows('open-orders', key ? { key } : {})
    .map((row) => `${row.side} ${row.executedQty}/${row.origQty} ${row.type} ${row.price} ${row.status}`);
/** Bob trades 0.1 BTC with himself at a price: the last price is that. */
function tradeAt(exchange: OwnerExchange, price: string): void {
  exchange.place(`SELL 0.100 @ ${price}`, BOB);
  exchange.place(`BUY 0.100 @ ${price}`, BOB);
}
const fills = (exchange: OwnerExchange): string[] =>
  exchange
    .rows('spot-trades', { query: { symbol: 'BTC/INR' } })
    .map((row) => `${row.isBuyer ? 'buy' : 'sell'} ${row.qty} @ ${row.price} ${row.isMaker ? 'maker' : 'taker'}`);

describe('a LIMIT order of the owner', () => {
  test('rests like any other, under an id of the same numbers', () => {
    const exchange = ownerExchange();
    const first = exchange.place('BUY 0.100 @ 4000');
    const { orderId, state } = exchange.order(manualOrder('buy 1 LIMIT 5000'));
    expect([first, orderId, state]).toEqual(['1-9007199254740993-1', '1-9007199254740994-1', 'open']);
    expect(open(exchange)).toEqual(['BUY 0/0.1 LIMIT 4000 NEW', 'BUY 0/1 LIMIT 5000 NEW']);
    expect(exchange.wallet('INR')).toBe('994573+5427');
  });

  test('that is filled at once is closed', () => {
    const exchange = ownerExchange();
    exchange.place('SELL 1.000 @ 5000', BOB);
    expect(exchange.order(manualOrder('buy 1 LIMIT 5001')).state).toBe('closed');
    expect(fills(exchange)).toEqual(['buy 1 @ 5000 taker']);
  });
});

describe('a MARKET order of the owner', () => {
  test('takes level after level at once', () => {
    const exchange = ownerExchange();
    for (const price of ['5000', '5001', '5002']) exchange.place(`SELL 0.400 @ ${price}`, BOB);
    expect(exchange.order(manualOrder('buy 1 MARKET')).state).toBe('closed');
    expect(fills(exchange)).toEqual(['buy 0.2 @ 5002 taker', 'buy 0.4 @ 5001 taker', 'buy 0.4 @ 5000 taker']);
    expect(open(exchange)).toEqual([]);
    expect(exchange.wallet('INR')).toBe('994974.196+0');
  });

  test('takes what the book has, and the rest is canceled', () => {
    const exchange = ownerExchange();
    exchange.place('BUY 0.300 @ 5000', BOB);
    const { orderId, state } = exchange.order(manualOrder('sell 1 MARKET'));
    expect([state, open(exchange), exchange.wallet('BTC')]).toEqual(['closed', [], '9.7+0']);
    expect(exchange.rows('spot-trades', { query: { symbol: 'BTC/INR', orderId } })).toMatchObject([{ qty: '0.3' }]);
    expect(exchange.read('cancel', { body: { order_id: orderId } })).toEqual({ msg: expect.any(String) });
  });

  test('triggers stop orders by its trades', () => {
    const exchange = ownerExchange();
    exchange.place('SELL 1.000 @ 5000', BOB);
    exchange.act(manualOrder('sell 1 STOP_LIMIT 4990 when 5000', { account: 'bob' }));
    exchange.order(manualOrder('buy 3 MARKET'));
    expect(fills(exchange)).toEqual(['buy 1 @ 5000 taker']);
    expect(open(exchange, BOB)).toEqual(['SELL 0/1 LIMIT 4990 NEW']);
  });

  test('is refused where the other side is empty', () => {
    expect(ownerExchange().refusal(manualOrder('buy 1 MARKET'))).toBe('Nobody sells BTC/INR now.');
  });
});

describe('a STOP order of the owner', () => {
  test('rests outside the book with its money, and is listed', () => {
    const exchange = ownerExchange();
    exchange.order(manualOrder('buy 1 STOP_LIMIT 5010 when 5000'));
    exchange.order(manualOrder('sell 2 STOP_MARKET when 4000'));
    expect(open(exchange)).toEqual(['BUY 0/1 STOP_LIMIT 5010 NEW', 'SELL 0/2 STOP_MARKET 0 NEW']);
    expect([exchange.wallet('INR'), exchange.wallet('BTC')]).toEqual(['994964.95+5035.05', '8+2']);
    expect(exchange.read('order-book', { query: { symbol: 'BTC/INR' } })).toEqual({ bids: [], asks: [] });
  });

  test('becomes a limit order with its id when the last price is there', () => {
    const exchange = ownerExchange();
    const { orderId } = exchange.order(manualOrder('buy 1 STOP_LIMIT 5010 when 5000'));
    tradeAt(exchange, '4999.5');
    expect(exchange.read('order-book', { query: { symbol: 'BTC/INR' } })).toEqual({ bids: [], asks: [] });
    exchange.now += 60_000;
    tradeAt(exchange, '5000');
    expect(exchange.read('order-book', { query: { symbol: 'BTC/INR' } })).toEqual({ bids: [['5010', '1']], asks: [] });
    expect(exchange.rows('open-orders')).toMatchObject([
      { orderId, type: 'LIMIT', price: '5010', time: START + 60_000, status: 'NEW' },
    ]);
    exchange.place('SELL 0.400 @ 5010', BOB);
    expect(open(exchange)).toEqual(['BUY 0.4/1 LIMIT 5010 PARTIALLY_FILLED']);
    expect(exchange.rows('spot-trades', { query: { symbol: 'BTC/INR', orderId } })).toHaveLength(1);
  });

  test('counts every price of a sweep, not the last one alone', () => {
    const exchange = ownerExchange();
    for (const price of ['5000', '4990', '4000']) exchange.place(`BUY 0.100 @ ${price}`, BOB);
    exchange.order(manualOrder('buy 0.5 STOP_LIMIT 3000 when 4995'));
    exchange.place('SELL 0.300 @ 4000', BOB);
    expect(exchange.read('order-book', { query: { symbol: 'BTC/INR' } })).toMatchObject({ bids: [['3000', '0.5']] });
  });

  test('sets off the next one by its own trades', () => {
    const exchange = ownerExchange();
    for (const price of ['4900', '4800', '4700']) exchange.place(`BUY 1.000 @ ${price}`, BOB);
    exchange.order(manualOrder('sell 1 STOP_MARKET when 4800'));
    exchange.order(manualOrder('sell 1 STOP_MARKET when 4900'));
    exchange.place('SELL 1.000 @ 4900');
    expect(fills(exchange)).toEqual(['sell 1 @ 4700 taker', 'sell 1 @ 4800 taker', 'sell 1 @ 4900 taker']);
    expect(open(exchange)).toEqual([]);
  });

  test('that the market turns down when it is triggered is closed, with its money', () => {
    const exchange = ownerExchange();
    const { orderId } = exchange.order(manualOrder('buy 1.2 STOP_MARKET when 5000'));
    expect(exchange.wallet('INR')).toBe('993970+6030');
    exchange.place('SELL 2.000 @ 900000', BOB);
    tradeAt(exchange, '5000');
    expect([open(exchange), fills(exchange), exchange.wallet('INR')]).toEqual([[], [], '1000000+0']);
    expect(exchange.read('cancel', { body: { order_id: orderId } })).toEqual({ msg: expect.any(String) });
  });

  test('that would cross when it is triggered is closed where crossing is refused', () => {
    const engine = { ...smallSettings().engine, crossing: 'rejected' } as const;
    const exchange = new OwnerExchange(smallSettings({ engine }));
    exchange.place('SELL 2.000 @ 5005', BOB);
    const { orderId } = exchange.order(manualOrder('buy 1 STOP_LIMIT 5010 when 5005'));
    exchange.order(manualOrder('buy 1 MARKET', { account: 'bob' }));
    expect([open(exchange), exchange.wallet('INR')]).toEqual([[], '1000000+0']);
    expect(exchange.read('cancel', { body: { order_id: orderId } })).toEqual({ msg: expect.any(String) });
  });

  test('heeds the prices of its own symbol only', () => {
    const exchange = ownerExchange();
    exchange.order(manualOrder('buy 1 STOP_LIMIT 300 when 250', { symbol: 'ETH/INR' }));
    tradeAt(exchange, '5000');
    expect(exchange.read('order-book', { query: { symbol: 'ETH/INR' } })).toEqual({ bids: [], asks: [] });
  });

  test('that was triggered takes what the book has, and the rest is canceled', () => {
    const exchange = ownerExchange();
    exchange.order(manualOrder('sell 1 STOP_MARKET when 4500'));
    exchange.place('BUY 0.400 @ 4500', BOB);
    exchange.place('SELL 0.100 @ 4500', BOB);
    expect([fills(exchange), open(exchange)]).toEqual([['sell 0.3 @ 4500 taker'], []]);
    expect(exchange.wallet('BTC')).toBe('9.7+0');
  });
});

describe('the cancels of the interface', () => {
  const withWaiting = () => {
    const exchange = ownerExchange();
    const stop = exchange.order(manualOrder('sell 1 STOP_LIMIT 3990 when 4000'));
    const other = exchange.order(manualOrder('sell 2 STOP_MARKET when 4000'));
    const eth = exchange.order(manualOrder('buy 1 STOP_MARKET when 300', { symbol: 'ETH/INR' }));
    exchange.place('BUY 1.00 @ 200 ETH/INR');
    return { exchange, stop: stop.orderId, other: other.orderId, eth: eth.orderId };
  };
  const ids = (exchange: OwnerExchange) => exchange.rows('open-orders').map((row) => row.orderId);

  test('by id: one waiting order, whose money comes back; another time it is closed', () => {
    const { exchange, stop, other } = withWaiting();
    expect(exchange.wallet('BTC')).toBe('7+3');
    expect(exchange.read('cancel', { body: { order_id: other } })).toEqual({ msg: expect.any(String) });
    expect(exchange.wallet('BTC')).toBe('9+1');
    expect(ids(exchange)).toEqual([stop, expect.any(String), expect.any(String)]);
    expect(exchange.ask('cancel', { body: { order_id: other } }).status).toBe(200);
    expect(exchange.ask('cancel', { body: { order_id: stop }, key: BOB }).status).toBe(500);
  });

  test('by symbol: those of the symbol', () => {
    const { exchange, eth } = withWaiting();
    exchange.read('cancel-symbol', { body: { symbol: 'BTC/INR' } });
    expect([ids(exchange)[0], exchange.wallet('BTC')]).toEqual([eth, '10+0']);
    expect(ids(exchange)).toHaveLength(2);
  });

  test('all: those in the book and those outside of it', () => {
    const { exchange } = withWaiting();
    exchange.read('cancel-all', { key: BOB });
    expect(ids(exchange)).toHaveLength(4);
    exchange.read('cancel-all');
    expect([ids(exchange), exchange.wallet('BTC'), exchange.wallet('INR')]).toEqual([[], '10+0', '1000000+0']);
    expect(exchange.truthOf('alice').setAside).toEqual({});
  });

  test('by the owner, and of an order that was triggered', () => {
    const { exchange, eth } = withWaiting();
    exchange.act({ kind: 'cancel-order', account: 'alice', orderId: eth });
    expect(ids(exchange)).not.toContain(eth);
    const { orderId } = exchange.order(manualOrder('buy 1 STOP_LIMIT 400 when 300', { symbol: 'ETH/INR' }));
    exchange.act(manualOrder('buy 5 LIMIT 300', { symbol: 'ETH/INR', account: 'bob' }));
    exchange.act({ kind: 'credit', account: 'bob', ...{ asset: 'ETH', amount: decimal(5) } });
    exchange.act(manualOrder('sell 1 LIMIT 300', { symbol: 'ETH/INR', account: 'bob' }));
    expect(exchange.rows('open-orders', { query: { symbol: 'ETH/INR' } })).toContainEqual(
      expect.objectContaining({ orderId, type: 'LIMIT' }),
    );
    exchange.act({ kind: 'cancel-order', account: 'alice', orderId });
    expect(ids(exchange)).not.toContain(orderId);
  });
});

describe('orders by hand', () => {
  test('show in the list of open orders as late as any (Q6)', () => {
    const exchange = ownerExchange({ openOrdersLagMs: 5_000 });
    const { orderId } = exchange.order(manualOrder('sell 1 STOP_LIMIT 3990 when 4000'));
    const shown = (afterMs: number) => {
      exchange.now = START + afterMs;
      return open(exchange).length;
    };
    expect([shown(4_999), shown(5_000)]).toEqual([0, 1]);
    exchange.act({ kind: 'cancel-order', account: 'alice', orderId });
    expect([shown(9_999), shown(10_000)]).toEqual([1, 0]);
  });

  test('go on after a restart as if there had been none', () => {
    const exchange = ownerExchange();
    const { orderId } = exchange.order(manualOrder('sell 1 STOP_LIMIT 4000 when 4500'));
    exchange.restart();
    expect(open(exchange)).toEqual(['SELL 0/1 STOP_LIMIT 4000 NEW']);
    tradeAt(exchange, '4500');
    exchange.place('BUY 0.500 @ 4500', BOB);
    exchange.restart();
    expect(open(exchange)).toEqual(['SELL 0.5/1 LIMIT 4000 PARTIALLY_FILLED']);
    exchange.restart();
    expect(exchange.read('cancel', { body: { order_id: orderId } })).toEqual({ msg: expect.any(String) });
    expect([open(exchange), exchange.wallet('BTC')]).toEqual([[], '9.5+0']);
  });

  test('are dated back with their fills, and what they did shows at once', () => {
    const exchange = ownerExchange({ historyWindowMs: 3_600_000 });
    exchange.now += 7_200_000;
    exchange.place('BUY 1.000 @ 5000', BOB);
    exchange.order(manualOrder('sell 0.4 MARKET', { at: START + 1_000 }));
    exchange.order(manualOrder('sell 1 LIMIT 6000', { at: START + 2_000 }));
    const query = { symbol: 'BTC/INR' };
    expect(exchange.rows('spot-trades', { query })).toEqual([]);
    expect(exchange.rows('spot-trades-historical', { query })).toMatchObject([{ qty: '0.4', time: START + 1_000 }]);
    expect(exchange.rows('open-orders')).toMatchObject([{ time: START + 2_000, origQty: '1' }]);
    expect(exchange.wallet('BTC')).toBe('8.6+1');
    expect(exchange.rows('public-trades', { query })).toEqual([]);
  });
});
