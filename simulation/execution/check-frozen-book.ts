// S12, of a book that stands still: where the answers have shown the same book for longer than its limit, and it lacks
// an order of the bot's that rests and that lists have shown all the while, nothing is created on it.
import { type Decimal, decimal } from '../../src/domain/decimal.ts';
import { type Level, type OrderBook, showsPrice } from '../../src/domain/order-book.ts';
import { type EpochMs, SECOND } from '../../src/domain/time.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';

/** Between what is judged by the bot and here a turn may lie, beside the time from one book to the next. */
const SLACK_MS = SECOND;

interface Shown {
  readonly text: string;
  /** When the first and the last request left that brought it, by the bot's clock. */
  readonly firstAt: EpochMs;
  readonly lastAt: EpochMs;
}

export function frozenBookChecks(): Checker {
  const shown = new Map<string, Shown>();
  /** When the last list that shows an order was asked for, by the bot's clock. */
  const listedAt = new Map<string, EpochMs>();

  function created(context: CheckContext, { intentId, symbol }: JournalIntent): void {
    const seen = shown.get(symbol);
    if (seen === undefined) return;
    const { ageLimits, polling } = context.settings;
    const { frozenBookMs } = ageLimits;
    if (seen.lastAt - seen.firstAt < frozenBookMs) return;
    context.counters.add('created on a book that stood still');
    for (const { orderId } of context.oracle.live()) {
      const intent = context.journal.byOrder.get(orderId);
      if (intent?.symbol !== symbol || intent.state !== 'open') continue;
      const lackedMs = lackedFor(context, intent, seen);
      if (lackedMs < frozenBookMs + polling.bookMs + SLACK_MS) continue;
      const stood = ((seen.lastAt - seen.firstAt) / SECOND).toFixed(0);
      context.violated(
        'S12',
        `Intent ${intentId} was sent on a book of ${symbol} that has stood still for ${stood} s, and has lacked our ` +
          `order ${orderId} for ${(lackedMs / SECOND).toFixed(0)} s.`,
      );
    }
  }

  /** For how long the book should have shown it: it and the lists trail by the lag bound at the most. */
  function lackedFor(context: CheckContext, intent: JournalIntent, { text, firstAt, lastAt }: Shown): number {
    const listed = listedAt.get(intent.orderId ?? '');
    const book = bookIn(text);
    if (listed === undefined || book === null) return 0;
    if (showsPrice(book, { side: intent.side, price: decimal(intent.price) }) !== false) return 0;
    const { readLagBoundMs } = context.settings.assumptions;
    const from = Math.max(firstAt, intent.since + context.clockError() + readLagBoundMs);
    return Math.min(lastAt, listed - readLagBoundMs) - from;
  }

  return {
    sent(context, { endpoint, intent }) {
      if (endpoint === 'create' && intent !== null) created(context, intent);
    },
    answered(context, { endpoint, status, text, sentAt, query }) {
      if (status !== 200) return;
      if (endpoint === 'open-orders') {
        for (const { orderId } of context.oracle.live())
          if (text.includes(`"${orderId}"`)) listedAt.set(orderId, Math.max(sentAt, listedAt.get(orderId) ?? 0));
      }
      // What is no book tells nothing, and takes nothing back.
      if (endpoint !== 'order-book' || !isBook(text)) return;
      const symbol = query.get('symbol') ?? '';
      const before = shown.get(symbol);
      // One that was given up on and asked for again may come after the newer one.
      if (before !== undefined && sentAt < before.lastAt) return;
      const firstAt = before?.text === text ? before.firstAt : sentAt;
      shown.set(symbol, { text, firstAt, lastAt: sentAt });
    },
    crashed: () => {
      shown.clear();
      listedAt.clear();
    },
  };
}

const isBook = (text: string): boolean => text.startsWith('{') && text.includes('"bids"') && text.endsWith('}');

/** Null where a row can't be read, or stands where it should not: what becomes of such a book is another matter. */
function bookIn(text: string): OrderBook | null {
  try {
    const { bids, asks } = JSON.parse(text) as Record<'bids' | 'asks', readonly (readonly [string, string])[]>;
    const book = { bids: bids.map(levelOf), asks: asks.map(levelOf) };
    return isSound(book.bids, -1) && isSound(book.asks, 1) ? book : null;
  } catch {
    return null;
  }
}

const levelOf = ([price, quantity]: readonly [string, string]): Level => ({
  price: decimal(price),
  quantity: decimal(quantity),
});

const isSound = (levels: readonly Level[], direction: 1 | -1): boolean =>
  levels.every(({ price, quantity }, index) => {
    const before: Decimal | undefined = levels[index - 1]?.price;
    return price.gt(0) && quantity.gt(0) && (before === undefined || price.cmp(before) === direction);
  });
