// An open order that no intent owns, for people.
import { plain } from '../../domain/decimal.ts';
import type { UnmatchedRow } from '../orders/unmatched-rows.ts';
import type { UnmatchedOrderView } from './snapshot.ts';

/** As page, commands and logs show it. */
export const unmatchedView = ({ row, mayBeOurs }: UnmatchedRow): UnmatchedOrderView => ({
  symbol: row.symbol,
  orderId: row.orderId,
  side: row.side,
  price: plain(row.price),
  quantity: plain(row.remainingQuantity),
  mayBeOurs,
});
