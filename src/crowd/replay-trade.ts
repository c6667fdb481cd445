// A recorded trade, sent into the engine as the taker that it was.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { opposite, type Side } from '../domain/order.ts';
import type { MarketReader } from '../matching/market-reader.ts';
import type { EngineCommand, EngineOrder, Lots, Ticks } from '../matching/types.ts';
import type { TapeTrade } from '../tape/types.ts';
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from './types.ts';

export interface Replayed {
  readonly symbol: InstrumentSymbol;
  readonly trade: TapeTrade;
  /** Lots that the trade meets at its price before anybody in the engine (`unseen-queue.ts`). */
  readonly unseenAhead: number;
}

/**
 * Immediate-or-cancel at the recorded price with the recorded quantity: it meets better prices first and then the queue
 * at its price in order of priority, ours included. A trade proves that nobody else stood at a better price any more,
 * on either side, so what the crowd still has there is canceled first. It also proves that somebody stood at its price,
 * whom the book before did not show: what it lacks there is placed behind everyone. Only where an order of others
 * stands between the two, the quantity that it lacks is not played.
 */
export function replayTrade(market: MarketReader, { symbol, trade, unseenAhead }: Replayed): readonly EngineCommand[] {
  const { takerSide } = trade;
  const makerSide = opposite(takerSide);
  const price = trade.priceTicks as Ticks;
  const quantity = (trade.quantityLots - unseenAhead) as Lots;
  const better = ordersUntil(market, { symbol, side: makerSide, isBeyond: (at) => !isBetter(at, price) });
  const commands = better.filter(isCrowds).map(cancelOf);
  if (quantity === 0) return commands;
  const meets =
    quantityOf(better.filter((order) => !isCrowds(order))) + quantityOf(market.queue(symbol, makerSide, price));
  const standing = ordersUntil(market, { symbol, side: takerSide, isBeyond: (at) => isBetter(at, price) });
  const hasRoom = standing.every(isCrowds);
  if (hasRoom) commands.push(...standing.map(cancelOf));
  const order = { kind: 'create', symbol, price } as const;
  const lacks = Math.max(0, quantity - meets) as Lots;
  if (hasRoom && lacks > 0) commands.push({ ...order, account: CROWD_ACCOUNT, side: makerSide, quantity: lacks });
  if (hasRoom || meets > 0)
    commands.push({ ...order, account: CROWD_TAKER_ACCOUNT, side: takerSide, quantity, immediateOrCancel: true });
  return commands;

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

const cancelOf = ({ account, orderId }: EngineOrder): EngineCommand => ({ kind: 'cancel', account, orderId });

const quantityOf = (orders: readonly EngineOrder[]): number =>
  orders.reduce((sum, { remaining }) => sum + remaining, 0);
