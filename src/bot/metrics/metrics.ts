// Metrics for Prometheus: the bot's status and counts of its requests, as `quotekeeper_…` in base units.
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type EpochMs, SECOND } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { Notice } from '../../trader/state/turn.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { ChannelStatus } from '../notify/notifier.ts';
import { OUTCOMES } from '../notify/state.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { ACCOUNT_METRICS, QUALITY_METRICS } from './account-metrics.ts';
import { metric, PREFIX, type Row, registerStatusMetric, type StatusMetric } from './from-status.ts';
import { SYMBOL_METRICS } from './symbol-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Statuses counted separately; all others are counted by their hundred. */
const SINGLE_STATUSES: readonly number[] = [429, 503, 504];
const STATUS_CLASSES = ['2xx', '3xx', '4xx', '429', '5xx', '503', '504', 'none'] as const;

function statusClass(status: number | undefined): (typeof STATUS_CLASSES)[number] {
  const word = SINGLE_STATUSES.includes(status ?? 0) ? `${status}` : `${Math.floor((status ?? 0) / 100)}xx`;
  return STATUS_CLASSES.find((each) => each === word) ?? 'none';
}

const NOTICE_LEVELS: readonly Notice['level'][] = ['debug', 'info', 'warn', 'page'];

/** Each has its own registry, so that two in one process don't clash. */
export function createMetrics(registry: Registry = new Registry()) {
  collectDefaultMetrics({ register: registry });
  const all = [...ACCOUNT_METRICS, ...SYMBOL_METRICS, ...QUALITY_METRICS, ...NOTIFY_METRICS];
  const updates = all.map((metric) => registerStatusMetric(metric, registry));
  const own = ownMetrics(registry);
  const stopWatching = watchLoopDelay(own.loopDelay);
  let resolutionsSeen = 0;
  return {
    /** Updates everything derived from the status; call just before `text`. */
    update(status: BotStatus): void {
      for (const update of updates) update(status);
      // The list holds only the newest; those since the last call are at its end.
      const { total, last } = status.trader.unknownResolutions;
      const fresh = last.slice(Math.max(0, last.length - (total - resolutionsSeen)));
      for (const { seconds } of fresh) own.resolution.observe(seconds);
      resolutionsSeen = total;
    },
    /** Call for every completed request. */
    countRequest(lane: 'public' | 'private', { kind, outcome, facts }: Completed): void {
      own.requests.inc({ lane, endpoint: kind, outcome: outcome.kind });
      own.answers.inc({ lane, status: statusClass(facts.status) });
      const seconds = (facts.receivedAt - facts.sentAt) / 1_000;
      // Our wall clock stepped back during the request, so its duration is unknown.
      if (seconds >= 0) own.duration.observe({ lane, endpoint: kind }, seconds);
    },
    /** A message to the bot in a chat. */
    countChatMessage: (from: 'chat' | 'stranger'): void => own.chatMessages.inc({ from }),
    countNotice: ({ level }: Pick<Notice, 'level'>): void => own.notices.inc({ level }),
    /** Duration of one durable write to the journal. */
    observeJournalCommit: (seconds: number): void => own.commit.observe(seconds),
    /** The exposition format. Labels are symbols, assets and words of closed lists, so their number is bounded. */
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType as string,
    /** Stops its timers. */
    close(): void {
      stopWatching();
      registry.clear();
    },
  };
}

/** Metrics counted as events happen, not derived from the status. */
function ownMetrics(registry: Registry) {
  const named = <const Labels extends string>(name: string, help: string, labelNames: readonly Labels[]) => ({
    name: `${PREFIX}${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const notices = new Counter(
    named('notices_total', 'Messages of the bot for people; `page` is meant to wake somebody.', ['level']),
  );
  for (const level of NOTICE_LEVELS) notices.inc({ level }, 0);
  const answers = new Counter(
    named('answers_total', 'Requests that came back, by HTTP status; `none`: without an answer.', ['lane', 'status']),
  );
  for (const lane of ['public', 'private']) for (const status of STATUS_CLASSES) answers.inc({ lane, status }, 0);
  const chatMessages = new Counter(
    named('chat_messages_total', 'Messages to the bot: of the configured `chat`, or of a `stranger`, ignored.', [
      'from',
    ]),
  );
  for (const from of ['chat', 'stranger']) chatMessages.inc({ from }, 0);
  return {
    notices,
    answers,
    chatMessages,
    requests: new Counter(
      named('requests_total', 'Requests that came back, since the start of the process.', [
        'lane',
        'endpoint',
        'outcome',
      ]),
    ),
    duration: new Histogram({
      ...named('request_duration_seconds', 'From the first byte out to the last byte in.', ['lane', 'endpoint']),
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    resolution: new Histogram({
      ...named('unknown_resolution_seconds', 'How long it took to learn what became of a create that was unknown.', []),
      buckets: [1, 2.5, 5, 10, 30, 60, 120, 180, 300, 600],
    }),
    commit: new Histogram({
      ...named(
        'journal_commit_seconds',
        'Duration of one durable write to the journal; each blocks the program that long.',
        [],
      ),
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    }),
    loopDelay: new Histogram({
      ...named('event_loop_delay_seconds', 'How late a timer of 20 ms fired: what the event loop was held up for.', []),
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
  };
}

// How late timers fire in this process: time for which the event loop was blocked.

const EVERY_MS = 20;

/**
 * Observes the lateness of a timer, in seconds. A histogram instead of the runtime's own monitor, which must be reset
 * at each scrape to show a new maximum and loses what happens around the reset. Returns a function that stops it; does
 * not keep the process alive.
 */
function watchLoopDelay(delay: Histogram): () => void {
  let before = realClock.monotonic();
  const timer = setInterval(() => {
    const now = realClock.monotonic();
    delay.observe(Math.max(0, now - before - EVERY_MS) / 1_000);
    before = now;
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

// Outcomes of messages to people, by channel.

const ofEach =
  (value: (channel: ChannelStatus, now: EpochMs) => number) =>
  ({ channels, trader }: BotStatus): Row[] =>
    channels.map((channel) => [channel.name, value(channel, trader.at)]);

const secondsFrom = (from: EpochMs | null, now: EpochMs): number =>
  from === null ? 0 : Math.max(0, now - from) / SECOND;

const NOTIFY_METRICS: readonly StatusMetric[] = [
  metric(
    'notifications_total{channel,outcome}',
    'Messages to people by what became of them: `sent`; attempts that `failed` or were `refused`; `held-back` by ' +
      'the rate of the channel, or because the outbox was full.',
    ({ channels }) =>
      channels.flatMap(({ name, counts }) => OUTCOMES.map((outcome): Row => [name, outcome, counts[outcome] ?? 0])),
  ),
  metric(
    'notifications_waiting{channel}',
    'Messages in the outbox.',
    ofEach(({ waiting }) => waiting),
  ),
  metric(
    'notifications_oldest_age_seconds{channel}',
    'How long the oldest of them waits; 0 where none does.',
    ofEach(({ oldestAt }, now) => secondsFrom(oldestAt, now)),
  ),
  metric(
    'notifications_failing_seconds{channel}',
    'How long the channel has taken no messages, or left recipients out; 0 while it works.',
    ofEach(({ failingSince }, now) => secondsFrom(failingSince, now)),
  ),
];
