// The configuration of a simulated run's watchdog: as in production, with the bot's lane.
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import type { WatchConfiguration } from '../../src/watchdog/watch-settings.ts';

export const TTL_MS = 45_000;

export function watchConfiguration({ trader, client, lanes }: TradingSettings): WatchConfiguration {
  const { requestsPerSecond, maxInFlight } = lanes.private;
  return {
    trader,
    watchdog: {
      ttlMs: TTL_MS,
      lookEveryMs: 500,
      termGraceMs: 2_000,
      giveUpMs: 10_800_000,
      gentleMs: 10_000,
      requestsPerSecond,
      maxInFlight,
      rearm: 'by-person',
      keys: null,
    },
    venue: { timeoutMs: client.deadlineMs },
  };
}
