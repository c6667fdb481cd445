// Quotes, holdings and profit of each symbol.
import { HALT_CODES } from '../../quoting/block.ts';
import { LOCK_CODES } from '../../quoting/protection-settings.ts';
import { DENY_CODES } from '../../quoting/risk/risk-context.ts';
import type { CodeCount, OrderView, SymbolView } from '../../trader/status/snapshot.ts';
import { bestLive, SIDE_STATES } from '../../trader/status/standing.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { metric, type Row, type Rows, rowsOf, type StatusMetric, stateSet } from './from-status.ts';

const SIDES = ['buy', 'sell'] as const;

/** States of an order that is or may be on the book. */
const ORDER_STATES = ['sent', 'unknown', 'soft-rejected', 'open', 'cancel-sent', 'closing'] as const;

/** In the symbol's quote asset. */
function remainingValue({ price, quantity, filled }: OrderView): number {
  return Number(price) * (Number(quantity) - Number(filled));
}

/** Value of the base and of the account's quote asset together, in quote; null without a price. */
function holdingsValue(symbol: SymbolView, { trader }: BotStatus): number | null {
  const quote = trader.assets.find(({ asset }) => asset === symbol.quote);
  if (symbol.referencePrice === null || quote === undefined) return null;
  return Number(symbol.inventory) * Number(symbol.referencePrice) + Number(quote.expected);
}

function shareOf(base: string, symbol: SymbolView, status: BotStatus): number | null {
  const all = holdingsValue(symbol, status);
  return all === null || all <= 0 ? null : (Number(base) * Number(symbol.referencePrice)) / all;
}

/** The target is computed at the reference price: without one, the snapshot's 0 means nothing. */
const targetOf = (symbol: SymbolView): string | null =>
  symbol.referencePrice === null ? null : symbol.inventoryTarget;

/** `symbol` is the first label of each, and not part of the signature. */
function perSymbol(
  signature: string,
  help: string,
  read: (symbol: SymbolView, status: BotStatus) => Rows,
): StatusMetric {
  const [name, labels = ''] = signature.split('{');
  return metric(`${name}{symbol,${labels}`, help, (status) =>
    status.trader.symbols.flatMap((symbol) => rowsOf(read(symbol, status)).map((row): Row => [symbol.symbol, ...row])),
  );
}

const ratioOf = (bps: number | null): number | null => (bps === null ? null : bps / 10_000);

/** Every code is counted from the start: a counter that appears with its first event shows no increase. */
function countsBy(codes: readonly string[], counts: readonly CodeCount[]): Row[] {
  const known = new Map(counts.map(({ code, count }): [string, number] => [code, count]));
  return [...new Set([...codes, ...known.keys()])].map((code) => [code, known.get(code) ?? 0]);
}

const LIMIT_METRICS: readonly StatusMetric[] = [
  perSymbol(
    'denied_total{code}',
    'Orders that the risk gate denied since the start of the process, by the rule that did; docs/risk.md lists them.',
    ({ risk }) => countsBy([...DENY_CODES, 'strategy-quote'], risk.denials),
  ),
  perSymbol(
    'locks{code}',
    'Locks that keep a side of the symbol, or both, from being quoted now, by what set them.',
    ({ risk }) => LOCK_CODES.map((code) => [code, risk.locks.filter((lock) => lock.code === code).length]),
  ),
  perSymbol(
    'halts_total{code}',
    'How often the symbol was halted until a person resumes it, since the start of the process.',
    ({ risk }) => countsBy(HALT_CODES, risk.halts),
  ),
  perSymbol('halt_state{code}', 'What keeps the symbol halted: 1 for the code that holds, 0 for others.', ({ risk }) =>
    HALT_CODES.map((code) => [code, Number(risk.halt?.code === code)]),
  ),
  perSymbol(
    'loss_quote{code}',
    'Loss in quote since the session began, since midnight UTC and below the highest profit; below zero is a profit.',
    ({ risk }) => risk.losses.map(({ code, loss }) => [code, loss]),
  ),
  perSymbol(
    'limit_used_ratio{limit}',
    'What is open and held against its limit, by the key of the limit: 1 is all of it. Bids count as filled for ' +
      'maxInventoryBase.',
    ({ risk: { limitsUsed } }) => limitsUsed.map(({ name, share }) => [name, share]),
  ),
  perSymbol('loss_limit_quote{code}', 'The loss that halts the symbol; absent where none is set.', ({ risk }) =>
    risk.losses.map(({ code, limit }) => [code, limit]),
  ),
];

export const SYMBOL_METRICS: readonly StatusMetric[] = [
  ...LIMIT_METRICS,
  perSymbol(
    'quote_state{side,reason}',
    'What is true of a side: 1 for the reason that holds, 0 for the others. `quoted` means that an order is ' +
      'live there, as the exchange listed it lately, and is to stay.',
    ({ sides }) => SIDES.flatMap((side) => stateSet(SIDE_STATES, sides[side].state).map((row): Row => [side, ...row])),
  ),
  perSymbol('reference_price', 'What quotes center on, in quote per base.', ({ referencePrice }) => referencePrice),
  perSymbol(
    'market_price{side}',
    "The others' best prices: the bid on the buy side, the ask on the sell side.",
    ({ market }) => [
      ['buy', market?.bid ?? null],
      ['sell', market?.ask ?? null],
    ],
  ),
  perSymbol('quoted_price{side}', "The best price of the side's live orders.", ({ orders }) =>
    SIDES.map((side) => [side, bestLive(orders, side)]),
  ),
  perSymbol('market_spread_ratio', "Best ask less best bid of the others' orders, over their middle.", (symbol) =>
    ratioOf(symbol.marketSpreadBps),
  ),
  perSymbol('quoted_spread_ratio', 'Own best ask less own best bid, over their middle.', (symbol) =>
    ratioOf(symbol.quotedSpreadBps),
  ),
  perSymbol('open_orders{side,status}', 'Own orders that are or may be on the book.', ({ orders }) =>
    SIDES.flatMap((side) =>
      ORDER_STATES.map((status): Row => {
        const such = orders.filter((order) => order.side === side && order.state === status);
        return [side, status, such.length];
      }),
    ),
  ),
  perSymbol('open_order_value{side}', 'What is left of them at their prices, in quote.', ({ orders }) =>
    SIDES.map((side) => {
      const own = orders.filter((order) => order.side === side);
      return [side, own.reduce((sum, order) => sum + remainingValue(order), 0)];
    }),
  ),
  perSymbol('foreign_orders', "Open orders on the account that are not the bot's.", (symbol) =>
    symbol.openOrdersSentAt === null ? null : symbol.foreignOrders,
  ),
  perSymbol('inventory_base', 'Base held, by the ledger.', ({ inventory }) => inventory),
  perSymbol('inventory_target_base', 'Base that is wanted.', (symbol) => targetOf(symbol)),
  perSymbol(
    'inventory_ratio',
    'Base held over base and quote of the account, at the reference price.',
    (symbol, status) => shareOf(symbol.inventory, symbol, status),
  ),
  perSymbol('inventory_target_ratio', 'The same of the base that is wanted.', (symbol, status) =>
    shareOf(symbol.inventoryTarget, symbol, status),
  ),
  perSymbol(
    'pnl_quote{component}',
    "Profit and loss of the bot's own fills since the ledger was opened, in quote, by component; `total` is the sum.",
    ({ pnl }) => [
      ['spread', pnl.spread],
      ['inventory', pnl.inventory],
      ['fees', pnl.fees],
      ['tax-withheld', pnl.taxWithheld],
      ['total', pnl.total],
    ],
  ),
  perSymbol(
    'pnl_price_age_seconds',
    'How old the price is that pnl_quote is worked out at: the last one that the bot trusts. Absent before the first.',
    ({ pnl }, { trader }) => (pnl.pricedAt === null ? null : (trader.at - pnl.pricedAt) / 1_000),
  ),
  perSymbol(
    'fills_total{side,liquidity}',
    "The bot's own fills since the ledger was opened: goes on over restarts, starts anew with the ledger.",
    ({ fills: { buys, sells, takers, takerBuys } }) => [
      ['buy', 'maker', buys - takerBuys],
      ['buy', 'taker', takerBuys],
      ['sell', 'maker', sells - (takers - takerBuys)],
      ['sell', 'taker', takers - takerBuys],
    ],
  ),
  perSymbol('filled_quote_total', 'Value of these fills, both sides, in quote.', (symbol) => symbol.fills.quoteVolume),
  perSymbol('fees_quote_total', 'Fees of these fills, in quote.', (symbol) => symbol.pnl.fees),
  perSymbol(
    'other_fees_total{asset}',
    'Fees of these fills in assets that have no price here, by asset: in no profit.',
    ({ pnl }) => pnl.otherFees.map(({ asset, amount }) => [asset, amount]),
  ),
  perSymbol('tax_withheld_quote_total', 'Tax withheld on their sales, in quote.', (symbol) => symbol.pnl.taxWithheld),
];
