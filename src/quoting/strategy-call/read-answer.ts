// Reads a strategy's result like any input: types at run time may differ from those the compiler saw.
import { Decimal } from '../../domain/decimal.ts';
import { type Quote, type Side, type Slot, slotOf } from '../../domain/order.ts';
import { isAboveZero } from '../amount.ts';
import type { Step } from '../strategy.ts';

/** An invalid quote of the strategy. */
export interface Flaw {
  /** The number in the list if the slot is unreadable. */
  readonly slot: Slot | `quote ${number}`;
  /** A sentence with slot and value. */
  readonly why: string;
}

/** Every quote of the strategy, in its order: as our own copy, or what is wrong with it. */
type WantedQuote = { readonly kind: 'usable'; readonly quote: Quote } | ({ readonly kind: 'flawed' } & Flaw);

export interface ReadAnswer {
  readonly wanted: readonly WantedQuote[];
  readonly explain: readonly Step[];
  /** Why a side has no quote, in the strategy's words. */
  readonly noQuote: { readonly [S in Side]?: string };
}

/** More orders than any exchange allows, and few enough to check each. */
const MOST_QUOTES = 200;
/** Numbers beyond these are no real price or quantity, and formatting them could fill the memory. */
const LARGEST_EXPONENT = 30;

/** The answer, or one sentence on what is wrong with it as a whole. */
export function readAnswer(answer: unknown): ReadAnswer | string {
  if (!isObject(answer)) return `it returned ${shownValue(answer)} instead of { quotes, explain }.`;
  const { quotes, explain, noQuote } = answer;
  if (!Array.isArray(quotes)) return `its \`quotes\` is ${shownValue(quotes)} instead of a list.`;
  if (quotes.length > MOST_QUOTES) return `it wanted ${quotes.length} quotes; ${MOST_QUOTES} are the most.`;
  if (!Array.isArray(explain)) return `its \`explain\` is ${shownValue(explain)} instead of a list.`;
  const seen = new Set<Slot>();
  // `Array.from`: holes in a list are read as `undefined`.
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

/** A decimal of this program's own class, above zero and of a plausible size. */
const isUsable = (value: unknown): value is Decimal =>
  value instanceof Decimal && isAboveZero(value) && Math.abs(value.e) <= LARGEST_EXPONENT;

/** A line of reasons is only shown: an error in it costs no quote. */
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

// A strategy's failure as a value: its message, and the place in its own file.

/** The strategy gave no quotes: it threw, or returned something other than a list of quotes. */
export interface StrategyFailure {
  readonly kind: 'strategy-failed';
  /** The strategy's name. */
  readonly strategy: string;
  readonly message: string;
  /** `strategies/mine.ts:12`; null where the place is unknown. */
  readonly place: string | null;
}

/** One sentence, the same in `run`, `plan`, `backtest` and configuration errors. */
export function failureText({ strategy, message, place }: StrategyFailure): string {
  const at = place === null ? '' : ` (${place})`;
  return `The strategy "${strategy}" failed${at}: ${message.endsWith('.') ? message : `${message}.`}`;
}

/** An exception of the strategy as a failure. */
export function failureOf({ name }: { readonly name: string }, thrown: unknown): StrategyFailure {
  return { kind: 'strategy-failed', strategy: name, message: thrownText(thrown), place: placeOf(thrown) };
}

/** Longer texts of a strategy are cut: they end up in the journal, on the page and in the log. */
const LONGEST_MESSAGE = 300;

/** The thrown value as text. Even its conversion to text is user code. */
export function thrownText(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? errorText(thrown) : `${String(thrown)} was thrown`;
    return oneLine(text.replaceAll(`${ROOT}/`, ''));
  } catch {
    return 'what was thrown has no text';
  }
}

const errorText = ({ name, message }: Error): string =>
  name === 'Error' && message !== '' ? message : `${name}: ${message}`;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)} …` : line;
}

const HERE = 'src/quoting/strategy-call';
/** The project's folder: places are relative to it, so that no message contains a machine's paths. */
const ROOT = import.meta.dirname.slice(0, -HERE.length - 1);
const FRAME = /(?:file:\/\/)?(\/[^():]*):(\d+):\d+\)?$/;

/**
 * The innermost frame in the strategy's own file. Frames outward from the strategy call are ours; those further in than
 * its file belong to code it called.
 */
export function placeOf(thrown: unknown): string | null {
  try {
    const places = framesOf(thrown);
    const end = places.findIndex((place) => place.startsWith(`${HERE}/`));
    const within = end < 0 ? places : places.slice(0, end);
    return within.find((place) => place.startsWith('strategies/')) ?? within[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Innermost first, as `file:line` from the project's folder; for a strategy elsewhere from the folder above it, for any
 * other file only its name. Node's own are left out.
 */
function framesOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  return String(thrown.stack)
    .split('\n')
    .flatMap((line) => {
      const [, file, number] = FRAME.exec(line.trim()) ?? [];
      return file === undefined ? [] : [`${fromRoot(decodeURI(file))}:${number}`];
    });
}

const OWN_STRATEGY = /\/(strategies\/[^/]+)$/;

function fromRoot(file: string): string {
  if (file.startsWith(`${ROOT}/`)) return file.slice(ROOT.length + 1);
  return OWN_STRATEGY.exec(file)?.[1] ?? file.slice(file.lastIndexOf('/') + 1);
}
