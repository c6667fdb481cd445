// The checks' view of a run.
import type { TraderSettings } from '../../src/trader/state/settings.ts';
import type { TraderState } from '../../src/trader/state/state.ts';
import type { CheckContext } from '../checks/context.ts';
import { ACCOUNT } from '../plan/configuration.ts';
import { clockErrorMs, type Run, START_AT, tradingIn, violated } from './run.ts';

export function contextOf(run: Run): CheckContext {
  const { plan, time, journal, oracle, counters } = run;
  const settings = settingsOf(run);
  return {
    journal,
    oracle,
    counters,
    get settings() {
      return settings();
    },
    account: ACCOUNT,
    now: () => time.clock.now(),
    clockError: () => clockErrorMs(run),
    wokeAt: () => run.bent.wokeAt,
    exchange: () => run.exchange.state(),
    isUp: () => traderIn(run) !== null,
    trader: () => traderIn(run),
    canWrite: () => run.restarts.now()?.canWrite() === true,
    phase: () => run.phase,
    calmSince: () => START_AT + plan.calmAfterMs,
    latchedSince: () => run.restarts.latch()?.at ?? null,
    keptDownUntil: () => run.restarts.keptDownUntil(),
    aheadUntil: () => run.restarts.aheadUntil(),
    isToldToAccept: () => run.restarts.isToldToAccept(),
    excused: (excuse) => run.excuses.excused(excuse),
    hadEffectsAfter: (excuse, moment) => run.excuses.hadEffectsAfter(excuse, moment),
    mayHalt: (halted) => run.excuses.mayHalt(halted),
    faultFree: () => plan.faults.length === 0,
    violated: (invariant, sentence) => violated(run, invariant, sentence),
  };
}

/** The bot's present configuration, rebuilt only when a person has changed a run. */
function settingsOf(run: Run): () => TraderSettings {
  let runs = run.runs.now();
  let settings = tradingIn(run, 1).trader;
  return () => {
    if (runs === run.runs.now()) return settings;
    runs = run.runs.now();
    settings = tradingIn(run, 1).trader;
    return settings;
  };
}

function traderIn({ restarts }: Run): TraderState | null {
  const bot = restarts.now();
  return bot === null || bot.isOver() ? null : (bot.trading?.loop.state() ?? null);
}
