// Orders that nobody would send, and what the gate might be told: around each bound, one step within and one beyond.
import { Decimal } from '../../src/domain/decimal.ts';
import { intentId } from '../../src/domain/ids.ts';
import type { Side } from '../../src/domain/order.ts';
import type { LiveOrder } from '../../src/quoting/live-order.ts';
import type { Proposal, RiskContext } from '../../src/quoting/risk/risk-context.ts';

export interface Probe {
  readonly what: string;
  readonly proposal: Proposal;
  readonly context: RiskContext;
}

interface Change {
  readonly context?: Partial<RiskContext>;
  readonly limits?: Partial<RiskContext['limits']>;
  readonly request?: Partial<Proposal['request']>;
  readonly replaces?: Proposal['replaces'];
}
type Changes = Readonly<Record<string, Change>>;

/** A level that no strategy has. */
const FREE_LEVEL = 9;
const BPS = 10_000;
const ZERO = new Decimal(0);

/** None where the market has no price yet: there is no order to begin with. */
export function probesOf(context: RiskContext): readonly Probe[] {
  const { referencePrice } = context;
  if (referencePrice === null) return [];
  return (['buy', 'sell'] as const).flatMap((side) => {
    const plain = innocent(context, side, referencePrice);
    const ample = amply(context, plain);
    const changes = {
      ...{ ...stateChanges(ample), ...priceChanges(ample, plain), ...slotChanges(ample, plain) },
      ...{ ...inventoryChanges(ample, plain), ...sumChanges(ample, plain), ...fundsChanges(ample, plain) },
    };
    const probe = ([what, change]: readonly [string, Change]): Probe => ({
      what: `${side}, ${what}`,
      proposal: {
        request: { ...plain.request, ...change.request },
        slot: plain.slot,
        ...(change.replaces !== undefined && { replaces: change.replaces }),
      },
      context: { ...ample, ...change.context, limits: { ...ample.limits, ...change.limits } },
    });
    const asItIs = { what: `${side}, as it is`, proposal: plain, context };
    return [asItIs, ...Object.entries({ nothing: {}, ...changes }).map(probe)];
  });
}

/** A small order a percent from the price, which would rest. */
function innocent({ instrument }: RiskContext, side: Side, reference: Decimal): Proposal {
  const { symbol, tickSize, lotSize, minNotional } = instrument;
  const away = reference.mul(side === 'buy' ? '0.985' : '1.015').div(tickSize);
  const price = (side === 'buy' ? away.floor() : away.ceil()).mul(tickSize);
  const quantity = minNotional.mul('1.1').div(price).div(lotSize).ceil().mul(lotSize);
  return { request: { symbol, side, price, quantity }, slot: `${side}:${FREE_LEVEL}` };
}

/** With money and room for it, so that one thing alone is in the way. */
function amply(context: RiskContext, { request }: Proposal): RiskContext {
  const { limits, base, quote, totals, orders } = context;
  const much = new Decimal(10).pow(12);
  return {
    ...context,
    ...{ killLatched: false, halt: null, mode: 'ACTIVE', foreignOpenOrders: 0 },
    ...{ messages: { inSecond: 0, inMinute: 0, today: 0 }, lastGoodReference: context.referencePrice },
    ...{ recentReference: context.referencePrice, bookSentAt: context.now - 1 },
    orders: orders.filter(({ side }) => side === request.side),
    totals: { ...totals, openOrders: orders.length },
    base: { ...base, total: much, free: much },
    quote: { ...quote, total: much, free: much },
    quoteAsBase: null,
    budget: { reserveQuote: ZERO, reserveBase: ZERO },
    inventoryRange: { most: null, least: ZERO },
    limits: {
      ...limits,
      ...{ maxInventoryBase: much.mul(2), maxOpenNotional: much, maxOpenNotionalOverAll: much, maxOpenOrders: 45 },
      ...{ maxOpenOrdersOverAll: 100, collarBps: 1_000, collarWindowBps: 1_000, maxOrderNotional: much },
      ...{ maxOrderQuantity: much, minInventoryBase: ZERO, reserveBase: ZERO, reserveQuote: ZERO },
    },
  };
}

function stateChanges(context: RiskContext): Changes {
  const { limits, messageLimits, now } = context;
  const { maxPerSecond, maxPerMinute, maxPerDay } = messageLimits;
  const none = { inSecond: 0, inMinute: 0, today: 0 };
  const isNoLimit = new Decimal(Number.NaN);
  const broken = Object.keys(limits).flatMap((name) =>
    [ZERO, isNoLimit, 0, Number.NaN, undefined].map((value, place): [string, Change] => [
      `limit ${name} ${place}`,
      isOfItsKind(limits, name, value) ? { limits: { [name]: value } } : {},
    ]),
  );
  return {
    latched: { context: { killLatched: true } },
    halted: { context: { halt: { code: 'price-jump', reason: 'It jumped.' } } },
    'halted and latched': { context: { killLatched: true, halt: { code: 'unexplained', reason: 'So.' } } },
    'mode halted': { context: { mode: 'HALTED' } },
    reducing: { context: { mode: 'REDUCING' } },
    'symbol unknown': { context: { configuredSymbols: [] } },
    'symbol of others': { request: { symbol: 'XYZ/INR' }, context: { configuredSymbols: ['XYZ/INR'] } },
    ...Object.fromEntries(broken),
    'second full': { context: { messages: { ...none, inSecond: maxPerSecond } } },
    'second nearly full': { context: { messages: { ...none, inSecond: maxPerSecond - 1 } } },
    'minute full': { context: { messages: { ...none, inMinute: maxPerMinute } } },
    'minute nearly full': { context: { messages: { ...none, inMinute: maxPerMinute - 1 } } },
    'day full': { context: { messages: { ...none, today: maxPerDay } } },
    'day nearly full': { context: { messages: { ...none, today: maxPerDay - 1 } } },
    'book old': { context: { bookSentAt: now - limits.bookMaxAgeMs - 1 } },
    'book nearly old': { context: { bookSentAt: now - limits.bookMaxAgeMs } },
    'book of later': { context: { bookSentAt: now + 1 } },
    'book of now': { context: { bookSentAt: now } },
    'book unread': { context: { bookSentAt: null } },
    'no book': { context: { book: null } },
  };
}

/** One that is not set, or is a number where a decimal is wanted, is told by types. */
function isOfItsKind(limits: RiskContext['limits'], name: string, value: unknown): boolean {
  const present: unknown = limits[name as keyof typeof limits];
  return value === undefined || Decimal.isDecimal(present) === Decimal.isDecimal(value);
}

function priceChanges(context: RiskContext, { request }: Proposal): Changes {
  const { limits, instrument, book, referencePrice } = context;
  const { tickSize, lotSize } = instrument;
  const reference = referencePrice ?? ZERO;
  const { side, price, quantity } = request;
  const at = (changed: Decimal): Change => ({ request: { price: changed } });
  const times = (bps: number): Decimal => reference.mul(new Decimal(BPS + bps).div(BPS));
  const empty = { bids: [], asks: [] };
  const [bid, ask] = [book?.bids[0], book?.asks[0]];
  const opposite = side === 'buy' ? ask?.price : bid?.price;
  const inward = side === 'buy' ? -1 : 1;
  const reach = price.sub(reference).abs().div(reference).mul(BPS);
  const collar = (bps: Decimal): Change => ({ limits: { collarBps: bps.toNumber() } });
  const jump = limits.referenceJumpBps;
  const notional = price.mul(quantity);
  return {
    'between ticks': at(price.add(tickSize.div(2))),
    'between lots': { request: { quantity: quantity.add(lotSize.div(2)) } },
    'no price': at(ZERO),
    'price below zero': at(tickSize.neg()),
    'no quantity': { request: { quantity: ZERO } },
    'too little': { context: { instrument: { ...instrument, minNotional: notional.add(1) } } },
    'just enough': { context: { instrument: { ...instrument, minNotional: notional } } },
    'quantity at its limit': { limits: { maxOrderQuantity: quantity } },
    'quantity over its limit': { limits: { maxOrderQuantity: quantity.sub(lotSize.div(2)) } },
    'notional at its limit': { limits: { maxOrderNotional: notional } },
    'notional over its limit': { limits: { maxOrderNotional: notional.mul('0.999') } },
    'notional over the limit of all': { limits: { maxOrderNotionalOverAll: notional.mul('0.999') } },
    'notional at the limit of all': { limits: { maxOrderNotionalOverAll: notional } },
    'book empty': { context: { book: empty } },
    ...(book !== null && {
      'no bids': { context: { book: { ...book, bids: [] } } },
      'no asks': { context: { book: { ...book, asks: [] } } },
      crossed: { context: { book: { bids: book.asks, asks: book.bids } } },
      locked: { context: { book: { bids: book.bids, asks: book.bids } } },
    }),
    'no reference': { context: { referencePrice: null } },
    'reference zero': { context: { referencePrice: ZERO } },
    'one book only': { context: { lastGoodReference: null } },
    'last one zero': { context: { lastGoodReference: ZERO } },
    'jumped up': { context: { lastGoodReference: times(-2 * jump) } },
    'jumped down': { context: { lastGoodReference: times(2 * jump) } },
    'moved within': { context: { lastGoodReference: times(jump / 2) } },
    'no recent one': { context: { recentReference: null } },
    'recent one zero': { context: { recentReference: ZERO } },
    'at the collar': collar(reach.add('0.001')),
    'beyond the collar': collar(reach.sub('0.001')),
    'beyond the window': { limits: { collarWindowBps: reach.sub('0.001').toNumber() } },
    ...(opposite !== undefined && {
      'at the other side': at(opposite),
      'through the other side': at(opposite.sub(tickSize.mul(inward))),
      'a tick before the other side': at(opposite.add(tickSize.mul(inward))),
    }),
  };
}

/** More orders of the symbol, as the gate would be told of them. */
const beside = ({ orders, totals }: RiskContext, ...more: readonly LiveOrder[]): Change => ({
  context: { orders: [...orders, ...more], totals: { ...totals, openOrders: orders.length + more.length } },
});

function slotChanges(context: RiskContext, { request, slot }: Proposal): Changes {
  const { side, price, quantity } = request;
  const id = intentId('0-1');
  const plain = { intentId: id, slot, side, price, quantity, sentAt: context.now, status: 'open' } as const;
  const order = (of: Partial<LiveOrder>): LiveOrder => ({ ...plain, remaining: quantity, ...of });
  const other = side === 'buy' ? 'sell' : 'buy';
  const unlike = { quantity: quantity.mul(3), remaining: quantity.mul(3) };
  const elsewhere = { slot: `${side}:8` as const };
  const opposite = { side: other, slot: `${other}:8` as const, ...unlike } as const;
  const leaving = beside(context, order({ ...unlike, status: 'leaving' }));
  return {
    'slot taken': beside(context, order(unlike)),
    'slot of the one that it replaces': { ...beside(context, order(unlike)), replaces: id },
    'slot taken by a pending one': beside(context, order({ ...unlike, status: 'pending' })),
    'slot left': { ...leaving, limits: { maxLeavingPerSlot: 1, maxLeaving: 45 } },
    'slot left by too many': { ...leaving, limits: { maxLeavingPerSlot: 0 } },
    'symbol left by too many': {
      ...beside(context, order({ ...unlike, status: 'doubtful' })),
      limits: { maxLeavingPerSlot: 1, maxLeaving: 0 },
    },
    twin: beside(context, order(elsewhere)),
    'twin of another price': beside(context, order({ ...elsewhere, price: price.mul(2) })),
    'twin in doubt': beside(context, order({ ...elsewhere, price: price.mul(2), status: 'doubtful' })),
    'own order in the way': beside(context, order(opposite)),
    'own order behind': beside(context, order({ ...opposite, price: price.mul(side === 'buy' ? 2 : '0.5') })),
  };
}

function inventoryChanges({ base, quote, orders, costs }: RiskContext, { request }: Proposal): Changes {
  const { side, price, quantity } = request;
  const own = orders.reduce((all, each) => all.add(each.exposed ?? each.remaining), ZERO);
  const little = quantity.div(1_000);
  const much = quantity.mul(1_000_000);
  const bound = (by: Decimal): Change =>
    side === 'buy'
      ? { limits: { maxInventoryBase: base.total.add(own).add(quantity).add(by) } }
      : { limits: { minInventoryBase: base.total.sub(own).sub(quantity).sub(by) } };
  const range = (by: Decimal): Change => ({
    context: {
      inventoryRange:
        side === 'buy'
          ? { most: base.total.add(own).add(quantity).add(by), least: ZERO }
          : { most: null, least: base.total.sub(own).sub(quantity).sub(by) },
    },
  });
  const moving = (by: Decimal): Change => ({
    ...bound(ZERO),
    context: { baseInOtherMarkets: side === 'buy' ? { more: by, less: much } : { more: much, less: by } },
  });
  const paid = price.mul(quantity).mul(Decimal.max(costs.makerFeeRatio, costs.takerFeeRatio).add(1));
  const inQuote = side === 'buy' ? paid.neg() : price.mul(quantity);
  /** Its bound is nearer by so much than what the order and others come to. */
  const asBase = (by: Decimal, others = little): Change => {
    const worst = quote.total.add(inQuote).add(side === 'buy' ? little.neg() : little);
    const moves = side === 'buy' ? { more: much, less: others } : { more: others, less: much };
    const bounds = side === 'buy' ? { most: ZERO, least: worst.add(by) } : { most: worst.sub(by), least: worst.mul(2) };
    return { context: { quoteAsBase: { ...bounds, moves } } };
  };
  return {
    'quote full as base': asBase(ZERO),
    'quote over as base': asBase(little),
    'quote as base unknown': asBase(ZERO, new Decimal(Number.NaN)),
    'inventory full': bound(ZERO),
    'inventory over': bound(little.neg()),
    'own inventory bound full': range(ZERO),
    'own inventory bound over': range(little.neg()),
    'inventory full elsewhere': moving(ZERO),
    'inventory over elsewhere': moving(little),
    'inventory unknown': { context: { base: { ...base, total: new Decimal(Number.NaN) } } },
    'elsewhere unknown': { context: { baseInOtherMarkets: { more: ZERO.sub(1), less: ZERO.sub(1) } } },
  };
}

const worthOf = (orders: readonly LiveOrder[]): Decimal =>
  orders.reduce((all, each) => all.add(each.price.mul(each.remaining)), ZERO);

function sumChanges({ limits, totals, orders }: RiskContext, { request }: Proposal): Changes {
  const open = worthOf(orders);
  const notional = request.price.mul(request.quantity);
  const little = request.quantity.div(1_000);
  const more = open.add(7);
  return {
    'orders full': { limits: { maxOpenOrders: Math.max(1, orders.length) } },
    'orders not full': { limits: { maxOpenOrders: orders.length + 1 } },
    'listed full': { context: { foreignOpenOrders: 49 - orders.length } },
    'listed nearly full': { context: { foreignOpenOrders: 48 - orders.length } },
    'others below zero': { context: { foreignOpenOrders: -1 } },
    'all orders full': { limits: { maxOpenOrdersOverAll: Math.max(1, totals.openOrders) } },
    'all orders not full': { limits: { maxOpenOrdersOverAll: totals.openOrders + 1 } },
    'sums that make no sense': { context: { totals: { ...totals, openOrders: orders.length - 1 } } },
    'notional unknown': { context: { totals: { ...totals, openNotional: new Decimal(Number.NaN) } } },
    'notional full': { limits: { maxOpenNotional: open.add(notional) } },
    'notional over': { limits: { maxOpenNotional: open.add(notional).sub(little) } },
    'all notional full': {
      context: { totals: { ...totals, openNotional: more } },
      limits: { maxOpenNotionalOverAll: more.add(notional) },
    },
    'all notional over': {
      context: { totals: { ...totals, openNotional: more } },
      limits: { maxOpenNotionalOverAll: more.sub(1).add(notional) },
    },
    'all notional unset': {
      context: { totals: { ...totals, openNotional: limits.maxOpenNotional.mul(2) } },
      limits: { maxOpenNotionalOverAll: undefined },
    },
  };
}

function fundsChanges({ base, quote, orders, costs }: RiskContext, { request }: Proposal): Changes {
  const { side, price, quantity } = request;
  const locked = side === 'buy' ? worthOf(orders) : orders.reduce((all, each) => all.add(each.remaining), ZERO);
  const fee = Decimal.max(costs.makerFeeRatio, costs.takerFeeRatio);
  const need = side === 'buy' ? price.mul(quantity).mul(fee.add(1)) : quantity;
  const held = side === 'buy' ? 'quote' : 'base';
  const holding = side === 'buy' ? quote : base;
  const funds = (free: Decimal, total = holding.total): Change => ({
    context: { [held]: { ...holding, free, total } },
  });
  const little = quantity.div(1_000);
  const allLocked = side === 'buy' ? locked.mul(fee.add(1)).add(need) : locked.add(need);
  const budget = (of: Partial<RiskContext['budget']>, free?: Decimal): Change => ({
    context: {
      ...(free && { [held]: { ...holding, free } }),
      budget: { reserveQuote: ZERO, reserveBase: ZERO, ...of },
    },
  });
  const capped = (most: Decimal): Change => budget(side === 'buy' ? { maxQuote: most } : { maxBase: most });
  return {
    'budget full': capped(allLocked),
    'budget over': capped(allLocked.sub(little)),
    'budget of nothing': capped(ZERO),
    'funds reserved by the budget': budget(side === 'buy' ? { reserveQuote: little } : { reserveBase: little }, need),
    'funds enough': funds(need),
    'funds lacking': funds(need.sub(little)),
    'funds enough beside orders': funds(holding.free, locked.add(need)),
    'funds lacking beside orders': funds(holding.free, locked.add(need).sub(little)),
    'funds reserved': { ...funds(need), limits: side === 'buy' ? { reserveQuote: little } : { reserveBase: little } },
    'funds unknown': funds(new Decimal(Number.NaN)),
    'fees unknown': { context: { costs: { ...costs, takerFeeRatio: new Decimal(Number.NaN) } } },
  };
}
