// L7: in calm the bot stands in the market. Both sides, near the price, for a share of the time; what it was kept from
// is not counted.

import type { Side } from '../../src/domain/order.ts';
import { type DurationMs, SECOND } from '../../src/domain/time.ts';
import { BLOCK_WORDS } from '../../src/quoting/block.ts';
import { whyBlocked, whySideLost } from '../../src/trader/presence/presence.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { NOTHING_SEEN } from '../../src/trader/state/time-account.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { MayBeLive } from '../exposure/may-be-live.ts';
import { hasRoom } from '../exposure/room.ts';
import { profileOf } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import { createBookedGap } from './booked-gap.ts';
import { type LeastPresence, leastPresence } from './bounds.ts';
import { createCountedTime, LEAST_COUNTED_MS } from './counted-time.ts';
import { movedBpsOf, SIDES, standingOf } from './standing.ts';

interface Tally {
  counted: DurationMs;
  both: DurationMs;
  readonly lost: Record<Side, DurationMs>;
  /** How long a side was lost at a stretch, by what the bot said. */
  readonly reasons: Map<string, DurationMs>;
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
      const standing = standingOf(context, run, movedBpsOf(profile, context.settings));
      const missing = SIDES.filter((side) => standing[side] === 0 && hasRoom(context, run, { side, all }));
      const tally = tallies.get(symbol) ?? emptyTally();
      tallies.set(symbol, tally);
      tally.counted += ms;
      if (missing.length === 0) tally.both += ms;
      for (const side of missing) {
        tally.lost[side] += ms;
        const why = `${side}: ${reasonOf(context, symbol, side)}`;
        tally.reasons.set(why, (tally.reasons.get(why) ?? 0) + ms);
      }
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
      for (const run of context.settings.runs)
        judge(context, run, tallies.get(run.instrument.symbol), leastPresence(context.settings, run, plan));
    },
  };
}

const emptyTally = (): Tally => ({ counted: 0, both: 0, lost: { buy: 0, sell: 0 }, reasons: new Map() });

function judge(
  context: CheckContext,
  { instrument: { symbol } }: RunSettings,
  tally: Tally | undefined,
  least: LeastPresence | null,
): void {
  if (least === null || tally === undefined || tally.counted < LEAST_COUNTED_MS) return;
  const share = tally.both / tally.counted;
  context.counters.add('presence judged');
  context.counters.add(`presence of ${least.name}: ${Math.floor(share * 20) * 5} %`);
  if (share >= least.ratio) return;
  const worse = tally.lost.buy > tally.lost.sell ? 'buy' : 'sell';
  const seconds = (ms: DurationMs): string => (ms / SECOND).toFixed(0);
  const [why, ms] = [...tally.reasons].toSorted((a, b) => b[1] - a[1])[0] ?? ['nothing', 0];
  const percent = (ratio: number): string => `${(100 * ratio).toFixed(0)} %`;
  context.violated(
    'L7',
    `${symbol} was quoted on both sides near the price for ${percent(share)} of ${seconds(tally.counted)} s, and ` +
      `${percent(least.ratio)} is the least: ${worse} was missing for ${seconds(tally.lost[worse])} s. ` +
      `For ${seconds(ms)} s the bot said: ${why}.`,
  );
}

/** In the bot's own account of the time that it is not in the market. */
function reasonOf(context: CheckContext, symbol: string, side: Side): string {
  const state = context.trader();
  if (state === null) return 'nothing.';
  const seen = state.markets.get(symbol)?.presence?.seen ?? NOTHING_SEEN;
  const now = context.now() + context.clockError();
  return BLOCK_WORDS[whyBlocked(state, symbol, now) ?? whySideLost(state, symbol, { side, seen })];
}
