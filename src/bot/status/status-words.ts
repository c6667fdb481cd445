// What the bot quotes and earns, in lines for a terminal and a log: none longer than some ninety columns.
import { decimal, shownDecimals } from '../../domain/decimal.ts';
import type {
  AssetView,
  OrderView,
  StatusSnapshot,
  SymbolView,
  UnmatchedOrderView,
} from '../../trader/status/snapshot.ts';
import { countStandings, standingWords } from '../../trader/status/standing.ts';
import { grouped } from './sentence.ts';

/** One line per symbol: quotes and their spread, or why there are none; inventory, fills, profit. */
export function symbolLine(view: SymbolView, { at, limits }: Pick<StatusSnapshot, 'at' | 'limits'>): string {
  const { symbol, reason, quote, pnl } = view;
  const profit = `profit ${money(pnl.total, quote)} ${quote}${agedWords(pnl.pricedAt, at, limits.bookAgeMs)}`;
  const line = `${symbol} ${doing(view)}; ${held(view)}; ${fillWords(view)}; ${profit}`;
  return reason === null ? line : `${line}. ${reason}`;
}

/** Live quotes, or what there is instead of them. */
function doing({ verdict, state, orders, quotedSpreadBps }: SymbolView): string {
  const counts = countStandings(orders);
  if (state === 'quoting' && counts.live > 0)
    return `bid ${best(orders, 'buy')} ask ${best(orders, 'sell')}, ${bps(quotedSpreadBps)}`;
  const resting = orders.length === 0 ? '' : `, orders ${standingWords(counts)}`;
  return `${verdict.word.toLowerCase()}${resting}`;
}

/** A price that is older than a book may be is said with its age. */
function agedWords(pricedAt: number | null, at: number, limitMs: number): string {
  return pricedAt === null || at - pricedAt <= limitMs ? '' : ` at a price of ${duration(at - pricedAt)} ago`;
}

/** What the profit of a symbol is made of, since its ledger was opened. */
export function profitLine({ pnl, quote }: SymbolView): string {
  const shown = (text: string): string => money(text, quote);
  const tax = pnl.taxInTotal ? `, tax ${shown(negated(pnl.taxWithheld))}` : `; tax withheld ${shown(pnl.taxWithheld)}`;
  const parts = `spread ${shown(pnl.spread)}, inventory ${shown(pnl.inventory)}, fees ${shown(negated(pnl.fees))}`;
  const others = pnl.otherFees.map(({ asset, amount }) => `; fees of ${amount} ${asset} not counted`).join('');
  return `profit ${money(pnl.total, quote)} ${quote}: ${parts}${tax}${others}`;
}

/** A symbol at the end of a session, in two lines. */
export function summaryLines(view: SymbolView): string[] {
  const { symbol, fills } = view;
  return [`${symbol} ${fills.buys} bought, ${fills.sells} sold; ${held(view)} held`, `  ${profitLine(view)}`];
}

/**
 * What of a symbol may be open at the end of a session, a line each: enough to find it on the exchange's own page. A
 * create without a name is left out where an order rests that may be its own: that has a line.
 */
export function openLines(
  { symbol, orders }: Pick<SymbolView, 'symbol' | 'orders'>,
  unmatched: readonly UnmatchedOrderView[] = [],
): string[] {
  const doubtful = unmatched.filter((other) => other.mayBeOurs && other.symbol === symbol);
  const hasLine = ({ orderId, side, price }: OrderView): boolean =>
    orderId === null && doubtful.some((other) => other.side === side && other.price === price);
  return orders
    .filter((order) => !hasLine(order))
    .map(({ side, quantity, filled, price, orderId }) => {
      const rest = decimal(quantity).sub(filled).toFixed();
      const name = orderId === null ? 'not named by the exchange' : `order ${orderId}`;
      return `May be open: ${symbol} ${side} ${rest} @ ${price}, ${name}.`;
    });
}

/** What is left on the exchange that is not known to be the bot's, also where that is nothing. */
export function restingLines({ symbols, unmatchedOrders }: Resting): string[] {
  const unread = symbols.filter(({ openOrdersSentAt }) => openOrdersSentAt === null).map(({ symbol }) => symbol);
  const unknown = `What rests in ${unread.join(', ')} is not known: it could not be listed.`;
  return [...unmatchedLines(unmatchedOrders), ...(unread.length === 0 ? [] : [unknown])];
}

type Resting = Pick<StatusSnapshot, 'unmatchedOrders'> & {
  readonly symbols: readonly Pick<SymbolView, 'symbol' | 'openOrdersSentAt'>[];
};

/** First those that may be the bot's, a line each; then how many are others', and each of them. */
export function unmatchedLines(orders: readonly UnmatchedOrderView[]): string[] {
  const others = orders.filter(({ mayBeOurs }) => !mayBeOurs);
  const count = others.length === 0 ? 'none' : `${others.length} ${others.length === 1 ? 'order' : 'orders'}`;
  return [
    ...orders
      .filter(({ mayBeOurs }) => mayBeOurs)
      .map((order) => `May be open: ${orderWords(order)}: it may be the bot's, and only you can tell.`),
    `Left resting, not the bot's: ${count}${others.length === 0 ? '.' : ':'}`,
    ...others.map((order) => `  ${orderWords(order)}`),
  ];
}

const orderWords = ({ symbol, side, quantity, price, orderId }: UnmatchedOrderView): string =>
  `${symbol} ${side} ${quantity} @ ${price}, order ${orderId}`;

type WalletFacts = Pick<StatusSnapshot, 'assets' | 'at' | 'reconciledAt' | 'contact'>;

/** One line about the wallet: equal to the last digit, or what differs. */
export function walletLine({ assets, at, reconciledAt, contact }: WalletFacts): string {
  const compared = assets.filter(({ difference }) => difference !== null);
  if (compared.length === 0) return 'Wallet: not compared with the ledger yet.';
  // A coin of a market that is still to be opened says nothing of the others.
  const others = assets.filter((each) => !compared.includes(each)).map(({ asset }) => asset);
  const rest = others.length === 0 ? '.' : `; not compared yet: ${others.join(', ')}.`;
  const differing = compared.filter(({ difference }) => difference !== '0');
  if (differing.length === 0) {
    const isPast = contact.silentSince !== null && reconciledAt !== null;
    const equals = isPast ? `equaled the ledger ${duration(at - reconciledAt)} ago` : 'equals ledger';
    return `Wallet ${equals}: ${compared.map(holding).join(', ')}${rest}`;
  }
  const amounts = differing.map(({ asset, difference, differsSince }) => {
    const stands = differsSince === null ? '' : ` for ${duration(at - differsSince)}`;
    return `${difference} ${asset}${stands}`;
  });
  return `Wallet differs from ledger: ${amounts.join(', ')}${rest}`;
}

/** `2 h 5 min`, `12 s`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ];
  const shown = parts.filter(([count]) => count > 0).slice(0, 2);
  return shown.length === 0 ? '0 s' : shown.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

const holding = ({ asset, expected }: AssetView): string => `${grouped(expected)} ${asset}`;
const held = ({ inventory, base }: SymbolView): string => `${decimal(inventory).toDecimalPlaces(8).toFixed()} ${base}`;

function fillWords({ fills }: SymbolView): string {
  const count = fills.buys + fills.sells;
  return `${count} ${count === 1 ? 'fill' : 'fills'}`;
}

function best(orders: readonly OrderView[], side: OrderView['side']): string {
  const own = orders
    .filter((order) => order.side === side && order.standing === 'live')
    .map(({ price }) => decimal(price));
  const sorted = own.toSorted((a, b) => (side === 'buy' ? b.cmp(a) : a.cmp(b)));
  const [first] = sorted;
  return first ? grouped(first.toFixed()) : '—';
}

const bps = (value: number | null): string => (value === null ? '— bps' : `${Math.round(value)} bps`);
const money = (text: string, asset: string): string => grouped(decimal(text).toFixed(shownDecimals(asset)));
const negated = (text: string): string => decimal(text).neg().toFixed();
