// The ledger's assets, without a configuration at hand.
import { type Asset, parseSymbol } from '../../../domain/instrument.ts';
import type { Keeps } from '../../../ledger/fill-entries.ts';
import { answersFor } from '../../../ledger/ledger.ts';
import type { Durable } from '../durable.ts';

/** Base and quote of every market that the ledger was opened for, configured or not. */
export const assetsOfOpened = ({ markets }: Durable): Asset[] =>
  [...markets].flatMap(([symbol, { openedSince }]) => {
    const market = openedSince === null ? null : parseSymbol(symbol);
    return market === null ? [] : [market.base, market.quote];
  });

/** The ledger's assets by the journal: those of the markets that it was opened for, and every asset with a booking. */
export function keepsOf(durable: Durable): Keeps {
  const { ledger } = durable.books;
  return (asset) => answersFor(ledger, asset) || assetsOfOpened(durable).includes(asset);
}
