// The watchdog's settings and its bound, from the bot's settings and its own.
import { type DurationMs, SECOND } from '../domain/time.ts';
import type { TraderSettings } from '../trader/state/settings.ts';
import { type KillBound, killBound } from './kill-bound.ts';
import type { SweepSettings } from './sweep-state.ts';
import type { WatchSettings } from './watch-state.ts';

/** The relevant part of the configuration; a simulated run makes its own. */
export interface WatchConfiguration {
  readonly trader: TraderSettings;
  readonly watchdog: Pick<WatchSettings, 'ttlMs' | 'lookEveryMs' | 'termGraceMs' | 'giveUpMs' | 'rearm'> &
    Pick<SweepSettings, 'gentleMs' | 'maxInFlight'> & {
      readonly requestsPerSecond: number;
      /** Null: the bot's keys. */
      readonly keys: unknown;
    };
  readonly venue: { readonly timeoutMs: DurationMs };
  /** Where several hosts share the account. */
  readonly journal?: { readonly waitMs: DurationMs } | null;
}

export function watchSettingsOf(settings: WatchConfiguration): WatchSettings {
  const { ttlMs, lookEveryMs, termGraceMs, giveUpMs } = settings.watchdog;
  return {
    ttlMs,
    // Look often enough for `ttlMs`, however short it is.
    lookEveryMs: Math.min(lookEveryMs, Math.max(20, Math.floor(ttlMs / 4))),
    termGraceMs,
    sharesKey: sharesKey(settings),
    rearm: settings.watchdog.rearm,
    giveUpMs,
    horizonMs: horizonMsOf(settings),
    sweep: sweepSettingsOf(settings),
  };
}

/** Whether the exchange counts the requests of bot and watchdog together. */
export const sharesKey = ({ watchdog }: WatchConfiguration): boolean => watchdog.keys === null;

/** W + ε + Lm: how long after it left a create may still be accepted. */
export function horizonMsOf({ trader }: Pick<WatchConfiguration, 'trader'>): DurationMs {
  const { recvWindowMs, maxClockUncertaintyMs, venueInternalLagMs } = trader.assumptions;
  return recvWindowMs + maxClockUncertaintyMs + venueInternalLagMs;
}

export function sweepSettingsOf(settings: WatchConfiguration): SweepSettings {
  const { trader, watchdog } = settings;
  const { readLagBoundMs, maxClockUncertaintyMs } = trader.assumptions;
  return {
    whose: trader.foreignOrders === 'refuse' ? 'account' : 'own',
    symbols: trader.runs.map((run) => run.instrument.symbol),
    intervalMs: 1_000 / watchdog.requestsPerSecond,
    maxInFlight: watchdog.maxInFlight,
    gentleMs: watchdog.gentleMs,
    readLagBoundMs,
    match: {
      earlierMs: readLagBoundMs + 2 * maxClockUncertaintyMs,
      laterMs: horizonMsOf(settings) + 2 * maxClockUncertaintyMs,
    },
  };
}

export function killBoundOf(settings: WatchConfiguration): KillBound {
  const { trader, venue, journal = null } = settings;
  return killBound({
    ...watchSettingsOf(settings),
    mostOrders: trader.runs.reduce((sum, run) => sum + run.limits.maxOpenOrders, 0),
    deadlineMs: venue.timeoutMs,
    // The wait, and what a slow machine adds to it.
    latchMs: journal === null ? 0 : journal.waitMs + 2 * SECOND,
  });
}

/** One sentence for `check`, `run` and `watchdog`. */
export function killBoundSentence(settings: WatchConfiguration): string {
  const { detectedMs, clearedMs, provedMs } = killBoundOf(settings);
  const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
  return (
    `With a watchdog, a bot that falls silent is noticed within ${seconds(detectedMs)}, ` +
    `its orders are canceled within ${seconds(clearedMs)} and proved gone within ${seconds(provedMs)}, ` +
    'unless the exchange throttles or is in maintenance.'
  );
}
