// A recorded trade, sent into the engine as the taker that it was.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { opposite } from '../domain/order.ts';
import type { MarketReader } from '../matching/market-reader.ts';
import type { EngineCommand, Lots, Ticks } from '../matching/types.ts';
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
 * so what the crowd still has there is canceled first. Nothing is sent where nothing would trade.
 */
export function replayTrade(market: MarketReader, { symbol, trade, unseenAhead }: Replayed): readonly EngineCommand[] {
  const { takerSide } = trade;
  const makerSide = opposite(takerSide);
  const price = trade.priceTicks as Ticks;
  const best = market.best(symbol, makerSide);
  if (best === undefined || isBetter(price, best.price)) return [];
  const commands: EngineCommand[] = [];
  if (isBetter(best.price, price)) {
    for (const level of market.levels(symbol, makerSide, Number.MAX_SAFE_INTEGER)) {
      if (!isBetter(level.price, price)) break;
      for (const { account, orderId } of market.queue(symbol, makerSide, level.price)) {
        if (account === CROWD_ACCOUNT) commands.push({ kind: 'cancel', account, orderId });
      }
    }
  }
  const quantity = (trade.quantityLots - unseenAhead) as Lots;
  if (quantity === 0) return commands;
  commands.push({
    kind: 'create',
    account: CROWD_TAKER_ACCOUNT,
    symbol,
    side: takerSide,
    price,
    quantity,
    immediateOrCancel: true,
  });
  return commands;

  /** For the taker: lower where he buys, higher where he sells. */
  function isBetter(one: number, other: number): boolean {
    return takerSide === 'buy' ? one < other : one > other;
  }
}
