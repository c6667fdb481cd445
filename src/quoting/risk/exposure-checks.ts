// Risk checks of the order together with all our orders that are, or may be, on the book.
import { Decimal, maxOf, minOf, ZERO } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import { isAmount } from '../amount.ts';
import { fundsLocked, fundsNeeded, isDoubtful, type LiveOrder, leavesSlotFree } from '../live-order.ts';
import type { Holding } from '../strategy.ts';
import { type Check, deny, type QuoteAsBase, type RiskContext } from './risk-context.ts';

/** Rows of the open-orders list that may be a full page: a list with fewer is known to be whole (order-truth K3). */
const LISTED_ORDERS_LIMIT = 50;

/**
 * At most one order that may be live per slot, in addition to the one it replaces, and a limited number of orders with
 * a pending cancel or not found, per slot and in all.
 */
export const checkSlot: Check = ({ slot, replaces = null }, { orders, limits }) => {
  const holder = orders.find((order) => order.slot === slot && !leavesSlotFree(order) && order.intentId !== replaces);
  if (holder !== undefined) return deny('slot', `${slot} is taken by ${holder.intentId}, which may be live.`);
  const leaving = orders.filter(leavesSlotFree);
  const what = leaving.some(isDoubtful) ? 'canceled or unknown' : 'canceled';
  const here = leaving.filter((order) => order.slot === slot).length;
  const { maxLeavingPerSlot, maxLeaving } = limits;
  const wait = (text: string, most: number) =>
    deny('slot', `${text} not proved closed yet, and ${most} may be beside a new order.`);
  if (here > maxLeavingPerSlot) return wait(`${here} ${what} orders of ${slot} are`, maxLeavingPerSlot);
  if (here > 0 && leaving.length > maxLeaving)
    return wait(`${leaving.length} ${what} orders of the symbol are`, maxLeaving);
  return null;
};

/**
 * Check 9: orders with the same side, price and quantity can't be told apart when an answer is lost. For an order that
 * was not found and may turn up, the quantity alone counts: its price may be shown rounded.
 */
export const checkDuplicate: Check = ({ request: { side, price, quantity } }, { orders }) => {
  const same = (order: LiveOrder): boolean =>
    order.side === side && order.quantity.eq(quantity) && (order.price.eq(price) || isDoubtful(order));
  const twin = orders.find(same);
  if (twin === undefined) return null;
  const text = `A ${side} of ${quantity.toFixed()} at ${price.toFixed()} is like ${twin.intentId}, which may be live.`;
  return deny('duplicate', text);
};

/** Check 12. */
export const checkSelfCross: Check = ({ request: { side, price } }, { orders }) => {
  const crossed = orders.find(
    (order) => order.side !== side && (side === 'buy' ? price.gte(order.price) : price.lte(order.price)),
  );
  if (crossed === undefined) return null;
  const own = `our own ${crossed.side} at ${crossed.price.toFixed()} (${crossed.intentId})`;
  return deny('self-cross', `A ${side} at ${price.toFixed()} would meet ${own}, which may be live.`);
};

/**
 * Check 5: in the worst case all orders of this side fill and none of the other. An order moves two assets, and each
 * must stay in its bounds as a base.
 */
export const checkInventory: Check = (proposal, context) =>
  checkBase(proposal, context) ?? checkQuoteAsBase(proposal, context);

const checkBase: Check = ({ request: { side, quantity } }, context) => {
  const { base, baseInOtherMarkets, orders, limits, inventoryRange } = context;
  if (!isAmount(base.total)) return deny('inventory', `The inventory is ${base.total} ${base.asset}.`);
  const others = side === 'buy' ? baseInOtherMarkets.more : baseInOtherMarkets.less;
  if (!isAmount(others)) return deny('inventory', `Orders of other symbols may move ${others} ${base.asset}.`);
  const filling = exposedOf(orders, side).add(quantity).add(others);
  const bounds = {
    most: minOf(limits.maxInventoryBase, inventoryRange.most ?? limits.maxInventoryBase),
    least: maxOf(limits.minInventoryBase, inventoryRange.least),
  };
  return checkBounds({ side, holding: base, bounds, by: side === 'buy' ? filling : filling.neg() });
};

const checkQuoteAsBase: Check = ({ request }, { quote, quoteAsBase, costs }) => {
  if (quoteAsBase === null) return null;
  const { side, price, quantity } = request;
  if (!isAmount(quote.total)) return deny('inventory', `The inventory is ${quote.total} ${quote.asset}.`);
  const others = side === 'buy' ? quoteAsBase.moves.less : quoteAsBase.moves.more;
  if (!isAmount(others)) return deny('inventory', `Orders that may be live may move ${others} ${quote.asset}.`);
  const by = side === 'buy' ? fundsNeeded(request, costs).add(others).neg() : price.mul(quantity).add(others);
  return checkBounds({ side, holding: quote, bounds: quoteAsBase, by });
};

interface Bounded {
  readonly side: Side;
  readonly holding: Holding;
  readonly bounds: Pick<QuoteAsBase, 'most' | 'least'>;
  /** The change of the holding, below zero where it falls. */
  readonly by: Decimal;
}

function checkBounds({ side, holding: { asset, total }, bounds: { most, least }, by }: Bounded) {
  const worst = total.add(by);
  const isRising = by.gt(0);
  if (isRising ? worst.lte(most) : worst.gte(least)) return null;
  const bound = isRising ? `at most ${most.toFixed()}` : `at least ${least.toFixed()}`;
  const text = `With every ${side} filled ${worst.toFixed()} ${asset} would be held; ${bound} is allowed.`;
  return deny('inventory', text);
}

/** Check 6: count and notional, per symbol and over all. */
export const checkOpenOrders: Check = ({ request: { symbol, price, quantity } }, context) => {
  const { orders, foreignOpenOrders, totals, limits } = context;
  const { maxOpenOrders, maxOpenOrdersOverAll, maxOpenNotional } = limits;
  if (!(totals.openOrders >= orders.length) || !isAmount(totals.openNotional) || !(foreignOpenOrders >= 0)) {
    const known = `${totals.openOrders} orders with ${totals.openNotional} and ${foreignOpenOrders} of others`;
    return deny('open-orders', `The totals over all symbols make no sense: ${known}.`);
  }
  const over = (text: string, limit: string) => deny('open-orders', `${text}; ${limit} are allowed.`);
  const count = orders.length + 1;
  if (count > maxOpenOrders) return over(`It would be open order ${count} of ${symbol}`, `${maxOpenOrders}`);
  if (count + foreignOpenOrders >= LISTED_ORDERS_LIMIT) {
    return over(`With ${foreignOpenOrders} of others it would be order ${count + foreignOpenOrders}`, 'fewer than 50');
  }
  if (totals.openOrders + 1 > maxOpenOrdersOverAll) {
    return over(`It would be open order ${totals.openOrders + 1} over all symbols`, `${maxOpenOrdersOverAll}`);
  }
  const notional = price.mul(quantity);
  const open = openNotionalOf(orders);
  const here = open.add(notional);
  if (here.gt(maxOpenNotional)) {
    return over(`Open orders of ${symbol} would come to ${here.toFixed()}`, maxOpenNotional.toFixed());
  }
  const everywhere = maxOf(totals.openNotional, open).add(notional);
  const limit = limits.maxOpenNotionalOverAll;
  if (limit === undefined || everywhere.lte(limit)) return null;
  return over(`Open orders over all symbols would come to ${everywhere.toFixed()}`, limit.toFixed());
};

/** Funds locked by all orders of a side, including the old one while a level moves and those with a pending cancel. */
export const checkBudget: Check = ({ request }, { orders, costs, budget, base, quote }) => {
  const { side } = request;
  const most = side === 'buy' ? budget.maxQuote : budget.maxBase;
  if (most === undefined) return null;
  const live = sumOf(orders, side, (order) => fundsNeeded({ ...order, quantity: order.remaining }, costs));
  const all = live.add(fundsNeeded(request, costs));
  if (all.lte(most)) return null;
  const [name, asset] = side === 'buy' ? ['maxQuote', quote.asset] : ['maxBase', base.asset];
  const text = `Every ${side} together would lock ${all.toFixed()} ${asset}`;
  return deny('budget', `${text}; budget.${name} is ${most.toFixed()}.`);
};

/**
 * Check 10. Free funds are taken from the ledger and counted again from the orders; the smaller of the two counts. Fees
 * are included; a sale's fee and tax come out of its proceeds.
 */
export const checkFunds: Check = ({ request }, context) => {
  const { costs, limits } = context;
  const holding = request.side === 'buy' ? context.quote : context.base;
  const reserve = request.side === 'buy' ? limits.reserveQuote : limits.reserveBase;
  const ratios = [costs.makerFeeRatio, costs.takerFeeRatio];
  if (!isAmount(holding.free) || !isAmount(holding.total) || !ratios.every(isAmount)) {
    const known = `${holding.free} of ${holding.total} ${holding.asset}, fees ${ratios.join(' and ')}`;
    return deny('funds', `Funds and fees are not usable: free ${known}.`);
  }
  const available = minOf(holding.free, unlocked(request.side, context)).sub(reserve);
  const need = fundsNeeded(request, costs);
  if (need.lte(available)) return null;
  const left = `${available.toFixed()} are free above the reserve of ${reserve.toFixed()}`;
  return deny('funds', `The ${request.side} needs ${need.toFixed()} ${holding.asset} and ${left}.`);
};

function unlocked(side: Side, { base, quote, orders }: RiskContext): Decimal {
  return (side === 'buy' ? quote : base).total.sub(sumOf(orders, side, fundsLocked));
}

/** Price × remaining of these orders, in quote. */
const openNotionalOf = (orders: readonly LiveOrder[]): Decimal =>
  sumOf(orders, 'both', (order) => order.price.mul(order.remaining));

const exposedOf = (orders: readonly LiveOrder[], side: Side): Decimal =>
  sumOf(orders, side, (order) => order.exposed ?? order.remaining);

function sumOf(orders: readonly LiveOrder[], side: Side | 'both', value: (order: LiveOrder) => Decimal): Decimal {
  return orders.reduce((sum, order) => (side === 'both' || order.side === side ? sum.add(value(order)) : sum), ZERO);
}

// How much of the limits on open orders and holdings is used: an operator watches this before the gate denies.

/** By their keys under `limits` of a run. */
export const WATCHED_LIMITS = [
  'maxOpenOrders',
  'maxOpenOrdersOverAll',
  'maxOpenNotional',
  'maxOpenNotionalOverAll',
  'maxInventoryBase',
  'repeatedFills',
] as const;
type WatchedLimit = (typeof WATCHED_LIMITS)[number];

/** In the asset named by `unit`, or in orders. `most` is null where no limit is set. */
export interface LimitUse {
  readonly used: Decimal;
  readonly most: Decimal | null;
  readonly unit: 'orders' | 'base' | 'quote';
}

export type LimitsUsed = Readonly<Record<WatchedLimit, LimitUse>>;

/** 1 is all of the limit. */
export const shareOf = ({ used, most }: LimitUse): number =>
  most === null ? 0 : used.div(most).toDecimalPlaces(6, Decimal.ROUND_UP).toNumber();

/**
 * Counts like checks 5, 6 and 8 of docs/risk.md, without an order to judge. `oneSidedFills`: the excess of one side's
 * fills within the window of check 8, in quote.
 */
export function limitsUsed(
  context: Pick<RiskContext, 'orders' | 'totals' | 'limits' | 'base' | 'baseInOtherMarkets'>,
  oneSidedFills: Decimal,
): LimitsUsed {
  const { orders, totals, limits, base, baseInOtherMarkets } = context;
  const { maxOpenOrders, maxOpenOrdersOverAll, maxOpenNotional, maxInventoryBase } = limits;
  const { maxOpenNotionalOverAll: overAll } = limits;
  const open = openNotionalOf(orders);
  // Every live or possibly live bid filled, in all symbols, and no ask.
  const mostBase = base.total.add(exposedOf(orders, 'buy')).add(baseInOtherMarkets.more);
  const inOrders = (used: number, most: number): LimitUse => ({
    ...{ used: new Decimal(used), most: new Decimal(most), unit: 'orders' },
  });
  const inQuote = (used: Decimal, most: Decimal | null): LimitUse => ({ used, most, unit: 'quote' });
  return {
    maxOpenOrders: inOrders(orders.length, maxOpenOrders),
    maxOpenOrdersOverAll: inOrders(totals.openOrders, maxOpenOrdersOverAll),
    maxOpenNotional: inQuote(open, maxOpenNotional),
    maxOpenNotionalOverAll: inQuote(maxOf(totals.openNotional, open), overAll ?? null),
    maxInventoryBase: { used: mostBase, most: maxInventoryBase, unit: 'base' },
    repeatedFills: inQuote(oneSidedFills, limits.maxOrderNotional.mul(new Decimal(limits.repeatedFills))),
  };
}
