// Trades are named by their ids; one that is shown with other content was corrected by the venue.
import type { TradeId } from '../domain/ids.ts';
import type { Entry } from './list-traits.ts';

/** Ids are numbers as text: leading zeros name nothing. */
export const tradeName = ({ tradeId }: { readonly tradeId: TradeId }): string => tradeId.replace(/^0+(?=\d)/, '');

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
