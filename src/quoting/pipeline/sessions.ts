// Pipeline step: quotes only at certain times, and near their end only the side that brings the base to its target.
// Open orders are canceled, as on any empty side.
import { type Decimal, maxOf, minOf, ZERO } from '../../domain/decimal.ts';
import { opposite, type Side, slotOf } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { DAYS, type Day } from '../feature-settings.ts';
import { leavesSlotFree, remainingOutside, sumBySlot } from '../live-order.ts';
import { lockEnd, locksSide } from '../protection-settings.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import type { OwnFill } from '../strategy.ts';
import { type Change, changeEach, type Draft } from './draft.ts';

type Sessions = NonNullable<QuotingSettings['sessions']> & Pick<QuotingSettings, 'timeZone'>;

const sessionsOf = ({ sessions, timeZone }: Pick<QuotingSettings, 'sessions' | 'timeZone'>): Sessions | null =>
  sessions === undefined ? null : { ...sessions, timeZone };

const MINUTES_PER_DAY = 24 * 60;
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

export function keepToSessions(draft: Draft): Draft {
  const sessions = sessionsOf(draft.settings);
  if (sessions === null) return draft;
  const closed = whyClosed(sessions, draft.view.now);
  const note = { name: 'sessions', unchanged: `It is open (${sessions.timeZone}).` };
  if (closed !== null) return changeEach(draft, note, () => ({ drop: closed }));
  if (!isFlattening(draft)) return changeEach(draft, note, () => null);
  return flatten(draft, note, minutesLeft(sessions, draft.view.now));
}

/** Before it closes: no later step may then enlarge a size beyond the difference. */
export function isFlattening({
  settings,
  view: { now },
}: {
  readonly settings: Pick<QuotingSettings, 'sessions' | 'timeZone'>;
  readonly view: { readonly now: EpochMs };
}): boolean {
  const sessions = sessionsOf(settings);
  if (sessions === null || whyClosed(sessions, now) !== null) return false;
  return minutesLeft(sessions, now) <= sessions.flattenMinutes;
}

/**
 * Keeps only the side that brings the base to its target, from the innermost level outward, and no more than the
 * difference. Own orders with a pending cancel may still fill, as may those being replaced.
 */
function flatten(draft: Draft, note: { readonly name: string; readonly unchanged: string }, minutes: number): Draft {
  const { base, inventoryTarget } = draft.view;
  const off = inventoryTarget.sub(base.total);
  const side = off.gt(0) ? 'buy' : 'sell';
  const inSlot = sumBySlot(draft.live, (order) => order.remaining);
  let left: Decimal = off.abs().sub(remainingOutside(draft.live, side, new Set(draft.quotes.map(slotOf))));
  const why = `It closes in ${minutes} minutes: only what brings the base to its target is quoted.`;
  return changeEach(draft, note, (quote): Change => {
    if (quote.side !== side || left.lte(0)) return { drop: why };
    const quantity = minOf(left, quote.quantity);
    left = left.sub(maxOf(quantity, inSlot.get(slotOf(quote)) ?? ZERO));
    return quantity.eq(quote.quantity) ? null : { quote: { ...quote, quantity }, why };
  });
}

/** Until it closes, in started minutes; if another window opens at that minute, until that one closes. */
export function minutesLeft(sessions: Sessions, now: EpochMs): number {
  const minute = minuteOfWeek(now, sessions.timeZone);
  const spans = spansOf(sessions);
  let left = 0;
  for (let joined = 0; joined <= spans.length; joined += 1) {
    const at = (minute + left) % MINUTES_PER_WEEK;
    const more = Math.max(0, ...spans.map(({ from, minutes }) => minutes - since(from, at)));
    if (more === 0) return left;
    left += more;
  }
  return MINUTES_PER_WEEK;
}

/** Why nothing is quoted at this moment, and when it opens; null if it is open. */
export function whyClosed(sessions: Sessions, now: EpochMs): string | null {
  const minute = minuteOfWeek(now, sessions.timeZone);
  const spans = spansOf(sessions);
  if (spans.some(({ from, minutes }) => since(from, minute) < minutes)) return null;
  const [next] = spans.map(({ from }) => from).toSorted((a, b) => since(minute, a) - since(minute, b));
  const day = DAYS[Math.floor((next ?? 0) / MINUTES_PER_DAY)] ?? 'mon';
  const [hours, minutes] = [Math.floor(((next ?? 0) % MINUTES_PER_DAY) / 60), (next ?? 0) % 60];
  const time = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  return `It is closed, and opens on ${day} at ${time} (${sessions.timeZone}).`;
}

/** Minutes from one minute of the week to another, wrapping around. */
const since = (from: number, to: number): number => (to - from + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;

interface Span {
  /** Minute of the week at which it opens. */
  readonly from: number;
  readonly minutes: number;
}

const spansOf = ({ windows }: Pick<Sessions, 'windows'>): Span[] =>
  windows.flatMap(({ days, from, to }) => {
    const [opens, closes] = [minuteOfDay(from), minuteOfDay(to)];
    const minutes = closes > opens ? closes - opens : closes - opens + MINUTES_PER_DAY;
    return days.map((day) => ({ from: DAYS.indexOf(day) * MINUTES_PER_DAY + opens, minutes }));
  });

function minuteOfDay(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** By the zone's local time: summer time moves a session along. */
function minuteOfWeek(now: EpochMs, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  const day = DAYS.indexOf(part('weekday').toLowerCase() as Day);
  return day * MINUTES_PER_DAY + Number(part('hour')) * 60 + Number(part('minute'));
}

/** Creating one costs more than all its uses. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const format = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const made = new Intl.DateTimeFormat('en-US', format);
  formatters.set(timeZone, made);
  return made;
}

// Pipeline step: a locked side has no quote. Its open orders are canceled, as on any empty side.

/** The step's name, by which time lost to locks is accounted. */
export const LOCKS = 'locks';

export function keepToLocks(draft: Draft): Draft {
  const { locks } = draft.view;
  if (locks.length === 0) return draft;
  return changeEach(draft, { name: LOCKS, unchanged: 'The other side is locked.' }, ({ side }) => {
    const lock = locks.find((each) => locksSide(each, side));
    return lock === undefined ? null : { drop: `Locked ${lockEnd(lock)}: ${lock.reason}` };
  });
}

// Pipeline steps that use the last own fills: a side that has just filled, or filled more often, waits.

/** After an order has filled completely, an empty slot of its side stays empty for a while. */
export function waitAfterFill(draft: Draft): Draft {
  const { filledDelayMs } = draft.settings;
  if (filledDelayMs === 0) return draft;
  const { now, ownFills } = draft.view;
  const taken = new Set(draft.live.filter((order) => !leavesSlotFree(order)).map(({ slot }) => slot));
  const note = { name: 'filled delay', unchanged: 'No order has just filled.' };
  return changeEach(draft, note, (quote) => {
    const last = ownFills.findLast(({ side, completesOrder }) => side === quote.side && completesOrder);
    if (last === undefined || taken.has(slotOf(quote)) || now >= last.at + filledDelayMs) return null;
    const seconds = ((last.at + filledDelayMs - now) / 1_000).toFixed(1);
    return { drop: `An order of this side has just filled: the next one waits for ${seconds} s.` };
  });
}

/** The side with more fills leaves out that many of its innermost levels. */
export function playPingPong(draft: Draft): Draft {
  if (!draft.settings.pingPong) return draft;
  const complete = draft.view.ownFills.filter(({ completesOrder }) => completesOrder);
  const counts: Readonly<Record<Side, number>> = { buy: countOf(complete, 'buy'), sell: countOf(complete, 'sell') };
  const note = { name: 'ping-pong', unchanged: `As many bids as asks have filled (${counts.buy}).` };
  return changeEach(draft, note, ({ side, level }) => {
    const more = counts[side] - counts[opposite(side)];
    if (level >= more) return null;
    const words = (of: Side): string => `${counts[of]} ${of === 'buy' ? 'bids' : 'asks'}`;
    return { drop: `${words(side)} have filled and ${words(opposite(side))}: the innermost ${more} of these wait.` };
  });
}

const countOf = (fills: readonly OwnFill[], side: Side): number => fills.filter((fill) => fill.side === side).length;
