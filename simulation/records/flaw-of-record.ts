// Whether a record holds what it is to hold, field by field.
import { FILL, type Field, type Fields, type Kind, NAMES, RECORDS } from './fields.ts';

type Payload = Readonly<Record<string, unknown>>;

/** By the bot's clock: when the record is written. */
interface At {
  readonly now: number;
}

/** What time may pass between a decision and its record: none, but that clocks are rounded. */
const ROUNDED_MS = 2;

const isAmount = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const IS: Readonly<Record<Kind, (value: unknown, name: string, at: At) => boolean>> = {
  moment: (value, _name, { now }) => isWhole(value) && Math.abs(Number(value) - now) <= ROUNDED_MS,
  time: isWhole,
  estimate: (value) => Number.isFinite(value) && Number(value) >= 0,
  count: isWhole,
  flag: (value) => typeof value === 'boolean',
  id: (value) => typeof value === 'string' && /^[\w:.~-]+$/.test(value),
  symbol: (value) => typeof value === 'string' && /^[A-Z0-9]+\/[A-Z0-9]+$/.test(value),
  asset: (value) => typeof value === 'string' && /^[A-Z0-9]+$/.test(value),
  side: (value) => value === 'buy' || value === 'sell',
  amount: isAmount,
  signed: (value) => isAmount(typeof value === 'string' ? value.replace(/^-(?!0$)/, '') : value),
  words: isText,
  name: (value, name) => typeof value === 'string' && (NAMES[name] ?? /^$/).test(value),
  fill: (value, name, at) =>
    typeof value === 'object' && value !== null && flawOfFields(value as Payload, FILL, at) === null && name === 'fill',
  any: () => true,
};

/** What is wrong, as the end of a sentence; null where nothing is. */
export function flawOfRecord(type: string, payload: Payload, at: At): string | null {
  const fields = RECORDS[type];
  return fields === undefined ? 'is of no known kind' : flawOfFields(payload, fields, at);
}

function flawOfFields(payload: Payload, fields: Fields, at: At): string | null {
  const odd = Object.keys(payload).find((name) => fields[name] === undefined);
  if (odd !== undefined) return `has a field ${odd}`;
  for (const [name, field] of Object.entries(fields)) {
    const value = payload[name];
    if (value === undefined && field.endsWith('?')) continue;
    if (value === undefined) return `lacks ${name}`;
    if (value === null && field.endsWith('|null')) continue;
    if (!IS[kindOf(field)](value, name, at)) return `has for ${name} ${JSON.stringify(value)}`;
  }
  return null;
}

const kindOf = (field: Field): Kind => field.replace(/\?$|\|null$/, '') as Kind;
