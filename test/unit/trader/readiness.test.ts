// S12: a create leaves only when everything that it rests on is known; what keeps it has a code and a sentence.
import { describe, expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import type { Block } from '../../../src/quoting/block.ts';
import { type Blocker, notReady, START_GRACE_MS, unknownCount } from '../../../src/trader/decision/readiness.ts';
import { riskContext } from '../../../src/trader/decision/view.ts';
import { marketToChange } from '../../../src/trader/durable/market.ts';
import { liveOrders } from '../../../src/trader/orders/live-orders.ts';
import { marketOf, stretch, type TraderState } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { catchUp, next, wakeAt } from '../../../src/trader/turns/next.ts';
import { BTC, deskSettings, HORIZON_MS, LAG_MS } from './desk-settings.ts';
import { lostBid } from './lost-bid.ts';
import { runUntil } from './run-until.ts';
import {
  type Desk,
  deskWith,
  inSlot,
  nextCreate,
  quotingDesk,
  readyDesk,
  rejected,
  softRejected,
  unknown,
} from './trader-kit.ts';

const codes = (desk: Desk): Block[] =>
  notReady(desk.state(), marketOf(desk.state(), BTC), desk.now()).map(({ code }) => code);

const lost = { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } } as const;

const unready: readonly [Block, (desk: Desk) => void][] = [
  ['clock', (desk) => void Object.assign(desk.state(), { clock: null })],
  ['clock', (desk) => desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 5_000, confirmed: true })],
  ['clock', (desk) => desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 50, confirmed: false })],
  [
    'exchange',
    (desk) => {
      desk.reply = ({ kind }) => (kind === 'wallet' ? rejected(-2015, 403) : undefined);
      desk.run(3_000);
    },
  ],
  ['book', (desk) => desk.pass(6_000)],
  [
    'difference',
    (desk) => {
      desk.shows.balances.INR = decimal(999_900);
      desk.run(LAG_MS + 8_000);
    },
  ],
];

describe('a create is not sent', () => {
  test.each(unready)('while not ready: %s', (code, spoil) => {
    const desk = readyDesk();
    expect(codes(desk)).toEqual([]);
    desk.reply = () => undefined;
    spoil(desk);
    expect(codes(desk)).toContain(code);
    const before = desk.sent.length;
    desk.open('private');
    expect(desk.sent.slice(before).map(({ chosen }) => chosen.request.kind)).not.toContain('create');
  });

  test('before anything is read: everything is named at once', () => {
    expect(codes(deskWith())).toEqual(['clock', 'account', 'book', 'orders', 'account']);
  });

  test('on a decision that was ready a moment ago', () => {
    const desk = readyDesk(deskSettings({ ageLimits: { ...deskSettings().ageLimits, bookMs: 300 } }));
    // It wants to create; then nothing is observed, and the book grows too old for it.
    wakeAt(desk.state(), 'private', desk.now());
    expect(desk.state().markets.get(BTC)?.decision?.creates).toHaveLength(2);
    desk.pass(400);
    catchUp(desk.state(), desk.now());
    const choice = next(desk.state(), 'private', desk.now());
    expect(choice.kind === 'send' ? choice.candidate.kind : null).not.toBe('create');
  });
});

test('the exposure of an order that is gone and not counted falls by the schedule; its funds stay reserved', () => {
  const desk = quotingDesk();
  desk.run(1_500);
  const bid = inSlot(desk, 'buy:0');
  desk.reply = ({ kind }) => (kind === 'wallet' ? lost : undefined);
  desk.shows.orders = desk.shows.orders.filter(({ orderId }) => orderId !== bid.orderId);
  runUntil(desk, () => inSlot(desk, 'buy:0').state === 'closing');
  const exposed = (): string | undefined => {
    const order = liveOrders(desk.state(), marketOf(desk.state(), BTC), desk.now()).find(
      ({ intentId }) => intentId === bid.intentId,
    );
    return order?.exposed && plain(order.exposed);
  };
  const { free } = riskContext(desk.state(), marketOf(desk.state(), BTC), desk.now()).quote;
  expect(exposed()).toBe('0.01');
  desk.pass(10_000);
  expect(exposed()).toBe('0.005');
  expect(plain(riskContext(desk.state(), marketOf(desk.state(), BTC), desk.now()).quote.free)).toBe(plain(free));
});

test('periodic reads keep to their share of the pace that the lane has learned, not of the configured one', () => {
  const desk = quotingDesk();
  expect(stretch(desk.state(), 'private')).toBe(1);
  desk.pace(1.25);
  // Two and a half reads a second are wanted, and 70 % of 1.25 are there.
  expect(stretch(desk.state(), 'private')).toBeCloseTo(2.5 / 0.875);
  desk.pace(10);
  expect(stretch(desk.state(), 'private')).toBe(1);
});

test('how each unknown create was resolved, and how long that took, is remembered, the last thousand of them', () => {
  const desk = readyDesk();
  desk.answer(nextCreate(desk), unknown);
  const create = nextCreate(desk);
  desk.answerTo(create.request, desk.now());
  desk.answer(create, unknown);
  desk.run(HORIZON_MS + 2 * LAG_MS + 4_000);
  const { unknownResolutions } = takeSnapshot(desk.state(), desk.now());
  expect(unknownResolutions.total).toBe(2);
  expect(unknownResolutions.last.map(({ by }) => by)).toEqual(['match', 'absence']);
  const [match, absence] = unknownResolutions.last.map(({ seconds }) => seconds);
  expect(absence).toBeGreaterThan((HORIZON_MS + LAG_MS) / 1_000);
  expect(match).toBeLessThan(3);
});

// Why nothing may be created, each condition at its bound: code, sentence, and whether live orders must go.

const AGES = deskSettings().ageLimits;

function ready(): { state: TraderState; now: number } {
  const desk = readyDesk();
  const state = desk.state();
  const now = desk.now();
  // Everything was asked for just now, long after the start.
  for (const surface of [marketOf(state, BTC).book, marketOf(state, BTC).openOrders])
    Object.assign(surface, { sentAt: now, attemptedAt: now });
  for (const asset of ['BTC', 'INR']) state.reconciliation.equalIn.set(asset, now);
  Object.assign(state.session, { startedAt: now - START_GRACE_MS });
  return { state, now };
}

function blockers(change: (state: TraderState, now: number) => void, laterMs = 0): Blocker[] {
  const { state, now } = ready();
  change(state, now);
  return notReady(state, marketOf(state, BTC), now + laterMs);
}
const set =
  (values: Partial<TraderState>, holds: Partial<TraderState['holds']> = {}) =>
  (state: TraderState): void => {
    Object.assign(state, values);
    Object.assign(state.holds, holds);
  };

test('the desk is ready without any blocker', () => {
  expect(blockers(() => {})).toEqual([]);
});

describe('nothing is created', () => {
  test.each<[string, (state: TraderState, now: number) => void, Blocker]>([
    [
      'latched',
      set({}, { latched: 'Pressed.' }),
      { code: 'latched', reason: 'The kill latch is set: Pressed.', pull: true },
    ],
    ['stopping', set({ phase: 'stopping' }), { code: 'stopping', reason: 'The bot is stopping.', pull: true }],
    ['stopped', set({ phase: 'stopped' }), { code: 'stopping', reason: 'The bot is stopping.', pull: true }],
    ['paused', set({ phase: 'paused' }, { paused: 'By hand.' }), { code: 'paused', reason: 'By hand.', pull: true }],
    [
      'paused without a word',
      set({ phase: 'paused' }, { paused: null }),
      { code: 'paused', reason: 'Paused.', pull: true },
    ],
    [
      'without a clock',
      set({ clock: null }),
      { code: 'clock', reason: "The exchange's clock is not known yet.", pull: false },
    ],
    [
      'with a clock in doubt',
      set({ clock: { offsetMs: 0, uncertaintyMs: 1, confirmed: false } }),
      {
        code: 'clock',
        reason: "The exchange's clock is in doubt: no signed request has confirmed it since.",
        pull: false,
      },
    ],
    [
      'with a clock that is known too little',
      set({ clock: { offsetMs: 0, uncertaintyMs: 1_000.6, confirmed: true } }),
      { code: 'clock', reason: "The exchange's clock is known to 1001 ms only.", pull: false },
    ],
    [
      'refused',
      set({
        refusal: { kind: 'keys', message: '-2015 No.', about: 'key', inARow: 1, lastAt: 0, until: 0, cancelsFrom: 0 },
      }),
      { code: 'exchange', reason: 'The exchange refuses requests: -2015 No.', pull: false },
    ],
    [
      'in maintenance',
      set({
        refusal: {
          kind: 'maintenance',
          message: 'it rests',
          about: 'maintenance',
          inARow: 1,
          lastAt: 0,
          until: 0,
          cancelsFrom: 0,
        },
      }),
      { code: 'exchange', reason: 'The exchange refuses requests: it rests', pull: true },
    ],
    [
      'after maintenance, before the book was read again',
      (state, now) => {
        const { openOrders, trades } = marketOf(state, BTC);
        for (const surface of [openOrders, trades]) Object.assign(surface, { sentAt: now + 1 });
        Object.assign(state.reconciliation, { from: now + 1 });
        for (const asset of ['BTC', 'INR']) state.reconciliation.equalIn.set(asset, now + 1);
      },
      { code: 'book', reason: 'The order book is out of date: it is being read again.', pull: false },
    ],
    [
      'after maintenance',
      (state, now) => {
        Object.assign(state.reconciliation, { from: now + 1 });
        Object.assign(marketOf(state, BTC).book, { sentAt: now + 1 });
      },
      {
        code: 'account',
        reason:
          'The exchange was not available, or this machine slept: orders, trades and wallet are being read again.',
        pull: false,
      },
    ],
    [
      'with a wallet that does not agree',
      (state) => void state.durable.differences.byAsset.set('INR', { expected: '2', actual: '1', since: 0 }),
      expect.objectContaining({ code: 'difference', pull: true }) as never,
    ],
    [
      'halted',
      (state) => {
        marketToChange(state.durable, BTC).halt = { code: 'order-unknown', reason: 'Look at it.', since: 0 };
      },
      { code: 'order-unknown', reason: 'Halted: Look at it.', pull: true },
    ],
    [
      'where the market is not listed',
      (state) => void Object.assign(marketOf(state, BTC), { unavailable: 'Delisted.' }),
      { code: 'unlisted', reason: 'Delisted.', pull: true },
    ],
    [
      'while the list of markets is waited for',
      (state) => void Object.assign(state.holds, { listingAwaited: 'It is read first.' }),
      { code: 'starting', reason: 'It is read first.', pull: false },
    ],
    [
      'before own orders were read',
      (state) => void Object.assign(marketOf(state, BTC).openOrders, { sentAt: null }),
      { code: 'orders', reason: 'Own orders are not read yet.', pull: false },
    ],
    [
      'before own trades were read',
      (state) => void Object.assign(marketOf(state, BTC).trades, { sentAt: null }),
      { code: 'account', reason: 'Own trades are not read yet.', pull: false },
    ],
  ])('%s', (_what, change, blocker) => {
    expect(blockers(change)).toEqual([blocker]);
  });

  test('on a well-known clock it is', () => {
    expect(blockers(set({ clock: { offsetMs: 0, uncertaintyMs: 1_000, confirmed: true } }))).toEqual([]);
  });

  test.each<[string, number, string, string]>([
    ['book', AGES.bookMs, 'book', 'The order book is 5.0 s old.'],
    ['list of own orders', AGES.openOrdersMs, 'orders', 'The list of own orders is 15.0 s old.'],
    ['wallet', AGES.reconciledMs, 'account', 'Wallet and ledger were last equal in BTC 60.0 s ago.'],
  ])('on a %s that is too old, and not a millisecond before', (_what, ageMs, code, reason) => {
    const of = (laterMs: number) => blockers(() => {}, laterMs).find((each) => each.code === code);
    expect(of(ageMs)).toBeUndefined();
    expect(of(ageMs + 1)).toEqual({ code, reason, pull: true });
  });

  test.each<[string, (state: TraderState) => void, string, string]>([
    [
      'a book',
      (state) => void Object.assign(marketOf(state, BTC).book, { book: null }),
      'book',
      'The order book is not read yet.',
    ],
    [
      'an equal wallet',
      (state) => state.reconciliation.equalIn.clear(),
      'account',
      'The ledger is not compared with the wallet yet.',
    ],
  ])('without %s; after a start orders are left for half a minute', (_what, change, code, reason) => {
    const graced = (sinceStart: number): Blocker[] =>
      blockers((state, now) => {
        change(state);
        Object.assign(state.session, { startedAt: now - sinceStart });
      });
    expect(graced(START_GRACE_MS - 1)).toEqual([{ code, reason, pull: false }]);
    expect(graced(START_GRACE_MS)).toEqual([{ code, reason, pull: true }]);
  });
});

test('unknown creates are counted, softly refused ones are not', () => {
  expect(unknownCount(lostBid(unknown).desk.state())).toBe(1);
  expect(unknownCount(lostBid(softRejected).desk.state())).toBe(0);
});
