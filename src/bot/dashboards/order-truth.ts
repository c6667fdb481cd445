// The dashboard of what is known for certain: orders without an answer, halts, wallet against ledger, how far lists
// trail, and whether a watchdog watches.
import type { Board, Row } from './board.ts';
import { bot, ofWatchdog, perSecond, sumBy, within } from './expressions.ts';

const ORDERS: Row = {
  title: 'Orders',
  panels: [
    {
      kind: 'lines',
      title: 'Unknown orders',
      about: 'Creates whose outcome is not known. Each freezes its slot and counts as filled and as open.',
      unit: 'none',
      shows: { '{{instance}}': bot('unknown_orders') },
      min: 0,
      alerts: ['QuotekeeperUnknownOrders'],
    },
    {
      kind: 'lines',
      title: 'How long until they were known',
      about: 'Of those that were resolved in the time shown: half, nine in ten, and all but one in a hundred.',
      unit: 's',
      shows: { p50: resolved(0.5), p90: resolved(0.9), p99: resolved(0.99) },
      min: 0,
      alerts: ['QuotekeeperUnknownOrders'],
    },
    {
      kind: 'areas',
      title: 'Resolved in an hour',
      about: 'Creates without an answer whose outcome was found, by a match or by proof of absence.',
      unit: 'short',
      shows: { '{{instance}}': within(bot('unknown_resolution_seconds_count'), '1h') },
    },
    {
      kind: 'areas',
      title: 'Creates without a certain answer',
      about: '`unknown`: may have happened. `soft-rejected`: said not to have, and watched until it can’t.',
      unit: 'reqps',
      shows: {
        '{{outcome}}': sumBy(
          'outcome',
          perSecond(bot('requests_total', 'endpoint="create"', 'outcome=~"unknown|soft-rejected"')),
        ),
      },
      alerts: ['QuotekeeperUnknownOrders'],
    },
    {
      kind: 'areas',
      title: 'Orders that are not counted on',
      about: 'On the book, perhaps: unknown, being canceled, or gone and not counted yet.',
      unit: 'none',
      shows: { '{{symbol}} {{status}}': `${sumBy('symbol, status', bot('open_orders', 'status!="open"'))} > 0` },
    },
    {
      kind: 'lines',
      title: 'Orders of others on the account',
      about: 'Open orders that no create of the bot’s owns: yours, or another program’s.',
      unit: 'none',
      shows: { '{{symbol}}': bot('foreign_orders') },
      min: 0,
    },
  ],
};

function resolved(share: number): string {
  const buckets = sumBy('le', within(bot('unknown_resolution_seconds_bucket'), '$__range'));
  return `histogram_quantile(${share}, ${buckets})`;
}

const HALTS: Row = {
  title: 'Halts and messages',
  panels: [
    {
      kind: 'phases',
      title: 'Kill level',
      about: '1: a symbol is halted. 2: the kill latch is set.',
      unit: 'none',
      shows: { '{{instance}}': bot('kill_level') },
      words: { 0: ['none', 'green'], 1: ['symbol halted', 'orange'], 2: ['LATCHED', 'red'] },
      alerts: ['QuotekeeperLatched', 'QuotekeeperSymbolHalted'],
      chapters: ['to-start-again'],
    },
    {
      kind: 'rows',
      title: 'Halted now',
      about: 'The code that keeps a symbol halted until a person resumes it. Empty is good.',
      unit: 'none',
      shows: { halts: `${bot('halt_state')} == 1` },
      alerts: ['QuotekeeperSymbolHalted'],
    },
    {
      kind: 'areas',
      title: 'Messages for people, in an hour',
      about: '`page` is meant to wake somebody; each is in the log with its `op`.',
      unit: 'short',
      shows: { '{{level}}': sumBy('level', within(bot('notices_total', 'level=~"warn|page"'), '1h')) },
      styles: { warn: { color: 'orange' }, page: { color: 'red' } },
      alerts: ['QuotekeeperPaged'],
    },
    {
      kind: 'areas',
      title: 'Halts in an hour',
      about: 'How often a symbol was halted, by code.',
      unit: 'short',
      shows: { '{{symbol}} {{code}}': `${sumBy('symbol, code', within(bot('halts_total'), '1h'))} > 0` },
      width: 24,
      height: 5,
      alerts: ['QuotekeeperSymbolHalted'],
    },
  ],
};

const MONEY: Row = {
  title: 'Wallet against ledger',
  panels: [
    {
      kind: 'lines',
      title: 'Difference',
      about:
        'Wallet less ledger at the last comparison, in units of the asset. It heals by itself where a fill trails.',
      unit: 'short',
      shows: { '{{asset}}': bot('reconcile_drift') },
      alerts: ['QuotekeeperWalletDiffers'],
    },
    {
      kind: 'lines',
      title: 'Suspense',
      about: 'Set aside because nothing explained it in time: every symbol is halted until a person has looked.',
      unit: 'short',
      shows: { '{{asset}}': bot('suspense') },
      alerts: ['QuotekeeperWalletDiffers'],
    },
    {
      kind: 'lines',
      title: 'Since they were last equal',
      about: 'And how old that may get before quotes are pulled.',
      unit: 's',
      shows: {
        age: bot('surface_age_seconds', 'surface="reconciled"', 'symbol=""'),
        limit: bot('surface_age_limit_seconds', 'surface="reconciled"'),
      },
      min: 0,
      alerts: ['QuotekeeperSurfaceStale'],
    },
  ],
};

const LAGS: Row = {
  title: 'How far lists trail',
  panels: [
    {
      kind: 'lines',
      title: 'Bounds',
      about: 'What is assumed, what proofs go by now, and by how much a list was proved to trail beyond it (else 0).',
      unit: 's',
      shows: {
        assumed: bot('read_lag_assumed_seconds'),
        'in force': bot('read_lag_bound_seconds'),
        'broken by': bot('read_lag_broken_seconds'),
      },
      min: 0,
      alerts: ['QuotekeeperReadLagBoundBroken'],
    },
    {
      kind: 'lines',
      title: 'Seen: at least',
      about: 'By so much lists trailed at least, all but one in a hundred of the last 500 own events of a kind.',
      unit: 's',
      shows: { '{{kind}}': bot('read_lag_at_least_seconds', 'quantile="0.99"') },
      min: 0,
      alerts: ['QuotekeeperReadLagBoundBroken'],
    },
    {
      kind: 'lines',
      title: 'Seen: at most',
      about: 'By so much they trailed at most: mostly how often they are read.',
      unit: 's',
      shows: { '{{kind}}': bot('read_lag_at_most_seconds', 'quantile="0.99"') },
      min: 0,
      alerts: ['QuotekeeperReadLagBoundBroken'],
    },
  ],
};

const WATCHDOG: Row = {
  title: 'Watchdog',
  panels: [
    {
      kind: 'number',
      title: 'Watchdog, as the bot sees it',
      about: 'Empty where the configuration requires none. Missing: nothing is quoted.',
      unit: 'none',
      shows: { '{{instance}}': bot('watchdog_alive') },
      words: { 0: ['MISSING', 'red'], 1: ['alive', 'green'] },
      width: 6,
      alerts: ['QuotekeeperWatchdogMissing'],
      chapters: ['the-watchdog'],
    },
    {
      kind: 'lines',
      title: 'Age of the lease',
      about: 'Since the loop last showed that it goes on. At `watchdog.ttlMs` the watchdog ends the bot.',
      unit: 's',
      shows: { '{{instance}}': `time() - ${bot('lease_renewed_timestamp_seconds')}` },
      min: 0,
      width: 6,
      chapters: ['the-watchdog'],
    },
    {
      kind: 'rows',
      title: 'Phase, as the watchdog says',
      about: 'From `watchdog.prom` in the state folder, through the node exporter: of all watchdogs.',
      unit: 'none',
      shows: { phase: `${ofWatchdog('phase')} == 1` },
      width: 6,
      chapters: ['the-watchdog'],
    },
    {
      kind: 'lines',
      title: 'What the watchdog sees and does',
      about: 'Whether the bot lives, whether it acts, how old its last look is. From `watchdog.prom`.',
      unit: 'short',
      shows: {
        'bot alive {{instance}}': ofWatchdog('bot_alive'),
        'acted {{instance}}': ofWatchdog('acted'),
        'exchange silent {{instance}}': ofWatchdog('exchange_silent'),
        'canceled {{instance}}': ofWatchdog('canceled_total'),
        'last look, s {{instance}}': `time() - ${ofWatchdog('last_look_timestamp_seconds')}`,
      },
      min: 0,
      width: 6,
      alerts: ['QuotekeeperWatchdogMissing'],
      chapters: ['the-watchdog'],
    },
  ],
};

export const ORDER_TRUTH: Board = {
  name: 'order-truth',
  title: 'quotekeeper: order truth',
  about: 'What is known for certain: unknown orders, halts, differences, lags, the watchdog.',
  bots: 'one',
  symbols: null,
  rows: [ORDERS, HALTS, MONEY, LAGS, WATCHDOG],
};
