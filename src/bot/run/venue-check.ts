// For commands that ask once: is the exchange there, does it list what is configured, does it know the key?

import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { askNeeds } from '../../quoting/strategy-call/ask-strategy.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import { errorCode } from '../../venue/error-codes.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { VenueSession } from '../keys/venue-session.ts';
import type { Settings } from '../settings/types.ts';
import { whyNot } from './listing-watch.ts';

/** One public request. Throws `StartError`: 69 when the exchange can't be asked, 78 when a symbol is not listed. */
export async function checkListed(session: Pick<VenueSession, 'ask'>, settings: Settings): Promise<void> {
  const completed = await session.ask({ kind: 'symbols' });
  invariant(completed.kind === 'symbols', 'The answer is to another question.');
  const { outcome } = completed;
  if (outcome.kind !== 'read') {
    throw new StartError(
      EXIT.unavailable,
      `The exchange at ${settings.venue.baseUrl} cannot be asked: ${whyNot(outcome)}`,
    );
  }
  const listed = new Set<unknown>(outcome.read.rows);
  const missing = [...new Set(settings.trader.runs.flatMap(readSymbols))].filter((symbol) => !listed.has(symbol));
  if (missing.length > 0) {
    throw new StartError(
      EXIT.configurationInvalid,
      `The exchange does not list ${missing.join(', ')}; it lists ${listed.size} symbols.`,
    );
  }
}

/** Its own, and those whose books its strategy needs. */
function readSymbols({ instrument, strategy, params }: RunSettings): readonly InstrumentSymbol[] {
  const asked = askNeeds(strategy, params);
  return [instrument.symbol, ...(asked.kind === 'needs' ? (asked.needs.books ?? []) : [])];
}

/**
 * One private read, of a paper exchange that was running before. Throws `StartError` (69) when it does not know our
 * key: it is another folder's.
 */
export async function checkKey(session: Pick<VenueSession, 'ask' | 'stamp'>, settings: Settings): Promise<void> {
  const { outcome } = await session.ask({ kind: 'wallet', stamp: session.stamp() });
  const known = outcome.kind === 'rejected' ? errorCode(outcome.code) : undefined;
  if (known?.remedy !== 'stop-all') return;
  const { venue, stateFolder } = settings;
  const sentence =
    `The paper exchange at ${venue.baseUrl} belongs to another folder: it does not know the key of ${stateFolder}. ` +
    'Stop it, or set paper.port to another.';
  throw new StartError(EXIT.unavailable, sentence);
}
