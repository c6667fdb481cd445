// The one map by symbol: who reads changes nothing, who folds makes an entry once.
import { expect, test } from '@jest/globals';
import { emptyDurable } from '../../../src/trader/durable/durable.ts';
import { emptyMarket, marketIn, marketToChange } from '../../../src/trader/durable/market.ts';
import { BTC, ETH } from './desk-settings.ts';
import { frozenCopy } from './readers/frozen.ts';

test('an unknown market reads as empty, and reading adds no entry', () => {
  const durable = frozenCopy(emptyDurable());
  expect(marketIn(durable, BTC)).toEqual(emptyMarket());
  expect(durable.markets.size).toBe(0);
});

test('it is read-only: every unknown symbol shares it', () => {
  const unknown = marketIn(emptyDurable(), BTC);
  expect(() => Object.assign(unknown, { halt: { code: 'halted', reason: 'Look.' } })).toThrow(TypeError);
  expect(() => Object.assign(unknown.tally, { buys: 1 })).toThrow(TypeError);
  expect(() => unknown.recent.pop()).toThrow(TypeError);
  expect(() => Object.assign(unknown.risk, { profit: 1 })).toThrow(TypeError);
});

test("a market's entry is created once, for its symbol alone", () => {
  const durable = emptyDurable();
  marketToChange(durable, BTC).tally.buys += 1;
  marketToChange(durable, BTC).tally.buys += 1;
  marketToChange(durable, ETH).openedSince = 5;
  expect([...durable.markets.keys()]).toEqual([BTC, ETH]);
  expect(marketIn(durable, BTC)).toEqual({ ...emptyMarket(), tally: { ...emptyMarket().tally, buys: 2 } });
  expect(marketIn(durable, ETH)).toEqual({ ...emptyMarket(), openedSince: 5 });
});
