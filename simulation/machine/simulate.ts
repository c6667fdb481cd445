// One simulated run: the whole bot above an HTTP message and below a disk sync, against the exchange in the same
// process, with all faults of its plan, and every invariant checked from both sides.
import { startVirtualTime, type VirtualTime } from '../../src/backtest/virtual-time.ts';
import { randomStream, uniform } from '../../src/crowd/random.ts';
import { type DurationMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { readTraderJournal } from '../../src/loop/trader-journal.ts';
import { stopBoundMs } from '../../src/trader/observe/stopping.ts';
import type { Resolution } from '../../src/trader/state/state.ts';
import { sameState } from '../checks/check-resolution.ts';
import type { CheckContext } from '../checks/context.ts';
import type { Violation } from '../checks/invariants.ts';
import type { Plan } from '../plan/plan.ts';
import { LONGEST_DOWN_MS } from './restarts.ts';
import { type SimulationOptions, START_AT } from './run.ts';
import { openLogStorage } from './storage-log.ts';
import { createWorld, type World } from './world.ts';

export interface SimulationResult {
  readonly violations: readonly Violation[];
  readonly counters: ReadonlyMap<string, number>;
  /** Hash of the whole run: equal plans give equal hashes. */
  readonly traceHash: string;
  readonly virtualMs: DurationMs;
  readonly records: number;
  readonly processes: number;
  /** How the last process resolved its unknown creates. */
  readonly resolutions: readonly Resolution[];
}

/** Time for a process at the end of a run, started to stop clean or to show that nothing is new, to begin its work. */
const AFTERWARDS_MS = 3 * MINUTE;
const AFTERWARDS_SHARE = 0.1;
/** Rows per page (specification 5). */
const ROWS_OF_A_PAGE = 50;
/** Time for a watchdog at work when the bot is to be stopped; its own checks have tighter bounds. */
const LONGEST_KILL_MS = 20 * MINUTE;

export async function simulate(plan: Plan, options: SimulationOptions = {}): Promise<SimulationResult> {
  const time = startVirtualTime(START_AT);
  try {
    const world = createWorld(plan, time, options);
    await live(world, time, plan);
    return {
      violations: world.violations,
      counters: world.context.counters.all,
      traceHash: world.traceHash(),
      virtualMs: time.clock.now() - START_AT,
      records: world.written(),
      processes: world.restarts.count(),
      resolutions: world.context.trader()?.resolutions.last ?? [],
    };
  } finally {
    time.end();
  }
}

async function live(world: World, time: VirtualTime, plan: Plan): Promise<void> {
  world.begin();
  await time.run(START_AT + plan.calmAfterMs, world.afterEvent);
  if (world.isDone()) return;
  world.calm();
  await time.run(START_AT + plan.durationMs, world.afterEvent);
  if (world.isDone()) return;
  await stop(world, time, plan);
  if (world.isDone()) return;
  world.atRest();
  replayed(world, time);
  if (!world.isDone() && uniform(randomStream(plan.seed, 'afterward')) < AFTERWARDS_SHARE) await again(world, time);
}

/** L3: a stop proves within its bound that no own order is left. */
async function stop(world: World, time: VirtualTime, plan: Plan): Promise<void> {
  const { context } = world;
  // A bot that is down is started again first, as people do.
  const from = Math.max(time.clock.now(), context.aheadUntil());
  const startsBy = (): number => Math.max(from, context.keptDownUntil()) + LONGEST_DOWN_MS;
  const isDecided = (): boolean => context.isUp() || time.clock.now() >= startsBy();
  await time.run(
    from + LONGEST_DOWN_MS + (plan.watched ? LONGEST_KILL_MS : 0),
    () => world.afterEvent() || isDecided(),
  );
  if (world.isDone()) return;
  if (!context.isUp()) context.violated('L1', 'The bot has not started again before it was to be stopped.');
  world.stop();
  const { resolutionDeadlineMs, readLagBoundMs } = context.settings.assumptions;
  const bound =
    stopBoundMs({ trader: context.settings, deadlineMs: plan.deadlineMs }) + MINUTE + pagesMs(plan, context);
  const over = (): boolean => world.afterEvent() || context.journal.ended !== null;
  await time.run(time.clock.now() + bound, over);
  const { journal, oracle } = context;
  const isInDoubt = journal.halts.size > 0 || journal.differences.size > 0;
  if (isInDoubt && !over()) await time.run(time.clock.now() + resolutionDeadlineMs + 4 * readLagBoundMs, over);
  const left = oracle.live().filter(({ maker }) => maker.kind === 'bot');
  const isFlat = journal.ended?.flat === true;
  if (isFlat) context.counters.add('stopped flat');
  // A cut list proves nothing, and a halted symbol waits for a person.
  const unexcused = isFlat ? left : left.filter(({ symbol }) => !journal.halts.has(symbol) && !isCut(plan, context));
  if (unexcused.length > 0)
    context.violated(
      'L3',
      `${unexcused.length} own orders are live after the stop, the first ${unexcused[0]?.orderId}.`,
    );
  if (!isCut(plan, context) && journal.halts.size === 0 && journal.ended === null) {
    const open = [...journal.live.values()].map(({ intentId, state }) => `${intentId} ${state}`).join(', ');
    context.violated(
      'L3',
      `The stop was not proved within ${(bound / SECOND).toFixed(0)} s: ${open === '' ? 'nothing is open' : open}.`,
    );
  }
}

/**
 * An order is closed once the own trades are read to their end, page by page, as well as lists and wallets. A bot that
 * could not run for an hour has many to read (seed 40160).
 */
function pagesMs({ quirks }: Plan, { oracle, journal, settings }: CheckContext): DurationMs {
  const since = journal.openedAt ?? 0;
  const unread = [...oracle.fills].filter(([key, { time }]) => time >= since && !journal.fills.has(key)).length;
  const pages = Math.ceil(unread / (quirks.listCap ?? ROWS_OF_A_PAGE));
  return (2 * pages * SECOND) / settings.requestsPerSecond.private;
}

/** Whether the list of open orders may still be cut: the owner's many orders are still there. */
function isCut(plan: Plan, { oracle }: CheckContext): boolean {
  const cap = plan.quirks.openOrdersCap ?? null;
  return cap !== null && oracle.live().length >= cap;
}

/** R4 and P4: the journal verifies, and its fold equals the state in which the bot ended. */
function replayed({ context, restarts }: World, time: VirtualTime): void {
  const trader = context.trader();
  if (trader === null) return;
  const clock = { now: () => time.clock.now() + context.clockError(), monotonic: () => 0 };
  const folded = readTraderJournal(openLogStorage(restarts.disk), clock);
  if (!folded.ok) return context.violated('P4', `The journal does not verify: ${folded.error.message}`);
  if (!sameState(folded.value, trader.durable))
    context.violated('R4', 'The fold of the journal is not the state that the bot ended in.');
}

/** R3: a start with the kill latch set, on an exchange where nothing happened, finds nothing new. */
async function again(world: World, time: VirtualTime): Promise<void> {
  const { context } = world;
  const flat = context.journal.ended?.flat === true;
  if (
    !flat ||
    context.journal.halts.size > 0 ||
    context.journal.differences.size > 0 ||
    context.oracle.live().length > 0
  )
    return;
  const quiet = new Set([
    'journal-opened',
    'session-started',
    'session-ended',
    'reconciled',
    'opened',
    'journal-snapshot',
    // A start undoes changes made only in the running bot; K15 checks that it does exactly that.
    'run-revised',
  ]);
  const news: string[] = [];
  world.beginLatched((record) => {
    const isElsewhere = record.type === 'reconciled' && record.payload.includes('"elsewhere"');
    if (!quiet.has(record.type) || isElsewhere) news.push(`${record.type} ${record.payload.slice(0, 200)}`);
  });
  await time.run(time.clock.now() + AFTERWARDS_MS + context.settings.assumptions.readLagBoundMs, world.afterEvent);
  if (news.length === 0) context.counters.add('nothing new after a stop');
  if (news.length > 0) context.violated('R3', `A second reconciliation found something new: ${news[0]}`);
}
