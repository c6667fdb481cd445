// Metrics of the bot as a whole: state, balances, age of its data, and rate limits.
import type { BotStatus } from '../status/bot-status.ts';
import { metric, type Row, type StatusMetric, stateSet } from './from-status.ts';

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
