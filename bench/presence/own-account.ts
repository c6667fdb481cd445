// The bot's own account of its time in the market, beside what the exchange's books say: what it adds up to within the
// spans that are counted, over all its restarts. Asking changes nothing.
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import { presenceView, shareSince, type TimeShare } from '../../src/trader/presence/presence.ts';
import type { TraderState } from '../../src/trader/state/state.ts';
import type { OwnFigures } from './result.ts';
import type { Span } from './spans.ts';

export interface OwnAccount {
  /** After each event; `trader` is null while the bot is down, `clockErrorMs` how far its clock is ahead. */
  watch(world: {
    readonly trader: TraderState | null;
    readonly now: EpochMs;
    readonly clockErrorMs?: DurationMs;
  }): void;
  /** By the names of what is counted. */
  figures(): Readonly<Record<string, OwnFigures>>;
}

export interface OwnAccountSettings {
  readonly symbols: readonly InstrumentSymbol[];
  readonly counted: Readonly<Record<string, readonly Span[]>>;
}

/** Milliseconds by what held; `down` where there was no bot to count. */
type Sums = Map<string, DurationMs>;

interface Stretch {
  readonly trader: TraderState | null;
  readonly from: EpochMs;
  readonly begun: ReadonlyMap<InstrumentSymbol, TimeShare>;
}

const MS: DurationMs = 1_000;

export function createOwnAccount({ symbols, counted }: OwnAccountSettings): OwnAccount {
  const spans = Object.values(counted).flat();
  const bounds = spans.flatMap(({ from, until }) => [from, until]).toSorted((a, b) => a - b);
  const sums = new Map<string, Map<InstrumentSymbol, Sums>>(
    Object.keys(counted).map((name) => [name, new Map(symbols.map((symbol) => [symbol, new Map()]))]),
  );
  let stretch: Stretch | null = null;
  let last = { now: 0, byBot: 0 };

  const read = (trader: TraderState | null, byBot: EpochMs): Stretch['begun'] =>
    new Map(
      symbols.flatMap((each) => {
        // A market may be left out for a while.
        const market = trader?.markets.get(each);
        return trader && market ? [[each, presenceView(trader, market, byBot).sinceStart.both] as const] : [];
      }),
    );

  function close(at: typeof last): void {
    if (stretch === null) return;
    const { trader, from, begun } = stretch;
    const ended = read(trader, at.byBot);
    for (const [name, bySymbol] of sums) {
      if (counted[name]?.some((span) => span.from <= from && from < span.until) !== true) continue;
      for (const [symbol, into] of bySymbol) {
        const share = ended.get(symbol);
        if (share === undefined) add(into, 'down', at.now - from);
        else addAll(into, shareSince(begun.get(symbol) ?? null, share));
      }
    }
  }

  return {
    watch({ trader, now, clockErrorMs = 0 }) {
      const here = { now, byBot: now + clockErrorMs };
      const isOther = stretch !== null && stretch.trader !== trader;
      const [bound] = bounds;
      if (isOther || (bound !== undefined && bound <= now)) {
        // A bot that has ended is asked as of when it was last seen.
        close(isOther ? last : here);
        stretch = { trader, from: now, begun: read(trader, here.byBot) };
      }
      while (bounds[0] !== undefined && bounds[0] <= now) bounds.shift();
      last = here;
    },
    figures: () => Object.fromEntries([...sums].map(([name, bySymbol]) => [name, figuresOf([...bySymbol.values()])])),
  };
}

function addAll(into: Sums, { freshMs, lost }: TimeShare): void {
  add(into, FRESH, freshMs);
  for (const { reason, ms } of lost) add(into, reason, ms);
}

function add(into: Sums, what: string, ms: DurationMs): void {
  into.set(what, (into.get(what) ?? 0) + ms);
}

const FRESH = 'fresh';

function figuresOf(symbols: readonly Sums[]): OwnFigures {
  const shares = symbols.flatMap((sums) => {
    const all = [...sums.values()].reduce((total, ms) => total + ms, 0);
    return all === 0 ? [] : [(sums.get(FRESH) ?? 0) / all];
  });
  const lostSeconds: Record<string, number> = {};
  for (const sums of symbols)
    for (const [what, ms] of sums) if (what !== FRESH) lostSeconds[what] = (lostSeconds[what] ?? 0) + ms / MS;
  const fresh = shares.length === 0 ? null : shares.reduce((sum, each) => sum + each, 0) / shares.length;
  return { fresh, lostSeconds };
}
