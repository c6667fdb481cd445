// The account owner's manual actions while the bot runs, and the exchange's later changes to trades.
import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { Decimal, decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { DAY, type DurationMs, MINUTE } from '../../src/domain/time.ts';
import { reader } from '../../src/matching/engine.ts';
import { applyOwnerAction } from '../../src/paper/owner/owner-action.ts';
import type { ActionOf, LockPurpose, OwnerAction } from '../../src/paper/state/owner-actions.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import type { Oracle } from '../checks/oracle.ts';
import { createEndings, type Endings } from '../outside/end-orders.ts';
import { type Rewriting, rewritten } from '../outside/rewritten-trade.ts';
import { placeStandingOrders } from '../outside/standing-orders.ts';
import { ELSEWHERE, profileOf, tradedOf } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import { inQuote, worthOf } from '../profile/quote-worth.ts';
import type { OwnerFault } from './fault-kinds.ts';
import { createOwnerFlows, type OwnerFlows } from './owner-flows.ts';

export interface OwnerParts {
  readonly account: string;
  readonly plan: Plan;
  readonly oracle: Oracle;
  readonly exchange: () => ExchangeState;
  readonly now: () => number;
  /** Whether the bot has a run in it by now. */
  readonly isConfigured: (instrument: Instrument) => boolean;
  /** Whether the ledger is opened for it as well. */
  readonly isOpened: (instrument: Instrument) => boolean;
  /** The bot's placed and not closed orders by its journal; empty while it is down. */
  readonly placed: () => Iterable<Placed>;
  /** Schedules an act, such as ending what was begun. */
  readonly later: (ms: DurationMs, act: () => void) => void;
}

type Placed = Pick<JournalIntent, 'symbol' | 'side' | 'price' | 'quantity' | 'state'>;

const LONGEST_HOLD_MS = 5 * MINUTE;
const MANY_ORDERS = 45;
/** Trades between two reads: a page, one more than a page, and many pages (F43). */
const BURSTS = [50, 51, 120, 500];
const BURST_EVERY_MS = 3;
const AT_ONCE = 60;
/** Purposes that the wallet's `locked` may include or not (Q12). */
const LOCK_PURPOSES: readonly LockPurpose[] = ['p2p', 'p2p', 'staking', 'otc'];

/** Faults, and acts that are no faults. */
export type OwnerAct = OwnerFault | 'standing-orders';

/** Lets the owner act once. True if it had an effect. */
export type OwnerActs = (what: OwnerAct, stream: RandomStream) => boolean;

interface Owner extends OwnerParts {
  readonly smaller: RandomStream;
  readonly purposes: RandomStream;
  readonly traded: readonly Instrument[];
  readonly endings: Endings;
  readonly flows: OwnerFlows;
}

/** An act's occasion: its random stream and its market. */
interface Occasion {
  readonly stream: RandomStream;
  readonly instrument: Instrument;
}

const ACTS: Readonly<Record<OwnerAct, (owner: Owner, occasion: Occasion) => boolean>> = {
  'lock-funds': lockFunds,
  'many-orders': many,
  'twin-order': (owner, { stream }) =>
    !owner.plan.firstKinds && chance(owner.smaller, 1 / 2) ? smallerTwin(owner) : likeOwn(owner, stream, 'twin'),
  'take-own-order': (owner, { stream }) => likeOwn(owner, stream, 'against'),
  'delay-trade': delayTrades,
  'standing-orders': (owner) => placeStandingOrders((action) => act(owner, action), profileOf(owner.plan)),
  'burst-of-trades': manyTrades,
  'trades-at-once': tradesAtOnce,
  'bust-trade': (owner, { stream }) => rewrite(owner, stream, uniform(stream) < 1 / 2 ? 'bust' : 'correct'),
  'correct-trade': (owner, { stream }) => rewrite(owner, stream, 'correct'),
  'correct-quantity': (owner, { stream }) => rewrite(owner, stream, 'quantity'),
  'cancel-own-orders': ({ endings }, { stream }) => endings.byOwner(stream),
  'expire-order': ({ endings }, { stream }) => endings.byExpiry(stream),
  deposit: ({ flows }, { stream, instrument }) => flows.deposit(instrument, decimal(1 + pick(stream, 9))),
  withdrawal: (owner, { stream, instrument }) =>
    owner.flows.withdrawal(instrument, (asset) => share(owner, asset, 0.2 * partOfAll(stream))),
  'simple-trade': simpleTrade,
  'manual-trade': (owner, occasion) => manual(owner, occasion, 2_000 + 20_000 * uniform(occasion.stream)),
  'manual-order': manualOrder,
};

export function createOwner(parts: OwnerParts): OwnerActs {
  const { account, plan, later } = parts;
  const traded = tradedOf(plan);
  const owner: Owner = {
    ...parts,
    smaller: randomStream(plan.seed, 'owner.smaller-twin'),
    purposes: randomStream(plan.seed, 'owner.lock-purpose'),
    traded,
    endings: createEndings({ ...parts, traded }),
    flows: createOwnerFlows({
      ...{ account, plan, later },
      act: (action) => act(owner, action),
      tradeByHand: (side, quantity) => tradeByHand(owner, side, quantity),
    }),
  };
  return (what, stream) => ACTS[what](owner, { stream, instrument: instrumentFor(owner, what, stream) });
}

/** Moves of money in coins that no run trades yet. */
const ANYWHERE: ReadonlySet<OwnerAct> = new Set(['deposit', 'withdrawal', 'simple-trade']);
/** More than a page of trades while a market waits to be opened is a difference that a person is asked about. */
const BY_THE_PAGE: ReadonlySet<OwnerAct> = new Set(['burst-of-trades', 'trades-at-once']);

/** Manual trades of the owner are in the bot's markets. */
function instrumentFor(owner: Owner, what: OwnerAct, stream: RandomStream): Instrument {
  const drawn = anyInstrument(owner, stream);
  const fits = BY_THE_PAGE.has(what) ? owner.isOpened : owner.isConfigured;
  return ANYWHERE.has(what) || fits(drawn) ? drawn : (owner.traded.find(fits) ?? drawn);
}

function act(owner: Owner, action: OwnerAction): string | null {
  const done = applyOwnerAction(owner.exchange(), action, owner.now());
  if (!done.ok) return null;
  if (done.value.kind === 'order' && action.kind === 'place-order')
    owner.oracle.owned(done.value.orderId, action.symbol);
  return done.value.kind === 'order' ? done.value.orderId : done.value.kind === 'transfer' ? done.value.transferId : '';
}

const market = (owner: Owner) => reader(owner.exchange().engine);

const anyInstrument = (owner: Owner, stream: RandomStream): Instrument =>
  owner.traded[pick(stream, owner.traded.length)] as Instrument;

const freeOf = (owner: Owner, asset: string): Decimal =>
  new Decimal(market(owner).balance(owner.account, asset).free.toString()).div(
    new Decimal(10).pow(owner.exchange().settings.engine.assetDecimals),
  );

const partOfAll = (stream: RandomStream): number => 0.1 + 0.9 * uniform(stream);

const share = (owner: Owner, asset: string, part: number): Decimal =>
  freeOf(owner, asset).mul(part).toDecimalPlaces(4, Decimal.ROUND_DOWN);

/** The quantity worth this much INR, at a price in the market's quote. */
const lots = ({ quote, lotSize }: Instrument, notional: number, price: Decimal): Decimal =>
  inQuote(notional, quote).div(price).div(lotSize).ceil().mul(lotSize);

/** A price below the given one by a share and a number of ticks. */
const below = ({ tickSize }: Instrument, price: Decimal, [share, ticks]: readonly [number, number]): Decimal =>
  tickSize.mul(price.mul(share).div(tickSize).sub(ticks).toDecimalPlaces(0));

type ManualOrder = Pick<ActionOf<'place-order'>, 'side' | 'quantity' | 'terms'>;

const place = (owner: Owner, { symbol }: Instrument, order: ManualOrder): string | null =>
  act(owner, { kind: 'place-order', account: owner.account, symbol, ...order });

/** Trades with a counterparty whose order exists only for it: either both trade, or nothing is left. */
function tradeByHand(owner: Owner, side: 'buy' | 'sell', quantity: Decimal): boolean {
  const { instrument, price, counterparty } = ELSEWHERE;
  const terms = { type: 'LIMIT', price } as const;
  const other = { account: counterparty, symbol: instrument.symbol, side: side === 'buy' ? 'sell' : 'buy' } as const;
  const offered = applyOwnerAction(owner.exchange(), { kind: 'place-order', ...other, quantity, terms }, owner.now());
  if (!offered.ok || offered.value.kind !== 'order') return false;
  if (place(owner, instrument, { side, quantity, terms }) !== null) return true;
  const { orderId } = offered.value;
  applyOwnerAction(owner.exchange(), { kind: 'cancel-order', account: counterparty, orderId }, owner.now());
  return false;
}

function priceOf(owner: Owner, instrument: Instrument): Decimal | null {
  const best = market(owner).best(instrument.symbol, 'buy');
  return best ? instrument.tickSize.mul(best.price) : null;
}

/** One after the other, the first a moment from now: while the world is suspended they don't pile up. */
function burst(owner: Owner, left: number, trade: () => void, inMs = 0): void {
  if (left === 0) return;
  owner.later(inMs, () => {
    trade();
    burst(owner, left - 1, trade, BURST_EVERY_MS);
  });
}

function manual(owner: Owner, { stream, instrument }: Occasion, notional: number): boolean {
  const price = priceOf(owner, instrument);
  const side = uniform(stream) < 1 / 2 ? 'buy' : 'sell';
  if (price === null) return false;
  const quantity = lots(instrument, notional, price);
  return place(owner, instrument, { side, quantity, terms: { type: 'MARKET' } }) !== null;
}

function manyTrades(owner: Owner, occasion: Occasion): boolean {
  const trades = BURSTS[pick(occasion.stream, BURSTS.length)] ?? 0;
  burst(owner, trades, () => manual(owner, occasion, 300));
  return true;
}

function tradesAtOnce(owner: Owner, occasion: Occasion): boolean {
  let done = 0;
  for (let i = 0; i < AT_ONCE; i += 1) if (manual(owner, occasion, 300)) done += 1;
  return done > 0;
}

function manualOrder(owner: Owner, { stream, instrument }: Occasion): boolean {
  const best = priceOf(owner, instrument);
  if (best === null) return false;
  const price = below(instrument, best, [0.97, 0]);
  const quantity = lots(instrument, 20_000 + 200_000 * uniform(stream), price);
  const placed = place(owner, instrument, { side: 'buy', quantity, terms: { type: 'LIMIT', price } });
  if (placed !== null) cancelLater(owner, placed);
  return placed !== null;
}

function simpleTrade(owner: Owner, { stream, instrument }: Occasion): boolean {
  const price = priceOf(owner, instrument);
  if (price === null) return false;
  const side = uniform(stream) < 1 / 2 ? 'buy' : 'sell';
  const quantity = lots(instrument, 5_000, price);
  const { base, quote } = instrument;
  // Simple trades of coins are in INR, whatever their market's quote.
  return owner.flows.simpleTrade({ coin: base, side, price: price.mul(worthOf(quote)), quantity });
}

function lockFunds(owner: Owner, { stream, instrument }: Occasion): boolean {
  const { account, plan, purposes } = owner;
  const asset = uniform(stream) < 1 / 2 ? instrument.quote : instrument.base;
  const amount = share(owner, asset, 0.95 * partOfAll(stream));
  const purpose = (plan.firstKinds ? null : LOCK_PURPOSES[pick(purposes, LOCK_PURPOSES.length)]) ?? 'p2p';
  const done = act(owner, { kind: 'lock', account, asset, amount, purpose }) !== null;
  if (done) owner.later(LONGEST_HOLD_MS, () => act(owner, { kind: 'unlock', account, asset, amount, purpose }));
  return done;
}

function delayTrades(owner: Owner, { stream }: Occasion): boolean {
  const { account, plan } = owner;
  const [count, forMs] = [1 + pick(stream, 3), Math.ceil(uniform(stream) * plan.spareLagMs)];
  return act(owner, { kind: 'delay-next-trades', account, count, forMs }) !== null;
}

/** Small orders far below the market: rows of a list, and little money. */
function many(owner: Owner, { instrument }: Occasion): boolean {
  const price = priceOf(owner, instrument);
  if (price === null) return false;
  const ids: string[] = [];
  for (let i = 0; i < MANY_ORDERS; i += 1) {
    const far = below(instrument, price, [0.6, i]);
    const terms = { type: 'LIMIT', price: far } as const;
    const placed = place(owner, instrument, { side: 'buy', quantity: lots(instrument, 150, far), terms });
    if (placed !== null) ids.push(placed);
  }
  owner.later(LONGEST_HOLD_MS, () => {
    for (const orderId of ids) act(owner, { kind: 'cancel-order', account: owner.account, orderId });
  });
  return ids.length > 0;
}

/** An order like one of the bot's, or against one. */
function likeOwn(owner: Owner, stream: RandomStream, how: 'twin' | 'against'): boolean {
  const own = owner.oracle.live().filter(({ maker }) => maker.kind === 'bot');
  const order = market(owner).order(own[pick(stream, own.length)]?.orderId ?? '');
  const instrument = order && market(owner).instrument(order.symbol);
  if (!order || !instrument) return false;
  const side = how === 'twin' ? order.side : order.side === 'buy' ? 'sell' : 'buy';
  const quantity = instrument.lotSize.mul(order.quantity);
  const terms = { type: 'LIMIT', price: instrument.tickSize.mul(order.price) } as const;
  const placed = place(owner, instrument, { side, quantity, terms });
  if (placed !== null && how === 'twin') cancelLater(owner, placed);
  return placed !== null;
}

const cancelLater = (owner: Owner, orderId: string): void =>
  owner.later(LONGEST_HOLD_MS, () => act(owner, { kind: 'cancel-order', account: owner.account, orderId }));

/** The same price as an unknown create, or as any order without one, and a smaller quantity. */
function smallerTwin(owner: Owner): boolean {
  const all = [...owner.placed()];
  const unknown = all.filter(({ state }) => state === 'sent' || state === 'unknown');
  const models = unknown.length > 0 ? unknown : all;
  const model = models[pick(owner.smaller, models.length)];
  const instrument = owner.traded.find(({ symbol }) => symbol === model?.symbol);
  if (!model || !instrument) return false;
  const price = decimal(model.price);
  const quantity = decimal(model.quantity)
    .mul(0.2 + 0.6 * uniform(owner.smaller))
    .div(instrument.lotSize)
    .floor()
    .mul(instrument.lotSize);
  if (quantity.mul(price).lt(instrument.minNotional)) return false;
  const placed = place(owner, instrument, { side: model.side, quantity, terms: { type: 'LIMIT', price } });
  if (placed !== null) cancelLater(owner, placed);
  return placed !== null;
}

function rewrite(owner: Owner, stream: RandomStream, how: Rewriting['how']): boolean {
  const all = owner.exchange().accounts.get(owner.account)?.fills ?? [];
  // The bot can't explain changes to trades in other markets (decision 0018).
  const known = all.filter(({ row }) => row.symbol !== ELSEWHERE.instrument.symbol);
  // Lists need not show trades older than a day, and a person is asked.
  const fills = known.filter(({ row }) => row.time > owner.now() - DAY);
  const fill = fills[fills.length - 1 - pick(stream, Math.min(5, fills.length))]?.row;
  const instrument = owner.traded.find(({ symbol }) => symbol === fill?.symbol);
  if (fill === undefined || instrument === undefined) return false;
  const done = act(owner, rewritten(fill, { how, share: how === 'quantity' ? uniform(stream) : 0, instrument }));
  owner.oracle.rewrote(fill.orderId);
  return done !== null;
}
