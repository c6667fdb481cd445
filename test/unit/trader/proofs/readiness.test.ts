// Why nothing may be created, each condition at its bound: code, sentence, and whether live orders must go.
import { describe, expect, test } from '@jest/globals';
import { type Blocker, notReady, START_GRACE_MS, unknownCount } from '../../../../src/trader/decision/readiness.ts';
import { marketToChange } from '../../../../src/trader/durable/market.ts';
import { marketOf, type TraderState } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { lostBid } from '../lost-bid.ts';
import { readyDesk, softRejected, unknown } from '../trader-kit.ts';

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
  return notReady(state, BTC, now + laterMs);
}
const set =
  (values: Partial<TraderState>, holds: Partial<TraderState['holds']> = {}) =>
  (state: TraderState): void => {
    Object.assign(state, values);
    Object.assign(state.holds, holds);
  };

describe('the desk is ready', () => {
  test('where nothing is against it', () => {
    expect(blockers(() => {})).toEqual([]);
  });
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
        reason: "The exchange's clock is in doubt: no signed request was taken by it since.",
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
        refusal: { kind: 'keys', message: '-2015 No.', code: -2015, inARow: 1, lastAt: 0, until: 0, cancelsFrom: 0 },
      }),
      { code: 'exchange', reason: 'The exchange refuses requests: -2015 No.', pull: false },
    ],
    [
      'in maintenance',
      set({
        refusal: {
          kind: 'maintenance',
          message: 'it rests',
          code: -1125,
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
      { code: 'book', reason: 'The order book is of before: it is read anew.', pull: false },
    ],
    [
      'after maintenance',
      (state, now) => {
        Object.assign(state.reconciliation, { from: now + 1 });
        Object.assign(marketOf(state, BTC).book, { sentAt: now + 1 });
      },
      {
        code: 'account',
        reason: 'The exchange was not available, or this machine slept: orders, trades and wallet are read anew.',
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

  test('on a clock that is known well enough it is', () => {
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
