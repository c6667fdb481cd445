// What the bot quotes and earns, in lines for a terminal and a log.
import { decimal } from '../domain/decimal.ts';
import type { AssetView, OrderView, StatusSnapshot, SymbolView } from '../trader/snapshot.ts';

/** One line per symbol: quotes, spreads, inventory, profit, or why there are none. */
export function symbolLine(view: SymbolView): string {
  const { quote, base, pnl, fills } = view;
  const spreads = `quoted ${bps(view.quotedSpreadBps)} of market ${bps(view.marketSpreadBps)}`;
  const quotes = `bid ${best(view.orders, 'buy')} ask ${best(view.orders, 'sell')}, ${spreads}`;
  const doing = view.reason ?? quotes;
  const parts = `spread ${money(pnl.spread)}, inventory ${money(pnl.inventory)}, fees ${money(pnl.fees)}, tax withheld ${money(pnl.taxWithheld)}`;
  const earned = `profit ${money(pnl.total)} ${quote} (${parts})`;
  return `${view.symbol} ${view.state}: ${doing} | ${trimmed(view.inventory)} ${base} | ${fills.buys} bought, ${fills.sells} sold | ${earned}`;
}

/** One line about the wallet: equal to the last digit, or what differs. */
export function walletLine({ assets }: StatusSnapshot): string {
  const unknown = assets.some(({ difference }) => difference === null);
  if (unknown) return 'Wallet: not compared with the ledger yet.';
  const differing = assets.filter(({ difference }) => difference !== '0');
  if (differing.length === 0) return `Wallet equals ledger: ${assets.map(holding).join(', ')}.`;
  return `Wallet differs from ledger: ${differing.map(({ asset, difference }) => `${difference} ${asset}`).join(', ')}.`;
}

const holding = ({ asset, expected }: AssetView): string => `${expected} ${asset}`;

function best(orders: readonly OrderView[], side: OrderView['side']): string {
  const own = orders
    .filter((order) => order.side === side && order.state === 'open')
    .map(({ price }) => decimal(price));
  const sorted = own.toSorted((a, b) => (side === 'buy' ? b.cmp(a) : a.cmp(b)));
  const [first] = sorted;
  return first ? `${grouped(first.toFixed())}${own.length > 1 ? ` (+${own.length - 1})` : ''}` : '—';
}

const bps = (value: number | null): string => (value === null ? '—' : `${Math.round(value)} bps`);
const money = (text: string): string => grouped(decimal(text).toDecimalPlaces(2).toFixed());
const trimmed = (text: string): string => decimal(text).toDecimalPlaces(8).toFixed();

/** Thousands separated by commas. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}
