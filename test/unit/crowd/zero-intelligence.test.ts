import { describe, expect, test } from '@jest/globals';
import { createQueueRace, PAPER_RATES } from '../../../src/crowd/zero-intelligence.ts';
import type { Lots, Ticks } from '../../../src/matching/types.ts';
import { BOT, BTC_INR, botOrder, newEngine, playMarket, START_AT } from './played-market.ts';

const BID = 6_000_000;
const QUANTITY = 100;
const GAMES = 12_000;

/** We join the bid behind two others; three stand at the ask; the race ends when a queue is empty. */
function playGame(seed: number): { filled: boolean; movedUp: boolean } {
  const race = createQueueRace({
    seed,
    symbol: BTC_INR.symbol,
    bidPrice: BID as Ticks,
    orderQuantity: QUANTITY as Lots,
    startBids: 2,
    startAsks: 3,
    rates: PAPER_RATES,
  });
  const played = playMarket(race, newEngine([BTC_INR]));
  played.playUntil(START_AT);
  played.send(botOrder(BTC_INR.symbol, 'buy', { price: BID, quantity: QUANTITY }), START_AT);
  played.playSteps(10_000);
  const filled = played.market.ordersOf(BOT).length === 0;
  return { filled, movedUp: played.market.best(BTC_INR.symbol, 'sell') === undefined };
}

describe('the last of three at the bid against three at the ask, as computed from the paper', () => {
  const games = Array.from({ length: GAMES }, (_, seed) => playGame(seed));
  const filled = games.filter((game) => game.filled);

  test('fills before the mid price moves with probability 0.5784 (standard error 0.0045)', () => {
    const error = Math.sqrt((0.5784 * 0.4216) / GAMES);
    expect(Math.abs(filled.length / GAMES - 0.5784)).toBeLessThan(3 * error);
  });

  test('and then the next move is up with probability 0.3460 (standard error 0.0057)', () => {
    const error = Math.sqrt((0.346 * 0.654) / filled.length);
    expect(Math.abs(filled.filter((game) => game.movedUp).length / filled.length - 0.346)).toBeLessThan(3 * error);
  });

  test('unfilled, our order still stands and the mid price moved up', () => {
    const unfilled = games.filter((game) => !game.filled);
    expect(unfilled.length).toBeGreaterThan(0);
    expect(unfilled.every((game) => game.movedUp)).toBe(true);
  });

  test('one seed plays one game', () => {
    expect(Array.from({ length: 50 }, (_, seed) => playGame(seed))).toEqual(games.slice(0, 50));
  });
});
