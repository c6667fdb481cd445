// What the exchange itself holds of one account and of the others, as numbers: read at one moment, changed by nothing.
import type { Asset, Instrument } from '../../src/domain/instrument.ts';
import type { Side } from '../../src/domain/order.ts';
import type { BookLevel, MarketReader } from '../../src/matching/types.ts';
import type { OwnOrder, SymbolTruth } from './presence.ts';

/** What an account holds of an asset. */
export interface Holding {
  readonly free: number;
  readonly locked: number;
}

interface Reading {
  readonly market: MarketReader;
  readonly account: string;
}

/** The truth about one market. */
export function symbolTruth({ market, account }: Reading, instrument: Instrument): SymbolTruth {
  const [tick, lot] = [instrument.tickSize.toNumber(), instrument.lotSize.toNumber()];
  const own = market.ordersOf(account, instrument.symbol);
  const orders = own.map(
    ({ orderId, side, price, remaining }): OwnOrder => ({
      orderId,
      side,
      price: price * tick,
      remaining: remaining * lot,
    }),
  );
  const bestOfOthers = (side: Side): number | null => {
    const ours = own.filter((order) => order.side === side);
    const levels = market.levels(instrument.symbol, side, ours.length + 1);
    const theirs = (level: BookLevel): number =>
      ours.reduce<number>(
        (left, { price, remaining }) => (price === level.price ? left - remaining : left),
        level.quantity,
      );
    const best = levels.find((level) => theirs(level) > 0);
    return best === undefined ? null : best.price * tick;
  };
  const [bid, ask] = [bestOfOthers('buy'), bestOfOthers('sell')];
  return { mid: bid === null || ask === null ? null : (bid + ask) / 2, orders };
}

/** A holding in whole assets. */
export function holdingOf({ market, account }: Reading, asset: Asset, assetDecimals: number): Holding {
  const { free, locked } = market.balance(account, asset);
  const unit = 10 ** assetDecimals;
  return { free: Number(free) / unit, locked: Number(locked) / unit };
}
