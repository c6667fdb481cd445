// The booked trades and their content: a trade is booked once, and a changed one is noticed (order-truth §4).
import { orderId, type TradeId, tradeId } from '../domain/ids.ts';
import { type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { amountText, exactAmount } from './amount.ts';
import type { BookableFill, FillBooking, FillOrigin } from './fill-entries.ts';

/**
 * By name: the kept content of each booked trade, which is what moves money and whose order it was, as text, so that a
 * correction can be undone from here. Time and liquidity are not kept: a trade whose time alone differs is the same.
 *
 * Keep one map per list of the venue's: ids of spot trades and of simple buy/sell are numbers of different series.
 */
export type BookedTrades = Map<string, string>;

/** `same`: booked with this content. `corrected`: booked with other content; reverse it and book it again. */
export function checkTrade(trades: BookedTrades, fill: BookableFill): 'new' | 'same' | 'corrected' {
  const kept = trades.get(keyOf(fill));
  if (kept === undefined) return 'new';
  return kept.slice(kept.indexOf(' ') + 1) === contentOf(fill) ? 'same' : 'corrected';
}

/** Adds this booking, in place of an earlier one of the same trade. */
export function addTrade(trades: BookedTrades, { fill, origin }: FillBooking): void {
  trades.set(keyOf(fill), `${origin} ${contentOf(fill)}`);
}

/** Removes a booked trade, which must be there: if it appears again, it is new. */
export function removeTrade(trades: BookedTrades, trade: TradeName): void {
  invariant(trades.delete(keyOf(trade)), () => `Trade ${trade.tradeId} of ${trade.symbol} is not booked.`);
}

/**
 * Identifies a row of own trades. A trade with ourselves leaves two rows with one id, one on each side; a correction
 * that turned a trade to the other side would look the same, and the wallet would show it.
 */
export type TradeName = Pick<BookableFill, 'symbol' | 'tradeId' | 'side'>;

/** The booking of the trade, for its reversal; `null` when it was not booked. `fill.tradeId` is the requested id. */
export function bookedAs(trades: BookedTrades, trade: TradeName): FillBooking | null {
  const kept = trades.get(keyOf(trade));
  return kept === undefined ? null : parseContent(kept, trade.symbol, trade.tradeId);
}

/** Leading zeros don't make a different trade: the venue may write an id once as text and once as a number. */
function keyOf({ symbol, tradeId: id, side }: TradeName): string {
  return `${symbol} ${id.replace(/^0+(?=\d)/, '')} ${side}`;
}

function contentOf(fill: BookableFill): string {
  const { side, price, quantity, quoteQuantity, commission, tds, commissionAsset, orderId } = fill;
  const numbers = [price, quantity, quoteQuantity, commission, tds].map(amountText);
  return JSON.stringify([side, commissionAsset, orderId, ...numbers]);
}

function parseContent(text: string, symbol: InstrumentSymbol, id: TradeId): FillBooking {
  const space = text.indexOf(' ');
  const [side, commissionAsset, order, ...numbers] = JSON.parse(text.slice(space + 1)) as string[];
  const [price, quantity, quoteQuantity, commission, tds] = numbers.map(exactAmount);
  const assets = parseSymbol(symbol);
  const whole =
    price !== undefined && quantity !== undefined && quoteQuantity !== undefined && commission !== undefined;
  const named = commissionAsset !== undefined && order !== undefined && (side === 'buy' || side === 'sell');
  invariant(
    assets !== null && whole && tds !== undefined && named,
    () => `Trade ${id} of ${symbol} is kept as '${text}'.`,
  );
  const amounts = { price, quantity, quoteQuantity, commission, tds };
  const fill: BookableFill = {
    symbol,
    ...assets,
    tradeId: tradeId(id),
    orderId: orderId(order),
    side,
    ...amounts,
    commissionAsset,
  };
  return { origin: text.slice(0, space) as FillOrigin, fill };
}
