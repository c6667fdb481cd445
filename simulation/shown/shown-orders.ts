// B2, of orders: what page, status and metrics show of them is what records and wire make of them, in words as in
// numbers.
import { Decimal } from '../../src/domain/decimal.ts';
import type { SideState, Standing } from '../../src/trader/status/side-state.ts';
import type { OrderView, SideView, SymbolView, Verdict } from '../../src/trader/status/snapshot.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import { type FoldedOrder, remainingOf } from '../fold/order-fold.ts';
import type { Differs } from './differs.ts';
import type { ShownBook } from './shown-book.ts';

const BPS = 10_000;
const LEVELS_SHOWN = 12;
const SIDES = ['buy', 'sell'] as const;

/** What an order that is not open is called; an open one is live, unless the bot is about to cancel it. */
const STANDINGS: Readonly<Record<Exclude<FoldedOrder['state'], 'open'>, Standing>> = {
  sent: 'placing',
  unknown: 'unknown',
  'soft-rejected': 'unknown',
  'cancel-sent': 'leaving',
  closing: 'leaving',
  closed: 'leaving',
};

export function judgeOrders(
  view: SymbolView,
  live: readonly FoldedOrder[],
  journal: ReadonlyMap<string, JournalIntent>,
  differs: Differs,
): void {
  differs(`the number of orders of ${view.symbol}`, view.orders.length, live.length);
  for (const order of live) {
    const shown = view.orders.find(({ intentId }) => intentId === order.intentId);
    if (shown === undefined) differs(`intent ${order.intentId}`, 'nothing', order.state);
    else judgeOrder(view, { shown, order, slot: journal.get(order.intentId)?.slot }, differs);
  }
  differs(`the spread that ${view.symbol} quotes`, view.quotedSpreadBps, spreadOf(view.orders));
}

interface Compared {
  readonly shown: OrderView;
  readonly order: FoldedOrder;
  readonly slot: string | undefined;
}

function judgeOrder({ referencePrice }: SymbolView, { shown, order, slot }: Compared, differs: Differs): void {
  const what = (name: string): string => `the ${name} of intent ${order.intentId}`;
  differs(what('side'), shown.side, order.side);
  differs(what('price'), shown.price, order.price.toFixed());
  differs(what('quantity'), shown.quantity, order.quantity.toFixed());
  differs(what('filled part'), shown.filled, order.filled.toFixed());
  differs(what('order id'), shown.orderId, order.orderId);
  differs(what('state'), shown.state, order.state);
  // A second order of a create has no level of its own.
  if (slot !== undefined && slot !== '' && !slot.includes(', second order'))
    differs(what('level'), `${shown.side}:${shown.level}`, slot);
  if (order.sentAt !== null) differs(what('moment'), shown.sentAt, order.sentAt);
  const isKept = order.state === 'open' && shown.standing === 'live';
  const standing = order.state === 'open' ? (isKept ? 'live' : 'leaving') : STANDINGS[order.state];
  differs(what('standing'), shown.standing, standing);
  differs(what('distance'), shown.distanceBps, distanceOf(referencePrice, order));
}

function distanceOf(referencePrice: string | null, { side, price }: FoldedOrder): number | null {
  if (referencePrice === null) return null;
  const away = side === 'buy' ? new Decimal(referencePrice).sub(price) : price.sub(referencePrice);
  return away.mul(BPS).div(referencePrice).toDecimalPlaces(2).toNumber();
}

function spreadOf(orders: readonly OrderView[]): number | null {
  const prices = (of: 'buy' | 'sell') =>
    orders.filter(({ side, standing }) => side === of && standing === 'live').map(({ price }) => new Decimal(price));
  const [bids, asks] = [prices('buy'), prices('sell')];
  if (bids.length === 0 || asks.length === 0) return null;
  const [bid, ask] = [Decimal.max(...bids), Decimal.min(...asks)];
  return ask
    .sub(bid)
    .mul(2 * BPS)
    .div(ask.add(bid))
    .toDecimalPlaces(2)
    .toNumber();
}

/** `isListFresh`: whether the list of own orders is young enough to say that one rests. */
export function judgeSides(view: SymbolView, isListFresh: boolean, differs: Differs): void {
  for (const side of SIDES) {
    const shown = view.sides[side];
    const own = view.orders.filter((order) => order.side === side);
    for (const standing of ['live', 'placing', 'leaving', 'unknown'] as const) {
      const count = own.filter((order) => order.standing === standing).length;
      differs(`how many of the ${side}s of ${view.symbol} are ${standing}`, shown[standing], count);
    }
    differs(`the ${side} side of ${view.symbol}`, shown.state, stateOf(view, side, isListFresh ? shown.live : 0));
    if (shown.state === 'no-quote') differs(`why ${view.symbol} has no ${side}`, shown.why, view.noQuote[side]);
    if (shown.state === 'quoted' || shown.state === view.state) differs(`why of the ${side}s`, shown.why, null);
  }
  const { tone, word } = verdictOf(view);
  differs(`the tone of ${view.symbol}`, view.verdict.tone, tone);
  differs(`the word for ${view.symbol}`, view.verdict.word, word);
}

/** The first that holds, as the list of words says. */
function stateOf(view: SymbolView, side: 'buy' | 'sell', live: number): SideState {
  const { leaving, unknown } = view.sides[side];
  const rules: readonly (readonly [boolean, SideState])[] = [
    [view.state === 'halted', 'halted'],
    [live > 0, 'quoted'],
    [view.state === 'paused', 'paused'],
    [view.state === 'waiting', 'waiting'],
    [view.noQuote[side] !== null, 'no-quote'],
    [leaving > 0, 'leaving'],
    [unknown > 0, 'unknown'],
    [view.denied !== null, 'denied'],
  ];
  return rules.find(([holds]) => holds)?.[1] ?? 'placing';
}

function verdictOf({ state, sides }: SymbolView): Verdict {
  if (state === 'halted') return { tone: 'stop', word: 'Halted' };
  if (state !== 'quoting') return { tone: 'warn', word: state === 'paused' ? 'Paused' : 'Waiting' };
  const missing = SIDES.filter((side) => sides[side].state !== 'quoted');
  if (missing.length === 0) return { tone: 'good', word: 'Quoting' };
  const are = (isSo: (side: SideView) => boolean): boolean => missing.map((side) => sides[side]).some(isSo);
  const onTheWay = ({ state: of }: SideView): boolean => ['leaving', 'placing', 'unknown'].includes(of);
  const isWarned = are(
    (side) => ['unknown', 'denied'].includes(side.state) || (onTheWay(side) && side.missingMs > 15_000),
  );
  if (missing.length === 2)
    return are(onTheWay) && !isWarned ? { tone: 'calm', word: 'Replacing quotes' } : { tone: 'warn', word: 'No quote' };
  const word = missing[0] === 'sell' ? 'Quoting, bid only' : 'Quoting, ask only';
  return { tone: isWarned ? 'warn' : 'calm', word };
}

/** The book that is shown is the one that came, with what rests of the bot's orders at each price. */
export function judgeBook(view: SymbolView, book: ShownBook, live: readonly FoldedOrder[], differs: Differs): void {
  for (const [side, shown, rows] of [
    ['buy', view.bids, book.bids],
    ['sell', view.asks, book.asks],
  ] as const) {
    differs(`the levels of the ${side}s of ${view.symbol}`, shown.length, Math.min(rows.length, LEVELS_SHOWN));
    for (const [place, level] of shown.entries()) {
      const own = live
        .filter((order) => order.side === side && order.state === 'open' && order.price.eq(level.price))
        .reduce((sum, order) => sum.add(remainingOf(order)), new Decimal(0));
      const what = (name: string): string => `the ${name} of ${side} level ${place} of ${view.symbol}`;
      differs(what('price'), level.price, rows[place]?.price.toFixed());
      differs(what('quantity'), level.quantity, rows[place]?.quantity.toFixed());
      differs(what('own part'), level.own, own.toFixed());
    }
  }
}
