// What could be asked of the venue, and whether that is on its way already.
import type { Decimal } from '../../domain/decimal.ts';
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderRequest, Slot } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { HistoryQuestion } from '../../history/lists.ts';
import type { Approved } from '../../quoting/risk/risk.ts';
import { PROBE_EVERY_MS } from '../../venue/error-codes.ts';
import type { SpotTradesFilter } from '../../venue/requests.ts';
import type { TraderState } from '../state/state.ts';

export type Candidate =
  | { readonly kind: 'cancel'; readonly orderId: OrderId; readonly intentId: IntentId | null; readonly why: string }
  | { readonly kind: 'cancel-symbol'; readonly symbol: InstrumentSymbol; readonly why: string }
  | {
      readonly kind: 'create';
      readonly slot: Slot;
      readonly order: Approved<OrderRequest>;
      /** The order in the slot that is canceled once this one is on the book. */
      readonly replaces: IntentId | null;
      readonly bookSentAt: EpochMs;
      readonly reference: Decimal;
    }
  | { readonly kind: 'order-book'; readonly symbol: InstrumentSymbol }
  | { readonly kind: 'public-trades'; readonly symbol: InstrumentSymbol }
  | { readonly kind: 'open-orders'; readonly symbol: InstrumentSymbol | null; readonly why: string }
  | {
      readonly kind: 'spot-trades';
      readonly symbol: InstrumentSymbol;
      readonly filter: SpotTradesFilter;
      readonly why: string;
    }
  | {
      readonly kind: 'history';
      /** Of the surface that the reading is for: no other read of it is on its way meanwhile. */
      readonly key: string;
      readonly question: HistoryQuestion;
      readonly why: string;
    }
  | { readonly kind: 'wallet'; readonly why: string };

export const keyOf = (candidate: Candidate): string => {
  switch (candidate.kind) {
    case 'cancel':
      return `cancel ${candidate.orderId}`;
    case 'create':
      return `create ${candidate.order.symbol} ${candidate.slot}`;
    case 'open-orders':
      return `open-orders ${candidate.symbol ?? '*'}`;
    case 'history':
      return candidate.key;
    case 'wallet':
      return 'wallet';
    case 'order-book':
    case 'public-trades':
    case 'cancel-symbol':
    case 'spot-trades':
      return `${candidate.kind} ${candidate.symbol}`;
  }
};

/**
 * What may be asked again although an answer may still come: a cancel does no harm twice, and the newer of two books
 * counts.
 */
const REPEATABLE: ReadonlySet<Candidate['kind']> = new Set(['cancel', 'cancel-symbol', 'order-book']);

/** Whether no such request is on its way, or none that is still waited for. */
export function isFree({ requests }: TraderState, candidate: Candidate, now: EpochMs): boolean {
  const before = requests.inFlight.size === 0 ? undefined : requests.inFlight.get(keyOf(candidate));
  if (before === undefined) return true;
  return REPEATABLE.has(candidate.kind) && now >= before.leftAt + PROBE_EVERY_MS;
}
