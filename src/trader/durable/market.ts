// What the journal says of one market, and the one reader and the one writer of the map that holds them.

import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { IntentId, TradeId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { EMPTY_PNL, type Pnl } from '../../ledger/pnl.ts';
import type { Halt } from '../../quoting/block.ts';
import type { Lock } from '../../quoting/protection-settings.ts';
import { emptyMarketRisk, type MarketRisk, type OwnLot } from './remembered.ts';
import type { Revision } from './revision.ts';

/** Where the own trades of a market have been read to: the highest id, and its time by the venue's clock. */
export interface TradesCursor {
  readonly tradeId: TradeId;
  readonly venueTime: EpochMs;
}

/** A booked trade: what names it, and when it happened. */
export interface BookedMark extends TradesCursor {
  readonly side: Side;
}

/** How many of them are remembered per market. */
export const BOOKED_REMEMBERED = 500;

export interface FillTally {
  buys: number;
  sells: number;
  takers: number;
  /** Of `takers`, those that bought. */
  takerBuys: number;
  quoteVolume: Decimal;
  /** Newest first, `RECENT_FILLS`; more while the oldest may be of an order whose create has no answer. */
  readonly recent: RecentFill[];
}

export interface RecentFill {
  readonly fill: Fill;
  readonly ours: boolean;
  /** Creates that had no answer when it was booked as the owner's, and whose order it may be of. */
  readonly mayBeOf?: readonly IntentId[];
}

export const RECENT_FILLS = 20;

/** An order that was refused with 200 and placed all the same. */
export interface Breach {
  readonly intentId: IntentId;
  /** When the order was found, by our clock. */
  readonly at: EpochMs;
}

export interface LastReference {
  readonly price: string;
  readonly at: EpochMs;
  readonly isOfOther?: true;
  readonly isStated?: true;
}

/** What the journal says of one market, configured or not. */
export interface DurableMarket {
  /** Since when the ledger counts its trades, by the exchange's clock; null where it does not answer for it. */
  openedSince: EpochMs | null;
  /** The last booked trades, oldest first, for the late-trade scan: which of them the exchange no longer shows. */
  bookedLately: BookedMark[];
  cursor: TradesCursor | null;
  /** The newest own trade that was there before the bot: it and what is older is never booked. */
  openingCursor: TradesCursor | null;
  pnl: Pnl;
  readonly tally: FillTally;
  /** What own buys brought, oldest first: those that add up to what is held, and some before. */
  ownLots: readonly OwnLot[];
  /**
   * The reference price of the last create, and when that was. `isOfOther`: the run takes it from elsewhere since.
   * `isStated`: a person typed it since, for the next session to compare its first book with; nothing is valued at it.
   */
  lastReference: LastReference | null;
  /** Why it is not quoted until a person resumes it; `halted` where that was written before codes were. */
  halt: Halt | null;
  /** Of the last hour, oldest first, until the market is resumed. */
  breaches: readonly Breach[];
  /**
   * Where the last trade known can't be joined to the present: when that was last found, by the exchange's clock.
   * Whoever resumes the market has taken note of it.
   */
  gapUntil: EpochMs | null;
  /** Why a side, or both, is not quoted for a while; also such as have ended and were not removed yet. */
  locks: readonly Lock[];
  readonly risk: MarketRisk;
  /** What the run's parameters are; null before they were first written down. */
  revision: Revision | null;
}

export function emptyMarket(): DurableMarket {
  return {
    openedSince: null,
    bookedLately: [],
    cursor: null,
    openingCursor: null,
    pnl: EMPTY_PNL,
    tally: { buys: 0, sells: 0, takers: 0, takerBuys: 0, quoteVolume: ZERO, recent: [] },
    ownLots: [],
    lastReference: null,
    halt: null,
    breaches: [],
    gapUntil: null,
    locks: [],
    risk: emptyMarketRisk(),
    revision: null,
  };
}

interface Markets {
  readonly markets: Map<InstrumentSymbol, DurableMarket>;
}

const NOTHING_KNOWN: Readonly<DurableMarket> = frozen(emptyMarket());

function frozen<T extends object>(value: T): Readonly<T> {
  const isPlain = (held: unknown): held is object =>
    Array.isArray(held) || (held instanceof Object && Object.getPrototypeOf(held) === Object.prototype);
  Object.values(value).filter(isPlain).forEach(frozen);
  return Object.freeze(value);
}

/** What is known of the market, to read. Where nothing is, that is so: no entry is made. */
export const marketIn = ({ markets }: Markets, symbol: InstrumentSymbol): Readonly<DurableMarket> =>
  markets.get(symbol) ?? NOTHING_KNOWN;

/** For the fold alone: the market's entry, made where there is none. */
export function marketToChange({ markets }: Markets, symbol: InstrumentSymbol): DurableMarket {
  const known = markets.get(symbol);
  if (known !== undefined) return known;
  const market = emptyMarket();
  markets.set(symbol, market);
  return market;
}
