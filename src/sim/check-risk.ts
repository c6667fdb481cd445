// Pre-trade risk (order-truth §8, K1–K9), judged on the bytes that left against the exchange's own market and what the journal says may come to it.
import { Decimal, ZERO } from '../domain/decimal.ts';
import { type DurationMs, MINUTE, SECOND } from '../domain/time.ts';
import { reader } from '../matching/engine.ts';
import type { RunSettings } from '../trader/settings.ts';
import { middleOf } from './middle.ts';
import { type Answered, type Checker, isPrivate, type Outgoing, type Scene } from './scene.ts';

/** How far the market may have moved between the book that decided and now, beside the collar. */
const MOVED_BPS = 300;
const BOOKS_KEPT = 8;
const RATE_WINDOW_MS: DurationMs = MINUTE;

/** A longer wait than this is not believed by anybody. */
const LONGEST_WAIT_S = 60;

interface Book {
  readonly sentAt: number;
  readonly text: string;
}

export function riskChecks(): Checker {
  /** The last books of each symbol as they reached the bot. */
  const books = new Map<string, Book[]>();
  const privateSent: number[] = [];
  /** By lane: until when the exchange wants no requests. */
  const quietUntil = new Map<boolean, number>();
  const rejects = new Map<string, { kind: string; inARow: number; at: number }>();

  function created(scene: Scene, message: Outgoing): void {
    const run = scene.settings.runs.find(({ instrument }) => instrument.symbol === message.body.symbol);
    if (!run) return;
    const price = new Decimal(message.body.price ?? 0);
    const quantity = new Decimal(message.body.quantity ?? 0);
    const order = { run, side: message.body.action === 'BUY' ? 'buy' : 'sell', price, quantity } as const;
    size(scene, order);
    position(scene, { ...order, intentId: message.claim?.intentId ?? null });
    crossing(scene, order);
    marketable(scene, order, message);
  }

  /** K5: not beyond the best price of the other side in the book that decided. */
  function marketable(scene: Scene, { run, side, price }: Order, { claim }: Outgoing): void {
    if (claim === null) return;
    const book = books.get(run.instrument.symbol)?.find(({ sentAt }) => sentAt === claim.bookSentAt);
    if (!book) return;
    const { bid, ask } = touchIn(book.text);
    if (bid === null || ask === null)
      scene.violated('S12', `Intent ${claim.intentId} was decided on a book with an empty side.`);
    const best = side === 'buy' ? ask : bid;
    if (best === null || (side === 'buy' ? price.lt(best) : price.gt(best))) return;
    scene.violated(
      'K5',
      `Intent ${claim.intentId} ${side}s at ${price.toFixed()} with the other side at ${best.toFixed()}.`,
    );
  }

  function refused(scene: Scene, { status, text, body }: Answered): void {
    const symbol = body.symbol ?? '';
    const kind = refusalOf(status, text);
    if (kind === null) {
      if (status === 429 || (status === 200 && text.includes('order_id'))) rejects.delete(symbol);
      return;
    }
    if (/insufficient/i.test(kind) && !scene.excused('funds') && !scene.excused('second-order')) {
      scene.violated(
        'K8',
        `The exchange refused ${body.action} ${body.quantity} @ ${body.price} of ${symbol}: ${kind}`,
      );
    }
    const before = rejects.get(symbol);
    const inARow =
      before?.kind === kind && scene.now() - before.at < scene.settings.rejectPauseMs ? before.inARow + 1 : 1;
    rejects.set(symbol, { kind, inARow, at: scene.now() });
    if (inARow > scene.settings.maxConsecutiveRejects + onTheirWay(scene)) {
      scene.violated('K9', `${symbol} was refused ${inARow} times in a row: ${kind}`);
    }
  }

  return {
    sent(scene, message) {
      if (message.endpoint === 'create') created(scene, message);
      if (message.endpoint !== 'order-book') rate(scene, privateSent);
      const until = quietUntil.get(isPrivate(message)) ?? 0;
      // What takes orders away when all else has failed may be impatient.
      if (scene.now() < until && message.endpoint !== 'cancel') {
        scene.violated(
          'K6',
          `A ${message.endpoint} left ${until - scene.now()} ms before the exchange wanted to be asked again.`,
        );
      }
    },
    answered(scene, message) {
      if (message.endpoint === 'create') refused(scene, message);
      const wait = message.status === 429 ? Number(message.headers['retry-after'] ?? Number.NaN) : Number.NaN;
      if (wait > 0 && wait <= LONGEST_WAIT_S) quietUntil.set(isPrivate(message), scene.now() + wait * SECOND);
      if (message.endpoint !== 'order-book' || message.status !== 200) return;
      const symbol = message.query.get('symbol') ?? '';
      const kept = books.get(symbol) ?? [];
      kept.push({ sentAt: message.sentAt, text: message.text });
      if (kept.length > BOOKS_KEPT) kept.shift();
      books.set(symbol, kept);
    },
    crashed: () => {
      rejects.clear();
      quietUntil.clear();
    },
  };
}

/** Creates that may have left before the last refusal came back. */
const onTheirWay = ({ settings }: Scene): number => (settings.requestsPerSecond.private < 1 ? 0 : 3);

interface Order {
  readonly run: RunSettings;
  readonly side: 'buy' | 'sell';
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** K1: quantity, notional, collar. */
function size(scene: Scene, { run, side, price, quantity }: Order): void {
  const { limits, instrument } = run;
  const notional = price.mul(quantity);
  const what = `${side} ${quantity.toFixed()} @ ${price.toFixed()} of ${instrument.symbol}`;
  if (quantity.gt(limits.maxOrderQuantity))
    scene.violated('K1', `${what} is more than ${limits.maxOrderQuantity.toFixed()}.`);
  if (notional.gt(limits.maxOrderNotional)) scene.violated('K1', `${what} is worth ${notional.toFixed()}.`);
  if (notional.lt(instrument.minNotional)) scene.violated('K1', `${what} is below the least notional.`);
  const mid = middleOf(scene, instrument);
  if (mid === null) return;
  const away = price.sub(mid).abs().div(mid).mul(10_000);
  if (away.gt(limits.collarBps + MOVED_BPS)) {
    scene.violated('K1', `${what} is ${away.toFixed(0)} bps from the market at ${mid.toFixed()}.`);
  }
}

interface NewOrder extends Order {
  readonly intentId: string | null;
}

/** An order of the bot's that is open, or may yet come to be. */
interface Open {
  readonly run: RunSettings;
  readonly side: 'buy' | 'sell';
  readonly price: Decimal;
  readonly remaining: Decimal;
}

/** What of each intent that is not closed rests at the exchange, or all of it where its create made no order so far. */
function openOf(scene: Scene, but: string | null): Open[] {
  const market = reader(scene.exchange().engine);
  return [...scene.claims.live.values()].flatMap(({ intentId, orderId, symbol, side, price, quantity }): Open[] => {
    const run = scene.settings.runs.find(({ instrument }) => instrument.symbol === symbol);
    if (intentId === but || !run) return [];
    const made = orderId ?? scene.oracle.ordersOf(intentId)[0]?.orderId;
    const row = made === undefined ? undefined : market.order(made);
    if (made !== undefined && row === undefined) return [];
    const remaining = row === undefined ? new Decimal(quantity) : run.instrument.lotSize.mul(row.remaining);
    return [{ run, side, price: new Decimal(price), remaining }];
  });
}

/** K2, K3 and K8: with everything of the bot's that rests or is on its way, and this one. */
function position(scene: Scene, { run, side, price, quantity, intentId }: NewOrder): void {
  const { limits, instrument } = run;
  const { symbol } = instrument;
  const everywhere = [...openOf(scene, intentId), { run, side, price, remaining: quantity }];
  const here = everywhere.filter((order) => order.run === run);
  for (const [what, orders, most, mostNotional] of [
    [symbol, here, limits.maxOpenOrders, limits.maxOpenNotional],
    ['all symbols', everywhere, limits.maxOpenOrdersOverAll, limits.maxOpenNotionalOverAll ?? limits.maxOpenNotional],
  ] as const) {
    const notional = notionalOf(orders);
    if (notional.gt(mostNotional)) scene.violated('K3', `${what} would have ${notional.toFixed()} open.`);
    if (orders.length > most) scene.violated('K3', `${what} would have ${orders.length} orders.`);
  }
  // What the owner does, and what a second order of one create fills, is known later.
  if (scene.excused('funds') || scene.excused('second-order')) return;
  inventory(scene, run, here);
  const left = heldOf(scene, instrument.quote).sub(notionalOf(everywhere.filter((order) => order.side === 'buy')));
  if (side === 'buy' && left.lt(limits.reserveQuote))
    scene.violated('K8', `${left.toFixed()} ${instrument.quote} would be left if every bid filled.`);
}

/** K2, and K8 of the base. */
function inventory(scene: Scene, { instrument, limits }: RunSettings, orders: readonly Open[]): void {
  const side = orders.at(-1)?.side;
  const filling = sumOf(orders.filter((order) => order.side === side).map(({ remaining }) => remaining));
  const held = heldOf(scene, instrument.base);
  const worst = side === 'buy' ? held.add(filling) : held.sub(filling);
  const would = `${worst.toFixed()} ${instrument.base} would be held if every ${side} filled.`;
  if (side === 'buy' ? worst.gt(limits.maxInventoryBase) : worst.lt(limits.minInventoryBase))
    scene.violated('K2', would);
  if (side === 'sell' && worst.lt(limits.reserveBase)) scene.violated('K8', would);
}

const sumOf = (amounts: readonly Decimal[]): Decimal => amounts.reduce((sum, each) => sum.add(each), ZERO);
const notionalOf = (orders: readonly Open[]): Decimal =>
  sumOf(orders.map(({ price, remaining }) => price.mul(remaining)));

function heldOf(scene: Scene, asset: string): Decimal {
  const { free, locked } = reader(scene.exchange().engine).balance(scene.account, asset);
  return new Decimal((free + locked).toString()).div(
    new Decimal(10).pow(scene.exchange().settings.engine.assetDecimals),
  );
}

/** K4: never against an own order that is live. */
function crossing(scene: Scene, { run, side, price }: Order): void {
  const { symbol, tickSize } = run.instrument;
  for (const order of reader(scene.exchange().engine).ordersOf(scene.account, symbol)) {
    if (order.side === side || scene.oracle.orders.get(order.orderId)?.maker.kind !== 'bot') continue;
    const theirs = tickSize.mul(order.price);
    if (side === 'buy' ? price.lt(theirs) : price.gt(theirs)) continue;
    scene.violated(
      'K4',
      `A ${side} of ${symbol} at ${price.toFixed()} would meet own order ${order.orderId} at ${theirs.toFixed()}.`,
    );
  }
}

/** K6: the private lane never goes faster than it was told. */
function rate(scene: Scene, sent: number[]): void {
  const now = scene.now();
  sent.push(now);
  while (sent.length > 0 && (sent[0] ?? now) <= now - RATE_WINDOW_MS) sent.shift();
  const most = (scene.settings.requestsPerSecond.private * RATE_WINDOW_MS) / SECOND;
  // A restart, a sleeping machine and the cancels of an emergency begin anew: each may add one lane's burst.
  if (sent.length > most * 1.1 + 10) scene.violated('K6', `${sent.length} private requests left within a minute.`);
}

function refusalOf(status: number | null, text: string): string | null {
  if (status === 200 && text.startsWith('{"msg"')) return text.slice(0, 80);
  return status === 400 ? text.slice(0, 80) : null;
}

type Sides = Readonly<Record<string, readonly (readonly [unknown, unknown])[]>>;

/** The best prices of a book as it came; null where a side has none that can be read. */
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
