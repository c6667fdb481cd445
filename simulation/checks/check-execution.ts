// Execution safety (order-truth §8, S1–S12), from signed bytes, durable records and the exchange's own orders: here
// what leaves; slots and what is closed in files of their own.
import { DECISION_SLACK_MS, forgetReads, type LastReads, noReads, noteRead } from '../execution/last-reads.ts';
import type { Claim } from './claims.ts';
import type { Checker, Outgoing, Scene } from './scene.ts';

export function executionChecks(): Checker {
  /** Intents whose create's bytes have left. */
  const written = new Set<string>();
  const reads = noReads();
  let lastEpoch = 0;
  return {
    sent(scene, message) {
      if (message.endpoint === 'create') {
        created(scene, message, written);
        if (message.claim !== null) fresh(scene, message.claim, reads);
      }
      canceled(scene, message);
    },
    answered: (scene, message) => noteRead(reads, scene, message),
    recorded(scene, { seq, epoch }) {
      if (epoch < lastEpoch) scene.violated('S11', `Record ${seq} of epoch ${epoch} follows epoch ${lastEpoch}.`);
      lastEpoch = epoch;
    },
    crashed: () => forgetReads(reads),
  };
}

function created(scene: Scene, { claim, body }: Outgoing, written: Set<string>): void {
  if (claim === null) {
    const order = `${body.action} ${body.quantity} @ ${body.price} of ${body.symbol}`;
    return scene.violated('S2', `A create left (${order}) whose intent is not in the journal.`);
  }
  if (written.has(claim.intentId)) scene.violated('S1', `The create of intent ${claim.intentId} left twice.`);
  written.add(claim.intentId);
  if (claim.epoch !== scene.claims.epoch) {
    const now = scene.claims.epoch;
    scene.violated('S11', `Intent ${claim.intentId} of epoch ${claim.epoch} was sent in epoch ${now}.`);
  }
  const halt = scene.claims.halts.get(claim.symbol);
  if (halt !== undefined)
    scene.violated('S12', `Intent ${claim.intentId} was sent while ${claim.symbol} is halted: ${halt.reason}`);
  if (scene.claims.differences.size > 0) {
    scene.violated('S12', `Intent ${claim.intentId} was sent while the wallet differs from the ledger.`);
  }
}

/** S12: what the decision stood on was read lately. */
function fresh(scene: Scene, claim: Claim, reads: LastReads): void {
  const { bookMs, openOrdersMs, reconciledMs } = scene.settings.ageLimits;
  const now = scene.now() + scene.clockError();
  const limits = [
    ['order-book', claim.symbol, bookMs],
    ['open-orders', claim.symbol, openOrdersMs],
    ['wallet', '', reconciledMs],
  ] as const;
  for (const [endpoint, symbol, limit] of limits) {
    const at = reads.at.get(`${endpoint} ${symbol}`);
    if (at !== undefined && now - at <= limit + DECISION_SLACK_MS) continue;
    const age = at === undefined ? 'never' : `${now - at} ms ago`;
    scene.violated('S12', `Intent ${claim.intentId} was sent, and ${endpoint} ${symbol} was last read ${age}.`);
  }
}

/** S7: nothing of the owner's is canceled on an account that he shares. */
function canceled(scene: Scene, { endpoint, body }: Outgoing): void {
  if (endpoint === 'cancel-symbol' || endpoint === 'cancel-all') {
    const alone = scene.settings.foreignOrders === 'refuse';
    if (!alone) scene.violated('S7', `A ${endpoint} left on an account that is not the bot's alone.`);
  }
  if (endpoint !== 'cancel') return;
  const order = scene.oracle.orders.get(body.order_id ?? '');
  if (order?.maker.kind === 'owner') scene.violated('S7', `A cancel left for the owner's order ${order.orderId}.`);
}
