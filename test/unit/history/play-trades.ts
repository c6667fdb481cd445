// Reads trades of the small venue by the real machine, request by request, while its clock goes on.
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import type { EpochMs } from '../../../src/domain/time.ts';
import { next, observe, startHistory, takeRows } from '../../../src/history/history.ts';
import { type SbsTradesQuestion, type SpotTradesQuestion, sbsTrades, spotTrades } from '../../../src/history/lists.ts';
import type { HistoryOutcome } from '../../../src/history/outcome.ts';
import type { HistoryPage } from '../../../src/history/page.ts';
import { CAUTIOUS_HISTORY, type HistorySettings, type Query } from '../../../src/history/query.ts';
import type { TradesTarget } from '../../../src/history/state.ts';
import { TRADE_WINDOW_MAX_MS } from '../../../src/venue/bounds.ts';
import type { Fault } from '../../../src/venue/outcomes.ts';
import type { SbsTradesFilter, SpotTradesFilter } from '../../../src/venue/requests.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import { type Asked, type Draw, isTaken, type Law, pageAt, type TrueRow, whole } from './oracle-list.ts';
import { LAG_BOUND, NOW } from './true-rows.ts';

export const SYMBOL = 'BTC/INR';
export const SETTINGS: HistorySettings = { ...CAUTIOUS_HISTORY, lagBoundMs: LAG_BOUND };

const NOT_OFFERED: Fault = {
  ...{ sent: true, reason: 'status', status: 404, code: -1404 },
  ...{ refusal: 'not-offered', detail: 'Endpoint disabled.' },
};

export interface TradesVenue {
  readonly rows: readonly TrueRow[];
  readonly law: Law;
  readonly draw: Draw;
  /** Longest time between two requests. */
  readonly stepMs: number;
  /** Whether the next answer is empty, whatever is there. */
  readonly empties?: () => boolean;
  /** Lists by time alone: a request by id is refused for good. */
  readonly takesNoIds?: boolean;
  /** Spoils a page: rows taken away as unreadable, rows of another list, rows that were not asked for. */
  readonly spoil?: (page: HistoryPage<Fill>, asked: Asked) => HistoryPage<Fill>;
}

export interface Played<Row> {
  readonly outcome: HistoryOutcome;
  readonly batches: readonly (readonly Row[])[];
  readonly rows: readonly Row[];
  readonly asked: readonly Asked[];
}

export function fillOf({ id, time }: TrueRow): Fill {
  return {
    symbol: SYMBOL,
    tradeId: tradeId(String(id)),
    orderId: orderId(`1-${id}-1`),
    side: 'buy',
    price: decimal(100),
    quantity: decimal(1),
    quoteQuantity: decimal(100),
    commission: ZERO,
    commissionAsset: 'INR',
    tds: ZERO,
    liquidity: 'maker',
    venueTime: time,
  };
}

export function askedBy(question: SpotTradesQuestion | SbsTradesQuestion): Asked {
  const limit = question.limit ?? 20;
  if (question.kind === 'sbs-trades') return { endpoint: 'recent', query: queryOfSbs(question.filter), limit };
  return {
    endpoint: question.kind === 'spot-trades' ? 'recent' : 'archive',
    query: queryOfSpot(question.filter),
    limit,
  };
}

function queryOfSpot(filter: SpotTradesFilter): Query {
  if (filter.by === 'from-id') return { by: 'from-id', id: filter.fromId };
  if (filter.by === 'start') return { by: 'start', from: filter.startTime };
  if (filter.by === 'end') return { by: 'end', to: filter.endTime };
  if (filter.by !== 'window') throw new Error(`Nobody asks by ${filter.by}.`);
  return { by: 'window', from: filter.window.startTime, to: filter.window.endTime };
}

function queryOfSbs({ time, fromId }: SbsTradesFilter): Query {
  if (fromId !== undefined) return { by: 'from-id', id: fromId };
  if (time.by === 'start') return { by: 'start', from: time.startTime };
  if (time.by === 'end') return { by: 'end', to: time.endTime };
  if (time.by === 'all') throw new Error('Nobody asks for everything.');
  return { by: 'window', from: time.range.startTime, to: time.range.endTime };
}

export function playTrades(
  list: 'spot' | 'sbs',
  target: TradesTarget,
  venue: TradesVenue,
  settings: Partial<HistorySettings> = {},
): Played<Fill> {
  // SBS rows are like fills without an order; the machine sees no difference.
  const { hasArchive } = list === 'sbs' ? sbsTrades(SYMBOL) : spotTrades(SYMBOL);
  let state = startHistory({ ...spotTrades(SYMBOL), hasArchive }, target, { ...SETTINGS, ...settings });
  const asked: Asked[] = [];
  const batches: (readonly Fill[])[] = [];
  let now: EpochMs = NOW;
  const bound = stepsAtMost(100_000);
  for (;;) {
    bound();
    const step = next(state);
    const rows = takeRows(state);
    if (rows.length > 0) batches.push(rows);
    if (step.kind === 'done') return { outcome: step.outcome, batches, rows: batches.flat(), asked };
    const question = askedBy(step.question);
    asked.push(question);
    if (!isTaken(question, TRADE_WINDOW_MAX_MS)) throw new Error(`The venue refuses ${JSON.stringify(question)}.`);
    if (venue.takesNoIds === true && question.query.by === 'from-id') {
      state = observe(state, { kind: 'refused', fault: NOT_OFFERED });
      continue;
    }
    const shown = venue.empties?.() ? [] : pageAt(venue, question, now);
    const page: HistoryPage<Fill> = { rows: shown.map(fillOf), complete: true, askedAt: now };
    state = observe(state, { kind: 'page', page: venue.spoil?.(page, question) ?? page });
    now += 1 + whole(venue.draw, venue.stepMs);
  }
}
