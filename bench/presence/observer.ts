// Watches a played run from both sides: what the exchange holds at every change, and which books the trader took.
import type { Instrument } from '../../src/domain/instrument.ts';
import { invariant } from '../../src/domain/invariant.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import { reader } from '../../src/matching/engine.ts';
import type { MarketReader } from '../../src/matching/types.ts';
import type { PaperSettings } from '../../src/paper/state/settings.ts';
import { type ExchangeState, venueTime } from '../../src/paper/state/state.ts';
import type { RunSettings, TraderSettings } from '../../src/trader/state/settings.ts';
import type { TraderState } from '../../src/trader/state/state.ts';
import { holdingOf, symbolTruth } from './market-truth.ts';
import { createPrices, type Prices } from './markouts.ts';
import { createPresence, type Presence, type Tally } from './presence.ts';
import { seenCrowd } from './seen-crowd.ts';
import type { Span } from './spans.ts';
import { widthBpsOf } from './width.ts';
import { createWorstCase, type WorstCase } from './worst-case.ts';

export interface ObserverParts {
  readonly trader: TraderSettings;
  readonly account: string;
  readonly assetDecimals: number;
  /** Orders of the account that are somebody else's doing: they do not count. */
  readonly isForeign?: (orderId: string) => boolean;
  readonly counted: Readonly<Record<string, readonly Span[]>>;
  /** What is held is noted as it is at the ends of this span. */
  readonly span: Span;
}

/** Amounts of assets that the account holds, locked or not, at a moment, and the mids then. */
export interface Wealth {
  readonly held: Readonly<Record<string, number>>;
  readonly mids: Readonly<Record<string, number>>;
}

export interface Observer {
  /** The exchange's settings with every act of the others shown. */
  seen(paper: PaperSettings): PaperSettings;
  /** Between two timers; `trader` is null while the bot is down, `clockErrorMs` how far its clock is ahead. */
  watch(world: { exchange: ExchangeState; trader: TraderState | null; now: EpochMs; clockErrorMs?: number }): void;
  /** Of each symbol, by the names of what is counted. */
  ended(at: EpochMs): readonly Readonly<Record<string, Tally>>[];
  readonly mids: ReadonlyMap<string, Prices>;
  /** When each own order was first seen to rest. */
  readonly births: ReadonlyMap<string, EpochMs>;
  readonly worstCase: WorstCase;
  /** At the beginning and at the end of the span. */
  wealth(): { readonly first: Wealth | null; readonly last: Wealth | null };
}

interface Watched {
  readonly run: RunSettings;
  readonly instrument: Instrument;
  readonly presence: Presence;
  readonly mids: Prices;
  bookSentAt: EpochMs | null;
}

export function createObserver(parts: ObserverParts): Observer {
  const { trader: settings, account, span } = parts;
  const watched = settings.runs.map((run): Watched => {
    const presence = createPresence({ widthBps: widthBpsOf(run), counted: parts.counted });
    return { run, instrument: run.instrument, presence, mids: createPrices(), bookSentAt: null };
  });
  const births = new Map<string, EpochMs>();
  const worstCase = createWorstCase();
  let exchange: ExchangeState | null = null;
  let revision = -1;
  let first: Wealth | null = null;
  let last: Wealth | null = null;

  function changed(market: MarketReader, at: EpochMs): void {
    const reading = { market, account };
    for (const { run, instrument, presence, mids: prices } of watched) {
      const { mid, orders: all } = symbolTruth(reading, instrument);
      const orders = all.filter(({ orderId }) => parts.isForeign?.(orderId) !== true);
      presence.changed(at, { mid, orders });
      if (mid !== null) prices.add(at, mid);
      for (const { orderId } of orders) if (!births.has(orderId)) births.set(orderId, at);
      const [base, quote] = [instrument.base, instrument.quote].map((asset) =>
        holdingOf(reading, asset, parts.assetDecimals),
      );
      invariant(base !== undefined && quote !== undefined, 'A market has two assets.');
      worstCase.look(run, orders, { at, base, quote });
    }
    if (at >= span.from && first === null) first = wealthAt(market, at);
    if (at <= span.until) last = wealthAt(market, at);
  }

  function wealthAt(market: MarketReader, at: EpochMs): Wealth {
    const held: Record<string, number> = {};
    const mids: Record<string, number> = {};
    for (const { instrument, mids: prices } of watched) {
      for (const asset of [instrument.base, instrument.quote]) {
        const { free, locked } = holdingOf({ market, account }, asset, parts.assetDecimals);
        held[asset] = free + locked;
      }
      mids[instrument.base] = prices.at(at) ?? 0;
    }
    return { held, mids };
  }

  function booksOf(trader: TraderState, now: EpochMs, clockErrorMs: number): void {
    for (const each of watched) {
      const sentAt = trader.markets.get(each.instrument.symbol)?.book?.sentAt ?? null;
      if (sentAt === null || sentAt === each.bookSentAt) continue;
      each.bookSentAt = sentAt;
      each.presence.bookTaken({ from: now, until: sentAt - clockErrorMs + settings.ageLimits.bookMs });
    }
  }

  return {
    seen: (paper) => ({
      ...paper,
      crowd:
        paper.crowd &&
        seenCrowd(paper.crowd, (market, at) => {
          changed(market, exchange === null ? at : venueTime(exchange.crowdClock, at));
        }),
    }),
    watch(world) {
      exchange = world.exchange;
      if (world.trader !== null) booksOf(world.trader, world.now, world.clockErrorMs ?? 0);
      if (exchange.revision === revision) return;
      revision = exchange.revision;
      changed(reader(exchange.engine), exchange.lastAt);
    },
    ended: (at) => watched.map(({ presence }) => presence.ended(at)),
    mids: new Map(watched.map(({ instrument, mids }) => [instrument.symbol, mids])),
    births,
    worstCase,
    wealth: () => ({ first, last }),
  };
}
