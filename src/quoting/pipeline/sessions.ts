// Pipeline step: quotes at certain times only. What is held stays; open orders are canceled as those of any empty side.
import type { EpochMs } from '../../domain/time.ts';
import type { Day } from '../feature-settings.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import { changeEach, type Draft } from './draft.ts';

type Sessions = NonNullable<QuotingSettings['sessions']>;

const DAYS: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const MINUTES_PER_DAY = 24 * 60;
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

export function keepToSessions(draft: Draft): Draft {
  const { sessions } = draft.settings;
  if (sessions === undefined) return draft;
  const closed = whyClosed(sessions, draft.view.now);
  const note = { name: 'sessions', unchanged: `It is open (${sessions.timeZone}).` };
  return changeEach(draft, note, () => (closed === null ? null : { drop: closed }));
}

/** Why nothing is quoted at this moment, with when it opens; null where it is open. */
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

/** From one minute of the week to another, round the week. */
const since = (from: number, to: number): number => (to - from + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;

interface Span {
  /** Minute of the week at which it opens. */
  readonly from: number;
  readonly minutes: number;
}

const spansOf = ({ windows }: Sessions): Span[] =>
  windows.flatMap(({ days, from, to }) => {
    const [opens, closes] = [minuteOfDay(from), minuteOfDay(to)];
    const minutes = closes > opens ? closes - opens : closes - opens + MINUTES_PER_DAY;
    return days.map((day) => ({ from: DAYS.indexOf(day) * MINUTES_PER_DAY + opens, minutes }));
  });

function minuteOfDay(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** By the clocks on the walls of the zone: summer time moves a session along. */
function minuteOfWeek(now: EpochMs, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  const day = DAYS.indexOf(part('weekday').toLowerCase() as Day);
  return day * MINUTES_PER_DAY + Number(part('hour')) * 60 + Number(part('minute'));
}

/** Making one costs more than all that is done with it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const format = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const made = new Intl.DateTimeFormat('en-US', format);
  formatters.set(timeZone, made);
  return made;
}
