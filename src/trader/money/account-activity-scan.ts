// The account activity scan: reads the lists of transfers, of simple buys and sells and of trades in other markets, one
// after the other, if the wallet differs for no other known reason.
import type { Balance } from '../../domain/balance.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { DAY, type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import type { TransferDirection } from '../../domain/transfer.ts';
import { next, observe, startHistory, takeRows } from '../../history/history.ts';
import { cryptoTransfers, fiatTransfers, type HistoryQuestion, sbsTrades, spotTrades } from '../../history/lists.ts';
import { answerLearned } from '../../history/page.ts';
import { CAUTIOUS_HISTORY, type HistorySettings, type ListTraits } from '../../history/query.ts';
import type { TimesTarget } from '../../history/state.ts';
import type { CompletedRead, ReadOutcome } from '../../venue/outcomes.ts';
import { type ExternalFlow, FIAT, flowOfCrypto, flowOfFiat, flowOfSbs, flowOfTrade } from '../durable/external-flow.ts';
import type { ActivityList, ActivityScan } from '../state/reconciliation.ts';
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
  /** The wallet that differs. */
  readonly rows: readonly Balance[];
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
  scan.lists = listsOf(state, wanted, now);
}

/** The difference is explained: the remaining lists need not be read. */
export function endActivityScan(scan: ActivityScan): void {
  scan.lists = [];
}

/** If coins that no run trades have moved as well, their trades are the likeliest reason. */
function listsOf(
  state: With<'settings' | 'session' | 'durable' | 'markets' | 'reconciliation'>,
  { assets: differing, rows }: ScanWanted,
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
  const { likely, possible } = otherMarkets(state, differing, rows);
  return [...listsOfMarkets(likely, how), ...listsOfRuns(state, differing, how), ...listsOfMarkets(possible, how)];
}

const listsOfMarkets = ({ spot, simple }: Markets, how: Reading): ActivityList[] => [
  ...simple.map((symbol) => simpleTrades(symbol, how)),
  ...spot.map((symbol) => listOf(spotTrades(symbol), flowOfTrade, how)),
];

interface Reading {
  readonly target: TimesTarget;
  readonly settings: HistorySettings;
}

/** `flowOf`: a row's flow in the ledger; null if it moved nothing that the ledger covers. */
function listOf<Row>(
  traits: ListTraits<Row, HistoryQuestion>,
  flowOf: (row: Row) => ExternalFlow | null,
  { target, settings }: Reading,
): ActivityList {
  let reading = startHistory(traits, target, settings);
  return {
    step: () => next(reading),
    take(outcome, askedAt) {
      // The answer is of the list's kind, and so are its rows: the compiler can't tell.
      const answer = answerLearned(outcome as ReadOutcome<readonly Row[]>, askedAt);
      if (answer === null) return null;
      reading = observe(reading, answer);
      return takeRows(reading).flatMap((row) => flowOf(row) ?? []);
    },
  };
}

const simpleTrades = (symbol: InstrumentSymbol, how: Reading): ActivityList =>
  listOf(sbsTrades(symbol), flowOfSbs, how);

function listsOfRuns(state: With<'durable' | 'markets'>, differing: ReadonlySet<Asset>, how: Reading): ActivityList[] {
  const assets = assetsOfRuns(state);
  const crypto = DIRECTIONS.map((direction) => listOf(cryptoTransfers(direction), flowOfCrypto, how));
  if (!assets.has(FIAT)) return crypto;
  const fiat = DIRECTIONS.map((direction) => listOf(fiatTransfers(direction), flowOfFiat, how));
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

/** The next question of the list that is read first, and when it is due. */
export function activityQuestion(
  scan: ActivityScan,
  list: ActivityList,
): { readonly question: HistoryQuestion; readonly at: EpochMs } {
  const step = list.step();
  invariant(step.kind === 'ask', 'A completed list is still waiting to be read.');
  const pause = scan.failures === 0 ? 0 : Math.min(RETRY_LONGEST_MS, RETRY_FIRST_MS * 2 ** (scan.failures - 1));
  return { question: step.question, at: Math.max(scan.attemptedAt + pause, scan.begunAt ?? 0) };
}

/** Processes an answer. `listed`: a list was read to its end and may explain something. */
export function observeActivityScan(
  turn: Step<'settings' | 'activityScan'>,
  { kind, outcome, request }: CompletedRead,
): 'listed' | 'goes-on' {
  const { activityScan: scan } = turn.state;
  const [list] = scan.lists;
  const asked = list?.step();
  if (list === undefined || asked?.kind !== 'ask') return 'goes-on';
  const isOfList = kind === asked.question.kind && 'stamp' in request;
  const flows = isOfList ? list.take(outcome, request.stamp.timestamp) : null;
  scan.failures = flows === null ? scan.failures + 1 : 0;
  if (flows === null && scan.failures < RETRIES) return 'goes-on';
  scan.found.push(...(flows ?? []));
  const isRead = flows !== null && outcome.kind === 'read';
  const step = list.step();
  if (isRead && step.kind === 'ask') return 'goes-on';
  if (!isRead || (step.kind === 'done' && step.outcome.kind === 'failed')) {
    // Not every coin can be traded for every other one.
    const isNoMarket = flows !== null && 'symbol' in request && isInOtherMarket(turn.state, request.symbol ?? '');
    const message = `${kind} could not be read, so it can explain no difference.`;
    notice(turn, { level: isNoMarket ? 'debug' : 'warn', op: 'history-read', message });
  }
  scan.failures = 0;
  scan.lists.shift();
  if (scan.lists.length === 0) scan.readFrom = scan.begunAt;
  return 'listed';
}
