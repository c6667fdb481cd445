// L8: the bot's own account of its time in the market is true. It is a belief, and the one that is judged here:
// people are shown it. All of its time is in it, at every moment; and in calm it calls fresh what the exchange's book
// confirms.

import type { Side } from '../../src/domain/order.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import { presenceAt } from '../../src/trader/presence/presence.ts';
import { countedMs, presenceView, type TimeShares } from '../../src/trader/presence/presence-view.ts';
import { TRACKS, type Track } from '../../src/trader/state/presence/time-account.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { symbolsOf, type TraderState } from '../../src/trader/state/state.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Plan } from '../plan/plan.ts';
import { accountMayBeOff, type Off } from './bounds.ts';
import { createCountedTime, LEAST_COUNTED_MS } from './counted-time.ts';
import { createNeverShown } from './never-shown.ts';
import { restingOf, type Standing, standingOf } from './standing.ts';

interface Tally {
  counted: DurationMs;
  /**
   * By the exchange's book: while anything rested, or was gone and no book had shown it; and while it was as near as
   * the bot's parameters let it quote.
   */
  readonly rested: Record<Track, DurationMs>;
  readonly near: Record<Track, DurationMs>;
  /** By the bot's account. */
  readonly fresh: Record<Track, DurationMs>;
}

const NOTHING = { buy: 0, sell: 0, both: 0 };
const emptyTally = (): Tally => ({
  counted: 0,
  rested: { ...NOTHING },
  near: { ...NOTHING },
  fresh: { ...NOTHING },
});

export function accountChecks(plan: Pick<Plan, 'profile'>): Checker {
  const time = createCountedTime();
  const elapsed = createElapsed();
  const neverShown = createNeverShown();
  const tallies = new Map<string, Tally>();
  /** What the account of each symbol said at the last sample, where that counted. */
  let before = new Map<string, Record<Track, DurationMs>>();

  function sample(context: CheckContext, trader: TraderState, ms: DurationMs): void {
    const said = new Map<string, Record<Track, DurationMs>>();
    for (const run of context.settings.runs) {
      const { symbol } = run.instrument;
      const freshNow = freshOf(context, trader, symbol);
      if (freshNow === null || time.mustWait(context, symbol)) continue;
      said.set(symbol, freshNow);
      const freshBefore = before.get(symbol);
      if (freshBefore === undefined) continue;
      const resting = heldOf(context, run);
      const near = standingOf(context, run, 'strictly');
      const tally = tallies.get(symbol) ?? emptyTally();
      tallies.set(symbol, tally);
      tally.counted += ms;
      for (const track of TRACKS) {
        tally.fresh[track] += freshNow[track] - freshBefore[track];
        if (isOn(resting, track)) tally.rested[track] += ms;
        if (isOn(near, track)) tally.near[track] += ms;
      }
    }
    before = said;
  }

  /** An order that was gone before a book could show it is held for resting until its trades are read. */
  function heldOf(context: CheckContext, run: RunSettings): Standing {
    const { buy, sell } = restingOf(context, run);
    const unseen = (side: Side): number => (neverShown.isHeld(context, run.instrument.symbol, side) ? 1 : 0);
    return { buy: buy + unseen('buy'), sell: sell + unseen('sell') };
  }

  return {
    answered(context, message) {
      time.answered(context, message);
      neverShown.answered(context, message);
    },
    recorded(context, told) {
      time.recorded(context, told);
      neverShown.recorded(context, told);
    },
    event(context) {
      const trader = context.trader();
      elapsed.follow(context, trader);
      const ms = time.passed(context);
      if (ms === 'not counted' || trader === null) before = new Map();
      else if (ms !== 'none due') sample(context, trader, ms);
    },
    sampled(context) {
      const trader = context.trader();
      if (trader !== null) addsUp(context, trader, elapsed.ms());
    },
    atRest(context) {
      for (const run of context.settings.runs) {
        const tally = tallies.get(run.instrument.symbol);
        if (tally !== undefined) judge(context, run, tally, accountMayBeOff(plan, run));
      }
    },
  };
}

const isOn = ({ buy, sell }: Standing, track: Track): boolean =>
  (track === 'sell' || buy > 0) && (track === 'buy' || sell > 0);

/** As far as it is counted, if that is to a moment ago: at a sparse pace a step may be a minute away. */
function freshOf(context: CheckContext, trader: TraderState, symbol: string): Record<Track, DurationMs> | null {
  const counted = trader.markets.get(symbol)?.presence;
  if (counted === undefined) return null;
  const now = Math.floor(context.now() + context.clockError());
  const { tracks } = now - counted.countedTo < SECOND ? counted : presenceAt(trader, symbol, now);
  const of = (track: Track): DurationMs => tracks[track].all.get('fresh') ?? 0;
  return { buy: of('buy'), sell: of('sell'), both: of('both') };
}

function judge(context: CheckContext, { instrument }: RunSettings, tally: Tally, { overRatio, underRatio }: Off): void {
  const { symbol } = instrument;
  const { counted, rested, near, fresh } = tally;
  if (counted < LEAST_COUNTED_MS) return;
  context.counters.add('account of time judged');
  const percent = (ms: DurationMs): string => `${((100 * ms) / counted).toFixed(1)} %`;
  for (const track of TRACKS) {
    const seconds = (counted / SECOND).toFixed(0);
    const said = `The bot calls ${symbol} (${track}) fresh for ${percent(fresh[track])} of ${seconds} s`;
    if (fresh[track] - rested[track] > counted * overRatio)
      context.violated('L8', `${said}, and an order of its rested for ${percent(rested[track])}.`);
    if (near[track] - fresh[track] > counted * underRatio)
      context.violated('L8', `${said}, and an order of its rested near the price for ${percent(near[track])}.`);
  }
}

/** The time of the process that runs, by the bot's clock, followed from event to event. */
function createElapsed() {
  let trader: TraderState | null = null;
  let at: EpochMs = 0;
  let elapsedMs: DurationMs = 0;
  return {
    follow(context: CheckContext, present: TraderState | null): void {
      const now = Math.floor(context.now() + context.clockError());
      if (present !== trader) {
        trader = present;
        elapsedMs = present === null ? 0 : Math.max(0, now - Math.floor(present.session.startedAt));
      } else elapsedMs += Math.max(0, now - at);
      // What passed in the very moment in which the clock was set back is not seen from here.
      if (now < at && trader !== null) elapsedMs = trader.markets.values().next().value?.presence.countedMs ?? 0;
      at = now;
    },
    ms: (): DurationMs => elapsedMs,
  };
}

/** At every moment: what was fresh and all that was lost are all the time of the process, or of its last hour. */
function addsUp(context: CheckContext, trader: TraderState, elapsedMs: DurationMs): void {
  const now = Math.floor(context.now() + context.clockError());
  const wrong = (symbol: string, shares: TimeShares, [least, most]: readonly [DurationMs, DurationMs]): void => {
    for (const track of TRACKS) {
      const share = shares[track];
      const sum = countedMs(share);
      const isWhole = share.freshMs >= 0 && share.lost.every(({ ms }) => ms >= 0);
      if (isWhole && sum >= least && sum <= most) continue;
      context.violated(
        'L8',
        `The bot's account of its time with ${symbol} (${track}) comes to ${(sum / SECOND).toFixed(3)} s, ` +
          `${(share.freshMs / SECOND).toFixed(3)} s of them fresh; it has run for ` +
          `${(elapsedMs / SECOND).toFixed(3)} s.`,
      );
    }
  };
  for (const symbol of symbolsOf(trader)) {
    const { sinceStart, lastHour } = presenceView(trader, symbol, now);
    wrong(symbol, sinceStart, [elapsedMs, elapsedMs]);
    wrong(symbol, lastHour, [Math.min(elapsedMs, HOUR - MINUTE), Math.min(elapsedMs, HOUR)]);
  }
}
