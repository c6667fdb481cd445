// Counting requests against windows, each caller on its own.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { AccountName } from '../../matching/types.ts';
import type { EndpointName, LaneName } from '../../venue/requests.ts';

/** At most `requests` in each stretch of `perMs`, which begins with the first request in it. */
export interface RateWindow {
  readonly requests: number;
  readonly perMs: DurationMs;
}

/** Per address for public and legacy calls, per key for private ones; an empty list sets no limit. */
export type RateLimits = Readonly<Record<LaneName, readonly RateWindow[]>>;

interface Count {
  startedAt: EpochMs;
  used: number;
}

/**
 * Most callers that called lately, and as many before them, are remembered; the others begin a new window if they
 * return.
 */
export const CALLERS_MAX = 5_000;

/** One list of counts per caller, in the order of the windows. */
class CallerCounts {
  /** Who called since the older ones were last forgotten. */
  #recent = new Map<string, Count[]>();
  #older = new Map<string, Count[]>();

  /** The counts of a caller, to be changed in place. */
  of(name: string): Count[] {
    const recent = this.#recent.get(name);
    if (recent) return recent;
    const own = this.#older.get(name) ?? [];
    if (this.#recent.size >= CALLERS_MAX) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, own);
    return own;
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  clear(): void {
    this.#recent.clear();
    this.#older.clear();
  }
}

/**
 * Keys apart from addresses: anybody may come from many addresses, and must not make the exchange forget a key's
 * requests.
 */
export interface RateCounts {
  readonly key: CallerCounts;
  readonly address: CallerCounts;
}

export function createRateCounts(): RateCounts {
  return { key: new CallerCounts(), address: new CallerCounts() };
}

/** Who is counted, and against what. A name is an API key, or the kind of limit and an address. */
interface Scope {
  readonly by: keyof RateCounts;
  readonly name: string;
  readonly windows: readonly RateWindow[];
}

/** What the tightest window says after (or, if refused, instead of) counting the request. */
export interface RateReading {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: EpochMs;
}

/** Counts one request, unless one of the windows is full: then nothing is counted. `null`: no limit applies. */
export function countRequest(counts: RateCounts, { by, name, windows }: Scope, now: EpochMs): RateReading | null {
  if (windows.length === 0) return null;
  const own = counts[by].of(name);
  let allowed = true;
  windows.forEach((window, index) => {
    const count = currentCount(own[index], window, now);
    own[index] = count;
    if (count.used >= window.requests) allowed = false;
  });
  if (allowed) for (const count of own) count.used += 1;
  return tightest(own, windows, allowed);
}

/** A window that is over begins anew. */
function currentCount(count: Count | undefined, window: RateWindow, now: EpochMs): Count {
  const running = count !== undefined && now < count.startedAt + window.perMs;
  return running ? count : { startedAt: now, used: 0 };
}

function tightest(counts: readonly Count[], windows: readonly RateWindow[], allowed: boolean): RateReading {
  let reading: RateReading = { allowed, limit: 0, remaining: Number.POSITIVE_INFINITY, resetAt: 0 };
  windows.forEach((window, index) => {
    const count = counts[index] ?? { startedAt: 0, used: 0 };
    const remaining = Math.max(0, window.requests - count.used);
    const resetAt = count.startedAt + window.perMs;
    const tighter = remaining < reading.remaining || (remaining === reading.remaining && resetAt > reading.resetAt);
    if (tighter) reading = { allowed, limit: window.requests, remaining, resetAt };
  });
  return reading;
}

/** What the headers of a call that fails by order say: a 429 says when to come again. */
export function rateOfFailure(code: number, reading: RateReading | null, now: EpochMs): RateReading | null {
  return code === -1003 ? spent(reading, now) : reading;
}

/** The reading of a caller that is refused whatever it has left: no room for another second. */
export function spent(reading: RateReading | null, now: EpochMs): RateReading {
  const { limit, resetAt } = reading ?? { limit: 1, resetAt: now };
  return { allowed: false, limit, remaining: 0, resetAt: Math.max(resetAt, now + 1_000) };
}

// Answers that are refused by order: rules of the control interface that let a documented code come instead of, or
// after, the work.

/** Calls that passed the gate and fit all that is given here fail; the first rule that fits is the one that counts. */
export interface FailureRule {
  /** The endpoint by its name, or by a path (of which legacy depth and trades have two); `null` fits every endpoint. */
  readonly endpoint: EndpointName | null;
  readonly path?: string;
  /** Only calls of this account. */
  readonly account?: AccountName;
  /** Only calls that name this symbol, in the query or in the body. */
  readonly symbol?: InstrumentSymbol;
  /** A documented code. The legacy interface answers with its status alone. */
  readonly code: number;
  /** How many calls that fit go well before. */
  readonly skip: number;
  /** How many calls fail then; `null`: all, until the rule is taken away. */
  readonly times: number | null;
  /** Whether the work is done before the call fails: `{code}` may come for an order that exists. */
  readonly processed: boolean;
}

/** A call, as far as rules look at it. */
export interface Call {
  readonly endpoint: EndpointName;
  readonly path: string;
  readonly account: AccountName | null;
  readonly symbol: string | null;
}

/** What a call is refused with. */
export type Failure = Pick<FailureRule, 'code' | 'processed'>;

/**
 * The rules as they stand after this call, and what the call is refused with, if it is. Rules that are used up are
 * gone.
 */
export function takeFailure(
  rules: readonly FailureRule[],
  call: Call,
): { readonly rules: readonly FailureRule[]; readonly failure: Failure | null } {
  const index = rules.findIndex((rule) => fits(rule, call));
  const rule = rules[index];
  if (rule === undefined) return { rules, failure: null };
  if (rule.skip > 0) return { rules: rules.with(index, { ...rule, skip: rule.skip - 1 }), failure: null };
  const failure = { code: rule.code, processed: rule.processed };
  if (rule.times === null) return { rules, failure };
  const left = rule.times - 1;
  return { rules: left > 0 ? rules.with(index, { ...rule, times: left }) : rules.toSpliced(index, 1), failure };
}

function fits(rule: FailureRule, call: Call): boolean {
  return (
    (rule.endpoint === null || rule.endpoint === call.endpoint) &&
    (rule.path === undefined || rule.path === call.path) &&
    (rule.account === undefined || rule.account === call.account) &&
    (rule.symbol === undefined || rule.symbol === call.symbol)
  );
}
