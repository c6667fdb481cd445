// The bot's orders in the market at one moment, and their distance from it, by the exchange's own book.
import type { Side } from '../../src/domain/order.ts';
import { SECOND } from '../../src/domain/time.ts';
import { reader } from '../../src/matching/engine.ts';
import type { BookLevel } from '../../src/matching/types.ts';
import type { RunSettings, TraderSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext } from '../checks/context.ts';
import type { Profile } from '../profile/profile.ts';
import { slackBpsOf, widthBpsOf } from './quoted.ts';

export const SIDES: readonly Side[] = ['buy', 'sell'];
const BPS = 10_000;

/** By side: the number of the bot's resting orders. */
export type Standing = Readonly<Record<Side, number>>;

const ownOrders = (context: CheckContext, symbol: string) =>
  reader(context.exchange().engine)
    .ordersOf(context.account, symbol)
    .filter(({ orderId }) => context.oracle.orders.get(orderId)?.maker.kind === 'bot');

/**
 * Orders no further from the middle of the others than allowed. `movedBps`: the market's usual move while a book is
 * still fresh; an order may be that much nearer or farther.
 */
export function standingOf(context: CheckContext, run: RunSettings, movedBps: number): Standing {
  const { symbol } = run.instrument;
  const market = reader(context.exchange().engine);
  const own = ownOrders(context, symbol);
  const bestOfOthers = (side: Side): number | null => {
    const ours = own.filter((order) => order.side === side);
    const theirs = ({ price, quantity }: BookLevel): number =>
      ours.reduce<number>((left, order) => (order.price === price ? left - order.remaining : left), quantity);
    return market.levels(symbol, side, ours.length + 1).find((level) => theirs(level) > 0)?.price ?? null;
  };
  const [bid, ask] = [bestOfOthers('buy'), bestOfOthers('sell')];
  if (bid === null || ask === null) return { buy: 0, sell: 0 };
  const middle = (bid + ask) / 2;
  const touchBps = ((ask - middle) / middle) * BPS;
  const widthBps = widthBpsOf(run, touchBps);
  const slackBps = movedBps + slackBpsOf(run, touchBps);
  const near = (side: Side): number =>
    own.filter((order) => {
      const distance = ((side === 'buy' ? middle - order.price : order.price - middle) / middle) * BPS;
      return order.side === side && distance >= -slackBps && distance <= widthBps + slackBps;
    }).length;
  return { buy: near('buy'), sell: near('sell') };
}

/** The market's usual move while a book is still fresh. */
export const movedBpsOf = ({ walk }: Profile, { ageLimits }: Pick<TraderSettings, 'ageLimits'>): number =>
  walk.volatilityBpsPerSqrtSecond * Math.sqrt(ageLimits.bookMs / SECOND);
