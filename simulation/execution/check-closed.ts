// S6 and S8: a whole list showed a closed order to be gone, and fills after that are reported.
import type { EpochMs } from '../../src/domain/time.ts';
import type { Answered, CheckContext, Checker } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { symbolsRead } from './last-reads.ts';

interface SeenList {
  readonly sentAt: EpochMs;
  readonly text: string;
}

interface SeenLists {
  /** The last readable one. */
  readonly last: SeenList;
  /** The last one shorter than a full page. */
  readonly whole: SeenList | null;
}

export function closedChecks(): Checker {
  /** Lists of open orders, by symbol, over all processes: a record may turn out durable without an acknowledgment. */
  const lists = new Map<string, SeenLists>();
  /** Orders that counted as closed when a fill of theirs was booked, not yet reported by a notice. */
  const lateFills = new Set<string>();
  return {
    answered(context, message) {
      rememberList(lists, context, message);
    },
    recorded(context, told) {
      if (isLateFill(context, told)) lateFills.add(String((told.payload.fill as Told['payload']).orderId));
      if (told.type === 'closed' && told.payload.as !== 'filled') evidence(context, told.payload.intentId, lists);
    },
    noticed(_scene, { op, orderId }) {
      if (op === 'late-fill') lateFills.delete(orderId ?? '');
    },
    sampled(context) {
      for (const orderId of lateFills)
        context.violated('S6', `Order ${orderId} was held for closed and filled, and nobody was told.`);
      lateFills.clear();
    },
    crashed: () => lateFills.clear(),
  };
}

/**
 * S6: it is booked all the same, and a person is told in the same turn; fills found on the disk at a start were
 * reported before.
 */
const isLateFill = (context: CheckContext, { type, payload }: Told): boolean =>
  context.isUp() && type === 'fill' && context.journal.intents.get(String(payload.intentId))?.state === 'closed';

function rememberList(lists: Map<string, SeenLists>, context: CheckContext, message: Answered): void {
  const { endpoint, sentAt, text } = message;
  if (endpoint !== 'open-orders' || text.includes('"ODD"')) return;
  const list = { sentAt, text };
  for (const symbol of symbolsRead(context, message)) {
    const whole = mayBeCut(text) ? (lists.get(symbol)?.whole ?? null) : list;
    lists.set(symbol, { last: list, whole });
  }
}

/** The length of a possible page of this endpoint (Q4): a longer one is not cut there. */
function mayBeCut(text: string): boolean {
  const ids = [...text.matchAll(/"orderId":"?([^",}]+)/g)].map(([, id]) => id);
  // A repeated row may have been added after the cut, or before it.
  return [ids.length, new Set(ids).size].some((rows) => rows === 20 || rows === 50);
}

/**
 * S8: absence was concluded only from a whole list of open orders that left after the intent was sent, and the last one
 * does not show the order.
 */
function evidence(context: CheckContext, intentId: unknown, lists: ReadonlyMap<string, SeenLists>): void {
  const intent = context.journal.intents.get(String(intentId));
  if (intent === undefined) return;
  const seen = lists.get(intent.symbol);
  if (!seen?.whole || seen.whole.sentAt < intent.at + context.clockError())
    context.violated(
      'S8',
      `Intent ${intent.intentId} was closed, and no whole list of open orders came since it was sent.`,
    );
  else if (intent.orderId !== null && seen.last.text.includes(`"${intent.orderId}"`))
    context.violated(
      'S8',
      `Intent ${intent.intentId} was closed, and the last list shows its order ${intent.orderId}.`,
    );
}
