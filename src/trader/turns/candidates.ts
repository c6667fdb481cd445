// Requests that could leave now, most valuable first: docs/ARCHITECTURE.md, how a request is chosen.
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import { PROBE_EVERY_MS } from '../../venue/refusals.ts';
import { isCut } from '../contact/responsive.ts';
import { decisionOf } from '../decision/decide.ts';
import { activityQuestion } from '../money/account-activity-scan.ts';
import { lateTradeWindow, tradesFilter } from '../money/known-trades.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Market } from '../state/market.ts';
import type { ActivityScan } from '../state/reconciliation.ts';
import { ACTIVITY_KEY, type Requests } from '../state/session.ts';
import { stretch, type TraderState, type With } from '../state/state.ts';
import { ageOf, dueAt, isNeeded, retryAt, type Surface } from '../state/surfaces.ts';
import { backfillQuestion } from '../trades/backfill.ts';
import { type Candidate, isFree, pickCancel, pickCreate } from './pick.ts';

/** The best candidate now, or when to ask again. */
export type Choice =
  | { readonly kind: 'send'; readonly candidate: Candidate }
  | { readonly kind: 'wait'; readonly until: EpochMs };

const send = (candidate: Candidate): Choice => ({ kind: 'send', candidate });

const wait = (until: EpochMs): Choice => ({ kind: 'wait', until });

const LONGEST_WAIT_MS = 1_000;

/** Books and public trades, the longest overdue first. */
export function pickPublic(state: TraderState, now: EpochMs): Choice {
  if (state.phase === 'stopped') return wait(Number.POSITIVE_INFINITY);
  // In maintenance a book is as useless as anything else: one request tells as much as a hundred.
  const resting = state.refusal?.kind === 'maintenance' ? state.refusal.until - state.refusal.lastAt : 0;
  const by = stretch(state, 'public');
  const longest = longestRetry(state, 'public', now);
  const dueOf = (surface: Surface, intervalMs: DurationMs): EpochMs =>
    dueAt(surface, Math.max(resting, intervalMs * by), longest);
  const { bookMs, publicTradesMs } = state.settings.polling;
  const due: Due[] = [];
  for (const [symbol, { book, knowledge }] of state.markets) {
    due.push({ candidate: { kind: 'order-book', symbol }, at: dueOf(book, bookMs) });
    if (knowledge.needs.trades !== true) continue;
    due.push({ candidate: { kind: 'public-trades', symbol }, at: dueOf(knowledge.tradesRead, publicTradesMs) });
  }
  for (const [symbol, book] of state.otherBooks)
    due.push({ candidate: { kind: 'order-book', symbol }, at: dueOf(book, bookMs) });
  const { readsFrom } = state.contact.public;
  return now < readsFrom ? wait(Math.min(readsFrom, now + LONGEST_WAIT_MS)) : earliest(state.requests, due, now);
}

/** How long a repeatedly failing surface rests: less if the failure is not its own. */
const longestRetry = (state: TraderState, lane: 'public' | 'private', now: EpochMs): DurationMs | undefined =>
  isCut(state, lane, now) ? PROBE_EVERY_MS : undefined;

interface Due {
  readonly candidate: Candidate;
  readonly at: EpochMs;
}

function earliest(requests: Requests, due: readonly Due[], now: EpochMs): Choice {
  let first: Due | null = null;
  for (const each of due)
    if ((first === null || each.at < first.at) && isFree(requests, each.candidate, now)) first = each;
  if (first === null) return wait(now + LONGEST_WAIT_MS);
  return first.at <= now ? send(first.candidate) : wait(Math.min(first.at, now + LONGEST_WAIT_MS));
}

/** Everything that carries the key. Nothing leaves before the exchange's clock is known, or while it refuses us. */
export function pickPrivate(state: TraderState, now: EpochMs): Choice {
  if (state.phase === 'stopped') return wait(Number.POSITIVE_INFINITY);
  if (state.clock === null) return wait(now + LONGEST_WAIT_MS);
  const { refusal } = state;
  const cancel = pickCancel(state, now);
  if (cancel && now >= (refusal?.cancelsFrom ?? 0)) return send(cancel);
  const readsFrom = Math.max(refusal?.until ?? 0, state.contact.private.readsFrom);
  if (now < readsFrom) {
    const until = Math.min(readsFrom, now + LONGEST_WAIT_MS);
    return wait(cancel && refusal ? Math.min(until, refusal.cancelsFrom) : until);
  }
  const intervals = intervalsOf(state, now);
  const reads = privateReads(state, intervals, now);
  const late = [...lateScans(state), ...activityScans(state.activityScan)];
  const expiring = earliest(state.requests, expiringLists(state, reads, now), now);
  if (expiring.kind === 'send') return expiring;
  const overdue = earliest(
    state.requests,
    [...reads.filter((read) => read.overdue), ...late.filter(({ at }) => at + intervals.trades <= now)],
    now,
  );
  if (overdue.kind === 'send') return createInTurn(state, overdue.candidate, { reads, now }) ?? overdue;
  // An empty level earns nothing, and the possible news of a read already counts as if it had happened.
  const filled = pickCreate(state, now, 'missing-quotes');
  if (filled) return send(filled);
  const awaited = earliest(
    state.requests,
    reads.filter((read) => read.awaited),
    now,
  );
  if (awaited.kind === 'send') return createInTurn(state, awaited.candidate, { reads, now }) ?? awaited;
  const own = earliest(
    state.requests,
    reads.filter(({ candidate }) => candidate.kind !== 'wallet'),
    now,
  );
  if (own.kind === 'send') return createInTurn(state, own.candidate, { reads, now }) ?? own;
  const create = pickCreate(state, now, 'all-slots');
  if (create) return send(create);
  const rest = earliest(state.requests, [...reads, ...late], now);
  return rest.kind === 'send' ? rest : wait(Math.min(rest.until, nextDecision(state, now)));
}

/**
 * After this many reads a create need not wait for one that is only due: a lane slower than its pace would read
 * forever.
 */
const READS_BETWEEN_CREATES = 4;

function createInTurn(
  state: TraderState,
  read: Candidate,
  { reads, now }: { readonly reads: readonly DueRead[]; readonly now: EpochMs },
): Choice | null {
  if (state.requests.readsSinceCreate < READS_BETWEEN_CREATES) return null;
  if (reads.some(({ candidate, awaited }) => candidate === read && awaited)) return null;
  const create = pickCreate(state, now, 'all-slots');
  return create && send(create);
}

function nextDecision(state: TraderState, now: EpochMs): EpochMs {
  const times = [...state.markets.values()].map((market) => decisionOf(state, market, now).validUntil);
  return Math.min(now + LONGEST_WAIT_MS, ...times);
}

interface Intervals {
  readonly openOrders: DurationMs;
  readonly trades: DurationMs;
  readonly wallet: DurationMs;
  readonly longestRetry: DurationMs | undefined;
}

function intervalsOf(state: TraderState, now: EpochMs): Intervals {
  const { openOrdersMs, tradesMs, walletMs } = state.settings.polling;
  const by = stretch(state, 'private');
  const polled = { openOrders: openOrdersMs * by, trades: tradesMs * by, wallet: walletMs * by };
  return { ...polled, longestRetry: longestRetry(state, 'private', now) };
}

interface DueRead extends Due {
  readonly surface: Surface;
  /** Something happened that only it can show. */
  readonly awaited: boolean;
  /** It has waited for a whole interval: on a slow lane the requests before it would take every turn. */
  readonly overdue: boolean;
}

function privateReads(state: TraderState, intervals: Intervals, now: EpochMs): DueRead[] {
  const reads = ownOrderReads(state, intervals, now);
  for (const market of state.markets.values()) {
    const { trades: surface, backfill } = market;
    const due = when(surface, intervals.trades, { longestRetry: intervals.longestRetry, now });
    // Pages have been requested since the first was needed: each takes its turn behind reads that have waited longer.
    const isReading = surface.morePages || backfill !== null;
    const at = isReading ? Math.max(due.at, surface.attemptedAt ?? 0) : due.at;
    reads.push({ candidate: tradesCandidate(state, market, now), ...due, at });
  }
  const { wallet } = state;
  reads.push({
    candidate: { kind: 'wallet', why: whyRead(wallet, now) },
    ...when(wallet, intervals.wallet, { longestRetry: intervals.longestRetry, now }),
  });
  return reads;
}

function tradesCandidate(state: With<'durable' | 'missing'>, market: Market, now: EpochMs): Candidate {
  const { symbol } = market;
  const question = backfillQuestion(market);
  if (question !== null)
    return { kind: 'history', key: `spot-trades ${symbol}`, question, why: 'own trades after the last known one' };
  const why = whyRead(market.trades, now);
  return { kind: 'spot-trades', symbol, filter: tradesFilter(state, market), why };
}

/** One list for the whole account if its page can't have been cut, else one per symbol. */
function ownOrderReads(state: TraderState, intervals: Intervals, now: EpochMs): DueRead[] {
  const reads = [...state.markets].map(([symbol, { openOrders: surface }]) => {
    const candidate = { kind: 'open-orders', symbol, why: whyRead(surface, now) } as const;
    return { candidate, ...when(surface, intervals.openOrders, { longestRetry: intervals.longestRetry, now }) };
  });
  // Each stop reports what it leaves on the account.
  const wantsAll = reads.length > 1 || !policyOf(state.settings).ownerTrades || state.phase === 'stopping';
  if (!wantsAll || now < state.requests.scopedOrdersUntil) return reads;
  const [first] = reads.toSorted((a, b) => a.at - b.at);
  return first
    ? [
        {
          ...first,
          candidate: { ...first.candidate, symbol: null },
          awaited: reads.some(({ awaited }) => awaited),
          overdue: reads.some(({ overdue }) => overdue),
        },
      ]
    : [];
}

/** An expiring list takes at most one turn in three. On a slower lane it would leave none for other requests. */
const TURNS_BETWEEN_LISTS = 3;

/**
 * Lists of own orders that would be too old to quote by before the next turn; on a faster lane, before the one after
 * that, as a cancel may take the next.
 */
function expiringLists(state: TraderState, reads: readonly DueRead[], now: EpochMs): Due[] {
  const turnMs: DurationMs = SECOND / state.requests.pace.private;
  const { openOrdersMs } = state.settings.ageLimits;
  if (state.phase === 'stopping' || TURNS_BETWEEN_LISTS * turnMs > openOrdersMs) return [];
  const aheadMs = (TURNS_BETWEEN_LISTS + 1) * turnMs > openOrdersMs ? turnMs : 2 * turnMs;
  const lists = reads.filter(({ candidate }) => candidate.kind === 'open-orders');
  return lists.flatMap(({ candidate, surface }) => {
    // An expired list gets no priority: turns may be rarer than the pace suggests, and it would take all of them.
    const ageMs = ageOf(surface, now);
    if (ageMs > openOrdersMs || ageMs + aheadMs < openOrdersMs) return [];
    return [{ candidate, at: retryAt(surface, longestRetry(state, 'private', now)) }];
  });
}

type WhenAsked = Pick<Intervals, 'longestRetry'> & { readonly now: EpochMs };

function when(surface: Surface, intervalMs: DurationMs, { longestRetry, now }: WhenAsked): Omit<DueRead, 'candidate'> {
  const at = dueAt(surface, intervalMs, longestRetry);
  const awaited = isNeeded(surface, now);
  return { surface, at, awaited, overdue: at + intervalMs <= now };
}

const whyRead = (surface: Surface, now: EpochMs): string =>
  isNeeded(surface, now) ? 'something happened' : 'it is time';

/** Late-trade scans, if nothing else is due: rows that came late with smaller ids. */
function lateScans(state: With<'settings' | 'session' | 'durable' | 'markets'>): Due[] {
  const { tradesRescanMs } = state.settings.polling;
  if (!state.durable.books.opened) return [];
  const due: Due[] = [];
  for (const market of state.markets.values()) {
    const { trades: surface, backfill } = market;
    const window = backfill !== null ? null : lateTradeWindow(state, market);
    if (window === null) continue;
    const candidate = { kind: 'late-scan', symbol: market.symbol, window } as const;
    const regular =
      tradesRescanMs === 0 ? Infinity : (surface.lateScanAttemptedAt ?? state.session.startedAt) + tradesRescanMs;
    const at = Math.min(regular, surface.lateScanFrom ?? Infinity);
    if (Number.isFinite(at)) due.push({ candidate, at });
  }
  return due;
}

/** The lists that may explain a difference. */
function activityScans(activityScan: ActivityScan): Due[] {
  const [list] = activityScan.lists;
  if (list === undefined) return [];
  const asked = activityQuestion(activityScan, list);
  const candidate = {
    kind: 'history',
    key: ACTIVITY_KEY,
    question: asked.question,
    why: 'what the owner did',
  } as const;
  return [{ candidate, at: asked.at }];
}
