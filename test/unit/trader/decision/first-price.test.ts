// The first price of a market: a second book confirms it, and none is believed while another market's price jumped.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../../src/domain/fill.ts';
import { valueText } from '../../../../src/ledger/amount.ts';
import type { ReferenceSource } from '../../../../src/quoting/reference-price.ts';
import { lossesOf } from '../../../../src/trader/decision/limits.ts';
import { haltOf } from '../../../../src/trader/decision/readiness.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { whyNotWithoutStart } from '../../../../src/trader/observe/resume.ts';
import type { TraderSettings } from '../../../../src/trader/state/settings.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BOTH, codes } from '../added-market-kit.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { type Desk, deskWith, fillNow, inSlot, makeReady, quotingDesk, reasons, START } from '../trader-kit.ts';

const RIGHT = { [BTC]: [99_000, 101_000], [ETH]: [9_900, 10_100] } as const;
const TENFOLD = { [BTC]: [990_000, 1_010_000], [ETH]: [99_000, 101_000] } as const;

/** ETH/INR is configured while BTC/INR has a price from before, and what books show is as given. */
function addedUnder(books: Desk['shows']['books'], settings = BOTH): Desk {
  const desk = quotingDesk();
  desk.run(5_000);
  Object.assign(desk.shows.books, books);
  desk.restart(settings);
  return desk;
}

const ofEth = (desk: Desk): number => desk.intents().filter(({ symbol }) => symbol === ETH).length;

function takenFrom(referenceSource: ReferenceSource, symbol: string): typeof BOTH {
  const fixed = referenceSource === 'fixed' ? { fixedReference: decimal(symbol === ETH ? 10_000 : 100_000) } : {};
  const runs = BOTH.runs.map((run) => (run.instrument.symbol === symbol ? { ...run, referenceSource, ...fixed } : run));
  return { ...BOTH, runs };
}

describe("a first price while another market's has a slipped decimal (seed 48557)", () => {
  test.each([
    ['ten times as high', TENFOLD],
    ['a tenth', { [BTC]: [9_900, 10_100], [ETH]: [990, 1_010] } as const],
  ])('%s is not believed until that one is back', (_name, books) => {
    const desk = addedUnder(books);
    desk.run(40_000);
    expect(haltOf(desk.state(), marketOf(desk.state(), BTC))).toBeNull();
    expect(ofEth(desk)).toBe(0);
    expect(codes(desk, ETH)).toContain('price');
    expect(reasons(desk).join('\n')).toContain(
      'The price of BTC/INR jumped, and no price of ETH/INR is known from before: none is believed until the books ' +
        'of BTC/INR show the price of before.',
    );
    Object.assign(desk.shows.books, RIGHT);
    desk.run(60_000);
    expect(codes(desk, ETH)).toEqual([]);
    expect(inSlot(desk, 'buy:0', ETH).price.toFixed()).toBe('9800');
    expect(haltOf(desk.state(), marketOf(desk.state(), ETH))).toBeNull();
  });

  test('nor once that one is halted for it, but where a person says that it is so', () => {
    const desk = addedUnder(TENFOLD);
    desk.run(90_000);
    expect(haltOf(desk.state(), marketOf(desk.state(), BTC))?.code).toBe('price');
    expect([ofEth(desk), codes(desk, ETH)]).toEqual([0, ['price']]);
    desk.restart(BOTH, [{ symbol: BTC, price: decimal(1_000_000) }]);
    desk.run(60_000);
    expect(codes(desk, ETH)).toEqual([]);
    expect(inSlot(desk, 'buy:0', ETH).price.toFixed()).toBe('98000');
  });
});

describe('a first price is trusted as soon as a second book confirms it', () => {
  test('if another market moved far, but less than a slipped decimal', () => {
    const desk = addedUnder({ [BTC]: [148_000, 152_000], [ETH]: RIGHT[ETH] });
    desk.run(40_000);
    expect(desk.state().markets.get(BTC)?.jump).not.toBeNull();
    expect([codes(desk, ETH), ofEth(desk) > 0]).toEqual([[], true]);
  });

  test.each([
    ['its own price is not the exchange’s', ETH],
    ['the other one’s is not', BTC],
  ])('where %s', (_name, symbol) => {
    const desk = addedUnder({ [BTC]: TENFOLD[BTC], [ETH]: RIGHT[ETH] }, takenFrom('fixed', symbol));
    desk.run(40_000);
    expect(codes(desk, ETH)).not.toContain('price');
  });

  test('if there is no other market', () => {
    const desk = quotingDesk(deskSettings());
    desk.run(3_000);
    expect(inSlot(desk, 'buy:0').state).toBe('open');
  });

  test('with an earlier price of the market itself', () => {
    const desk = quotingDesk(BOTH);
    desk.run(20_000);
    const before = ofEth(desk);
    desk.shows.books[BTC] = TENFOLD[BTC];
    desk.run(20_000);
    expect([codes(desk, ETH), before > 0]).toEqual([[], true]);
  });
});

// How long no first price of a market is believed: while another one is halted for a slipped decimal, and without a
// halt no longer than its books show it.

function hideBook(desk: Desk): void {
  desk.reply = (request) =>
    request.kind === 'order-book' && request.symbol === BTC
      ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } }
      : undefined;
}

test.each([
  ['has one side alone', 'one-sided'],
  ['can’t be read', 'unread'],
  ['is listed no more', 'unlisted'],
])('the other market’s book %s after a garbled read: the new one is quoted, or a person can say so', (_n, how) => {
  const desk = quotingDesk();
  desk.run(5_000);
  desk.restart(BOTH);
  desk.shows.books[BTC] = [990_000, 1_010_000];
  desk.look('book');
  desk.run(100);
  expect(desk.state().markets.get(BTC)?.jump).not.toBeNull();
  if (how === 'unlisted') desk.tell({ kind: 'listing', awaited: null, missing: [BTC] });
  if (how !== 'one-sided') hideBook(desk);
  else desk.shows.books[BTC] = null;
  desk.run(2 * 60_000, 1_000);
  const resumed = { symbol: BTC, price: decimal(100_000) };
  expect(whyNotWithoutStart(desk.state(), resumed, desk.now())).toBeNull();
  desk.tell({ kind: 'resume-symbol', resumed, by: 'asha' });
  desk.run(60_000, 1_000);
  expect(marketIn(desk.state().durable, BTC).halt).toBeNull();
  expect(codes(desk, ETH)).toEqual([]);
});

test.each([
  ['can’t be read', 'unread'],
  ['has one side alone', 'one-sided'],
])('a first price is not believed while the book of a market halted for a slipped decimal %s', (_words, how) => {
  const desk = quotingDesk();
  desk.run(5_000);
  desk.shows.books[BTC] = [990_000, 1_010_000];
  desk.shows.books[ETH] = [99_000, 101_000];
  desk.run(90_000);
  expect(haltOf(desk.state(), marketOf(desk.state(), BTC))?.code).toBe('price');
  if (how === 'one-sided') desk.shows.books[BTC] = null;
  else hideBook(desk);
  desk.restart(BOTH);
  desk.run(60_000);
  expect(haltOf(desk.state(), marketOf(desk.state(), BTC))?.code).toBe('price');
  const bids = desk.events.flatMap(({ type, payload }) =>
    type === 'intent' && payload.symbol === ETH && payload.side === 'buy' ? [payload.price] : [],
  );
  expect(bids).toEqual([]);
  expect(reasons(desk).join('\n')).toContain(
    'The price of BTC/INR jumped, and no price of ETH/INR is known from before: none is believed until the books of ' +
      'BTC/INR show the price of before, or a person has resumed it.',
  );
});

test.each([
  ['less than a decimal does', [148_000, 152_000]],
  ['as a decimal does', [990_000, 1_010_000]],
] as const)('a halt for a price that moved %s holds up no market once its books are back', (_words, [bid, ask]) => {
  const desk = quotingDesk();
  desk.run(5_000);
  desk.shows.books[BTC] = [bid, ask];
  desk.run(90_000);
  desk.restart(BOTH);
  desk.shows.books[BTC] = [99_000, 101_000];
  desk.run(60_000);
  expect(haltOf(desk.state(), marketOf(desk.state(), BTC))?.code).toBe('price');
  expect(codes(desk, ETH)).toEqual([]);
});

describe('the first books of a market, of which one is garbled', () => {
  const RIGHT = [99_000, 101_000] as const;
  const TENFOLD = [990_000, 1_010_000] as const;

  function begun(books: readonly (readonly [number, number])[], forMs: number): Desk {
    const desk = deskWith(deskSettings());
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
    for (const book of books) {
      desk.shows.books[BTC] = book;
      desk.look('book');
      desk.tell({ kind: 'tick' });
      desk.pass(5_500);
    }
    let up = false;
    for (const end = desk.now() + forMs; desk.now() < end; ) {
      up = !up;
      desk.shows.books[BTC] = up ? [99_010, 101_010] : RIGHT;
      desk.run(6_000, 1_000);
    }
    return desk;
  }

  const volatility = (desk: Desk): number => {
    const { volatilityBpsPerSqrtSecond: known } = marketOf(desk.state(), BTC).knowledge.estimates;
    if (known.kind !== 'known') throw new Error(known.why);
    return known.value;
  };

  test.each([
    ['the first', [TENFOLD, RIGHT, RIGHT, RIGHT]],
    ['the second', [RIGHT, TENFOLD, RIGHT, RIGHT]],
    ['the third', [RIGHT, RIGHT, TENFOLD, RIGHT]],
  ])('a price that no second book confirms moves no estimate: %s of four is ten times as high', (_name, books) => {
    const without = volatility(begun([RIGHT, RIGHT, RIGHT, RIGHT], 20 * 60_000));
    const withOne = volatility(begun(books, 20 * 60_000));
    expect(withOne / without).toBeLessThan(1.5);
  });
});

// A price from elsewhere that the own book contradicts is neither accepted nor kept as first. Here: one odd trade after
// a start of more than an hour later.

const settings = (): TraderSettings => {
  const plain = deskSettings({ limits: { maxDrawdown: '600' } });
  return { ...plain, runs: plain.runs.map((run) => ({ ...run, referenceSource: 'lastTrade' as const })) };
};
const trade = (price: number, at: number): PublicTrade => ({
  ...{ price: decimal(price), quantity: decimal('0.1'), takerSide: 'buy', venueTime: at },
});

function odd(): Desk {
  const desk = deskWith(settings());
  desk.shows.publicTrades = { [BTC]: [trade(100_000, START - 1_000)] };
  makeReady(desk);
  desk.run(5_000);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(20_000);
  desk.pass(2 * 3_600_000);
  desk.shows.publicTrades = { [BTC]: [trade(100_000, START - 1_000), trade(150_000, desk.now() - 60_000)] };
  desk.restart(settings());
  desk.run(60_000);
  return desk;
}

const tradeAgain = (desk: Desk): void => {
  desk.shows.publicTrades[BTC] = [...(desk.shows.publicTrades[BTC] ?? []), trade(100_000, desk.now())];
  desk.run(120_000);
};

// The book stands at 99,000 to 101,000 all the while.
test('a first price that its own book contradicts is not accepted', () => {
  const desk = odd();
  expect(marketOf(desk.state(), BTC).lastGoodReference).toBeNull();
  expect(marketOf(desk.state(), BTC).firstReference).toBeNull();
  expect([...(marketOf(desk.state(), BTC).decision?.denied.values() ?? [])].map(({ message }) => message)).toContain(
    'The reference price 150000 is 4851.5 bps, more than 500 bps, from 101000, the best price (BTC/INR).',
  );
});

test('so the right one after it halts nothing', () => {
  const desk = odd();
  tradeAgain(desk);
  expect(marketIn(desk.state().durable, BTC).halt?.reason).toBeUndefined();
});

test('nor is profit marked at it: the earlier mark stands', () => {
  const ofSession = lossesOf(odd().state(), marketOf(odd().state(), BTC)).find(({ code }) => code === 'loss-session');
  // Bought for 98,000, and 100,000 was the last good price.
  expect(ofSession && valueText(ofSession.loss)).toBe('-10.2');
});
