// Reads what the plans need of other exchanges, for as long as it is not ended, and tells each symbol's sources
// whenever one of them has news.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ExternalReading } from '../combine.ts';
import { readingOf, type Seen } from '../convert.ts';
import { type ExternalRead, keyOf, nameOfRead, readsOf, type SymbolPlan } from '../plan.ts';
import { openExchange } from './exchange.ts';
import { type LanePace, startLane } from './lane.ts';
import type { Ccxt } from './library.ts';

export interface ReferencePlan extends LanePace {
  readonly symbols: readonly SymbolPlan[];
  /** Other addresses of exchanges, by their ids. */
  readonly baseUrls: Readonly<Record<string, string>>;
}

export interface WatchParts {
  readonly ccxt: Ccxt;
  readonly clock: Clock;
  /** The middle of the book of a symbol that this bot quotes. */
  ofMarket(symbol: InstrumentSymbol): Seen;
  tell(symbol: InstrumentSymbol, reading: ExternalReading): void;
  /** A source fails, or answers again: once for each change. */
  note(kind: 'fails' | 'answers', message: string): void;
}

/** Exchanges of the plan that ccxt does not know. */
export function unknownExchanges({ symbols }: ReferencePlan, { exchanges }: Ccxt): readonly string[] {
  return idsOf(readsOf(symbols)).filter((id) => !exchanges.includes(id));
}

const idsOf = (reads: readonly ExternalRead[]): string[] => [...new Set(reads.map(({ exchange }) => exchange))];

/** Begins at once. Every exchange must be one that ccxt knows. */
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

  function noteChange(read: ExternalRead, seen: Seen): void {
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
    noteChange(read, seen);
    const known = last.get(keyOf(read));
    // What failed does not take away what was read before: that grows old by itself.
    if (seen.kind === 'seen' || known?.kind !== 'seen') last.set(keyOf(read), seen);
    for (const each of plan.symbols.filter((symbol) => isOf(symbol, read))) tell(each.symbol, readingOf(each, prices));
  }

  for (const each of plan.symbols) tell(each.symbol, readingOf(each, prices));
  const lanes = idsOf(reads).map((id) => {
    const settings = { timeoutMs: plan.timeoutMs, baseUrl: plan.baseUrls[id] ?? null };
    const own = reads.filter((read) => read.exchange === id);
    const { pollMs, timeoutMs, requestsPerSecond } = plan;
    return startLane(() => openExchange(ccxt, id, settings), own, {
      pollMs,
      timeoutMs,
      requestsPerSecond,
      clock,
      news,
    });
  });
  return {
    end: () => {
      for (const lane of lanes) lane.end();
    },
  };
}

const isOf = (plan: SymbolPlan, read: ExternalRead): boolean =>
  readsOf([plan]).some((each) => keyOf(each) === keyOf(read));
