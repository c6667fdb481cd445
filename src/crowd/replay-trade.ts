// A recorded trade, sent into the engine as the taker that it was.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { opposite, type Side } from '../domain/order.ts';
import type { MarketReader } from '../matching/market-reader.ts';
import type { EngineCommand, EngineOrder, Lots, Ticks } from '../matching/types.ts';
import type { TapeTrade } from '../tape/types.ts';
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from './types.ts';

type CreateCommand = Extract<EngineCommand, { kind: 'create' }>;

export interface Replayed {
  readonly symbol: InstrumentSymbol;
  readonly trade: TapeTrade;
  /** Lots that the trade meets at its price before anybody in the engine (`unseen-queue.ts`). */
  readonly unseenAhead: number;
}

/**
 * Commands that trade the whole recorded quantity. The taker meets better prices first and then the queue at its own
 * price in order of priority, our orders included. A trade proves that nobody else stood at a better price, on either
 * side, so the crowd's orders there are canceled first. It also proves that a maker stood at its price, who brings what
 * the book lacks there: first against orders of others in the way, as a recorded book does that moves through them,
 * then behind everyone at that price.
 */
export function replayTrade(market: MarketReader, { symbol, trade, unseenAhead }: Replayed): readonly EngineCommand[] {
  const { takerSide } = trade;
  const makerSide = opposite(takerSide);
  const price = trade.priceTicks as Ticks;
  const better = ordersUntil(market, { symbol, side: makerSide, isBeyond: (at) => !isBetter(at, price) });
  const inTheWay = ordersUntil(market, { symbol, side: takerSide, isBeyond: (at) => isBetter(at, price) });
  const queue = market.queue(symbol, makerSide, price);
  const commands = [...better, ...inTheWay].filter(isCrowds).map(cancelOf);
  const throughOthers = Math.min(trade.quantityLots, quantityOf(inTheWay.filter(isOthers)));
  const quantity = trade.quantityLots - throughOthers;
  const meets = quantityOf(better.filter(isOthers)) + quantityOf(queue);
  const lacks = Math.max(quantity - meets, unseenAhead - quantityOf(queue.filter(isCrowds)));
  const takes = { kind: 'create', account: CROWD_TAKER_ACCOUNT, symbol, price, immediateOrCancel: true } as const;
  const steps: readonly CreateCommand[] = [
    { ...takes, side: makerSide, quantity: throughOthers as Lots },
    { kind: 'create', account: CROWD_ACCOUNT, symbol, price, side: makerSide, quantity: lacks as Lots },
    { ...takes, side: takerSide, quantity: unseenAhead as Lots, meetsOnly: CROWD_ACCOUNT },
    { ...takes, side: takerSide, quantity: (quantity - unseenAhead) as Lots },
  ];
  return [...commands, ...steps.filter((step) => step.quantity > 0)];

  /** For the taker: lower where he buys, higher where he sells. */
  function isBetter(one: number, other: number): boolean {
    return takerSide === 'buy' ? one < other : one > other;
  }
}

interface Best {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  /** Whether a price is no longer among those that are meant. */
  readonly isBeyond: (price: Ticks) => boolean;
}

/** The resting orders of a side from the best price on. */
function ordersUntil(market: MarketReader, { symbol, side, isBeyond }: Best): EngineOrder[] {
  const best = market.best(symbol, side);
  if (best === undefined || isBeyond(best.price)) return [];
  const orders: EngineOrder[] = [];
  for (const { price } of market.levels(symbol, side, Number.MAX_SAFE_INTEGER)) {
    if (isBeyond(price)) break;
    orders.push(...market.queue(symbol, side, price));
  }
  return orders;
}

const isCrowds = ({ account }: EngineOrder): boolean => account === CROWD_ACCOUNT;

const isOthers = (order: EngineOrder): boolean => !isCrowds(order);

const cancelOf = ({ account, orderId }: EngineOrder): EngineCommand => ({ kind: 'cancel', account, orderId });

const quantityOf = (orders: readonly EngineOrder[]): number =>
  orders.reduce((sum, { remaining }) => sum + remaining, 0);
