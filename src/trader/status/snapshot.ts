// The words for an own order and for a side of a symbol, as everything that shows them has them.
import type { Block, Halt } from '../../quoting/block.ts';
import type { LimitsUsed } from '../../quoting/risk/exposure-checks.ts';
import type { ContactView } from '../contact/responsive.ts';
import type { IntentState } from '../durable/intent.ts';
import type { ReadLagsView } from '../lags/lags.ts';
import type { PresenceView } from '../presence/presence.ts';

/**
 * - `live`: the exchange named it, and the bot wants it to stay.
 * - `placing`: its create is on its way.
 * - `leaving`: it is being canceled or is to be, or is gone from the list and not settled yet. It may still fill.
 * - `unknown`: whether it was placed is not known.
 */
export type Standing = 'live' | 'placing' | 'leaving' | 'unknown';

/** What can be said of one side of one symbol: the first that holds. */
export const SIDE_STATES = [
  'halted',
  'quoted',
  'paused',
  'waiting',
  'no-quote',
  'leaving',
  'unknown',
  'denied',
  'placing',
] as const;
export type SideState = (typeof SIDE_STATES)[number];

// What the trader shows of itself: plain data for the page, the metrics, the terminal and `status`. Text for decimals.

/** A decimal as plain text. */
export type DecimalText = string;

export interface LevelView {
  readonly price: DecimalText;
  readonly quantity: DecimalText;
  /** Our own part of the level. */
  readonly own: DecimalText;
}

export interface QuoteView {
  readonly side: 'buy' | 'sell';
  readonly level: number;
  readonly price: DecimalText;
  readonly quantity: DecimalText;
}

export interface OrderView {
  readonly intentId: string;
  readonly orderId: string | null;
  readonly side: 'buy' | 'sell';
  readonly level: number;
  readonly price: DecimalText;
  readonly quantity: DecimalText;
  readonly filled: DecimalText;
  readonly state: IntentState;
  /** Whether it can be counted on: what page, metrics, log and `status` count by. */
  readonly standing: Standing;
  readonly sentAt: number;
  /** That of the parameters by which it was placed; 0 where that is not known. */
  readonly revision: number;
  /** Signed distance from the reference price in basis points, positive away from the market; null without one. */
  readonly distanceBps: number | null;
}

/** Own orders by what they are to a reader. */
export type StandingCounts = Readonly<Record<Standing, number>>;

/** One side of a symbol. */
export interface SideView extends StandingCounts {
  readonly state: SideState;
  /** For how long no order has been live on it; zero while one is. */
  readonly missingMs: number;
  /** One sentence where nothing is live on it; null where an order is, or where the symbol's `reason` says it. */
  readonly why: string | null;
}

/** How it stands, for the eye: a color with its word. */
export interface Verdict {
  readonly tone: 'good' | 'calm' | 'warn' | 'stop';
  readonly word: string;
}

export interface FillView {
  readonly tradeId: string;
  readonly side: 'buy' | 'sell';
  readonly price: DecimalText;
  readonly quantity: DecimalText;
  readonly quoteQuantity: DecimalText;
  readonly commission: DecimalText;
  readonly commissionAsset: string;
  readonly tds: DecimalText;
  readonly liquidity: 'maker' | 'taker';
  readonly venueTime: number;
  /** False when the order was not the bot's. */
  readonly ours: boolean;
}

/**
 * In quote, from the bot's own fills since the ledger was opened. total = spread + inventory − fees − (tax where it is
 * treated as a cost).
 */
export interface PnlView {
  readonly spread: DecimalText;
  readonly inventory: DecimalText;
  readonly fees: DecimalText;
  readonly taxWithheld: DecimalText;
  /** Whether `total` bears the tax; false where it is a credit of the owner or left out. */
  readonly taxInTotal: boolean;
  readonly total: DecimalText;
  /**
   * What is held is valued at this: the last reference price that the trader trusts; null where it never trusted one.
   */
  readonly price: DecimalText | null;
  /** When that price was true; null where there is none. */
  readonly pricedAt: number | null;
  /** Fees in assets that have no price here: in no sum above. */
  readonly otherFees: readonly FeeView[];
}

export interface FeeView {
  readonly asset: string;
  readonly amount: DecimalText;
}

export interface CodeCount {
  readonly code: string;
  readonly count: number;
}

/** What keeps a side of a symbol, or both, from being quoted for a while. */
export interface LockView {
  readonly code: string;
  /** Null locks both. */
  readonly side: 'buy' | 'sell' | null;
  readonly reason: string;
  readonly since: number;
  /** Null until a person removes it. */
  readonly until: number | null;
}

/** Limits of one symbol. Denials and halts are counted since the start of the process. `simulation/shown` judges it. */
export interface RiskView {
  /** What keeps it halted until a person resumes it; null while nothing does. */
  readonly halt: Halt | null;
  /** Whether no order that a halt may ask about is open: then a bot that runs can be resumed from it. */
  readonly isQuestionOver: boolean;
  readonly locks: readonly LockView[];
  /** Orders that the risk gate denied, by code. */
  readonly denials: readonly CodeCount[];
  /** How often it was halted, by code. */
  readonly halts: readonly CodeCount[];
  /** Of the limits on what is open and held: used over limit, so 1 is all of it. */
  readonly limitsUsed: LimitsUsed;
  /** In quote; below zero is a profit. Empty before profit was first measured; a limit that is not set is null. */
  readonly losses: readonly { readonly code: string; readonly loss: DecimalText; readonly limit: DecimalText | null }[];
}

/** Creates and cancels that have left, over all symbols, and their limits. */
export interface MessagesView {
  readonly inSecond: number;
  readonly inMinute: number;
  readonly today: number;
  readonly maxPerSecond: number;
  readonly maxPerMinute: number;
  readonly maxPerDay: number;
}

/** The price that other exchanges make, and what it is made of. */
export interface ExternalView {
  /** In quote per base of the symbol; null where there is none, and `why` says why. */
  readonly price: DecimalText | null;
  readonly why: string | null;
  /** When the oldest source in it was asked; null without a price. */
  readonly asOf: number | null;
  /** By how much quotes must be wider for its age and for what its sources disagree. */
  readonly widenBps: number;
  /** Of all that were read, also those that are too old to be in it. */
  readonly sources: readonly { readonly source: string; readonly price: DecimalText; readonly asOf: number }[];
  /** A source that is older is left out. */
  readonly staleMs: number;
}

export interface SymbolView {
  readonly symbol: string;
  /** That of the parameters that it is quoted by. */
  readonly revision: number;
  readonly base: string;
  readonly quote: string;
  readonly tickSize: DecimalText;
  readonly lotSize: DecimalText;
  readonly state: 'quoting' | 'waiting' | 'paused' | 'halted';
  /** One sentence; null while quoting. */
  readonly reason: string | null;
  /** Why a side has no quote; null when it has one or when `reason` says it all. */
  readonly noQuote: { readonly buy: string | null; readonly sell: string | null };
  readonly referencePrice: DecimalText | null;
  /** False while it is far from the last one that was trusted, which profit is worked out at (`pnl.price`). */
  readonly referenceTrusted: boolean;
  /** The price that other exchanges make; null where none is read. */
  readonly external: ExternalView | null;
  /** What is estimated of the market, one sentence each. */
  readonly estimates: readonly string[];
  /** The others' best prices, where their book has both. */
  readonly market: { readonly bid: DecimalText; readonly ask: DecimalText } | null;
  readonly marketSpreadBps: number | null;
  readonly quotedSpreadBps: number | null;
  readonly bids: readonly LevelView[];
  readonly asks: readonly LevelView[];
  /** When the request for the book left; null before the first. */
  readonly bookSentAt: number | null;
  readonly openOrdersSentAt: number | null;
  readonly tradesSentAt: number | null;
  readonly wanted: readonly QuoteView[];
  readonly explain: readonly {
    readonly name: string;
    /** `buy:0`, `sell:1` …: the quote that the line is about; null where it is about all of them. */
    readonly slot: string | null;
    readonly before: string;
    readonly after: string;
    readonly why: string;
  }[];
  readonly orders: readonly OrderView[];
  readonly sides: { readonly buy: SideView; readonly sell: SideView };
  /** What of both sides together is live: everything that shows the symbol in a word takes this one. */
  readonly verdict: Verdict;
  /** Without those that a person is asked about. */
  readonly foreignOrders: number;
  readonly inventory: DecimalText;
  readonly inventoryTarget: DecimalText;
  readonly pnl: PnlView;
  readonly fills: {
    readonly buys: number;
    readonly sells: number;
    readonly takers: number;
    /** Of `takers`, those that bought. */
    readonly takerBuys: number;
    readonly quoteVolume: DecimalText;
  };
  /** Newest first, at most 20. */
  readonly recentFills: readonly FillView[];
  /** What the risk gate last denied, with its code; null when nothing is denied. */
  readonly denied: { readonly code: string; readonly message: string } | null;
  readonly risk: RiskView;
  readonly presence: PresenceView;
}

export interface AssetView {
  readonly asset: string;
  /** The ledger's total. */
  readonly expected: DecimalText;
  /** The wallet's total at `walletSentAt`; null before the first read. */
  readonly wallet: DecimalText | null;
  /** wallet − expected at the last comparison; null before the first. */
  readonly difference: DecimalText | null;
  /**
   * When a difference that stands was confirmed, before that when the first wallet came that differed by it; null where
   * none does or its trades are still to be read.
   */
  readonly differsSince: number | null;
  /** Whether it has stood long enough to stop the asset's symbols. Before that the wallet may lag behind a fill. */
  readonly differenceStands: boolean;
  readonly reserved: DecimalText;
  readonly feesPaid: DecimalText;
  readonly taxWithheld: DecimalText;
  /**
   * Days until as much as there is would be withheld, at the turnover of the last hour; null where nothing was withheld
   * in it.
   */
  readonly cashRunwayDays: number | null;
}

/** An open order that is not known to be the bot's. */
export interface UnmatchedOrderView {
  readonly symbol: string;
  readonly orderId: string;
  readonly side: 'buy' | 'sell';
  readonly price: DecimalText;
  /** What is left of it. */
  readonly quantity: DecimalText;
  /** Only a person can tell whether it is the bot's. */
  readonly mayBeOurs: boolean;
}

export interface StatusSnapshot {
  /** When this was true. */
  readonly at: number;
  readonly phase: 'starting' | 'running' | 'paused' | 'stopping' | 'stopped';
  /** Whether it has stopped, every order of the bot proved gone. Without a known order that may be unproved as well. */
  readonly flat: boolean;
  /** What still keeps the whole bot from quoting, one sentence each; empty when nothing does. */
  readonly blockers: readonly string[];
  /** What the first of them is; null where there is none. */
  readonly firstBlocker: Block | null;
  readonly latched: string | null;
  /** Why it is paused, one sentence; null in every other phase. */
  readonly paused: string | null;
  readonly symbols: readonly SymbolView[];
  /** Of the whole account where it was listed as one, else of the symbols; as the last complete lists showed them. */
  readonly unmatchedOrders: readonly UnmatchedOrderView[];
  readonly assets: readonly AssetView[];
  readonly walletSentAt: number | null;
  /** When wallet and ledger were last equal. */
  readonly reconciledAt: number | null;
  readonly unknownOrders: number;
  /** Whether the exchange answers. */
  readonly contact: ContactView;
  /** When an exchange that says it is in maintenance is asked again; null while it says no such thing. */
  readonly maintenance: { readonly askedAgainAt: number } | null;
  /** How far lists were seen to trail, and how far they are assumed to. */
  readonly readLags: ReadLagsView;
  /** One sentence for each list whose rows have times that can't be true. */
  readonly wrongTimes: readonly string[];
  readonly messages: MessagesView;
  readonly clock: { readonly offsetMs: number; readonly uncertaintyMs: number } | null;
  /** What must not be exceeded for quoting to go on, as configured. */
  readonly limits: {
    readonly bookAgeMs: number;
    readonly openOrdersAgeMs: number;
    readonly reconciledAgeMs: number;
    readonly clockUncertaintyMs: number;
  };
  /** Counts of requests by lane, kind and outcome since the start of the process. */
  readonly requests: readonly {
    readonly lane: string;
    readonly kind: string;
    readonly outcome: string;
    readonly count: number;
  }[];
  /** Unknown creates that were resolved since the start of the process, and how the last 1,000 of them were. */
  readonly unknownResolutions: {
    readonly total: number;
    readonly last: readonly { readonly by: 'match' | 'absence'; readonly seconds: number }[];
  };
}
