// Writes the engine's integers for the wire: plain notation, no trailing zeros. Works on the digits, not through a
// Decimal: a page of the book has a hundred of them, and an order several.
import { type Decimal, decimal, plain } from '../../domain/decimal.ts';
import type { Asset, Instrument } from '../../domain/instrument.ts';
import type { AccountName, Lots, MarketReader, Posting, Ticks, Units } from '../../matching/types.ts';
import type { LockPurpose } from './owner-actions.ts';

export function priceText(price: Ticks, instrument: Instrument): string {
  return stepsText(price, instrument.tickSize);
}

export function quantityText(quantity: Lots, instrument: Instrument): string {
  return stepsText(quantity, instrument.lotSize);
}

export function unitsText(units: Units, decimals: number): string {
  const negative = units < 0n;
  const text = pointed((negative ? -units : units).toString(), decimals);
  return negative ? `-${text}` : text;
}

/** A step as `units` of 10^-decimals. */
interface StepDigits {
  readonly units: number;
  readonly decimals: number;
  /** Texts written so far, by the number of steps. Cleared when full. */
  readonly written: Map<number, string>;
}

const MOST_WRITTEN = 4_096;

/** Results of `digitsOf`: one entry per instrument step, collected with it. */
const knownSteps = new WeakMap<Decimal, StepDigits>();

function digitsOf(step: Decimal): StepDigits {
  const known = knownSteps.get(step);
  if (known !== undefined) return known;
  const decimals = step.decimalPlaces();
  const digits = { units: Number(step.toFixed(decimals).replace('.', '')), decimals, written: new Map() };
  knownSteps.set(step, digits);
  return digits;
}

function stepsText(steps: number, step: Decimal): string {
  const { units, decimals, written } = digitsOf(step);
  const known = written.get(steps);
  if (known !== undefined) return known;
  const total = steps * units;
  // A product that a number can't hold exactly uses Decimal.
  const isExact = Number.isSafeInteger(total) && total >= 0;
  const text = isExact ? pointed(String(total), decimals) : plain(step.mul(steps));
  if (written.size >= MOST_WRITTEN) written.clear();
  written.set(steps, text);
  return text;
}

/** Digits with a point before the last `decimals` of them, without trailing zeros. */
function pointed(whole: string, decimals: number): string {
  if (decimals === 0) return whole;
  const digits = whole.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

// Reads the price or quantity of an order as a whole number of its steps.

const PLAIN_DECIMAL = /^\d{1,40}(?:\.\d{1,40})?$/;

/** `malformed`: not text in plain notation, not above zero, or more than 2^53 − 1 steps. */
export function readSteps(given: unknown, step: Decimal): number | 'malformed' | 'off-step' {
  if (typeof given !== 'string' || !PLAIN_DECIMAL.test(given)) return 'malformed';
  const value = decimal(given);
  const steps = value.div(step);
  if (!steps.gt(0) || steps.gt(Number.MAX_SAFE_INTEGER)) return 'malformed';
  return value.mod(step).isZero() ? steps.toNumber() : 'off-step';
}

// Money that an account owns and can't use: each purpose has a pocket, an engine account of its own, so that the engine
// itself guards against losing any of it.

/** `order`: for orders that wait outside the book. */
export type Purpose = LockPurpose | 'order' | 'withdrawal';

/** All of them. */
export const PURPOSES: readonly Purpose[] = ['order', 'withdrawal', 'p2p', 'staking', 'otc', 'fixed-deposit'];
const POCKET = new RegExp(`^(.*) \\((?:${PURPOSES.join('|')})\\)$`, 's');

/** The engine account of a pocket: `alice (staking)`. */
export function pocketOf(account: AccountName, purpose: Purpose): AccountName {
  return `${account} (${purpose})`;
}

/** The owner of a pocket's engine account; `null` for any other account. */
export function ownerOfPocket(name: AccountName): AccountName | null {
  return POCKET.exec(name)?.[1] ?? null;
}

/** An amount for a purpose, zero or more. */
export interface Portion {
  readonly account: AccountName;
  readonly purpose: Purpose;
  readonly asset: Asset;
  readonly amount: Units;
}

/** Moves money from free into the pocket. */
export function intoPocket({ account, purpose, asset, amount }: Portion): readonly Posting[] {
  return [
    { account, asset, amount: -amount },
    { account: pocketOf(account, purpose), asset, amount },
  ];
}

/** Moves money from the pocket back to free. */
export function outOfPocket(portion: Portion): readonly Posting[] {
  return intoPocket({ ...portion, amount: -portion.amount });
}

/** A pocket's balance. */
export function pocketBalance(market: MarketReader, { account, purpose, asset }: Omit<Portion, 'amount'>): Units {
  return market.balance(pocketOf(account, purpose), asset).free;
}
