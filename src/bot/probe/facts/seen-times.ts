// The time fields of answers as they are written: unit, JSON type, and each value as if it were UTC.
import type { SeenTime } from '../../../client/times/observe-times.ts';
import type { EpochMs } from '../../../domain/time.ts';
import { isObject, type RawObject, timeField } from '../../../venue/parsers/fields.ts';
import { readLocalTime } from '../../../venue/parsers/legacy.ts';
import type { ReadKind } from '../../../venue/requests.ts';
import type { Answer, Topic } from './answer.ts';
import { jsonOf, rowsOf } from './json-body.ts';

/** One list or object that carries a time. */
export interface TimeSource {
  readonly topic: Topic;
  readonly kind: ReadKind;
  readonly field: string;
  /** `events`: the time of a row stays. `latest`: it moves on with what the row tells. */
  readonly shape: 'events' | 'latest';
  /** As specified. */
  readonly documented: TimeForm;
  /** The fields that tell rows apart, beside the time itself. */
  readonly name: readonly string[];
}

export type TimeForm = `${'milliseconds' | 'seconds'} as ${'number' | 'string'}` | 'local time as string';

const OWN = { field: 'time', shape: 'events', documented: 'milliseconds as number' } as const;
const TRADES = { ...OWN, name: ['id'] } as const;
const TRANSFERS = { ...OWN, name: ['asset', 'cryptoAmount', 'amount', 'transactionHash', 'referenceId'] } as const;
const LEGACY_TRADES = {
  kind: 'legacy-trades',
  field: 'created_at',
  shape: 'events',
  documented: 'local time as string',
  name: ['id'],
} as const;
const LEGACY_DEPTH = {
  kind: 'legacy-depth',
  field: 'timestamp',
  shape: 'latest',
  documented: 'seconds as number',
  name: [],
} as const;

export const TIME_SOURCES: readonly TimeSource[] = [
  {
    topic: 'tickers',
    kind: 'tickers',
    field: 'time',
    shape: 'latest',
    documented: 'milliseconds as string',
    name: ['symbol'],
  },
  { ...OWN, topic: 'public-trades', kind: 'public-trades', name: ['price', 'qty', 'isBuyerMaker'] },
  {
    topic: 'legacy-tickers',
    kind: 'legacy-tickers',
    field: 'at',
    shape: 'latest',
    documented: 'seconds as number',
    name: ['name'],
  },
  { ...LEGACY_DEPTH, topic: 'legacy-depth' },
  { ...LEGACY_DEPTH, topic: 'legacy-depth-sample' },
  { ...LEGACY_TRADES, topic: 'legacy-trades' },
  { ...LEGACY_TRADES, topic: 'legacy-trades-sample' },
  { ...OWN, topic: 'open-orders', kind: 'open-orders', name: ['orderId'] },
  { ...TRADES, topic: 'spot-trades', kind: 'spot-trades' },
  { ...TRADES, topic: 'sbs-trades', kind: 'sbs-trades' },
  { ...TRANSFERS, topic: 'crypto-deposits', kind: 'crypto-deposits' },
  { ...TRANSFERS, topic: 'crypto-withdrawals', kind: 'crypto-withdrawals' },
  { ...TRANSFERS, topic: 'fiat-deposits', kind: 'fiat-deposits' },
  { ...TRANSFERS, topic: 'fiat-withdrawals', kind: 'fiat-withdrawals' },
];

/** Times under this are seconds, not milliseconds. */
const MILLISECONDS_FROM = 100_000_000_000;

/** The objects of an answer that carry the time: the rows of a list, the entries of a map, or the answer itself. */
export function timedRows(answer: Answer, { kind }: TimeSource): readonly RawObject[] {
  const json = jsonOf(answer);
  if (kind === 'legacy-depth') return isObject(json) ? [json] : [];
  return kind === 'legacy-tickers' && isObject(json) ? Object.values(json).filter(isObject) : rowsOf(answer);
}

/** How the field is written in this row; `null` for what is no time. */
export function timeForm(row: RawObject, field: string): TimeForm | null {
  const value = row[field];
  if (typeof value === 'string' && readLocalTime(value) !== null) return 'local time as string';
  if (!timeField(row, field).ok || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const unit = Number(value) < MILLISECONDS_FROM ? 'seconds' : 'milliseconds';
  return typeof value === 'string' ? `${unit} as string` : `${unit} as number`;
}

/** The field as epoch milliseconds, a local time read as if it were UTC. */
export function timeOf(row: RawObject, field: string): EpochMs | null {
  const value = row[field];
  const local = typeof value === 'string' ? readLocalTime(value) : null;
  if (local !== null) return local;
  const at = timeField(row, field);
  return at.ok ? at.value : null;
}

/** Each row's time under a name of its own: equal rows are numbered, so that one more of them counts as new. */
export function seenTimes(rows: readonly RawObject[], { field, name, shape }: TimeSource): readonly SeenTime[] {
  const count = new Map<string, number>();
  return rows.flatMap((row) => {
    const at = timeOf(row, field);
    if (at === null) return [];
    const words = [...name.map((each) => String(row[each])), ...(shape === 'events' ? [String(at)] : [])].join('|');
    const number = (count.get(words) ?? 0) + 1;
    count.set(words, number);
    return [{ name: `${words}#${number}`, at }];
  });
}
