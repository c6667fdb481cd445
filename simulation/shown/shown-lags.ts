// B2, of lags: the figures that the bot shows are those of the intervals that it measured, and these are no longer than
// the truth where no fault befell.
import { type DurationMs, SECOND } from '../../src/domain/time.ts';
import type { Percentiles, ReadLagsView } from '../../src/trader/lags/figures.ts';
import type { LagKind, LagSample } from '../../src/trader/state/lags/lags.ts';
import type { TraderState } from '../../src/trader/state/state.ts';
import type { CheckContext } from '../checks/context.ts';
import type { Differs } from './differs.ts';

/** Clocks are known to so much only, and a message takes its time. */
const SLACK_MS: DurationMs = 4 * SECOND;

export function judgeLags(
  context: CheckContext,
  trader: TraderState,
  { view, differs }: { view: ReadLagsView; differs: Differs },
): void {
  const { readLagBoundMs } = context.settings.assumptions;
  differs('the lag that is assumed', view.assumedMs, readLagBoundMs);
  for (const { kind, samples, atLeastMs, atMostMs, oldestAt, newestAt } of view.kinds) {
    const own = trader.lags.samples[kind];
    differs(`the events of ${kind}`, samples, own.length);
    differs(`the oldest of ${kind}`, oldestAt, own[0]?.at ?? null);
    differs(`the newest of ${kind}`, newestAt, own.at(-1)?.at ?? null);
    differs(`the least of ${kind}`, wordsOf(atLeastMs), wordsOf(ranksOf(own.map((each) => each.atLeastMs))));
    differs(`the most of ${kind}`, wordsOf(atMostMs), wordsOf(ranksOf(own.map((each) => each.atMostMs))));
    if (context.faultFree()) for (const sample of own) judgeSample(context, kind, sample);
  }
}

const wordsOf = (ranks: Percentiles | null): string =>
  ranks === null ? 'none' : [ranks.p50, ranks.p90, ranks.p99, ranks.max].join(' ');

/** Each the smallest value that so large a share does not exceed. */
function ranksOf(values: readonly number[]): Percentiles | null {
  if (values.length === 0) return null;
  const rising = values.toSorted((a, b) => a - b);
  const reach = (share: number): number => rising.find((_, place) => place + 1 >= share * rising.length) ?? Number.NaN;
  return { p50: reach(0.5), p90: reach(0.9), p99: reach(0.99), max: Math.max(...values) };
}

/**
 * Without a fault lists trail by what the exchange is set to, which is nothing but in tests. With one, holes, caps and
 * lost answers look like lags, and are judged elsewhere.
 */
function judgeSample(context: CheckContext, kind: LagKind, { atLeastMs }: LagSample): void {
  context.counters.add('lags compared');
  const { openOrdersLagMs, tradesLagMs, walletLagMs } = context.exchange().controls.quirks;
  const trueMs = Math.max(openOrdersLagMs, tradesLagMs, walletLagMs);
  if (atLeastMs > trueMs + SLACK_MS)
    context.violated('B2', `The bot measures ${atLeastMs} ms at least for ${kind}, and lists trail by ${trueMs} ms.`);
}
