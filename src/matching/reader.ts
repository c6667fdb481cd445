// The engine as others may see it: values, never the live parts.

import type { PriceLevel } from './book/price-level.ts';
import type { EngineState } from './engine-state.ts';
import { liveOrder } from './engine-state.ts';
import { describeOrder } from './market.ts';
import type { BookLevel, MarketReader } from './market-reader.ts';
import type { EngineOrder, Lots, Ticks } from './types.ts';

/**
 * A view of the state that stays true as the state moves on: it reads what is there when asked. What it returns are
 * copies. An unknown symbol has empty sides, an unknown account no orders and nothing in its balances.
 */
export function reader(state: EngineState): MarketReader {
  const known = readers.get(state);
  if (known !== undefined) return known;
  const made = readerOf(state);
  readers.set(state, made);
  return made;
}

/** One view of each engine, gone with it: views hold nothing of their own, and one is asked for with every command. */
const readers = new WeakMap<EngineState, MarketReader>();

function readerOf(state: EngineState): MarketReader {
  const { markets, accounts } = state;
  return {
    instrument: (symbol) => markets.get(symbol)?.instrument,
    levels: (symbol, side, depth) => (markets.get(symbol)?.book.levels(side, depth) ?? []).map(describeLevel),
    best: (symbol, side) => {
      const level = markets.get(symbol)?.book.best(side);
      return level && describeLevel(level);
    },
    queue: (symbol, side, price) => (markets.get(symbol)?.book.queue(side, price) ?? []).map(describeOrder),
    order: (orderId) => {
      const order = liveOrder(state, orderId);
      return order && describeOrder(order);
    },
    ordersOf: (account, symbol) => {
      const market = symbol === undefined ? undefined : markets.get(symbol);
      const wanted: EngineOrder[] = [];
      for (const order of accounts.get(account)?.orders ?? [])
        if (symbol === undefined || order.info.market === market) wanted.push(describeOrder(order));
      return wanted;
    },
    balance: (account, asset) => {
      const { free, locked } = accounts.get(account)?.holdings.get(asset) ?? NOTHING;
      return { free, locked };
    },
    lastTrade: (symbol) => markets.get(symbol)?.lastTrade,
  };
}

const NOTHING = { free: 0n, locked: 0n } as const;

function describeLevel({ price, quantity }: PriceLevel<unknown>): BookLevel {
  return { price: price as Ticks, quantity: quantity as Lots };
}
