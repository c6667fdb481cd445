// What is assumed of the lists' lags, what was measured, and what the assumption costs: for `check`, `plan` and the
// start.

import type { DurationMs } from '../../domain/time.ts';
import { placesForMoves } from '../../trader/decision/moves.ts';
import { type LagFigures, lagFigures, type ReadLagsView } from '../../trader/lags/lags.ts';
import { LAG_KINDS, type LagKind, type MeasuredLags } from '../../trader/state/lags.ts';
import type { Settings } from '../settings/types.ts';
import { readLags } from '../state-folder/lags-file.ts';

/** A bound below three times what was seen is no cautious one (docs/operations.md). */
const MARGIN = 3;

export interface LagMeaning {
  readonly assumedMs: number;
  /** Events that were measured, of all kinds. */
  readonly samples: number;
  /** Of the kinds of which there are any; null without one. */
  readonly atLeastMs: number | null;
  readonly atMostMs: number | null;
  readonly newestAt: number | null;
  readonly sentences: readonly string[];
}

/** By what the state folder holds, whether its bot runs or not. */
export function lagMeaning(settings: Settings, now: number): LagMeaning {
  return meaningOfLags(settings, readLags(settings.stateFolder, settings.venue), now);
}

export function meaningOfLags(settings: Settings, measured: MeasuredLags | null, now: number): LagMeaning {
  const assumedMs = settings.trader.assumptions.readLagBoundMs;
  const figures = measured === null ? [] : lagFigures(measured).filter(({ samples }) => samples > 0);
  const largest = (values: readonly (number | null | undefined)[]): number | null =>
    values.length === 0 ? null : Math.max(...values.map((value) => value ?? 0));
  const facts = {
    assumedMs,
    samples: figures.reduce((sum, { samples }) => sum + samples, 0),
    atLeastMs: largest(figures.map(({ atLeastMs }) => atLeastMs?.max)),
    atMostMs: largest(figures.map(({ atMostMs }) => atMostMs?.max)),
    newestAt: largest(figures.map(({ newestAt }) => newestAt)),
  };
  const missing = LAG_KINDS.filter((kind) => figures.every((each) => each.kind !== kind));
  return {
    ...facts,
    sentences: [measuredSentence(facts, missing, now), costSentence(settings), adviceSentence(facts)],
  };
}

type Facts = Omit<LagMeaning, 'sentences'>;

function measuredSentence(
  { assumedMs, samples, atLeastMs, atMostMs, newestAt }: Facts,
  missing: readonly (keyof typeof LAG_WORDS)[],
  now: number,
): string {
  const assumed = `Lists are assumed to trail by ${secondsText(assumedMs)} at most (assumptions.readLagBoundMs)`;
  if (atLeastMs === null || atMostMs === null || newestAt === null) return `${assumed}; nothing was measured yet.`;
  const age = secondsText(Math.max(0, now - newestAt));
  const found =
    `${assumed}; measured: at most ${secondsText(atMostMs)}, at least ${secondsText(atLeastMs)}, over ` +
    `${samples} own events, the last ${age} ago.`;
  return missing.length === 0
    ? found
    : `${found} Not measured yet: ${missing.map((kind) => LAG_WORDS[kind]).join(', ')}.`;
}

/** For how long a canceled order counts: the lists' lag and the slowest of the reads that prove it closed. */
export function canceledCountsMs({ assumptions, polling }: Settings['trader']): DurationMs {
  return assumptions.readLagBoundMs + Math.max(polling.openOrdersMs, polling.tradesMs, polling.walletMs);
}

/** How long what is not proved counts, and how many moves that leaves room for whatever the amounts. */
function costSentence({ trader }: Settings): string {
  const { readLagBoundMs: bound, recvWindowMs, maxClockUncertaintyMs, venueInternalLagMs } = trader.assumptions;
  const unknownMs = recvWindowMs + maxClockUncertaintyMs + venueInternalLagMs + bound;
  const rooms = trader.runs.map(({ instrument, limits }) => `${placesForMoves(limits)} in ${instrument.symbol}`);
  const within = secondsText(canceledCountsMs(trader));
  const counts = `A canceled order counts in funds and limits for ${secondsText(bound)} and a round of reads`;
  const unknown = `a create without an answer for ${secondsText(unknownMs)} or longer`;
  const most = `Moves with room in ${within}: at most ${rooms.join(', ')}, fewer where amounts are`;
  return `${counts} (${within}), ${unknown}. ${most} the limit, which \`plan\` shows; beyond that a level waits.`;
}

function adviceSentence({ assumedMs, samples, atLeastMs, atMostMs }: Facts): string {
  if (atLeastMs === null || atMostMs === null)
    return 'The bot measures this from its own orders; check `status` again after a day.';
  if (atLeastMs > assumedMs)
    return `The assumption is broken: raise assumptions.readLagBoundMs to ${secondsText(MARGIN * atLeastMs)} or more.`;
  if (MARGIN * atMostMs >= assumedMs) return 'That is no more than three times what was measured: leave it.';
  const few = samples < 400 ? ' There are few events yet, and no bad hour may be among them.' : '';
  return (
    `Three times what was measured is ${secondsText(MARGIN * atMostMs)}: whether to lower it is yours to ` +
    `choose (docs/operations.md, "How far lists trail").${few}`
  );
}

// How far the exchange's lists trail, in words: what was proved by own orders, beside what is assumed.

const LAG_WORDS: Readonly<Record<LagKind, string>> = {
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
