// What is true of the bot as a whole: state, balances, how old its knowledge is, and the exchange's patience.
import type { BotStatus } from '../status/bot-status.ts';
import { numberOf, type Reading, type StatusMetric, stateSet } from './from-status.ts';

const PHASES = ['starting', 'running', 'paused', 'stopping', 'stopped'] as const;
const MS = 1_000;

type Lane = BotStatus['lanes'][number];

const one = (name: string, help: string, value: (status: BotStatus) => number | null): StatusMetric => ({
  name,
  help,
  labels: [],
  read: (status) => [{ labels: {}, value: value(status) }],
});

const perLane = (name: string, help: string, value: (lane: Lane) => number | null): StatusMetric => ({
  name,
  help,
  labels: ['lane'],
  read: ({ lanes }) => lanes.map((lane) => ({ labels: { lane: lane.lane }, value: value(lane) })),
});

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / MS);

/** 0 nothing, 1 a symbol is halted, 2 the kill latch is set. */
function killLevel({ trader }: BotStatus): number {
  if (trader.latched !== null) return 2;
  return trader.symbols.some(({ state }) => state === 'halted') ? 1 : 0;
}

function surfaceAges({ trader }: BotStatus): Reading[] {
  const age = (surface: string, symbol: string, sentAt: number | null): Reading => ({
    labels: { surface, symbol },
    value: sentAt === null ? null : (trader.at - sentAt) / MS,
  });
  return [
    ...trader.symbols.flatMap((each) => [
      age('book', each.symbol, each.bookSentAt),
      age('open-orders', each.symbol, each.openOrdersSentAt),
      age('trades', each.symbol, each.tradesSentAt),
    ]),
    age('wallet', '', trader.walletSentAt),
    age('reconciled', '', trader.reconciledAt),
  ];
}

function surfaceLimits({ trader: { limits } }: BotStatus): Reading[] {
  return [
    { labels: { surface: 'book' }, value: limits.bookAgeMs / MS },
    { labels: { surface: 'open-orders' }, value: limits.openOrdersAgeMs / MS },
    { labels: { surface: 'reconciled' }, value: limits.reconciledAgeMs / MS },
  ];
}

function balances({ trader }: BotStatus): Reading[] {
  return trader.assets.flatMap((each) =>
    Object.entries({
      expected: each.expected,
      wallet: each.wallet,
      reserved: each.reserved,
      'fees-paid': each.feesPaid,
      'tax-withheld': each.taxWithheld,
    }).map(([kind, text]) => ({ labels: { asset: each.asset, kind }, value: numberOf(text) })),
  );
}

const WINDOWS = [
  ['second', 'inSecond', 'maxPerSecond'],
  ['minute', 'inMinute', 'maxPerMinute'],
  ['day', 'today', 'maxPerDay'],
] as const;

export const ACCOUNT_METRICS: readonly StatusMetric[] = [
  {
    name: 'cash_runway_days',
    help: 'Days until the tax withheld would take all cash, at the turnover of the last hour. Absent where none was.',
    labels: ['asset'],
    read: ({ trader }) =>
      trader.assets.flatMap(({ asset, cashRunwayDays: value }) =>
        value === null ? [] : [{ labels: { asset }, value }],
      ),
  },
  {
    name: 'messages',
    help: 'Creates and cancels that have left within the last second, the last minute, and since midnight UTC.',
    labels: ['window'],
    read: ({ trader }) => WINDOWS.map(([window, count]) => ({ labels: { window }, value: trader.messages[count] })),
  },
  {
    name: 'messages_limit',
    help: 'Most of them that the configuration allows.',
    labels: ['window'],
    read: ({ trader }) => WINDOWS.map(([window, , limit]) => ({ labels: { window }, value: trader.messages[limit] })),
  },
  {
    name: 'build_info',
    help: 'Always 1; the labels say what runs.',
    labels: ['program', 'version', 'mode', 'node'],
    read: ({ program, version, mode }) => [
      { labels: { program, version, mode, node: process.version.slice(1) }, value: 1 },
    ],
  },
  {
    name: 'state',
    help: 'The phase of the bot: 1 for the one that holds, 0 for the others.',
    labels: ['phase'],
    read: ({ trader }) => stateSet(PHASES, trader.phase, 'phase'),
  },
  {
    name: 'paused',
    help: 'Always 1; the label says why quoting is paused. Absent while it is not.',
    labels: ['reason'],
    read: ({ trader }) => (trader.paused === null ? [] : [{ labels: { reason: trader.paused }, value: 1 }]),
  },
  one('blockers', 'Reasons that keep the whole bot from quoting.', ({ trader }) => trader.blockers.length),
  one('kill_level', '0 nothing, 1 a symbol is halted, 2 the kill latch is set.', killLevel),
  {
    name: 'balance',
    help: 'Units of the asset. `expected` is the total of the ledger, `wallet` that of the exchange.',
    labels: ['asset', 'kind'],
    read: balances,
  },
  {
    name: 'reconcile_drift',
    help: 'Wallet less ledger at the last comparison, in units of the asset; absent before the first.',
    labels: ['asset'],
    read: ({ trader }) =>
      trader.assets.map(({ asset, difference }) => ({ labels: { asset }, value: numberOf(difference) })),
  },
  one(
    'unknown_orders',
    'Creates whose outcome is not known: each may be on the book.',
    ({ trader }) => trader.unknownOrders,
  ),
  one(
    'last_heartbeat_timestamp_seconds',
    'When the last answer of the exchange came that the bot used; ' +
      'a timeout or an error is none. Absent before the first.',
    ({ trader }) => seconds(trader.contact.usedAt),
  ),
  {
    name: 'exchange_silent_seconds',
    help:
      'For how long a lane (public: books; private: orders, trades, wallet) has not answered, or refused everything; ' +
      '0 while it answers.',
    labels: ['lane'],
    read: ({ trader: { at, contact } }) =>
      (['public', 'private'] as const).map((lane) => ({
        labels: { lane },
        value: (at - (contact.silentSinceBy[lane] ?? at)) / MS,
      })),
  },
  {
    name: 'surface_age_seconds',
    help:
      'Since the last good read left; `reconciled` since wallet and ledger were last equal. Absent before ' +
      'the first.',
    labels: ['surface', 'symbol'],
    read: surfaceAges,
  },
  {
    name: 'surface_age_limit_seconds',
    help: 'Older than this, a surface decides nothing and quotes are pulled: from the configuration.',
    labels: ['surface'],
    read: surfaceLimits,
  },
  one(
    'lease_renewed_timestamp_seconds',
    'When the loop last showed to the watchdog that it goes on; absent before the first time.',
    ({ deadMan }) => seconds(deadMan.leaseRenewedAt),
  ),
  one(
    'watchdog_alive',
    'Whether a watchdog shows that it lives; absent where the configuration requires none.',
    ({ deadMan }) => (deadMan.watchdog === 'not-asked' ? null : Number(deadMan.watchdog === 'alive')),
  ),
  one('clock_offset_seconds', "The exchange's clock less ours.", ({ trader }) =>
    seconds(trader.clock?.offsetMs ?? null),
  ),
  one('clock_uncertainty_seconds', 'The true offset is within this of clock_offset_seconds.', ({ trader }) =>
    seconds(trader.clock?.uncertaintyMs ?? null),
  ),
  one(
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
