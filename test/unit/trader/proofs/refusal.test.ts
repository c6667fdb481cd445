// Answers that concern every request, one at a time: what is counted, what rests and for how long, what ends it.
import { describe, expect, test } from '@jest/globals';
import { isReconciledSince, observeRefusal, repeatsGoFirst } from '../../../../src/trader/contact/refusal.ts';
import type { Refusal, TraderState } from '../../../../src/trader/state/state.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { beginTurn } from '../../../../src/trader/state/turn.ts';
import type { Completed } from '../../../../src/venue/outcomes.ts';
import { BTC, deskSettings, ETH } from '../desk-settings.ts';
import { readyDesk, rejected, START } from '../trader-kit.ts';

const NOW = START + 60_000;
type Kind = 'wallet' | 'cancel' | 'open-orders' | 'order-book' | 'crypto-deposits';

const completed = (kind: Kind, outcome: object, at: number): Completed =>
  ({ kind, request: { kind }, outcome, facts: { sentAt: at, receivedAt: at } }) as unknown as Completed;
const MAINTENANCE = { kind: 'throttled', status: 503, code: -1125, refusal: 'maintenance', retryAt: NOW };
const READ = { kind: 'read', read: { rows: [], complete: true, sentAt: NOW, receivedAt: NOW } };

function fresh(refusal: Refusal | null = null): TraderState {
  const state = readyDesk(deskSettings({ symbols: [BTC, ETH] })).state();
  state.reconciliation.from = 0;
  return { ...state, refusal };
}

interface Told {
  readonly at?: number;
  readonly sentAt?: number;
}

function take(state: TraderState, kind: Kind, outcome: object, { at = NOW, sentAt }: Told = {}) {
  const turn = beginTurn(state, at);
  observeRefusal(turn, completed(kind, outcome, sentAt ?? at), false);
  return { refusal: state.refusal, notices: turn.notices.map(({ level, op, message }) => [level, op, message]) };
}

const ofKeys = (changes: Partial<Refusal> = {}): Refusal => ({
  ...{ kind: 'keys', message: '-2015 No.', about: 'key', inARow: 1, lastAt: NOW, until: NOW + 1_000 },
  cancelsFrom: NOW + 1_000,
  ...changes,
});

describe('a refused read', () => {
  test('holds reads for a second, and cancels no longer', () => {
    const { refusal, notices } = take(fresh(), 'wallet', rejected(-2015, 403));
    expect(refusal).toEqual(ofKeys());
    expect(notices).toEqual([['warn', 'refused', 'The exchange refuses requests: -2015 No.']]);
  });

  test('about its own content concerns no other request', () => {
    expect(take(fresh(), 'wallet', rejected(-1105)).refusal).toBeNull();
  });
});

describe('the end of a refusal', () => {
  test('is a read that is answered', () => {
    expect(take(fresh(ofKeys()), 'wallet', READ).refusal).toBeNull();
  });

  test.each<[string, Kind, object]>([
    ['a silence', 'wallet', { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'Slow.' } }],
    ['a refusal of one question', 'wallet', rejected(-1105)],
  ])('is not %s', (_what, kind, outcome) => {
    expect(take(fresh(ofKeys()), kind, outcome).refusal).toEqual(ofKeys());
  });
});

describe('maintenance', () => {
  test('is probed after a second, then after two, cancels too; a person is called once', () => {
    const state = fresh();
    const { refusal, notices } = take(state, 'wallet', MAINTENANCE);
    const until = NOW + 1_000;
    expect(refusal).toEqual({
      ...{
        kind: 'maintenance',
        about: 'maintenance',
        message: 'it is in maintenance',
        inARow: 1,
      },
      ...{ lastAt: NOW, until, cancelsFrom: until },
    });
    expect(notices).toEqual([['page', 'maintenance', 'The exchange refuses requests: it is in maintenance.']]);
    const again = take(
      state,
      'cancel',
      { kind: 'unknown', fault: { code: -1125, refusal: 'maintenance' } },
      { at: until },
    );
    expect(again.refusal).toMatchObject({ inARow: 2, lastAt: until, until: until + 2_000 });
    expect(again.notices).toEqual([]);
  });

  test('does not begin again by answers to requests from before it was known', () => {
    const state = fresh();
    const { refusal } = take(state, 'wallet', MAINTENANCE);
    expect(take(state, 'open-orders', MAINTENANCE, { at: NOW + 200, sentAt: NOW - 1 }).refusal).toEqual(refusal);
  });

  test.each<[string, Kind, object]>([
    ['an answer', 'wallet', READ],
    ['a refusal of one question', 'cancel', rejected(-1124)],
  ])('is over with %s, and everything is read anew', (_what, kind, outcome) => {
    const state = fresh();
    take(state, 'wallet', MAINTENANCE);
    const { refusal, notices } = take(state, kind, outcome, { at: NOW + 30_000 });
    expect(refusal).toBeNull();
    expect(state.reconciliation.from).toBe(NOW + 30_000);
    expect(notices).toEqual([['warn', 'exchange-answers', 'The exchange answers again: everything is read first.']]);
    const lists = [...state.markets.values()].flatMap(({ openOrders, trades }) => [openOrders, trades]);
    for (const surface of [...lists, state.wallet])
      expect(Math.max(surface.neededAfter ?? 0, surface.neededLater ?? 0)).toBe(NOW + 30_000);
  });

  test('is over with a refusal of keys or clock as well, the first in a row: all is read anew after both', () => {
    const state = fresh();
    for (const at of [NOW, NOW + 30_000]) take(state, 'wallet', MAINTENANCE, { at });
    const { refusal, notices } = take(state, 'wallet', rejected(-2015, 403), { at: NOW + 60_000 });
    expect(refusal).toMatchObject({ kind: 'keys', inARow: 1 });
    expect(notices.map(([, op]) => op)).toEqual(['exchange-answers', 'refused']);
    take(state, 'wallet', READ, { at: NOW + 61_000 });
    expect(state).toMatchObject({ refusal: null, reconciliation: { from: NOW + 60_000 } });
    expect(isReconciledSince(state, state.reconciliation.from)).toBe(false);
  });

  test('begins anew after refused keys', () => {
    expect(take(fresh(ofKeys({ inARow: 7 })), 'wallet', MAINTENANCE).refusal).toMatchObject({ inARow: 1 });
  });
});

describe('readiness after maintenance', () => {
  const moment = NOW + 1_000;
  function read(late: 'orders' | 'trades' | 'wallet' | 'unread' | null): TraderState {
    const state = fresh();
    const lists = [...state.markets.values()].flatMap(({ openOrders, trades }) => [openOrders, trades]);
    for (const list of lists) Object.assign(list, { sentAt: moment });
    state.reconciliation.equalIn.clear();
    state.reconciliation.equalIn.set('BTC', late === 'wallet' ? moment - 1 : moment);
    if (late === 'orders') Object.assign(state.markets.get(ETH)?.openOrders ?? {}, { sentAt: moment - 1 });
    if (late === 'trades') Object.assign(state.markets.get(BTC)?.trades ?? {}, { sentAt: moment - 1 });
    if (late === 'unread') Object.assign(state.markets.get(BTC)?.trades ?? {}, { sentAt: null });
    return state;
  }

  test('takes every list of every symbol, and the wallet, all sent since', () => {
    expect(isReconciledSince(read(null), moment)).toBe(true);
    for (const late of ['orders', 'trades', 'wallet', 'unread'] as const)
      expect([late, isReconciledSince(read(late), moment)]).toEqual([late, false]);
  });

  test('does not wait for a market that the exchange does not list', () => {
    const state = read('orders');
    marketOf(state, ETH).unavailable = 'Delisted.';
    expect(isReconciledSince(state, moment)).toBe(true);
  });
});

describe('whether a cancel goes before reads', () => {
  const state = (changes: Partial<Refusal>): TraderState => fresh(ofKeys(changes));

  test('if only cancels may leave, or it was refused like everything else', () => {
    expect(repeatsGoFirst(state({ until: NOW + 1 }), NOW + 9, NOW)).toBe(true);
    expect(repeatsGoFirst(state({ until: NOW, lastAt: NOW - 5 }), NOW - 5, NOW)).toBe(true);
    expect(repeatsGoFirst(state({ until: NOW, lastAt: NOW - 5 }), NOW - 4, NOW)).toBe(false);
    expect(repeatsGoFirst(fresh(), 0, NOW)).toBe(false);
  });
});
