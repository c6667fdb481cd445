// The sources of one symbol on other exchanges, their conversion, and how far they are trusted.
import type { Decimal } from '../domain/decimal.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import type { DurationMs } from '../domain/time.ts';

/**
 * `ticker`: the middle of a ticker's best prices. `book`: the best prices of a book, each weighted by the size at the
 * other.
 */
type ReadKind = 'ticker' | 'book';

/** One price of another exchange. */
export interface ExternalRead {
  /** By ccxt's id: `binance`, `kraken`. */
  readonly exchange: string;
  /** In ccxt's form: `BTC/USDT`. */
  readonly symbol: InstrumentSymbol;
  readonly read: ReadKind;
}

/** One step of a conversion. Its symbol contains the asset to convert; the other asset is the result. */
export type Rate =
  | ({ readonly kind: 'exchange' } & ExternalRead)
  /** The middle of the book of a symbol that this bot quotes, without its own orders. */
  | { readonly kind: 'market'; readonly symbol: InstrumentSymbol }
  | { readonly kind: 'fixed'; readonly symbol: InstrumentSymbol; readonly price: Decimal };

export interface ExternalSource extends ExternalRead {
  /** In this order; empty if the source is in our own quote asset. */
  readonly rates: readonly Rate[];
}

/** When sources are too old or too far apart. Distances in basis points of the median. */
export interface ReferenceGuards {
  /** With fewer fresh ones there is no price. */
  readonly minimumSources: number;
  /** From this age of its oldest source on, each further second widens by one basis point. */
  readonly widenAfterMs: DurationMs;
  /** An older source is left out. */
  readonly staleMs: DurationMs;
  /** A gap between the two farthest sources above this widens by the excess. */
  readonly widenBeyondBps: number;
  /** Farther apart than this there is no price. */
  readonly stopBeyondBps: number;
}

export interface SymbolPlan {
  /** A symbol that this bot quotes. */
  readonly symbol: InstrumentSymbol;
  readonly sources: readonly ExternalSource[];
  readonly guards: ReferenceGuards;
}

/** The effect of a conversion step. */
type Turn =
  | { readonly kind: 'turns'; readonly to: Asset; readonly inverted: boolean }
  | { readonly kind: 'does-not-hold' };

/** The asset that `from` converts to by a rate of `symbol`; `inverted` where its price divides. */
export function turnOf(from: Asset, symbol: InstrumentSymbol): Turn {
  const assets = parseSymbol(symbol);
  if (assets?.base === from) return { kind: 'turns', to: assets.quote, inverted: false };
  if (assets?.quote === from) return { kind: 'turns', to: assets.base, inverted: true };
  return { kind: 'does-not-hold' };
}

/** `binance BTC/USDT`. */
export const nameOfRead = ({ exchange, symbol }: Pick<ExternalRead, 'exchange' | 'symbol'>): string =>
  `${exchange} ${symbol}`;

/** Every read that the plans need from other exchanges, each once. */
export function readsOf(plans: readonly SymbolPlan[]): readonly ExternalRead[] {
  const all = plans.flatMap(({ sources }) => sources.flatMap((source) => [source, ...externalRates(source)]));
  const byKey = new Map(
    all.map(({ exchange, symbol, read }) => [keyOf({ exchange, symbol, read }), { exchange, symbol, read }]),
  );
  return [...byKey.values()];
}

const externalRates = ({ rates }: ExternalSource): readonly ExternalRead[] =>
  rates.flatMap((rate) => (rate.kind === 'exchange' ? [rate] : []));

/** Equal for reads that a single request answers. */
export const keyOf = ({ exchange, symbol, read }: ExternalRead): string => `${exchange} ${symbol} ${read}`;
