// The assumed lag of lists, its cost, and measurements: for `check`, `plan` and `status`.
import type { DurationMs } from '../../domain/time.ts';
import { placesForMoves } from '../../trader/decision/moves.ts';
import type { LagFigures, ReadLagsView } from '../../trader/lags/lags.ts';
import type { LagKind } from '../../trader/state/lags.ts';
import type { Settings } from '../settings/types.ts';

export function lagMeaning({ trader }: Settings) {
  const { readLagBoundMs } = trader.assumptions;
  return { assumedMs: readLagBoundMs, sentences: [`${assumedWords(readLagBoundMs)}.`, costSentence(trader)] };
}

const assumedWords = (assumedMs: DurationMs): string =>
  `Lists are assumed to trail by ${secondsText(assumedMs)} at most (assumptions.readLagBoundMs)`;

/** How long a canceled order counts: the lists' lag plus the slowest of the reads that prove it closed. */
export function canceledCountsMs({ assumptions, polling }: Settings['trader']): DurationMs {
  return assumptions.readLagBoundMs + Math.max(polling.openOrdersMs, polling.tradesMs, polling.walletMs);
}

/** How long unproved orders count, and how many moves fit regardless of amounts. */
function costSentence(trader: Settings['trader']): string {
  const { readLagBoundMs: bound, recvWindowMs, maxClockUncertaintyMs, venueInternalLagMs } = trader.assumptions;
  const unknownMs = recvWindowMs + maxClockUncertaintyMs + venueInternalLagMs + bound;
  const rooms = trader.runs.map(({ instrument, limits }) => `${placesForMoves(limits)} in ${instrument.symbol}`);
  const within = secondsText(canceledCountsMs(trader));
  const counts = `A canceled order counts in funds and limits for ${secondsText(bound)} and a round of reads`;
  const unknown = `a create without an answer for ${secondsText(unknownMs)} or longer`;
  const most = `Moves with room in ${within}: at most ${rooms.join(', ')}, fewer where amounts are`;
  return `${counts} (${within}), ${unknown}. ${most} the limit, which \`plan\` shows; beyond that a level waits.`;
}

// The exchange's list lags in words: measured by own orders, compared with the assumed bound.

const LAG_WORDS: Readonly<Record<LagKind, string>> = {
  listed: 'new orders listed',
  gone: 'ended orders gone',
  trades: 'fills in own trades',
};

export const secondsText = (ms: number): string => `${Number((ms / 1_000).toFixed(1))} s`;

/** For a terminal. */
export function lagLines({ assumedMs, kinds }: Omit<ReadLagsView, 'broken'>, at: number): string[] {
  const width = Math.max(...Object.values(LAG_WORDS).map(({ length }) => length));
  return [
    `${assumedWords(assumedMs)}; proved since the start:`,
    ...kinds.map((each) => `  ${LAG_WORDS[each.kind].padEnd(width)}  ${figuresText(each, at)}`),
    advice(assumedMs, kinds),
  ];
}

/** A bound below three times the observed lag is not cautious (docs/operations.md). */
const MARGIN = 3;
/** Fewer events may all come from good hours. */
const FEW = 400;

function advice(assumedMs: DurationMs, kinds: readonly LagFigures[]): string {
  const most = (which: 'atLeastMs' | 'atMostMs'): number => Math.max(0, ...kinds.map((each) => each[which]?.max ?? 0));
  const events = kinds.reduce((sum, { samples }) => sum + samples, 0);
  if (events === 0) return 'The bot measures this from its own orders; look again after a day.';
  const least = most('atLeastMs');
  if (least > assumedMs)
    return `The assumption is broken: raise assumptions.readLagBoundMs to ${secondsText(MARGIN * least)} or more.`;
  if (MARGIN * most('atMostMs') >= assumedMs) return 'That is no more than three times what was measured: leave it.';
  const few = events < FEW ? ' There are few events yet, and no bad hour may be among them.' : '';
  return (
    `Three times what was measured is ${secondsText(MARGIN * most('atMostMs'))}: whether to lower it is yours to ` +
    `choose (docs/operations.md, "How far lists trail").${few}`
  );
}

function figuresText({ samples, atLeastMs, atMostMs, newestAt }: LagFigures, at: number): string {
  if (atLeastMs === null || atMostMs === null || newestAt === null) return 'nothing yet';
  const most =
    `at most ${secondsText(atMostMs.max)} (half ${secondsText(atMostMs.p50)}, 99 % ` + `${secondsText(atMostMs.p99)})`;
  const age = secondsText(Math.max(0, at - newestAt));
  return `${most}, at least ${secondsText(atLeastMs.max)}; of ${samples}, the last ${age} ago`;
}
