// Orders that ended before any book showed them. A book that lacks one of those may be late, and says nothing of it: a
// bot may hold it for resting until own trades, which trail as well, tell that it has filled.
import { decimal } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import { showsPrice } from '../../src/domain/order-book.ts';
import { MINUTE } from '../../src/domain/time.ts';
import type { Answered, CheckContext } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { bookIn } from '../shown/shown-book.ts';

/** Own trades are asked for again, and booked. */
const COUNTED_WITHIN_MS = MINUTE;

export interface NeverShown {
  answered(context: CheckContext, message: Answered): void;
  recorded(context: CheckContext, told: Told): void;
  /** Whether such an order of the side may still be held for resting. */
  isHeld(context: CheckContext, symbol: string, side: Side): boolean;
}

export function createNeverShown(): NeverShown {
  /** Order ids: named, not closed, and in no book so far. */
  const waiting = new Set<string>();

  /** Most of them are in the next book, and most books hold none. */
  function look(context: CheckContext, symbol: string, text: string): void {
    for (const orderId of waiting) {
      const intent = context.journal.byOrder.get(orderId);
      if (intent?.symbol !== symbol || !text.includes(intent.price)) continue;
      const book = bookIn(text);
      const isShown = book !== null && showsPrice(book, { side: intent.side, price: decimal(intent.price) }) === true;
      if (isShown) waiting.delete(orderId);
    }
  }

  return {
    answered(context, { endpoint, status, text, query }) {
      if (endpoint === 'order-book' && status === 200) look(context, query.get('symbol') ?? '', text);
    },
    recorded({ journal }, { type, payload }) {
      if (type === 'session-started') waiting.clear();
      const { orderId } = payload;
      if ((type === 'create-outcome' || type === 'adopted') && typeof orderId === 'string') waiting.add(orderId);
      if (type === 'closed') waiting.delete(journal.intents.get(String(payload.intentId))?.orderId ?? '');
    },
    isHeld(context, symbol, side) {
      const mayBeHeldMs = context.settings.assumptions.readLagBoundMs + COUNTED_WITHIN_MS;
      return [...waiting].some((orderId) => {
        const intent = context.journal.byOrder.get(orderId);
        const endedAt = context.oracle.orders.get(orderId)?.endedAt ?? null;
        if (intent?.symbol !== symbol || intent.side !== side || endedAt === null) return false;
        return context.now() < endedAt + mayBeHeldMs;
      });
    },
  };
}
