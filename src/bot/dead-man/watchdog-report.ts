// The watchdog's own status in the state folder: its sign of life with phase and reason, and the same for Prometheus'
// textfile collector.
import path from 'node:path';
import { z } from 'zod';
import type { EpochMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import { leftOf } from '../../watchdog/watch-kill.ts';
import { killBoundOf, watchSettingsOf } from '../../watchdog/watch-settings.ts';
import type { WatchPhase, WatchState } from '../../watchdog/watch-state.ts';
import { writeWhole } from '../base/durable-file.ts';
import type { ChannelStatus } from '../notify/notifier.ts';
import { OUTCOMES } from '../notify/state.ts';
import type { Settings } from '../settings/types.ts';
import { openLease, watchdogFile } from '../state-folder/lease-file.ts';

const watchdogMetricsFile = (stateFolder: string): string => path.join(stateFolder, 'watchdog.prom');

const PHASES: readonly WatchPhase[] = [
  'starting',
  'watching',
  'deciding',
  'latching',
  'ending',
  'clearing',
  'rearming',
  'done',
];

/** Metrics after its end: they are scraped on and on and must not repeat what it saw last. */
const SEES_NOTHING = { phase: 'done', lived: false, silentSince: null } as const;

/** Throws system errors. */
export function watchdogReport(settings: Settings, clock: Clock, channels: () => readonly ChannelStatus[]) {
  const { stateFolder, files } = settings;
  const life = openLease(watchdogFile(stateFolder), clock);
  const bound = killBoundOf(settings);
  const terms = watchTermsOf(settings);
  const outcomes = new Map<string, number>();
  let lastPhase: WatchPhase | null = null;
  let lastMetricsAt = Number.NEGATIVE_INFINITY;

  function show(state: WatchState, exitCode: number | null = null): void {
    const { phase, lived, silentSince, kill } = state;
    const more = {
      ...{ phase, watching: lived, exchangeSilentSince: silentSince },
      ...{ reason: kill?.reason ?? null, left: leftOf(state), bound, terms, files, exitCode },
    };
    if (exitCode === null) life.renew(more);
    else life.end(more);
    // Often enough: scrapers come every few seconds.
    if (exitCode === null && phase === lastPhase && clock.monotonic() - lastMetricsAt < 5_000) return;
    lastPhase = phase;
    lastMetricsAt = clock.monotonic();
    const file = watchdogMetricsFile(stateFolder);
    const shown = exitCode === null ? state : { ...state, ...SEES_NOTHING };
    const text = watchdogMetrics(shown, outcomes, clock.now()) + channelsText(channels());
    // Readable for a scraper of another user.
    writeWhole(file, text, { mode: 0o644 });
  }

  return {
    /** Throws system errors. */
    show: (state: WatchState): void => show(state),
    count: (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
    /** The final status: the process ends. */
    end: (state: WatchState, exitCode: number): void => show(state, exitCode),
  };
}

/** Labels as written, and the value. */
type Row = readonly [labels: string, value: number];

/** One metric in Prometheus' text format. A name that ends in `_total` is a counter. */
function family(name: string, help: string, rows: readonly Row[]): string[] {
  const full = `quotekeeper_watchdog_${name}`;
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...rows.map(([labels, value]) => `${full}${labels} ${value}`),
  ];
}

/** Empty if there is no channel. */
function channelsText(channels: readonly ChannelStatus[]): string {
  if (channels.length === 0) return '';
  const counted = channels.flatMap(({ name, counts }) =>
    OUTCOMES.map((outcome): Row => [`{channel="${name}",outcome="${outcome}"}`, counts[outcome] ?? 0]),
  );
  const waiting = channels.map(({ name, waiting: count }): Row => [`{channel="${name}"}`, count]);
  return [
    ...family('notifications_total', 'Messages to people by what became of them.', counted),
    ...family('notifications_waiting', 'Messages in the outbox.', waiting),
    '',
  ].join('\n');
}

/** `outcomes`: completed requests, counted by outcome. */
export function watchdogMetrics(
  { phase, lived, silentSince, kill }: Pick<WatchState, 'phase' | 'lived' | 'silentSince' | 'kill'>,
  outcomes: ReadonlyMap<string, number>,
  now: EpochMs,
): string {
  const one = (name: string, help: string, value: number): string[] => family(name, help, [['', value]]);
  const phases = PHASES.map((each): Row => [`{phase="${each}"}`, Number(each === phase)]);
  const requests = [...outcomes].map(([name, count]): Row => [`{outcome="${name}"}`, count]);
  return [
    ...one('last_look_timestamp_seconds', 'When the watchdog last looked.', now / 1_000),
    ...family('phase', '1 for the phase that it is in.', phases),
    ...one('bot_alive', 'Whether the bot shows life.', Number(lived && kill === null)),
    ...one(
      'exchange_silent',
      'Whether the bot lives, and the exchange does not answer it.',
      Number(silentSince !== null),
    ),
    ...one('acted', 'Whether it ended the bot and cancels its orders.', Number(kill !== null)),
    ...one('canceled_total', 'Cancels that the exchange acknowledged.', kill?.sweep?.canceled ?? 0),
    ...family('requests_total', 'Requests that came back.', requests),
    '',
  ].join('\n');
}

// The watchdog's terms: it publishes them, and the bot compares. A watchdog started before a configuration change would
// cancel the wrong orders, or call them gone too early.

/** Terms that must equal the bot's; the watchdog's own pace may differ. */
export type WatchTerms = ReturnType<typeof watchTermsOf>;

export function watchTermsOf(settings: Settings) {
  const { rearm, horizonMs, sweep } = watchSettingsOf(settings);
  const { whose, readLagBoundMs } = sweep;
  return { exchange: settings.venue.baseUrl, whose, rearm, horizonMs, readLagBoundMs };
}

/** The terms in a watchdog's sign of life. */
export const shownTerms = z.object({ terms: z.record(z.string(), z.unknown()).optional() });

/** Configuration keys of the published terms that differ from ours; empty if none. */
export function otherTerms(terms: z.output<typeof shownTerms>['terms'], ours: WatchTerms): readonly string[] {
  if (terms === undefined) return [];
  return Object.entries(NAMES).flatMap(([term, name]) =>
    terms[term] === ours[term as keyof WatchTerms] ? [] : [name],
  );
}

const NAMES: Readonly<Record<keyof WatchTerms, string>> = {
  exchange: 'venue.baseUrl',
  whose: 'account.foreignOrders',
  rearm: 'watchdog.rearm',
  horizonMs: 'assumptions (window, clock, lag inside the exchange)',
  readLagBoundMs: 'assumptions.readLagBoundMs',
};
