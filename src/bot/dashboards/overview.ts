// The dashboard for the first look: is everything quoted, does anything need a person, what was earned.
import type { Board, Row } from './board.ts';
import { bot, ofPrometheus, perSecond, recorded, sumBy } from './expressions.ts';
import { LOST, NEAR_LIMIT, SHARE_QUOTED, SIDE_RANKS } from './shared-panels.ts';

const NOW: Row = {
  title: 'Now',
  panels: [
    {
      kind: 'number',
      title: 'Answers',
      about: 'Whether Prometheus reaches the bot. DOWN: nobody moves its orders.',
      unit: 'none',
      shows: { '{{instance}}': ofPrometheus('up') },
      words: { 0: ['DOWN', 'red'], 1: ['up', 'green'] },
      width: 4,
      alerts: ['QuotekeeperDown'],
    },
    {
      kind: 'number',
      title: 'Kill level',
      about: 'LATCHED and halted both wait for a person; *Order truth* says which code holds.',
      unit: 'none',
      shows: { '{{instance}}': bot('kill_level') },
      words: { 0: ['none', 'green'], 1: ['symbol halted', 'orange'], 2: ['LATCHED', 'red'] },
      width: 4,
      alerts: ['QuotekeeperLatched', 'QuotekeeperSymbolHalted'],
    },
    {
      kind: 'number',
      title: 'Unknown orders',
      about: 'Creates whose outcome is not known: each may be on the book.',
      unit: 'none',
      shows: { '{{instance}}': bot('unknown_orders') },
      from: [[1, 'orange']],
      width: 4,
      alerts: ['QuotekeeperUnknownOrders'],
    },
    {
      kind: 'number',
      title: 'Exchange silent',
      about: 'For how long a lane has had no answer; 0 while all answer.',
      unit: 's',
      shows: { '{{instance}}': recorded('exchange_silent:seconds') },
      from: [
        [5, 'yellow'],
        [20, 'red'],
      ],
      width: 4,
      alerts: ['QuotekeeperExchangeSilent', 'QuotekeeperHeartbeatOld'],
    },
    {
      kind: 'number',
      title: 'Blockers',
      about: 'Reasons that keep the whole bot from quoting; page and `status` name them.',
      unit: 'none',
      shows: { '{{instance}}': bot('blockers') },
      from: [[1, 'orange']],
      width: 4,
      alerts: ['QuotekeeperNotReady'],
    },
    {
      kind: 'number',
      title: 'Started',
      about: 'When the process began. Totals that the ledger does not keep begin with it.',
      unit: 'dateTimeFromNow',
      shows: { '{{instance}}': `${ofPrometheus('process_start_time_seconds')} * 1000` },
      width: 4,
    },
  ],
};

const STATES: Row = {
  title: 'Symbols and alerts',
  panels: [
    {
      kind: 'rows',
      title: 'Alerts',
      about: 'Pending: its time has not run out. docs/operations.md has a chapter for each.',
      unit: 'none',
      shows: { alerts: ofPrometheus('ALERTS', 'alertname=~"Quotekeeper.+"') },
      chapters: ['the-first-two-minutes'],
    },
    {
      kind: 'rows',
      title: 'What runs',
      about: 'The phase of each bot, its mode and version.',
      unit: 'none',
      shows: { phase: `(${bot('state')} == 1) * on (job, instance) group_left (mode, version) ${bot('build_info')}` },
      alerts: ['QuotekeeperNotReady'],
    },
    {
      kind: 'rows',
      title: 'Sides now',
      about: 'What is true of each side of each symbol. `quoted`: an order is live there and is to stay.',
      unit: 'none',
      shows: { sides: `${bot('quote_state')} == 1` },
      alerts: ['QuotekeeperNotQuoting', 'QuotekeeperSymbolHalted'],
    },
    {
      kind: 'phases',
      title: 'Sides',
      about: 'The same over time. A side that is yellow now and then replaces its orders.',
      unit: 'none',
      shows: { '{{symbol}} {{side}} {{instance}}': recorded('side:rank') },
      words: SIDE_RANKS,
      width: 24,
      alerts: ['QuotekeeperNotQuoting', 'QuotekeeperSymbolHalted'],
    },
  ],
};

const MONEY: Row = {
  title: 'Money',
  panels: [
    {
      kind: 'lines',
      title: 'Profit by quote asset',
      about: 'Of the bot’s own fills since the ledger was opened, at the last price that it trusts.',
      unit: 'locale',
      shows: { '{{quote}} {{instance}}': recorded('profit:quote') },
    },
    {
      kind: 'lines',
      title: 'Profit by symbol',
      about: 'In the quote asset of each. *Symbol* splits it into spread, inventory, fees and tax.',
      unit: 'locale',
      shows: { '{{symbol}} {{instance}}': bot('pnl_quote', 'component="total"') },
      alerts: ['QuotekeeperLossNear'],
    },
    {
      kind: 'bars',
      title: 'Loss of its limit',
      about: 'At 100 % the symbol halts. Below zero is a profit. A loss without a limit is not here.',
      unit: 'percentunit',
      shows: { '{{symbol}} {{code}} {{instance}}': recorded('loss:ratio') },
      from: NEAR_LIMIT,
      min: 0,
      max: 1,
      alerts: ['QuotekeeperLossNear'],
    },
    {
      kind: 'lines',
      title: 'Inventory value',
      about: 'What the base is worth at the reference price, in the quote asset of the symbol.',
      unit: 'locale',
      shows: { '{{symbol}} {{instance}}': recorded('inventory_value:quote') },
    },
    {
      kind: 'lines',
      title: 'Inventory off its target',
      about: 'Share of the holdings less the share that is wanted. Above zero: too much base.',
      unit: 'percentunit',
      shows: { '{{symbol}} {{instance}}': `${bot('inventory_ratio')} - ${bot('inventory_target_ratio')}` },
    },
    {
      kind: 'rows',
      title: 'Balances',
      about:
        'Over the chosen bots. `expected` is the ledger’s, `wallet` the exchange’s: equal but for fills on their way.',
      unit: 'locale',
      shows: { balances: sumBy('asset, kind', bot('balance')) },
      matrix: { row: 'asset', column: 'kind' },
      alerts: ['QuotekeeperWalletDiffers'],
    },
  ],
};

const PRESENCE: Row = {
  title: 'Time in the market',
  panels: [
    {
      ...SHARE_QUOTED,
      shows: { '{{symbol}} {{instance}}': recorded('presence:ratio_rate10m', 'side="both"') },
      width: 12,
    },
    {
      ...LOST,
      about: 'Seconds of each second that were not two-sided, over all symbols, by the gravest reason.',
      shows: { '{{reason}}': `${sumBy('reason', perSecond(bot('presence_lost_seconds_total', 'side="both"')))} > 0` },
      width: 12,
    },
  ],
};

const REQUESTS: Row = {
  title: 'Requests',
  panels: [
    {
      kind: 'lines',
      title: 'Requests',
      about: 'That came back, by lane. *Requests* splits them by outcome.',
      unit: 'reqps',
      shows: { '{{lane}} {{instance}}': sumBy('instance, lane', perSecond(bot('requests_total'))) },
      min: 0,
    },
    {
      kind: 'lines',
      title: 'Throttled',
      about: 'Answers 429, 503 and 504 in a minute. The lane slows down by itself.',
      unit: 'short',
      shows: { '{{lane}} {{instance}}': recorded('throttled:per_minute_rate10m') },
      min: 0,
      alerts: ['QuotekeeperThrottled'],
    },
    {
      kind: 'lines',
      title: 'Age of what it knows',
      about: 'Each surface against its limit, the oldest of a kind: over 100 % quotes are pulled.',
      unit: 'percentunit',
      shows: { '{{surface}} {{instance}}': `max by (instance, surface) (${recorded('surface_age:ratio')})` },
      from: [[1, 'red']],
      min: 0,
      alerts: ['QuotekeeperSurfaceStale'],
    },
  ],
};

export const OVERVIEW: Board = {
  name: 'overview',
  title: 'quotekeeper: overview',
  about: 'Whether all is quoted, what needs a person, what is earned.',
  bots: 'several',
  symbols: null,
  rows: [NOW, STATES, MONEY, PRESENCE, REQUESTS],
};
