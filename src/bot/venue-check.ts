// Before anything is sent that could move money: is the exchange there, does it list what is configured, does it know the key?

import { errorCode } from '../venue/error-codes.ts';
import { EXIT, StartError } from './exit-codes.ts';
import type { Settings } from './settings/types.ts';
import type { VenueSession } from './venue-session.ts';

/** One public request. Throws `StartError`: 69 when the exchange can't be asked, 78 when a symbol is not listed. */
export async function checkListed(session: Pick<VenueSession, 'ask'>, settings: Settings): Promise<void> {
  const { outcome } = await session.ask({ kind: 'symbols' });
  if (outcome.kind !== 'read') {
    throw new StartError(
      EXIT.unavailable,
      `The exchange at ${settings.venue.baseUrl} can not be asked: ${whyNot(outcome)}`,
    );
  }
  const listed = 'read' in outcome ? new Set<unknown>(outcome.read.rows as readonly unknown[]) : new Set<unknown>();
  const missing = settings.trader.runs.map((run) => run.instrument.symbol).filter((symbol) => !listed.has(symbol));
  if (missing.length > 0) {
    throw new StartError(
      EXIT.configurationInvalid,
      `The exchange does not list ${missing.join(', ')}; it lists ${listed.size} symbols.`,
    );
  }
}

/**
 * One private read. Throws `StartError` when the exchange refuses the key itself; whatever else goes wrong is left to the loop. `found` tells
 * that a paper exchange was running at the address before: one that does not know our key is another folder's (69). Else 78.
 */
export async function checkKey(
  session: Pick<VenueSession, 'ask' | 'stamp'>,
  settings: Settings,
  { found }: { found: boolean },
): Promise<void> {
  const { outcome } = await session.ask({ kind: 'wallet', stamp: session.stamp() });
  const known = outcome.kind === 'rejected' ? errorCode(outcome.code) : undefined;
  if (known?.remedy !== 'stop-all') return;
  const { venue, stateFolder } = settings;
  if (found) {
    const sentence = `The paper exchange at ${venue.baseUrl} belongs to another folder: it does not know the key of ${stateFolder}. Stop it, or set paper.port to another.`;
    throw new StartError(EXIT.unavailable, sentence);
  }
  throw new StartError(EXIT.configurationInvalid, `The exchange refuses the key: ${known.code} ${known.meaning}`);
}

function whyNot(outcome: {
  kind: string;
  fault?: { detail: string };
  status?: number;
  code?: number;
  msg?: string;
}): string {
  if (outcome.fault) return outcome.fault.detail;
  return outcome.code === undefined ? `HTTP ${outcome.status ?? '?'}.` : `${outcome.code} ${outcome.msg ?? ''}`;
}
