// Execution safety (order-truth §8, S1–S12), from signed bytes, durable records and the exchange's own orders: here the
// outgoing requests; slots and closed orders in files of their own.
import { DECISION_SLACK_MS, forgetReads, type LastReads, noReads, rememberRead } from '../execution/last-reads.ts';
import { mayUnwind } from './check-unwind.ts';
import type { CheckContext, Checker, Outgoing } from './context.ts';
import type { JournalIntent } from './journal-model.ts';

export function executionChecks(): Checker {
  /** Intents whose create's bytes have left. */
  const written = new Set<string>();
  const reads = noReads();
  let lastEpoch = 0;
  return {
    sent(context, message) {
      if (message.endpoint === 'create') {
        created(context, message, written);
        if (message.intent !== null) fresh(context, message.intent, reads);
      }
      canceled(context, message);
    },
    answered: (context, message) => rememberRead(reads, context, message),
    recorded(context, { seq, epoch }) {
      if (epoch < lastEpoch) context.violated('S11', `Record ${seq} of epoch ${epoch} follows epoch ${lastEpoch}.`);
      lastEpoch = epoch;
    },
    crashed: () => forgetReads(reads),
  };
}

function created(context: CheckContext, { intent, body }: Outgoing, written: Set<string>): void {
  if (intent === null) {
    const order = `${body.action} ${body.quantity} @ ${body.price} of ${body.symbol}`;
    return context.violated('S2', `A create left (${order}) whose intent is not in the journal.`);
  }
  if (written.has(intent.intentId)) context.violated('S1', `The create of intent ${intent.intentId} left twice.`);
  written.add(intent.intentId);
  if (intent.epoch !== context.journal.epoch) {
    const now = context.journal.epoch;
    context.violated('S11', `Intent ${intent.intentId} of epoch ${intent.epoch} was sent in epoch ${now}.`);
  }
  const halt = context.journal.halts.get(intent.symbol);
  if (halt !== undefined && !mayUnwind(context.journal, intent))
    context.violated('S12', `Intent ${intent.intentId} was sent while ${intent.symbol} is halted: ${halt.reason}`);
  const differing = intent.symbol.split('/').find((asset) => context.journal.differences.has(asset));
  if (differing !== undefined)
    context.violated('S12', `Intent ${intent.intentId} was sent while the wallet's ${differing} differs.`);
}

/** S12: the data behind the decision was read recently. */
function fresh(context: CheckContext, intent: JournalIntent, reads: LastReads): void {
  const { bookMs, openOrdersMs, reconciledMs } = context.settings.ageLimits;
  const now = context.now() + context.clockError();
  const limits = [
    ['order-book', intent.symbol, bookMs],
    ['open-orders', intent.symbol, openOrdersMs],
    ['wallet', '', reconciledMs],
  ] as const;
  for (const [endpoint, symbol, limit] of limits) {
    const at = reads.at.get(`${endpoint} ${symbol}`);
    if (at !== undefined && now - at <= limit + DECISION_SLACK_MS) continue;
    const age = at === undefined ? 'never' : `${now - at} ms ago`;
    context.violated('S12', `Intent ${intent.intentId} was sent, and ${endpoint} ${symbol} was last read ${age}.`);
  }
}

/** S7: on a shared account no order of the owner is canceled. */
function canceled(context: CheckContext, { endpoint, body }: Outgoing): void {
  if (endpoint === 'cancel-symbol' || endpoint === 'cancel-all') {
    const alone = context.settings.foreignOrders === 'refuse';
    if (!alone) context.violated('S7', `A ${endpoint} left on an account that is not the bot's alone.`);
  }
  if (endpoint !== 'cancel') return;
  const order = context.oracle.orders.get(body.order_id ?? '');
  if (order?.maker.kind === 'owner') context.violated('S7', `A cancel left for the owner's order ${order.orderId}.`);
}
