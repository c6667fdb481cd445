// A create whose answer was lost, and the reads of an exchange that shows nothing of it: what proves that it was never
// placed, each witness alone one millisecond too early, and what becomes of it when no proof comes.
import { describe, expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../../src/domain/decimal.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { isUndecidable, settleAbsent } from '../../../../src/trader/orders/absent.ts';
import { liveOrderOf, noteAbsence } from '../../../../src/trader/state/live-order.ts';
import { marketOf, type TraderState } from '../../../../src/trader/state/state.ts';
import { beginTurn } from '../../../../src/trader/state/turn.ts';
import { BTC, deskSettings, LAG_MS } from '../desk-settings.ts';
import { haltsIn } from '../durable-kit.ts';
import { lostBid } from '../lost-bid.ts';
import { readyDesk, rowOf, softRejected, unknown } from '../trader-kit.ts';

/** The desk's `resolutionDeadlineMs`; lists must lack an order for as long whose funds may be locked. */
const DEADLINE_MS = 30_000;

/** When each witness left. */
interface Witnesses {
  readonly before: number | null;
  readonly orders: number | null;
  readonly trades: number | null;
  readonly equal: number | null;
  /** A wallet that locks nothing; null where every wallet locks enough for the order. */
  readonly unlocked: number | null;
}

interface Lost {
  readonly state: TraderState;
  readonly intent: Intent;
  /** From then on reads can prove it: horizon and lag have passed. */
  readonly provable: number;
}

function lost(
  outcome: typeof unknown | typeof softRejected = unknown,
  foreignOrders: 'ignore' | 'refuse' = 'ignore',
): Lost {
  const { desk } = lostBid(outcome, readyDesk(deskSettings({ foreignOrders })));
  const state = desk.state();
  const [intent] = desk.intents();
  if (intent === undefined) throw new Error('No intent.');
  return { state, intent, provable: intent.horizon + LAG_MS };
}

function show({ state, intent, provable }: Lost, changes: Partial<Witnesses> = {}): void {
  const all = { before: provable, orders: provable, trades: provable, equal: provable, unlocked: provable, ...changes };
  Object.assign(marketOf(state, BTC).openOrders, { beforeSentAt: all.before, sentAt: all.orders });
  Object.assign(marketOf(state, BTC).trades, { sentAt: all.trades });
  state.reconciliation.equalSentAt = all.equal;
  const full = new Map([['INR', decimal(intent.reserve.amount)]]);
  state.wallet.lockedLately =
    all.unlocked === null
      ? [{ locked: full, sentAt: provable }]
      : [{ locked: new Map([['INR', ZERO]]), sentAt: all.unlocked }];
}

/** Wallet and ledger differ in these, since then. */
function differs({ state: { durable } }: Lost, since: number, assets: readonly string[]): void {
  durable.differences.unexplainedSince = since;
  const moves: Readonly<Record<string, string>> = { BTC: '1.001', INR: '0' };
  for (const asset of assets) durable.differences.byAsset.set(asset, { expected: '1', actual: moves[asset] ?? '1' });
}

/** Settles at this moment, while reads are answered, and says how the intent ended and what was halted. */
function settle({ state, intent }: Lost, now: number): { as: string | null; halt: string | null } {
  Object.assign(state, { contact: { ...state.contact, private: { ...state.contact.private, readAt: now } } });
  const turn = beginTurn(state, now);
  settleAbsent(turn, BTC);
  const closed = turn.events.find(
    ({ type, payload }) => type === 'closed' && 'as' in payload && payload.intentId === intent.intentId,
  );
  const as = closed !== undefined && 'as' in closed.payload ? String(closed.payload.as) : null;
  return { as, halt: haltsIn(state.durable).get(BTC) ?? null };
}

const OPEN = { as: null, halt: null };
const ABSENT = { as: 'not-placed', halt: null };

describe('a create without an answer is proved absent', () => {
  test('by two lists, trades, and an equal wallet that locks nothing, all sent when horizon and lag had passed', () => {
    const all = lost();
    show(all);
    expect(settle(all, all.provable + 100)).toEqual(ABSENT);
  });

  test.each<[keyof Witnesses]>([['before'], ['trades'], ['equal'], ['unlocked']])(
    'not where %s left a millisecond too early',
    (witness) => {
      const late = lost();
      show(late, { [witness]: late.provable - 1 });
      expect(settle(late, late.provable + 100)).toEqual(OPEN);
    },
  );

  test.each<[keyof Witnesses]>([['before'], ['orders'], ['trades'], ['equal'], ['unlocked']])(
    'not where %s is missing',
    (witness) => {
      const none = lost();
      show(none, { [witness]: null });
      expect(settle(none, none.provable + 100)).toEqual(OPEN);
    },
  );

  test('not before that moment itself has come', () => {
    const early = lost();
    show(early);
    expect(settle(early, early.provable - 1)).toEqual(OPEN);
    expect(settle(early, early.provable)).toEqual(ABSENT);
  });

  test('not by reads of before it was given up on, where that was later', () => {
    const { state, intent, provable } = lost();
    const since = provable + 7_000;
    state.durable.orders.intents.set(intent.intentId, { ...intent, since });
    const late: Lost = { state, intent, provable };
    show(late);
    expect(settle(late, since + 100)).toEqual(OPEN);
    show({ ...late, provable: since });
    expect(settle(late, since + 100)).toEqual(ABSENT);
  });

  test('not while something is unexplained that may be its fill', () => {
    const before = lost();
    show(before);
    differs(before, before.intent.sentAt + 1, ['BTC', 'INR']);
    expect(settle(before, before.provable + 100)).toEqual(OPEN);
    const after = lost();
    show(after);
    differs(after, after.intent.sentAt, ['BTC', 'INR']);
    expect(settle(after, after.provable + 100)).toEqual(ABSENT);
    const other = lost();
    show(other);
    // A fill moves the quote as well.
    differs(other, other.intent.sentAt + 1, ['BTC']);
    expect(settle(other, other.provable + 100)).toEqual(ABSENT);
  });

  test('is said, and how long it took is remembered', () => {
    const all = lost();
    show(all);
    Object.assign(all.state, {
      contact: { ...all.state.contact, private: { ...all.state.contact.private, readAt: all.provable } },
    });
    const turn = beginTurn(all.state, all.provable);
    settleAbsent(turn, BTC);
    const message = `Intent ${all.intent.intentId} was never placed: proved by orders, trades and wallet.`;
    expect(turn.notices).toContainEqual(expect.objectContaining({ level: 'info', op: 'not-placed', message }));
    expect(all.state.orders.live.has(all.intent.intentId)).toBe(false);
  });
});

describe('a create that was softly refused', () => {
  test('needs no equal wallet, and everything else', () => {
    const refused = lost(softRejected);
    show(refused, { equal: null });
    expect(settle(refused, refused.provable + 100)).toEqual(ABSENT);
    for (const witness of ['before', 'trades', 'unlocked'] as const) {
      const late = lost(softRejected);
      show(late, { [witness]: late.provable - 1 });
      expect([witness, settle(late, late.provable + 100)]).toEqual([witness, OPEN]);
    }
  });

  test('for the rate is looked for once after its horizon, in one list and the trades', () => {
    const forRate = (changes: Partial<Witnesses>) => {
      const refused = lost(softRejected);
      noteAbsence(refused.state, refused.intent.intentId, { forRate: true });
      const { horizon } = refused.intent;
      show({ ...refused, provable: horizon }, { before: null, equal: null, unlocked: null, ...changes });
      return settle(refused, horizon).as;
    };
    const { horizon } = lost(softRejected).intent;
    expect(forRate({})).toBe('not-placed');
    expect(forRate({ orders: horizon - 1 })).toBeNull();
    expect(forRate({ trades: horizon - 1 })).toBeNull();
    expect(forRate({ orders: null })).toBeNull();
    expect(forRate({ trades: null })).toBeNull();
  });
});

describe('an order that may be its own', () => {
  /** An order that nobody is known to own, and that may be the intent's, listed last then. */
  function listUnmatched({ state, intent }: Lost, lastSentAt: number, mayBeOurs = true): void {
    const id = orderId('1-9-1');
    const row = rowOf(intent, '1-9-1', lastSentAt);
    const seen = { row, firstSentAt: lastSentAt, firstReceivedAt: lastSentAt, lastSentAt, mayBeOurs };
    marketOf(state, BTC).openOrders.unmatched.set(id, seen as never);
  }

  test('keeps absence from being proved as long as it is listed, and needs a list after that', () => {
    const shown = lost();
    show(shown);
    listUnmatched(shown, shown.provable + 50);
    expect(settle(shown, shown.provable + 100)).toEqual(OPEN);
    marketOf(shown.state, BTC).openOrders.unmatched.clear();
    show(shown, { before: shown.provable + 50, orders: shown.provable + 90 });
    expect(settle(shown, shown.provable + 100)).toEqual(OPEN);
    show(shown, { before: shown.provable + 51, orders: shown.provable + 90 });
    expect(settle(shown, shown.provable + 100)).toEqual(ABSENT);
  });

  test('keeps it not where it is known to be somebody else’s', () => {
    const other = lost();
    show(other);
    listUnmatched(other, other.provable + 50, false);
    expect(settle(other, other.provable + 100)).toEqual(ABSENT);
  });

  test('leaves it to a person once every list since the proof could be had shows it', () => {
    const decidable = (before: number, shownAt: number | null): boolean => {
      const asked = lost();
      show(asked, { before: asked.provable + before });
      if (shownAt !== null) listUnmatched(asked, asked.provable + shownAt);
      return !isUndecidable(asked.state, asked.intent);
    };
    expect(decidable(0, 1)).toBe(false);
    expect(decidable(0, 0)).toBe(true);
    expect(decidable(-1, 1)).toBe(true);
    expect(decidable(0, null)).toBe(true);
    const settled = lost();
    show(settled);
    listUnmatched(settled, settled.provable + 1);
    expect(isUndecidable(settled.state, { ...settled.intent, state: 'open' })).toBe(false);
  });
});

describe('an order whose funds a wallet may have locked', () => {
  const lists = (long: Lost, sentAt: number): void =>
    show(long, { unlocked: null, orders: sentAt, trades: sentAt + LAG_MS, equal: sentAt + LAG_MS });

  test('must be lacked for half a minute by lists, and trades and wallet must be a lag later', () => {
    const long = lost();
    lists(long, long.provable + DEADLINE_MS - 1);
    expect(settle(long, long.provable + DEADLINE_MS)).toEqual(OPEN);
    lists(long, long.provable + DEADLINE_MS);
    expect(settle(long, long.provable + DEADLINE_MS + LAG_MS)).toEqual(ABSENT);
    for (const witness of ['trades', 'equal'] as const) {
      const late = lost();
      lists(late, late.provable + DEADLINE_MS);
      if (witness === 'trades') marketOf(late.state, BTC).trades.sentAt = late.provable + DEADLINE_MS + LAG_MS - 1;
      else late.state.reconciliation.equalSentAt = late.provable + DEADLINE_MS + LAG_MS - 1;
      expect([witness, settle(late, late.provable + DEADLINE_MS + LAG_MS)]).toEqual([witness, OPEN]);
    }
  });

  test('is not lacked for long where nobody looked meanwhile', () => {
    const silent = lost();
    lists(silent, silent.provable + DEADLINE_MS);
    const { contact } = silent.state;
    Object.assign(silent.state, {
      contact: { ...contact, private: { ...contact.private, readSince: silent.provable + 1 } },
    });
    expect(settle(silent, silent.provable + DEADLINE_MS + LAG_MS)).toEqual(OPEN);
  });
});

describe('where no proof comes', () => {
  const halt = ({ intent }: Lost): string =>
    `What became of intent ${intent.intentId} (buy ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}) ` +
    'could not be proved.';

  test('the symbol is halted after the deadline, once the requests of a proof have left as well', () => {
    const never = lost();
    show(never, { equal: null });
    expect(settle(never, never.provable + 1)).toEqual(OPEN);
    never.state.requests.privateTurns += 1_000;
    expect(settle(never, never.provable + DEADLINE_MS)).toEqual(OPEN);
    expect(settle(never, never.provable + DEADLINE_MS + 1)).toEqual({ as: null, halt: halt(never) });
    expect(marketIn(never.state.durable, BTC).halt?.code).toBe('create-unproved');
  });

  test('the deadline waits for the requests of a proof', () => {
    const slow = lost();
    show(slow, { equal: null });
    expect(settle(slow, slow.provable + 1)).toEqual(OPEN);
    expect(settle(slow, slow.provable + 10 * DEADLINE_MS)).toEqual(OPEN);
  });

  test('the deadline begins when somebody looks', () => {
    const silent = lost();
    show(silent, { equal: null });
    settle(silent, silent.provable + 1);
    silent.state.requests.privateTurns += 1_000;
    const { contact } = silent.state;
    const readSince = silent.provable + 60_000;
    Object.assign(silent.state, { contact: { ...contact, private: { ...contact.private, readSince } } });
    expect(settle(silent, readSince + DEADLINE_MS)).toEqual(OPEN);
    expect(settle(silent, readSince + DEADLINE_MS + 1).halt).toBe(halt(silent));
  });

  test('the deadline is later by the doubt and the lag where a wallet may lock its funds', () => {
    const doubted = lost();
    show(doubted, { equal: null, unlocked: null });
    settle(doubted, doubted.provable + 1);
    doubted.state.requests.privateTurns += 1_000;
    const until = doubted.provable + 2 * DEADLINE_MS + LAG_MS;
    expect(settle(doubted, until)).toEqual(OPEN);
    expect(settle(doubted, until + 1).halt).toBe(halt(doubted));
  });
});

describe('on an account that is the bot’s alone', () => {
  const fence = ({ state }: Lost, sentAt: number, answeredAt: number): void => {
    const taken = { sentAt, answeredAt };
    marketOf(state, BTC).fence = { ...taken, attempts: 0, inFlight: new Map(), taken };
  };

  test('nothing is proved before a fence that left at the horizon, and a lag after its answer', () => {
    const alone = lost(unknown, 'refuse');
    const { horizon } = alone.intent;
    show(alone);
    expect(settle(alone, alone.provable + 100)).toEqual(OPEN);
    fence(alone, horizon - 1, horizon + 3_000);
    expect(settle(alone, alone.provable + 100)).toEqual(OPEN);
    fence(alone, horizon, horizon + 3_000);
    const provable = horizon + 3_000 + LAG_MS;
    show({ ...alone, provable: provable - 1 });
    expect(settle(alone, provable + 100)).toEqual(OPEN);
    show({ ...alone, provable });
    expect(settle(alone, provable + 100)).toEqual(ABSENT);
  });

  test('the first fence counts, whatever comes of later ones', () => {
    const alone = lost(unknown, 'refuse');
    const { horizon } = alone.intent;
    fence(alone, horizon, horizon + 100);
    show(alone, { equal: null });
    settle(alone, alone.provable + 200);
    fence(alone, horizon + 60_000, horizon + 61_000);
    show({ ...alone, provable: horizon + 100 + LAG_MS });
    expect(settle(alone, alone.provable + 62_000)).toEqual(ABSENT);
  });

  test('a softly refused create waits for none', () => {
    const refused = lost(softRejected, 'refuse');
    show(refused);
    expect(settle(refused, refused.provable + 100)).toEqual(ABSENT);
  });

  test('a fence that is not taken is waited for until the deadline; then reads after that prove it', () => {
    const alone = lost(unknown, 'refuse');
    show(alone);
    // It may be asked for at the horizon, and is waited for as long as for any proof.
    const readSince = alone.state.contact.private.readSince;
    const begun = Math.max(alone.intent.horizon, alone.intent.since, readSince) + LAG_MS;
    expect(settle(alone, begun + DEADLINE_MS)).toEqual(OPEN);
    const unfencedAt = begun + DEADLINE_MS + 1;
    const unfenced = () => liveOrderOf(alone.state, alone.intent.intentId).absence.unfencedAt;
    expect(settle(alone, unfencedAt - 1)).toEqual(OPEN);
    expect(settle(alone, unfencedAt)).toEqual(OPEN);
    expect(unfenced()).toBeNull();
    // The lane had a turn for it meanwhile.
    alone.state.requests.privateTurns += 1_000;
    expect(settle(alone, unfencedAt)).toEqual(OPEN);
    expect(unfenced()).toBe(unfencedAt);
    expect(settle(alone, unfencedAt + 10)).toEqual(OPEN);
    show({ ...alone, provable: unfencedAt });
    expect(settle(alone, unfencedAt + 20)).toEqual(ABSENT);
  });
});
