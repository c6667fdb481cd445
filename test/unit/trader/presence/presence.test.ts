// What the trader counts its own time as: fresh where an order rests near enough, and else by the one reason.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal } from '../../../../src/domain/decimal.ts';
import type { Side } from '../../../../src/domain/order.ts';
import type { OrderBook } from '../../../../src/domain/order-book.ts';
import type { Strategy } from '../../../../src/quoting/strategy.ts';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import {
  countedMs,
  presenceView,
  shareSince,
  type TimeShare,
  updateRanges,
} from '../../../../src/trader/presence/presence.ts';
import { marketOf, runOf } from '../../../../src/trader/state/state.ts';
import { startBook } from '../../../../src/trader/state/surfaces.ts';
import {
  hasVanished,
  lookInBook,
  NOTHING_SEEN,
  type SeenInBook,
  startTime,
} from '../../../../src/trader/state/time-account.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { strategy } from '../../../../strategies/fixed-spread.ts';
import { BTC, deskSettings, LAG_MS } from '../desk-settings.ts';
import { type Desk, deskWith, inSlot, quotingDesk, readNow } from '../trader-kit.ts';

const shareOf = (desk: Desk, side: Side | 'both'): TimeShare =>
  presenceView(desk.state(), marketOf(desk.state(), BTC), desk.now()).sinceStart[side];

/** What is counted of a side meanwhile: `fresh` or a reason with its milliseconds, the longest first. */
function during(desk: Desk, side: Side | 'both', act: () => void): [string, number][] {
  const before = shareOf(desk, side);
  const from = desk.now();
  act();
  const since = shareSince(before, shareOf(desk, side));
  expect(countedMs(since)).toBe(desk.now() - from);
  const all: [string, number][] = [
    ['fresh', since.freshMs],
    ...since.lost.map(({ reason, ms }): [string, number] => [reason, ms]),
  ];
  return all.filter(([, ms]) => ms > 0).sort(([, a], [, b]) => b - a);
}

test('from the start on: starting, then orders on their way, then fresh', () => {
  const desk = quotingDesk();
  expect(shareOf(desk, 'both').lost.map(({ reason }) => reason)).toContain('starting');
  expect(during(desk, 'both', () => desk.run(10_000))).toEqual([['fresh', 10_000]]);
});

test('a book that grows too old ends freshness at that moment, not at the next step', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  const sentAt = desk.state().markets.get(BTC)?.book?.sentAt ?? 0;
  const left = sentAt + 5_000 - desk.now();
  expect(during(desk, 'buy', () => desk.pass(9_000))).toEqual(
    [
      ['fresh', left],
      // Nothing is asked at this desk meanwhile: the exchange can't be blamed.
      ['book', 9_000 - left],
    ].sort(([, a], [, b]) => Number(b) - Number(a)),
  );
});

test('an exchange that does not answer is the reason, not the ages that follow from it', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  desk.reply = () => null;
  desk.run(5_000);
  expect(during(desk, 'both', () => desk.run(20_000))[0]?.[0]).toBe('exchange');
});

test('an order in flight, and one with an unknown outcome', () => {
  const desk = quotingDesk();
  desk.run(2_500);
  desk.shows.books[BTC] = [96_000, 98_000];
  desk.reply = ({ kind }) => (kind === 'create' ? null : undefined);
  desk.run(1_000);
  expect(during(desk, 'buy', () => desk.run(500))).toEqual([['placing', 500]]);
  for (const chosen of [...desk.held])
    desk.answer(chosen, { kind: 'unknown', fault: { sent: true, reason: 'timeout', detail: 'No answer came.' } });
  expect(during(desk, 'buy', () => desk.run(500))).toEqual([['order-unknown', 500]]);
});

test('an order that waits for room behind a pending cancel', () => {
  const desk = quotingDesk(deskSettings({ limits: { maxLeavingPerSlot: 0 } }));
  desk.run(2_500);
  desk.shows.books[BTC] = [96_000, 98_000];
  desk.run(1_500);
  expect(during(desk, 'buy', () => desk.run(1_000))).toEqual([['leaving', 1_000]]);
  desk.run(LAG_MS + 3_000);
  expect(during(desk, 'both', () => desk.run(1_000))).toEqual([['fresh', 1_000]]);
});

test('a limit that delays a level is the reason, not the other level that is being counted', () => {
  const params = { levels: 2, askHalfSpreadsBps: [] };
  const desk = quotingDesk(deskSettings({ params, limits: { maxOpenOrders: 2 } }));
  desk.run(2_500);
  const { orderId } = inSlot(desk, 'buy:0');
  desk.shows.orders = desk.shows.orders.filter((row) => row.orderId !== orderId);
  desk.run(1_000);
  desk.shows.books[BTC] = [96_000, 98_000];
  desk.run(1_500);
  expect(desk.slots()).toEqual(['buy:0 closing', 'buy:1 closing']);
  expect(during(desk, 'buy', () => desk.run(1_000))).toEqual([['leaving', 1_000]]);
});

test('an order whose price a book shows no more is being counted, before a list says so', () => {
  const desk = quotingDesk();
  const { price } = inSlot(desk, 'buy:0');
  const level = (at: Decimal) => ({ price: at, quantity: decimal(1) });
  const showBids = (...prices: readonly Decimal[]): void => {
    const book = { bids: prices.map(level), asks: [level(decimal(101_000))] };
    desk.reply = ({ kind }) =>
      kind === 'order-book' ? readNow(desk, book) : kind === 'open-orders' ? null : undefined;
  };
  showBids(decimal(99_000), price, decimal(90_000));
  desk.run(2_500);
  showBids(decimal(99_000), decimal(90_000));
  desk.run(1_500);
  expect(during(desk, 'buy', () => desk.run(1_000))).toEqual([['order-unknown', 1_000]]);
  expect(during(desk, 'sell', () => desk.run(1_000))).toEqual([['fresh', 1_000]]);
});

test('an order that is gone from the list without a cancel is being counted', () => {
  const desk = quotingDesk();
  desk.run(2_500);
  const bid = inSlot(desk, 'buy:0');
  desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== bid.orderId);
  desk.run(1_500);
  expect(during(desk, 'buy', () => desk.run(1_000))).toEqual([['order-unknown', 1_000]]);
});

describe('reasons from a person, money or limits', () => {
  test('paused', () => {
    const desk = quotingDesk();
    desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
    desk.run(2_000);
    expect(during(desk, 'both', () => desk.run(1_000))).toEqual([['paused', 1_000]]);
  });

  test('stopping, and stopped', () => {
    const desk = quotingDesk();
    desk.tell({ kind: 'stop' });
    desk.run(2_000);
    expect(during(desk, 'both', () => desk.run(60_000))).toEqual([['stopping', 60_000]]);
  });

  test('funds: one side goes on', () => {
    const desk = deskWith(deskSettings());
    desk.shows.balances = { INR: decimal(50), BTC: decimal(1), ETH: decimal(10) };
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
    desk.run(4_000);
    expect(during(desk, 'sell', () => desk.run(1_000))).toEqual([['fresh', 1_000]]);
    expect(during(desk, 'buy', () => desk.run(1_000))).toEqual([['funds', 1_000]]);
    expect(during(desk, 'both', () => desk.run(1_000))).toEqual([['funds', 1_000]]);
  });

  test('inventory at its bound: there is nothing to sell', () => {
    const desk = deskWith(deskSettings());
    desk.shows.balances = { INR: decimal(1_000_000), BTC: decimal(0), ETH: decimal(10) };
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
    desk.run(4_000);
    expect(during(desk, 'sell', () => desk.run(1_000))).toEqual([['inventory', 1_000]]);
  });

  test('each side by its own code, where the risk gate denies both', () => {
    const desk = quotingDesk(deskSettings({ limits: { maxOrderNotional: '1000', maxInventoryBase: '1' } }));
    desk.run(2_000);
    const seen = (['buy', 'sell', 'both'] as const).map((side) => during(desk, side, () => desk.run(1_000)));
    expect(seen).toEqual([[['inventory', 1_000]], [['limits', 1_000]], [['limits', 1_000]]]);
  });

  test('a limit of the risk gate', () => {
    const desk = quotingDesk(deskSettings({ limits: { maxOpenOrders: 1 } }));
    desk.run(1_000);
    expect(during(desk, 'both', () => desk.run(1_000))).toEqual([['limits', 1_000]]);
  });
});

test('an order that the price has left behind is no fresh quote', () => {
  const desk = quotingDesk(deskSettings({ refresh: { refreshMs: 60_000 } }));
  desk.run(1_000);
  desk.shows.books[BTC] = [101_000, 103_000];
  desk.run(1_500);
  expect(desk.slots()).toContain('buy:0 open');
  expect(during(desk, 'buy', () => desk.run(1_000))).toEqual([['off-price', 1_000]]);
});

test('a clock set back counts nothing, and counting goes on from there', () => {
  const desk = quotingDesk();
  desk.run(1_000);
  desk.tell({ kind: 'reconcile-due' });
  const before = countedMs(shareOf(desk, 'buy'));
  desk.pass(-60_000);
  desk.run(2_000);
  expect(countedMs(shareOf(desk, 'buy'))).toBe(before + 2_000);
});

test('reading changes nothing: frequent reads return the same as a single one', () => {
  const [asked, left] = [quotingDesk(), quotingDesk()];
  for (const desk of [asked, left]) {
    desk.shows.books[BTC] = [96_000, 98_000];
    for (let step = 0; step < 100; step += 1) {
      desk.run(100);
      if (desk === asked)
        for (const at of [0, 40, 99]) presenceView(desk.state(), marketOf(desk.state(), BTC), desk.now() + at);
    }
  }
  expect(presenceView(asked.state(), marketOf(asked.state(), BTC), asked.now())).toEqual(
    presenceView(left.state(), marketOf(left.state(), BTC), left.now()),
  );
  const [shown] = takeSnapshot(asked.state(), asked.now()).symbols;
  expect(shown?.presence).toEqual(presenceView(left.state(), marketOf(left.state(), BTC), left.now()));
});

// How far from the price an order may rest to be a fresh quote: what the strategy says, or else what it wants.

/** 2 % from the middle of 100,000 is wanted; 10 bps of tolerance, 20 away from the market. */
function rangeWith(widthBps: Strategy['widthBps']): string[] {
  const state = quotingDesk().state();
  const { widthBps: _, ...rest } = strategy as Strategy;
  const run = { ...runOf(state, BTC), strategy: widthBps === undefined ? rest : { ...rest, widthBps } };
  const time = startTime(0);
  updateRanges(time, marketOf(state, BTC).decision, run);
  const { buy, sell } = time.ranges;
  return [buy?.least, buy?.most, sell?.least, sell?.most].map((price) => String(price?.toFixed()));
}

const WANTED = ['97800', '100000', '100000', '102200'];

test.each<[string, Strategy['widthBps'], readonly string[]]>([
  ['nothing: the outermost quote that is wanted', undefined, WANTED],
  ['more than it wants now', () => 300, ['96800', '100000', '100000', '103200']],
  ['less: costs moved the quote out', () => 50, WANTED],
  ['no number', () => Number.NaN, WANTED],
  [
    'an error',
    () => {
      throw new Error('no');
    },
    WANTED,
  ],
])('the strategy says %s', (_what, widthBps, range) => {
  expect(rangeWith(widthBps)).toEqual(range);
});

// What books say of own orders: one that they no longer show has gone, most likely filled.

const bid: Intent = inSlot(quotingDesk(), 'buy:0');
const level = (price: string) => ({ price: decimal(price), quantity: decimal('1') });
const book = (...bids: string[]): OrderBook => ({ bids: bids.map(level), asks: [] });
const [ours, deeper] = [bid.price.toFixed(), bid.price.sub(100).toFixed()];

function afterBooks(...books: OrderBook[]): SeenInBook {
  return books.reduce(
    (seen, each, index) => lookInBook(seen, { ...startBook(), book: each, sentAt: index + 1 }, [bid]),
    NOTHING_SEEN,
  );
}

test.each([
  ['no book has shown it yet', [book('99000', deeper)], false],
  ['the book shows it', [book(ours, deeper)], false],
  ['a book showed it, and the next does not', [book(ours), book('99000', deeper)], true],
  ['the next does not reach so far', [book(ours), book('99000')], false],
  ['it is back', [book(ours), book('99000', deeper), book('99000', ours)], false],
])('%s', (_what, books, vanished) => {
  expect(hasVanished(afterBooks(...books), bid)).toBe(vanished);
});
