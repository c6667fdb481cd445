// Which transfer is which. Transfers have no ids: their name is what never changes, and identical ones are counted.
import { plain } from '../domain/decimal.ts';
import type { CryptoTransfer, FiatTransfer } from '../domain/transfer.ts';
import type { Entry } from './list-traits.ts';

const name = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

/** Status, hash and addresses may come later, and a fee may be settled later: none of them names a transfer. */
export const cryptoName = (row: CryptoTransfer): string =>
  name(row.direction, row.venueTime, row.asset, plain(row.amount), row.network);

export const fiatName = (row: FiatTransfer): string =>
  name(row.direction, row.venueTime, plain(row.amount), row.referenceId);

/** What of a row may change, once, from open to settled. */
export interface Progress {
  /** `null` while it is not final. */
  readonly finalStatus: string | null;
  /** `null` until there is one. */
  readonly hash: string | null;
}

const FINAL: readonly string[] = ['success', 'failed', 'rejected'];

/** A word that the specification does not list counts as not final. */
export const isPending = ({ status }: CryptoTransfer | FiatTransfer): boolean => !FINAL.includes(status);

export const cryptoProgress = (row: CryptoTransfer): Progress => ({
  finalStatus: isPending(row) ? null : row.status,
  hash: row.transactionHash,
});

export const fiatProgress = (row: FiatTransfer): Progress => ({
  finalStatus: isPending(row) ? null : row.status,
  hash: null,
});

/**
 * Joins transfers of one name by the fewest that explain both: each row that a page shows is a known one that stayed or
 * went on, or else a new one. A page that covers their millisecond shows them all, so the count is right where reading
 * is complete.
 */
export function absorbTransfers<Row>(progressOf: (row: Row) => Progress) {
  return (known: Entry<Row>[], shown: readonly Row[]): Entry<Row>[] => {
    const left = new Set(known);
    const fresh = shown.filter((row) => !join(row, left));
    const added = fresh.map((row) => ({ row, handedOut: null }));
    known.push(...added);
    return added;
  };

  function join(row: Row, left: Set<Entry<Row>>): boolean {
    const fitting = [...left].filter((entry) => mayBecome(progressOf(entry.row), progressOf(row)));
    // The one of which most is known: what is known of another may not fit the next row.
    const [best] = fitting.sort((a, b) => knownOf(progressOf(b.row)) - knownOf(progressOf(a.row)));
    if (best === undefined) return false;
    left.delete(best);
    best.row = row;
    return true;
  }
}

/** The same hash is the same transfer; the same final status need not be. */
const knownOf = ({ hash, finalStatus }: Progress): number => (hash === null ? 0 : 2) + (finalStatus === null ? 0 : 1);

/** It stayed as it was, or went on: what is known of a transfer never changes. */
const mayBecome = (before: Progress, now: Progress): boolean =>
  (before.finalStatus === null || before.finalStatus === now.finalStatus) &&
  (before.hash === null || before.hash === now.hash);
