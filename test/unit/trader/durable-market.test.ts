// The one map by symbol: who reads changes nothing, who folds makes an entry once.
import { expect, test } from '@jest/globals';
import { emptyDurable } from '../../../src/trader/durable/durable.ts';
import { emptyMarket, marketIn, marketToChange } from '../../../src/trader/durable/market.ts';
import { BTC, ETH } from './desk-settings.ts';
import { frozenCopy } from './readers/frozen.ts';

test('a market of which nothing is known reads as empty, and is not made by that', () => {
  const durable = frozenCopy(emptyDurable());
  expect(marketIn(durable, BTC)).toEqual(emptyMarket());
  expect(durable.markets.size).toBe(0);
});

test('nothing can be written to it: it is that of every unknown symbol', () => {
  const unknown = marketIn(emptyDurable(), BTC);
  expect(() => Object.assign(unknown, { halt: { code: 'halted', reason: 'Look.' } })).toThrow(TypeError);
  expect(() => Object.assign(unknown.tally, { buys: 1 })).toThrow(TypeError);
  expect(() => unknown.bookedLately.pop()).toThrow(TypeError);
  expect(() => Object.assign(unknown.risk, { profit: 1 })).toThrow(TypeError);
});

test('a market that is to be changed is made once, and is no other symbol’s', () => {
  const durable = emptyDurable();
  marketToChange(durable, BTC).tally.buys += 1;
  marketToChange(durable, BTC).tally.buys += 1;
  marketToChange(durable, ETH).openedSince = 5;
  expect([...durable.markets.keys()]).toEqual([BTC, ETH]);
  expect(marketIn(durable, BTC)).toEqual({ ...emptyMarket(), tally: { ...emptyMarket().tally, buys: 2 } });
  expect(marketIn(durable, ETH)).toEqual({ ...emptyMarket(), openedSince: 5 });
});
