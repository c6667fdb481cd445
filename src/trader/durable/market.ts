// The journal's facts about one market, and the only reader and the only writer of the map that holds them.
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { IntentId, TradeId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { EMPTY_PNL, type Pnl } from '../../ledger/pnl.ts';
import type { Halt } from '../../quoting/block.ts';
import type { Lock } from '../../quoting/protection-settings.ts';
import { emptyMarketRisk, type MarketRisk, type OwnLot } from './remembered.ts';
import type { Revision } from './revision.ts';

/** How far a market's own trades have been read: the highest id, and its time by the exchange's clock. */
export interface TradesCursor {
  readonly tradeId: TradeId;
  readonly venueTime: EpochMs;
}

export interface FillTally {
  buys: number;
  sells: number;
  takers: number;
  /** Number of buys among `takers`. */
  takerBuys: number;
  quoteVolume: Decimal;
}

export interface RecentFill {
  readonly fill: Fill;
  readonly ours: boolean;
}

/** Number of booked trades remembered per market. */
export const FILLS_REMEMBERED = 500;
/** Number of them shown to people and strategies. */
export const FILLS_SHOWN = 20;

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

/** The journal's facts about one market, configured or not. */
export interface DurableMarket {
  /** Since when the ledger counts its trades, by the exchange's clock; null if it does not cover the market. */
  openedSince: EpochMs | null;
  /**
   * The last booked trades, oldest first by id: a late-trade scan finds which of them the exchange no longer shows, and
   * one booked as the owner's may turn out to be of an order of ours.
   */
  readonly recent: RecentFill[];
  cursor: TradesCursor | null;
  /** The newest own trade from before the bot: it and older ones are never booked. */
  openingCursor: TradesCursor | null;
  pnl: Pnl;
  readonly tally: FillTally;
  /** Lots of own purchases, oldest first: those that add up to the holdings, and some earlier ones. */
  ownLots: readonly OwnLot[];
  /**
   * The reference price of the last create, and its time. `isOfOther`: the run has another source since. `isStated`: a
   * person stated it since, for the next session to compare its first book with; nothing is valued at it.
   */
  lastReference: LastReference | null;
  /** Why it is not quoted until a person resumes it; `halted` if recorded before codes existed. */
  halt: Halt | null;
  /** Within the last hour, oldest first, until the market is resumed. */
  breaches: readonly Breach[];
  /**
   * When the last known trade was last found not to join up with the present, by the exchange's clock. A person who
   * resumes the market has accepted that.
   */
  gapUntil: EpochMs | null;
  /** Why a side, or both, is not quoted for a while; includes ended locks that were not removed yet. */
  locks: readonly Lock[];
  readonly risk: MarketRisk;
  /** The run's parameters; null before they were first recorded. */
  revision: Revision | null;
}

export function emptyMarket(): DurableMarket {
  return {
    openedSince: null,
    recent: [],
    cursor: null,
    openingCursor: null,
    pnl: EMPTY_PNL,
    tally: { buys: 0, sells: 0, takers: 0, takerBuys: 0, quoteVolume: ZERO },
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

/** The market's facts, to read. Returns empty facts if there are none, and adds no entry. */
export const marketIn = ({ markets }: Markets, symbol: InstrumentSymbol): Readonly<DurableMarket> =>
  markets.get(symbol) ?? NOTHING_KNOWN;

/** For the fold alone: the market's entry, created if missing. */
export function marketToChange({ markets }: Markets, symbol: InstrumentSymbol): DurableMarket {
  const known = markets.get(symbol);
  if (known !== undefined) return known;
  const market = emptyMarket();
  markets.set(symbol, market);
  return market;
}
