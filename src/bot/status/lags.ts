// How far the exchange's lists trail, in words: what was proved by own orders, beside what is assumed.
import type { LagFigures, ReadLagsView } from '../../trader/lags/figures.ts';
import type { LagKind } from '../../trader/state/lags.ts';

export const LAG_WORDS: Readonly<Record<LagKind, string>> = {
  listed: 'new orders listed',
  gone: 'ended orders gone',
  trades: 'fills in own trades',
  wallet: 'fills in the wallet',
};

export const secondsText = (ms: number): string => `${Number((ms / 1_000).toFixed(1))} s`;

/** For a terminal. */
export function lagLines({ assumedMs, kinds }: Omit<ReadLagsView, 'broken'>, at: number): string[] {
  const width = Math.max(...Object.values(LAG_WORDS).map(({ length }) => length));
  return [
    `Lists are assumed to trail by ${secondsText(assumedMs)} at most (assumptions.readLagBoundMs); proved so far:`,
    ...kinds.map((each) => `  ${LAG_WORDS[each.kind].padEnd(width)}  ${figuresText(each, at)}`),
  ];
}

function figuresText({ samples, atLeastMs, atMostMs, newestAt }: LagFigures, at: number): string {
  if (atLeastMs === null || atMostMs === null || newestAt === null) return 'nothing yet';
  const most =
    `at most ${secondsText(atMostMs.max)} (half ${secondsText(atMostMs.p50)}, 99 % ` + `${secondsText(atMostMs.p99)})`;
  const age = secondsText(Math.max(0, at - newestAt));
  return `${most}, at least ${secondsText(atLeastMs.max)}; of ${samples}, the last ${age} ago`;
}
