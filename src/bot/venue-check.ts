// Before anything is sent that could move money: is the exchange there, and does it list what is configured?

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
