// Checks a value that a program hands to the client: a copy of it, or one sentence that names place, value and what was
// expected.
import type { z } from 'zod';
import { Decimal } from '../../domain/decimal.ts';
import { InvariantViolation, invariant } from '../../domain/invariant.ts';
import { plainMessage } from '../../venue/parsers/error.ts';
import { masked } from '../wire/scrub.ts';

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

/**
 * A field that is `undefined` counts as absent. The caller can't change the copy while it waits for its turn. Throws
 * before anything is sent.
 */
export function checked<T>(schema: z.ZodType<T>, value: unknown, { name, secrets }: Place): T {
  const result = schema.safeParse(copied(value));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  invariant(issue !== undefined, `${name}: zod refused a value without a reason.`);
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknown];
  const names = [...issue.path.map(String), ...unknown.map((key) => masked(key, secrets))];
  const field = names.length === 0 ? 'the argument' : names.join('.');
  const found = path.some((part) => HIDDEN.includes(part)) ? '[secret]' : shown(valueAt(value, path), secrets);
  const sentence = `${name}: ${field} is ${found}; expected ${issue.message}.`;
  throw new InvariantViolation(plainMessage(sentence));
}

function copied(value: unknown, depth = 0): unknown {
  const isFields = typeof value === 'object' && value !== null && !Array.isArray(value) && !Decimal.isDecimal(value);
  if (!isFields || depth === DEEPEST) return value;
  const given = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(given.map(([name, each]) => [name, copied(each, depth + 1)]));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined;
  return at;
}

function shown(value: unknown, secrets: readonly string[]): string {
  const text = masked(textOf(value), secrets);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function textOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Decimal.isDecimal(value)) return Math.abs(value.e) < LONGEST_SHOWN ? value.toFixed() : value.toExponential();
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
