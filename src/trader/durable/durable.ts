// The part of the trader that survives: the fold of its journal.
import type { Decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { IntentId, OrderId, TradeId } from '../../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Amount } from '../../ledger/amount.ts';
import { type BookedTrades, NO_TRADES } from '../../ledger/booked-trades.ts';
import { EMPTY_LEDGER, type Ledger } from '../../ledger/ledger.ts';
import type { Pnl } from '../../ledger/pnl.ts';
import type { Believed } from './believed.ts';
import type { Intent } from './intent.ts';
import { emptyRisk, type RiskState } from './risk-state.ts';

/** Where the own trades of a symbol have been read to: the highest id, and its time by the venue's clock. */
export interface TradesCursor {
  readonly tradeId: TradeId;
  readonly venueTime: EpochMs;
}

/** A booked trade: what names it, and when it happened. */
export interface BookedMark extends TradesCursor {
  readonly side: Side;
}

/** How many of them are remembered per symbol. */
export const LOOK_BACK_TRADES = 500;

export interface FillTally {
  buys: number;
  sells: number;
  takers: number;
  /** Of `takers`, those that bought. */
  takerBuys: number;
  quoteVolume: Decimal;
  /** Newest first, `RECENT_FILLS`; more while the oldest may be of an order whose create has no answer. */
  readonly recent: { readonly fill: Fill; readonly ours: boolean }[];
}

/** A difference that a person took for his own doing, and that no list has named since. */
export interface Accepted {
  readonly asset: Asset;
  /** What the wallet gained, or lost. */
  readonly amount: Amount;
  /** By our clock. */
  readonly at: EpochMs;
}

/** How many of them are remembered: rows are looked for a few days behind. */
export const ACCEPTED_REMEMBERED = 50;

/** An order that a person was asked about. */
export interface Questioned {
  readonly symbol: InstrumentSymbol;
  /**
   * `twin`: it has the values of an order of ours. `near`: values that the exchange may have made of them (F16).
   * `later`: it came after the end of a journal that may be old. `part`: it filled in part at our price, and is gone.
   */
  readonly as: 'twin' | 'near' | 'later' | 'part';
  /** As listed; null where no list had shown it, and in what an older program folded. */
  readonly order: QuestionedOrder | null;
}

export interface QuestionedOrder {
  readonly side: Side;
  /** Plain text. */
  readonly price: string;
  readonly quantity: string;
}

/** How many closed intents and order ids are remembered, for fills and list rows that come late. */
export const CLOSED_REMEMBERED = 5_000;
/** Exchanges take fewer open orders than that. */
export const THIRD_PARTY_REMEMBERED = 500;
export const RECENT_FILLS = 20;

/** An order that was refused with 200 and placed all the same. */
export interface Breach {
  readonly intentId: IntentId;
  /** When the order was found, by our clock. */
  readonly at: EpochMs;
}

/** Owned linearly, like the state that holds it. */
export interface Durable {
  /** Rises with every start of the program on this journal. */
  epoch: number;
  paperInstance: string | null;
  /** Whether the opening balances are booked. */
  opened: boolean;
  /** When they were, by the exchange's clock, as transfers and trades are; null before. */
  openedAt: EpochMs | null;
  /**
   * The markets that the ledger answers for, and since when it counts their trades, by the exchange's clock: also those
   * that are no longer configured. Null in what an older program folded.
   */
  markets: Map<InstrumentSymbol, EpochMs> | null;
  /**
   * Markets that were configured later and are not opened yet: nothing that happened to them since this moment, by our
   * clock, is accounted for.
   */
  readonly added: Map<InstrumentSymbol, EpochMs>;
  /** Assets that were opened with such a market: when, by the exchange's clock. */
  readonly assetsOpened: Map<Asset, EpochMs>;
  /** All that are not closed. */
  readonly intents: Map<IntentId, Intent>;
  /** The last closed ones, oldest first. */
  readonly closed: Map<IntentId, Intent>;
  /** Of both maps above. */
  readonly orders: Map<OrderId, IntentId>;
  nextIntentNumber: number;
  ledger: Ledger;
  booked: BookedTrades;
  /**
   * The last booked trades of each symbol, oldest first, for the look back: which of them the exchange no longer shows.
   */
  readonly lookBack: Map<InstrumentSymbol, BookedMark[]>;
  readonly cursors: Map<InstrumentSymbol, TradesCursor>;
  /** The newest own trade that was there before the bot: it and what is older is never booked. */
  readonly opening: Map<InstrumentSymbol, TradesCursor>;
  readonly pnl: Map<InstrumentSymbol, Pnl>;
  readonly tallies: Map<InstrumentSymbol, FillTally>;
  /** The reference price of the last create of each symbol, and when that was. */
  readonly references: Map<InstrumentSymbol, { readonly price: string; readonly at: EpochMs }>;
  readonly halts: Map<InstrumentSymbol, string>;
  /**
   * Where the journal ended when it was found to be older than the account, by our clock; null while no symbol is
   * halted for that.
   */
  staleFrom: EpochMs | null;
  /**
   * Orders of the last hour that were refused with 200 and placed all the same, oldest first, until the symbol is
   * resumed.
   */
  readonly breaches: Map<InstrumentSymbol, readonly Breach[]>;
  /**
   * Markets whose last trade known can't be joined to the present: when that was last found, by the exchange's clock.
   * Whoever resumes the symbol has taken note of it.
   */
  readonly gaps: Map<InstrumentSymbol, EpochMs>;
  /** Orders that may be ours, by id, until their symbol is resumed. */
  readonly questioned: Map<OrderId, Questioned>;
  /**
   * Orders of which a person said that they are not the bot's, oldest first: however alike they are, nobody asks again.
   */
  readonly thirdParty: Set<OrderId>;
  /** Differences between wallet and ledger that were found and have not gone away. */
  readonly differences: Map<Asset, Believed>;
  /**
   * When the newest of what is not explained (a difference, or what is in suspense) was believed; null while all is
   * explained.
   */
  unexplainedSince: EpochMs | null;
  /** Newest last. */
  readonly accepted: Accepted[];
  /** Transfers that are booked: how many of each name. */
  readonly transfers: Map<string, number>;
  /**
   * What the last wallet that equalled the ledger, while nothing was unexplained, held of assets that no run trades.
   */
  heldElsewhere: ReadonlyMap<Asset, Amount>;
  /** Simple buys and sells that are booked. */
  conversions: BookedTrades;
  readonly risk: RiskState;
  /** When the last event happened, by our clock. */
  lastEventAt: EpochMs;
  /** Whether the last session ended with every own order proved gone. */
  endedFlat: boolean;
}

export function emptyDurable(): Durable {
  return {
    epoch: 0,
    paperInstance: null,
    opened: false,
    openedAt: null,
    markets: null,
    added: new Map(),
    assetsOpened: new Map(),
    intents: new Map(),
    closed: new Map(),
    orders: new Map(),
    nextIntentNumber: 1,
    ledger: EMPTY_LEDGER,
    booked: NO_TRADES,
    lookBack: new Map(),
    cursors: new Map(),
    opening: new Map(),
    pnl: new Map(),
    tallies: new Map(),
    references: new Map(),
    halts: new Map(),
    staleFrom: null,
    breaches: new Map(),
    gaps: new Map(),
    questioned: new Map(),
    thirdParty: new Set(),
    differences: new Map(),
    unexplainedSince: null,
    accepted: [],
    transfers: new Map(),
    heldElsewhere: new Map(),
    conversions: NO_TRADES,
    risk: emptyRisk(),
    lastEventAt: 0,
    endedFlat: false,
  };
}

/** Intents of a symbol that are not closed, oldest first. */
export function liveIntents(durable: Durable, symbol: InstrumentSymbol): Intent[] {
  return [...durable.intents.values()].filter((intent) => intent.symbol === symbol);
}
