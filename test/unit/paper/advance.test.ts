// The crowd's clock: how far it gets by when, and what it does not catch up with.
import { describe, expect, test } from '@jest/globals';
import { HOUR, SECOND } from '../../../src/domain/time.ts';
import { CATCH_UP_MAX_MS } from '../../../src/paper/engine/advance.ts';
import { fiatTransfer, OwnerExchange } from './owner-exchange.ts';
import { climbingBids, scriptedCrowd } from './scripted-crowd.ts';
import { BOB, orderBody, requestFor, SmallExchange, START, smallSettings, verdict } from './small-exchange.ts';

const withBids = (count: number, everyMs: number) =>
  new SmallExchange(smallSettings({ crowd: scriptedCrowd(climbingBids(count, everyMs)) }));
const book = (exchange: SmallExchange) =>
  JSON.parse(exchange.ask('order-book', { query: { symbol: 'BTC/INR', limit: '50' } }).body).bids.length;

describe('the crowd', () => {
  test('acts from the first moment on, each time its clock says so', () => {
    const exchange = withBids(50, 1_000);
    const at = (ms: number) => {
      exchange.now = START + ms;
      return book(exchange);
    };
    expect([0, 999, 1_000, 5_500, 5_600].map(at)).toEqual([1, 1, 2, 6, 6]);
  });

  test('trades at the moment it was due, however late anybody looks', () => {
    const sale = { after: 700, side: 'sell', price: 2_000, quantity: 200 } as const;
    const exchange = new SmallExchange(smallSettings({ crowd: scriptedCrowd([...climbingBids(1, 1), sale]) }));
    exchange.now = START + 30_000;
    expect(exchange.read('public-trades', { query: { symbol: 'BTC/INR' } })).toMatchObject([{ time: START + 700 }]);
  });

  test('gets to the same market in one call as in many', () => {
    const [often, once] = [withBids(40, 70), withBids(40, 70)];
    for (const exchange of [often, once]) {
      for (let step = 0; exchange === often && step < 30; step += 1) {
        exchange.now += 100;
        exchange.ask('symbols');
      }
      exchange.now = START + 3_000;
    }
    const query = { symbol: 'BTC/INR' };
    expect(once.ask('order-book', { query }).body).toBe(often.ask('order-book', { query }).body);
  });

  test('does not catch up with a long sleep: its clock stood still', () => {
    const exchange = withBids(50, 1_000);
    exchange.now += 3_000;
    expect(book(exchange)).toBe(4);
    exchange.now += CATCH_UP_MAX_MS + 1;
    expect(book(exchange)).toBe(4);
    exchange.now += 2_000;
    expect(book(exchange)).toBe(6);
  });

  test('loses time rather than take for ever, when it has too much to do', () => {
    const exchange = withBids(20_000, 0.001);
    exchange.now += 10;
    expect(exchange.state.engine.orders.size).toBe(0 + 1);
    exchange.ask('symbols');
    expect(exchange.state.engine.orders.size).toBe(5_001);
  });

  test('runs on from where it was when the clock is set back', () => {
    const exchange = withBids(50, 1_000);
    exchange.now += 5_000;
    expect(book(exchange)).toBe(6);
    exchange.now -= 4_000;
    expect(book(exchange)).toBe(6);
    exchange.now += 5_000;
    expect(book(exchange)).toBe(11);
  });
});

// The machine's clock is set back while the exchange runs: its lags and windows go on, its stamps follow the clock.

function setBack(exchange: SmallExchange): void {
  exchange.now += HOUR;
  exchange.ask('symbols');
  exchange.now -= HOUR;
  exchange.ask('symbols');
}

describe('after an hour that comes twice', () => {
  test('lists trail by their lag, not by an hour more', () => {
    const quirks = { openOrdersLagMs: 2_000, walletLagMs: 2_000, tradesLagMs: 2_000, transfersLagMs: 2_000 };
    const exchange = new OwnerExchange(smallSettings({ quirks }));
    setBack(exchange);
    const id = exchange.place('BUY 0.100 @ 5000');
    exchange.place('SELL 0.050 @ 5000', BOB);
    exchange.act(fiatTransfer('fiat-deposit', '100', { status: 'success' }));
    const seen = () => [
      exchange.ask('open-orders').body.includes(id),
      exchange.wallet('BTC').startsWith('10.05+'),
      exchange.rows('spot-trades', { query: { symbol: 'BTC/INR' } }).length,
      exchange.rows('fiat-deposits').length,
    ];
    exchange.now += 1_900;
    expect(seen()).toEqual([false, false, 0, 0]);
    exchange.now += 100;
    expect(seen()).toEqual([true, true, 1, 1]);
  });

  test('a create on its way reaches the book after its lag', () => {
    const exchange = new SmallExchange(smallSettings({ quirks: { matchingLagMs: 1_000 } }));
    exchange.now += HOUR;
    const given = exchange.begin(requestFor('create', { body: orderBody('BUY 0.100 @ 5000') }, exchange.now));
    if (given.kind !== 'later') throw new Error('The create does not wait.');
    exchange.now -= HOUR;
    const again = exchange.collect(given.create);
    expect(again).toMatchObject({ kind: 'later', dueAt: exchange.now + 1_000 });
    exchange.now += 1_000;
    expect(exchange.collect(given.create).kind).toBe('now');
  });

  test('timestamps are judged by the clock, and what happens is stamped by it', () => {
    const exchange = new OwnerExchange();
    setBack(exchange);
    exchange.place('BUY 0.100 @ 5000');
    expect(exchange.rows('open-orders')).toMatchObject([{ time: exchange.now }]);
    expect(verdict(exchange.ask('wallet', { timestamp: exchange.now + HOUR }))).toBe('400 -1021');
    exchange.act(fiatTransfer('fiat-deposit', '100', { status: 'success', at: exchange.now - SECOND }));
    expect(exchange.rows('fiat-deposits')).toMatchObject([{ time: exchange.now - SECOND }]);
  });

  test('an exchange that is stopped and started goes on alike', () => {
    const exchange = new OwnerExchange(smallSettings({ quirks: { openOrdersLagMs: 2_000 } }));
    setBack(exchange);
    exchange.restart();
    exchange.place('BUY 0.100 @ 5000');
    exchange.now += 2_000;
    expect(exchange.rows('open-orders')).toMatchObject([{ time: exchange.now - 2_000 }]);
  });
});
