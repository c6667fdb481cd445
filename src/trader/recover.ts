// Starting is recovering: what the journal left open becomes questions that the first reads answer.
import { decimal } from '../domain/decimal.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { type EpochMs, HOUR } from '../domain/time.ts';
import { JUMP_HALT } from './decide.ts';
import type { Durable } from './durable.ts';
import type { TraderSettings } from './settings.ts';
import { createTrader, symbolsOf, type TraderState } from './state.ts';
import { beginTurn, type Effects, emit, intentNotice, notice, type Turn } from './turn.ts';
import { acceptSuspense } from './unexplained.ts';

export interface Session {
  readonly now: EpochMs;
  /** Number of this opening of the journal. */
  readonly epoch: number;
  /** Name and version of the program. */
  readonly program: string;
  /** The instance of the paper exchange that the journal belongs to; null for a live venue. */
  readonly paperInstance: string | null;
  /** Halted symbols that a person wants to trade again. */
  readonly resume: readonly string[];
  /** Book the first differences between wallet and ledger as the owner's own doing. */
  readonly acceptDifferences?: boolean;
}

/**
 * A trader on what the journal folded to. A create that was on its way when the process ended is unknown; everything else goes
 * on where it was. Fails with a sentence when the journal holds live orders of a symbol that is no longer configured.
 */
export function recover(
  settings: TraderSettings,
  durable: Durable,
  session: Session,
): Result<{ state: TraderState; effects: Effects }> {
  const turn = beginTurn(createTrader(settings, durable, session.now), session.now);
  const symbols = symbolsOf(turn.state);
  const orphan = [...durable.intents.values()].find((intent) => !symbols.includes(intent.symbol));
  if (orphan)
    return fail(
      `The journal holds order ${orphan.orderId ?? orphan.intentId} of ${orphan.symbol}, which is not configured: add its run, stop clean, then remove it.`,
    );
  emit(turn, {
    type: 'session-started',
    payload: { at: session.now, epoch: session.epoch, program: session.program, paperInstance: session.paperInstance },
  });
  turn.state.acceptDifferences = session.acceptDifferences ?? false;
  if (turn.state.acceptDifferences) acceptSuspense(turn);
  const { halts } = turn.state.durable;
  const looked = session.resume.filter((symbol) => [...halts].some(([at, why]) => at === symbol && why === JUMP_HALT));
  for (const symbol of session.resume) resumeSymbol(turn, symbol);
  seedReferences(turn, looked);
  markLost(turn);
  return ok({ state: turn.state, effects: { events: turn.events, notices: turn.notices } });
}

/** So long the last reference price of the session before is what the market is compared with. */
const REFERENCE_HOLDS_MS = HOUR;

/**
 * A market that is far from where it was a while ago wants a person (F62), over a restart as well; after an hour only one that is less than
 * half or more than double does. Who resumes a symbol that was halted for that has looked; a symbol that was halted for something else
 * keeps its price.
 */
function seedReferences({ state, now }: Turn, looked: readonly string[]): void {
  for (const [symbol, { price, at }] of state.durable.references) {
    const memory = state.memory.get(symbol);
    if (!memory || looked.includes(symbol)) continue;
    if (now - at <= REFERENCE_HOLDS_MS) memory.lastGoodReference = decimal(price);
    else memory.oldReference = decimal(price);
  }
}

function resumeSymbol(turn: Turn, symbol: string): void {
  if (!turn.state.durable.halts.has(symbol)) return;
  emit(turn, { type: 'symbol-resumed', payload: { symbol, at: turn.now } });
  notice(turn, { level: 'info', op: 'symbol-resumed', symbol, message: `${symbol} is resumed by a person.` });
}

function markLost(turn: Turn): void {
  for (const { symbol, horizon } of turn.state.durable.intents.values())
    turn.state.lastHorizon.set(symbol, Math.max(horizon, turn.state.lastHorizon.get(symbol) ?? 0));
  for (const intent of [...turn.state.durable.intents.values()]) {
    if (intent.state === 'sent') {
      const detail = 'The process ended before the answer.';
      emit(turn, {
        type: 'create-outcome',
        payload: { intentId: intent.intentId, outcome: 'unknown', orderId: null, detail, at: turn.now },
      });
      intentNotice(turn, intent, {
        level: 'warn',
        op: 'unknown',
        message: `Create of ${intent.side} ${intent.quantity.toFixed()} @ ${intent.price.toFixed()} is unknown: ${detail}`,
      });
    } else {
      intentNotice(turn, intent, {
        level: 'info',
        op: 'recovered',
        message: `Order ${intent.orderId ?? intent.intentId} is recovered as ${intent.state}.`,
      });
    }
  }
}
