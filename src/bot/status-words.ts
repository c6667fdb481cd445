// What the bot quotes and earns, in lines for a terminal and a log: none longer than some ninety columns.
import { decimal } from '../domain/decimal.ts';
import type { AssetView, OrderView, StatusSnapshot, SymbolView } from '../trader/snapshot.ts';

/** One line per symbol: quotes and their spread, or why there are none; inventory, fills, profit. */
export function symbolLine(view: SymbolView): string {
  const { symbol, state, reason, orders, quote, pnl } = view;
  const quotes = `bid ${best(orders, 'buy')} ask ${best(orders, 'sell')}, ${bps(view.quotedSpreadBps)}`;
  const doing = reason === null ? quotes : state;
  const line = `${symbol} ${doing}; ${held(view)}; ${fillWords(view)}; profit ${money(pnl.total)} ${quote}`;
  return reason === null ? line : `${line}. ${reason}`;
}

/** What the profit of a symbol is made of, since its ledger was opened. */
export function profitLine({ pnl, quote }: SymbolView): string {
  const tax = pnl.taxInTotal ? `, tax ${money(negated(pnl.taxWithheld))}` : `; tax withheld ${money(pnl.taxWithheld)}`;
  const parts = `spread ${money(pnl.spread)}, inventory ${money(pnl.inventory)}, fees ${money(negated(pnl.fees))}`;
  const others = pnl.otherFees.map(({ asset, amount }) => `; fees of ${amount} ${asset} not counted`).join('');
  return `profit ${money(pnl.total)} ${quote}: ${parts}${tax}${others}`;
}

/** A symbol at the end of a session, in two lines. */
export function summaryLines(view: SymbolView): string[] {
  const { symbol, fills } = view;
  return [`${symbol} ${fills.buys} bought, ${fills.sells} sold; ${held(view)} held`, `  ${profitLine(view)}`];
}

/** What of a symbol may be open at the end of a session, a line each: enough to find it on the exchange's own page. */
export function openLines({ symbol, orders }: Pick<SymbolView, 'symbol' | 'orders'>): string[] {
  return orders.map(({ side, quantity, filled, price, orderId }) => {
    const rest = decimal(quantity).sub(filled).toFixed();
    const name = orderId === null ? 'not named by the exchange' : `order ${orderId}`;
    return `May be open: ${symbol} ${side} ${rest} @ ${price}, ${name}.`;
  });
}

/** One line about the wallet: equal to the last digit, or what differs. */
export function walletLine({ assets }: Pick<StatusSnapshot, 'assets'>): string {
  const unknown = assets.some(({ difference }) => difference === null);
  if (unknown) return 'Wallet: not compared with the ledger yet.';
  const differing = assets.filter(({ difference }) => difference !== '0');
  if (differing.length === 0) return `Wallet equals ledger: ${assets.map(holding).join(', ')}.`;
  return `Wallet differs from ledger: ${differing.map(({ asset, difference }) => `${difference} ${asset}`).join(', ')}.`;
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
    .filter((order) => order.side === side && order.state === 'open')
    .map(({ price }) => decimal(price));
  const sorted = own.toSorted((a, b) => (side === 'buy' ? b.cmp(a) : a.cmp(b)));
  const [first] = sorted;
  return first ? grouped(first.toFixed()) : '—';
}

const bps = (value: number | null): string => (value === null ? '— bps' : `${Math.round(value)} bps`);
const money = (text: string): string => grouped(decimal(text).toFixed(2));
const negated = (text: string): string => decimal(text).neg().toFixed();

/** Thousands separated by commas. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}
