// What the account's owner does by hand while the bot runs, and what the exchange does to trades afterwards.
import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { Decimal, decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { assertNever } from '../../src/domain/invariant.ts';
import { DAY, type DurationMs, MINUTE } from '../../src/domain/time.ts';
import { reader } from '../../src/matching/engine.ts';
import type { ExchangeState } from '../../src/paper/exchange.ts';
import { applyOwnerAction, type ManualTerms, type OwnerAction } from '../../src/paper/owner/owner-action.ts';
import type { LockPurpose } from '../../src/paper/state/owner-action-types.ts';
import type { Claim } from '../checks/claims.ts';
import type { Oracle } from '../checks/oracle.ts';
import { createEndings } from '../outside/end-orders.ts';
import { type Rewriting, rewritten } from '../outside/rewritten-trade.ts';
import { placeStandingOrders } from '../outside/standing-orders.ts';
import { ELSEWHERE, profileOf, tradedOf } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import { inQuote, worthOf } from '../profile/quote-worth.ts';
import type { OwnerFault } from './fault-kinds.ts';
import { createOwnerFlows } from './owner-flows.ts';

export interface OwnerParts {
  readonly account: string;
  readonly plan: Plan;
  readonly oracle: Oracle;
  readonly exchange: () => ExchangeState;
  readonly now: () => number;
  /** What the bot has placed and not closed, as its journal tells; nothing while it is down. */
  readonly placed: () => Iterable<Placed>;
  /** Does it later: what was begun is ended again. */
  readonly later: (ms: DurationMs, act: () => void) => void;
}

type Placed = Pick<Claim, 'symbol' | 'side' | 'price' | 'quantity' | 'state'>;

const LONGEST_HOLD_MS = 5 * MINUTE;
const MANY_ORDERS = 45;
/** Trades between two looks: a page, one more than a page, and many pages (F43). */
const BURSTS = [50, 51, 120, 500];
const BURST_EVERY_MS = 3;
const AT_ONCE = 60;
/** What the wallet's `locked` may hold, or not (Q12). */
const LOCK_PURPOSES: readonly LockPurpose[] = ['p2p', 'p2p', 'staking', 'otc'];

/** What is no fault beside what is one. */
export type OwnerAct = OwnerFault | 'standing-orders';

/** Lets the owner act once. True where it came to something. */
export type OwnerActs = (what: OwnerAct, stream: RandomStream) => boolean;

export function createOwner(parts: OwnerParts): OwnerActs {
  const { account, oracle, exchange, plan } = parts;
  const smaller = randomStream(plan.seed, 'owner.smaller-twin');
  const purposes = randomStream(plan.seed, 'owner.lock-purpose');

  function act(action: OwnerAction): string | null {
    const done = applyOwnerAction(exchange(), action, parts.now());
    if (!done.ok) return null;
    if (done.value.kind === 'order' && action.kind === 'place-order') oracle.owned(done.value.orderId, action.symbol);
    return done.value.kind === 'order'
      ? done.value.orderId
      : done.value.kind === 'transfer'
        ? done.value.transferId
        : '';
  }

  const traded = tradedOf(plan);
  const endings = createEndings(parts);
  const flows = createOwnerFlows({ account, plan, act, tradeByHand, later: parts.later });
  const market = () => reader(exchange().engine);
  const anyInstrument = (stream: RandomStream): Instrument => traded[pick(stream, traded.length)] as Instrument;
  const freeOf = (asset: string): Decimal =>
    new Decimal(market().balance(account, asset).free.toString()).div(
      new Decimal(10).pow(exchange().settings.engine.assetDecimals),
    );
  const share = (asset: string, stream: RandomStream, most: number): Decimal =>
    freeOf(asset)
      .mul(most * (0.1 + 0.9 * uniform(stream)))
      .toDecimalPlaces(4, Decimal.ROUND_DOWN);
  /** Of so many INR, at a price in the quote of the market. */
  const lots = ({ quote, lotSize }: Instrument, notional: number, price: Decimal): Decimal =>
    inQuote(notional, quote).div(price).div(lotSize).ceil().mul(lotSize);
  /** A price below that one by a share and so many ticks. */
  const below = ({ tickSize }: Instrument, price: Decimal, [share, ticks]: readonly [number, number]): Decimal =>
    tickSize.mul(price.mul(share).div(tickSize).sub(ticks).toDecimalPlaces(0));

  function place(instrument: Instrument, side: 'buy' | 'sell', quantity: Decimal, terms: ManualTerms): string | null {
    return act({ kind: 'place-order', account, symbol: instrument.symbol, side, quantity, terms });
  }

  /** With somebody whose order is there for it alone: either both of them trade, or nothing is left. */
  function tradeByHand(side: 'buy' | 'sell', quantity: Decimal): boolean {
    const { instrument, price, counterparty } = ELSEWHERE;
    const terms = { type: 'LIMIT', price } as const;
    const other = { account: counterparty, symbol: instrument.symbol, side: side === 'buy' ? 'sell' : 'buy' } as const;
    const offered = applyOwnerAction(exchange(), { kind: 'place-order', ...other, quantity, terms }, parts.now());
    if (!offered.ok || offered.value.kind !== 'order') return false;
    if (place(instrument, side, quantity, terms) !== null) return true;
    const { orderId } = offered.value;
    applyOwnerAction(exchange(), { kind: 'cancel-order', account: counterparty, orderId }, parts.now());
    return false;
  }

  function priceOf(instrument: Instrument): Decimal | null {
    const best = market().best(instrument.symbol, 'buy');
    return best ? instrument.tickSize.mul(best.price) : null;
  }

  /**
   * One after the other, the first a moment from now: where the world stands still meanwhile, not all at once
   * afterwards (seed 9350).
   */
  function burst(left: number, trade: () => void, inMs = 0): void {
    if (left === 0) return;
    parts.later(inMs, () => {
      trade();
      burst(left - 1, trade, BURST_EVERY_MS);
    });
  }

  function manual(instrument: Instrument, stream: RandomStream, notional: number): boolean {
    const price = priceOf(instrument);
    const side = uniform(stream) < 1 / 2 ? 'buy' : 'sell';
    return price !== null && place(instrument, side, lots(instrument, notional, price), { type: 'MARKET' }) !== null;
  }

  /** Small orders far below the market: rows of a list, and little money. */
  function many(instrument: Instrument): boolean {
    const price = priceOf(instrument);
    if (price === null) return false;
    const ids: string[] = [];
    for (let i = 0; i < MANY_ORDERS; i += 1) {
      const far = below(instrument, price, [0.6, i]);
      const placed = place(instrument, 'buy', lots(instrument, 150, far), { type: 'LIMIT', price: far });
      if (placed !== null) ids.push(placed);
    }
    parts.later(LONGEST_HOLD_MS, () => {
      for (const orderId of ids) act({ kind: 'cancel-order', account, orderId });
    });
    return ids.length > 0;
  }

  /** An order like one of the bot's, or against one of the bot's. */
  function likeOwn(stream: RandomStream, how: 'twin' | 'against'): boolean {
    const own = oracle.live().filter(({ maker }) => maker.kind === 'bot');
    const order = market().order(own[pick(stream, own.length)]?.orderId ?? '');
    const instrument = order && market().instrument(order.symbol);
    if (!order || !instrument) return false;
    const side = how === 'twin' ? order.side : order.side === 'buy' ? 'sell' : 'buy';
    const placed = place(instrument, side, instrument.lotSize.mul(order.quantity), {
      type: 'LIMIT',
      price: instrument.tickSize.mul(order.price),
    });
    if (placed !== null && how === 'twin') cancelLater(placed);
    return placed !== null;
  }

  const cancelLater = (orderId: string): void =>
    parts.later(LONGEST_HOLD_MS, () => act({ kind: 'cancel-order', account, orderId }));

  /** The same price as a create that is unknown, or as an order where none is, and less of it. */
  function smallerTwin(): boolean {
    const all = [...parts.placed()];
    const unknown = all.filter(({ state }) => state === 'sent' || state === 'unknown');
    const models = unknown.length > 0 ? unknown : all;
    const model = models[pick(smaller, models.length)];
    const instrument = traded.find(({ symbol }) => symbol === model?.symbol);
    if (!model || !instrument) return false;
    const price = decimal(model.price);
    const quantity = decimal(model.quantity)
      .mul(0.2 + 0.6 * uniform(smaller))
      .div(instrument.lotSize)
      .floor()
      .mul(instrument.lotSize);
    if (quantity.mul(price).lt(instrument.minNotional)) return false;
    const placed = place(instrument, model.side, quantity, { type: 'LIMIT', price });
    if (placed !== null) cancelLater(placed);
    return placed !== null;
  }

  function rewrite(stream: RandomStream, how: Rewriting['how']): boolean {
    const all = exchange().accounts.get(account)?.fills ?? [];
    // What happens to trades in other markets the bot can't explain (decision 0018).
    const known = all.filter(({ row }) => row.symbol !== ELSEWHERE.instrument.symbol);
    // Of what is older than a day no list need tell, and a person is asked.
    const fills = known.filter(({ row }) => row.time > parts.now() - DAY);
    const fill = fills[fills.length - 1 - pick(stream, Math.min(5, fills.length))]?.row;
    const instrument = traded.find(({ symbol }) => symbol === fill?.symbol);
    if (fill === undefined || instrument === undefined) return false;
    const done = act(rewritten(fill, { how, share: how === 'quantity' ? uniform(stream) : 0, instrument }));
    oracle.rewrote(fill.orderId);
    return done !== null;
  }

  return (fault, stream) => {
    const instrument = anyInstrument(stream);
    const { base, quote } = instrument;
    switch (fault) {
      case 'lock-funds': {
        const asset = uniform(stream) < 1 / 2 ? quote : base;
        const amount = share(asset, stream, 0.95);
        const purpose = (plan.firstKinds ? null : LOCK_PURPOSES[pick(purposes, LOCK_PURPOSES.length)]) ?? 'p2p';
        const done = act({ kind: 'lock', account, asset, amount, purpose }) !== null;
        if (done) parts.later(LONGEST_HOLD_MS, () => act({ kind: 'unlock', account, asset, amount, purpose }));
        return done;
      }
      case 'many-orders':
        return many(instrument);
      case 'twin-order':
        return !plan.firstKinds && chance(smaller, 1 / 2) ? smallerTwin() : likeOwn(stream, 'twin');
      case 'take-own-order':
        return likeOwn(stream, 'against');
      case 'delay-trade':
        return (
          act({
            kind: 'delay-next-trades',
            account,
            count: 1 + pick(stream, 3),
            forMs: Math.ceil(uniform(stream) * plan.spareLagMs),
          }) !== null
        );
      case 'standing-orders':
        return placeStandingOrders(act, profileOf(plan));
      case 'burst-of-trades': {
        const trades = BURSTS[pick(stream, BURSTS.length)] ?? 0;
        burst(trades, () => manual(instrument, stream, 300));
        return true;
      }
      case 'trades-at-once': {
        let done = 0;
        for (let i = 0; i < AT_ONCE; i += 1) if (manual(instrument, stream, 300)) done += 1;
        return done > 0;
      }
      case 'bust-trade':
        return rewrite(stream, uniform(stream) < 1 / 2 ? 'bust' : 'correct');
      case 'correct-trade':
        return rewrite(stream, 'correct');
      case 'correct-quantity':
        return rewrite(stream, 'quantity');
      case 'cancel-own-orders':
        return endings.byOwner(stream);
      case 'expire-order':
        return endings.byExpiry(stream);
      case 'deposit':
        return flows.deposit(instrument, decimal(1 + pick(stream, 9)));
      case 'withdrawal':
        return flows.withdrawal(instrument, (asset) => share(asset, stream, 0.2));
      case 'simple-trade': {
        const price = priceOf(instrument);
        if (price === null) return false;
        const side = uniform(stream) < 1 / 2 ? 'buy' : 'sell';
        const quantity = lots(instrument, 5_000, price);
        // Coins are simply bought and sold for INR, whatever the quote of their market.
        return flows.simpleTrade({ coin: base, side, price: price.mul(worthOf(quote)), quantity });
      }
      case 'manual-trade':
        return manual(instrument, stream, 2_000 + 20_000 * uniform(stream));
      case 'manual-order': {
        const best = priceOf(instrument);
        const price = best && below(instrument, best, [0.97, 0]);
        const placed =
          price &&
          place(instrument, 'buy', lots(instrument, 20_000 + 200_000 * uniform(stream), price), {
            type: 'LIMIT',
            price,
          });
        if (placed) parts.later(LONGEST_HOLD_MS, () => act({ kind: 'cancel-order', account, orderId: placed }));
        return Boolean(placed);
      }
      default:
        return assertNever(fault);
    }
  };
}
