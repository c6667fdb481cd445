// The table of proofs: what each conclusion needs, each need alone a millisecond too early, and what becomes of a
// create when no proof comes.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../../src/domain/decimal.ts';
import { orderId } from '../../../../src/domain/ids.ts';
import type { Intent } from '../../../../src/trader/durable/intent.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import { closeFilled } from '../../../../src/trader/orders/close.ts';
import { PROOFS } from '../../../../src/trader/orders/proofs.ts';
import { isUndecidable, settleOrders } from '../../../../src/trader/orders/settle.ts';
import { seenToChange } from '../../../../src/trader/state/seen.ts';
import { marketOf, type TraderState } from '../../../../src/trader/state/state.ts';
import { beginTurn } from '../../../../src/trader/state/turn.ts';
import { ASSUMPTIONS, BTC, deskSettings, LAG_MS } from '../desk-settings.ts';
import { haltsIn } from '../durable-kit.ts';
import { lostBid } from '../lost-bid.ts';
import { inSlot, quotingDesk, readyDesk, rowOf, softRejected, unknown } from '../trader-kit.ts';

const DEADLINE_MS = ASSUMPTIONS.resolutionDeadlineMs;
const EFFECT_MS = ASSUMPTIONS.venueInternalLagMs;

test('ARCHITECTURE shows the table', () => {
  const page = readFileSync(new URL('../../../../docs/ARCHITECTURE.md', import.meta.url), 'utf8');
  for (const [fate, needs] of Object.entries(PROOFS)) expect(page).toContain(`| \`${fate}\` | ${needs.join(', ')} |`);
});

interface Case {
  readonly state: TraderState;
  readonly intent: Intent;
  /** Reads that prove its fate, none a millisecond too late. */
  readonly proof: Reads;
}

/** When reads left that show nothing of the order. */
interface Reads {
  readonly lists: readonly number[];
  readonly trades: number | null;
  readonly wallet: number | null;
}

/** A bid whose answer was lost, or that was refused softly. */
function lost(
  outcome: typeof unknown | typeof softRejected = unknown,
  foreignOrders: 'ignore' | 'refuse' = 'ignore',
): Case {
  const { desk } = lostBid(outcome, readyDesk(deskSettings({ foreignOrders })));
  const state = desk.state();
  const [intent] = desk.intents();
  if (intent === undefined) throw new Error('No intent.');
  const first = intent.horizon + LAG_MS;
  const counted = first + LAG_MS;
  return { state, intent, proof: { lists: [first, counted], trades: counted, wallet: counted } };
}

/** On an account that is the bot's alone, with all orders of the symbol canceled after the horizon. */
function fenced(leftAfterMs = 0, answeredAfterMs = 3_000): Case {
  const alone = lost(unknown, 'refuse');
  const { horizon, intentId } = alone.intent;
  const fence = { sentAt: horizon + leftAfterMs, answeredAt: horizon + answeredAfterMs };
  seenToChange(alone.state.orders, intentId).fence = fence;
  const from = fence.answeredAt + LAG_MS;
  return { ...alone, proof: { lists: [from, from + 1], trades: from, wallet: from } };
}

function refusedForRate(): Case {
  const refused = lost(softRejected);
  const { horizon, intentId } = refused.intent;
  seenToChange(refused.state.orders, intentId).forRate = true;
  return { ...refused, proof: { lists: [horizon], trades: horizon, wallet: null } };
}

/** A bid that was listed last a moment before; `canceledAt`: when its cancel was answered, after that. */
function gone(canceledAt: number | null = null, acknowledged = true): Case {
  const desk = quotingDesk();
  const state = desk.state();
  const open = inSlot(desk, 'buy:0');
  const since = desk.now();
  const intent: Intent = { ...open, state: 'closing', since };
  state.durable.orders.intents.set(open.intentId, intent);
  const order = seenToChange(state.orders, open.intentId);
  const cancel = { sentAt: since, answeredAt: since + (canceledAt ?? 0), acknowledged, attempts: 1 };
  Object.assign(order, { listedAt: since - 1, cancel: canceledAt === null ? null : cancel });
  if (canceledAt === null || !acknowledged) {
    const counted = since + LAG_MS;
    return { state, intent, proof: { lists: [since, counted], trades: counted, wallet: counted } };
  }
  const from = since + canceledAt + EFFECT_MS + LAG_MS;
  return { state, intent, proof: { lists: [from], trades: from, wallet: from } };
}

/** Takes lists, trades and wallet in, and says how the intent ended, and what was halted. */
function read({ state, intent }: Case, { lists, trades, wallet }: Reads, at?: number): string {
  const { openOrders, trades: own } = marketOf(state, BTC);
  Object.assign(own, { sentAt: null });
  state.reconciliation.equalSentAt = null;
  const settle = (now: number): void => {
    Object.assign(state, { contact: { ...state.contact, private: { ...state.contact.private, readAt: now } } });
    settleOrders(beginTurn(state, now), marketOf(state, BTC));
  };
  Object.assign(openOrders, { beforeSentAt: null, sentAt: null });
  for (const sentAt of lists) {
    Object.assign(openOrders, { beforeSentAt: openOrders.sentAt, sentAt });
    settle(sentAt);
  }
  Object.assign(own, { sentAt: trades });
  state.reconciliation.equalSentAt = wallet;
  settle(at ?? Math.max(...lists, trades ?? 0, wallet ?? 0) + 1);
  const { closed } = state.durable.orders;
  return closed.get(intent.intentId)?.closedAs ?? haltsIn(state.durable).get(BTC) ?? 'open';
}

const CASES: [string, () => Case, string][] = [
  ['a create without an answer', () => lost(), 'not-placed'],
  ['a create that was softly refused', () => lost(softRejected), 'not-placed'],
  ['one behind a cancel of the whole symbol', () => fenced(), 'not-placed'],
  ['one that was refused for the rate', () => refusedForRate(), 'not-placed'],
  ['an order that nobody canceled', () => gone(), 'canceled'],
  ['one whose cancel was acknowledged', () => gone(300), 'canceled'],
  ['one whose cancel was refused', () => gone(300, false), 'canceled'],
];

describe.each(CASES)('%s', (_, begin, end) => {
  test('is closed by the reads of its proof', () => {
    const all = begin();
    expect(read(all, all.proof)).toBe(end);
    expect(all.state.orders.seen.has(all.intent.intentId)).toBe(false);
  });

  test('stays if one of them left a millisecond too early, or is missing', () => {
    const { lists, trades, wallet } = begin().proof;
    const early = (at: number | null): number | null => at && at - 1;
    const lacking: Partial<Reads>[] = [
      ...lists.map((each, index) => ({ lists: lists.map((at, i) => (i === index ? each - 1 : at)) })),
      ...(trades === null ? [] : [{ trades: early(trades) }, { trades: null }]),
      ...(wallet === null ? [] : [{ wallet: early(wallet) }, { wallet: null }]),
      { lists: lists.slice(1) },
    ];
    for (const change of lacking) {
      const one = begin();
      const reads = { ...one.proof, ...change };
      expect([change, read(one, reads)]).toEqual([change, 'open']);
    }
  });

  test('stays while own trades have more pages', () => {
    const more = begin();
    marketOf(more.state, BTC).trades.morePages = true;
    expect(read(more, more.proof)).toBe('open');
  });
});

test('the missing reads of a proof are requested at the times from which they count', () => {
  for (const [, begin] of CASES) {
    const one = begin();
    const { openOrders } = marketOf(one.state, BTC);
    const lists = [1, ...one.proof.lists.slice(0, -1)];
    expect(read(one, { lists, trades: null, wallet: null })).toBe('open');
    const wanted = [openOrders.neededAfter, openOrders.neededLater].filter((at) => at !== null);
    expect(wanted).toContain(one.proof.lists.at(-1));
  }
});

describe('lists that lack an order', () => {
  test('count anew after one that shows it', () => {
    const listed = gone();
    const { since, intentId } = listed.intent;
    seenToChange(listed.state.orders, intentId).listedAt = since + 1;
    expect(read(listed, listed.proof)).toBe('open');
    const counted = since + LAG_MS + LAG_MS;
    expect(read(listed, { lists: [counted], trades: counted, wallet: counted })).toBe('canceled');
  });

  test('count from when the create was given up, if that was later', () => {
    const late = lost();
    const since = (late.proof.lists[0] ?? 0) + 7_000;
    late.state.durable.orders.intents.set(late.intent.intentId, { ...late.intent, since });
    expect(read(late, late.proof)).toBe('open');
    const counted = since + LAG_MS;
    expect(read(late, { lists: [since, counted], trades: counted, wallet: counted })).toBe('not-placed');
  });

  test("from before a gap without reads don't count", () => {
    for (const begin of [() => gone(), () => lost()]) {
      const silent = begin();
      const { lists } = silent.proof;
      const again = lists.at(-1) ?? 0;
      marketOf(silent.state, BTC).openOrders.readSince = again;
      expect(read(silent, silent.proof)).toBe('open');
      const counted = again + LAG_MS;
      const later = { lists: [...lists.slice(0, -1), again, counted], trades: counted, wallet: counted };
      expect(read(silent, later)).not.toBe('open');
    }
  });

  test('that prove it gone stay the proof over a gap: reads count from the second one on', () => {
    const silent = gone();
    const [first = 0, again = 0] = silent.proof.lists;
    expect(read(silent, { lists: [first, again], trades: 0, wallet: 0 })).toBe('open');
    const later = again + 60_000;
    marketOf(silent.state, BTC).openOrders.readSince = later;
    expect(read(silent, { lists: [later], trades: 0, wallet: 0 })).toBe('open');
    const { lacked } = seenToChange(silent.state.orders, silent.intent.intentId);
    expect(lacked).toEqual({ firstAt: first, againAt: again });
  });

  test('are a bound apart if the order got its id after a fence: a list has shown it since', () => {
    const adopted = gone();
    const { since, intentId } = adopted.intent;
    seenToChange(adopted.state.orders, intentId).fence = { sentAt: since - 300, answeredAt: since - 200 };
    const [first = 0] = adopted.proof.lists;
    expect(read(adopted, { lists: [first], trades: first, wallet: first })).toBe('open');
    expect(read(adopted, adopted.proof)).toBe('canceled');
  });

  test('without a fence that left after the horizon are a bound apart', () => {
    expect(read(lost(unknown, 'refuse'), fenced().proof)).toBe('open');
    const alone = lost(unknown, 'refuse');
    expect(read(alone, alone.proof)).toBe('not-placed');
  });
});

describe('an order that may be its own', () => {
  /** An order that nobody is known to own, listed last then; a person was asked whether it is the intent's. */
  function listUnmatched({ state, intent }: Case, lastSentAt: number, isAsked = true): void {
    const [id, row] = [orderId('1-9-1'), rowOf(intent, '1-9-1', lastSentAt)];
    const seen = { row, firstReceivedAt: lastSentAt, lastSentAt, waits: false };
    marketOf(state, BTC).openOrders.unmatched.set(id, seen);
    if (isAsked) state.durable.orders.questioned.set(id, { symbol: BTC, as: 'twin', order: null });
  }

  test('keeps absence from being proved as long as it is listed; then two lists count anew', () => {
    const shown = lost();
    listUnmatched(shown, (shown.proof.lists[0] ?? 0) + 50);
    expect(read(shown, shown.proof)).toBe('open');
    marketOf(shown.state, BTC).openOrders.unmatched.clear();
    const { lists, trades } = shown.proof;
    expect(read(shown, { ...shown.proof, lists: lists.slice(1) })).toBe('open');
    const later = (trades ?? 0) + LAG_MS;
    expect(read(shown, { lists: [...lists, (lists[1] ?? 0) + LAG_MS], trades: later, wallet: later })).toBe(
      'not-placed',
    );
  });

  test('does not keep it if it is known to be somebody else’s', () => {
    const other = lost();
    listUnmatched(other, (other.proof.lists[0] ?? 0) + 50, false);
    expect(read(other, other.proof)).toBe('not-placed');
  });

  test('leaves it to a person once there are two lists that could have shown more', () => {
    const decidable = (before: number, shownAt: number | null): boolean => {
      const asked = lost();
      const from = asked.intent.horizon + LAG_MS;
      Object.assign(marketOf(asked.state, BTC).openOrders, { beforeSentAt: from + before, sentAt: from + 100 });
      if (shownAt !== null) listUnmatched(asked, from + shownAt);
      return !isUndecidable(asked.state, marketOf(asked.state, BTC), asked.intent);
    };
    expect(decidable(0, 1)).toBe(false);
    expect(decidable(-1, 1)).toBe(true);
    expect(decidable(0, null)).toBe(true);
  });
});

test('an unexplained difference that may be its fill keeps it open', () => {
  const differs = (since: number, assets: readonly string[]): string => {
    const one = lost();
    const { differences } = one.state.durable;
    differences.unexplainedSince = one.intent.sentAt + since;
    const moves: Readonly<Record<string, string>> = { BTC: '1.001', INR: '0' };
    for (const asset of assets)
      differences.byAsset.set(asset, { expected: '1', actual: moves[asset] ?? '1', since: 0 });
    return read(one, one.proof);
  };
  expect(differs(1, ['BTC', 'INR'])).toBe('open');
  expect(differs(0, ['BTC', 'INR'])).toBe('not-placed');
  // A fill moves the quote as well.
  expect(differs(1, ['BTC'])).toBe('not-placed');
});

describe('without a proof', () => {
  const halt = ({ intent }: Case): string =>
    `What became of intent ${intent.intentId} (buy ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}) ` +
    'could not be proved.';
  const unproved = (at: number, one: Case): string => read(one, { ...one.proof, wallet: null }, at);
  const lastsMs = DEADLINE_MS + LAG_MS;

  test('the symbol is halted after the deadline, once the requests of a proof have left as well', () => {
    const never = lost();
    const from = never.intent.horizon + LAG_MS;
    expect(unproved(from + lastsMs + 1, never)).toBe('open');
    never.state.requests.privateTurns += 1_000;
    expect(unproved(from + lastsMs, never)).toBe('open');
    expect(unproved(from + lastsMs + 1, never)).toBe(halt(never));
    expect(marketIn(never.state.durable, BTC).halt?.code).toBe('order-unknown');
  });

  test('the deadline begins at the first answered read', () => {
    const silent = lost();
    const readSince = silent.intent.horizon + 60_000;
    const { contact } = silent.state;
    Object.assign(silent.state, { contact: { ...contact, private: { ...contact.private, readSince } } });
    expect(unproved(readSince + 1, silent)).toBe('open');
    silent.state.requests.privateTurns += 1_000;
    expect(unproved(readSince + lastsMs, silent)).toBe('open');
    expect(unproved(readSince + lastsMs + 1, silent)).toBe(halt(silent));
  });
});

describe('an order that has all of its fills', () => {
  const close = (changes: Partial<Intent>) => {
    const { state, intent } = gone();
    state.durable.orders.intents.set(intent.intentId, { ...intent, state: 'open', ...changes });
    closeFilled(beginTurn(state, 1), marketOf(state, BTC));
    return state.durable.orders.closed.get(intent.intentId)?.closedAs ?? null;
  };
  const { quantity } = gone().intent;

  test('is closed as filled at once; an order that lacks the smallest part is not, nor is one without an id', () => {
    expect(close({ filled: quantity })).toBe('filled');
    expect(close({ filled: quantity.sub(new Decimal('0.00000001')) })).toBeNull();
    expect(close({ filled: quantity, orderId: null })).toBeNull();
  });
});
