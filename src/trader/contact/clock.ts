// The exchange's clock, and whether ours was set since the previous session: earlier times were recorded by another
// clock.
import type { OrderId } from '../../domain/ids.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { Completed, CompletedRead } from '../../venue/outcomes.ts';
import type { Stamp } from '../durable/durable.ts';
import { movedEnd, stampToCompare } from '../durable/fold/move-clock.ts';
import type { DurableOrders, Intent } from '../durable/intent.ts';
import { DATED_LISTS, type DatedList, type Lags } from '../state/lags.ts';
import { extendEarlierHorizons, type KnownClock, type TraderState, touchAll, venueTimeAt } from '../state/state.ts';
import { emit, notice, type Step } from '../state/turn.ts';
import { readAnew } from './refusal.ts';

/** If the offset moves, the machine may have slept, and our clock with it: reads are older than they look (F86). */
export function observeClock(
  state: TraderState,
  { offsetMs, uncertaintyMs, confirmed }: KnownClock,
  now: EpochMs,
): void {
  const { clock: before, settings } = state;
  state.clock = { offsetMs, uncertaintyMs, confirmed };
  if (before === null) return;
  if (Math.abs(offsetMs - before.offsetMs) > settings.assumptions.maxClockUncertaintyMs) readAnew(state, now);
}

/**
 * Compares our clock with that of the previous session once the exchange has accepted a signed request of this one, and
 * before its answer is used: a `Date` alone may come from a half-hour-old cache (F88), an accepted stamp is right
 * within its `recvWindow`. Nothing is created before own orders, trades and wallet were read: every order that may be
 * live is from an earlier session.
 */
export function compareClocks(turn: Step<'settings' | 'session' | 'clock'>, completed: Completed): void {
  const { state } = turn;
  if (state.session.clockCompared || state.clock === null) return;
  const proven = provenBy(completed, state.clock);
  if (proven === null) return;
  state.session.clockCompared = true;
  const newest = stampToCompare(state.durable);
  if (newest === null) return;
  const { timestamp, sentAt } = newest;
  const byMs = Math.round(leftAt(newest, proven.offsetMs) - sentAt);
  // Below this the estimates differ: the one that stamped the create, and the current one.
  if (Math.abs(byMs) <= state.settings.assumptions.maxClockUncertaintyMs + proven.uncertaintyMs) return;
  const { session, durable } = state;
  const { startedAt } = session;
  const endedAt = movedEnd(session.journalAge.endedAt, { byMs, startedAt, at: turn.now });
  session.journalAge = { ...session.journalAge, endedAt };
  const end = durable.journal.staleFrom === null ? {} : { journalEnd: endedAt };
  const stamp = { timestamp, sentAt };
  emit(turn, { type: 'clock-moved', payload: { byMs, startedAt, ...end, stamp, at: turn.now } });
  // Every create so far left in an earlier session: nothing is created until more was read.
  for (const market of state.markets.values()) market.lastHorizon = 0;
  extendEarlierHorizons(state, turn.now, byMs);
  const message =
    `The clock of this machine was set by ${(byMs / SECOND).toFixed(0)} s since the last session: what is known of ` +
    `orders goes by the exchange's.`;
  notice(turn, { level: 'warn', op: 'clock-moved', message });
}

/**
 * Returns the estimate if it agrees with the stamp that the exchange accepted, else the stamp: the answer's own `Date`
 * may have been wrong.
 */
function provenBy({ request, outcome, facts }: Completed, estimate: KnownClock): KnownClock | null {
  const taken = outcome.kind === 'read' || outcome.kind === 'accepted' || outcome.kind === 'acknowledged';
  if (!taken || !('stamp' in request)) return null;
  const { timestamp, recvWindow } = request.stamp;
  const stamped = { offsetMs: timestamp - facts.sentAt, uncertaintyMs: recvWindow, confirmed: true };
  return Math.abs(stamped.offsetMs - estimate.offsetMs) <= recvWindow ? estimate : stamped;
}

/** When the create left, by our current clock: the stamp is in the exchange's time. */
const leftAt = ({ timestamp }: Stamp, offsetMs: DurationMs): EpochMs => timestamp - offsetMs;

// Rows with impossible times: the exchange writes the times of a list off by hours, and `venue.timeOffsetMinutes` is
// set otherwise. Nothing is corrected by that; a person sets the offset.

/** Lists are off by whole quarter hours. */
const QUARTER: DurationMs = 15 * MINUTE;
/**
 * The clock that stamps rows may differ this much from the one that judges requests; no time zone is this close to UTC.
 */
const TOLERANCE: DurationMs = 2 * QUARTER;
/** A single row may have a wrong time of its own. */
const ROWS_OF_A_PROOF = 2;

/** Checks whether the rows of an answer can have their times. Two impossible rows are reported, once in a session. */
export function observeTimes(turn: Step<'lags' | 'clock'>, completed: CompletedRead): void {
  const { state } = turn;
  const list = DATED_LISTS.find((each) => each === completed.kind);
  if (list === undefined || state.clock?.confirmed !== true || wrongTimesOf(state.lags, list) !== null) return;
  const seen = state.lags.wrongTimes[list];
  for (const row of datedRows(
    state.durable.orders,
    completed,
    venueTimeAt(state, turn.arrivedAt) + state.clock.uncertaintyMs,
  )) {
    const offMs = offBy(row);
    if (offMs !== 0) seen.set(row.name, offMs);
    else if (row.to - row.from < QUARTER) seen.clear();
  }
  const wrong = wrongTimesOf(state.lags, list);
  if (wrong === null) return;
  notice(turn, { level: 'page', op: 'times-off', message: wrong });
  touchAll(state);
}

/** A row, and the exchange-clock bounds of when it happened. */
interface DatedRow {
  readonly name: string;
  readonly at: EpochMs;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Own orders and their fills have known times; no public trade is from the future. */
function datedRows(orders: DurableOrders, { kind, outcome }: CompletedRead, now: EpochMs): readonly DatedRow[] {
  if (outcome.kind !== 'read') return [];
  switch (kind) {
    case 'public-trades':
      return outcome.read.rows.map(({ venueTime: at, price }) => {
        return { name: `${at} ${price.toFixed()}`, at, from: Math.min(at, now), to: now };
      });
    case 'open-orders':
      return outcome.read.rows.flatMap(({ orderId, venueTime: at }) => {
        const intent = ownOrder(orders, orderId);
        if (intent === undefined) return [];
        const { timestamp: from, horizon, sentAt } = intent;
        return [{ name: orderId, at, from, to: Math.min(from + (horizon - sentAt), now) }];
      });
    case 'spot-trades':
      return outcome.read.rows.flatMap(({ tradeId, orderId, venueTime: at }) => {
        const intent = ownOrder(orders, orderId);
        return intent === undefined ? [] : [{ name: tradeId, at, from: intent.timestamp, to: now }];
      });
    default:
      return [];
  }
}

function ownOrder(orders: DurableOrders, orderId: OrderId): Intent | undefined {
  const id = orders.byOrderId.get(orderId);
  return id === undefined ? undefined : (orders.intents.get(id) ?? orders.closed.get(id));
}

/** Whole quarter hours, ahead is positive. A lower bound: an older row shows less than the full offset. */
function offBy({ at, from, to }: DatedRow): DurationMs {
  const quarters = (ms: DurationMs): DurationMs => Math.ceil((ms - MINUTE) / QUARTER) * QUARTER;
  if (at > to + TOLERANCE) return quarters(at - to);
  return at < from - TOLERANCE ? -quarters(from - at) : 0;
}

/** The sentence about a list's wrong times and the setting that fixes them, once two rows prove it. */
function wrongTimesOf(lags: Lags, list: DatedList): string | null {
  const seen = [...lags.wrongTimes[list].values()];
  const [ahead, behind] = [seen.filter((ms) => ms > 0), seen.filter((ms) => ms < 0)];
  if (ahead.length >= ROWS_OF_A_PROOF) return sentence(list, Math.max(...ahead));
  return behind.length >= ROWS_OF_A_PROOF ? sentence(list, Math.min(...behind)) : null;
}

function sentence(list: DatedList, offMs: DurationMs): string {
  const minutes = Math.abs(offMs) / MINUTE;
  const [off, change] = offMs > 0 ? ['late', `add ${minutes} to`] : ['early', `subtract ${minutes} from`];
  return (
    `The exchange writes the times of ${list} at least ${minutes} minutes too ${off}: ${change} ` +
    `venue.timeOffsetMinutes.${list} and restart.`
  );
}

/** Sentences for all lists, and for the account's own alone: their times decide whose an order is. */
export const allWrongTimes = (lags: Lags): string[] => sentencesOf(lags, DATED_LISTS);
export const ownWrongTimes = (lags: Lags): string[] => sentencesOf(lags, ['open-orders', 'spot-trades']);

const sentencesOf = (lags: Lags, lists: readonly DatedList[]): string[] =>
  lists.flatMap((list) => wrongTimesOf(lags, list) ?? []);
