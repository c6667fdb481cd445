// N4, N5, Q17: the unit of each time field and its shift against `Date`, with the evidence that there honestly is.

import { readHttpDate } from '../../../client/outcomes/rate-limit-headers.ts';
import { observeDate, observeTimes } from '../../../client/times/observe-times.ts';
import {
  startTimeOffsets,
  type TimeOffset,
  type TimeOffsets,
  timeOffsetOf,
} from '../../../client/times/time-offsets.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE } from '../../../domain/time.ts';
import type { ReadKind } from '../../../venue/requests.ts';
import { type Answer, good } from '../facts/answer.ts';
import { type Confidence, counted, type Finding, open } from '../facts/finding.ts';
import { seenTimes, TIME_SOURCES, type TimeForm, type TimeSource, timedRows, timeForm } from '../facts/seen-times.ts';
import { legacyZoneFinding } from './legacy-zone.ts';

/** A row that looks older than this is no sign that a field is not behind. */
const YOUNG_MS: DurationMs = 10 * MINUTE;

/** Shifts that the configuration knows, in minutes. */
export type KnownOffsets = Partial<Readonly<Record<string, number>>>;

export function timeFindings(answers: readonly Answer[], configured: KnownOffsets): readonly Finding[] {
  const offsets = offsetsOf(answers);
  const asked = TIME_SOURCES.filter(({ topic }) => good(answers, topic).length > 0);
  const kinds = [...new Set(asked.map(({ kind }) => kind))];
  return [
    ...kinds.flatMap((kind) => {
      const sources = asked.filter((source) => source.kind === kind);
      const unit = unitFinding(answers, sources);
      return unit === null
        ? []
        : [unit, withSetting(shiftFinding(answers, sources, timeOffsetOf(offsets, kind)), kind, configured)];
    }),
    legacyZoneFinding(answers, {
      legacy: timeOffsetOf(offsets, 'legacy-trades'),
      publicTrades: timeOffsetOf(offsets, 'public-trades'),
    }),
  ];
}

/** Only what is proved is worth more than what the bot measures by itself. */
function withSetting(finding: Finding, kind: ReadKind, configured: KnownOffsets): Finding {
  const { value, confidence } = finding;
  const offsetMs = typeof value === 'object' && value !== null && 'offsetMs' in value ? Number(value.offsetMs) : 0;
  if (confidence !== 'proved' || offsetMs / MINUTE === (configured[kind] ?? 0)) return finding;
  const path = ['venue', 'timeOffsetMinutes', kind];
  return { ...finding, setting: { at: 'configuration', path, value: String(offsetMs / MINUTE) } };
}

/** The client's own reasoning, over the answers in the order in which they came. */
function offsetsOf(answers: readonly Answer[]): TimeOffsets {
  const inOrder = answers.toSorted((a, b) => a.receivedAt - b.receivedAt);
  return inOrder.reduce((known, answer) => {
    const venueDate = readHttpDate(answer.headers.date);
    if (venueDate === undefined) return known;
    const { state, trusted } = observeDate(known, { at: venueDate, mono: answer.receivedAt });
    const source = TIME_SOURCES.find(({ topic }) => topic === answer.topic);
    if (!trusted || source === undefined || answer.status !== 200) return state;
    const { kind, shape } = source;
    const rows = timedRows(answer, source);
    const times = seenTimes(rows, source);
    const list = `${answer.topic} ${answer.symbol}`;
    return observeTimes(state, { kind, list, shape, times, complete: times.length === rows.length, venueDate });
  }, startTimeOffsets());
}

const nameOf = ([source]: readonly TimeSource[]): string => (source ? `${source.kind}.${source.field}` : 'no field');

/** `null` where no row had a time. */
function unitFinding(answers: readonly Answer[], sources: readonly TimeSource[]): Finding | null {
  const name = nameOf(sources);
  const forms = sources.flatMap((source) =>
    good(answers, source.topic).flatMap((answer) =>
      timedRows(answer, source).map((row) => timeForm(row, source.field)),
    ),
  );
  const known = [...new Set(forms.filter((form): form is TimeForm => form !== null))];
  const [first] = known;
  if (first === undefined) return null;
  const documented = sources[0]?.documented;
  const agrees = known.length === 1 && first === documented;
  return {
    id: `time-unit.${name}`,
    question: `N4 unit of ${name}`,
    finding: known.join(', '),
    value: known.length === 1 ? first : known,
    evidence: `${counted(forms.length, 'value')}${agrees ? ', as documented' : `; documented: ${documented}`}`,
    confidence: 'proved',
  };
}

function shiftFinding(answers: readonly Answer[], sources: readonly TimeSource[], offset: TimeOffset): Finding {
  const name = nameOf(sources);
  const question = { id: `time-shift.${name}`, question: `N5 shift of ${name}` };
  const newest = newestRow(answers, sources);
  if (newest === null) return open(question, 'No answer had both a row and a Date.');
  const aheadMs = newest.at - newest.venueDate;
  const seen = `newest row ${aheadMs >= 0 ? `${duration(aheadMs)} ahead of` : `${duration(-aheadMs)} behind`} Date`;
  const of = (finding: string, evidence: string, confidence: Confidence): Finding => ({
    ...question,
    finding,
    value: { offsetMs: offset.measuredMs, evidence: offset.evidence },
    evidence: `${seen}; ${evidence}`,
    confidence,
  });
  switch (offset.evidence) {
    case 'proved':
      return of(
        shiftWords(offset.measuredMs),
        'a row that was new since the look before bounds it on both sides',
        'proved',
      );
    case 'at-least':
      return offset.measuredMs > 0
        ? of(
            `${shiftWords(offset.measuredMs)} at least`,
            'no row is from the future; a new row would prove the rest',
            'likely',
          )
        : of('none', 'a row that is young by its own time; a new row would prove it', 'likely');
    case 'none':
      return aheadMs < -YOUNG_MS
        ? of(`none, or up to ${duration(-aheadMs)} behind`, 'either it is behind or nothing new was there', 'suspected')
        : open(question, seen);
  }
}

interface Newest {
  readonly at: EpochMs;
  readonly venueDate: EpochMs;
}

function newestRow(answers: readonly Answer[], sources: readonly TimeSource[]): Newest | null {
  const each = sources.flatMap((source) =>
    good(answers, source.topic).flatMap((answer) => {
      const venueDate = readHttpDate(answer.headers.date);
      const times = seenTimes(timedRows(answer, source), source).map(({ at }) => at);
      return venueDate === undefined || times.length === 0 ? [] : [{ at: Math.max(...times), venueDate }];
    }),
  );
  return each.reduce<Newest | null>(
    (best, row) => (best === null || row.at - row.venueDate > best.at - best.venueDate ? row : best),
    null,
  );
}

/** `5 h 30 min ahead`, `none`. */
function shiftWords(ms: DurationMs): string {
  if (ms === 0) return 'none';
  return `${duration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;
}

function duration(ms: DurationMs): string {
  if (ms < MINUTE) return `${Math.round(ms / 1_000)} s`;
  const minutes = Math.round(ms / MINUTE);
  const [hours, rest] = [Math.floor(ms / HOUR), minutes % 60];
  if (minutes < 60) return `${minutes} min`;
  return rest === 0 ? `${Math.round(minutes / 60)} h` : `${hours} h ${rest} min`;
}
