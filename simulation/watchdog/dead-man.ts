// The dead man's switch of a run: who watches, what befalls the watched and the watchers, and the person who lets the
// bot go on.
import { chance, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { WatchPhase } from '../../src/watchdog/watch-state.ts';
import type { WatchdogFault } from '../faults/fault-kinds.ts';
import type { LifeEnd, LifeGuard } from '../machine/life.ts';
import type { Lives } from '../machine/lives.ts';
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
  readonly lives: () => Lives;
  readonly transport: (who: Sweeper, isOver: () => boolean) => Transport;
  readonly ears: SweeperEars;
  readonly traced: (line: string) => void;
  readonly counted: (name: string) => void;
  /** A person who was called because nothing could be proved takes the bot's orders away by hand. */
  readonly takeAway: () => void;
}

export interface DeadMan {
  readonly process: WatchedProcess;
  begin(): void;
  guard(life: number): LifeGuard;
  lifeEnded(why: LifeEnd): void;
  /** Somebody cancels the bot's orders, or is about to: no person re-arms meanwhile. */
  isActing(): boolean;
  befall(fault: WatchdogFault, stream: RandomStream): void;
  /** The faults are over. */
  calm(): void;
  /** Nobody watches any more. */
  end(): void;
}

const SHORTEST_HANG_RATIO = 0.3;
const LONGEST_HANG_RATIO = 4;
const DEAF_SHARE = 1 / 5;
const PERSON_COMES_MS: readonly [DurationMs, DurationMs] = [5 * SECOND, 180 * SECOND];
const PERSON_AGAIN_MS = 10 * SECOND;
const WATCHDOG_STARTS_MS: readonly [DurationMs, DurationMs] = [SECOND, 20 * SECOND];
/** `cancel-all` is run so long after the bot's death: before, while and after a watchdog acts. */
const PRESSED_AFTER_MS: readonly [DurationMs, DurationMs] = [SECOND, 3 * TTL_MS];
const MOST_PRESSES = 3;
/** A bot that nobody starts: a person finds it so by then. */
const NOBODY_STARTS_MS = 10 * 60 * SECOND;
/** Where a watchdog may die: each phase that has effects. */
const DYING_PHASES: readonly WatchPhase[] = ['ending', 'clearing', 'clearing', 'clearing'];
const LOOK_EVERY_MS = 200;

export function createDeadMan(parts: DeadManParts): DeadMan {
  const { plan, clock, sleep, traced, counted } = parts;
  const people = randomStream(plan.seed, 'watchdog.people');
  const jitter = randomStream(plan.seed, 'watchdog.jitter');
  const ownFile = createOwnFile(clock);
  const lives = (): Lives => parts.lives();
  const process = watchProcess({
    ...{ clock, now: parts.now, sleep, ttlMs: TTL_MS, deadlineMs: plan.deadlineMs, ownFile },
    latched: () => lives().latch()?.reason ?? null,
    kill: () => lives().now()?.crashAt('now'),
  });
  const sweeping: SweeperParts = {
    configuration: watchConfiguration(parts.trading),
    client: parts.trading.client,
    clock,
    random: { next: () => uniform(jitter) },
    sleep,
    process,
    ownFile,
    transport: parts.transport,
    latch: { reason: () => lives().latch()?.reason ?? null, set: (reason) => lives().setLatch(reason) },
    ears: parts.ears,
  };
  let watchdog: RunningWatchdog | null = null;
  let count = 0;
  let presses = 0;
  let isPressed = false;
  let isPersonComing = false;
  let hasEnded = false;

  function start(): void {
    if (hasEnded || parts.isOver() || watchdog !== null) return;
    count += 1;
    traced(`* watchdog ${count} begins`);
    watchdog = startWatchdog(sweeping, `watchdog ${count}`, over);
  }

  function die(): void {
    if (watchdog === null) return;
    traced(`* ${watchdog.who} dies (${watchdog.phase()})`);
    watchdog.die();
    watchdog = null;
    void sleep(between(WATCHDOG_STARTS_MS, uniform(people))).then(start);
  }

  function over(how: boolean): void {
    traced(`* ${watchdog?.who} ends: ${how ? 'nothing is open' : 'it gave up'}`);
    watchdog = null;
    call(how);
  }

  /** A person lets the bot go on once everybody who cancels has ended. */
  function call(isProved: boolean): void {
    if (isPersonComing || hasEnded) return;
    isPersonComing = true;
    void sleep(between(PERSON_COMES_MS, uniform(people))).then(() => comes(isProved));
  }

  function comes(isProved: boolean): void {
    if (hasEnded || parts.isOver()) return;
    if (isActing()) return void sleep(PERSON_AGAIN_MS).then(() => comes(isProved));
    isPersonComing = false;
    if (!isProved) parts.takeAway();
    traced('* a person re-arms');
    counted('re-armed');
    lives().rearm();
    start();
  }

  const isActing = (): boolean =>
    isPressed || (watchdog !== null && !['starting', 'watching'].includes(watchdog.phase()));

  function bringDown(): void {
    // Until a person starts it, who is called by what the watchdog does, or finds it so.
    lives().leaveDown(Math.min(NOBODY_STARTS_MS, parts.chaosLeftMs()));
    lives().now()?.crashAt('now');
  }

  /** As soon as it does something that another one has to go on with. */
  function dieWhile(phase: WatchPhase, afterMs: DurationMs): void {
    if (hasEnded || parts.isOver() || parts.chaosLeftMs() === 0) return;
    if (watchdog?.phase() === phase) return void sleep(afterMs).then(() => dieIfIn(phase));
    void sleep(LOOK_EVERY_MS).then(() => dieWhile(phase, afterMs));
  }

  function dieIfIn(phase: WatchPhase): void {
    if (watchdog === null || parts.chaosLeftMs() === 0) return;
    if (watchdog.phase() === phase) counted(`watchdog died ${phase}`);
    die();
  }

  async function press(): Promise<void> {
    if (isPressed || hasEnded || parts.isOver()) return;
    isPressed = true;
    let isFlat = false;
    for (let tries = 0; !isFlat && tries < MOST_PRESSES && !parts.isOver(); tries += 1) {
      presses += 1;
      traced(`* a person runs cancel-all (${presses})`);
      isFlat = await cancelAll(sweeping, `cancel-all ${presses}`);
      traced(`* cancel-all ends: ${isFlat ? 'nothing is open' : 'not proved'}`);
      counted(isFlat ? 'cancel-all proved' : 'cancel-all without proof');
    }
    isPressed = false;
    call(isFlat);
  }

  return {
    process,
    begin: start,
    guard: process.guard,
    /** The machine is off: nothing on it runs. */
    lifeEnded(why) {
      if (why.kind === 'crashed' && why.at === 'power') die();
    },
    isActing,
    befall(fault, stream) {
      const draws = [uniform(stream), uniform(stream), uniform(stream)] as const;
      if (fault === 'hang') {
        const longest = between([SHORTEST_HANG_RATIO, LONGEST_HANG_RATIO], draws[0]) * TTL_MS;
        const ms = Math.ceil(Math.min(longest, parts.chaosLeftMs()));
        process.hang({ ms, isWhole: draws[1] < 1 / 2, isDeaf: chance(stream, DEAF_SHARE) });
        return;
      }
      bringDown();
      const phase = DYING_PHASES[Math.floor(draws[0] * DYING_PHASES.length)] ?? 'clearing';
      if (fault === 'death-of-both') dieWhile(phase, between([1, 20 * SECOND], draws[1]));
      if (fault === 'cancel-all') void sleep(between(PRESSED_AFTER_MS, draws[0])).then(press);
    },
    calm: process.wake,
    end() {
      hasEnded = true;
      watchdog?.die();
      watchdog = null;
    },
  };
}
