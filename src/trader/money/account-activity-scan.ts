// The account activity scan: reads the lists of transfers, of simple buys and sells and of trades in other markets, one
// after the other, if the wallet differs for no other known reason.

import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { DAY, type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import type { TransferDirection } from '../../domain/transfer.ts';
import { type HistoryStep, next, observe, startHistory, takeRows } from '../../history/history.ts';
import { cryptoTransfers, fiatTransfers, type HistoryQuestion, sbsTrades, spotTrades } from '../../history/lists.ts';
import { answerOf, type HistoryAnswer } from '../../history/page.ts';
import { CAUTIOUS_HISTORY, type HistorySettings, type ListTraits } from '../../history/query.ts';
import type { HistoryState, TimesTarget } from '../../history/state.ts';
import type { CompletedRead, ReadOutcome } from '../../venue/outcomes.ts';
import { isOfTheRequest } from '../../venue/refusals.ts';
import type { ActivityList, ActivityListOf, ActivityScan, ListKind, RowOf } from '../durable/activity-scan.ts';
import { type ExternalFlow, FIAT, flowOfCrypto, flowOfFiat, flowOfSbs, flowOfTrade } from '../durable/external-flow.ts';
import { assetsOfRuns, type TraderState, type With } from '../state/state.ts';
import { notice, type Step } from '../state/turn.ts';
import { isInOtherMarket, type Markets, otherMarkets } from './untracked-assets.ts';

/** A transfer keeps its original time while it is pending, so a new row may be this old. */
const LONGEST_PENDING_MS = 7 * DAY;
const RETRY_FIRST_MS = 1_000;
const RETRY_LONGEST_MS = MINUTE;
const RETRIES = 5;

export interface ScanWanted {
  /** Assets that differ: the lists that may explain them are read first. */
  readonly assets: ReadonlySet<Asset>;
  /** Minimum time since the last scan began. */
  readonly everyMs: DurationMs;
}

/** Begins a scan if the last one began long enough ago for new rows to show. */
export function wantActivityScan(state: TraderState, now: EpochMs, wanted: ScanWanted): void {
  const { activityScan: scan } = state;
  if (scan.lists.length > 0 || (scan.begunAt !== null && now - scan.begunAt < wanted.everyMs)) return;
  scan.begunAt = now;
  scan.found = [];
  scan.failures = 0;
  scan.lists = listsOf(state, wanted.assets, now);
}

/** The difference is explained: the remaining lists need not be read. */
export function endActivityScan(scan: ActivityScan): void {
  scan.lists = [];
}

/** If coins that no run trades have moved as well, their trades are the likeliest reason. */
function listsOf(
  state: With<'settings' | 'session' | 'durable' | 'markets' | 'reconciliation'>,
  differing: ReadonlySet<Asset>,
  now: EpochMs,
): ActivityList[] {
  const since = state.reconciliation.equalSentAt ?? state.session.knownToBefore;
  const from = Math.max(
    0,
    Math.floor(Math.max((state.durable.books.openedAt ?? now) - DAY, since) - LONGEST_PENDING_MS),
  );
  const target = { by: 'between', from, to: null } as const;
  const { readLagBoundMs: lagBoundMs } = state.settings.assumptions;
  const how: Reading = { target, settings: { ...CAUTIOUS_HISTORY, lagBoundMs, mostRequests: MOST_REQUESTS } };
  const { likely, possible } = otherMarkets(state, differing);
  return [...listsOfMarkets(likely, how), ...listsOfRuns(state, differing, how), ...listsOfMarkets(possible, how)];
}

const listsOfMarkets = ({ spot, simple }: Markets, how: Reading): ActivityList[] => [
  ...simple.map((symbol) => simpleTrades(symbol, how)),
  ...spot.map((symbol): ActivityList => ({ kind: 'other-market', reading: begun(spotTrades(symbol), how) })),
];

interface Reading {
  readonly target: TimesTarget;
  readonly settings: HistorySettings;
}

const begun = <Row, Question>(
  traits: ListTraits<Row, Question>,
  { target, settings }: Reading,
): HistoryState<Row, Question> => startHistory(traits, target, settings);

const simpleTrades = (symbol: InstrumentSymbol, how: Reading): ActivityList => ({
  kind: 'sbs',
  reading: begun(sbsTrades(symbol), how),
});

function listsOfRuns(
  state: With<'settings' | 'durable' | 'markets'>,
  differing: ReadonlySet<Asset>,
  how: Reading,
): ActivityList[] {
  const assets = assetsOfRuns(state);
  const crypto = DIRECTIONS.map(
    (direction): ActivityList => ({ kind: 'crypto', reading: begun(cryptoTransfers(direction), how) }),
  );
  if (!assets.has(FIAT)) return crypto;
  const fiat = DIRECTIONS.map(
    (direction): ActivityList => ({ kind: 'fiat', reading: begun(fiatTransfers(direction), how) }),
  );
  const coins = [...assets].filter((asset) => asset !== FIAT);
  const sbs = coins
    .toSorted((a, b) => Number(differing.has(b)) - Number(differing.has(a)))
    .map((coin) => simpleTrades(`${coin}/${FIAT}`, how));
  if (!differing.has(FIAT)) return [...crypto, ...sbs, ...fiat];
  return coins.some((coin) => differing.has(coin)) ? [...sbs, ...crypto, ...fiat] : [...fiat, ...sbs, ...crypto];
}

const DIRECTIONS: readonly TransferDirection[] = ['deposit', 'withdrawal'];
/** Per list: nobody makes more transfers by hand in a few days than these requests return. */
const MOST_REQUESTS = 200;

/** The next question of the scan and when it is due; null if there is no scan. */
export function activityQuestion(
  scan: ActivityScan,
): { readonly question: HistoryQuestion; readonly at: EpochMs } | null {
  const [list] = scan.lists;
  if (list === undefined) return null;
  const step = stepOf(list);
  invariant(step.kind === 'ask', 'A completed list is still waiting to be read.');
  const pause = scan.failures === 0 ? 0 : Math.min(RETRY_LONGEST_MS, RETRY_FIRST_MS * 2 ** (scan.failures - 1));
  return { question: step.question, at: Math.max(scan.attemptedAt + pause, scan.begunAt ?? 0) };
}

/** All lists are read alike, whatever their rows are. */
const stepOf = ({ reading }: ActivityList): HistoryStep<HistoryQuestion> =>
  next(reading as HistoryState<unknown, HistoryQuestion>);

/** Processes an answer. `listed`: a list was read to its end and may explain something. */
export function observeActivityScan(
  turn: Step<'settings' | 'activityScan'>,
  completed: CompletedRead,
): 'listed' | 'goes-on' {
  const { activityScan: scan } = turn.state;
  const [list] = scan.lists;
  if (list === undefined) return 'goes-on';
  const verdict = advance(scan, list, completed);
  if (verdict === 'again') {
    scan.failures += 1;
    if (scan.failures < RETRIES) return 'goes-on';
  } else scan.failures = 0;
  if (verdict === 'page' && stepOf(list).kind === 'ask') return 'goes-on';
  if (verdict !== 'page') {
    const message = `${completed.kind} could not be read, so it can explain no difference.`;
    // Not every coin can be traded for every other one.
    const { request } = completed;
    const isNoMarket =
      verdict === 'refused' && 'symbol' in request && isInOtherMarket(turn.state, request.symbol ?? '');
    const level = isNoMarket ? 'debug' : 'warn';
    notice(turn, { level, op: 'history-read', message });
    scan.failures = 0;
  }
  scan.lists.shift();
  if (scan.lists.length === 0) scan.readFrom = scan.begunAt;
  return 'listed';
}

type Verdict = 'page' | 'again' | 'refused';

/** The list that an answer belongs to. */
const LIST_OF: Readonly<Partial<Record<CompletedRead['kind'], ListKind>>> = {
  'crypto-deposits': 'crypto',
  'crypto-deposits-historical': 'crypto',
  'crypto-withdrawals': 'crypto',
  'crypto-withdrawals-historical': 'crypto',
  'fiat-deposits': 'fiat',
  'fiat-deposits-historical': 'fiat',
  'fiat-withdrawals': 'fiat',
  'fiat-withdrawals-historical': 'fiat',
  'sbs-trades': 'sbs',
  'spot-trades': 'other-market',
  'spot-trades-historical': 'other-market',
};

/** A row's flow in the ledger; null if it moved nothing that the ledger covers. */
const FLOW_OF: { readonly [K in ListKind]: (row: RowOf<K>) => ExternalFlow | null } = {
  crypto: flowOfCrypto,
  fiat: flowOfFiat,
  sbs: flowOfSbs,
  'other-market': flowOfTrade,
};

function advance(scan: ActivityScan, list: ActivityList, { kind, outcome, request }: CompletedRead): Verdict {
  if (LIST_OF[kind] !== list.kind || !('stamp' in request)) return 'again';
  // The answer and the list are of the same kind, and so are its rows: the compiler can't tell.
  return takePage(
    scan,
    list as ActivityListOf<ListKind>,
    outcome as ReadOutcome<readonly RowOf<ListKind>[]>,
    request.stamp.timestamp,
  );
}

function takePage<K extends ListKind>(
  scan: ActivityScan,
  list: ActivityListOf<K>,
  outcome: ReadOutcome<readonly RowOf<K>[]>,
  askedAt: EpochMs,
): Verdict {
  const answer = usableAnswer(outcome, askedAt);
  if (typeof answer === 'string') return answer;
  list.reading = observe(list.reading, answer);
  scan.found.push(...takeRows(list.reading).flatMap((row) => FLOW_OF[list.kind](row) ?? []));
  return 'page';
}

/** `refused`: the list may not be read. `again`: nothing was learned. */
function usableAnswer<Row>(
  outcome: ReadOutcome<readonly Row[]>,
  askedAt: EpochMs,
): HistoryAnswer<Row> | Exclude<Verdict, 'page'> {
  if (outcome.kind === 'rejected') return isOfTheRequest(outcome.refusal) ? 'refused' : 'again';
  return outcome.kind === 'read' ? answerOf(outcome, askedAt) : 'again';
}
