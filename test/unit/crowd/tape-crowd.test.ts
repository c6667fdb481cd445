import { describe, expect, test } from '@jest/globals';
import { createTapeCrowd } from '../../../src/crowd/tape-crowd.ts';
import { CROWD_TAKER_ACCOUNT } from '../../../src/crowd/types.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { tapeOf } from '../../../src/tape/compact-tape.ts';
import { botOrder, newEngine, playMarket, refusalsOf, START_AT, tradesOf } from './played-market.ts';
import { ANY_SIZE, book, botFills, playTape, shown, sideOf, symbol, trade } from './played-tape.ts';

describe('without orders of others', () => {
  test('the engine shows the recorded book after each recorded book', () => {
    const played = playTape([
      book(0, '100 5, 99 7', '102 4, 103 9'),
      book(100, '101 1, 100 6', '102 2, 104 3'),
      book(200, '98 3, 97 8', '99 2, 100 2'),
    ]);
    const both = () => [shown(played, 'buy'), shown(played, 'sell')];
    played.playUntil(START_AT);
    expect(both()).toEqual(['100 5, 99 7', '102 4, 103 9']);
    played.playUntil(START_AT + 100);
    // 99 and 104 … are beyond what is recorded now: they stay as last seen.
    expect(both()).toEqual(['101 1, 100 6, 99 7', '102 2, 104 3']);
    played.playUntil(START_AT + 200);
    expect(both()).toEqual(['98 3, 97 8', '99 2, 100 2, 102 2, 104 3']);
    expect(refusalsOf(played.events)).toEqual([]);
  });

  test('a recorded trade takes what it took', () => {
    const played = playTape([book(0, [[100, 5]], [[102, 4]]), trade(50, 'buy', [102, 3]), trade(60, 'sell', [100, 5])]);
    played.playUntil(START_AT + 100);
    expect([sideOf(played, 'buy'), sideOf(played, 'sell')]).toEqual([[], [[102, 1]]]);
    expect(
      tradesOf(played.events).map((fill) => [fill.takerAccount, fill.makerSide, fill.price, fill.quantity]),
    ).toEqual([
      [CROWD_TAKER_ACCOUNT, 'sell', 102, 3],
      [CROWD_TAKER_ACCOUNT, 'buy', 100, 5],
    ]);
  });

  test('a trade at a worse price proves that the better ones are gone', () => {
    const played = playTape([book(0, '100 5', '102 4, 103 9'), trade(50, 'buy', [103, 2])]);
    played.playUntil(START_AT + 100);
    expect(shown(played, 'sell')).toBe('103 7');
  });

  test.each<[string, Parameters<typeof trade>]>([
    ['before any book', [0, 'buy', [102, 1]]],
    ['between bid and ask', [50, 'buy', [101, 2]]],
    ['of more than stands there', [50, 'sell', [100, 9]]],
    ['behind the best price, and of more than stands there', [50, 'sell', [99, 20]]],
    ['at a price where the other side still shows orders', [50, 'buy', [99, 3]]],
    ['beyond all levels', [50, 'buy', [200, 3]]],
  ])('a trade %s trades all of its quantity, and leaves nothing behind', (_, row) => {
    const recorded = [book(10, '100 5, 99 7', '102 4'), trade(...row)].sort((a, b) => a.at - b.at);
    const played = playTape(recorded);
    const [ms, , pair] = row;
    played.playUntil(START_AT + ms);
    const sum = tradesOf(played.events).reduce((lots, { quantity }) => lots + quantity, 0);
    expect([sum, tradesOf(played.events).at(-1)?.price, refusalsOf(played.events)]).toEqual([pair[1], pair[0], []]);
    expect(played.market.queue(symbol, 'sell', pair[0] as never).length).toBe(0);
  });

  test('a trade behind an order of others fills that order first, and trades the rest at its own price', () => {
    const played = playTape([book(0, [[100, 5]], [[104, 4]]), trade(50, 'buy', [102, 2]), trade(60, 'buy', [104, 3])]);
    played.playUntil(START_AT + 10);
    played.send(botOrder(symbol, 'buy', { price: 103, quantity: 1 }), START_AT + 20);
    played.playUntil(START_AT + 100);
    expect(tradesOf(played.events).map(({ price, quantity }) => [price, quantity])).toEqual([
      [103, 1],
      [102, 1],
      [104, 3],
    ]);
    expect(botFills(played)).toEqual(['maker 1 @ 103']);
  });

  test('levels beyond the recorded depth stay, as many as are recorded, and are corrected when they show', () => {
    const bids = ['100 1, 99 2', '102 3, 101 4', '104 5, 103 6', '101 9, 99 8'];
    const played = playTape(bids.map((levels, ms) => book(ms, levels, [])));
    const bidsAt = (ms: number): string => {
      played.playUntil(START_AT + ms);
      return shown(played, 'buy');
    };
    expect(bidsAt(1)).toBe('102 3, 101 4, 100 1, 99 2');
    expect(bidsAt(2)).toBe('104 5, 103 6, 102 3, 101 4');
    expect(bidsAt(3)).toBe('101 9, 99 8');
  });

  test('a side recorded as empty is empty', () => {
    const played = playTape([book(0, [[100, 1]], [[101, 1]]), book(1, [], [[101, 1]])]);
    played.playUntil(START_AT + 1);
    expect([sideOf(played, 'buy'), sideOf(played, 'sell')]).toEqual([[], [[101, 1]]]);
  });

  test('many small gains at one price become one order again', () => {
    const rows = Array.from({ length: 30 }, (_, index) => book(index, [[100, 10 + index]], [[101, 5]]));
    const played = playTape(rows);
    played.playUntil(START_AT + 100);
    expect(sideOf(played, 'buy')).toEqual([[100, 39]]);
    expect(played.market.queue(symbol, 'buy', 100 as never).length).toBeLessThanOrEqual(8);
  });
});

describe('time', () => {
  test('the first row of any tape is at the start, the others as long after as they were recorded', () => {
    const ethInr: Instrument = { ...ANY_SIZE, symbol: 'ETH/INR', base: 'ETH' };
    const crowd = createTapeCrowd({
      tapes: [
        tapeOf(ANY_SIZE, [trade(250, 'buy', [1, 1]), trade(250, 'buy', [1, 1])]),
        tapeOf(ethInr, [book(100, [[10, 1]], [[11, 1]]), trade(400.9, 'buy', [11, 1])]),
      ],
      cancelAheadRatio: 0.5,
      loop: false,
    });
    const played = playMarket(crowd, newEngine([ANY_SIZE, ethInr]));
    const times: (number | null)[] = [];
    for (let steps = 1; steps > 0 && times.length < 9; steps = played.playSteps(1))
      times.push(crowd.nextAt(played.state));
    expect(times.map((at) => (at === null ? null : at - START_AT))).toEqual([0, 150, 150, 300, null]);
    expect(played.market.best('ETH/INR', 'buy')).toEqual({ price: 10, quantity: 1 });
  });

  test('at the end the crowd has nothing to do and its orders stay', () => {
    const played = playTape([book(0, [[100, 5]], [[102, 4]])]);
    expect(played.playUntil(Number.POSITIVE_INFINITY)).toBe(1);
    expect(sideOf(played, 'buy')).toEqual([[100, 5]]);
    const crowd = createTapeCrowd({ tapes: [], cancelAheadRatio: 0.5, loop: false });
    expect(crowd.nextAt(crowd.start(START_AT))).toBeNull();
    expect(crowd.step(crowd.start(START_AT), played.market, START_AT).commands).toEqual([]);
  });

  test('a share outside 0 to 1 is refused', () => {
    expect(() => createTapeCrowd({ tapes: [], cancelAheadRatio: 1.1, loop: false })).toThrow('cancelAheadRatio is 1.1');
  });
});
