// Whether a record holds what it is to hold, field by field.
import { type Field, type Fields, type Kind, NAMES, RECORDS, type Shape } from './fields.ts';

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
  number: (value) => Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  id: (value) => typeof value === 'string' && /^[\w:.~-]+$/.test(value),
  symbol: (value) => typeof value === 'string' && /^[A-Z0-9]+\/[A-Z0-9]+$/.test(value),
  asset: (value) => typeof value === 'string' && /^[A-Z0-9]+$/.test(value),
  side: (value) => value === 'buy' || value === 'sell',
  amount: isAmount,
  signed: (value) => isAmount(typeof value === 'string' ? value.replace(/^-(?!0$)/, '') : value),
  words: isText,
  name: (value, name) => typeof value === 'string' && (NAMES[name] ?? /^$/).test(value),
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
    const { shape, may } = readField(field);
    if (value === undefined && may === 'lack') continue;
    if (value === undefined) return `lacks ${name}`;
    if (value === null && may === 'be-null') continue;
    if (!fits(value, shape, name, at)) return `has for ${name} ${JSON.stringify(value)}`;
  }
  return null;
}

function fits(value: unknown, shape: Shape, name: string, at: At): boolean {
  if (typeof shape === 'string') return IS[shape](value, name, at);
  if ('fields' in shape) return isObject(value) && flawOfFields(value, shape.fields, at) === null;
  if ('listOf' in shape) return Array.isArray(value) && value.every((each) => fits(each, shape.listOf, name, at));
  if ('pair' in shape) {
    if (!Array.isArray(value) || value.length !== 2) return false;
    return shape.pair.every((each, index) => fits(value[index], each, name, at));
  }
  if (!isObject(value)) return false;
  const { shape: each, may } = readField(shape.each);
  const isEach = (one: unknown): boolean => (one === null && may === 'be-null') || fits(one, each, name, at);
  return Object.entries(value).every(([key, one]) => IS[shape.by](key, name, at) && isEach(one));
}

const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a field holds, and whether it may be left out, or null. */
function readField(field: Field): { readonly shape: Shape; readonly may?: 'lack' | 'be-null' } {
  if (typeof field !== 'string') return field;
  const shape = field.replace(/\?$|\|null$/, '') as Kind;
  if (field.endsWith('?')) return { shape, may: 'lack' };
  return field.endsWith('|null') ? { shape, may: 'be-null' } : { shape };
}
