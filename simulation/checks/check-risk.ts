// Pre-trade risk (order-truth §8, K1–K9), judged on the bytes sent against the exchange's own market. Totals over all
// orders are in `exposure/check-exposure.ts`.
import { Decimal } from '../../src/domain/decimal.ts';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import { mayTake } from './check-unwind.ts';
import { type Answered, type CheckContext, type Checker, isPrivate, type Outgoing } from './context.ts';
import { midPriceOf } from './mid-price.ts';

/** How far the market may have moved between the deciding book and now, in addition to the collar. */
const MOVED_BPS = 300;
const BOOKS_KEPT = 8;
const RATE_WINDOW_MS: DurationMs = MINUTE;
/**
 * The bot's clock may step or stall against true time, so this excess over the limit within a true minute is allowed.
 */
const MESSAGES_SLACK_RATIO = 1.1;

/** The bot does not accept a longer wait than this. */
const LONGEST_WAIT_S = 60;

interface Book {
  readonly sentAt: number;
  readonly text: string;
}

interface Risk {
  /** The last books of each symbol that reached the bot. */
  readonly books: Map<string, Book[]>;
  readonly privateSent: EpochMs[];
  /** Creates, and the first cancel of each order. */
  readonly messages: EpochMs[];
  readonly canceled: Set<string>;
  /** By lane: until when the exchange wants no requests. */
  readonly quietUntil: Map<boolean, EpochMs>;
  /** `restsAt`: when enough refusals had come back to cause a rest, by the bot's clock; null before. */
  readonly rejects: Map<string, { kind: string; inARow: number; at: EpochMs; restsAt: EpochMs | null }>;
}

export function riskChecks(): Checker {
  const risk: Risk = {
    books: new Map(),
    privateSent: [],
    messages: [],
    canceled: new Set(),
    quietUntil: new Map(),
    rejects: new Map(),
  };
  return {
    sent(context, message) {
      if (message.endpoint === 'create') created(risk, context, message);
      if (isPrivate(message)) rate(context, risk.privateSent);
      messageRate(risk, context, message);
      const until = risk.quietUntil.get(isPrivate(message)) ?? 0;
      // Last-resort cancels need not wait.
      if (context.now() < until && message.endpoint !== 'cancel') {
        context.violated(
          'K6',
          `A ${message.endpoint} left ${until - context.now()} ms before the exchange wanted to be asked again.`,
        );
      }
    },
    answered(context, message) {
      if (message.endpoint === 'create') refused(risk, context, message);
      const wait = message.status === 429 ? Number(message.headers['retry-after'] ?? Number.NaN) : Number.NaN;
      if (wait > 0 && wait <= LONGEST_WAIT_S) risk.quietUntil.set(isPrivate(message), context.now() + wait * SECOND);
      if (message.endpoint !== 'order-book' || message.status !== 200) return;
      const symbol = message.query.get('symbol') ?? '';
      const kept = risk.books.get(symbol) ?? [];
      kept.push({ sentAt: message.sentAt, text: message.text });
      if (kept.length > BOOKS_KEPT) kept.shift();
      risk.books.set(symbol, kept);
    },
    crashed: () => {
      risk.rejects.clear();
      risk.quietUntil.clear();
    },
  };
}

function created(risk: Risk, context: CheckContext, message: Outgoing): void {
  const run = context.settings.runs.find(({ instrument }) => instrument.symbol === message.body.symbol);
  if (!run) return;
  const price = new Decimal(message.body.price ?? 0);
  const quantity = new Decimal(message.body.quantity ?? 0);
  const order = { run, side: message.body.action === 'BUY' ? 'buy' : 'sell', price, quantity } as const;
  size(context, order);
  marketable(risk, context, order, message);
}

/** K5: not beyond the best price of the other side in the deciding book. */
function marketable(risk: Risk, context: CheckContext, { run, side, price }: Order, { intent }: Outgoing): void {
  if (intent === null || mayTake(context, run, intent)) return;
  const book = risk.books.get(run.instrument.symbol)?.find(({ sentAt }) => sentAt === intent.bookSentAt);
  if (!book) return;
  const { bid, ask } = touchIn(book.text);
  if (bid === null || ask === null)
    context.violated('S12', `Intent ${intent.intentId} was decided on a book with an empty side.`);
  const best = side === 'buy' ? ask : bid;
  if (best === null || (side === 'buy' ? price.lt(best) : price.gt(best))) return;
  context.violated(
    'K5',
    `Intent ${intent.intentId} ${side}s at ${price.toFixed()} with the other side at ${best.toFixed()}.`,
  );
}

function refused(risk: Risk, context: CheckContext, { status, text, body, sentAt, intent }: Answered): void {
  const symbol = body.symbol ?? '';
  const kind = refusalOf(status, text);
  // An unknown code may come with an order that was placed: that is no refusal.
  if (kind !== null && intent !== null && context.oracle.ordersOf(intent.intentId).length > 0) return;
  if (kind === null) {
    if (status === 429 || (status === 200 && text.includes('order_id'))) risk.rejects.delete(symbol);
    return;
  }
  if (/insufficient/i.test(kind) && !context.excused('funds') && !context.excused('second-order')) {
    context.violated(
      'K8',
      `The exchange refused ${body.action} ${body.quantity} @ ${body.price} of ${symbol}: ${kind}`,
    );
  }
  const before = risk.rejects.get(symbol);
  const inARow =
    before?.kind === kind && context.now() - before.at < context.settings.rejectPauseMs ? before.inARow + 1 : 1;
  const isDone = inARow >= context.settings.maxConsecutiveRejects;
  const restsAt = inARow === 1 ? null : (before?.restsAt ?? null);
  // A request in flight counts, however long its answer took.
  if (restsAt !== null && sentAt > restsAt)
    context.violated('K9', `${symbol} was refused ${inARow} times in a row: ${kind}`);
  const came = context.now() + context.clockError();
  risk.rejects.set(symbol, { kind, inARow, at: context.now(), restsAt: restsAt ?? (isDone ? came : null) });
}

interface Order {
  readonly run: RunSettings;
  readonly side: 'buy' | 'sell';
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** K1: quantity, notional, collar. */
function size(context: CheckContext, { run, side, price, quantity }: Order): void {
  const { limits, instrument } = run;
  const notional = price.mul(quantity);
  const what = `${side} ${quantity.toFixed()} @ ${price.toFixed()} of ${instrument.symbol}`;
  if (quantity.gt(limits.maxOrderQuantity))
    context.violated('K1', `${what} is more than ${limits.maxOrderQuantity.toFixed()}.`);
  if (notional.gt(limits.maxOrderNotional)) context.violated('K1', `${what} is worth ${notional.toFixed()}.`);
  if (notional.lt(instrument.minNotional)) context.violated('K1', `${what} is below the least notional.`);
  const mid = midPriceOf(context, instrument);
  if (mid === null) return;
  const away = price.sub(mid).abs().div(mid).mul(10_000);
  if (away.gt(limits.collarBps + MOVED_BPS)) {
    context.violated('K1', `${what} is ${away.toFixed(0)} bps from the market at ${mid.toFixed()}.`);
  }
}

/** K6: the private lane never exceeds its configured rate. */
function rate(context: CheckContext, sent: number[]): void {
  const now = context.now();
  sent.push(now);
  while (sent.length > 0 && (sent[0] ?? now) <= now - RATE_WINDOW_MS) sent.shift();
  const most = (context.settings.requestsPerSecond.private * RATE_WINDOW_MS) / SECOND;
  // A restart, a sleeping machine and emergency cancels start over: each may add one lane's burst.
  if (sent.length > most * 1.1 + 10) context.violated('K6', `${sent.length} private requests left within a minute.`);
}

/** K6: no create exceeds the messages allowed per minute. */
function messageRate({ messages, canceled }: Risk, context: CheckContext, { endpoint, body }: Outgoing): void {
  const orderId = String(body.order_id);
  if (endpoint !== 'create' && (endpoint !== 'cancel' || canceled.has(orderId))) return;
  if (endpoint === 'cancel') canceled.add(orderId);
  const now = context.now();
  messages.push(now);
  while ((messages[0] ?? now) <= now - MINUTE) messages.shift();
  const most = context.settings.messageRate.maxPerMinute * MESSAGES_SLACK_RATIO;
  if (endpoint === 'create' && messages.length > most)
    context.violated('K6', `A create left as message ${messages.length} within a minute.`);
}

function refusalOf(status: number | null, text: string): string | null {
  if (status === 200 && text.startsWith('{"msg"')) return text.slice(0, 80);
  return status === 400 ? text.slice(0, 80) : null;
}

type Sides = Readonly<Record<string, readonly (readonly [unknown, unknown])[]>>;

/** The best prices of a book as received; null where a side has no readable price. */
function touchIn(text: string): { readonly bid: Decimal | null; readonly ask: Decimal | null } {
  try {
    const book = JSON.parse(text) as Sides;
    return { bid: bestOf(book, 'bids'), ask: bestOf(book, 'asks') };
  } catch {
    return { bid: null, ask: null };
  }
}

function bestOf(book: Sides, side: 'bids' | 'asks'): Decimal | null {
  try {
    const [first] = book[side] ?? [];
    return first === undefined ? null : new Decimal(String(first[0]));
  } catch {
    return null;
  }
}
