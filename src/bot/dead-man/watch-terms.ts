// By what a watchdog watches: it shows it, and the bot compares. One that was started before the configuration was
// changed would cancel other orders than it may by now, or call them gone too early.
import { z } from 'zod';
import { watchSettingsOf } from '../../watchdog/watch-settings.ts';
import type { Settings } from '../settings/types.ts';

/** What it must not hold otherwise than its bot; by what pace it works is its own. */
export interface WatchTerms {
  readonly exchange: string;
  readonly whose: 'own' | 'account';
  readonly rearm: 'by-person' | 'after-proof';
  readonly horizonMs: number;
  readonly readLagBoundMs: number;
}

export function watchTermsOf(settings: Settings): WatchTerms {
  const { rearm, horizonMs, sweep } = watchSettingsOf(settings);
  const { whose, readLagBoundMs } = sweep;
  return { exchange: settings.venue.baseUrl, whose, rearm, horizonMs, readLagBoundMs };
}

/** What of a watchdog's sign of life says by what it watches. */
export const shownTerms = z.object({ terms: z.record(z.string(), z.unknown()).optional() });

/** The keys of the configuration behind the shown terms that differ from ours; empty where none does. */
export function otherTerms(terms: z.output<typeof shownTerms>['terms'], ours: WatchTerms): readonly string[] {
  if (terms === undefined) return [];
  return Object.entries(NAMES).flatMap(([term, name]) =>
    terms[term] === ours[term as keyof WatchTerms] ? [] : [name],
  );
}

const NAMES: Readonly<Record<keyof WatchTerms, string>> = {
  exchange: 'venue.baseUrl',
  whose: 'account.foreignOrders',
  rearm: 'watchdog.rearm',
  horizonMs: 'assumptions (window, clock, lag inside the exchange)',
  readLagBoundMs: 'assumptions.readLagBoundMs',
};
