// Time in the market adds up in the simulator's world: in each life of the bot, with all that goes wrong, each side's
// account is all the time of its clock, to the millisecond. RUNS=100 looks longer.
import { expect, test } from '@jest/globals';
import type { CheckContext } from '../../../simulation/checks/context.ts';
import { simulate } from '../../../simulation/machine/simulate.ts';
import { drawPlan } from '../../../simulation/plan/plan.ts';
import { presenceAt } from '../../../src/trader/presence/presence.ts';
import { symbolsOf, type TraderState } from '../../../src/trader/state/state.ts';
import { lastHourOf, type TimeAccount, TRACKS } from '../../../src/trader/state/time-account.ts';

const SEEDS = Array.from({ length: Number(process.env.RUNS ?? 4) }, (_, index) => `presence ${index}`);
/** A look copies the account: now and then is enough, as each looks at all the time before it. */
const LOOK_EVERY = 40;

const sum = (account: TimeAccount): number => [...account.values()].reduce((total, ms) => total + ms, 0);

/** Follows the bot's clock by itself, from event to event. */
function observer() {
  let trader: TraderState | null = null;
  let at = 0;
  let elapsed = 0;
  let events = 0;
  let looks = 0;

  function follow(context: CheckContext): void {
    const now = Math.floor(context.now() + context.clockError());
    const present = context.trader();
    if (present !== trader) {
      trader = present;
      elapsed = present === null ? 0 : Math.max(0, now - Math.floor(present.session.startedAt));
    } else elapsed += Math.max(0, now - at);
    // What passed in the very moment in which the clock was set back is not seen from here.
    if (now < at && trader !== null) elapsed = trader.markets.values().next().value?.presence.countedMs ?? 0;
    at = now;
  }

  function look(state: TraderState): void {
    looks += 1;
    for (const symbol of symbolsOf(state)) {
      const { tracks } = presenceAt(state, symbol, at);
      for (const track of TRACKS) {
        expect([track, sum(tracks[track].all)]).toEqual([track, elapsed]);
        expect(sum(lastHourOf(tracks[track]))).toBeLessThanOrEqual(elapsed);
        expect(tracks[track].all.get('fresh') ?? 0).toBeGreaterThanOrEqual(0);
      }
    }
  }

  return {
    watch(context: CheckContext): void {
      follow(context);
      events += 1;
      if (events % LOOK_EVERY === 0 && trader !== null) look(trader);
    },
    looks: () => looks,
  };
}

test.each(SEEDS)('%s', async (seed) => {
  const seen = observer();
  const { violations } = await simulate(drawPlan(seed, { hours: 0.4 }), { watch: seen.watch });
  expect(violations.map(({ sentence }) => sentence)).toEqual([]);
  expect(seen.looks()).toBeGreaterThan(50);
});
