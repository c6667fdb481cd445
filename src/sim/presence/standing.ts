// What of the bot's orders stands in the market at one moment, and how near to it: the exchange's own book.
import type { Side } from '../../domain/order.ts';
import { reader } from '../../matching/engine.ts';
import type { BookLevel } from '../../matching/market-reader.ts';
import type { RunSettings } from '../../trader/settings.ts';
import type { Scene } from '../scene.ts';

export const SIDES: readonly Side[] = ['buy', 'sell'];
const BPS = 10_000;

/** By side: whether an order of the bot's rests that is no further from the middle of the others than it may be. */
export type Standing = Readonly<Record<Side, boolean>>;

interface Near {
  /** How far the bot means to quote. */
  readonly widthBps: number;
  /**
   * What the market commonly moves while a book may still be believed: so near to it, or far, an order may have come.
   */
  readonly movedBps: number;
}

export function standingOf(scene: Scene, { instrument }: RunSettings, { widthBps, movedBps }: Near): Standing {
  const { symbol } = instrument;
  const market = reader(scene.exchange().engine);
  const own = market
    .ordersOf(scene.account, symbol)
    .filter(({ orderId }) => scene.oracle.orders.get(orderId)?.maker.kind === 'bot');
  const bestOfOthers = (side: Side): number | null => {
    const ours = own.filter((order) => order.side === side);
    const theirs = ({ price, quantity }: BookLevel): number =>
      ours.reduce<number>((left, order) => (order.price === price ? left - order.remaining : left), quantity);
    return market.levels(symbol, side, ours.length + 1).find((level) => theirs(level) > 0)?.price ?? null;
  };
  const [bid, ask] = [bestOfOthers('buy'), bestOfOthers('sell')];
  if (bid === null || ask === null) return { buy: false, sell: false };
  const middle = (bid + ask) / 2;
  const isNear = (side: Side): boolean =>
    own.some((order) => {
      const distance = ((side === 'buy' ? middle - order.price : order.price - middle) / middle) * BPS;
      return order.side === side && distance >= -movedBps && distance <= widthBps + movedBps;
    });
  return { buy: isNear('buy'), sell: isNear('sell') };
}

/** How far its parameters let a run quote: the outermost level, the lean of prices, and what an order may be off. */
export function widthBpsOf({ params, refresh }: Pick<RunSettings, 'params' | 'refresh'>): number {
  const { levels, halfSpreadBps, halfSpreadStepBps, skewBps } = params as Readonly<Record<string, number>>;
  const outermost = (halfSpreadBps ?? 0) + ((levels ?? 1) - 1) * (halfSpreadStepBps ?? 0);
  return outermost + (skewBps ?? 0) + refresh.priceToleranceBps;
}
