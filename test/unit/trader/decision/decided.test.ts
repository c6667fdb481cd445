// What is decided: when orders are pulled, when a level moves, and what would be placed now.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { quotingSettingsSchema } from '../../../../src/quoting/quoting-settings.ts';
import { type DenyCode, deny } from '../../../../src/quoting/risk/risk-context.ts';
import { decisionOf } from '../../../../src/trader/decision/decide.ts';
import { lacksRoom } from '../../../../src/trader/decision/moves.ts';
import { START_GRACE_MS } from '../../../../src/trader/decision/readiness.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { hasDecided, isRead, moveInThought, placeInThought, takeRead } from '../../../../src/trader/turns/preview.ts';
import { BTC, type DeskSettings, deskSettings, ETH } from '../desk-settings.ts';
import { haltsIn } from '../durable-kit.ts';
import { type Desk, deskWith, inSlot, makeReady, quotingDesk, readyDesk, rejected } from '../trader-kit.ts';

/** The clock is known too badly: orders may stay while nothing new is placed. */
function doubtfulClock(): Desk {
  const desk = quotingDesk();
  desk.run(START_GRACE_MS);
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 1_001, confirmed: true });
  return desk;
}

const whyCanceled = (desk: Desk): string[] => [
  ...new Set(desk.events.flatMap(({ type, payload }) => (type === 'cancel-sent' ? [payload.why] : []))),
];

describe('while a reason stands for which orders may stay', () => {
  test('they stay', () => {
    const desk = doubtfulClock();
    desk.run(60_000);
    expect(desk.slots()).toEqual(['buy:0 open', 'sell:0 open']);
  });

  test('they are canceled when the book grows too old, with that reason', () => {
    const desk = doubtfulClock();
    desk.reply = ({ kind }) =>
      kind === 'order-book' ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } : undefined;
    desk.run(7_000);
    expect(desk.shows.orders).toEqual([]);
    expect(whyCanceled(desk)).toEqual([expect.stringMatching(/^The order book is \d\.\d s old\.$/)]);
  });

  test('they are canceled when the book loses a side, with that reason', () => {
    const desk = doubtfulClock();
    desk.shows.books[BTC] = null;
    desk.run(2_000);
    expect(desk.shows.orders).toEqual([]);
    expect(whyCanceled(desk)).toEqual(['The order book has an empty side or is crossed: there is no reference price.']);
  });

  test('orders from before a start stay through its first seconds, even with a one-sided book', () => {
    const desk = quotingDesk();
    desk.restart();
    desk.shows.books[BTC] = null;
    desk.reply = ({ kind }) =>
      kind === 'wallet' ? { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } : undefined;
    desk.run(START_GRACE_MS - 1_000);
    expect(desk.shows.orders).toHaveLength(2);
    desk.run(3_000);
    expect(desk.shows.orders).toEqual([]);
  });
});

test('once a cancel has left the decision is made anew, and wants it no more', () => {
  const desk = quotingDesk();
  const bid = inSlot(desk, 'buy:0');
  desk.run(2_500);
  // The bid is far too near now: it is canceled before anything takes its place.
  desk.shows.books[BTC] = [97_000, 99_000];
  desk.look('book');
  const wanted = () =>
    decisionOf(desk.state(), marketOf(desk.state(), BTC), desk.now()).cancels.map(({ intentId }) => intentId);
  expect(wanted()).toContain(bid.intentId);
  const chosen = desk.open('private');
  expect(chosen).toMatchObject({ request: { kind: 'cancel', orderId: bid.orderId }, intentId: bid.intentId });
  expect(wanted()).not.toContain(bid.intentId);
});

// What a create may wait for: room that other orders of ours take, and nothing else.

test.each<[DenyCode, boolean]>([
  ['slot', true],
  ['self-cross', true],
  ['inventory', true],
  ['funds', true],
  ['open-orders', true],
  ['collar', false],
  ['journal-stale', false],
])('a create that is refused for %s lacks room: %s', (code, lacks) => {
  expect(lacksRoom(deny(code, 'No.'))).toBe(lacks);
});

// The skew of sizes makes no order larger than the limits let one be.

const quoting = {
  timeZone: 'UTC',
  ...quotingSettingsSchema.parse({ costFloor: { enabled: false }, inventorySkew: {} }),
};

/** Nothing is held, so that bids of 1,000 INR are to be twice as large, and nothing is sold. */
function bidsUnder(limits: Record<string, string>) {
  const settings = deskSettings({ limits });
  const desk = deskWith({ ...settings, runs: settings.runs.map((run) => ({ ...run, quoting })) });
  desk.shows.balances = { INR: decimal(1_000_000), BTC: decimal(0), ETH: decimal(0) };
  makeReady(desk);
  desk.run(5_000);
  const { denied } = decisionOf(desk.state(), marketOf(desk.state(), BTC), desk.now());
  const bids = desk.intents().map(({ side, price, quantity }) => {
    expect(side).toBe('buy');
    return { quantity: quantity.toNumber(), notional: price.mul(quantity).toNumber() };
  });
  return { bids, denials: [...denied.values()].map(({ code }) => code) };
}

test.each([
  ['maxOrderNotional', '1500', 'notional', 1_500],
  ['maxOrderQuantity', '0.0151', 'quantity', 0.0151],
] as const)('it goes up to %s', (limit, value, of, most) => {
  const { bids, denials } = bidsUnder({ [limit]: value });
  expect(denials).toEqual([]);
  expect(bids).toHaveLength(1);
  expect(bids[0]?.[of]).toBeLessThanOrEqual(most);
  expect(bids[0]?.[of]).toBeGreaterThan(most * 0.98);
});

test('a quote that the strategy makes too large is denied: it may be a mistyped amount', () => {
  expect(bidsUnder({ maxOrderNotional: '500' })).toEqual({ bids: [], denials: ['order-notional'] });
});

// What would be quoted now is found out by reads alone: no order leaves, and it ends when nothing more is to be
// learned.

/** Asks until nothing more is wanted on either lane; the kinds that were asked. */
function looked(desk: Desk, forMs = 30_000): string[] {
  const kinds: string[] = [];
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  for (const end = desk.now() + forMs; desk.now() < end; desk.pass(100)) {
    for (const lane of ['public', 'private'] as const) {
      const chosen = takeRead(desk.state(), lane, desk.now());
      if (chosen === null) continue;
      kinds.push(chosen.request.kind);
      desk.answer(chosen);
    }
  }
  return kinds;
}

test.each([
  ['create', false],
  ['cancel', false],
  ['cancel-symbol', false],
  ['cancel-all', false],
  ['open-orders', true],
  ['order-book', true],
  ['wallet', true],
])('whether %s only looks is %p', (kind, is) => {
  expect(isRead(kind)).toBe(is);
});

test('it reads until every market has quotes, and not on', () => {
  const desk = deskWith(deskSettings({ symbols: [BTC, ETH] }));
  expect(hasDecided(desk.state(), desk.now())).toBe(false);
  const kinds = looked(desk);
  for (const kind of ['order-book', 'open-orders', 'spot-trades', 'wallet']) expect(kinds).toContain(kind);
  // A few of each, and then none: half a minute of looking would be hundreds.
  expect(kinds.length).toBeLessThan(50);
  expect(marketOf(desk.state(), ETH).decision?.result?.quotes).toHaveLength(2);
  expect(desk.intents()).toEqual([]);
});

test('one market without a price keeps it reading, and no order of the other one counts as sent', () => {
  const desk = deskWith(deskSettings({ symbols: [BTC, ETH] }));
  desk.shows.books[ETH] = null;
  const written = desk.events.length;
  looked(desk, 10_000);
  expect(looked(desk, 10_000).filter((kind) => kind === 'order-book').length).toBeGreaterThan(10);
  expect(hasDecided(desk.state(), desk.now())).toBe(false);
  expect(desk.intents()).toEqual([]);
  expect(desk.events.slice(written).map(({ type }) => type)).not.toContain('intent');
  expect(marketOf(desk.state(), BTC).decision?.result?.quotes).toHaveLength(2);
  desk.shows.books[ETH] = [9_900, 10_100];
  // Once all is decided nothing is read: any longer, and the list of own orders would be too old to quote by.
  looked(desk, 5_000);
  expect(hasDecided(desk.state(), desk.now())).toBe(true);
});

test('nothing is read that is not due, though nothing is decided yet', () => {
  const desk = deskWith(deskSettings());
  desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: true });
  expect(takeRead(desk.state(), 'public', desk.now())).toMatchObject({ request: { kind: 'order-book' } });
  // It is on its way.
  expect(takeRead(desk.state(), 'public', desk.now())).toBeNull();
});

test('a market that a person must resume counts as decided', () => {
  const desk = readyDesk();
  desk.reply = ({ kind }) => (kind === 'create' ? rejected(-1121) : undefined);
  desk.run(5_000);
  expect([...haltsIn(desk.state().durable).keys()]).toEqual([BTC]);
  expect(marketOf(desk.state(), BTC).decision?.result ?? null).toBeNull();
  expect(hasDecided(desk.state(), desk.now())).toBe(true);
});

describe('how many moves have room beside a bid and an ask of 1,000 INR in each market', () => {
  function roomsOf(settings: DeskSettings) {
    const desk = deskWith(deskSettings(settings));
    looked(desk);
    placeInThought(desk.state(), desk.now());
    const rooms = moveInThought(desk.state(), desk.now());
    return [...rooms].map(([symbol, { moves, limit }]) => [symbol, moves, limit]);
  }

  test.each<[string, DeskSettings, number, string]>([
    [
      'as many as may leave',
      { limits: { maxLeaving: 6 } },
      4,
      'At most 6 canceled orders may be unproved, and moves may take 4 of them.',
    ],
    [
      'all that may leave',
      { limits: { maxLeaving: 1 } },
      1,
      'At most 1 canceled orders may be unproved, and moves may take 1 of them.',
    ],
    [
      'one where none may leave',
      { limits: { maxLeaving: 0 } },
      1,
      'At most 0 canceled orders may be unproved, and moves may take 1 of them.',
    ],
    ['one a level', { limits: { maxLeavingPerSlot: 0 } }, 2, 'orders of sell:0 are not proved closed yet'],
    ['by number', { limits: { maxOpenOrders: 5 } }, 3, 'It would be open order 6 of BTC/INR; 5 are allowed.'],
    ['by notional', { limits: { maxOpenNotional: '3900' } }, 1, 'Open orders of BTC/INR would come to 39'],
    ['by budget', { quoting: { budget: { maxQuote: '2500' } } }, 3, 'budget.maxQuote is 2500.'],
    ['none at all', { limits: { maxOpenOrders: 2 } }, 0, 'It would be open order 3 of BTC/INR; 2 are allowed.'],
  ])('%s', (_, settings, moves, limit) => {
    expect(roomsOf(settings)).toEqual([[BTC, moves, expect.stringContaining(limit)]]);
  });

  test('two markets take turns at what is over all of them', () => {
    const limit = expect.stringContaining('Open orders over all symbols would come to ');
    expect(roomsOf({ symbols: [BTC, ETH], limits: { maxOpenNotionalOverAll: '6900' } })).toEqual([
      [BTC, 1, limit],
      [ETH, 1, limit],
    ]);
  });

  test('none without resting orders', () => {
    const desk = deskWith();
    expect(moveInThought(desk.state(), desk.now()).size).toBe(0);
  });
});
