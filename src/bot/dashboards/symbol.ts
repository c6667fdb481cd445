// The dashboard of one symbol: what it quotes against the market, what it holds, earns and risks, and when it was away.
import type { Board, LineStyle, Row } from './board.ts';
import { market, perSecond, recordedOfMarket, sumBy, within } from './expressions.ts';
import { LOST, NEAR_LIMIT, SHARE_QUOTED, SIDE_RANKS } from './shared-panels.ts';

const OWN_AND_MARKET: Readonly<Record<string, LineStyle>> = {
  'market bid': { color: 'text', line: 'dashed' },
  'market ask': { color: 'text', line: 'dashed' },
  reference: { color: 'blue' },
  'our bid': { color: 'green', line: 'bold' },
  'our ask': { color: 'red', line: 'bold' },
};

const QUOTES: Row = {
  title: 'Quotes',
  panels: [
    {
      kind: 'lines',
      title: 'Quotes against the market',
      about: 'Best live own prices, the others’ best prices, and the price that quotes center on. A gap: none is live.',
      unit: 'locale',
      shows: {
        'market ask': market('market_price', 'side="sell"'),
        'our ask': market('quoted_price', 'side="sell"'),
        reference: market('reference_price'),
        'our bid': market('quoted_price', 'side="buy"'),
        'market bid': market('market_price', 'side="buy"'),
      },
      styles: OWN_AND_MARKET,
      width: 16,
      height: 10,
      alerts: ['QuotekeeperNotQuoting'],
    },
    {
      kind: 'lines',
      title: 'Spread',
      about: 'Ask less bid over their middle. Ours beyond the market’s earns nothing, ours within it is first in line.',
      unit: 'percentunit',
      shows: { market: market('market_spread_ratio'), ours: market('quoted_spread_ratio') },
      styles: { market: { color: 'text', line: 'dashed' }, ours: { color: 'green', line: 'bold' } },
      min: 0,
      height: 10,
    },
    {
      kind: 'phases',
      title: 'Sides',
      about: 'Whether each side is quoted. Halted waits for a person.',
      unit: 'none',
      shows: { '{{side}}': recordedOfMarket('side:rank') },
      words: SIDE_RANKS,
      alerts: ['QuotekeeperSymbolHalted'],
    },
    {
      kind: 'areas',
      title: 'Open orders',
      about: 'By what they are. `unknown` may be on the book; `closing` is gone and not yet counted.',
      unit: 'none',
      shows: { '{{side}} {{status}}': `${market('open_orders')} > 0` },
      alerts: ['QuotekeeperUnknownOrders'],
    },
    {
      kind: 'lines',
      title: 'Open order value',
      about: 'What is left of them at their prices, in quote.',
      unit: 'locale',
      shows: { '{{side}}': market('open_order_value') },
      styles: { buy: { color: 'green' }, sell: { color: 'red' } },
      min: 0,
    },
  ],
};

const INVENTORY: Row = {
  title: 'Inventory',
  panels: [
    {
      kind: 'lines',
      title: 'Inventory',
      about: 'Base that is held, by the ledger, and base that is wanted.',
      unit: 'short',
      shows: { held: market('inventory_base'), wanted: market('inventory_target_base') },
      styles: { held: { color: 'blue', line: 'bold' }, wanted: { color: 'text', line: 'dashed' } },
    },
    {
      kind: 'lines',
      title: 'Share of the holdings',
      about: 'What the base is worth over base and quote together.',
      unit: 'percentunit',
      shows: { held: market('inventory_ratio'), wanted: market('inventory_target_ratio') },
      styles: { held: { color: 'blue', line: 'bold' }, wanted: { color: 'text', line: 'dashed' } },
    },
    {
      kind: 'lines',
      title: 'Inventory value',
      about: 'At the reference price, in quote.',
      unit: 'locale',
      shows: { value: recordedOfMarket('inventory_value:quote') },
    },
  ],
};

const PROFIT: Row = {
  title: 'Profit',
  panels: [
    {
      kind: 'lines',
      title: 'Profit and its parts',
      about: 'Since the ledger was opened. Total is spread and inventory less fees, and less tax where that is a cost.',
      unit: 'locale',
      shows: { '{{component}}': market('pnl_quote') },
      styles: { total: { line: 'bold' } },
      width: 12,
      alerts: ['QuotekeeperLossNear'],
    },
    {
      kind: 'lines',
      title: 'Loss of its limit',
      about: 'Since the session began, since midnight UTC, below the highest profit. At 100 % the symbol halts.',
      unit: 'percentunit',
      shows: { '{{code}}': recordedOfMarket('loss:ratio') },
      from: NEAR_LIMIT,
      width: 6,
      alerts: ['QuotekeeperLossNear'],
    },
    {
      kind: 'lines',
      title: 'Age of the price',
      about: 'Of the price that profit is worked out at: the last one that the bot trusts.',
      unit: 's',
      shows: { age: market('pnl_price_age_seconds') },
      min: 0,
      width: 6,
    },
  ],
};

const FILLS: Row = {
  title: 'Fills',
  panels: [
    {
      kind: 'areas',
      title: 'Fills in an hour',
      about: 'Own fills. A taker’s fee and no spread is what a take costs: the book that was decided on was old.',
      unit: 'short',
      shows: { '{{side}} {{liquidity}}': within(market('fills_total'), '1h') },
      width: 6,
      alerts: ['QuotekeeperTakes'],
    },
    {
      kind: 'lines',
      title: 'Turnover and costs in an hour',
      about: 'What was filled, both sides, and what it cost, in quote.',
      unit: 'locale',
      shows: {
        filled: within(market('filled_quote_total'), '1h'),
        fees: within(market('fees_quote_total'), '1h'),
        'tax withheld': within(market('tax_withheld_quote_total'), '1h'),
      },
      min: 0,
      width: 6,
    },
    {
      kind: 'lines',
      title: 'Markouts of the last hour',
      about:
        'Fill price against the trusted price so many seconds later, by size. 0 is the spread at the fill; ' +
        'what is lost from there to 300 went to those who knew better.',
      unit: 'percentunit',
      shows: { 'after {{horizon}} s': recordedOfMarket('markout:ratio_increase1h') },
      width: 6,
    },
    {
      kind: 'bars',
      title: 'Markouts by side',
      about: 'Of the time that is shown. One side far below the other: the quotes lean the wrong way, or too late.',
      unit: 'percentunit',
      shows: { '{{side}} after {{horizon}} s': markoutBySide() },
      width: 6,
    },
  ],
};

function markoutBySide(): string {
  const result = (word: string): string =>
    sumBy('side, horizon', within(market('markout_quote_total', `result="${word}"`), '$__range'));
  const filled = sumBy('side, horizon', within(market('markout_filled_quote_total'), '$__range'));
  return `(${result('gain')} - ${result('loss')}) / ${filled}`;
}

const PRESENCE: Row = {
  title: 'Time in the market',
  panels: [
    {
      ...SHARE_QUOTED,
      about: 'Each side, and both at once, with live and fresh orders, in the ten minutes before.',
      shows: { '{{side}}': recordedOfMarket('presence:ratio_rate10m') },
      styles: { both: { line: 'bold' } },
    },
    {
      ...LOST,
      title: 'Buy side: what the rest was lost to',
      shows: { '{{reason}}': lost('buy') },
      max: 1,
    },
    {
      ...LOST,
      title: 'Sell side: what the rest was lost to',
      shows: { '{{reason}}': lost('sell') },
      max: 1,
    },
  ],
};

function lost(side: 'buy' | 'sell'): string {
  return `${sumBy('reason', perSecond(market('presence_lost_seconds_total', `side="${side}"`)))} > 0`;
}

const RISK: Row = {
  title: 'Risk',
  panels: [
    {
      kind: 'bars',
      title: 'Limits used',
      about: 'What is open and held against its limit, bids as if they were filled. At 100 % the gate denies or halts.',
      unit: 'percentunit',
      shows: { '{{limit}}': market('limit_used_ratio') },
      from: NEAR_LIMIT,
      min: 0,
      max: 1,
    },
    {
      kind: 'lines',
      title: 'Limits used, over time',
      about: 'The same. One that stays at its top is what keeps quotes away: see *Denied*.',
      unit: 'percentunit',
      shows: { '{{limit}}': market('limit_used_ratio') },
      from: NEAR_LIMIT,
      min: 0,
    },
    {
      kind: 'areas',
      title: 'Denied',
      about: 'Orders that the risk gate denied, per second, by rule: docs/risk.md.',
      unit: 'short',
      shows: { '{{code}}': `${perSecond(market('denied_total'))} > 0` },
      alerts: ['QuotekeeperRateLimited'],
    },
    {
      kind: 'areas',
      title: 'Locks',
      about: 'What keeps a side, or both, from being quoted for a while, by what set it: a protection, or a person.',
      unit: 'none',
      shows: { '{{code}}': market('locks') },
      width: 24,
      height: 5,
    },
  ],
};

export const SYMBOL: Board = {
  name: 'symbol',
  title: 'quotekeeper: symbol',
  about: 'One symbol: quotes against the market, inventory, profit, fills, presence, limits.',
  bots: 'one',
  symbols: 'one',
  rows: [QUOTES, INVENTORY, PROFIT, FILLS, PRESENCE, RISK],
};
