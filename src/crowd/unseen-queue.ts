// What stands before orders of others at a price that was beyond the recorded levels when they came there: a recording
// of 25 levels says nothing of the 26th, and an order there is not the first of its queue.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { opposite, type Side } from '../domain/order.ts';
import type { MarketReader } from '../matching/market-reader.ts';
import type { EngineOrder, Ticks } from '../matching/types.ts';
import type { TapeBook, TapeLevel, TapeTrade } from '../tape/types.ts';
import { CROWD_ACCOUNT } from './types.ts';

/** Lots by side and price; plain data. The crowd's own orders stand behind: a trade meets these first. */
export interface Unseen {
  readonly buy: Readonly<Record<string, number>>;
  readonly sell: Readonly<Record<string, number>>;
}

export const NOTHING_UNSEEN: Unseen = { buy: {}, sell: {} };

export interface Shown {
  readonly symbol: InstrumentSymbol;
  readonly book: TapeBook;
  /** The recorded book before it. */
  readonly before: TapeBook | null;
  /** Of what comes into view this share came after our orders. */
  readonly cancelAheadRatio: number;
}

/** As a recorded book shows it; to be asked before the crowd acts on that book. */
export function unseenAt(market: MarketReader, shown: Shown, unseen: Unseen): Unseen {
  return {
    buy: unseenOn(market, shown, { side: 'buy', unseen }),
    sell: unseenOn(market, shown, { side: 'sell', unseen }),
  };
}

function unseenOn(
  market: MarketReader,
  { symbol, book, before, cancelAheadRatio }: Shown,
  { side, unseen }: { readonly side: Side; readonly unseen: Unseen },
): Record<string, number> {
  const recorded = levelsOf(book, side);
  const wasOutOfView = outOfView(before, side, recorded.length);
  const next: Record<string, number> = {};
  for (const { priceTicks, quantityLots } of recorded) {
    const known = unseen[side][priceTicks];
    if (known === undefined && !wasOutOfView(priceTicks)) continue;
    const queue = market.queue(symbol, side, priceTicks as Ticks);
    if (!isFirst(queue)) continue;
    if (known !== undefined) next[priceTicks] = Math.min(known, quantityLots);
    else if (queue.every(isOthers)) next[priceTicks] = quantityLots - Math.floor(quantityLots * cancelAheadRatio);
  }
  const last = recorded.at(-1)?.priceTicks;
  for (const [price, lots] of Object.entries(unseen[side])) {
    if (last !== undefined && isBetter(side, last, Number(price))) next[price] = lots;
  }
  return next;
}

/** A side that had fewer levels than it has now was shown to its end: there was nothing at a price beyond. */
function outOfView(before: TapeBook | null, side: Side, count: number): (price: number) => boolean {
  if (before === null) return () => true;
  const levels = levelsOf(before, side);
  const last = levels.at(-1)?.priceTicks;
  return (price) => last !== undefined && levels.length >= count && isBetter(side, last, price);
}

/** How many lots of a trade these take, and what is left of them: nobody stands at a better price any more. */
export function meetUnseen(
  market: MarketReader,
  { symbol, trade }: { readonly symbol: InstrumentSymbol; readonly trade: TapeTrade },
  unseen: Unseen,
): { readonly ahead: number; readonly unseen: Unseen } {
  const side = opposite(trade.takerSide);
  const { priceTicks: price, quantityLots } = trade;
  if (Object.keys(unseen[side]).length === 0) return { ahead: 0, unseen };
  const left = Object.fromEntries(Object.entries(unseen[side]).filter(([at]) => !isBetter(side, Number(at), price)));
  const known = isFirst(market.queue(symbol, side, price as Ticks)) ? (left[price] ?? 0) : 0;
  const ahead = Math.min(known, Math.max(0, quantityLots - betterOfOthers(market, { symbol, side, price })));
  // Where the crowd stands first, the engine knows all who stand ahead.
  if (left[price] !== undefined) left[price] = known - ahead;
  return { ahead, unseen: { ...unseen, [side]: left } };
}

interface Place {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly price: number;
}

/** Lots of others at better prices, which a trade meets first. */
function betterOfOthers(market: MarketReader, { symbol, side, price }: Place): number {
  let lots = 0;
  for (const level of market.levels(symbol, side, Number.MAX_SAFE_INTEGER)) {
    if (!isBetter(side, level.price, price)) break;
    for (const order of market.queue(symbol, side, level.price)) if (isOthers(order)) lots += order.remaining;
  }
  return lots;
}

/** Behind orders of the crowd's the engine itself knows the place. */
const isFirst = ([front]: readonly EngineOrder[]): boolean => front !== undefined && isOthers(front);

const isOthers = ({ account }: EngineOrder): boolean => account !== CROWD_ACCOUNT;

const levelsOf = (book: TapeBook, side: Side): readonly TapeLevel[] => (side === 'buy' ? book.bids : book.asks);

/** Nearer to the other side of the book. */
function isBetter(side: Side, one: number, other: number): boolean {
  return side === 'buy' ? one > other : one < other;
}
