// Everything in a plan that happens at its own moments: timed faults, the owner, crashes, bent clocks, and a person's
// actions on the bot.
import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { type DurationMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import { CRASH_POINTS, type CrashPoint } from '../machine/bot-process.ts';
import type { Restarts } from '../machine/restarts.ts';
import { hasStandingOrders } from '../outside/standing-orders.ts';
import type { Plan } from '../plan/plan.ts';
import type { DeadMan } from '../watchdog/dead-man.ts';
import { SIM_FAULTS } from './catalogue.ts';
import {
  type ClockFault,
  type CrashFault,
  type FaultId,
  isConstant,
  isMomentary,
  type Momentary,
  type OperatorFault,
  type TimedFault,
} from './fault-kinds.ts';
import type { OwnerActs } from './owner-faults.ts';
import { arrivals, stretches } from './timed-faults.ts';

/** A person's actions on the bot. True if it had an effect. */
export type OperatorActs = Readonly<Record<OperatorFault, (stream: RandomStream) => boolean>>;

export interface TimelineParts {
  readonly plan: Plan;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  /** Makes the whole world miss this much time. */
  readonly jump: (ms: DurationMs) => void;
  readonly isOver: () => boolean;
  readonly isChaotic: () => boolean;
  /** Until the calm begins. */
  readonly chaosLeftMs: () => DurationMs;
  readonly owner: OwnerActs;
  /** All orders of the account in one market end. */
  readonly purge: (stream: RandomStream) => void;
  readonly restarts: Restarts;
  readonly operator: OperatorActs;
  /** Null without a watchdog. */
  readonly deadMan: Pick<DeadMan, 'inject'> | null;
  readonly counted: (name: string) => void;
  /** A fault took effect. */
  readonly struck: (id: FaultId) => void;
  readonly traced: (line: string) => void;
  readonly timedFaultsChanged: (active: ReadonlySet<TimedFault>) => void;
  /** The bot's clock now shows this much more, from its next process on. */
  readonly clockStepped: (by: DurationMs) => void;
  /** The bot's clock was suspended this long. */
  readonly slept: (ms: DurationMs) => void;
  /** The next write of the present process will fail. */
  readonly writeFails: () => void;
}

/** Added later, with a stream of its own: runs that don't draw it stay the same. */
const LATER_POINT: CrashPoint = 'after-answer';
const FIRST_POINTS = CRASH_POINTS.filter((point) => point !== LATER_POINT);
const CRASH_WITHIN_MS = MINUTE;
/** The journal's upkeep is rarer than creates. */
const UPKEEP_CRASH_WITHIN_MS = 15 * MINUTE;
/** Bursts of the owner's trades, where pages are short. */
const BURSTS_PER_HOUR = 3;
const LONGEST_SUSPENSION_MIN = 30;
const LONGEST_STALL_S = 60;
const LONGEST_LATENESS_MS = 500;

/** Schedules the whole plan. `active` holds the timed faults that are active. */
export function scheduleTimeline(parts: TimelineParts, active: Set<TimedFault>): void {
  const { plan, struck, traced } = parts;
  const at = (moment: DurationMs, act: () => void): void => {
    void parts.sleep(moment).then(() => {
      if (!parts.isOver()) act();
    });
  };
  const purged = randomStream(plan.seed, 'purge.symbol');
  if (hasStandingOrders(plan)) parts.owner('standing-orders', randomStream(plan.seed, 'standing-orders'));
  for (const { id, fault, from, until } of stretches(plan)) {
    at(from, () => {
      struck(id);
      traced(`! ${id} ${fault} begins`);
      active.add(fault);
      if (fault === 'purge') parts.purge(purged);
      parts.timedFaultsChanged(active);
    });
    at(until, () => {
      active.delete(fault);
      parts.timedFaultsChanged(active);
    });
  }
  for (const { id, magnitude } of plan.faults) {
    const injection = SIM_FAULTS.find((fault) => fault.id === id)?.injection;
    const stream = randomStream(plan.seed, `moments.${id}`);
    const later = randomStream(plan.seed, `moments.${id}.later`);
    if (injection === undefined) continue;
    if (isConstant(injection)) struck(id);
    if (injection.via === 'venue' && injection.fault === 'capped-list') {
      at(5 * MINUTE, () => void parts.owner('many-orders', stream));
    }
    // Occasionally there is more than a page holds.
    if (injection.via === 'venue' && injection.fault === 'capped-pages') {
      for (const moment of arrivals(stream, BURSTS_PER_HOUR, plan))
        at(moment, () => void (parts.isChaotic() && parts.owner('burst-of-trades', stream)));
    }
    if (!isMomentary(injection)) continue;
    const moments = injection.fault === 'long-absence' ? [plan.absentAtMs] : arrivals(stream, magnitude, plan);
    for (const moment of moments) at(moment, () => happen(parts, { id, injection, stream, later }));
  }
}

interface Occurrence {
  readonly id: FaultId;
  readonly injection: Momentary;
  readonly stream: RandomStream;
  /** For draws of fault kinds added later. */
  readonly later: RandomStream;
}

function happen(parts: TimelineParts, { id, injection, stream, later }: Occurrence): void {
  if (!parts.isChaotic()) return;
  parts.traced(`! ${id} ${injection.fault}`);
  if (injection.via === 'owner' || injection.via === 'operator') {
    const isDone =
      injection.via === 'owner' ? parts.owner(injection.fault, stream) : parts.operator[injection.fault](stream);
    if (isDone) parts.struck(id);
    return;
  }
  parts.struck(id);
  if (injection.via === 'crash') crash(parts, injection.fault, { stream, later });
  if (injection.via === 'watchdog') parts.deadMan?.inject(injection.fault, stream);
  if (injection.via === 'clock') bend(parts, injection.fault, stream);
}

type Streams = Pick<Occurrence, 'stream' | 'later'>;

function crash(parts: TimelineParts, fault: CrashFault, streams: Streams): void {
  // After a sleep it begins later than planned, and still ends with the faults.
  if (fault === 'long-absence') parts.restarts.staysDown(Math.min(parts.plan.absentMs, parts.chaosLeftMs()));
  const target = parts.restarts.now();
  if (target === null || target.isOver()) return;
  if (fault === 'write-error') {
    target.failNext(chance(streams.stream, 1 / 2) ? 'write' : 'sync');
    return parts.writeFails();
  }
  const drawn = pointOf(fault, streams.stream);
  const isLater = fault === 'crash' && !parts.plan.firstKinds && chance(streams.later, 1 / CRASH_POINTS.length);
  const point = isLater ? LATER_POINT : drawn;
  const crashAt = (where: CrashPoint): void => target.crashAt(where, () => parts.counted(`crash ${where}`));
  crashAt(point);
  if (fault === 'damaged-journal') parts.restarts.damage();
  // If a point is not passed soon, another will do.
  const withinMs = /snapshot|retire/.test(point) ? UPKEEP_CRASH_WITHIN_MS : CRASH_WITHIN_MS;
  void parts.sleep(withinMs).then(() => {
    if (parts.restarts.now() === target && !target.isOver() && target.armed() !== null) crashAt('now');
  });
}

function pointOf(fault: CrashFault, stream: RandomStream): CrashPoint {
  if (fault === 'storage-loss') return 'power';
  return fault === 'crash' ? (FIRST_POINTS[pick(stream, FIRST_POINTS.length)] ?? 'now') : 'now';
}

function bend(parts: TimelineParts, fault: ClockFault, stream: RandomStream): void {
  switch (fault) {
    case 'step': {
      // The running bot's clock does not follow a step; the next process's does.
      parts.restarts.now()?.crashAt('now');
      const by = chance(stream, 1 / 4) ? HOUR : 10 * SECOND;
      return parts.clockStepped(chance(stream, 1 / 2) ? by : -by);
    }
    case 'suspend': {
      const wanted = Math.ceil((1 + (LONGEST_SUSPENSION_MIN - 1) * uniform(stream)) * MINUTE);
      const lasts = Math.min(wanted, parts.chaosLeftMs());
      parts.slept(lasts);
      return parts.jump(lasts);
    }
    case 'stall':
      return parts.jump(Math.ceil(SECOND * LONGEST_STALL_S ** uniform(stream)));
    case 'late-timers':
      return parts.jump(1 + pick(stream, LONGEST_LATENESS_MS));
    case 'skew':
    case 'drift':
      return;
  }
}
