// The watchdog's settings and its bound, out of the configuration.
import type { DurationMs } from '../domain/time.ts';
import { type KillBound, killBound } from '../watchdog/kill-bound.ts';
import type { SweepSettings } from '../watchdog/sweep-state.ts';
import type { WatchSettings } from '../watchdog/watch-state.ts';
import type { Settings } from './settings/types.ts';

export function watchSettingsOf(settings: Settings): WatchSettings {
  const { ttlMs, lookEveryMs, termGraceMs, giveUpMs } = settings.watchdog;
  return {
    ttlMs,
    // Often enough for what is watched, however short it is.
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
export const sharesKey = ({ watchdog }: Settings): boolean => watchdog.keys === null;

/** W + ε + Lm: for how long after it left a create may still be accepted. */
export function horizonMsOf({ trader }: Settings): DurationMs {
  const { recvWindowMs, maxClockUncertaintyMs, venueInternalLagMs } = trader.assumptions;
  return recvWindowMs + maxClockUncertaintyMs + venueInternalLagMs;
}

export function sweepSettingsOf(settings: Settings): SweepSettings {
  const { trader, watchdog } = settings;
  const { readLagBoundMs, maxClockUncertaintyMs } = trader.assumptions;
  return {
    whose: trader.foreignOrders === 'refuse' ? 'account' : 'own',
    symbols: trader.runs.map((run) => run.instrument.symbol),
    intervalMs: 1_000 / watchdog.requestsPerSecond,
    maxInFlight: watchdog.maxInFlight,
    gentleMs: watchdog.gentleMs,
    longestWaitMs: watchdog.longestWaitMs,
    readLagBoundMs,
    match: {
      earlierMs: readLagBoundMs + 2 * maxClockUncertaintyMs,
      laterMs: horizonMsOf(settings) + 2 * maxClockUncertaintyMs,
    },
  };
}

export function killBoundOf(settings: Settings): KillBound {
  const { ttlMs, lookEveryMs, termGraceMs, horizonMs, sweep } = watchSettingsOf(settings);
  const { trader, venue, watchdog } = settings;
  return killBound({
    ttlMs,
    lookEveryMs,
    termGraceMs,
    whose: sweep.whose,
    mostOrders: trader.runs.reduce((sum, run) => sum + run.limits.maxOpenOrders, 0),
    symbols: trader.runs.length,
    requestsPerSecond: watchdog.requestsPerSecond,
    deadlineMs: Math.max(venue.deadlines.cancelMs, venue.deadlines.readMs),
    horizonMs,
    readLagBoundMs: sweep.readLagBoundMs,
  });
}

/** One sentence for `check`, `run` and `watchdog`. */
export function killBoundSentence(settings: Settings): string {
  const { detectedMs, clearedMs, provedMs } = killBoundOf(settings);
  const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
  return `With a watchdog, a bot that falls silent is noticed within ${seconds(detectedMs)}, its orders are canceled within ${seconds(clearedMs)} and proved gone within ${seconds(provedMs)}, unless the exchange throttles or is in maintenance.`;
}
