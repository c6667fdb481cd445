// One run of the simulator, an hour with all faults of the seed's plan, watched for presence alone: while they happen,
// and after it.
import type { Oracle } from '../../simulation/checks/oracle.ts';
import { START_AT } from '../../simulation/machine/run.ts';
import { simulate } from '../../simulation/machine/simulate.ts';
import { ACCOUNT, paperSettings, tradingSettings } from '../../simulation/plan/configuration.ts';
import { drawPlan, type Plan } from '../../simulation/plan/plan.ts';
import type { DurationMs } from '../../src/domain/time.ts';
import { COUNTED } from './conditions.ts';
import { createObserver } from './observer.ts';
import { createOwnAccount } from './own-account.ts';
import { allShares, type RunOrder, WARM_UP_MS } from './play-condition.ts';
import type { RunResult } from './result.ts';
import { type Span, without } from './spans.ts';

export async function simulateCondition({ condition, seed }: RunOrder): Promise<RunResult> {
  const plan = drawPlan(String(seed));
  const ends = START_AT + plan.durationMs;
  const { trader } = tradingSettings(plan);
  let oracle: Oracle | null = null;
  const observer = createObserver({
    trader,
    account: ACCOUNT,
    assetDecimals: paperSettings(plan).engine.assetDecimals,
    isForeign: (orderId) => oracle?.orders.get(orderId)?.maker.kind === 'owner',
    counted: countedOf(plan),
    span: { from: START_AT, until: ends },
  });
  const own = createOwnAccount({
    symbols: trader.runs.map(({ instrument }) => instrument.symbol),
    counted: countedOf(plan),
  });
  const { violations, traceHash } = await simulate(plan, {
    paper: observer.seen,
    watch(context) {
      oracle = context.oracle;
      const seen = { trader: context.trader(), now: context.now(), clockErrorMs: context.clockError() };
      observer.watch({ exchange: context.exchange(), ...seen });
      own.watch(seen);
    },
  });
  const shares = allShares(observer.ended(ends));
  // The owner trades on the same account there: whether limits hold, the simulator's own checks say.
  const breaches = violations.map(({ invariant, sentence }) => `${invariant}: ${sentence}`);
  return { condition, seed, shares, trading: null, breaches, hash: traceHash, own: own.figures() };
}

/** A bot that is down for hours by the plan is not asked for its quotes meanwhile. */
function countedOf({ calmAfterMs, durationMs, absentAtMs, absentMs }: Plan): Readonly<Record<string, readonly Span[]>> {
  const from = (ms: DurationMs): number => START_AT + ms;
  const chaos = { from: from(WARM_UP_MS), until: from(calmAfterMs) };
  return {
    [COUNTED.calm]: [{ from: from(calmAfterMs), until: from(durationMs) }],
    [COUNTED.chaos]: without(chaos, [{ from: from(absentAtMs), until: from(absentAtMs + absentMs) }]),
  };
}
