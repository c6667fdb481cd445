// How levels move: the new order first where there is room for both; where orders that leave take that room, once it is
// there; else the cancel first, one level of a side at a time.
import type { IntentId } from '../../domain/ids.ts';
import type { Side, Slot } from '../../domain/order.ts';
import type { LiveOrder } from '../../quoting/live-order.ts';
import type { Action } from '../../quoting/moves/diff.ts';
import type { Assessment } from '../../quoting/risk/risk.ts';
import type { Decision, WantedCreate } from '../state/decision.ts';
import { lacksRoom } from './leaving-room.ts';

export type Moves = Pick<Decision, 'creates' | 'cancels'>;

export interface Judged {
  /** What the risk gate says of a create now. */
  readonly verdict: Assessment;
  /** Whether the move is to wait until orders that leave are proved closed. */
  readonly waits: boolean;
}

/** `judged` is asked about moves alone. */
export function planMoves(
  actions: readonly Action[],
  live: readonly LiveOrder[],
  judged: (wanted: WantedCreate) => Judged,
): Moves {
  const creates: WantedCreate[] = [];
  const cancels: { intentId: IntentId; why: string }[] = [];
  const giving = new Set<Side>(live.filter(({ status }) => status !== 'open').map(({ side }) => side));
  for (const action of actions) {
    if (action.kind === 'create') creates.push({ slot: action.slot, quote: action.quote, replaces: null });
    if (action.kind === 'cancel') {
      cancels.push({ intentId: action.intentId, why: action.why });
      giving.add(sideOf(action.slot));
    }
    if (action.kind !== 'replace') continue;
    const { slot, quote, intentId, why } = action;
    const wanted = { slot, quote, replaces: intentId };
    const { verdict, waits } = judged(wanted);
    // A cancel would take the level out of the market for as long as its successor waits.
    if (waits) continue;
    // A create that has to wait for the message rate is counted where it would leave, and its order stays meanwhile.
    if (verdict.kind === 'approved' || verdict.code === 'message-rate') creates.push(wanted);
    else if (!lacksRoom(verdict) || !giving.has(quote.side)) {
      // The others of the side stay until this one has made room.
      cancels.push({ intentId, why });
      giving.add(quote.side);
    }
  }
  return { creates, cancels };
}

const sideOf = (slot: Slot): Side => (slot.startsWith('buy') ? 'buy' : 'sell');
