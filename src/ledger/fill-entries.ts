// Entries of executions: the strategy's own, the owner's, and the corrections of both.

import type { Asset } from '../domain/instrument.ts';
import type { Account } from './account.ts';
import { type Amount, amountText, negate } from './amount.ts';
import type { BookableFill } from './bookable-fill.ts';
import { type Change, type Entry, linesOf, type Reservation } from './entry.ts';
import type { Ledger } from './ledger.ts';
import { reservationChanges } from './reservation-entries.ts';

/** Whose the fill is: the strategy's; the owner's, by hand (R7); a simple buy/sell. */
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

/** Whether the ledger answers for what the wallet holds of an asset. */
export type Keeps = (asset: Asset) => boolean;

/**
 * Books a fill: base and quote against the account of its origin, the commission to `fees` in its own asset, the
 * withheld tax to `tax-withheld`. What it moves of an asset that is not kept is moved against `opening`. With
 * `reserveAfter` the entry also brings the intent's reservation to that level (zero ends it).
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
 * Reverses a booked fill and books it anew: the same trade id came with other content, or turned out to be of another
 * origin. `after: null` reverses only: the venue took the trade back (F50). Reservations are left alone. `keeps` is
 * asked as of now: what was not kept when the trade was booked and is kept since had moved before, and what the
 * correction moves moves now.
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
