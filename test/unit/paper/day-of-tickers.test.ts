// The rolling day of a ticker is measured without the exchange's clock error, and reading it changes nothing.
import { expect, test } from '@jest/globals';
import { DAY, HOUR } from '../../../src/domain/time.ts';
import { control } from '../../../src/paper/exchange.ts';
import { BOB, orderBody, SmallExchange } from './small-exchange.ts';

/** Both sides of a trade, while the exchange's clock is so far ahead. */
function trade(exchange: SmallExchange, aheadMs = 0): void {
  control(exchange.state, { clockOffsetMs: aheadMs });
  const timestamp = exchange.now + aheadMs;
  exchange.ask('create', { body: orderBody('SELL 0.100 @ 5000'), timestamp });
  exchange.ask('create', { body: orderBody('BUY 0.100 @ 5000'), key: BOB, timestamp });
}

const ticker = (exchange: SmallExchange): string => exchange.ask('tickers', { query: { symbol: 'BTC/INR' } }).body;
const legacyTicker = (exchange: SmallExchange): string => exchange.ask('legacy-tickers').body;

test('a day that is read while the clock is a day ahead is there as before', () => {
  const exchange = new SmallExchange();
  trade(exchange);
  const before = [ticker(exchange), legacyTicker(exchange)];
  control(exchange.state, { clockOffsetMs: 25 * HOUR });
  expect(ticker(exchange)).toBe(before[0]);
  expect(legacyTicker(exchange)).toContain('"volume":"0.1"');
  control(exchange.state, { clockOffsetMs: 0 });
  expect([ticker(exchange), legacyTicker(exchange)]).toEqual(before);
});

test('trades count by when they were, whatever the clock stamped on them', () => {
  const exchange = new SmallExchange();
  for (const aheadMs of [0, 25 * HOUR, -25 * HOUR, 0]) trade(exchange, aheadMs);
  control(exchange.state, { clockOffsetMs: 0 });
  expect(ticker(exchange)).toContain('"volume":"0.4"');
  exchange.now += DAY + HOUR;
  expect(ticker(exchange)).toContain('"volume":"0"');
});
