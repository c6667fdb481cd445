// The answers that one canceling process received, and when each request left: the basis of its proof. From the wire
// alone.
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';
import type { Answered, CheckContext, Outgoing } from '../checks/context.ts';
import { ordersIn } from '../proofs/rows.ts';

interface SeenList {
  /** Null for a list of the whole account. */
  readonly symbol: InstrumentSymbol | null;
  readonly sentAt: EpochMs;
  readonly orderIds: readonly string[];
}

export interface SweepLog {
  sent(context: CheckContext, message: Outgoing): void;
  answered(context: CheckContext, message: Answered): void;
  /** When the whole lists left that include the symbol, from `from` on, without an order of ours. In order. */
  cleanLists(symbol: InstrumentSymbol, from: EpochMs, isOurs: (orderId: string) => boolean): readonly EpochMs[];
  firstSentAt(): EpochMs | null;
  /** Answers that a bound does not allow for: refusals, silence, lists that are cut or still show canceled orders. */
  troubles(): number;
  cancelsSent(): number;
  firstCancelAt(): EpochMs | null;
  lastSentAt(): EpochMs | null;
}

const OK = 200;
const PROMPT_MS: DurationMs = SECOND;

export function createSweepLog(): SweepLog {
  const lists: SeenList[] = [];
  const leftAt = new WeakMap<HttpRequest, EpochMs>();
  let troubles = 0;
  let cancels = 0;
  let firstCancelAt: EpochMs | null = null;
  let acknowledgedAt: EpochMs = Number.POSITIVE_INFINITY;
  let firstSentAt: EpochMs | null = null;
  let lastSentAt: EpochMs | null = null;

  function listed(message: Answered, sentAt: EpochMs): void {
    const symbol = message.query.get('symbol');
    const shown = ordersIn(message.text, symbol);
    if (shown?.whole !== true) {
      troubles += 1;
      return;
    }
    if (shown.rows.length > 0 && sentAt > acknowledgedAt) troubles += 1;
    lists.push({ symbol, sentAt, orderIds: shown.rows.map(({ orderId }) => orderId) });
  }

  return {
    sent(context, { endpoint, request }) {
      leftAt.set(request, context.now());
      firstSentAt ??= context.now();
      lastSentAt = context.now();
      if (!endpoint.startsWith('cancel')) return;
      cancels += 1;
      firstCancelAt ??= context.now();
    },
    answered(context, message) {
      const sentAt = leftAt.get(message.request);
      if (message.status !== OK || sentAt === undefined || context.now() - sentAt > PROMPT_MS) troubles += 1;
      if (message.status !== OK || sentAt === undefined) return;
      if (message.endpoint === 'open-orders') listed(message, sentAt);
      else acknowledgedAt = Math.min(acknowledgedAt, context.now());
    },
    cleanLists(symbol, from, isOurs) {
      const shows = (list: SeenList): boolean => list.symbol === null || list.symbol === symbol;
      return lists
        .filter((list) => shows(list) && list.sentAt >= from && !list.orderIds.some(isOurs))
        .map(({ sentAt }) => sentAt)
        .toSorted((a, b) => a - b);
    },
    firstSentAt: () => firstSentAt,
    troubles: () => troubles,
    cancelsSent: () => cancels,
    firstCancelAt: () => firstCancelAt,
    lastSentAt: () => lastSentAt,
  };
}
