// The legacy interface's name of a market. It can't be turned back into a symbol without the list of symbols.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { LegacyMarketKey } from '../../venue/requests.ts';

/** `BTC/INR` → `btcinr`. Two symbols can have one key: `AB/C` and `A/BC`. */
export function legacyMarketKey(symbol: InstrumentSymbol): LegacyMarketKey {
  return symbol.replace('/', '').toLowerCase();
}
