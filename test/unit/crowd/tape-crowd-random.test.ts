// Random recordings: the mirror holds, nothing is refused, and one run is like another.
import { describe, expect, test } from '@jest/globals';
import { randomStream, uniform } from '../../../src/crowd/random.ts';
import { createTapeCrowd, type TapeCrowdState } from '../../../src/crowd/tape-crowd.ts';
import { CROWD_ACCOUNT } from '../../../src/crowd/types.ts';
import { restore, snapshot, validateState } from '../../../src/matching/engine.ts';
import { tapeOf } from '../../../src/tape/compact-tape.ts';
import type { Tape, TapeRow } from '../../../src/tape/types.ts';
import { BOT, botOrder, newEngine, type PlayedMarket, playMarket, refusalsOf, START_AT } from './played-market.ts';
import { ANY_SIZE, book, botFills, type Pair, sideOf, symbol, trade } from './played-tape.ts';

/** A drifting recording with trades between its books. */
function randomTape(seed: number): Tape {
  const stream = randomStream(seed, 'tape');
  const draw = (count: number) => Math.floor(uniform(stream) * count);
  const rows: TapeRow[] = [];
  let bid = 1_000;
  for (let ms = 0; ms < 60_000; ms += 100) {
    bid += draw(5) - 2;
    const ask = bid + 1 + draw(3);
    const bids = Array.from({ length: 5 }, (_, index): Pair => [bid - index, 1 + draw(20)]);
    const asks = Array.from({ length: 5 }, (_, index): Pair => [ask + index, 1 + draw(20)]);
    rows.push(book(ms, bids, asks));
    for (let index = draw(3); index > 0; index -= 1) {
      rows.push(
        uniform(stream) < 0.5
          ? trade(ms + 50, 'buy', [ask, 1 + draw(20)])
          : trade(ms + 50, 'sell', [bid, 1 + draw(20)]),
      );
    }
  }
  return tapeOf(ANY_SIZE, rows);
}

describe.each([1, 2, 3])('a random recording with orders of ours in it, seed %d', (seed) => {
  const tape = randomTape(seed);
  const crowd = createTapeCrowd({ tapes: [tape], cancelAheadRatio: 0.5, loop: false });

  /** We join the best bid and ask each second. */
  function quote(played: PlayedMarket<TapeCrowdState>, fromMs: number, toMs: number): void {
    for (let ms = fromMs; ms < toMs; ms += 1_000) {
      const at = START_AT + ms;
      played.playUntil(at);
      played.send({ kind: 'cancel-all', account: BOT }, at);
      for (const side of ['buy', 'sell'] as const) {
        const best = played.market.best(symbol, side);
        if (best !== undefined) played.send(botOrder(symbol, side, { price: best.price, quantity: 3 }), at);
      }
    }
  }

  test('the crowd stays at the recorded sizes wherever no order of ours stood in the way', () => {
    const played = playMarket(crowd, newEngine([ANY_SIZE]));
    for (let index = 0; index < tape.length; index += 1) {
      played.playSteps(1);
      const row = tape.row(index);
      if (row.kind !== 'book') continue;
      expect(sideOf(played, 'buy').slice(0, 5)).toEqual(
        row.bids.map((level) => [level.priceTicks, level.quantityLots]),
      );
      expect(sideOf(played, 'sell').slice(0, 5)).toEqual(
        row.asks.map((level) => [level.priceTicks, level.quantityLots]),
      );
    }
    expect(played.market.ordersOf(CROWD_ACCOUNT).length).toBeLessThan(160);
    validateState(played.engine);
  });

  test('nothing is refused, and we are filled as maker only', () => {
    const played = playMarket(crowd, newEngine([ANY_SIZE]));
    quote(played, 0, 60_000);
    expect(refusalsOf(played.events)).toEqual([]);
    expect(botFills(played).length).toBeGreaterThan(10);
    expect(botFills(played).every((fill) => fill.startsWith('maker'))).toBe(true);
    validateState(played.engine);
  });

  test('twice the same, also when restored from a copy in mid-run', () => {
    const whole = playMarket(crowd, newEngine([ANY_SIZE]));
    quote(whole, 0, 60_000);
    const half = playMarket(crowd, newEngine([ANY_SIZE]));
    quote(half, 0, 30_000);
    const saved = structuredClone({ crowd: half.state, engine: snapshot(half.engine) });
    const rest = playMarket(crowd, restore(half.engine.settings, saved.engine), saved.crowd);
    quote(rest, 30_000, 60_000);
    expect(rest.commands.length).toBeGreaterThan(500);
    expect([...half.commands, ...rest.commands]).toEqual(whole.commands);
  });
});
