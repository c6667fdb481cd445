// The unit of each time field (N4) and its shift against `Date` (N5), with the available evidence.
import { readHttpDate } from '../../client/outcomes/rate-limit-headers.ts';
import { ANSWER_TIMES } from '../../client/times/answer-times.ts';
import {
  observeTimes,
  type SeenTime,
  startTimeOffsets,
  type TimeOffset,
  type TimeOffsets,
  timeOffsetOf,
} from '../../client/times/observe-times.ts';
import { type DurationMs, MINUTE } from '../../domain/time.ts';
import { isObject, type RawObject, timeField } from '../../venue/parsers/fields.ts';
import { duration } from '../base/message.ts';
import { type Answer, good, rowsOf } from './answer.ts';
import { type Confidence, counted, type Finding, open } from './finding.ts';

/** Lists whose rows carry a `time`, by their names in the configuration. */
const TIMED = [
  ...(['tickers', 'public-trades', 'open-orders', 'spot-trades', 'sbs-trades'] as const),
  ...(['crypto-deposits', 'crypto-withdrawals', 'fiat-deposits', 'fiat-withdrawals'] as const),
];
type Timed = (typeof TIMED)[number];

/** Smaller times are seconds, not milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;
/** A row that looks older than this does not show that a field is not behind. */
const YOUNG_MS: DurationMs = 10 * MINUTE;

/** Configured shifts, in minutes. */
export type KnownOffsets = Partial<Readonly<Record<string, number>>>;

export function timeFindings(answers: readonly Answer[], configured: KnownOffsets): readonly Finding[] {
  const offsets = offsetsOf(answers);
  return TIMED.flatMap((list) => {
    const asked = good(answers, list);
    const unit = unitFinding(asked, list);
    if (unit === null) return [];
    return [unit, withSetting(shiftFinding(asked, list, timeOffsetOf(offsets, list)), list, configured)];
  });
}

/** Applies the client's own logic to the answers in order of arrival. */
function offsetsOf(answers: readonly Answer[]): TimeOffsets {
  const inOrder = answers.toSorted((a, b) => a.receivedAt - b.receivedAt);
  return inOrder.reduce((known, answer) => {
    const venueDate = readHttpDate(answer.headers.date);
    const kind = TIMED.find((each) => each === answer.topic);
    const shape = kind && ANSWER_TIMES[kind]?.shape;
    if (venueDate === undefined || kind === undefined || shape === undefined || answer.status !== 200) return known;
    const rows = rowsOf(answer);
    const times = seenTimes(rows, kind);
    const list = `${kind} ${answer.symbol}`;
    return observeTimes(known, { kind, list, shape, times, complete: times.length === rows.length, venueDate });
  }, startTimeOffsets());
}

/** Each row's time under a unique name: equal rows are numbered, so that one more of them counts as new. */
function seenTimes(rows: readonly RawObject[], list: Timed): readonly SeenTime[] {
  const count = new Map<string, number>();
  return rows.flatMap((row) => {
    const at = timeField(row, 'time');
    if (!at.ok) return [];
    const name = list === 'tickers' ? String(row.symbol) : String(row.id ?? row.orderId ?? JSON.stringify(row));
    const number = (count.get(name) ?? 0) + 1;
    count.set(name, number);
    return [{ name: `${name}#${number}`, at: at.value }];
  });
}

/** `null` if no row has a time. */
function unitFinding(answers: readonly Answer[], list: Timed): Finding | null {
  const forms = answers.flatMap((answer) => rowsOf(answer).flatMap(timeForm));
  const known = [...new Set(forms)];
  const [first] = known;
  if (first === undefined) return null;
  const documented = list === 'tickers' ? 'milliseconds as string' : 'milliseconds as number';
  const isAgreed = known.length === 1 && first === documented;
  return {
    id: `time-unit.${list}.time`,
    question: `N4 unit of ${list}.time`,
    finding: known.join(', '),
    value: known.length === 1 ? first : known,
    evidence: `${counted(forms.length, 'value')}${isAgreed ? ', as documented' : `; documented: ${documented}`}`,
    confidence: 'proved',
  };
}

/** Form of this row's time: `seconds as string`. */
function timeForm(row: RawObject): readonly string[] {
  if (!timeField(row, 'time').ok) return [];
  return [`${Number(row.time) < MILLISECONDS_FROM ? 'seconds' : 'milliseconds'} as ${typeof row.time}`];
}

function shiftFinding(answers: readonly Answer[], list: Timed, { measuredMs, evidence }: TimeOffset): Finding {
  const question = { id: `time-shift.${list}.time`, question: `N5 shift of ${list}.time` };
  const aheadMs = newestAheadMs(answers, list);
  if (aheadMs === null) return open(question, 'No answer with a row had a Date.');
  const seen = `newest row ${duration(Math.abs(aheadMs))} ${aheadMs >= 0 ? 'ahead of' : 'behind'} Date`;
  const of = (finding: string, why: string, confidence: Confidence): Finding => ({
    ...question,
    finding,
    value: { offsetMs: measuredMs, evidence },
    evidence: `${seen}; ${why}`,
    confidence,
  });
  switch (evidence) {
    case 'proved':
      return of(shiftWords(measuredMs), 'a row that was new since the look before bounds it on both sides', 'proved');
    case 'at-least':
      return measuredMs > 0
        ? of(
            `${shiftWords(measuredMs)} at least`,
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

/** Only a proved shift becomes a setting: a wrong one would be applied to every row. */
function withSetting(finding: Finding, list: Timed, configured: KnownOffsets): Finding {
  const { value, confidence } = finding;
  const offsetMs = isObject(value) ? Number(value.offsetMs) : 0;
  if (confidence !== 'proved' || offsetMs / MINUTE === (configured[list] ?? 0)) return finding;
  const path = ['venue', 'timeOffsetMinutes', list];
  return { ...finding, setting: { symbol: null, path, value: String(offsetMs / MINUTE) } };
}

/** Greatest lead of a newest row over its answer's `Date`. */
function newestAheadMs(answers: readonly Answer[], list: Timed): DurationMs | null {
  const ahead = answers.flatMap((answer) => {
    const venueDate = readHttpDate(answer.headers.date);
    const times = seenTimes(rowsOf(answer), list).map(({ at }) => at);
    return venueDate === undefined || times.length === 0 ? [] : [Math.max(...times) - venueDate];
  });
  return ahead.length === 0 ? null : Math.max(...ahead);
}

/** `5 h 30 min ahead`, `none`. */
function shiftWords(ms: DurationMs): string {
  if (ms === 0) return 'none';
  return `${duration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;
}
