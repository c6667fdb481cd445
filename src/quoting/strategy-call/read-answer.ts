// What a strategy returned, read as one reads any input: types at run time may differ from what the compiler was told.
import { Decimal } from '../../domain/decimal.ts';
import { type Quote, type Side, type Slot, slotOf } from '../../domain/order.ts';
import type { Step } from '../strategy.ts';
import { isAboveZero } from '../usable.ts';

/** A wanted quote that can't be one. */
export interface Flaw {
  /** Where it can't be told which slot was meant, the number in the list. */
  readonly slot: Slot | `quote ${number}`;
  /** A sentence with slot and value. */
  readonly why: string;
}

/** Every quote that the strategy wanted, in its order: as a copy of our own, or what is wrong with it. */
export type WantedQuote = { readonly kind: 'usable'; readonly quote: Quote } | ({ readonly kind: 'flawed' } & Flaw);

export interface ReadAnswer {
  readonly wanted: readonly WantedQuote[];
  readonly explain: readonly Step[];
  /** Why a side has no quote, in the strategy's words. */
  readonly noQuote: { readonly [S in Side]?: string };
}

/** More than any exchange lets rest, and few enough to look at each. */
const MOST_QUOTES = 200;
/** Numbers beyond these are no price and no quantity of anything, and writing them out could fill the memory. */
const LARGEST_EXPONENT = 30;

/** The answer, or one sentence that says what is wrong with it as a whole. */
export function readAnswer(answer: unknown): ReadAnswer | string {
  if (!isObject(answer)) return `it returned ${shownValue(answer)} instead of { quotes, explain }.`;
  const { quotes, explain, noQuote } = answer;
  if (!Array.isArray(quotes)) return `its \`quotes\` is ${shownValue(quotes)} instead of a list.`;
  if (quotes.length > MOST_QUOTES) return `it wanted ${quotes.length} quotes; ${MOST_QUOTES} are the most.`;
  if (!Array.isArray(explain)) return `its \`explain\` is ${shownValue(explain)} instead of a list.`;
  const seen = new Set<Slot>();
  // `Array.from`: a list with holes is read as one with `undefined` in them.
  const wanted = Array.from(quotes, (quote, index) => readQuote(quote, index, seen));
  return { wanted, explain: Array.from(explain.slice(0, MOST_QUOTES), readStep), noQuote: readNoQuote(noQuote) };
}

function readQuote(value: unknown, index: number, seen: Set<Slot>): WantedQuote {
  const place = `quote ${index + 1}` as const;
  if (!isObject(value)) return flawed(place, `The strategy wanted ${shownValue(value)} as ${place} of its list.`);
  const { side, level, price, quantity } = value;
  if (side !== 'buy' && side !== 'sell')
    return flawed(place, `The side of ${place} is ${shownValue(side)}, which is neither 'buy' nor 'sell'.`);
  if (!Number.isSafeInteger(level) || Number(level) < 0)
    return flawed(place, `The level of ${place} is ${shownValue(level)}, which is not a whole number from 0.`);
  const slot = slotOf({ side, level: Number(level) });
  if (seen.has(slot)) return flawed(slot, `The strategy wanted ${slot} twice.`);
  seen.add(slot);
  if (!isUsable(price)) return flawed(slot, `The strategy wanted a price of ${shownValue(price)} for ${slot}.`);
  if (!isUsable(quantity))
    return flawed(slot, `The strategy wanted a quantity of ${shownValue(quantity)} for ${slot}.`);
  return { kind: 'usable', quote: { side, level: Number(level), price, quantity } };
}

const flawed = (slot: Flaw['slot'], why: string): WantedQuote => ({ kind: 'flawed', slot, why });

/** A decimal of this program's own kind, above zero and of a size that something may have. */
const isUsable = (value: unknown): value is Decimal =>
  value instanceof Decimal && isAboveZero(value) && Math.abs(value.e) <= LARGEST_EXPONENT;

/** A line of reasons is only shown: what is wrong with it costs no quote. */
function readStep(value: unknown): Step {
  const { name, slot, before, after, why } = isObject(value) ? value : {};
  const step = { name: textOf(name), before: textOf(before), after: textOf(after), why: textOf(why) };
  return typeof slot === 'string' ? { ...step, slot: slot as Slot } : step;
}

function readNoQuote(value: unknown): ReadAnswer['noQuote'] {
  const { buy, sell } = isObject(value) ? value : {};
  return { ...(typeof buy === 'string' && { buy }), ...(typeof sell === 'string' && { sell }) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : shownValue(value));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const LONGEST_VALUE = 60;

/** A value for people: numbers as they are, everything else with its type. */
function shownValue(value: unknown): string {
  if (value instanceof Decimal) return Math.abs(value.e) > LARGEST_EXPONENT ? value.toExponential(5) : value.toFixed();
  const type = Array.isArray(value) ? 'list' : typeof value;
  if (typeof value === 'string') return `the text '${value.slice(0, LONGEST_VALUE)}'`;
  if (typeof value === 'number' || typeof value === 'bigint') return `the ${type} ${value}`;
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  return `a ${type}`;
}
