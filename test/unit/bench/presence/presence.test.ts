// The sums over intervals that the benchmark of presence makes.
import { describe, expect, test } from '@jest/globals';
import {
  createPresence,
  distanceBps,
  type OwnOrder,
  type SymbolTruth,
  sharesOf,
} from '../../../../bench/presence/presence.ts';
import { createCover, without } from '../../../../bench/presence/spans.ts';

const order = (side: OwnOrder['side'], price: number): OwnOrder => ({
  orderId: `${side} ${price}`,
  side,
  price,
  remaining: 1,
});
const BID = order('buy', 99);
const ASK = order('sell', 101);
const truthOf = (...orders: OwnOrder[]): SymbolTruth => ({ mid: 100, orders });
const WHOLE = { all: [{ from: 0, until: 1_000 }] };
const ALWAYS = { from: 0, until: 1_000 };

function tallyOf(tell: (presence: ReturnType<typeof createPresence>) => void, counted = WHOLE) {
  const presence = createPresence({ widthBps: 150, counted });
  tell(presence);
  return presence.ended(1_000).all;
}

describe('presence', () => {
  test('what is true at a change holds until the next one', () => {
    const tally = tallyOf((presence) => {
      presence.bookTaken(ALWAYS);
      presence.changed(0, truthOf());
      presence.changed(100, truthOf(BID));
      presence.changed(300, truthOf(BID, ASK));
      presence.changed(900, truthOf(ASK));
    });
    expect(tally).toEqual({
      counted: 1_000,
      live: { buy: 800, sell: 700 },
      fresh: { buy: 800, sell: 700 },
      bothLive: 600,
      bothFresh: 600,
      none: 100,
    });
  });

  test('nothing is counted before the first change and outside of what is counted', () => {
    const tell = (presence: ReturnType<typeof createPresence>): void => {
      presence.bookTaken(ALWAYS);
      presence.changed(100, truthOf(BID, ASK));
    };
    expect(tallyOf(tell)).toMatchObject({ counted: 900, bothLive: 900 });
    const parts = {
      all: [
        { from: 200, until: 300 },
        { from: 950, until: 2_000 },
      ],
    };
    expect(tallyOf(tell, parts)).toMatchObject({ counted: 150, bothLive: 150, bothFresh: 150 });
  });

  test('two changes at one moment: the second one holds', () => {
    const tally = tallyOf((presence) => {
      presence.changed(0, truthOf());
      presence.changed(500, truthOf(BID));
      presence.changed(500, truthOf(BID, ASK));
    });
    expect(tally).toMatchObject({ live: { buy: 500, sell: 500 }, bothLive: 500, none: 500 });
  });

  test('an order is fresh only while a book is young', () => {
    const tally = tallyOf((presence) => {
      presence.changed(0, truthOf(BID, ASK));
      presence.bookTaken({ from: 50, until: 300 });
      presence.bookTaken({ from: 200, until: 400 });
      presence.changed(350, truthOf(BID));
      presence.bookTaken({ from: 600, until: 700 });
      presence.changed(650, truthOf(BID, ASK));
    });
    expect(tally).toMatchObject({ bothLive: 700, bothFresh: 350, fresh: { buy: 450, sell: 350 } });
  });

  test.each([
    ['at the mid', order('buy', 100), true],
    ['at the width', order('buy', 98.5), true],
    ['beyond the width', order('buy', 98.4), false],
    ['past the mid', order('buy', 100.1), false],
    ['an ask past the mid', order('sell', 99.9), false],
    ['an ask at the width', order('sell', 101.5), true],
  ])('a quote %s', (_where, quote, isNear) => {
    const tally = tallyOf((presence) => {
      presence.bookTaken(ALWAYS);
      presence.changed(0, truthOf(quote));
    });
    expect(tally?.live[quote.side]).toBe(1_000);
    expect(tally?.fresh[quote.side]).toBe(isNear ? 1_000 : 0);
  });

  test('without a mid nothing is fresh; of two levels one that is near is enough', () => {
    const tally = tallyOf((presence) => {
      presence.bookTaken(ALWAYS);
      presence.changed(0, { mid: null, orders: [BID, ASK] });
      presence.changed(400, truthOf(BID, order('buy', 90), order('sell', 110), ASK));
    });
    expect(tally).toMatchObject({ bothLive: 1_000, bothFresh: 600 });
  });

  test('each thing that is counted has a tally of its own', () => {
    const counted = { early: [{ from: 0, until: 500 }], late: [{ from: 400, until: 1_000 }] };
    const presence = createPresence({ widthBps: 150, counted });
    presence.bookTaken({ from: 0, until: 450 });
    presence.changed(0, truthOf(BID, ASK));
    const { early, late } = presence.ended(1_000);
    expect(early).toMatchObject({ counted: 500, bothFresh: 450 });
    expect(late).toMatchObject({ counted: 600, bothFresh: 50 });
    expect(sharesOf(early && late ? [early, late] : [])).toEqual({
      fresh: (450 / 500 + 50 / 600) / 2,
      live: 1,
      none: 0,
    });
  });

  test('distance is positive away from the market on both sides', () => {
    expect(distanceBps(BID, 100)).toBeCloseTo(100);
    expect(distanceBps(ASK, 100)).toBeCloseTo(100);
    expect(distanceBps(order('sell', 99), 100)).toBeCloseTo(-100);
  });
});

describe('spans', () => {
  test('what is left without others, which may overlap and stand out', () => {
    const others = [
      { from: 50, until: 60 },
      { from: -10, until: 10 },
      { from: 55, until: 70 },
      { from: 95, until: 200 },
    ];
    expect(without({ from: 0, until: 100 }, others)).toEqual([
      { from: 10, until: 50 },
      { from: 70, until: 95 },
    ]);
    expect(without({ from: 0, until: 100 }, [])).toEqual([{ from: 0, until: 100 }]);
  });

  test('what is forgotten is only what ended before', () => {
    const cover = createCover();
    cover.add({ from: 0, until: 10 });
    cover.add({ from: 20, until: 40 });
    cover.forget(25);
    expect(cover.within({ from: 0, until: 100 })).toBe(20);
  });
});
