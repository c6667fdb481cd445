// L7: in calm the bot is present in the market. Both sides, and each level of them, near the price for a share of the
// time; time in which it was prevented does not count. By the exchange's own book and the configuration alone.
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
  both: DurationMs;
  /** How long each level was missing, by side and level. */
  readonly missing: Map<string, DurationMs>;
}

export function presenceChecks(plan: Plan, mayBeLive: MayBeLive): Checker {
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
      const tally = tallies.get(symbol) ?? { counted: 0, both: 0, missing: new Map() };
      tallies.set(symbol, tally);
      tally.counted += ms;
      const standing = standingOf(context, run, movedBpsOf(profile, context.settings));
      const missing = SIDES.flatMap((side) => missingOf(context, run, { side, standing: standing[side], all }));
      if (!SIDES.some((side) => missing.includes(nameOf(side, 0)))) tally.both += ms;
      for (const name of missing) tally.missing.set(name, (tally.missing.get(name) ?? 0) + ms);
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
        if (least === null || tally === undefined || tally.counted < LEAST_COUNTED_MS) continue;
        judgeSides(context, run, tally, least);
        judgeLevels(context, run, tally, least);
      }
    },
  };
}

const nameOf = (side: Side, level: number): string => `${side}:${level}`;
const seconds = (ms: DurationMs): string => (ms / SECOND).toFixed(0);
const percent = (ratio: number): string => `${(100 * ratio).toFixed(0)} %`;

interface OfSide {
  readonly side: Side;
  /** Orders of the side near the price. */
  readonly standing: number;
  /** All that may be live. */
  readonly all: readonly Exposed[];
}

/**
 * Levels are counted, not identified: with as many orders near the price as levels, none is missing; with fewer, the
 * outermost are, if money and limits have room for all missing levels up to that one.
 */
function missingOf(context: CheckContext, run: RunSettings, { side, standing, all }: OfSide): string[] {
  const levels: number[] = [];
  for (let level = standing; level < levelsOf(run); level += 1) {
    if (!hasRoom(context, run, { side, levels: [...levels, level], all })) break;
    levels.push(level);
  }
  return levels.map((level) => nameOf(side, level));
}

function judgeSides(context: CheckContext, run: RunSettings, tally: Tally, least: LeastPresence): void {
  const share = tally.both / tally.counted;
  context.counters.add('presence judged');
  context.counters.add(`presence of ${least.name}: ${Math.floor(share * 20) * 5} %`);
  if (share >= least.ratio) return;
  const [buy, sell] = SIDES.map((side) => tally.missing.get(nameOf(side, 0)) ?? 0);
  context.violated(
    'L7',
    `${run.instrument.symbol} was quoted on both sides near the price for ${percent(share)} of ` +
      `${seconds(tally.counted)} s, and ${percent(least.ratio)} is the least: buy was missing for ` +
      `${seconds(buy ?? 0)} s, sell for ${seconds(sell ?? 0)} s.`,
  );
}

/**
 * A fill is reported a lag bound late, and an order with a pending cancel blocks the place of another. A level may be
 * missing that long; its least share applies to the rest. With two minutes of lag one was present for 15 % of five
 * minutes (seed 48073 of the tight profile).
 */
const LAG_BOUNDS = 2;

function judgeLevels(context: CheckContext, run: RunSettings, { counted, missing }: Tally, least: LeastPresence): void {
  const askedMs = Math.max(0, counted - LAG_BOUNDS * context.settings.assumptions.readLagBoundMs);
  for (const [name, missingMs] of missing) {
    const share = 1 - missingMs / counted;
    if (counted - missingMs >= least.levelRatio * askedMs) continue;
    context.violated(
      'L7',
      `Level ${name} of ${run.instrument.symbol} was quoted near the price for ${percent(share)} of ` +
        `${seconds(counted)} s, and ${percent(least.levelRatio)} of ${seconds(askedMs)} s is the least: there was ` +
        `room for it for ${seconds(missingMs)} s.`,
    );
  }
}
