// An order that is gone from a list: which reads say how much of it filled, each a millisecond too early and missing.
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal, ZERO } from '../../../../src/domain/decimal.ts';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import { beginClosing, closeFilled, settleClosing } from '../../../../src/trader/orders/closing.ts';
import { liveOrderOf, liveOrderToChange } from '../../../../src/trader/state/live-order.ts';
import { marketOf, type TraderState } from '../../../../src/trader/state/state.ts';
import { beginTurn } from '../../../../src/trader/state/turn.ts';
import { ASSUMPTIONS, BTC, LAG_MS } from '../desk-settings.ts';
import { inSlot, quotingDesk } from '../trader-kit.ts';

/** Lists must lack an order for so long whose funds may be locked. */
const DOUBT_MS = ASSUMPTIONS.resolutionDeadlineMs;

interface Gone {
  readonly state: TraderState;
  readonly intent: Intent;
  /** From then on reads can say it: it was gone a lag before. */
  readonly countable: number;
}

/** A bid that a list lacked; `canceledAt`: when its cancel was answered. */
function gone(canceledAt: number | null = null, acknowledged = true): Gone {
  const desk = quotingDesk();
  const state = desk.state();
  const open = inSlot(desk, 'buy:0');
  const since = desk.now();
  const intent: Intent = { ...open, state: 'closing', since };
  state.durable.orders.intents.set(open.intentId, intent);
  liveOrderToChange(state, open.intentId).listedAt = null;
  if (canceledAt !== null)
    liveOrderToChange(state, open.intentId).cancel = {
      sentAt: since,
      answeredAt: since + canceledAt,
      acknowledged,
      attempts: 1,
    };
  return { state, intent, countable: since + LAG_MS };
}

interface Witnesses {
  readonly orders: number | null;
  readonly trades: number | null;
  readonly equal: number | null;
  readonly unlocked: number | null;
  readonly morePages: boolean;
}

function show({ state, intent, countable }: Gone, changes: Partial<Witnesses> = {}): void {
  const all: Witnesses = {
    ...{ orders: countable, trades: countable, equal: countable, unlocked: countable, morePages: false },
    ...changes,
  };
  Object.assign(marketOf(state, BTC).openOrders, { sentAt: all.orders });
  Object.assign(marketOf(state, BTC).trades, { sentAt: all.trades, morePages: all.morePages });
  state.reconciliation.equalSentAt = all.equal;
  const full = new Map([['INR', decimal(intent.reserve.amount)]]);
  state.wallet.lockedLately =
    all.unlocked === null
      ? [{ locked: full, sentAt: countable }]
      : [{ locked: new Map([['INR', ZERO]]), sentAt: all.unlocked }];
}

function settle({ state, intent, countable }: Gone, at = countable + 100): string | null {
  const turn = beginTurn(state, at);
  settleClosing(turn, BTC);
  const closed = turn.events.find(({ type }) => type === 'closed');
  return closed === undefined ? null : `${state.durable.orders.closed.get(intent.intentId)?.closedAs}`;
}

describe('an order that is gone is closed', () => {
  test('by a list, trades and an equal wallet that locks nothing, all a lag after it was missed', () => {
    const all = gone();
    show(all);
    expect(settle(all)).toBe('canceled');
    expect(liveOrderOf(all.state, all.intent.intentId).listedAt !== null).toBe(false);
  });

  test.each<[keyof Witnesses]>([['orders'], ['trades'], ['equal'], ['unlocked']])(
    'not where %s left a millisecond too early, or is missing',
    (witness) => {
      const late = gone();
      show(late, { [witness]: late.countable - 1 });
      expect(settle(late)).toBeNull();
      const none = gone();
      show(none, { [witness]: null });
      expect(settle(none)).toBeNull();
    },
  );

  test('not while the trades have more pages', () => {
    const more = gone();
    show(more, { morePages: true });
    expect(settle(more)).toBeNull();
  });

  test('a lag after it was listed last, where that was later', () => {
    const listed = gone();
    liveOrderToChange(listed.state, listed.intent.intentId).listedAt = listed.intent.since + 1;
    show(listed);
    expect(settle(listed)).toBeNull();
    show({ ...listed, countable: listed.countable + 1 });
    expect(settle(listed)).toBe('canceled');
  });

  test.each(['open', 'cancel-sent', 'unknown'] as const)('not while it is %s', (state) => {
    const other = gone();
    other.state.durable.orders.intents.set(other.intent.intentId, { ...other.intent, state });
    show(other);
    expect(settle(other)).toBeNull();
  });
});

describe('an acknowledged cancel', () => {
  const EFFECT_MS = ASSUMPTIONS.venueInternalLagMs;

  test('has its time to reach the book before the lag begins', () => {
    const canceled = gone(300);
    show(canceled);
    expect(settle(canceled)).toBeNull();
    const countable = canceled.intent.since + 300 + EFFECT_MS + LAG_MS;
    show({ ...canceled, countable: countable - 1 });
    expect(settle(canceled, countable + 100)).toBeNull();
    show({ ...canceled, countable });
    expect(settle(canceled, countable + 100)).toBe('canceled');
  });

  test('explains why it is gone: locked funds are no doubt', () => {
    const canceled = gone(-EFFECT_MS);
    show(canceled, { unlocked: null });
    expect(settle(canceled)).toBe('canceled');
  });

  test('that was not acknowledged explains nothing and delays nothing', () => {
    const refused = gone(300, false);
    show(refused, { unlocked: null });
    expect(settle(refused)).toBeNull();
    show(refused);
    expect(settle(refused)).toBe('canceled');
  });
});

describe('an order whose funds may still be locked', () => {
  test('must be lacked for half a minute, and is counted a lag after that', () => {
    const doubted = gone();
    // Counted from the first list that lacked it.
    const long = doubted.countable - LAG_MS + DOUBT_MS;
    const later = { unlocked: null, trades: long + LAG_MS, equal: long + LAG_MS };
    show(doubted, { ...later, orders: long - 1 });
    expect(settle(doubted, long + LAG_MS)).toBeNull();
    show(doubted, { ...later, orders: long, trades: long + LAG_MS - 1 });
    expect(settle(doubted, long + LAG_MS)).toBeNull();
    show(doubted, { ...later, orders: long, equal: long + LAG_MS - 1 });
    expect(settle(doubted, long + LAG_MS)).toBeNull();
    show(doubted, { ...later, orders: long });
    expect(settle(doubted, long + LAG_MS)).toBe('canceled');
    expect(liveOrderOf(doubted.state, doubted.intent.intentId).lackedAt).toBeNull();
  });

  test('is counted from the first such list on, not from each later one', () => {
    const doubted = gone();
    const long = doubted.countable - LAG_MS + DOUBT_MS;
    show(doubted, { unlocked: null, orders: long, trades: long, equal: long });
    expect(settle(doubted, long + 10)).toBeNull();
    expect(liveOrderOf(doubted.state, doubted.intent.intentId).lackedAt).toBe(long);
    show(doubted, { unlocked: null, orders: long + 60_000, trades: long + LAG_MS, equal: long + LAG_MS });
    expect(settle(doubted, long + 60_100)).toBe('canceled');
  });
});

describe('what is completely filled', () => {
  const close = (changes: Partial<Intent>) => {
    const { state, intent } = gone();
    state.durable.orders.intents.set(intent.intentId, { ...intent, state: 'open', ...changes });
    const turn = beginTurn(state, 1);
    closeFilled(turn, BTC);
    return state.durable.orders.closed.get(intent.intentId)?.closedAs ?? null;
  };
  const { quantity } = gone().intent;

  test('is closed as filled at once; what lacks the least part is not', () => {
    expect(close({ filled: quantity })).toBe('filled');
    expect(close({ filled: quantity.sub(new Decimal('0.00000001')) })).toBeNull();
  });

  test('is not closed without a name', () => {
    expect(close({ filled: quantity, orderId: null })).toBeNull();
  });
});

test('where closing begins, every read that can end it is asked for at the moment from which it counts', () => {
  const { state, intent } = gone(300);
  const { openOrders, trades } = marketOf(state, BTC);
  const surfaces = [openOrders, trades, state.wallet];
  for (const surface of surfaces) Object.assign(surface, { neededAfter: null, neededLater: null });
  beginClosing(beginTurn(state, intent.since), { ...intent, state: 'open' }, intent.since);
  const countable = intent.since + 300 + ASSUMPTIONS.venueInternalLagMs + LAG_MS;
  expect(surfaces.map(({ neededAfter }) => neededAfter)).toEqual([countable, countable, countable]);
});
