// Finds the reads named by a record among those delivered.
import type { Balance } from '../../src/domain/balance.ts';
import type { OpenOrder } from '../../src/domain/order.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { CancelSeen, Seen, TradesSeen, WireLog } from './wire-log.ts';

/** From the journal: times by the bot's clock. */
interface Names {
  readonly orders?: readonly number[];
  readonly trades?: readonly number[];
  readonly wallet?: number;
  readonly fence?: number;
}

export interface NamedReads {
  /** By departure. */
  readonly orders: readonly Seen<OpenOrder>[];
  /** The first one of each symbol's pages. */
  readonly trades: readonly TradesSeen[];
  readonly wallet: Seen<Balance> | null;
  readonly fence: CancelSeen | null;
  /** Named reads that were never delivered. */
  readonly unknown: readonly string[];
}

const isNames = (value: unknown): value is Names => typeof value === 'object' && value !== null;

/** Null if nothing is named. */
export function namedReads(log: WireLog, symbol: string, reads: unknown): NamedReads | null {
  if (!isNames(reads)) return null;
  const unknown: string[] = [];
  const found = <T extends { readonly botAt: EpochMs }>(all: readonly T[], at: number | undefined, what: string) => {
    const one = at === undefined ? null : (all.findLast(({ botAt }) => botAt === at) ?? null);
    if (one === null && at !== undefined) unknown.push(`${what} of ${at}`);
    return one;
  };
  const isHere = (seen: { readonly symbol: string | null }): boolean => seen.symbol === null || seen.symbol === symbol;
  const each = <T extends { readonly botAt: EpochMs; readonly sentAt: EpochMs }>(
    all: readonly T[],
    moments: readonly number[] | undefined,
    what: string,
  ): T[] => [...new Set(moments ?? [])].flatMap((at) => found(all, at, what) ?? []).sort((a, b) => a.sentAt - b.sentAt);
  const fences = log.cancels.filter(({ target }) => target === symbol);
  return {
    orders: each(log.orders.filter(isHere), reads.orders, 'a list of open orders'),
    trades: each(log.trades.filter(isHere), reads.trades, 'a page of own trades'),
    wallet: found(log.wallets, reads.wallet, 'a wallet'),
    fence: found(fences, reads.fence, 'a fence'),
    unknown,
  };
}

/**
 * When the trades that an order may have had since it left were read to their end, by the named page: alone, or as the
 * first of a reading of several pages whose last can't be cut. A page from a given time need not reach further back
 * than the order.
 */
export function readToTheEndAt(log: WireLog, pages: readonly TradesSeen[], leftAt: EpochMs): EpochMs | null {
  const page = pages.findLast(({ toTheEnd, since }) => toTheEnd || since !== null) ?? pages.at(-1);
  if (page === undefined) return null;
  if (page.toTheEnd || (page.since !== null && page.since <= leftAt)) return page.sentAt;
  return isOfWholeReading(log, page) ? page.sentAt : null;
}

function isOfWholeReading(log: WireLog, page: TradesSeen): boolean {
  const isOfReading = (each: TradesSeen): boolean => each.symbol === page.symbol && each.sentAt >= page.sentAt;
  const reading = log.trades.filter(isOfReading);
  return reading.length > 1 && reading.some(({ whole, count }) => whole && count < 20);
}

/** Whether a named page, or a reading that it begins, has each trade since `leftAt`, and left at or after `from`. */
export function isReadWhole(
  log: WireLog,
  pages: readonly TradesSeen[],
  { leftAt, from }: { readonly leftAt: EpochMs; readonly from: EpochMs },
): boolean {
  return pages.some((page) => {
    if (page.backTo === null || page.backTo > leftAt || page.sentAt < from || !page.whole) return false;
    return page.uncut || isOfWholeReading(log, page);
  });
}
