// Our place in the queue while a recording plays: who stands ahead, who behind, and when it is our turn.
import { describe, expect, test } from '@jest/globals';
import { createTapeCrowd, type TapeCrowdState } from '../../../src/crowd/tape-crowd.ts';
import { tapeOf } from '../../../src/tape/compact-tape.ts';
import type { TapeRow } from '../../../src/tape/types.ts';
import {
  BOT,
  botOrder,
  newEngine,
  type PlayedMarket,
  playMarket,
  refusalsOf,
  START_AT,
  tradesOf,
} from './played-market.ts';
import { ANY_SIZE, book, botFills, playTape, queueAt, shown, sideOf, symbol, trade } from './played-tape.ts';

describe('around our order', () => {
  const start = book(0, '100 10, 99 5', '102 10, 103 5');

  function withBid(rows: readonly TapeRow[], cancelAheadRatio?: number): PlayedMarket<TapeCrowdState> {
    const played = playTape([start, ...rows], cancelAheadRatio);
    played.playUntil(START_AT);
    played.send(botOrder(symbol, 'buy', { price: 100, quantity: 4 }), START_AT);
    played.playUntil(START_AT + 10_000);
    return played;
  }

  test('what stood there stays ahead, what comes is placed behind', () => {
    const played = withBid([book(100, '100 13, 99 5', '102 10')]);
    expect(queueAt(played, 'buy', 100)).toEqual(['crowd 10', 'bot 4', 'crowd 3']);
  });

  test.each([
    [0, ['crowd 10', 'bot 4', 'crowd 1']],
    [0.5, ['crowd 9', 'bot 4', 'crowd 2']],
    [1, ['crowd 8', 'bot 4', 'crowd 3']],
  ])('of two canceled, the share %d comes from ahead', (ratio, queue) => {
    const played = withBid([book(100, [[100, 13]], [[102, 10]]), book(200, [[100, 11]], [[102, 10]])], ratio);
    expect(queueAt(played, 'buy', 100)).toEqual(queue);
  });

  test.each([
    [0, 6, ['crowd 6', 'bot 4']],
    [1, 2, ['bot 4', 'crowd 2']],
  ])('where one part has too little the other gives more (share %d, %d left)', (ratio, left, queue) => {
    const played = withBid([book(100, [[100, 13]], [[102, 10]]), book(200, [[100, left]], [[102, 10]])], ratio);
    expect(queueAt(played, 'buy', 100)).toEqual(queue);
  });

  test('a trade is no cancel: it eats the queue from its head, and the next book finds nothing to correct', () => {
    const played = withBid([
      book(100, [[100, 13]], [[102, 10]]),
      trade(150, 'sell', [100, 6]),
      book(200, [[100, 7]], [[102, 10]]),
    ]);
    expect(queueAt(played, 'buy', 100)).toEqual(['crowd 4', 'bot 4', 'crowd 3']);
    expect(botFills(played)).toEqual([]);
  });

  test('our turn comes after everyone who stood before us', () => {
    const played = withBid([trade(100, 'sell', [100, 10]), trade(150, 'sell', [100, 3])]);
    expect(botFills(played)).toEqual(['maker 3 @ 100']);
    expect(queueAt(played, 'buy', 100)).toEqual(['bot 1']);
  });

  test('after a trade that filled us the next book is the recorded one again, the crowd behind us', () => {
    const played = withBid([trade(100, 'sell', [100, 12]), book(200, [[100, 6]], [[102, 10]])]);
    expect(botFills(played)).toEqual(['maker 2 @ 100']);
    expect(queueAt(played, 'buy', 100)).toEqual(['bot 2', 'crowd 6']);
  });

  test('a trade at a worse price goes through us first', () => {
    const played = withBid([trade(100, 'sell', [99, 6])]);
    expect(botFills(played)).toEqual(['maker 4 @ 100']);
    expect(sideOf(played, 'buy')).toEqual([[99, 3]]);
  });

  test.each(['takes', 'rejected'] as const)(
    'a recorded book that moves through us fills us as maker at our price (crossing %s)',
    (crossing) => {
      const tape = tapeOf(ANY_SIZE, [start, book(100, [[98, 9]], [[99, 7]]), book(200, [[98, 9]], [[99, 7]])]);
      const played = playMarket(
        createTapeCrowd({ tapes: [tape], cancelAheadRatio: 0.5, loop: false }),
        newEngine([ANY_SIZE], { crossing }),
      );
      played.playUntil(START_AT);
      played.send(botOrder(symbol, 'buy', { price: 100, quantity: 4 }), START_AT);
      played.playUntil(START_AT + 100);
      expect(botFills(played)).toEqual(['maker 4 @ 100']);
      expect(played.market.best(symbol, 'sell')?.price).toBe(102);
      // What filled us stands in full from the next book on.
      played.playUntil(START_AT + 200);
      expect(sideOf(played, 'sell')[0]).toEqual([99, 7]);
      expect(refusalsOf(played.events)).toEqual([]);
    },
  );

  test('a small order that moves through us fills us once, not at every book that still shows it', () => {
    const played = withBid([
      book(100, [[98, 9]], [[100, 1]]),
      book(200, [[98, 9]], [[100, 1]]),
      book(300, [[98, 8]], [[100, 2]]),
      book(400, [[98, 8]], [[100, 2]]),
    ]);
    expect(botFills(played)).toEqual(['maker 1 @ 100', 'maker 1 @ 100']);
    expect(queueAt(played, 'buy', 100)).toEqual(['bot 2']);
  });

  test('our taking from the crowd is undone at the next book', () => {
    const played = playTape([start, book(100, '100 10, 99 5', '102 10, 103 5')]);
    played.playUntil(START_AT);
    played.send(botOrder(symbol, 'buy', { price: 102, quantity: 6 }), START_AT);
    played.playUntil(START_AT + 100);
    expect(botFills(played)).toEqual(['taker 6 @ 102']);
    expect(shown(played, 'sell')).toBe('102 10, 103 5');
  });

  test('several orders of others keep their places', () => {
    const played = playTape([start, book(100, [[100, 12]], [[102, 10]]), book(200, [[100, 9]], [[102, 10]])], 0);
    played.playUntil(START_AT);
    played.send(botOrder(symbol, 'buy', { price: 100, quantity: 4 }), START_AT);
    played.playUntil(START_AT + 100);
    played.send(botOrder(symbol, 'buy', { price: 100, quantity: 1 }), START_AT + 100);
    played.playUntil(START_AT + 200);
    expect(queueAt(played, 'buy', 100)).toEqual(['crowd 9', 'bot 4', 'bot 1']);
  });
});

describe('at a price that the recording did not show', () => {
  const rows = [
    book(0, [[100, 10]], [[102, 10]]),
    book(100, [[98, 10]], [[99, 10]]),
    trade(150, 'sell', [98, 8]),
    book(200, [[98, 2]], [[99, 10]]),
    trade(250, 'sell', [98, 2]),
    trade(260, 'sell', [98, 3]),
  ];

  function fillsOf(ratio: number, played = playTape(rows, ratio)): string[] {
    played.playUntil(START_AT);
    played.send(botOrder(symbol, 'buy', { price: 98, quantity: 4 }), START_AT);
    played.playUntil(START_AT + 1_000);
    return botFills(played);
  }

  test('a level stood before our order was placed, to the pessimist the whole of it, to the optimist nothing', () => {
    expect(fillsOf(0)).toEqual(['maker 3 @ 98']);
    expect(fillsOf(0.5)).toEqual(['maker 3 @ 98', 'maker 1 @ 98']);
    expect(fillsOf(1)).toEqual(['maker 4 @ 98']);
  });

  test('a trade through it fills our order all the same', () => {
    expect(fillsOf(0, playTape([...rows.slice(0, 2), trade(150, 'sell', [97, 5])], 0))).toEqual(['maker 4 @ 98']);
  });

  test.each([
    ['what is shown by then, and behind nothing else', 8, 'maker 2 @ 98'],
    ['nobody, once those have traded', 10, 'maker 4 @ 98'],
  ])('an order that is placed anew stands behind %s', (_whom, traded, fill) => {
    const played = playTape([...rows.slice(0, 2), trade(150, 'sell', [98, traded]), trade(160, 'sell', [98, 4])], 0);
    const place = (at: number) => played.send(botOrder(symbol, 'buy', { price: 98, quantity: 4 }), at);
    played.playUntil(START_AT);
    place(START_AT);
    played.playUntil(START_AT + 100);
    played.send({ kind: 'cancel-all', account: BOT }, START_AT + 110);
    place(START_AT + 120);
    played.playUntil(START_AT + 1_000);
    expect(botFills(played)).toEqual([fill]);
  });

  test('a trade meets those first that stood there, also when the book has moved far away since', () => {
    const away = [book(110, [[103, 1]], [[105, 1]]), book(120, [[104, 1]], [[105, 1]])];
    const played = playTape([...rows.slice(0, 2), ...away, trade(150, 'sell', [98, 6])], 0);
    expect(fillsOf(0, played)).toEqual([]);
    expect(tradesOf(played.events).map(({ price, quantity }) => [price, quantity])).toEqual([[98, 6]]);
  });

  test('a side that was shown to its end hides nothing', () => {
    const thin = [
      book(0, [[100, 10]], [[102, 10]]),
      book(100, '100 10, 98 5', '102 10'),
      book(200, [[98, 5]], [[102, 10]]),
      trade(250, 'sell', [98, 2]),
    ];
    expect(fillsOf(0, playTape(thin, 0))).toEqual(['maker 2 @ 98']);
  });
});
