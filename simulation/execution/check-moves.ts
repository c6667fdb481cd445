// K10: an order that has come too near to the price is canceled before its successor is placed
// (refresh.cancelFirstRatio). Judged by the order of messages on the wire and what rests at the exchange.
import { Decimal } from '../../src/domain/decimal.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import type { TrueOrder } from '../checks/oracle.ts';

/** Prices are compared as they were decided on: only the last digits of a division may differ. */
const ROUNDED = 1e-9;

export function moveChecks(): Checker {
  /** Orders whose cancel has left. */
  const canceled = new Set<string>();
  /**
   * The reference price that each intent was decided on. Which of the books it had seen, and what of it was its own,
   * only the bot knows; that the price is near the market is K1.
   */
  const references = new Map<string, Decimal>();

  function created(context: CheckContext, intent: JournalIntent): void {
    const run = context.settings.runs.find(({ instrument }) => instrument.symbol === intent.symbol);
    const reference = references.get(intent.intentId);
    if (run === undefined || reference === undefined) return;
    for (const order of context.oracle.live()) {
      const older = context.journal.byOrder.get(order.orderId);
      if (older === undefined || !isBesides(older, intent, order)) continue;
      context.counters.add('created before the older order of its level was canceled');
      if (!isTooNear(older, intent, { run, reference })) continue;
      context.violated(
        'K10',
        `Intent ${intent.intentId} of ${intent.slot} at ${intent.price} was sent while ${order.orderId} rested at ` +
          `${older.price}, too near to ${reference.toFixed()}: no cancel of it had left.`,
      );
    }
  }

  /** Of the same level, and no cancel has left. One that the journal does not name yet can't be canceled. */
  function isBesides(
    older: JournalIntent,
    { intentId, symbol, slot }: JournalIntent,
    { orderId, maker }: TrueOrder,
  ): boolean {
    const isOther = maker.kind === 'bot' && older.intentId !== intentId;
    return (
      isOther && older.symbol === symbol && older.slot === slot && older.state === 'open' && !canceled.has(orderId)
    );
  }

  return {
    sent(context, { endpoint, body, query, intent }) {
      if (endpoint === 'create' && intent !== null) created(context, intent);
      if (endpoint === 'cancel') canceled.add(body.order_id ?? '');
      if (endpoint !== 'cancel-symbol' && endpoint !== 'cancel-all') return;
      const symbol = body.symbol ?? query.get('symbol');
      for (const order of context.oracle.live())
        if (endpoint === 'cancel-all' || order.symbol === symbol) canceled.add(order.orderId);
    },
    recorded(_scene, { type, payload }) {
      if (type === 'intent' && typeof payload.reference === 'string')
        references.set(String(payload.intentId), new Decimal(payload.reference));
    },
  };
}

interface Judging {
  readonly run: RunSettings;
  readonly reference: Decimal;
}

function isTooNear(older: JournalIntent, newer: JournalIntent, { run, reference }: Judging): boolean {
  const distance = ({ side, price }: JournalIntent): Decimal =>
    side === 'buy' ? reference.sub(price) : new Decimal(price).sub(reference);
  const least = distance(newer).mul(run.refresh.cancelFirstRatio);
  return distance(older).lt(least.sub(reference.mul(ROUNDED)));
}
