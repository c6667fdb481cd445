// Reads the histories of the account over the network: hands out rows as they are known, and says at the end what was
// proved.
import type { Fill, SbsTrade } from '../domain/fill.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { assertNever, invariant } from '../domain/invariant.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { EpochMs } from '../domain/time.ts';
import type { CryptoTransfer, FiatTransfer, TransferDirection } from '../domain/transfer.ts';
import { next, observe, startHistory, takeRows } from '../history/history.ts';
import { cryptoTransfers, fiatTransfers, type HistoryQuestion, sbsTrades, spotTrades } from '../history/lists.ts';
import type { HistoryOutcome } from '../history/outcome.ts';
import { answerOf, type HistoryAnswer } from '../history/page.ts';
import type { HistorySettings, ListTraits } from '../history/query.ts';
import type { TimesTarget, TradesTarget } from '../history/state.ts';
import type { Completed, Fault, ReadOutcome } from '../venue/outcomes.ts';

export interface HistoryApi {
  /**
   * Stamps the question when it may leave, sends it once, and pairs it with what came of it. The lane paces and backs
   * off.
   */
  readonly ask: (question: HistoryQuestion) => Promise<Completed>;
  /** Ends at that moment by our clock, or at once where it is past. */
  readonly sleepUntil: (moment: EpochMs) => Promise<void>;
}

export interface ReaderSettings extends HistorySettings {
  /** How often one question is asked before reading is given up, where no answer comes. */
  readonly attempts: number;
  /** How often one question may be throttled before reading is given up. */
  readonly mostThrottled: number;
}

/** `rows` any number of times, then `end` once. A corrected trade comes again; a transfer comes once. */
export type HistoryEvent<Row> =
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'end'; readonly outcome: HistoryOutcome };

interface Reading<Target> {
  readonly target: Target;
  readonly settings: ReaderSettings;
}

/** The account's executions in a symbol. */
export function readSpotTrades(
  api: HistoryApi,
  { symbol, target, settings }: Reading<TradesTarget> & { readonly symbol: InstrumentSymbol },
): AsyncGenerator<HistoryEvent<Fill>, void, void> {
  return read({ api, traits: spotTrades(symbol), outcomeOf: spotOutcome }, target, settings);
}

/** The account's simple buys and sells of a coin, as far back as the list goes. */
export function readSbsTrades(
  api: HistoryApi,
  { symbol, target, settings }: Reading<TradesTarget> & { readonly symbol: InstrumentSymbol },
): AsyncGenerator<HistoryEvent<SbsTrade>, void, void> {
  return read({ api, traits: sbsTrades(symbol), outcomeOf: sbsOutcome }, target, settings);
}

/** Crypto deposits or withdrawals, of one asset or of all. */
export function readCryptoTransfers(
  api: HistoryApi,
  {
    direction,
    asset,
    target,
    settings,
  }: Reading<TimesTarget> & { readonly direction: TransferDirection; readonly asset?: Asset },
): AsyncGenerator<HistoryEvent<CryptoTransfer>, void, void> {
  return read({ api, traits: cryptoTransfers(direction, asset), outcomeOf: cryptoOutcome }, target, settings);
}

/** INR deposits or withdrawals. */
export function readFiatTransfers(
  api: HistoryApi,
  { direction, target, settings }: Reading<TimesTarget> & { readonly direction: TransferDirection },
): AsyncGenerator<HistoryEvent<FiatTransfer>, void, void> {
  return read({ api, traits: fiatTransfers(direction), outcomeOf: fiatOutcome }, target, settings);
}

interface Source<Row, Question> {
  readonly api: HistoryApi;
  readonly traits: ListTraits<Row, Question>;
  /** The outcome where the answer is of this list. */
  readonly outcomeOf: (completed: Completed) => Asked<Row> | null;
}

interface Asked<Row> {
  readonly outcome: ReadOutcome<readonly Row[]>;
  readonly askedAt: EpochMs;
}

async function* read<Row, Question extends HistoryQuestion>(
  source: Source<Row, Question>,
  target: TradesTarget,
  settings: ReaderSettings,
): AsyncGenerator<HistoryEvent<Row>, void, void> {
  let state = startHistory(source.traits, target, settings);
  for (;;) {
    const step = next(state);
    const rows = takeRows(state);
    if (rows.length > 0) yield { kind: 'rows', rows };
    if (step.kind === 'done') {
      yield { kind: 'end', outcome: step.outcome };
      return;
    }
    state = observe(state, await answerTo(source, step.question, settings));
  }
}

/** Asks until there is an answer, as often as the settings allow. */
async function answerTo<Row, Question extends HistoryQuestion>(
  { api, outcomeOf }: Source<Row, Question>,
  question: Question,
  { attempts, mostThrottled }: ReaderSettings,
): Promise<HistoryAnswer<Row>> {
  let failures = 0;
  let throttled = 0;
  for (;;) {
    const completed = await api.ask(question);
    const asked = completed.kind === question.kind ? outcomeOf(completed) : null;
    invariant(asked !== null, () => `${question.kind} was asked, ${completed.kind} was answered.`);
    const { outcome } = asked;
    switch (outcome.kind) {
      case 'read':
      case 'rejected': {
        const answer = answerOf(outcome, asked.askedAt);
        if (answer.kind !== 'failed') return answer;
        failures += 1;
        if (failures >= attempts) return answer;
        break;
      }
      case 'throttled':
        throttled += 1;
        if (throttled > mostThrottled) return { kind: 'failed', fault: tooBusy(outcome.status, throttled) };
        await api.sleepUntil(outcome.retryAt);
        break;
      case 'failed':
        failures += 1;
        if (failures >= attempts) return { kind: 'failed', fault: outcome.fault };
        break;
      default:
        return assertNever(outcome);
    }
  }
}

const tooBusy = (status: number, times: number): Fault => ({
  sent: true,
  reason: 'status',
  status,
  detail: `The venue put one question off ${times} times.`,
});

const askedOf = <Row>({
  outcome,
  request,
}: {
  readonly outcome: ReadOutcome<readonly Row[]>;
  readonly request: { readonly stamp: { readonly timestamp: EpochMs } };
}): Asked<Row> => ({ outcome, askedAt: request.stamp.timestamp });

function spotOutcome(completed: Completed): Asked<Fill> | null {
  return completed.kind === 'spot-trades' || completed.kind === 'spot-trades-historical' ? askedOf(completed) : null;
}

function sbsOutcome(completed: Completed): Asked<SbsTrade> | null {
  return completed.kind === 'sbs-trades' ? askedOf(completed) : null;
}

function cryptoOutcome(completed: Completed): Asked<CryptoTransfer> | null {
  switch (completed.kind) {
    case 'crypto-deposits':
    case 'crypto-deposits-historical':
    case 'crypto-withdrawals':
    case 'crypto-withdrawals-historical':
      return askedOf(completed);
    default:
      return null;
  }
}

function fiatOutcome(completed: Completed): Asked<FiatTransfer> | null {
  switch (completed.kind) {
    case 'fiat-deposits':
    case 'fiat-deposits-historical':
    case 'fiat-withdrawals':
    case 'fiat-withdrawals-historical':
      return askedOf(completed);
    default:
      return null;
  }
}

// The rows of a read where they are all there; else the reason in one sentence.

/** For callers that can do nothing with half of a list. */
export function completeRows<T>(outcome: ReadOutcome<T>): Result<T> {
  switch (outcome.kind) {
    case 'read': {
      const { rows, complete, incompleteBecause = 'The answer is not complete.' } = outcome.read;
      return complete ? ok(rows) : fail(incompleteBecause);
    }
    case 'rejected':
      return fail(`HTTP ${outcome.status} ${outcome.code}: ${outcome.msg}`);
    case 'throttled':
      return fail(`HTTP ${outcome.status}: to be asked again at ${new Date(outcome.retryAt).toISOString()}.`);
    case 'failed':
      return fail(outcome.fault.detail);
    default:
      return assertNever(outcome);
  }
}
