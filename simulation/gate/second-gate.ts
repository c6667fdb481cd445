// The risk gate once more, written from docs/risk.md: which check an order fails first. No code of the gate is used.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Level } from '../../src/domain/order-book.ts';
import type { LiveOrder } from '../../src/quoting/live-order.ts';
import type { DenyCode, Proposal, RiskContext } from '../../src/quoting/risk/risk-context.ts';

const LISTED = 50;
const BPS = 10_000;

type Test = (proposal: Proposal, context: RiskContext) => boolean;
/** Each says whether the order fails; in the order in which they are told. */
type Rule = readonly [code: DenyCode, fails: Test];

const isAbove = (value: unknown): boolean => Decimal.isDecimal(value) && value.isFinite() && value.gt(0);
const isNotBelow = (value: unknown): boolean => Decimal.isDecimal(value) && value.isFinite() && value.gte(0);
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

const lockedOf = ({ side, price, remaining }: LiveOrder): Decimal =>
  side === 'buy' ? price.mul(remaining) : remaining;
const isFree = ({ status }: LiveOrder): boolean => status === 'leaving' || status === 'doubtful';
const sum = (of: readonly Decimal[]): Decimal => of.reduce<Decimal>((all, each) => all.add(each), new Decimal(0));
const isFar = (price: Decimal, from: Decimal, bps: number): boolean => price.sub(from).abs().div(from).mul(BPS).gt(bps);

function lacksLimit(_proposal: Proposal, { limits }: RiskContext): boolean {
  const { maxOrderQuantity, maxOrderNotional, maxInventoryBase, maxOpenNotional } = limits;
  const mustBeSet = [maxOrderQuantity, maxOrderNotional, maxInventoryBase, maxOpenNotional];
  const { maxOrderNotionalOverAll, maxOpenNotionalOverAll, maxSessionLoss, maxDayLoss, maxDrawdown } = limits;
  const maybe = [maxOrderNotionalOverAll, maxOpenNotionalOverAll, maxSessionLoss, maxDayLoss, maxDrawdown];
  const mayBeZero = [limits.minInventoryBase, limits.reserveQuote, limits.reserveBase];
  const { collarBps, collarWindowBps, referenceJumpBps, bookMaxAgeMs, maxOpenOrders, maxOpenOrdersOverAll } = limits;
  const bounds = [collarBps, collarWindowBps, referenceJumpBps, bookMaxAgeMs, maxOpenOrders, maxOpenOrdersOverAll];
  const numbers = [...bounds, limits.repeatedFills];
  const places = [limits.maxLeavingPerSlot, limits.maxLeaving];
  return (
    !mustBeSet.every(isAbove) ||
    !maybe.every((value) => value === undefined || isAbove(value)) ||
    !mayBeZero.every(isNotBelow) ||
    !numbers.every(isNumber) ||
    !places.every((value) => value === 0 || isNumber(value))
  );
}

const bestOf = ({ book }: RiskContext): readonly [Level, Level] | null => {
  const [bid, ask] = [book?.bids[0], book?.asks[0]];
  return bid === undefined || ask === undefined || bid.price.gte(ask.price) ? null : [bid, ask];
};

function lacksReference(_proposal: Proposal, context: RiskContext): boolean {
  const { bookSentAt, now, limits, referencePrice, lastGoodReference } = context;
  if (context.book === null || bookSentAt === null) return true;
  const ageMs = now - bookSentAt;
  const best = bestOf(context);
  if (!(ageMs >= 0) || ageMs > limits.bookMaxAgeMs || best === null) return true;
  if (!best.every(({ price, quantity }) => isAbove(price) && isAbove(quantity))) return true;
  if (referencePrice === null || lastGoodReference === null) return true;
  if (!isAbove(referencePrice) || !isAbove(lastGoodReference)) return true;
  if (isFar(referencePrice, lastGoodReference, limits.referenceJumpBps)) return true;
  const [bid, ask] = best;
  const isBelow = referencePrice.lt(bid.price) && isFar(referencePrice, bid.price, limits.collarBps);
  return isBelow || (referencePrice.gt(ask.price) && isFar(referencePrice, ask.price, limits.collarBps));
}

function isOutOfCollar({ request: { price } }: Proposal, context: RiskContext): boolean {
  const { referencePrice, recentReference, limits } = context;
  if (referencePrice === null || recentReference === null || !isAbove(recentReference)) return true;
  return isFar(price, referencePrice, limits.collarBps) || isFar(price, recentReference, limits.collarWindowBps);
}

function wouldTake({ request: { side, price } }: Proposal, context: RiskContext): boolean {
  const best = bestOf(context);
  if (best === null) return true;
  return side === 'buy' ? price.gte(best[1].price) : price.lte(best[0].price);
}

function lacksSlot({ slot, replaces }: Proposal, { orders, limits }: RiskContext): boolean {
  if (orders.some((order) => order.slot === slot && !isFree(order) && order.intentId !== replaces)) return true;
  const free = orders.filter(isFree);
  const here = free.filter((order) => order.slot === slot).length;
  return here > limits.maxLeavingPerSlot || (here > 0 && free.length > limits.maxLeaving);
}

const isTwin = ({ request }: Proposal, { orders }: RiskContext): boolean =>
  orders.some(
    ({ side, price, quantity, status }) =>
      side === request.side && quantity.eq(request.quantity) && (status === 'doubtful' || price.eq(request.price)),
  );

const wouldMeetOwn = ({ request }: Proposal, { orders }: RiskContext): boolean =>
  orders.some(({ side, price }) =>
    request.side === 'buy' ? side === 'sell' && request.price.gte(price) : side === 'buy' && request.price.lte(price),
  );

function isBeyondInventory({ request: { side, price, quantity } }: Proposal, context: RiskContext): boolean {
  const { orders, base, baseInOtherMarkets, limits, inventoryRange } = context;
  const most = Decimal.min(limits.maxInventoryBase, inventoryRange.most ?? limits.maxInventoryBase);
  const least = Decimal.max(limits.minInventoryBase, inventoryRange.least);
  const others = side === 'buy' ? baseInOtherMarkets.more : baseInOtherMarkets.less;
  if (!isNotBelow(base.total) || !isNotBelow(others)) return true;
  const own = orders.filter((order) => order.side === side).map(({ exposed, remaining }) => exposed ?? remaining);
  const moved = sum([quantity, others, ...own]);
  const isBeyond = side === 'buy' ? base.total.add(moved).gt(most) : base.total.sub(moved).lt(least);
  return isBeyond || isBeyondAsBase(context, { side, price, quantity });
}

/** What is paid with has bounds, too, where another symbol has it as its base: a bid takes of it, an ask brings it. */
function isBeyondAsBase(
  { quote: { total }, quoteAsBase, costs }: RiskContext,
  { side, price, quantity }: Omit<Proposal['request'], 'symbol'>,
): boolean {
  if (quoteAsBase === null) return false;
  const { most, least, moves } = quoteAsBase;
  const others = side === 'buy' ? moves.less : moves.more;
  if (!isNotBelow(total) || !isNotBelow(others)) return true;
  const notional = price.mul(quantity);
  if (side === 'sell') return total.add(others).add(notional).gt(most);
  const fee = Decimal.max(costs.makerFeeRatio, costs.takerFeeRatio);
  const paid = notional.add(notional.mul(fee));
  return !total.gte(sum([least, others, paid]));
}

function isTooMuchOpen({ request: { price, quantity } }: Proposal, context: RiskContext): boolean {
  const { orders, totals, foreignOpenOrders, limits } = context;
  if (!(totals.openOrders >= orders.length) || !isNotBelow(totals.openNotional) || !(foreignOpenOrders >= 0))
    return true;
  const here = sum(orders.map((order) => order.price.mul(order.remaining)));
  const more = price.mul(quantity);
  return (
    orders.length >= limits.maxOpenOrders ||
    orders.length + foreignOpenOrders >= LISTED - 1 ||
    totals.openOrders >= limits.maxOpenOrdersOverAll ||
    here.add(more).gt(limits.maxOpenNotional) ||
    Decimal.max(here, totals.openNotional)
      .add(more)
      .gt(limits.maxOpenNotionalOverAll ?? Number.POSITIVE_INFINITY)
  );
}

const needOf = (
  { side, price, quantity }: Pick<LiveOrder, 'side' | 'price' | 'quantity'>,
  { costs }: RiskContext,
): Decimal => {
  const fee = Decimal.max(costs.makerFeeRatio, costs.takerFeeRatio);
  return side === 'buy' ? price.mul(quantity).mul(fee.add(1)) : quantity;
};

function isBeyondBudget({ request }: Proposal, context: RiskContext): boolean {
  const { maxQuote, maxBase } = context.budget;
  const most = request.side === 'buy' ? maxQuote : maxBase;
  if (most === undefined) return false;
  const beside = context.orders.filter(({ side }) => side === request.side);
  const needs = [request, ...beside.map((order) => ({ ...order, quantity: order.remaining }))];
  return sum(needs.map((each) => needOf(each, context))).gt(most);
}

function lacksFunds({ request }: Proposal, context: RiskContext): boolean {
  const { costs, limits, orders, budget } = context;
  const { side } = request;
  const { total, free } = side === 'buy' ? context.quote : context.base;
  if (![free, total, costs.makerFeeRatio, costs.takerFeeRatio].every(isNotBelow)) return true;
  const locked = sum(orders.filter((order) => order.side === side).map(lockedOf));
  const reserves =
    side === 'buy' ? [limits.reserveQuote, budget.reserveQuote] : [limits.reserveBase, budget.reserveBase];
  return needOf(request, context)
    .add(Decimal.max(...reserves))
    .gt(Decimal.min(free, total.sub(locked)));
}

const isOff = (value: Decimal, step: Decimal): boolean => !value.mod(step).isZero();

function isOffSteps({ request: { price, quantity } }: Proposal, { instrument }: RiskContext): boolean {
  const { tickSize, lotSize, minNotional } = instrument;
  if (!isAbove(price) || !isAbove(quantity)) return true;
  return isOff(price, tickSize) || isOff(quantity, lotSize) || price.mul(quantity).lt(minNotional);
}

const RULES: readonly Rule[] = [
  ['kill-latch', (_proposal, { killLatched }) => killLatched],
  ['state', ({ request }, { mode }) => mode === 'HALTED' || (mode === 'REDUCING' && request.side === 'buy')],
  [
    'symbol',
    ({ request }, { configuredSymbols, instrument }) =>
      !configuredSymbols.includes(request.symbol) || request.symbol !== instrument.symbol,
  ],
  ['limits', lacksLimit],
  ['steps', isOffSteps],
  ['order-quantity', ({ request }, { limits }) => request.quantity.gt(limits.maxOrderQuantity)],
  [
    'order-notional',
    ({ request }, { limits }) =>
      [limits.maxOrderNotional, limits.maxOrderNotionalOverAll].some(
        (limit) => limit !== undefined && request.price.mul(request.quantity).gt(limit),
      ),
  ],
  ['reference', lacksReference],
  ['collar', isOutOfCollar],
  ['marketable', wouldTake],
  ['slot', lacksSlot],
  ['duplicate', isTwin],
  ['self-cross', wouldMeetOwn],
  ['inventory', isBeyondInventory],
  ['open-orders', isTooMuchOpen],
  ['budget', isBeyondBudget],
  ['funds', lacksFunds],
  [
    'message-rate',
    (_proposal, { messages, messageLimits }) =>
      messages.inSecond >= messageLimits.maxPerSecond ||
      messages.inMinute >= messageLimits.maxPerMinute ||
      messages.today >= messageLimits.maxPerDay,
  ],
];

/** The code of the first check that the order fails; null where it fails none. */
export function firstDenial(proposal: Proposal, context: RiskContext): DenyCode | null {
  const [latch, ...others] = RULES;
  if (latch?.[1](proposal, context)) return latch[0];
  if (context.halt !== null) return context.halt.code;
  return others.find(([, fails]) => fails(proposal, context))?.[0] ?? null;
}
