// The memory of limits and protections.
import { type Decimal, minOf, ZERO } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { TradeId } from '../../domain/ids.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE } from '../../domain/time.ts';
import { amountDecimal, type Value } from '../../ledger/amount.ts';
import type { Pnl, TaxTreatment } from '../../ledger/pnl.ts';
import { LONGEST_PROTECTION_MS, MOST_COUNTED } from '../../quoting/protection-settings.ts';
import { LONGEST_FILLS_WINDOW_MS, MOST_FILL_PARTS } from '../../quoting/risk/risk-limits.ts';

export interface Counted {
  readonly at: EpochMs;
}

/** How long events are remembered, and at most how many. */
interface Memory {
  readonly forMs: DurationMs;
  readonly most: number;
}

/** The memory of each kind of event. */
export const REMEMBERED = {
  /** Creates and cancels, over all symbols. */
  messages: { forMs: MINUTE, most: Number.POSITIVE_INFINITY },
  /** Fills of own orders, of one symbol. */
  fills: { forMs: LONGEST_FILLS_WINDOW_MS, most: MOST_FILL_PARTS },
  /** Own sales below what the base had cost, of one symbol. */
  losingSales: { forMs: LONGEST_PROTECTION_MS, most: MOST_COUNTED },
  /** Orders that were refused and placed all the same, of one symbol. */
  breaches: { forMs: HOUR, most: Number.POSITIVE_INFINITY },
} as const satisfies Readonly<Record<string, Memory>>;

/** Adds an event in time order; expired ones leave, and the oldest make room. */
export function withEvent<T extends Counted>(events: readonly T[], event: T, { forMs, most }: Memory): readonly T[] {
  const kept = events.filter(({ at }) => at >= event.at - forMs);
  return [...kept, event].sort((a, b) => a.at - b.at).slice(-most);
}

/** Number of events within a window that ends at `to`. */
export const countWithin = (events: readonly Counted[], to: EpochMs, windowMs: DurationMs): number =>
  events.filter(({ at }) => at > to - windowMs && at <= to).length;

/** Whether the newest `count` events happened within `withinMs`. */
export function hasSoMany(
  events: readonly Counted[],
  { count, withinMs }: { readonly count: number; readonly withinMs: DurationMs },
): boolean {
  const newest = events.at(-1);
  const first = events.at(-count);
  return newest !== undefined && first !== undefined && newest.at - first.at <= withinMs;
}

// The memory of look-back limits: messages, fills on one side, profit at its marks. Part of the fold of the journal.

/** Creates and cancels, over all symbols. Moments are by our clock. */
export interface MessageLog {
  /** Of the last minute, oldest first. */
  recent: readonly Counted[];
  /** The UTC day (days since 1970) that `today` counts. */
  day: number;
  today: number;
  /** Minutes in a row in which a create had to wait; null before the first. */
  throttled: { readonly minutes: number; readonly at: EpochMs } | null;
}

/** One fill of an order of ours. */
export interface FillPart {
  /** By the exchange's clock. */
  readonly at: EpochMs;
  readonly side: Side;
  /** Price × quantity, in quote. */
  readonly notional: Decimal;
  /** A person has resumed the market that fills had halted or locked: it no longer counts there. */
  readonly isResumed?: true;
}

/** Profit of one symbol at times that limits compare with, in quote. Null: the next mark begins it. */
export interface ProfitMarks {
  session: Value | null;
  /** Number of the UTC day, and the last profit known when it began. */
  day: { readonly number: number; readonly from: Value } | null;
  peak: Value;
  last: Value;
  /** How withheld tax counts in all of these. */
  readonly treatment: TaxTreatment;
  /** Nothing was marked since `last`, as no limit needed it: a day that begins in between does not start from it. */
  readonly isUnwatched?: true;
}

/** The limits' memory of one market. */
export interface MarketRisk {
  /** Fills within the last hour, oldest first. */
  fillParts: readonly FillPart[];
  /** Null before the first mark. */
  profit: ProfitMarks | null;
  protections: ProtectionMemory;
}

export const emptyMarketRisk = (): MarketRisk => ({
  fillParts: [],
  profit: null,
  protections: noProtectionMemory(),
});

export const noMessages = (): MessageLog => ({ recent: [], day: 0, today: 0, throttled: null });

// The protections' memory of one market. Part of the fold of the journal; the limits are not known here.

export interface Peak {
  /** When it was last known to hold; for the newest, when it was reached. */
  readonly at: EpochMs;
  readonly total: Value;
}

export interface ProtectionMemory {
  /** By the exchange's clock. */
  readonly losingSales: readonly Counted[];
  /** The highest profits so far, oldest first: each higher than every later one. */
  readonly peaks: readonly Peak[];
  /** Whether profit was watched without a break since the newest mark: that one holds until the next. */
  readonly peakHolds: boolean;
  /** Worth of own fills in a UTC day, by the exchange's clock, in quote. */
  readonly turnover: { readonly day: number; readonly notional: Decimal };
}

const noProtectionMemory = (): ProtectionMemory => ({
  losingSales: [],
  peaks: [],
  peakHolds: false,
  turnover: { day: 0, notional: ZERO },
});

// The cost of base that own fills bought and have not sold.

/** A lot of own purchases: one buy, or the oldest ones merged if there are too many. */
export interface OwnLot {
  /** The newest buy in it. */
  readonly tradeId: TradeId;
  /** Base. */
  readonly quantity: Decimal;
  /** Price × quantity, in quote. */
  readonly worth: Decimal;
  /** In quote. */
  readonly fee: Decimal;
}

/**
 * The average of `costOf` over the newest own buys that add up to the holdings, in quote per base. Null without
 * holdings, or if the remembered buys don't add up to them.
 */
export function costOfHeld(
  { pnl, ownLots }: { readonly pnl: Pick<Pnl, 'inventory'>; readonly ownLots: readonly OwnLot[] },
  costOf: (lot: OwnLot) => Decimal,
): Decimal | null {
  let missing = amountDecimal(pnl.inventory);
  if (missing.lte(0)) return null;
  const held = missing;
  let cost = ZERO;
  for (const lot of ownLots.toReversed()) {
    const part = minOf(missing, lot.quantity);
    cost = cost.add(costOf(lot).mul(part).div(lot.quantity));
    missing = missing.sub(part);
    if (missing.isZero()) return cost.div(held);
  }
  return null;
}

/** A fee in base is valued at the fill's price; one in a third asset has no price here. */
export function feeWorth({ symbol, price, commission, commissionAsset }: Fill): Decimal {
  const assets = parseSymbol(symbol);
  if (commissionAsset === assets?.quote) return commission;
  return commissionAsset === assets?.base ? commission.mul(price) : ZERO;
}

/** The UTC day of a moment, as days since 1970. */
export const dayOf = (at: EpochMs): number => Math.floor(at / DAY);
