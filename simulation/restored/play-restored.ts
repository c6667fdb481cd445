// A run whose journal is lost and put back from a backup of a while before, as on the day after a disk died: the bot
// finds orders that its journal has never heard of, a person says truly whose they are, and it goes on (decision 0023).
import { startVirtualTime } from '../../src/backtest/virtual-time.ts';
import { pick, randomStream, uniform } from '../../src/crowd/random.ts';
import { type OrderId, orderId as orderIdOf } from '../../src/domain/ids.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { TradingSettings } from '../../src/loop/start-trading.ts';
import { applyOwnerAction } from '../../src/paper/owner/owner-action.ts';
import type { Resumed } from '../../src/trader/observe/resume.ts';
import type { Answer } from '../../src/trader/observe/take-over.ts';
import { stopBoundMs } from '../../src/trader/status/stop-bound.ts';
import { midPriceOf } from '../checks/mid-price.ts';
import { SIM_FAULTS } from '../faults/catalogue.ts';
import { START_AT } from '../machine/run.ts';
import { createWorld } from '../machine/world.ts';
import { ACCOUNT, tradingSettings } from '../plan/configuration.ts';
import { drawPlan, type Plan, type PlanChanges, planned } from '../plan/plan.ts';
import {
  judgeAnswered,
  judgeStopped,
  judgeWaited,
  mustWait,
  sentAfterwards,
  sentWhileWaiting,
} from './restored-checks.ts';
import { type RestoredLife, startRestoredLife } from './restored-life.ts';
import { broke, type Evidence, isKnown, look, ownResting, pass, type Scene, truthOf } from './scene.ts';

export interface RestoredResult {
  readonly evidence: Evidence;
  /** What the person said; null where nothing of the account told that the journal is old. */
  readonly answer: Answer | null;
  /** The bot's own orders that rested and were not in the journal any more. */
  readonly lost: number;
  /**
   * After his answer a create of the old journal without one may be another order: that he is asked apart, and the run
   * ends there.
   */
  readonly isAskedAgain: boolean;
  /** What does not hold, a sentence each. */
  readonly broken: readonly string[];
}

export interface RestoredOptions {
  /** Sees every line of the course. */
  readonly print?: (line: string) => void;
  readonly plan?: Omit<PlanChanges, 'hours'>;
  /** For tests of the checks: the person says that nothing is the bot's, whatever is so. */
  readonly lie?: 'not-mine';
}

const BEFORE_MS: readonly [DurationMs, DurationMs] = [8 * MINUTE, 20 * MINUTE];
const LOST_MS: readonly [DurationMs, DurationMs] = [6 * MINUTE, 20 * MINUTE];
const DOWN_MS: DurationMs = 2 * MINUTE;
/** A person takes so long to look. */
const LOOKS_MS: DurationMs = 8 * MINUTE;
const GOES_ON_MS: DurationMs = 12 * MINUTE;
const MARK = 'The state folder was restored from a backup.';
/**
 * A list that is cut proves nothing, a clock that was set back keeps a start from beginning, and a market that joins
 * later is another story.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['capped-list', 'capped-pages', 'many-orders', 'add-market', 'step']);

export async function playRestored(seed: string, options: RestoredOptions = {}): Promise<RestoredResult> {
  const time = startVirtualTime(START_AT);
  const stream = randomStream(seed, 'restored');
  const within = ([from, to]: readonly [number, number]): number => Math.floor(from + (to - from) * uniform(stream));
  const backupAt = START_AT + within(BEFORE_MS);
  const lostAt = backupAt + within(LOST_MS);
  const plan = planFor(seed, options.plan ?? {}, lostAt);
  const print = options.print ?? (() => {});
  try {
    const world = createWorld(plan, time, { print });
    world.begin();
    await time.run(backupAt, world.afterEvent);
    const backup = world.restarts.disk.backup();
    const { fills, byOrder } = world.context.journal;
    const copied = { fills: new Set(fills.keys()), orders: new Set(byOrder.keys()) };
    await time.run(lostAt, world.afterEvent);
    const scene: Scene = {
      ...{ plan, time, world, backupAt, copied, owners: new Set(), lie: options.lie ?? null },
      evidence: evidenceOf(plan, pick(stream, 3)),
      traced: (line) => print(`${((time.clock.now() - START_AT) / SECOND).toFixed(3)} ${line}`),
      broken: world.violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`),
    };
    await loseJournal(scene, backup);
    return await playOn(scene);
  } finally {
    time.end();
  }
}

/** Faults happen until the journal is lost; nobody but a person looks after the bot. */
function planFor(seed: string, changes: Omit<PlanChanges, 'hours'>, lostAt: EpochMs): Plan {
  const isLeftOut = (id: string): boolean =>
    LEFT_OUT.has(SIM_FAULTS.find((fault) => fault.id === id)?.injection.fault ?? '');
  const faults = planned(drawPlan(seed, changes)).filter((id) => !isLeftOut(id));
  const plan = drawPlan(seed, { ...changes, faults, hours: 2 });
  return { ...plan, watched: false, calmAfterMs: lostAt - START_AT, durationMs: 2 * HOUR };
}

/** On a shared account nothing is promised where neither mark nor file tells. */
function evidenceOf({ foreignOrders }: Plan, drawn: number): Evidence {
  if (drawn === 0) return 'mark';
  return drawn === 1 || foreignOrders === 'ignore' ? 'own-orders' : 'account';
}

/** The bot dies, nothing starts it again, and its disk is replaced. */
async function loseJournal(scene: Scene, backup: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const { world, traced } = scene;
  world.calm();
  world.restarts.leaveDown(24 * HOUR);
  world.restarts.now()?.crashAt('now');
  await pass(scene, DOWN_MS);
  world.restarts.disk.restart(() => 0);
  world.restarts.disk.restore(backup);
  traced(`* the journal is put back (${scene.evidence})`);
  look(scene);
  const { oracle } = truthOf(scene);
  for (const { orderId, maker } of oracle.live()) if (maker.kind === 'owner') scene.owners.add(orderId);
}

async function playOn(scene: Scene): Promise<RestoredResult> {
  const { evidence, broken } = scene;
  const { foreignOrders, readLagBoundMs } = scene.plan;
  const ids = ownIds(scene);
  const first = begin(scene, { ids, answer: null, resume: [] });
  const lost = ownResting(scene).filter(({ orderId }) => !isKnown(scene, first, orderId));
  const played = { evidence, answer: null, lost: lost.length, isAskedAgain: false, broken };
  if (!mustWait(scene, lost, ids)) return played;
  await pass(scene, LOOKS_MS + 2 * readLagBoundMs);
  judgeWaited(scene, first, lost);
  const answer = scene.lie === 'not-mine' ? 'not-mine' : answerOf(scene, first);
  scene.traced(`* a person says ${answer} (${foreignOrders})`);
  first.kill();
  for (const key of first.journal.fills.keys()) scene.copied.fills.add(key);
  await pass(scene, MINUTE);
  const second = begin(scene, { ids: new Set(), answer, resume: toResume(scene, first) });
  await pass(scene, GOES_ON_MS + 4 * readLagBoundMs);
  const isAskedAgain = [...second.journal.halts.values()].some(({ code }) => code === 'order-unknown');
  if (isAskedAgain) return { ...played, answer, isAskedAgain };
  judgeAnswered(scene, second, answer === 'adopt' ? lost.filter(({ orderId }) => first.asked.has(orderId)) : []);
  if (await stop(scene, second)) judgeStopped(scene, second);
  else broke(scene, 'The stop was not proved within its bound.');
  return { ...played, answer };
}

interface Beginning {
  /** Orders that the file of own orders names. */
  readonly ids: ReadonlySet<OrderId>;
  readonly answer: Answer | null;
  readonly resume: readonly Resumed[];
}

function begin(scene: Scene, { ids, answer, resume }: Beginning): RestoredLife {
  const { plan, time, world, traced, evidence } = scene;
  const { exchange, clock, restarts } = world;
  const why = evidence === 'mark' && answer === null ? MARK : null;
  const isToldOfNames = evidence === 'own-orders' && answer === null;
  const settings: TradingSettings = {
    ...tradingSettings(plan),
    ...{ answer, resume },
    doubt: why === null && !isToldOfNames ? null : { why, ownMarks: isToldOfNames ? ids : new Set() },
  };
  traced(`* the bot begins${answer === null ? '' : ` with ${answer}`}`);
  const life: RestoredLife = startRestoredLife({
    ...{ plan, time, clock, exchange, settings, traced, disk: restarts.disk },
    onSent: (message) =>
      answer === null ? sentWhileWaiting(scene, () => life, message) : sentAfterwards(scene, message),
    onBroken: (sentence) => broke(scene, sentence),
  });
  return life;
}

/** What the file of own orders names and the journal does not. */
const ownIds = (scene: Scene): ReadonlySet<OrderId> =>
  new Set([...truthOf(scene).journal.byOrder.keys()].filter((id) => !scene.copied.orders.has(id)).map(orderIdOf));

/** He cancels by hand what is his own, where any of the others is the bot's. */
function answerOf(scene: Scene, { asked }: RestoredLife): Answer {
  const { oracle, exchange } = truthOf(scene);
  look(scene);
  const resting = oracle.live().filter(({ orderId }) => asked.has(orderId));
  if (resting.every(({ orderId }) => scene.owners.has(orderId))) return 'not-mine';
  for (const { orderId } of resting)
    if (scene.owners.has(orderId))
      applyOwnerAction(exchange(), { kind: 'cancel-order', account: ACCOUNT, orderId }, scene.time.clock.now());
  return 'adopt';
}

/** What else halts a symbol he resumes with it. */
function toResume(scene: Scene, { journal }: RestoredLife): readonly Resumed[] {
  const others = [...journal.halts].filter(([, { code }]) => code !== 'journal-stale');
  const { runs } = tradingSettings(scene.plan).trader;
  return others.map(([symbol, { code }]) => {
    const market = runs.find(({ instrument }) => instrument.symbol === symbol);
    const price = code !== 'price' || market === undefined ? null : midPriceOf(truthOf(scene), market.instrument);
    return { symbol, price };
  });
}

/** True where the stop was proved. */
async function stop(scene: Scene, life: RestoredLife): Promise<boolean> {
  const { trader } = tradingSettings(scene.plan);
  life.stop();
  const isOver = (): boolean => life.journal.ended !== null;
  await pass(scene, stopBoundMs({ trader, deadlineMs: scene.plan.deadlineMs }) + MINUTE, isOver);
  return isOver();
}
