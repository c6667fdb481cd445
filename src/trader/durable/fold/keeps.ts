// Which assets the ledger answers for, where no configuration is at hand.
import { parseSymbol } from '../../../domain/instrument.ts';
import type { Keeps } from '../../../ledger/fill-entries.ts';
import { answersFor } from '../../../ledger/ledger.ts';
import type { Durable } from '../durable.ts';

/**
 * Which assets the ledger answers for, as the journal has it: those of the markets that it was opened for, and whatever
 * it has booked to the wallet. One of which nobody says for which markets it was opened answers for all.
 */
export function keepsOf({ markets, books }: Durable): Keeps {
  const { marketsNamed, ledger } = books;
  return (asset) => {
    if (!marketsNamed || answersFor(ledger, asset)) return true;
    return [...markets].some(([symbol, { openedSince }]) => {
      if (openedSince === null) return false;
      const { base, quote } = parseSymbol(symbol) ?? {};
      return base === asset || quote === asset;
    });
  };
}
