// Entries of executions: the strategy's own, the owner's, and the corrections of both.
import type { Decimal } from '../domain/decimal.ts';
import type { Fill } from '../domain/fill.ts';
import type { IntentId, OrderId, TradeId } from '../domain/ids.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { type Amount, add, amountOf, amountText, NO_AMOUNT, negate, subtract } from './amount.ts';
import { type Account, type Change, type Entry, type ExternalAccount, linesOf, type Reservation } from './entry.ts';
import { type Ledger, reservationOf } from './ledger.ts';

/** The fill's owner: the strategy; the account's owner, by hand (R7); a simple buy or sell. */
export type FillOrigin = 'strategy' | 'manual' | 'conversion';

export interface FillBooking {
  readonly fill: BookableFill;
  readonly origin: FillOrigin;
}

const COUNTERPART: Readonly<Record<FillOrigin, Account>> = {
  strategy: 'trading',
  manual: 'external:manual',
  conversion: 'external:conversion',
};

/** Whether the ledger accounts for the wallet's balance of an asset. */
export type Keeps = (asset: Asset) => boolean;

/**
 * Books a fill: base and quote against the account of its origin, the commission to `fees` in its own asset, the
 * withheld tax to `tax-withheld`. Amounts of an asset that is not kept go against `opening`. With `reserveAfter` the
 * entry also brings the intent's reservation to that level (zero ends it).
 */
export function fillEntry(
  ledger: Ledger,
  booking: FillBooking & { readonly keeps: Keeps },
  reserveAfter: Reservation | null,
): Entry {
  const { fill } = booking;
  const changes = fillChanges(booking, booking.keeps);
  if (reserveAfter) changes.push(...reservationChanges(ledger, reserveAfter));
  return {
    lines: linesOf(changes),
    memo: `${memoOf(fill)} (${booking.origin}).`,
    source: { kind: 'trade', symbol: fill.symbol, tradeId: fill.tradeId },
    ...(reserveAfter ? { reservation: reserveAfter } : {}),
  };
}

/**
 * Reverses a booked fill and books it again: the same trade id came with other content, or turned out to have another
 * origin. `after: null` reverses only: the venue took the trade back (F50). Reservations stay unchanged. `keeps` is as
 * of now: an asset not kept at the booking but kept since had moved before, and the correction moves it now.
 */
export function correctionEntry(before: FillBooking, after: FillBooking | null, keeps: Keeps): Entry {
  const reversed = fillChanges(before, keeps).map((change) => ({ ...change, by: negate(change.by) }));
  const { symbol, tradeId } = before.fill;
  return {
    lines: linesOf([...reversed, ...(after ? fillChanges(after, keeps) : [])]),
    memo: `Correction: ${memoOf(before.fill)} became ${after ? `${memoOf(after.fill)} (${after.origin})` : 'nothing'}.`,
    source: { kind: 'trade', symbol, tradeId },
  };
}

function fillChanges({ fill, origin }: FillBooking, keeps: Keeps): Change[] {
  const bought: Amount = fill.side === 'buy' ? fill.quantity : negate(fill.quantity);
  const received: Amount = fill.side === 'buy' ? negate(fill.quoteQuantity) : fill.quoteQuantity;
  const counterpart = COUNTERPART[origin];
  const held = (asset: Asset): Account => (keeps(asset) ? 'wallet' : 'opening');
  return [
    ...moved(fill.base, held(fill.base), counterpart, bought),
    ...moved(fill.quote, held(fill.quote), counterpart, received),
    ...moved(fill.commissionAsset, 'fees', held(fill.commissionAsset), fill.commission),
    ...moved(fill.quote, 'tax-withheld', held(fill.quote), fill.tds),
  ];
}

function moved(asset: string, to: Account, from: Account, by: Amount): Change[] {
  return [
    { asset, account: to, by },
    { asset, account: from, by: negate(by) },
  ];
}

const memoOf = (fill: BookableFill): string =>
  `Trade ${fill.tradeId}: ${fill.side} ${amountText(fill.quantity)} ${fill.base} for ` +
  `${amountText(fill.quoteQuantity)} ${fill.quote}`;

// A fill with numbers proved to be exact amounts: safe to book for ledger and profit.

/**
 * The part of a fill that moves money, and its owner. Time and liquidity are excluded: they may be corrected freely.
 */
export interface BookableFill {
  readonly symbol: InstrumentSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  readonly tradeId: TradeId;
  readonly orderId: OrderId;
  readonly side: Side;
  /** Quote per base. */
  readonly price: Amount;
  /** Base. */
  readonly quantity: Amount;
  /**
   * Quote, as the venue states it: this moves the wallet, and may differ from price × quantity by the venue's rounding.
   */
  readonly quoteQuantity: Amount;
  readonly commission: Amount;
  readonly commissionAsset: Asset;
  /** Quote, withheld from the proceeds of a sale. */
  readonly tds: Amount;
}

const NUMBERS = ['price', 'quantity', 'quoteQuantity', 'commission', 'tds'] as const;
type Numbers = Record<(typeof NUMBERS)[number], Amount>;

/**
 * Fails with a sentence if a number is negative, not finite or finer than 10^-18, or the symbol is not `BASE/QUOTE`.
 */
export function bookable(fill: Fill): Result<BookableFill> {
  const assets = parseSymbol(fill.symbol);
  if (!assets) return fail(`Trade ${fill.tradeId}: '${fill.symbol}' is not a symbol.`);
  const numbers: Partial<Numbers> = {};
  for (const name of NUMBERS) {
    const read = exact(fill[name]);
    if (!read.ok) return fail(`Trade ${fill.tradeId} of ${fill.symbol}, ${name}: ${read.error}`);
    numbers[name] = read.value;
  }
  const { tradeId, orderId, symbol, side, commissionAsset } = fill;
  return ok({ symbol, ...assets, tradeId, orderId, side, commissionAsset, ...(numbers as Numbers) });
}

function exact(number: Decimal): Result<Amount> {
  const read = amountOf(number);
  return read.ok && read.value < 0n ? fail(`${amountText(read.value)} is negative.`) : read;
}

// Entries that reserve money for an intent, and release it.

/** Moves the difference between the new and the present reservation from `wallet` to `reserved`. */
function reservationChanges(ledger: Ledger, wanted: Reservation): Change[] {
  const present = reservationOf(ledger, wanted.intentId)?.amount ?? NO_AMOUNT;
  const more: Amount = subtract(wanted.amount, present);
  return [
    { asset: wanted.asset, account: 'reserved', by: more },
    { asset: wanted.asset, account: 'wallet', by: negate(more) },
  ];
}

/**
 * Reserves for an intent: first the most it may spend, later the most its remainder may. The amount is the new level,
 * not a difference; the caller computes it from the remaining quantity (buy: price × remaining and the fee; sell:
 * remaining).
 */
export function reserveEntry(ledger: Ledger, reservation: Reservation): Entry {
  const { intentId, asset, amount } = reservation;
  return {
    lines: linesOf(reservationChanges(ledger, reservation)),
    memo: `Intent ${intentId} reserves ${amountText(amount)} ${asset}.`,
    source: { kind: 'intent', intentId },
    reservation,
  };
}

/** Releases an intent's whole reservation: it is closed, or proved not placed. `null` without one. */
export function releaseEntry(ledger: Ledger, intentId: IntentId): Entry | null {
  const present = reservationOf(ledger, intentId);
  return (
    present && { ...reserveEntry(ledger, { ...present, amount: NO_AMOUNT }), memo: `Intent ${intentId} is released.` }
  );
}

// Entries for moves of the wallet without a trade: opening balances, and transfers.

/** The wallet at the first start, per asset: totals, free and locked together. */
export function openingEntry(totals: ReadonlyMap<Asset, Amount>): Entry {
  const changes = [...totals].flatMap(([asset, total]) => [
    { asset, account: 'wallet' as const, by: total },
    { asset, account: 'opening' as const, by: negate(total) },
  ]);
  return { lines: linesOf(changes), memo: `Opening balances of ${totals.size} assets.`, source: { kind: 'opening' } };
}

interface ExternalFlow {
  readonly account: ExternalAccount;
  readonly asset: Asset;
  /** The wallet's gain (positive) or loss (negative), including the fee. */
  readonly walletChange: Amount;
  /** The venue's fee included in that change, never negative: 11 leave the wallet, 10 arrive, the fee is 1. */
  readonly fee: Amount;
  /** The venue's reference, or another identification of the row. */
  readonly reference: string;
}

/** A deposit, withdrawal, conversion or other movement that is not the strategy's. */
export function externalFlowEntry(flow: ExternalFlow): Entry {
  const { account, asset, walletChange, fee, reference } = flow;
  return {
    lines: linesOf([
      { asset, account: 'wallet', by: walletChange },
      { asset, account: 'fees', by: fee },
      { asset, account, by: negate(add(walletChange, fee)) },
    ]),
    memo: `${account} ${reference}: ${amountText(walletChange)} ${asset}.`,
    source: { kind: 'transfer', reference },
  };
}
