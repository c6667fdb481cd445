// L7 of each level: a side may look well with one order near the price, and its outer levels stand empty for ever. By
// the exchange's own book and the configuration alone.
import type { Side } from '../../src/domain/order.ts';
import { type DurationMs, SECOND } from '../../src/domain/time.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Exposed, MayBeLive } from '../exposure/may-be-live.ts';
import { hasRoom } from '../exposure/room.ts';
import { profileOf } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import { createBookedGap } from './booked-gap.ts';
import { type LeastPresence, leastPresence } from './bounds.ts';
import { createCountedTime, LEAST_COUNTED_MS } from './counted-time.ts';
import { levelsOf } from './quoted.ts';
import { movedBpsOf, SIDES, standingOf } from './standing.ts';

interface Tally {
  counted: DurationMs;
  /** How long each level was missing, by side and level. */
  readonly missing: Map<string, DurationMs>;
}

export function levelChecks(plan: Plan, mayBeLive: MayBeLive): Checker {
  const time = createCountedTime();
  const gap = createBookedGap();
  const tallies = new Map<string, Tally>();
  const profile = profileOf(plan);

  function sample(context: CheckContext, ms: DurationMs): void {
    const all = mayBeLive.all(context);
    gap.look(context);
    if (gap.stands(context)) return;
    for (const run of context.settings.runs) {
      const { symbol } = run.instrument;
      if (time.mustWait(context, symbol)) continue;
      const tally = tallies.get(symbol) ?? { counted: 0, missing: new Map() };
      tallies.set(symbol, tally);
      tally.counted += ms;
      const standing = standingOf(context, run, movedBpsOf(profile, context.settings));
      for (const side of SIDES)
        for (const name of missingOf(context, run, { side, standing: standing[side], all }))
          tally.missing.set(name, (tally.missing.get(name) ?? 0) + ms);
    }
  }

  return {
    answered: time.answered,
    recorded(context, told) {
      time.recorded(context, told);
      gap.recorded(context, told);
    },
    event(context) {
      const ms = time.passed(context);
      if (typeof ms === 'number') sample(context, ms);
    },
    atRest(context) {
      for (const run of context.settings.runs) {
        const least = leastPresence(context.settings, run, plan);
        const tally = tallies.get(run.instrument.symbol);
        if (least !== null && tally !== undefined && tally.counted >= LEAST_COUNTED_MS)
          judge(context, run, tally, least);
      }
    },
  };
}

/**
 * A fill is told a lag bound late, and an order that leaves holds its place for another. So long a level may be away;
 * its least share is asked of the rest. With two minutes of lag one stood for 15 % of five minutes (seed 48073 of the
 * tight profile).
 */
const LAG_BOUNDS = 2;

const nameOf = (side: Side, level: number): string => `${side}:${level}`;

interface OfSide {
  readonly side: Side;
  /** How many orders of the side stand near the price. */
  readonly standing: number;
  /** All that may be live. */
  readonly all: readonly Exposed[];
}

/**
 * Levels are counted, not recognized: with so many orders near the price as there are levels none is missing, with
 * fewer the outermost are, where money and limits have room for all that are missing as far as that one.
 */
function missingOf(context: CheckContext, run: RunSettings, { side, standing, all }: OfSide): string[] {
  const levels: number[] = [];
  for (let level = standing; level < levelsOf(run); level += 1) {
    if (!hasRoom(context, run, { side, levels: [...levels, level], all })) break;
    levels.push(level);
  }
  return levels.map((level) => nameOf(side, level));
}

function judge(context: CheckContext, run: RunSettings, { counted, missing }: Tally, least: LeastPresence): void {
  const seconds = (ms: DurationMs): string => (ms / SECOND).toFixed(0);
  const percent = (ratio: number): string => `${(100 * ratio).toFixed(0)} %`;
  const askedMs = Math.max(0, counted - LAG_BOUNDS * context.settings.assumptions.readLagBoundMs);
  for (const name of SIDES.flatMap((side) =>
    Array.from({ length: levelsOf(run) }, (_, level) => nameOf(side, level)),
  )) {
    const missingMs = missing.get(name) ?? 0;
    const share = 1 - missingMs / counted;
    context.counters.add(`presence of each level of ${least.name}: ${Math.floor(share * 20) * 5} %`);
    if (counted - missingMs >= least.levelRatio * askedMs) continue;
    context.violated(
      'L7',
      `Level ${name} of ${run.instrument.symbol} was quoted near the price for ${percent(share)} of ` +
        `${seconds(counted)} s, and ${percent(least.levelRatio)} of ${seconds(askedMs)} s is the least: there was ` +
        `room for it for ${seconds(missingMs)} s.`,
    );
  }
}
