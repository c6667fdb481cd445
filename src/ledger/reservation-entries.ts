// Entries that set aside what an intent may spend, and give it back.
import type { IntentId } from '../domain/ids.ts';
import { type Amount, amountText, NO_AMOUNT, negate, subtract } from './amount.ts';
import { type Change, type Entry, linesOf, type Reservation } from './entry.ts';
import { type Ledger, reservationOf } from './ledger.ts';

/** Moves between `wallet` and `reserved` what the new reservation asks for beyond the present one. */
export function reservationChanges(ledger: Ledger, wanted: Reservation): Change[] {
  const present = reservationOf(ledger, wanted.intentId)?.amount ?? NO_AMOUNT;
  const more: Amount = subtract(wanted.amount, present);
  return [
    { asset: wanted.asset, account: 'reserved', by: more },
    { asset: wanted.asset, account: 'wallet', by: negate(more) },
  ];
}

/**
 * Reserves for an intent: at the intent all that it may spend, later what its remainder may. The amount is the new
 * level, not a difference; the caller computes it from the remaining quantity (buy: price × remaining and the fee;
 * sell: remaining).
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

/**
 * Gives back all that an intent still reserves: it is closed, or proved not placed. `null` when it reserves nothing.
 */
export function releaseEntry(ledger: Ledger, intentId: IntentId): Entry | null {
  const present = reservationOf(ledger, intentId);
  return (
    present && { ...reserveEntry(ledger, { ...present, amount: NO_AMOUNT }), memo: `Intent ${intentId} is released.` }
  );
}
