// B1: what the bot holds for true of its orders, their money, its refusals and its exposure is what the records and the
// wire make of them. The only check that reads the running trader's own fold: the use of both sides is its point, and a
// check that asked the bot's fold about itself would notice nothing.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { type EpochMs, SECOND } from '../../src/domain/time.ts';
import { riskContext } from '../../src/trader/decision/view.ts';
import type { Intent } from '../../src/trader/durable/intent.ts';
import type { TraderState } from '../../src/trader/state/state.ts';
import { marketOf } from '../../src/trader/state/state.ts';
import { type Answered, type CheckContext, type Checker, isPrivate, type Outgoing } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';
import { bodyOf } from '../records/outcomes-of.ts';
import { createOrderFold, type FoldedOrder, type OrderFold, remainingOf } from './order-fold.ts';
import { createRefusalFold, type RefusalFold } from './refusals.ts';
import { openOf, reservedBy, reservedByAll } from './reserved.ts';

interface Folds {
  readonly orders: OrderFold;
  readonly refusals: RefusalFold;
}

export function foldChecks(): Checker {
  let folds: Folds | null = null;
  let changed = new Set<FoldedOrder>();
  let isDue = false;
  let last: TraderState | null = null;
  /** When the last request left whose answer told the exchange's time: by the bot's clock. */
  let toldTimeAt = 0;
  /** Answers with a `Date` since the machine woke at that moment. */
  let dates = { since: null as EpochMs | null, count: 0 };

  const foldsOf = ({ settings }: CheckContext): Folds => {
    folds ??= { orders: createOrderFold(settings), refusals: createRefusalFold(settings) };
    return folds;
  };

  function compare(context: CheckContext, trader: TraderState): void {
    const { orders, refusals } = foldsOf(context);
    // Every live order, not only what has changed: a sum that is off is told of the order that it is off by.
    for (const order of new Set([...changed, ...orders.live.values()])) compareOrder(context, trader, order);
    changed = new Set();
    isDue = false;
    context.counters.add('compared with the fold');
    compareSums(context, trader, orders);
    compareRefusals(context, trader, refusals);
    compareExposure(context, trader, orders);
  }

  return {
    sent: (context, message) => {
      if (message.endpoint === 'create') compareStamp(context, message, foldsOf(context).orders);
    },
    answered: (context, message) => {
      if (tellsTime(message)) toldTimeAt = Math.max(toldTimeAt, message.sentAt);
      if (dates.since !== context.wokeAt()) dates = { since: context.wokeAt(), count: 0 };
      if (message.headers.date !== undefined) dates.count += 1;
      if (message.endpoint === 'create') foldsOf(context).refusals.answered(message);
    },
    recorded(context, told) {
      const { orders, refusals } = foldsOf(context);
      for (const order of orders.take(told)) changed.add(order);
      refusals.recorded(told, orders.orders.get(String(told.payload.intentId))?.symbol ?? '');
      isDue = true;
      // One that a start found on the disk was written by a process before, at another time.
      const isAwake = toldTimeAt > (context.wokeAt() ?? -1);
      if (told.type === 'intent' && context.isUp() && isAwake) compareClock(context, told, dates.count);
    },
    event(context) {
      const trader = context.trader();
      if (trader !== null && trader !== last) isDue = true;
      last = trader;
      if (trader !== null && isDue && context.canWrite()) compare(context, trader);
    },
    // What changes without a record would show nowhere.
    sampled() {
      isDue = true;
    },
  };
}

function differs(context: CheckContext, what: string, { bot, wanted }: { bot: unknown; wanted: unknown }): void {
  context.violated(
    'B1',
    `The bot holds ${String(bot)} for ${what}; the records and the wire make it ${String(wanted)}.`,
  );
}

function compareOrder(context: CheckContext, trader: TraderState, order: FoldedOrder): void {
  const { intents, closed, reservations } = byIntent(trader);
  const isClosed = order.state === 'closed';
  const has = (isClosed ? closed : intents).get(order.intentId);
  const what = (name: string): string => `the ${name} of intent ${order.intentId}`;
  if (isClosed && intents.has(order.intentId))
    return differs(context, what('state'), { bot: intents.get(order.intentId)?.state, wanted: 'closed' });
  // The oldest closed ones are forgotten.
  if (has === undefined && isClosed) return;
  if (has === undefined) return differs(context, what('state'), { bot: 'nothing', wanted: order.state });
  const words = [
    ['state', has.state, order.state],
    ['order', has.orderId, order.orderId],
    ['cancel', has.cancel, order.cancel],
    ['end', has.closedAs, order.closedAs],
    ['filled part', has.filled.toFixed(), order.filled.toFixed()],
    ['price', has.price.toFixed(), order.price.toFixed()],
    ['quantity', has.quantity.toFixed(), order.quantity.toFixed()],
  ] as const;
  for (const [name, bot, wanted] of words) if (bot !== wanted) differs(context, what(name), { bot, wanted });
  if (!isClosed) compareMoments(context, has, order);
  if (!isClosed) compareLatest(context, trader, order);
  const reserved = reservations.get(order.intentId);
  const wanted = reservedBy(context.settings, order);
  if (wanted === null) return;
  const bot = { asset: reserved?.asset ?? wanted.asset, amount: decimalOf(reserved?.amount) };
  if (bot.asset !== wanted.asset || !bot.amount.eq(wanted.amount))
    differs(context, what('reservation'), { bot: wordsOf(bot), wanted: wordsOf(wanted) });
}

/** Ids of the journal are text. */
function byIntent({ durable }: TraderState): {
  readonly intents: ReadonlyMap<string, Intent>;
  readonly closed: ReadonlyMap<string, Intent>;
  readonly reservations: ReadonlyMap<string, { readonly asset: string; readonly amount: bigint }>;
} {
  return {
    intents: durable.orders.intents,
    closed: durable.orders.closed,
    reservations: durable.books.ledger.reservations,
  };
}

const wordsOf = ({ asset, amount }: { asset: string; amount: Decimal }): string => `${amount.toFixed()} ${asset}`;

/**
 * T is a whole millisecond, and so is the horizon: rounded so that it is not too short by more than the rounding of T.
 */
const ROUNDED_MS = 1;

function compareMoments(context: CheckContext, bot: Intent, order: FoldedOrder): void {
  const { intentId, sentAt, since, sinceAtMost, horizon } = order;
  const what = (name: string): string => `the ${name} of intent ${intentId}`;
  if (bot.since < since || bot.since > sinceAtMost)
    differs(context, what('last change'), { bot: bot.since, wanted: since });
  if (horizon === null) return;
  if (bot.sentAt !== sentAt) differs(context, what('send'), { bot: bot.sentAt, wanted: sentAt });
  if (bot.horizon < horizon - ROUNDED_MS || bot.horizon > horizon + 2 * ROUNDED_MS)
    differs(context, what('horizon'), { bot: bot.horizon, wanted: horizon });
}

/** A stop, and what is proved of a whole symbol, waits for the latest horizon of what left in this session. */
function compareLatest(context: CheckContext, trader: TraderState, { symbol, sentIn, horizon }: FoldedOrder): void {
  if (horizon === null || sentIn !== context.journal.epoch) return;
  const bot = marketOf(trader, symbol).lastHorizon;
  if (bot < horizon - ROUNDED_MS) differs(context, `the latest horizon of ${symbol}`, { bot, wanted: horizon });
}

/** So many `Date` headers vote on what time it is: once as many have come, those of before a sleep are outvoted. */
const DATES_THAT_VOTE = 64;

/**
 * ε bounds how far T may be from the exchange's time; what the bot knows of that are moments rounded to a
 * millisecond. A sleep of the whole machine shows in no clock of it: the first answer afterward to a stamp tells. One
 * that is shorter than the window keeps no request from being taken, and shows by `Date` headers alone.
 */
function compareClock(context: CheckContext, { payload }: Told, datesSinceSleep: number): void {
  const away = Math.abs(Number(payload.timestamp) - context.now());
  const datedMs = context.excused('dates') ? SECOND : 0;
  const isUnseen = context.wokeAt() !== null && datesSinceSleep < DATES_THAT_VOTE;
  const sleptMs = isUnseen ? context.settings.assumptions.recvWindowMs : 0;
  if (away <= Number(payload.uncertaintyMs) + ROUNDED_MS + datedMs + sleptMs) return;
  const what = `the uncertainty of its clock at intent ${String(payload.intentId)}`;
  differs(context, what, { bot: `${String(payload.uncertaintyMs)} ms`, wanted: `${away} ms` });
}

/**
 * Whether an answer tells a bot that has slept what time it is: one `Date` alone it may not believe, where signed
 * requests were taken before; what was refused for the rate or in a maintenance was held to no stamp.
 */
const tellsTime = (message: Answered): boolean =>
  isPrivate(message) &&
  message.headers.date !== undefined &&
  (message.status === 200 || bodyOf(message.text)?.code === -1021);

/** What leaves carries the stamp and the window that its horizon was worked out from. */
function compareStamp(context: CheckContext, { intent, query }: Outgoing, { orders }: OrderFold): void {
  const order = orders.get(intent?.intentId ?? '');
  if (order === undefined) return;
  const { recvWindowMs } = context.settings.assumptions;
  const told = [
    ['stamp', query.get('timestamp'), order.timestamp],
    ['window', query.get('recvWindow'), recvWindowMs],
  ] as const;
  for (const [name, bot, wanted] of told)
    if (Number(bot) !== wanted) differs(context, `the ${name} of the create of ${order.intentId}`, { bot, wanted });
}

/** The ledger counts whole units of 10^-18. */
const UNITS = new Decimal(10).pow(18);
const decimalOf = (units: bigint | undefined): Decimal => new Decimal((units ?? 0n).toString()).div(UNITS);

function compareSums(context: CheckContext, trader: TraderState, { live }: OrderFold): void {
  const { books, orders } = trader.durable;
  const { ledger } = books;
  const { intents } = orders;
  if (intents.size !== live.size)
    differs(context, 'the number of orders that may be live', { bot: intents.size, wanted: live.size });
  const sums = reservedByAll(context.settings, live.values());
  for (const asset of new Set([...sums.keys(), ...ledger.balances.keys()])) {
    const bot = decimalOf(ledger.balances.get(asset)?.get('reserved'));
    const wanted = sums.get(asset) ?? ZERO;
    if (!bot.eq(wanted))
      differs(context, `all that is reserved of ${asset}`, { bot: bot.toFixed(), wanted: wanted.toFixed() });
  }
}

function compareRefusals(context: CheckContext, trader: TraderState, refusals: RefusalFold): void {
  for (const [symbol, { rejects }] of trader.markets) {
    const wanted = refusals.of(symbol);
    if (rejects.inARow !== wanted.inARow)
      differs(context, `the refusals in a row of ${symbol}`, { bot: rejects.inARow, wanted: wanted.inARow });
    if (rejects.restUntil !== wanted.restUntil)
      differs(context, `the end of the rest of ${symbol}`, { bot: rejects.restUntil, wanted: wanted.restUntil });
  }
}

/** What the risk gate would be told now. It may keep what it works out, so it is given markets of its own. */
function compareExposure(context: CheckContext, trader: TraderState, { live }: OrderFold): void {
  const markets = new Map([...trader.markets].map(([symbol, each]) => [symbol, { ...each }]));
  const own: TraderState = { ...trader, markets };
  const all = [...live.values()];
  for (const { instrument } of context.settings.runs) {
    const { symbol, quote } = instrument;
    const { totals, orders } = riskContext(own, symbol, context.now() + context.clockError());
    const wanted = openOf(context.settings, all, quote);
    const here = all.filter((order) => order.symbol === symbol);
    const notional = orders.reduce((sum, { price, remaining }) => sum.add(price.mul(remaining)), ZERO);
    const told = [
      ['the number of open orders over all', totals.openOrders, wanted.orders],
      ['the open notional over all', totals.openNotional.toFixed(), wanted.notional.toFixed()],
      [`the open orders of ${symbol}`, orders.length, here.length],
      [`the open notional of ${symbol}`, notional.toFixed(), openOf(context.settings, here, quote).notional.toFixed()],
    ] as const;
    for (const [what, bot, right] of told) if (bot !== right) differs(context, what, { bot, wanted: right });
    for (const { intentId, exposed } of orders) {
      const order = live.get(intentId);
      if (order === undefined || exposed === undefined) continue;
      const right = remainingOf(order);
      if (!exposed.eq(right))
        differs(context, `what is exposed of ${intentId}`, { bot: exposed.toFixed(), wanted: right.toFixed() });
    }
  }
}
