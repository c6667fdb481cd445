// The booked trades and their content: a trade is booked once, and a changed one is noticed (order-truth §4).
import { orderId, type TradeId, tradeId } from '../domain/ids.ts';
import { type InstrumentSymbol, parseSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { type Amount, amountText, parseAmount } from './amount.ts';
import type { BookableFill, FillBooking, FillOrigin } from './fill-entries.ts';

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

/** Marks a trade that was booked and reversed: if it appears again, it is new. */
const TAKEN_BACK = '';

/** `same`: booked with this content. `corrected`: booked with other content; reverse it and book it again. */
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

/** The set without a booked trade. A trade that is not in it can't be taken back. */
export function takeBackTrade(trades: BookedTrades, trade: TradeName): BookedTrades {
  invariant(bookedAs(trades, trade) !== null, () => `Trade ${trade.tradeId} of ${trade.symbol} is not booked.`);
  return { contents: setText(trades.contents, keyOf(trade), TAKEN_BACK), takenBack: trades.takenBack + 1 };
}

/**
 * Identifies a row of own trades. A trade with ourselves leaves two rows with one id, one on each side; a correction
 * that turned a trade to the other side would look the same, and the wallet would show it.
 */
export type TradeName = Pick<BookableFill, 'symbol' | 'tradeId' | 'side'>;

/** The booking of the trade, for its reversal; `null` when it was not booked. `fill.tradeId` is the requested id. */
export function bookedAs(trades: BookedTrades, trade: TradeName): FillBooking | null {
  const kept = keptOf(trades, trade);
  return kept === null ? null : parseContent(kept, trade.symbol, trade.tradeId);
}

export const bookedCount = (trades: BookedTrades): number => trades.contents.size - trades.takenBack;

function keptOf(trades: BookedTrades, trade: TradeName): string | null {
  const kept = getText(trades.contents, keyOf(trade));
  return kept === undefined || kept === TAKEN_BACK ? null : kept;
}

/** All bookings as one text that is the same for equal sets; for a state hash. Costs a sort of everything. */
export function bookedTradesText(trades: BookedTrades): string {
  return [...pairsOf(trades.contents)]
    .filter(([, content]) => content !== TAKEN_BACK)
    .map(([key, content]) => `${key} ${content}`)
    .sort()
    .join('\n');
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

// A map from text to text for hundreds of thousands of keys with cheap changed copies.

// A tree of fixed depth: three levels of 32 branches chosen by bits of the key's hash, then a short list of keys and
// values. Setting a key copies the three nodes above it and its list; the rest is shared with the previous map.
const BITS = 5;
const BRANCHES = 1 << BITS;
const MASK = BRANCHES - 1;
const LEVELS = 3;

/** Alternating keys and values. */
type Leaf = readonly string[];
type Node = readonly (Node | Leaf | undefined)[];

interface PersistentMap {
  readonly root: Node;
  readonly size: number;
}

const EMPTY_NODE: Node = new Array<undefined>(BRANCHES).fill(undefined);
export const EMPTY_MAP: PersistentMap = { root: EMPTY_NODE, size: 0 };
export const NO_TRADES: BookedTrades = { contents: EMPTY_MAP, takenBack: 0 };

export function getText(map: PersistentMap, key: string): string | undefined {
  const hash = hashOf(key);
  let node: Node = map.root;
  for (let level = 0; level < LEVELS - 1; level += 1) {
    const next = node[branchOf(hash, level)];
    if (next === undefined) return undefined;
    node = next as Node;
  }
  const leaf = node[branchOf(hash, LEVELS - 1)] as Leaf | undefined;
  if (leaf === undefined) return undefined;
  const at = indexOf(leaf, key);
  return at < 0 ? undefined : leaf[at + 1];
}

/** A map with one value added or replaced; the given map stays unchanged. */
export function setText(map: PersistentMap, key: string, text: string): PersistentMap {
  const change = { key, text, hash: hashOf(key), added: 0 };
  const root = setIn(map.root, 0, change);
  return { root, size: map.size + change.added };
}

/** All pairs, in arbitrary order. */
export function* pairsOf(map: PersistentMap): Generator<[string, string]> {
  yield* pairsUnder(map.root, 0);
}

function* pairsUnder(node: Node, level: number): Generator<[string, string]> {
  for (const child of node) {
    if (child === undefined) continue;
    if (level < LEVELS - 1) yield* pairsUnder(child as Node, level + 1);
    else for (let i = 0; i < child.length; i += 2) yield [child[i] as string, child[i + 1] as string];
  }
}

interface Setting {
  readonly key: string;
  readonly text: string;
  readonly hash: number;
  added: number;
}

function setIn(node: Node, level: number, change: Setting): Node {
  const branch = branchOf(change.hash, level);
  const copy = node.slice();
  const child = node[branch];
  copy[branch] =
    level < LEVELS - 1
      ? setIn((child as Node | undefined) ?? EMPTY_NODE, level + 1, change)
      : setInLeaf((child as Leaf | undefined) ?? [], change);
  return copy;
}

function setInLeaf(leaf: Leaf, change: Setting): Leaf {
  const at = indexOf(leaf, change.key);
  if (at < 0) {
    change.added = 1;
    return [...leaf, change.key, change.text];
  }
  return leaf.with(at + 1, change.text);
}

function indexOf(leaf: Leaf, key: string): number {
  for (let i = 0; i < leaf.length; i += 2) if (leaf[i] === key) return i;
  return -1;
}

const branchOf = (hash: number, level: number): number => (hash >>> (level * BITS)) & MASK;

/** FNV-1a over the UTF-16 units, with the high bits mixed into the low ones, which choose the branches. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
