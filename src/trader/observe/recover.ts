// Starting is recovering: the journal's open orders become questions that the first reads answer.
import { decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { haltForDoubt, type JournalDoubt } from '../account/stale-journal.ts';
import { isOldReference } from '../decision/reference.ts';
import { type Durable, endOfJournal, staleReason } from '../durable/durable.ts';
import { type LastReference, marketIn } from '../durable/market.ts';
import type { Market } from '../state/market.ts';
import type { TraderSettings } from '../state/settings.ts';
import {
  createTrader,
  extendEarlierHorizons,
  symbolsOf,
  type TraderState,
  unopenedMarkets,
  type With,
} from '../state/state.ts';
import { beginTurn, type Effects, emit, intentNotice, notice, type Step } from '../state/turn.ts';
import { type Resumed, resumeSymbol, whyNotResumable } from './resume.ts';
import { BY_START, beginReferences, recordRevision } from './revise-run.ts';
import { type Answer, takeAnswer } from './take-over.ts';

export interface Session {
  readonly now: EpochMs;
  /** Number of this opening of the journal. */
  readonly epoch: number;
  /** Name and version of the program. */
  readonly program: string;
  /** The instance of the paper exchange that the journal belongs to; null for a live exchange. */
  readonly paperInstance: string | null;
  /** Halted symbols that a person wants to trade again. */
  readonly resume: readonly Resumed[];
  /** Book the first differences between wallet and ledger as the owner's own doing. */
  readonly acceptDifferences?: boolean;
  /** The person's answer about orders that earlier sessions asked about. */
  readonly answer?: Answer | null;
  /** Evidence outside the account that the journal is old. */
  readonly doubt?: JournalDoubt | null;
}

/**
 * A trader with the journal's state. A create that was in flight when the process ended is unknown; everything else
 * continues. Fails with a sentence if the journal holds live orders of a symbol that is no longer configured, or if a
 * symbol can't be resumed, or not without a price.
 */
export function recover(
  settings: TraderSettings,
  durable: Durable,
  session: Session,
): Result<{ state: TraderState; effects: Effects }> {
  const turn = beginTurn(createTrader(settings, durable, session), session.now);
  const symbols = symbolsOf(turn.state);
  const orphan = [...durable.orders.intents.values()].find((intent) => !symbols.includes(intent.symbol));
  if (orphan)
    return fail(
      `The journal holds order ${orphan.orderId ?? orphan.intentId} of ${orphan.symbol}, which is not configured: ` +
        'add its run, stop clean, then remove it.',
    );
  const wrong = session.resume
    .map((resumed) => whyNotResumable(turn.state, resumed))
    .find((sentence) => sentence !== null);
  if (wrong !== undefined) return fail(wrong);
  const { now: at, epoch, program, paperInstance } = session;
  emit(turn, { type: 'session-started', payload: { at, epoch, program, paperInstance } });
  for (const { run } of turn.state.markets.values()) recordRevision(turn, run, BY_START);
  for (const { symbol } of unopenedMarkets(turn.state)) notifyAdded(turn, symbol);
  turn.state.session.acceptDifferences = session.acceptDifferences ?? false;
  const resumed = session.resume.map(({ symbol }) => symbol);
  if (session.answer) takeAnswer(turn, session.answer, resumed);
  for (const each of session.resume)
    if (marketIn(durable, each.symbol).halt !== null) resumeSymbol(turn, each, { answer: session.answer ?? null });
  judgeJournal(turn, session.doubt ?? null);
  seedReferences(turn.state, session.now);
  markLost(turn);
  return ok({ state: turn.state, effects: { events: turn.events, notices: turn.notices } });
}

/** A question that a person has just answered is not asked again: the journal goes on from here. */
function judgeJournal(turn: Step<'session' | 'phase'>, doubt: JournalDoubt | null): void {
  const { state } = turn;
  const { session, durable } = state;
  const { ownMarks } = doubt ?? session.journalAge;
  session.journalAge = { ...session.journalAge, endedAt: endOfJournal(durable.journal), ownMarks };
  if (doubt) haltForDoubt(turn, doubt);
  // The end recorded in an old journal proves nothing about resting orders.
  const isInDoubt = staleReason(durable) !== null || durable.orders.questioned.size > 0 || ownMarks.size > 0;
  session.beganFlat &&= !isInDoubt;
}

function notifyAdded(turn: Step, symbol: InstrumentSymbol): void {
  if (!turn.state.durable.books.opened) return;
  const message = `${symbol} was configured since the ledger was opened: it is opened now; the other markets go on.`;
  notice(turn, { level: 'info', op: 'opened', symbol, message });
}

function markLost(turn: Step<'settings'>): void {
  extendEarlierHorizons(turn.state, turn.now, 0);
  for (const intent of [...turn.state.durable.orders.intents.values()]) {
    if (intent.state === 'sent') {
      const detail = 'The process ended before the answer.';
      emit(turn, {
        type: 'create-outcome',
        payload: { intentId: intent.intentId, outcome: 'unknown', orderId: null, detail, at: turn.now },
      });
      intentNotice(turn, intent, {
        level: 'warn',
        op: 'unknown',
        message:
          `Create of ${intent.side} ${intent.quantity.toFixed()} @ ${intent.price.toFixed()} is ` +
          `unknown: ${detail}`,
      });
    } else {
      intentNotice(turn, intent, {
        level: 'info',
        op: 'taken-over',
        message: `Order ${intent.orderId ?? intent.intentId} is recovered as ${intent.state}.`,
      });
    }
  }
}

// The last good prices of the previous session, for comparison with this session's first ones.

/**
 * A market far from its recent price needs a person (F62), across a restart too; after an hour, or with another price
 * source since, only a price below half or above double does.
 */
function seedReferences({ markets, durable }: With<'durable' | 'markets'>, now: EpochMs): void {
  for (const [symbol, market] of markets) {
    const { lastReference } = marketIn(durable, symbol);
    if (lastReference === null) continue;
    const { price, at, isOfOther } = lastReference;
    if (isOfOther) beginReferences(market, decimal(price));
    else if (isOldReference(at, now)) market.oldReference = decimal(price);
    else Object.assign(market, comparedWith(lastReference));
  }
}

/** A price that a person stated is no good price before a book has shown it. */
const comparedWith = ({ price, at, isStated }: LastReference): Partial<Market> =>
  isStated
    ? { lastGoodReference: null, lastGoodAt: null, statedReference: decimal(price) }
    : { lastGoodReference: decimal(price), lastGoodAt: at };
