// The dead man's switch of a run: the watchdogs, their faults and the bot's, and the person who lets the bot continue.
import { chance, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { WatchPhase } from '../../src/watchdog/watch-state.ts';
import type { WatchdogFault } from '../faults/fault-kinds.ts';
import type { ProcessEnd, ProcessGuard } from '../machine/bot-process.ts';
import type { Restarts } from '../machine/restarts.ts';
import { between, type Plan } from '../plan/plan.ts';
import { createOwnFile } from './own-file.ts';
import {
  cancelAll,
  type RunningWatchdog,
  type Sweeper,
  type SweeperEars,
  type SweeperParts,
  startWatchdog,
} from './sweepers.ts';
import { TTL_MS, watchConfiguration } from './watch-configuration.ts';
import { type WatchedProcess, watchProcess } from './watched-process.ts';

export interface DeadManParts {
  readonly plan: Plan;
  readonly trading: TradingSettings;
  /** The machine's. */
  readonly clock: Clock;
  /** True time. */
  readonly now: () => EpochMs;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  readonly isOver: () => boolean;
  readonly chaosLeftMs: () => DurationMs;
  readonly restarts: () => Restarts;
  readonly transport: (who: Sweeper, isOver: () => boolean) => Transport;
  readonly ears: SweeperEars;
  readonly traced: (line: string) => void;
  readonly counted: (name: string) => void;
  /** A person who was called because nothing could be proved removes the bot's orders by hand. */
  readonly takeAway: () => void;
}

export interface DeadMan {
  readonly process: WatchedProcess;
  begin(): void;
  guard(nth: number): ProcessGuard;
  processEnded(why: ProcessEnd): void;
  /** The bot's orders are being canceled, or about to be: no person re-arms meanwhile. */
  isActing(): boolean;
  inject(fault: WatchdogFault, stream: RandomStream): void;
  /** The faults are over. */
  calm(): void;
  /** Ends the watching. */
  end(): void;
}

const SHORTEST_HANG_RATIO = 0.3;
const LONGEST_HANG_RATIO = 4;
const DEAF_SHARE = 1 / 5;
const PERSON_COMES_MS: readonly [DurationMs, DurationMs] = [5 * SECOND, 180 * SECOND];
const PERSON_AGAIN_MS = 10 * SECOND;
const WATCHDOG_STARTS_MS: readonly [DurationMs, DurationMs] = [SECOND, 20 * SECOND];
/** `cancel-all` runs this long after the bot's death: before, while and after a watchdog acts. */
const PRESSED_AFTER_MS: readonly [DurationMs, DurationMs] = [SECOND, 3 * TTL_MS];
const MOST_PRESSES = 3;
/** A bot that nothing starts: a person finds it by then. */
const NOBODY_STARTS_MS = 10 * 60 * SECOND;
/** Where a watchdog may die: each phase that has effects. */
const DYING_PHASES: readonly WatchPhase[] = ['ending', 'clearing', 'clearing', 'clearing'];
const LOOK_EVERY_MS = 200;

interface Watch extends DeadManParts {
  readonly people: RandomStream;
  readonly process: WatchedProcess;
  readonly sweeping: SweeperParts;
  watchdog: RunningWatchdog | null;
  /** Watchdogs so far. */
  count: number;
  /** How often a person ran `cancel-all`, and whether one runs. */
  presses: number;
  isPressed: boolean;
  isPersonComing: boolean;
  hasEnded: boolean;
}

export function createDeadMan(parts: DeadManParts): DeadMan {
  const { plan, clock, sleep, restarts } = parts;
  const ownFile = createOwnFile(clock);
  const process = watchProcess({
    ...{ clock, now: parts.now, sleep, ttlMs: TTL_MS, deadlineMs: plan.deadlineMs, ownFile },
    latched: () => restarts().latch()?.reason ?? null,
    kill: () => restarts().now()?.crashAt('now'),
  });
  const sweeping: SweeperParts = {
    configuration: watchConfiguration(parts.trading),
    client: parts.trading.client,
    clock,
    sleep,
    process,
    ownFile,
    transport: parts.transport,
    latch: { reason: () => restarts().latch()?.reason ?? null, set: (reason) => restarts().setLatch(reason) },
    ears: parts.ears,
  };
  const watch: Watch = {
    ...parts,
    people: randomStream(plan.seed, 'watchdog.people'),
    process,
    sweeping,
    watchdog: null,
    count: 0,
    presses: 0,
    isPressed: false,
    isPersonComing: false,
    hasEnded: false,
  };
  return {
    process,
    begin: () => start(watch),
    guard: process.guard,
    /** The machine is off: nothing on it runs. */
    processEnded(why) {
      if (why.kind === 'crashed' && why.at === 'power') die(watch);
    },
    isActing: () => isActing(watch),
    inject: (fault, stream) => inject(watch, fault, stream),
    calm: process.wake,
    end() {
      watch.hasEnded = true;
      watch.watchdog?.die();
      watch.watchdog = null;
    },
  };
}

function inject(watch: Watch, fault: WatchdogFault, stream: RandomStream): void {
  const draws = [uniform(stream), uniform(stream), uniform(stream)] as const;
  if (fault === 'hang') {
    const longest = between([SHORTEST_HANG_RATIO, LONGEST_HANG_RATIO], draws[0]) * TTL_MS;
    const ms = Math.ceil(Math.min(longest, watch.chaosLeftMs()));
    watch.process.hang({ ms, isWhole: draws[1] < 1 / 2, isDeaf: chance(stream, DEAF_SHARE) });
    return;
  }
  bringDown(watch);
  const phase = DYING_PHASES[Math.floor(draws[0] * DYING_PHASES.length)] ?? 'clearing';
  if (fault === 'death-of-both') dieWhile(watch, phase, between([1, 20 * SECOND], draws[1]));
  if (fault === 'cancel-all') void watch.sleep(between(PRESSED_AFTER_MS, draws[0])).then(() => press(watch));
}

function start(watch: Watch): void {
  if (watch.hasEnded || watch.isOver() || watch.watchdog !== null) return;
  watch.count += 1;
  watch.traced(`* watchdog ${watch.count} begins`);
  watch.watchdog = startWatchdog(watch.sweeping, `watchdog ${watch.count}`, (how) => over(watch, how));
}

function die(watch: Watch): void {
  if (watch.watchdog === null) return;
  watch.traced(`* ${watch.watchdog.who} dies (${watch.watchdog.phase()})`);
  watch.watchdog.die();
  watch.watchdog = null;
  void watch.sleep(between(WATCHDOG_STARTS_MS, uniform(watch.people))).then(() => start(watch));
}

function over(watch: Watch, how: boolean): void {
  watch.traced(`* ${watch.watchdog?.who} ends: ${how ? 'nothing is open' : 'it gave up'}`);
  watch.watchdog = null;
  call(watch, how);
}

/** A person lets the bot continue once every canceling process has ended. */
function call(watch: Watch, isProved: boolean): void {
  if (watch.isPersonComing || watch.hasEnded) return;
  watch.isPersonComing = true;
  void watch.sleep(between(PERSON_COMES_MS, uniform(watch.people))).then(() => comes(watch, isProved));
}

function comes(watch: Watch, isProved: boolean): void {
  if (watch.hasEnded || watch.isOver()) return;
  if (isActing(watch)) return void watch.sleep(PERSON_AGAIN_MS).then(() => comes(watch, isProved));
  watch.isPersonComing = false;
  if (!isProved) watch.takeAway();
  watch.traced('* a person re-arms');
  watch.counted('re-armed');
  watch.restarts().rearm();
  start(watch);
}

const isActing = (watch: Watch): boolean =>
  watch.isPressed || (watch.watchdog !== null && !['starting', 'watching'].includes(watch.watchdog.phase()));

function bringDown(watch: Watch): void {
  // Until a person starts it, after an alert of the watchdog or by chance.
  watch.restarts().leaveDown(Math.min(NOBODY_STARTS_MS, watch.chaosLeftMs()));
  watch.restarts().now()?.crashAt('now');
}

/** As soon as it does something that another one has to continue. */
function dieWhile(watch: Watch, phase: WatchPhase, afterMs: DurationMs): void {
  if (watch.hasEnded || watch.isOver() || watch.chaosLeftMs() === 0) return;
  if (watch.watchdog?.phase() === phase) return void watch.sleep(afterMs).then(() => dieIfIn(watch, phase));
  void watch.sleep(LOOK_EVERY_MS).then(() => dieWhile(watch, phase, afterMs));
}

function dieIfIn(watch: Watch, phase: WatchPhase): void {
  if (watch.watchdog === null || watch.chaosLeftMs() === 0) return;
  if (watch.watchdog.phase() === phase) watch.counted(`watchdog died ${phase}`);
  die(watch);
}

async function press(watch: Watch): Promise<void> {
  if (watch.isPressed || watch.hasEnded || watch.isOver()) return;
  watch.isPressed = true;
  let isFlat = false;
  for (let tries = 0; !isFlat && tries < MOST_PRESSES && !watch.isOver(); tries += 1) {
    watch.presses += 1;
    watch.traced(`* a person runs cancel-all (${watch.presses})`);
    isFlat = await cancelAll(watch.sweeping, `cancel-all ${watch.presses}`);
    watch.traced(`* cancel-all ends: ${isFlat ? 'nothing is open' : 'not proved'}`);
    watch.counted(isFlat ? 'cancel-all proved' : 'cancel-all without proof');
  }
  watch.isPressed = false;
  call(watch, isFlat);
}
