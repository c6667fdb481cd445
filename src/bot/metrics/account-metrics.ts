// Metrics of the bot as a whole: state, balances, age of its data, and rate limits.
import { BLOCKS } from '../../quoting/block.ts';
import { TRACKS } from '../../trader/state/time-account.ts';
import type { BotStatus, MarkoutSum } from '../status/bot-status.ts';
import { metric, type Row, type StatusMetric, stateSet } from './from-status.ts';
import { MARKOUT_HORIZONS } from './markouts.ts';

const PHASES = ['starting', 'running', 'paused', 'stopping', 'stopped'] as const;
const MS = 1_000;

type Lane = BotStatus['lanes'][number];

const perLane = (name: string, help: string, value: (lane: Lane) => number | null): StatusMetric =>
  metric(`${name}{lane}`, help, ({ lanes }) => lanes.map((lane) => [lane.lane, value(lane)]));

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / MS);

/** 0: nothing; 1: a symbol is halted; 2: the kill latch is set. */
function killLevel({ trader }: BotStatus): number {
  if (trader.latched !== null) return 2;
  return trader.symbols.some(({ state }) => state === 'halted') ? 1 : 0;
}

function surfaceAges({ trader }: BotStatus): Row[] {
  const age = (sentAt: number | null): number | null => seconds(sentAt === null ? null : trader.at - sentAt);
  return [
    ...trader.symbols.flatMap(({ symbol, bookSentAt, openOrdersSentAt, tradesSentAt }): Row[] => [
      ['book', symbol, age(bookSentAt)],
      ['open-orders', symbol, age(openOrdersSentAt)],
      ['trades', symbol, age(tradesSentAt)],
    ]),
    ['wallet', '', age(trader.walletSentAt)],
    ['reconciled', '', age(trader.reconciledAt)],
  ];
}

const balances = ({ trader }: BotStatus): Row[] =>
  trader.assets.flatMap(({ asset, expected, wallet, reserved, feesPaid, taxWithheld }): Row[] => [
    [asset, 'expected', expected],
    [asset, 'wallet', wallet],
    [asset, 'reserved', reserved],
    [asset, 'fees-paid', feesPaid],
    [asset, 'tax-withheld', taxWithheld],
  ]);

export const ACCOUNT_METRICS: readonly StatusMetric[] = [
  metric(
    'cash_runway_days{asset}',
    'Days until the tax withheld would take all cash, at the turnover of the last hour. Absent where none was.',
    ({ trader }) => trader.assets.map(({ asset, cashRunwayDays }) => [asset, cashRunwayDays]),
  ),
  metric(
    'messages{window}',
    'Creates and cancels that have left within the last second, the last minute, and since midnight UTC.',
    ({ trader: { messages } }) => [
      ['second', messages.inSecond],
      ['minute', messages.inMinute],
      ['day', messages.today],
    ],
  ),
  metric('messages_limit{window}', 'Most of them that the configuration allows.', ({ trader: { messages } }) => [
    ['second', messages.maxPerSecond],
    ['minute', messages.maxPerMinute],
    ['day', messages.maxPerDay],
  ]),
  metric(
    'build_info{program,version,mode,node}',
    'Always 1; the labels say what runs.',
    ({ program, version, mode }) => [[program, version, mode, process.version.slice(1), 1]],
  ),
  metric('state{phase}', 'The phase of the bot: 1 for the one that holds, 0 for the others.', ({ trader }) =>
    stateSet(PHASES, trader.phase),
  ),
  metric(
    'paused{reason}',
    'Always 1; the label says why quoting is paused. Absent while it is not.',
    ({ trader: { paused } }) => (paused === null ? [] : [[paused, 1]]),
  ),
  metric('blockers', 'Reasons that keep the whole bot from quoting.', ({ trader }) => trader.blockers.length),
  metric('kill_level', '0 nothing, 1 a symbol is halted, 2 the kill latch is set.', killLevel),
  metric(
    'balance{asset,kind}',
    'Units of the asset. `expected` is the total of the ledger, `wallet` that of the exchange.',
    balances,
  ),
  metric(
    'reconcile_drift{asset}',
    'Wallet less ledger at the last comparison, in units of the asset; absent before the first.',
    ({ trader }) => trader.assets.map(({ asset, difference }) => [asset, difference]),
  ),
  metric(
    'unknown_orders',
    'Creates whose outcome is not known: each may be on the book.',
    ({ trader }) => trader.unknownOrders,
  ),
  metric(
    'last_heartbeat_timestamp_seconds',
    'When the last answer of the exchange came that the bot used; ' +
      'a timeout or an error is none. Absent before the first.',
    ({ trader }) => seconds(trader.contact.usedAt),
  ),
  metric(
    'exchange_silent_seconds{lane}',
    'For how long a lane (public: books; private: orders, trades, wallet) has not answered, or refused everything; ' +
      '0 while it answers.',
    ({ trader: { at, contact } }) =>
      (['public', 'private'] as const).map((lane) => [lane, seconds(at - (contact.silentSinceBy[lane] ?? at))]),
  ),
  metric(
    'surface_age_seconds{surface,symbol}',
    'Since the last good read left; `reconciled` since wallet and ledger were last equal. Absent before the first.',
    surfaceAges,
  ),
  metric(
    'surface_age_limit_seconds{surface}',
    'Older than this, a surface decides nothing and quotes are pulled: from the configuration.',
    ({ trader: { limits } }) => [
      ['book', seconds(limits.bookAgeMs)],
      ['open-orders', seconds(limits.openOrdersAgeMs)],
      ['reconciled', seconds(limits.reconciledAgeMs)],
    ],
  ),
  metric(
    'lease_renewed_timestamp_seconds',
    'When the loop last showed to the watchdog that it goes on; absent before the first time.',
    ({ deadMan }) => seconds(deadMan.leaseRenewedAt),
  ),
  metric(
    'watchdog_alive',
    'Whether a watchdog shows that it lives; absent where the configuration requires none.',
    ({ deadMan }) => (deadMan.watchdog === 'not-asked' ? null : Number(deadMan.watchdog === 'alive')),
  ),
  metric('clock_offset_seconds', "The exchange's clock less ours.", ({ trader }) =>
    seconds(trader.clock?.offsetMs ?? null),
  ),
  metric('clock_uncertainty_seconds', 'The true offset is within this of clock_offset_seconds.', ({ trader }) =>
    seconds(trader.clock?.uncertaintyMs ?? null),
  ),
  metric(
    'clock_uncertainty_limit_seconds',
    'Creates stop while the uncertainty is larger: from the configuration.',
    ({ trader }) => seconds(trader.limits.clockUncertaintyMs),
  ),
  perLane('rate_limit_limit', 'Requests per window, as the last answer that named it said.', ({ limit }) => limit),
  perLane('rate_limit_remaining', 'Requests left in it, as that answer said.', ({ remaining }) => remaining),
  perLane(
    'throttled_total',
    'Answers 429, 503 and 504 since the start of the process.',
    ({ throttledTotal }) => throttledTotal,
  ),
  perLane('request_interval_seconds', 'Time between two requests, as learned.', ({ intervalMs }) => intervalMs / MS),
  perLane('requests_in_flight', 'Requests on their way.', ({ inFlight }) => inFlight),
  perLane('requests_waiting', 'Tickets that wait for their turn.', ({ waiting }) => waiting),
];

// Lag of lists, lifetime of quotes, and prices after fills.

const QUANTILES = [
  ['0.5', 'p50'],
  ['0.9', 'p90'],
  ['0.99', 'p99'],
  ['1', 'max'],
] as const;

const quantiles =
  (which: 'atLeastMs' | 'atMostMs') =>
  ({ trader }: BotStatus): Row[] =>
    trader.readLags.kinds.flatMap(({ kind, [which]: ranks }) =>
      QUANTILES.map(([quantile, name]): Row => [kind, quantile, ranks === null ? null : ranks[name] / MS]),
    );

/** All of them from the start: a counter that appears with its first event shows no increase. */
const markoutRows =
  (valuesOf: (sum: MarkoutSum | undefined) => readonly Row[]) =>
  ({ trader, markouts }: BotStatus): Row[] =>
    trader.symbols.flatMap(({ symbol }) =>
      (['buy', 'sell'] as const).flatMap((side) =>
        MARKOUT_HORIZONS.flatMap((horizon) => {
          const sum = markouts.find((each) => each.symbol === symbol && each.side === side && each.horizon === horizon);
          return valuesOf(sum).map((row): Row => [symbol, side, String(horizon), ...row]);
        }),
      ),
    );

export const QUALITY_METRICS: readonly StatusMetric[] = [
  metric(
    'read_lag_at_least_seconds{kind,quantile}',
    'By so much lists trailed at least, of the last 500 own events of a kind. Absent before the first.',
    quantiles('atLeastMs'),
  ),
  metric(
    'read_lag_at_most_seconds{kind,quantile}',
    'By so much they trailed at most: mostly how often they are read. Absent before the first.',
    quantiles('atMostMs'),
  ),
  metric('read_lag_samples{kind}', 'How many events that is of, 500 at most.', ({ trader }) =>
    trader.readLags.kinds.map(({ kind, samples }) => [kind, samples]),
  ),
  metric(
    'read_lag_assumed_seconds',
    'How far lists are assumed to trail at most (assumptions.readLagBoundMs).',
    ({ trader }) => trader.readLags.assumedMs / MS,
  ),
  metric(
    'read_lag_broken_seconds',
    'By so much a list was proved to trail within the last day, where that is more than is assumed; else 0.',
    ({ trader }) => (trader.readLags.broken?.atLeastMs ?? 0) / MS,
  ),
  metric(
    'presence_seconds_total{symbol,side}',
    'Seconds with a live and fresh order on the side since the start of the process; `both`: two-sided.',
    ({ trader }) =>
      trader.symbols.flatMap(({ symbol, presence: { sinceStart } }) =>
        TRACKS.map((side): Row => [symbol, side, sinceStart[side].freshMs / MS]),
      ),
  ),
  metric(
    'presence_lost_seconds_total{symbol,side,reason}',
    'Seconds without one, each by its one reason; docs/operations.md lists them. With the others all seconds.',
    ({ trader }) =>
      trader.symbols.flatMap(({ symbol, presence: { sinceStart } }) =>
        TRACKS.flatMap((side) => {
          const lost = new Map(sinceStart[side].lost.map(({ reason, ms }) => [reason, ms]));
          // Includes reasons with no time yet: a counter that appears with its first event shows no increase.
          return BLOCKS.map((reason): Row => [symbol, side, reason, (lost.get(reason) ?? 0) / MS]);
        }),
      ),
  ),
  metric(
    'markout_quote_total{symbol,side,horizon,result}',
    'Gain or loss of own fills against the trusted price this many seconds later, in quote; horizon 0 is the fill ' +
      'itself. Fills of this process, where that price is known.',
    markoutRows((sum) => [
      ['gain', (sum?.gained ?? 0) + (sum?.lost ?? 0)],
      ['loss', sum?.lost ?? 0],
    ]),
  ),
  metric(
    'markout_filled_quote_total{symbol,side,horizon}',
    'Value of these fills, in quote.',
    markoutRows((sum) => [[sum?.filled ?? 0]]),
  ),
];
