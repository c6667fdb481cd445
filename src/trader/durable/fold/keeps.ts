// Which assets the ledger answers for, where no configuration is at hand.
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

/**
 * Which assets the ledger answers for, as the journal has it: those of the markets that it was opened for, and whatever
 * it has booked to the wallet.
 */
export function keepsOf(durable: Durable): Keeps {
  const { ledger } = durable.books;
  return (asset) => answersFor(ledger, asset) || assetsOfOpened(durable).includes(asset);
}
