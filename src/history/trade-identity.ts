// Trades are named by id and side; one that is shown with other content was corrected by the venue.
import type { TradeId } from '../domain/ids.ts';
import type { Side } from '../domain/order.ts';
import type { Entry } from './list-traits.ts';

/**
 * A trade with ourselves is two rows of one id, one on each side, as the ledger books it (`TradeName` of
 * booked-trades.ts). Ids are numbers as text: leading zeros name nothing.
 */
export const tradeName = ({ tradeId, side }: { readonly tradeId: TradeId; readonly side: Side }): string =>
  `${tradeId.replace(/^0+(?=\d)/, '')} ${side}`;

/** A corrected trade is handed out again (order-truth §4: same id with other content); the same one twice is one. */
export function absorbTrades<Row>(known: Entry<Row>[], shown: readonly Row[]): Entry<Row>[] {
  const newest = shown.at(-1);
  const [entry] = known;
  if (newest === undefined) return [];
  if (entry === undefined) {
    const added = { row: newest, handedOut: null };
    known.push(added);
    return [added];
  }
  if (JSON.stringify(entry.row) === JSON.stringify(newest)) return [];
  entry.row = newest;
  if (entry.handedOut === null) return [];
  entry.handedOut = null;
  return [entry];
}
