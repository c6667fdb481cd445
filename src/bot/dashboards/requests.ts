// The dashboard of requests: how many there are to spend, what became of them, how old that leaves what is known.
import type { Board, Row } from './board.ts';
import { bot, ofProcess, perSecond, quantile, recorded, sumBy } from './expressions.ts';
import { NEAR_LIMIT } from './shared-panels.ts';

const LANES: Row = {
  title: 'Lanes',
  panels: [
    {
      kind: 'lines',
      title: 'Pace',
      about: 'Requests that each lane may send, as configured and learned, and that came back.',
      unit: 'reqps',
      shows: {
        '{{lane}} may': `1 / ${bot('request_interval_seconds')}`,
        '{{lane}} does': sumBy('instance, lane', perSecond(bot('requests_total'))),
      },
      styles: { 'public may': { line: 'dashed' }, 'private may': { line: 'dashed' } },
      min: 0,
      alerts: ['QuotekeeperThrottled'],
    },
    {
      kind: 'lines',
      title: 'In flight and waiting',
      about: 'Requests on their way, and tickets that wait for their turn. A lane that always waits is the bottleneck.',
      unit: 'none',
      shows: { '{{lane}} in flight': bot('requests_in_flight'), '{{lane}} waiting': bot('requests_waiting') },
      min: 0,
    },
    {
      kind: 'lines',
      title: 'Left of the exchange’s limit',
      about: 'Of the window that the last answer named. Nothing is shown where the exchange names none.',
      unit: 'percentunit',
      shows: { '{{lane}}': `${bot('rate_limit_remaining')} / ${bot('rate_limit_limit')}` },
      min: 0,
      max: 1,
      alerts: ['QuotekeeperThrottled'],
    },
    {
      kind: 'bars',
      title: 'Own limit of messages',
      about: 'Creates and cancels against `messageRate`. At 100 % creates wait, cancels leave.',
      unit: 'percentunit',
      shows: { 'in a {{window}}': `${bot('messages')} / ${bot('messages_limit')}` },
      from: NEAR_LIMIT,
      min: 0,
      max: 1,
      width: 12,
      height: 5,
      alerts: ['QuotekeeperRateLimited'],
    },
    {
      kind: 'lines',
      title: 'Creates held up by it',
      about: 'In the ten minutes before. When that goes on for minutes every symbol halts.',
      unit: 'short',
      shows: { '{{instance}}': recorded('withheld_creates:increase10m') },
      min: 0,
      width: 12,
      height: 5,
      alerts: ['QuotekeeperRateLimited'],
    },
  ],
};

const OUTCOMES: Row = {
  title: 'Outcomes',
  panels: [
    {
      kind: 'areas',
      title: 'What requests are spent on',
      about: 'Requests that came back, by endpoint.',
      unit: 'reqps',
      shows: { '{{endpoint}}': sumBy('endpoint', perSecond(bot('requests_total'))) },
    },
    {
      kind: 'areas',
      title: 'What became of them',
      about: 'By outcome. `unknown`: it may have happened. `soft-rejected`: it should not have, and is watched.',
      unit: 'reqps',
      shows: { '{{outcome}}': sumBy('outcome', perSecond(bot('requests_total'))) },
      alerts: ['QuotekeeperUnknownOrders'],
    },
    {
      kind: 'areas',
      title: 'What did not go well',
      about: 'Everything but reads that were read, creates that were accepted and cancels that were acknowledged.',
      unit: 'reqps',
      shows: {
        '{{endpoint}} {{outcome}}': sumBy(
          'endpoint, outcome',
          perSecond(bot('requests_total', 'outcome!~"read|accepted|acknowledged"')),
        ),
      },
    },
    {
      kind: 'areas',
      title: 'Answers by status',
      about: 'Answers that are no 2xx. 429: too fast. 503: maintenance or a gateway. `none`: no answer came.',
      unit: 'reqps',
      shows: {
        '{{lane}} {{status}}': `${sumBy('lane, status', perSecond(bot('answers_total', 'status!="2xx"')))} > 0`,
      },
      width: 12,
      alerts: ['QuotekeeperThrottled', 'QuotekeeperExchangeSilent'],
    },
    {
      kind: 'lines',
      title: 'Throttled',
      about: 'Answers 429, 503 and 504 in a minute, over ten minutes.',
      unit: 'short',
      shows: { '{{lane}}': recorded('throttled:per_minute_rate10m') },
      from: [[1, 'red']],
      min: 0,
      width: 12,
      alerts: ['QuotekeeperThrottled'],
    },
  ],
};

const LATENCY: Row = {
  title: 'Latency',
  panels: [
    {
      kind: 'lines',
      title: 'Creates and cancels',
      about: 'From the first byte out to the last byte in: half of them, and all but one in a hundred.',
      unit: 's',
      shows: {
        'p50 {{endpoint}}': writes(0.5),
        'p99 {{endpoint}}': writes(0.99),
      },
      min: 0,
    },
    {
      kind: 'lines',
      title: 'All, by endpoint',
      about: 'All but one in a hundred.',
      unit: 's',
      shows: { '{{endpoint}}': quantile(0.99, 'request_duration_seconds', 'endpoint') },
      min: 0,
    },
    {
      kind: 'lines',
      title: 'All, by lane',
      about: 'All but one in a hundred, over ten minutes.',
      unit: 's',
      shows: { '{{lane}}': recorded('request_duration_seconds:p99_rate10m') },
      min: 0,
    },
  ],
};

function writes(share: number): string {
  const buckets = perSecond(bot('request_duration_seconds_bucket', 'endpoint=~"create|cancel.*"'));
  return `histogram_quantile(${share}, ${sumBy('endpoint, le', buckets)})`;
}

const KNOWLEDGE: Row = {
  title: 'What is known, and how old it is',
  panels: [
    {
      kind: 'lines',
      title: 'Ages of surfaces',
      about: 'Since the last good read left; `reconciled` since wallet and ledger were last equal.',
      unit: 's',
      shows: { '{{surface}} {{symbol}}': bot('surface_age_seconds') },
      min: 0,
      alerts: ['QuotekeeperSurfaceStale'],
    },
    {
      kind: 'lines',
      title: 'Ages against their limits',
      about: 'Over 100 % it decides nothing, and quotes are pulled.',
      unit: 'percentunit',
      shows: { '{{surface}} {{symbol}}': recorded('surface_age:ratio') },
      from: [[1, 'red']],
      min: 0,
      alerts: ['QuotekeeperSurfaceStale'],
    },
    {
      kind: 'lines',
      title: 'Silence',
      about: 'For how long a lane has not answered, and how old the last answer is that was of use.',
      unit: 's',
      shows: {
        '{{lane}} silent': bot('exchange_silent_seconds'),
        'last answer of use': recorded('heartbeat_age:seconds'),
      },
      min: 0,
      alerts: ['QuotekeeperExchangeSilent', 'QuotekeeperHeartbeatOld'],
    },
    {
      kind: 'lines',
      title: 'Clock of the exchange',
      about: 'Its clock less ours, and the band that the true offset lies in.',
      unit: 's',
      shows: {
        offset: bot('clock_offset_seconds'),
        'at least': `${bot('clock_offset_seconds')} - ${bot('clock_uncertainty_seconds')}`,
        'at most': `${bot('clock_offset_seconds')} + ${bot('clock_uncertainty_seconds')}`,
      },
      styles: {
        offset: { color: 'blue', line: 'bold' },
        'at least': { color: 'text', line: 'dashed' },
        'at most': { color: 'text', line: 'dashed' },
      },
      width: 12,
      alerts: ['QuotekeeperClockUncertain'],
    },
    {
      kind: 'lines',
      title: 'Uncertainty of its limit',
      about: 'Over 100 % no create leaves.',
      unit: 'percentunit',
      shows: { '{{instance}}': recorded('clock_uncertainty:ratio') },
      from: [[1, 'red']],
      min: 0,
      width: 12,
      alerts: ['QuotekeeperClockUncertain'],
    },
  ],
};

const PROCESS: Row = {
  title: 'The process',
  panels: [
    {
      kind: 'lines',
      title: 'Pauses of more than a second',
      about: 'In five minutes: the whole program stood still, and canceled nothing.',
      unit: 'short',
      shows: { '{{instance}}': recorded('event_loop_stalls:increase5m') },
      min: 0,
      width: 6,
      alerts: ['QuotekeeperEventLoopBlocked'],
    },
    {
      kind: 'lines',
      title: 'Writing the journal',
      about: 'All durable writes but one in a hundred. Every create waits for one.',
      unit: 's',
      shows: { '{{instance}}': recorded('journal_commit_seconds:p99_rate10m') },
      min: 0,
      width: 6,
      alerts: ['QuotekeeperJournalSlow'],
    },
    {
      kind: 'lines',
      title: 'Processor',
      about: 'Of one core.',
      unit: 'percentunit',
      shows: { '{{instance}}': perSecond(ofProcess('process_cpu_seconds_total')) },
      min: 0,
      width: 6,
      alerts: ['QuotekeeperEventLoopBlocked'],
    },
    {
      kind: 'lines',
      title: 'Memory',
      about: 'What the process holds, and what of it is its heap.',
      unit: 'bytes',
      shows: {
        resident: ofProcess('process_resident_memory_bytes'),
        heap: ofProcess('nodejs_heap_size_used_bytes'),
      },
      min: 0,
      width: 6,
    },
  ],
};

const PEOPLE: Row = {
  title: 'Who is told',
  panels: [
    {
      kind: 'lines',
      title: 'Oldest message that waits',
      about:
        'By channel of notifications, and for how long it has failed: while it grows, somebody is not called by it.',
      unit: 's',
      shows: {
        '{{channel}}': bot('notifications_oldest_age_seconds'),
        '{{channel}} fails': bot('notifications_failing_seconds'),
      },
      from: [[300, 'red']],
      min: 0,
      width: 12,
      alerts: ['QuotekeeperNotificationsFail'],
    },
    {
      kind: 'lines',
      title: 'Messages to people',
      about: 'By channel, and what became of them.',
      unit: 'short',
      shows: { '{{channel}} {{outcome}}': perSecond(bot('notifications_total')) },
      min: 0,
      width: 12,
      alerts: ['QuotekeeperNotificationsFail'],
    },
  ],
};

export const REQUESTS: Board = {
  name: 'requests',
  title: 'quotekeeper: requests',
  about: 'Lanes and their pace, outcomes, latency, how old that leaves what is known, and whether people are told.',
  bots: 'one',
  symbols: null,
  rows: [LANES, OUTCOMES, LATENCY, KNOWLEDGE, PROCESS, PEOPLE],
};
