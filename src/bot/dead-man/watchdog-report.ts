// What the watchdog shows of itself in the state folder: its sign of life with phase and reason, and the same for
// Prometheus' textfile collector.
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

/** Of one that has ended, for its figures: scraped on and on, they must not say what it saw last. */
const SEES_NOTHING = { phase: 'done', lived: false, silentSince: null } as const;

/** Throws what the file system throws. */
export function watchdogReport(settings: Settings, clock: Clock, channels: () => readonly ChannelStatus[]) {
  const { stateFolder, files } = settings;
  const life = openLease(watchdogFile(stateFolder), clock);
  const bound = killBoundOf(settings);
  const terms = watchTermsOf(settings);
  const outcomes = new Map<string, number>();
  let askedAt: number | null = null;
  let lastPhase: WatchPhase | null = null;
  let lastMetricsAt = Number.NEGATIVE_INFINITY;

  function show(state: WatchState, exitCode: number | null = null): void {
    const { phase, lived, silentSince, kill } = state;
    const more = {
      phase,
      watching: lived,
      exchangeSilentSince: silentSince,
      askedAt,
      reason: kill?.reason ?? null,
      left: leftOf(state),
      bound,
      terms,
      files,
      exitCode,
    };
    if (exitCode === null) life.renew(more);
    else life.end(more);
    // A scraper comes every few seconds.
    if (exitCode === null && phase === lastPhase && clock.monotonic() - lastMetricsAt < 5_000) return;
    lastPhase = phase;
    lastMetricsAt = clock.monotonic();
    const file = watchdogMetricsFile(stateFolder);
    const shown = exitCode === null ? state : { ...state, ...SEES_NOTHING };
    const text = watchdogMetrics(shown, outcomes, clock.now()) + channelsText(channels());
    // For a scraper of another user.
    writeWhole(file, text, { mode: 0o644 });
  }

  return {
    /** Throws what the file system throws. */
    show: (state: WatchState): void => show(state),
    /** The same, and that a request leaves now: a bot that starts meanwhile lets it go first. */
    showAsked: (state: WatchState): void => {
      askedAt = clock.now();
      show(state);
    },
    count: (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
    /** The last word: the process ends. */
    end: (state: WatchState, exitCode: number): void => show(state, exitCode),
  };
}

/** Labels as they are written, and the value. */
type Row = readonly [labels: string, value: number];

/** One metric in the text format of Prometheus. A name that ends in `_total` only rises. */
function family(name: string, help: string, rows: readonly Row[]): string[] {
  const full = `quotekeeper_watchdog_${name}`;
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...rows.map(([labels, value]) => `${full}${labels} ${value}`),
  ];
}

/** Nothing where there is no channel. */
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

/** `outcomes`: requests that came back, counted by outcome. */
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

// By what a watchdog watches: it shows it, and the bot compares. One that was started before the configuration was
// changed would cancel other orders than it may by now, or call them gone too early.

/** What it must not hold otherwise than its bot; by what pace it works is its own. */
export type WatchTerms = ReturnType<typeof watchTermsOf>;

export function watchTermsOf(settings: Settings) {
  const { rearm, horizonMs, sweep } = watchSettingsOf(settings);
  const { whose, readLagBoundMs } = sweep;
  return { exchange: settings.venue.baseUrl, whose, rearm, horizonMs, readLagBoundMs };
}

/** What of a watchdog's sign of life says by what it watches. */
export const shownTerms = z.object({ terms: z.record(z.string(), z.unknown()).optional() });

/** The keys of the configuration behind the shown terms that differ from ours; empty where none does. */
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
