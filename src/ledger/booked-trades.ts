// Which trades have been booked, and as what: a trade is booked once, and a changed one is noticed (order-truth §4).
import { orderId, type TradeId, tradeId } from '../domain/ids.ts';
import { type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { type Amount, amountText, parseAmount } from './amount.ts';
import type { BookableFill } from './bookable-fill.ts';
import type { FillBooking, FillOrigin } from './fill-entries.ts';
import { EMPTY_MAP, getText, type PersistentMap, pairsOf, setText } from './persistent-map.ts';

/**
 * Immutable, and cheap to change: `bookTrade` shares all but a few nodes with the set before. Keep one set per list of
 * the venue's: ids of spot trades and of simple buy/sell are numbers of different series.
 *
 * The content kept of a trade is what moves money and whose order it was, as text, so that a correction can be undone
 * from here. Time and liquidity are not kept: a trade whose time alone differs is the same.
 */
export interface BookedTrades {
  readonly contents: PersistentMap;
  /** How many of them were taken back. */
  readonly takenBack: number;
}

export const NO_TRADES: BookedTrades = { contents: EMPTY_MAP, takenBack: 0 };

/** Stands for a trade that was booked and reversed: should it show again, it is new. */
const TAKEN_BACK = '';

/** `same`: booked with this content. `corrected`: booked with other content, to be reversed and booked anew. */
export function checkTrade(trades: BookedTrades, fill: BookableFill): 'new' | 'same' | 'corrected' {
  const kept = keptOf(trades, fill);
  if (kept === null) return 'new';
  return kept.slice(kept.indexOf(' ') + 1) === contentOf(fill) ? 'same' : 'corrected';
}

/** The set with this booking, in place of an earlier one of the same trade. */
export function bookTrade(trades: BookedTrades, { fill, origin }: FillBooking): BookedTrades {
  const key = keyOf(fill);
  const again = getText(trades.contents, key) === TAKEN_BACK ? 1 : 0;
  return {
    contents: setText(trades.contents, key, `${origin} ${contentOf(fill)}`),
    takenBack: trades.takenBack - again,
  };
}

/** The set without a booked trade. What is not in it can't be taken back. */
export function takeBackTrade(trades: BookedTrades, trade: TradeName): BookedTrades {
  invariant(bookedAs(trades, trade) !== null, () => `Trade ${trade.tradeId} of ${trade.symbol} is not booked.`);
  return { contents: setText(trades.contents, keyOf(trade), TAKEN_BACK), takenBack: trades.takenBack + 1 };
}

/**
 * What names a row of own trades. A trade with ourselves leaves two rows of one id, one on each side; a correction that
 * turned a trade to the other side would look like one of these, and the wallet would tell.
 */
export type TradeName = Pick<BookableFill, 'symbol' | 'tradeId' | 'side'>;

/** What the trade was booked as, to reverse it; `null` when it was not. `fill.tradeId` is the id asked for. */
export function bookedAs(trades: BookedTrades, trade: TradeName): FillBooking | null {
  const kept = keptOf(trades, trade);
  return kept === null ? null : parseContent(kept, trade.symbol, trade.tradeId);
}

export const bookedCount = (trades: BookedTrades): number => trades.contents.size - trades.takenBack;

function keptOf(trades: BookedTrades, trade: TradeName): string | null {
  const kept = getText(trades.contents, keyOf(trade));
  return kept === undefined || kept === TAKEN_BACK ? null : kept;
}

/** All bookings as one text that equal sets share; for a state hash. Costs a sort of everything. */
export function bookedTradesText(trades: BookedTrades): string {
  return [...pairsOf(trades.contents)]
    .filter(([, content]) => content !== TAKEN_BACK)
    .map(([key, content]) => `${key} ${content}`)
    .sort()
    .join('\n');
}

/** Leading zeros don't make another trade: the venue may write an id once as text and once as a number. */
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
  const [price, quantity, quoteQuantity, commission, tds] = numbers.map(keptAmount);
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

function keptAmount(text: string): Amount {
  const read = parseAmount(text);
  invariant(read.ok, () => `Kept amount '${text}' can't be read.`);
  return read.value;
}
