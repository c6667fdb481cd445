// Settings of the trader: runs over one account, polling, and assumptions about the exchange.
import type { Decimal } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { TaxTreatment } from '../../ledger/pnl.ts';
import type { Portfolio } from '../../quoting/inventory.ts';
import type { DiffSettings } from '../../quoting/moves/refresh-settings.ts';
import type { Protections } from '../../quoting/protection-settings.ts';
import type { QuotingSettings } from '../../quoting/quoting-settings.ts';
import type { ReferenceSource } from '../../quoting/reference-price.ts';
import type { Limits, MessageRateLimits } from '../../quoting/risk/risk-limits.ts';
import type { Costs, Strategy } from '../../quoting/strategy.ts';
import type { Parameters } from '../durable/revision.ts';

/** One symbol and how it is quoted. */
export interface RunSettings {
  readonly instrument: Instrument;
  readonly strategy: Strategy;
  /** Already checked by the strategy's own schema. */
  readonly params: unknown;
  readonly referenceSource: ReferenceSource;
  /** For `fixed`, in quote per base. */
  readonly fixedReference?: Decimal;
  readonly costs: Costs;
  /** Whether withheld tax is subtracted from the profit that is shown, or shown apart. */
  readonly taxTreatment: TaxTreatment;
  readonly quoting: QuotingSettings;
  readonly refresh: DiffSettings;
  readonly limits: Limits;
  readonly protections: Protections;
  /** The run as it is written, with the defaults, one text for each dotted path: `params.halfSpreadBps` is `60`. */
  readonly parameters: Parameters;
}

/** How often each surface is read if nothing needs it sooner. Reads never take more than their share of a lane. */
export interface PollingSettings {
  readonly bookMs: DurationMs;
  /** For each symbol whose strategy needs them. */
  readonly publicTradesMs: DurationMs;
  readonly openOrdersMs: DurationMs;
  readonly tradesMs: DurationMs;
  readonly walletMs: DurationMs;
  /** How often own trades behind the last known one are read again for late rows, at least 15 minutes; 0 is never. */
  readonly tradesRescanMs: DurationMs;
  /** How long an unresolved create waits between two searches. */
  readonly probeMs: DurationMs;
}

/** A surface older than this decides nothing: quotes are pulled and the reason is shown. */
export interface SurfaceAgeLimits {
  readonly bookMs: DurationMs;
  /** A book that stands still for this long and lacks our orders is frozen. */
  readonly frozenBookMs: DurationMs;
  /** Age of the last page of public trades, if the reference price is taken from them. */
  readonly publicTradesMs: DurationMs;
  readonly openOrdersMs: DurationMs;
  /** Since the last wallet that matched the ledger. */
  readonly reconciledMs: DurationMs;
}

/**
 * Facts that the exchange does not publish and the program must assume (order-truth §2).
 */
export interface VenueAssumptions {
  /** W: recvWindow of creates and cancels. */
  readonly recvWindowMs: DurationMs;
  /** Lm: from the exchange's gate to its book. */
  readonly venueInternalLagMs: DurationMs;
  /** LsBound: how far each list may trail the book. */
  readonly readLagBoundMs: DurationMs;
  /** How long past the horizon and the lag an unknown may stay unresolved before its symbol is halted. */
  readonly resolutionDeadlineMs: DurationMs;
  /** Whether the wallet's `locked` includes `lockedStaking` and `lockedOtc` (Q12). */
  readonly lockedIncludesStakingAndOtc: boolean;
  /** Creates stop while the exchange's clock is known less exactly than this. */
  readonly maxClockUncertaintyMs: DurationMs;
  /**
   * Counted exposure of an order that left the list, as a share of its remainder (order-truth §3.8), by the time since
   * it was first missed: steps of falling share, the first at 0; all of it without steps. Its funds stay reserved until
   * it is closed.
   */
  readonly closingExposure?: readonly { readonly afterMs: DurationMs; readonly ratio: number }[];
  /** Rows of a full page of own trades. */
  readonly tradesPageRows: number;
}

/**
 * Orders on the account that are not the bot's. `ignore`: the owner's, left alone. `refuse`: the account is the bot's
 * alone, so such an order halts trading, and everything in a symbol may be canceled at once.
 */
export type ForeignOrders = 'ignore' | 'refuse';

export interface TraderSettings {
  readonly runs: readonly RunSettings[];
  readonly foreignOrders: ForeignOrders;
  /** The account as one inventory; null if each symbol has its own. */
  readonly portfolio: Portfolio | null;
  /** People are warned if the withheld tax would take all cash in fewer days; 0 is never. */
  readonly cashRunwayDays: number;
  readonly polling: PollingSettings;
  readonly ageLimits: SurfaceAgeLimits;
  readonly assumptions: VenueAssumptions;
  /** After this many refusals in a row of one kind a symbol rests for `rejectPauseMs` (K9). */
  readonly maxConsecutiveRejects: number;
  readonly rejectPauseMs: DurationMs;
  readonly messageRate: MessageRateLimits;
  /**
   * Configured requests per second of each lane: periodic reads are spaced so that they use at most `readShareRatio` of
   * it.
   */
  readonly requestsPerSecond: { readonly public: number; readonly private: number };
  readonly readShareRatio: number;
}
