// Processes that cancel the bot's orders without the bot: successive watchdogs, and `cancel-all` when a person runs it.
import { type ClientSettings, createExchangeClient } from '../../src/client/exchange-client.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { noCreateFrom } from '../../src/watchdog/kill-bound.ts';
import type { OwnOrders } from '../../src/watchdog/own-orders.ts';
import { runSweep, type StampedVenue, stampedVenue } from '../../src/watchdog/run-sweep.ts';
import { runWatchdog, type Tell, type Watchdog } from '../../src/watchdog/run-watchdog.ts';
import { beginSweep } from '../../src/watchdog/sweep-state.ts';
import {
  horizonMsOf,
  killBoundOf,
  sweepSettingsOf,
  type WatchConfiguration,
  watchSettingsOf,
} from '../../src/watchdog/watch-settings.ts';
import type { Evidence, WatchPhase } from '../../src/watchdog/watch-state.ts';
import type { OwnFile } from './own-file.ts';
import type { WatchedProcess } from './watched-process.ts';

/** A name of one process that cancels: `watchdog 2`, `cancel-all 1`. */
export type Sweeper = string;

export interface SweeperEars {
  /** The latch is about to be set. */
  latching(who: Sweeper, reason: string): void;
  /** It reports that nothing is open; `orders` is its basis. */
  flat(who: Sweeper, orders: OwnOrders): void;
  told(who: Sweeper, what: Tell): void;
}

export interface SweeperParts {
  readonly configuration: WatchConfiguration;
  readonly client: ClientSettings;
  readonly clock: Clock;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  readonly process: WatchedProcess;
  readonly ownFile: OwnFile;
  readonly transport: (who: Sweeper, isOver: () => boolean) => Transport;
  readonly latch: { reason(): string | null; set(reason: string): void };
  readonly ears: SweeperEars;
}

export interface RunningWatchdog {
  readonly who: Sweeper;
  phase(): WatchPhase;
  /** The process crashes. */
  die(): void;
}

/** `ended`: true when it proved that nothing is open, or had nothing to do; false when it gave up. */
export function startWatchdog(parts: SweeperParts, who: Sweeper, ended: (how: boolean) => void): RunningWatchdog {
  const { configuration, clock, process, ownFile, latch, ears } = parts;
  let isDead = false;
  let gathered: OwnOrders | null = null;
  let named: ReadonlySet<string> = new Set();

  function evidence(): Evidence {
    const { orders, writtenAt } = ownFile.read();
    named = new Set(orders.open.keys());
    gathered = orders;
    orders.horizon = Math.max(orders.horizon, writtenAt + horizonMsOf(configuration));
    return { orders, damaged: null, latched: latch.reason(), mayRearm: false, bot: process.sight() };
  }

  const watchdog: Watchdog = runWatchdog(watchSettingsOf(configuration), {
    clock,
    venue: venueOf(parts, who, () => isDead),
    latch: {
      reason: latch.reason,
      set(reason) {
        ears.latching(who, reason);
        latch.set(reason);
      },
    },
    lease: process.lease,
    evidence,
    bot: process.sight,
    signal: process.signal,
    forgetOrders() {
      if (latch.reason() !== null && !hasPlacedSince(ownFile, named)) ownFile.forget();
    },
    rearm: () => ({ kind: 'kept', why: 'A person does it.' }),
    leaveToPerson: () => {},
    showLife: () => {},
    tell(what) {
      ears.told(who, what);
      if (what.op === 'flat' && gathered !== null) ears.flat(who, gathered);
    },
    answered: () => {},
  });
  void watchdog.ended.then((how) => {
    if (!isDead && how !== null) ended(how);
  });
  return {
    who,
    phase: () => watchdog.state().phase,
    die() {
      isDead = true;
      watchdog.stop();
    },
  };
}

const LOOK_EVERY_MS: DurationMs = 250;

/** Like `cancel-all`: latch, give a running bot its time, cancel the file's orders, and prove it. */
export async function cancelAll(parts: SweeperParts, who: Sweeper): Promise<boolean> {
  const { configuration, clock, process, ownFile, latch, ears } = parts;
  const reason = 'cancel-all was called.';
  ears.latching(who, reason);
  latch.set(reason);
  const isGone = await waitForBot(parts);
  const { orders, writtenAt } = ownFile.read();
  const named = new Set(orders.open.keys());
  const horizonMs = horizonMsOf(configuration);
  const horizon: EpochMs = Math.max(orders.horizon, writtenAt + horizonMs);
  const sweep = beginSweep(
    sweepSettingsOf(configuration),
    orders,
    noCreateFrom({ horizon, isKnown: isGone, horizonMs }, clock),
  );
  const venue = venueOf(parts, who, () => false);
  const ports = { clock, venue, answered: () => {} };
  const isEmpty = await runSweep(sweep, ports, 2 * killBoundOf(configuration).provedMs);
  if (!isEmpty || latch.reason() === null || hasPlacedSince(ownFile, named)) return false;
  if (isGone && !process.sight().folderHeld) ownFile.forget();
  ears.flat(who, orders);
  return true;
}

/** False for a bot without progress, which is not waited for. */
async function waitForBot({ configuration, clock, sleep, process }: SweeperParts): Promise<boolean> {
  let seq = process.lease()?.seq;
  let beatAt = clock.monotonic();
  while (process.sight().folderHeld) {
    if (process.lease()?.seq !== seq) {
      seq = process.lease()?.seq;
      beatAt = clock.monotonic();
    }
    if (clock.monotonic() - beatAt > configuration.watchdog.ttlMs) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

const hasPlacedSince = (ownFile: OwnFile, before: ReadonlySet<string>): boolean =>
  [...ownFile.read().orders.open.keys()].some((name) => !before.has(name));

function venueOf(parts: SweeperParts, who: Sweeper, isOver: () => boolean): StampedVenue {
  const { client, clock, configuration } = parts;
  const venue = createExchangeClient({ settings: client, transport: parts.transport(who, isOver), clock });
  return stampedVenue(venue, clock, configuration.trader.assumptions.recvWindowMs);
}
