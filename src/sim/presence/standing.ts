// What of the bot's orders stands in the market at one moment, and how near to it: the exchange's own book.
import type { Side } from '../../domain/order.ts';
import { SECOND } from '../../domain/time.ts';
import { reader } from '../../matching/engine.ts';
import type { BookLevel } from '../../matching/market-reader.ts';
import type { RunSettings, TraderSettings } from '../../trader/settings.ts';
import type { Profile } from '../profile/profile.ts';
import type { Scene } from '../scene.ts';

export const SIDES: readonly Side[] = ['buy', 'sell'];
const BPS = 10_000;

/** By side: how many orders of the bot's rest. */
export type Standing = Readonly<Record<Side, number>>;

interface Near {
  /** How far the bot means to quote. */
  readonly widthBps: number;
  /**
   * What the market commonly moves while a book may still be believed: so near to it, or far, an order may have come.
   */
  readonly movedBps: number;
}

const ownOrders = (scene: Scene, symbol: string) =>
  reader(scene.exchange().engine)
    .ordersOf(scene.account, symbol)
    .filter(({ orderId }) => scene.oracle.orders.get(orderId)?.maker.kind === 'bot');

/** Wherever they rest. */
export function restingOf(scene: Scene, { instrument }: RunSettings): Standing {
  const own = ownOrders(scene, instrument.symbol);
  const count = (of: Side): number => own.filter(({ side }) => side === of).length;
  return { buy: count('buy'), sell: count('sell') };
}

/** Those that are no further from the middle of the others than they may be. */
export function standingOf(scene: Scene, { instrument }: RunSettings, { widthBps, movedBps }: Near): Standing {
  const { symbol } = instrument;
  const market = reader(scene.exchange().engine);
  const own = ownOrders(scene, symbol);
  const bestOfOthers = (side: Side): number | null => {
    const ours = own.filter((order) => order.side === side);
    const theirs = ({ price, quantity }: BookLevel): number =>
      ours.reduce<number>((left, order) => (order.price === price ? left - order.remaining : left), quantity);
    return market.levels(symbol, side, ours.length + 1).find((level) => theirs(level) > 0)?.price ?? null;
  };
  const [bid, ask] = [bestOfOthers('buy'), bestOfOthers('sell')];
  if (bid === null || ask === null) return { buy: 0, sell: 0 };
  const middle = (bid + ask) / 2;
  const near = (side: Side): number =>
    own.filter((order) => {
      const distance = ((side === 'buy' ? middle - order.price : order.price - middle) / middle) * BPS;
      return order.side === side && distance >= -movedBps && distance <= widthBps + movedBps;
    }).length;
  return { buy: near('buy'), sell: near('sell') };
}

/** How far its parameters let a run quote: the outermost level, the lean of prices, and what an order may be off. */
export function widthBpsOf({ params, refresh }: Pick<RunSettings, 'params' | 'refresh'>): number {
  const { levels, halfSpreadBps, halfSpreadStepBps, skewBps } = params as Readonly<Record<string, number>>;
  const outermost = (halfSpreadBps ?? 0) + ((levels ?? 1) - 1) * (halfSpreadStepBps ?? 0);
  return outermost + (skewBps ?? 0) + refresh.priceToleranceBps;
}

/** What the market commonly moves while a book may still be believed. */
export const movedBpsOf = ({ walk }: Profile, { ageLimits }: Pick<TraderSettings, 'ageLimits'>): number =>
  walk.volatilityBpsPerSqrtSecond * Math.sqrt(ageLimits.bookMs / SECOND);
