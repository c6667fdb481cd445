// Deposits and withdrawals of the small venue, which settle while they are read, and the real machine that reads them.
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import { DAY, type EpochMs, HOUR } from '../../../src/domain/time.ts';
import type { CryptoTransfer, FiatTransfer } from '../../../src/domain/transfer.ts';
import { next, observe, startHistory, takeRows } from '../../../src/history/history.ts';
import { type CryptoQuestion, cryptoTransfers, type FiatQuestion, fiatTransfers } from '../../../src/history/lists.ts';
import type { HistoryAnswer } from '../../../src/history/page.ts';
import type { Query } from '../../../src/history/query.ts';
import type { HistoryState, TimesTarget } from '../../../src/history/state.ts';
import type { TimeRange } from '../../../src/venue/bounds.ts';
import type { TimeFilter } from '../../../src/venue/requests.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import { type Asked, type Draw, isTaken, type Law, pageAt, type TrueRow, whole } from './oracle-list.ts';
import { type Played, SETTINGS } from './play-trades.ts';
import { NOW } from './true-rows.ts';

/** `settledAt`: when it stops being pending; its hash is known from `hashAt` on. */
export interface TrueTransfer extends TrueRow {
  readonly kind: number;
  readonly settledAt: EpochMs;
  readonly hashAt: EpochMs;
  readonly fails: boolean;
}

/** Few kinds, so that many transfers look the same. */
export function transfersOf(rows: readonly TrueRow[], draw: Draw): TrueTransfer[] {
  return rows.map((row) => {
    const settledAt = draw() < 0.2 ? NOW + whole(draw, 2 * DAY) - DAY : row.shownAt + whole(draw, HOUR);
    const hashAt = row.shownAt + whole(draw, HOUR);
    return { ...row, kind: whole(draw, 3), settledAt, hashAt, fails: draw() < 0.2 };
  });
}

export function cryptoOf(row: TrueTransfer, now: EpochMs): CryptoTransfer {
  const status = row.settledAt > now ? 'pending' : row.fails ? 'failed' : 'success';
  return {
    direction: 'deposit',
    status,
    statusText: status.toUpperCase(),
    venueTime: row.time,
    fee: ZERO,
    asset: row.kind === 0 ? 'BTC' : 'ETH',
    amount: decimal(row.kind === 2 ? '1.50' : '1.5'),
    transactionHash: row.hashAt > now || row.fails ? null : `0x${row.id}`,
    network: 'N',
    fromAddress: row.hashAt > now ? null : 'a',
    toAddress: 'b',
  };
}

export function fiatOf(row: TrueTransfer, now: EpochMs): FiatTransfer {
  const status = row.settledAt > now ? 'pending' : row.fails ? 'rejected' : 'success';
  return {
    direction: 'withdrawal',
    status,
    statusText: status.toUpperCase(),
    venueTime: row.time,
    fee: ZERO,
    amount: decimal(500),
    referenceId: `R${row.kind}`,
  };
}

interface TransfersVenue {
  readonly rows: readonly TrueTransfer[];
  readonly law: Law;
  readonly draw: Draw;
  readonly stepMs: number;
  /** Whether the next answer is empty, whatever is there. */
  readonly empties?: () => boolean;
}

export function playCrypto(
  target: TimesTarget,
  venue: TransfersVenue,
  settings = SETTINGS,
): PlayedTransfers<CryptoTransfer> {
  const start = startHistory(cryptoTransfers('deposit'), target, settings);
  return play<CryptoTransfer, CryptoQuestion>(start, venue, cryptoOf);
}

export function playFiat(
  target: TimesTarget,
  venue: TransfersVenue,
  settings = SETTINGS,
): PlayedTransfers<FiatTransfer> {
  return play<FiatTransfer, FiatQuestion>(startHistory(fiatTransfers('withdrawal'), target, settings), venue, fiatOf);
}

export interface PlayedTransfers<Row> extends Played<Row> {
  readonly endedAt: EpochMs;
}

function play<Row, Question extends CryptoQuestion | FiatQuestion>(
  start: HistoryState<Row, Question>,
  venue: TransfersVenue,
  rowOf: (row: TrueTransfer, now: EpochMs) => Row,
): PlayedTransfers<Row> {
  let state = start;
  const asked: Asked[] = [];
  const batches: (readonly Row[])[] = [];
  let now: EpochMs = NOW;
  const bound = stepsAtMost(100_000);
  for (;;) {
    bound();
    const step = next(state);
    const rows = takeRows(state);
    if (rows.length > 0) batches.push(rows);
    if (step.kind === 'done') return { outcome: step.outcome, batches, rows: batches.flat(), asked, endedAt: now };
    const question = transferAskedBy(step.question);
    asked.push(question);
    if (!isTaken(question, Number.POSITIVE_INFINITY)) throw new Error(`The venue refuses ${JSON.stringify(question)}.`);
    const page = venue.empties?.() ? [] : pageAt(venue, question, now);
    const shown = page.map((row) => rowOf(row, now));
    const answer: HistoryAnswer<Row> = { kind: 'page', page: { rows: shown, complete: true, askedAt: now } };
    state = observe(state, answer);
    now += 1 + whole(venue.draw, venue.stepMs);
  }
}

export function transferAskedBy({ kind, filter, limit = 20 }: CryptoQuestion | FiatQuestion): Asked {
  return { endpoint: kind.endsWith('-historical') ? 'archive' : 'recent', query: queryOf(filter.time), limit };
}

function queryOf(time: TimeFilter<TimeRange>): Query {
  if (time.by === 'start') return { by: 'start', from: time.startTime };
  if (time.by === 'end') return { by: 'end', to: time.endTime };
  if (time.by === 'all') throw new Error('Nobody asks for everything.');
  return { by: 'window', from: time.range.startTime, to: time.range.endTime };
}
