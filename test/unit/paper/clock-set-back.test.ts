// The machine's clock is set back while the exchange runs: its lags and windows go on, its stamps follow the clock.
import { describe, expect, test } from '@jest/globals';
import { HOUR, SECOND } from '../../../src/domain/time.ts';
import { fiatTransfer, OwnerExchange } from './owner-exchange.ts';
import { BOB, orderBody, requestFor, SmallExchange, smallSettings, verdict } from './small-exchange.ts';

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
    const again = exchange.collect(given.ticket);
    expect(again).toMatchObject({ kind: 'later', dueAt: exchange.now + 1_000 });
    exchange.now += 1_000;
    expect(exchange.collect(given.ticket).kind).toBe('now');
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
