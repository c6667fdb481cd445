// Reading the lists of transfers, of simple buys and sells and of trades in other markets, one after the other, when
// the wallet differs and nothing else says why.

import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { assertNever, invariant } from '../../domain/invariant.ts';
import { DAY, type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import type { TransferDirection } from '../../domain/transfer.ts';
import { answerOf, type HistoryAnswer } from '../../history/answer.ts';
import { type HistoryStep, next, observe, startHistory, takeRows } from '../../history/history.ts';
import type { ListTraits } from '../../history/list-traits.ts';
import { cryptoTransfers, fiatTransfers, type HistoryQuestion, sbsTrades, spotTrades } from '../../history/lists.ts';
import { CAUTIOUS_HISTORY, type HistorySettings } from '../../history/settings.ts';
import type { HistoryState, TimesTarget } from '../../history/state.ts';
import type { CompletedRead, ReadOutcome } from '../../venue/outcomes.ts';
import { isOfTheQuestion } from '../contact/refusal.ts';
import { FIAT, flowOfCrypto, flowOfFiat, flowOfSbs, flowOfTrade } from '../durable/flow.ts';
import type { FlowList, Flows } from '../durable/flows.ts';
import { hasMoved } from '../durable/shifts.ts';
import { assetsOfRuns } from '../fold/assets.ts';
import { notice, type Turn } from '../fold/turn.ts';
import type { TraderState } from '../state/state.ts';
import { isInOtherMarket, type Markets, otherMarkets } from './other-markets.ts';

/** A transfer keeps its time while it is pending, so what is new may be that old. */
const LOOK_BACK_MS = 7 * DAY;
const RETRY_FIRST_MS = 1_000;
const RETRY_LONGEST_MS = MINUTE;
const RETRIES = 5;

export interface SweepWanted {
  /** Assets that differ: the lists that can say why are read first. */
  readonly assets: ReadonlySet<Asset>;
  /** The last sweep began so long ago. */
  readonly everyMs: DurationMs;
}

/** Begins a sweep, if the last one began long enough ago for something new to show. */
export function wantSweep(state: TraderState, now: EpochMs, wanted: SweepWanted): void {
  const { flows } = state;
  if (flows.lists.length > 0 || (flows.begunAt !== null && now - flows.begunAt < wanted.everyMs)) return;
  flows.begunAt = now;
  flows.found = [];
  flows.shifts = new Map();
  flows.failures = 0;
  flows.lists = listsOf(state, wanted.assets, now);
}

/** What was to be explained is: the lists that are left need not be read. */
export function endSweep({ flows }: TraderState): void {
  flows.lists = [];
}

/** Where coins that no run trades have moved as well, their trades are the likeliest reason. */
function listsOf(state: TraderState, differing: ReadonlySet<Asset>, now: EpochMs): FlowList[] {
  const since = state.reconciliation.equalSentAt ?? state.session.lastEventBefore;
  const from = Math.max(0, Math.floor(Math.max((state.durable.books.openedAt ?? now) - DAY, since) - LOOK_BACK_MS));
  const target = { by: 'between', from, to: null } as const;
  const { readLagBoundMs: lagBoundMs } = state.settings.assumptions;
  const how: Reading = { target, settings: { ...CAUTIOUS_HISTORY, lagBoundMs, mostRequests: MOST_REQUESTS } };
  const { likely, possible } = otherMarkets(state, differing);
  return [...listsOfMarkets(likely, how), ...listsOfRuns(state, differing, how), ...listsOfMarkets(possible, how)];
}

const listsOfMarkets = ({ spot, simple }: Markets, how: Reading): FlowList[] => [
  ...simple.map((symbol) => simpleTrades(symbol, how)),
  ...spot.map((symbol): FlowList => ({ kind: 'other-market', reading: begun(spotTrades(symbol), how) })),
];

interface Reading {
  readonly target: TimesTarget;
  readonly settings: HistorySettings;
}

const begun = <Row, Question>(
  traits: ListTraits<Row, Question>,
  { target, settings }: Reading,
): HistoryState<Row, Question> => startHistory(traits, target, settings);

const simpleTrades = (symbol: InstrumentSymbol, how: Reading): FlowList => ({
  kind: 'sbs',
  reading: begun(sbsTrades(symbol), how),
});

function listsOfRuns(state: TraderState, differing: ReadonlySet<Asset>, how: Reading): FlowList[] {
  const assets = assetsOfRuns(state);
  const crypto = DIRECTIONS.map(
    (direction): FlowList => ({ kind: 'crypto', reading: begun(cryptoTransfers(direction), how) }),
  );
  if (!assets.has(FIAT)) return crypto;
  const fiat = DIRECTIONS.map(
    (direction): FlowList => ({ kind: 'fiat', reading: begun(fiatTransfers(direction), how) }),
  );
  const coins = [...assets].filter((asset) => asset !== FIAT);
  const sbs = coins
    .toSorted((a, b) => Number(differing.has(b)) - Number(differing.has(a)))
    .map((coin) => simpleTrades(`${coin}/${FIAT}`, how));
  if (!differing.has(FIAT)) return [...crypto, ...sbs, ...fiat];
  return coins.some((coin) => differing.has(coin)) ? [...sbs, ...crypto, ...fiat] : [...fiat, ...sbs, ...crypto];
}

const DIRECTIONS: readonly TransferDirection[] = ['deposit', 'withdrawal'];
/** Of one list: more transfers than these hold are not made by hand in a few days. */
const MOST_REQUESTS = 200;

/** What the sweep under way asks next, and from when on; null where none is. */
export function sweepQuestion({
  flows,
}: TraderState): { readonly question: HistoryQuestion; readonly at: EpochMs } | null {
  const [list] = flows.lists;
  if (list === undefined) return null;
  const step = stepOf(list);
  invariant(step.kind === 'ask', 'A list that was read to its end is still to be read.');
  const pause = flows.failures === 0 ? 0 : Math.min(RETRY_LONGEST_MS, RETRY_FIRST_MS * 2 ** (flows.failures - 1));
  return { question: step.question, at: Math.max(flows.attemptedAt + pause, flows.begunAt ?? 0) };
}

function stepOf(list: FlowList): HistoryStep<HistoryQuestion> {
  switch (list.kind) {
    case 'crypto':
      return next(list.reading);
    case 'fiat':
      return next(list.reading);
    case 'sbs':
      return next(list.reading);
    case 'other-market':
      return next(list.reading);
    default:
      return assertNever(list);
  }
}

/** Takes in an answer. `listed` when a list was read to its end, and what it shows may explain something. */
export function observeSweep(turn: Turn, completed: CompletedRead): 'listed' | 'goes-on' {
  const { flows } = turn.state;
  const [list] = flows.lists;
  if (list === undefined) return 'goes-on';
  if (hasMoved(flows.shifts, completed)) {
    // What is still to be explained has it swept again, from the beginning.
    Object.assign(flows, { lists: [], found: [], begunAt: null });
    return 'goes-on';
  }
  const verdict = advance(flows, list, completed);
  if (verdict === 'again') {
    flows.failures += 1;
    if (flows.failures < RETRIES) return 'goes-on';
  } else flows.failures = 0;
  if (verdict === 'page' && stepOf(list).kind === 'ask') return 'goes-on';
  if (verdict !== 'page') {
    const message = `${completed.kind} could not be read: what it would show explains no difference.`;
    // Not every coin can be traded for every other one.
    const { request } = completed;
    const isNoMarket =
      verdict === 'refused' && 'symbol' in request && isInOtherMarket(turn.state, request.symbol ?? '');
    const level = isNoMarket ? 'debug' : 'warn';
    notice(turn, { level, op: 'flows-unread', message });
    flows.failures = 0;
  }
  flows.lists.shift();
  for (const flow of flows.found)
    if (flow.kind === 'transfer' && flow.status === 'pending') flows.pending.add(flow.name);
  return 'listed';
}

type Verdict = 'page' | 'again' | 'refused';

function advance(flows: Flows, list: FlowList, completed: CompletedRead): Verdict {
  switch (completed.kind) {
    case 'crypto-deposits':
    case 'crypto-deposits-historical':
    case 'crypto-withdrawals':
    case 'crypto-withdrawals-historical': {
      if (list.kind !== 'crypto') return 'again';
      const answer = usableAnswer(completed.outcome, completed.request.stamp.timestamp);
      if (typeof answer === 'string') return answer;
      list.reading = observe(list.reading, answer);
      flows.found.push(...takeRows(list.reading).flatMap((row) => flowOfCrypto(row) ?? []));
      return 'page';
    }
    case 'fiat-deposits':
    case 'fiat-deposits-historical':
    case 'fiat-withdrawals':
    case 'fiat-withdrawals-historical': {
      if (list.kind !== 'fiat') return 'again';
      const answer = usableAnswer(completed.outcome, completed.request.stamp.timestamp);
      if (typeof answer === 'string') return answer;
      list.reading = observe(list.reading, answer);
      flows.found.push(...takeRows(list.reading).flatMap((row) => flowOfFiat(row) ?? []));
      return 'page';
    }
    case 'sbs-trades': {
      if (list.kind !== 'sbs') return 'again';
      const answer = usableAnswer(completed.outcome, completed.request.stamp.timestamp);
      if (typeof answer === 'string') return answer;
      list.reading = observe(list.reading, answer);
      flows.found.push(...takeRows(list.reading).flatMap((row) => flowOfSbs(row) ?? []));
      return 'page';
    }
    case 'spot-trades':
    case 'spot-trades-historical': {
      if (list.kind !== 'other-market') return 'again';
      const answer = usableAnswer(completed.outcome, completed.request.stamp.timestamp);
      if (typeof answer === 'string') return answer;
      list.reading = observe(list.reading, answer);
      flows.found.push(...takeRows(list.reading).flatMap((row) => flowOfTrade(row) ?? []));
      return 'page';
    }
    default:
      return 'again';
  }
}

/** `refused`: the list may not be asked. `again`: nothing was learned of it. */
function usableAnswer<Row>(
  outcome: ReadOutcome<readonly Row[]>,
  askedAt: EpochMs,
): HistoryAnswer<Row> | Exclude<Verdict, 'page'> {
  if (outcome.kind === 'rejected') return isOfTheQuestion(outcome.code) ? 'refused' : 'again';
  return outcome.kind === 'read' ? answerOf(outcome, askedAt) : 'again';
}
