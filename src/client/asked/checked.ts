// Checks a value that a program hands to the client: a copy of it, or one sentence that names place, value and what was
// expected.
import { types } from 'node:util';
import type { z } from 'zod';
import { Decimal } from '../../domain/decimal.ts';
import { InvariantViolation, invariant } from '../../domain/invariant.ts';
import { plainMessage } from '../../venue/parsers/fields.ts';
import { maskOf } from '../wire/scrub.ts';

export interface Place {
  /** The method or function that was called. */
  readonly name: string;
  /** Texts that the sentence must not show, whatever field they were typed into. */
  readonly secrets: readonly string[];
}

const LONGEST_SHOWN = 60;
const HIDDEN: readonly unknown[] = ['apiKey', 'secret'];

/** Arguments are no deeper. */
const DEEPEST = 4;

/** Stands in the copy for an object that is neither plain nor a number: nothing is read of it. */
const NOT_PLAIN = Symbol('not plain');

/**
 * A field that is `undefined` counts as absent. The value is read once, so that nothing can change it while it waits
 * for its turn. Throws before anything is sent.
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown, { name, secrets }: Place): T {
  const copy = copied(value);
  const result = schema.safeParse(copy);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  invariant(issue !== undefined, `${name}: zod refused a value without a reason.`);
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknown];
  const names = [...issue.path.map(String), ...unknown.map((key) => maskOf(secrets)(key))];
  const field = names.length === 0 ? 'the argument' : names.join('.');
  const found = path.some((part) => HIDDEN.includes(part)) ? '[secret]' : shown(valueAt(copy, path), secrets);
  const sentence = `${name}: ${field} is ${found}; expected ${issue.message}.`;
  throw new InvariantViolation(plainMessage(sentence));
}

/** Plain objects and decimals as copies; of a list, no more than that it is one: no argument holds any. */
export function copied(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (types.isProxy(value)) return NOT_PLAIN;
  if (Array.isArray(value)) return [];
  return numberOf(value) ?? ((depth < DEEPEST && fieldsOf(value, depth)) || NOT_PLAIN);
}

/** The digits of a decimal of any copy of decimal.js, without the methods that came with it. Null where it has none. */
function numberOf(value: object): Decimal | null {
  try {
    if (!Decimal.isDecimal(value)) return null;
    const { s, e, d } = structuredClone({ s: value.s, e: value.e, d: value.d });
    // Others make decimal.js throw, or never end.
    if (d !== null && !(Number.isSafeInteger(e) && areDigits(d))) return null;
    return new Decimal(Object.assign(new Decimal(0), { s, e, d }).toExponential());
  } catch {
    return null;
  }
}

/** Groups of seven digits; those at either end are not zero, but for that of zero itself. */
function areDigits(groups: readonly unknown[]): boolean {
  const areWhole = Array.from(groups).every(
    (group) => Number.isInteger(group) && Number(group) >= 0 && Number(group) < 1e7,
  );
  return areWhole && (groups.length === 1 || (Number(groups[0]) > 0 && Number(groups.at(-1)) > 0));
}

/** Null unless every field can be seen, and is a value rather than a function that gives one. */
function fieldsOf(value: object, depth: number): object | null {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return null;
  const fields: [string, unknown][] = [];
  for (const name of Reflect.ownKeys(value)) {
    const field = Object.getOwnPropertyDescriptor(value, name);
    if (typeof name === 'symbol' || !field?.enumerable || !('value' in field)) return null;
    if (field.value !== undefined) fields.push([name, copied(field.value, depth + 1)]);
  }
  return Object.fromEntries(fields);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined;
  return at;
}

function shown(value: unknown, secrets: readonly string[]): string {
  const text = maskOf(secrets)(textOf(value));
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function textOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Decimal) return Math.abs(value.e) < LONGEST_SHOWN ? value.toFixed() : value.toExponential();
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  if (value === NOT_PLAIN) return 'an object that is not plain';
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
