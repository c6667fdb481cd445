// An order that the exchange said to have refused, by 200 with a message, and placed all the same. It is adopted,
// canceled and proved closed like any other, and then nothing is in question: a person is called, the symbol rests,
// and only a repetition halts it (decision 0028).
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Intent } from '../durable/intent.ts';
import { type Breach, marketIn } from '../durable/market.ts';
import type { TraderState } from '../state/state.ts';
import { haltSymbol, notice, type Turn } from '../state/turn.ts';

/** So many within an hour (`fold/breaches.ts`) halt the symbol. */
const HALTS_AT = 3;

/** After the order has been adopted. */
export function notifyBreach(turn: Turn, intent: Intent, orderId: string): void {
  const count = marketIn(turn.state.durable, intent.symbol).breaches.length;
  const what = `The exchange refused intent ${intent.intentId} with 200 and still placed it, as order ${orderId}.`;
  const message =
    `${what} It is canceled, and ${intent.symbol} rests until it is proved closed; ${HALTS_AT} such orders within ` +
    `an hour halt it, this is number ${count}.`;
  const { intentId, symbol } = intent;
  notice(turn, { level: 'page', op: 'contract-broken', symbol, intentId, orderId, message });
  if (count < HALTS_AT) return;
  haltSymbol(
    turn,
    intent.symbol,
    `${count} orders within an hour were refused with 200 and placed all the same: ` +
      `what the exchange answers can't be relied on.`,
    'answers-untrue',
  );
}

/** Why a symbol rests after it, one sentence; null when it does not. */
export function restAfterBreach(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): string | null {
  const { durable, settings } = state;
  const { breaches } = marketIn(durable, symbol);
  const why = ({ intentId }: Breach): string =>
    `the exchange refused intent ${intentId} with 200 and placed it all the same.`;
  const open = breaches.find(({ intentId }) => durable.orders.intents.has(intentId));
  if (open) {
    const name = durable.orders.intents.get(open.intentId)?.orderId ?? open.intentId;
    return `Resting until order ${name} is proved closed: ${why(open)}`;
  }
  const last = breaches.at(-1);
  const leftMs = last === undefined ? 0 : last.at + settings.rejectPauseMs - now;
  // A clock that was set back must not make it longer.
  if (last === undefined || leftMs <= 0 || leftMs > settings.rejectPauseMs) return null;
  return `Resting for ${Math.ceil(leftMs / 1_000)} s: ${why(last)}`;
}
