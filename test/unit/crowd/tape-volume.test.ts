// One account of volume: each recorded trade puts its whole quantity on the feed, wherever orders of others stand.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTapeCrowd } from '../../../src/crowd/tape-crowd.ts';
import type { Side } from '../../../src/domain/order.ts';
import { validateState } from '../../../src/matching/engine.ts';
import { tapeOf } from '../../../src/tape/compact-tape.ts';
import type { TapeRow } from '../../../src/tape/types.ts';
import { BOT, botOrder, newEngine, playMarket, refusalsOf, START_AT, tradesOf } from './played-market.ts';
import { ANY_SIZE, book, type Pair, symbol, trade } from './played-tape.ts';

const side = fc.constantFrom<Side>('buy', 'sell');
const quantity = fc.integer({ min: 1, max: 12 });
const pair = fc.tuple(fc.integer({ min: 94, max: 108 }), quantity);
/** Quantities from the best price out, one tick apart. */
const depth = fc.array(quantity, { maxLength: 4 });

/** A row, and what we do after it. */
const moment = fc.record({
  row: fc.oneof(
    fc.record({
      bid: fc.integer({ min: 95, max: 105 }),
      gap: fc.integer({ min: 1, max: 4 }),
      bids: depth,
      asks: depth,
    }),
    fc.record({ takerSide: side, pair }),
  ),
  ours: fc.option(fc.record({ side, pair }), { freq: 2 }),
  cancels: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn === 0),
});

const rowOf = (ms: number, row: (typeof moment extends fc.Arbitrary<infer One> ? One : never)['row']): TapeRow => {
  if ('pair' in row) return trade(ms, row.takerSide, row.pair);
  const bids = row.bids.map((lots, index): Pair => [row.bid - index, lots]);
  return book(
    ms,
    bids,
    row.asks.map((lots, index): Pair => [row.bid + row.gap + index, lots]),
  );
};

test('the feed has the volume of every recorded trade, at its price but for orders of ours that it meets', () => {
  const settings = fc.record({
    cancelAheadRatio: fc.constantFrom(0, 0.5, 1),
    crossing: fc.constantFrom('takes', 'rejected'),
  });
  fc.assert(
    fc.property(fc.array(moment, { minLength: 2, maxLength: 25, size: 'max' }), settings, (moments, settings) => {
      const rows = moments.map(({ row }, ms) => rowOf(ms, row));
      const crowd = createTapeCrowd({ tapes: [tapeOf(ANY_SIZE, rows)], loop: false, ...settings });
      const played = playMarket(crowd, newEngine([ANY_SIZE], { crossing: settings.crossing }));
      for (const [ms, { ours, cancels }] of moments.entries()) {
        const before = played.events.length;
        played.playSteps(1);
        const said = played.events.slice(before);
        const row = rows[ms];
        expect(refusalsOf(said)).toEqual([]);
        if (row?.kind === 'trade') {
          const fed = tradesOf(said);
          expect(fed.reduce((lots, fill) => lots + fill.quantity, 0)).toBe(row.quantityLots);
          expect(fed.filter(({ price, makerAccount }) => price !== row.priceTicks && makerAccount !== BOT)).toEqual([]);
        }
        if (cancels) played.send({ kind: 'cancel-all', account: BOT }, START_AT + ms);
        if (ours !== null)
          played.send(botOrder(symbol, ours.side, { price: ours.pair[0], quantity: ours.pair[1] }), START_AT + ms);
      }
      validateState(played.engine);
    }),
    { numRuns: 300 },
  );
});
