// Reads the plans' prices from other exchanges until it is ended, and notifies each symbol whenever one of its sources
// has news.
import { setTimeout } from 'node:timers/promises';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import { type ExternalReading, readingOf, type Seen } from '../combine.ts';
import { type ExternalRead, keyOf, nameOfRead, readsOf, type SymbolPlan } from '../plan.ts';
import { type Ccxt, type CcxtExchange, openExchange, readPrice, unseen } from './exchange.ts';

export interface ReferencePlan extends LanePace {
  readonly symbols: readonly SymbolPlan[];
  /** Other addresses of exchanges, by their ids. */
  readonly baseUrls: Readonly<Record<string, string>>;
}

interface WatchParts {
  readonly ccxt: Ccxt;
  readonly clock: Clock;
  /** The middle of the book of a symbol that this bot quotes. */
  ofMarket(symbol: InstrumentSymbol): Seen;
  tell(symbol: InstrumentSymbol, reading: ExternalReading): void;
  /** A source fails, or answers again: called once for each change. */
  note(kind: 'fails' | 'answers', message: string): void;
}

/** Exchanges of the plan that are unknown to ccxt. */
export function unknownExchanges({ symbols }: ReferencePlan, { exchanges }: Ccxt): readonly string[] {
  return idsOf(readsOf(symbols)).filter((id) => !exchanges.includes(id));
}

const idsOf = (reads: readonly ExternalRead[]): string[] => [...new Set(reads.map(({ exchange }) => exchange))];

/** Starts at once. ccxt must know every exchange. */
export function watchReference(
  plan: ReferencePlan,
  { ccxt, clock, ofMarket, tell, note }: WatchParts,
): { end(): void } {
  const reads = readsOf(plan.symbols);
  const last = new Map<string, Seen>();
  const failing = new Set<string>();
  const prices = {
    ofExchange: (read: ExternalRead): Seen =>
      last.get(keyOf(read)) ?? { kind: 'unseen', why: `${nameOfRead(read)}: not read yet.` },
    ofMarket,
  };

  function reportChange(read: ExternalRead, seen: Seen): void {
    const key = keyOf(read);
    const name = nameOfRead(read);
    if (seen.kind === 'unseen' && !failing.has(key)) {
      failing.add(key);
      note(
        'fails',
        `The external price of ${name} cannot be read: ${seen.why} It is asked for again, later each time.`,
      );
    } else if (seen.kind === 'seen' && failing.delete(key)) note('answers', `${name} can be read again.`);
  }

  function news(read: ExternalRead, seen: Seen): void {
    reportChange(read, seen);
    const known = last.get(keyOf(read));
    // A failed read does not discard the earlier price, which ages by itself.
    if (seen.kind === 'seen' || known?.kind !== 'seen') last.set(keyOf(read), seen);
    for (const each of plan.symbols.filter((symbol) => isOf(symbol, read))) tell(each.symbol, readingOf(each, prices));
  }

  for (const each of plan.symbols) tell(each.symbol, readingOf(each, prices));
  const lanes = idsOf(reads).map((id) => {
    const settings = { timeoutMs: plan.timeoutMs, baseUrl: plan.baseUrls[id] ?? null };
    const own = reads.filter((read) => read.exchange === id);
    return startLane(() => openExchange(ccxt, id, settings), own, { ...plan, clock, news });
  });
  return {
    end: () => {
      for (const lane of lanes) lane.end();
    },
  };
}

const isOf = (plan: SymbolPlan, read: ExternalRead): boolean =>
  readsOf([plan]).some((each) => keyOf(each) === keyOf(read));

// The lane of one other exchange: one request at a time, spaced; each price is read again when due, later after each
// failure. Its delays can't hold up the lanes of our own exchange.

interface LanePace {
  /** How often each price is requested. */
  readonly pollMs: DurationMs;
  readonly timeoutMs: DurationMs;
  /** Highest rate for one exchange. */
  readonly requestsPerSecond: number;
}

interface LaneParts extends LanePace {
  readonly clock: Clock;
  /** Every answer, and every failure. */
  news(read: ExternalRead, seen: Seen): void;
}

/** Longest pause between two requests for a price, however often it failed. */
const LONGEST_PAUSE_MS: DurationMs = 60_000;
/** A first read fetches the list of markets before, and ccxt may wait for its own limit. */
const REQUESTS_PER_READ = 3;

interface Due {
  readonly read: ExternalRead;
  /** By the monotonic clock. */
  at: DurationMs;
  failures: number;
}

/** Starts at once. After `end` it reports and requests nothing more. */
function startLane(open: () => CcxtExchange, reads: readonly ExternalRead[], parts: LaneParts): { end(): void } {
  const { clock } = parts;
  const ended = new AbortController();
  let exchange = open();
  const due = reads.map((read): Due => ({ read, at: clock.monotonic(), failures: 0 }));

  async function run(): Promise<void> {
    for (;;) {
      const next = due.reduce((first, each) => (each.at < first.at ? each : first));
      await pause(next.at - clock.monotonic(), ended.signal);
      if (ended.signal.aborted) return;
      const startedAt = clock.monotonic();
      // ccxt requests its list of markets once, and keeps the result: an error, an empty list, no answer.
      const asked = next.failures === 0 || lists(exchange, next.read) ? exchange : open();
      const seen = await inTime(asked, next.read, parts);
      if (ended.signal.aborted) return;
      if (lists(asked, next.read)) exchange = asked;
      next.failures = seen.kind === 'seen' ? 0 : next.failures + 1;
      next.at = startedAt + pauseAfter(next.failures, parts.pollMs);
      parts.news(next.read, seen);
      await pause(startedAt + 1_000 / parts.requestsPerSecond - clock.monotonic(), ended.signal);
    }
  }

  if (due.length > 0) void run();
  return { end: () => ended.abort() };
}

const lists = ({ markets }: CcxtExchange, { symbol }: ExternalRead): boolean => markets?.[symbol] !== undefined;

function pauseAfter(failures: number, pollMs: DurationMs): DurationMs {
  return Math.max(pollMs, Math.min(LONGEST_PAUSE_MS, pollMs * 2 ** Math.min(failures, 10)));
}

/** ccxt's own timeout ends with the head of an answer, and excludes its own waiting. */
async function inTime(exchange: CcxtExchange, read: ExternalRead, { clock, timeoutMs }: LaneParts): Promise<Seen> {
  const patience = new AbortController();
  const limitMs = timeoutMs * REQUESTS_PER_READ;
  const late = pause(limitMs, patience.signal).then(() => unseen(read, `no whole answer within ${limitMs} ms`));
  const seen = await Promise.race([readPrice(exchange, read, clock.now()), late]);
  patience.abort();
  return seen;
}

/** Resolves after this time, or at once when aborted. */
const pause = (ms: DurationMs, signal: AbortSignal): Promise<void> =>
  setTimeout(Math.max(0, ms), undefined, { signal }).catch(() => {});
