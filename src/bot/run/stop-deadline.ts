// Deadline of a stop: counts while the exchange answers, at the pace that it allows the bot.
import type { DurationMs } from '../../domain/time.ts';
import type { Loop } from '../../loop/loop.ts';
import type { Clock } from '../../ports/clock.ts';
import { laneContact } from '../../trader/contact/responsive.ts';
import { stopBoundMs } from '../../trader/observe/stopping.ts';
import type { With } from '../../trader/state/state.ts';

const LOOK_MS: DurationMs = 250;

/** The part of the loop that the watch needs. */
export type StoppingLoop = Pick<Loop, 'state' | 'tell'>;

export interface StopWatchParts {
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  /** Longest time until a create is answered. */
  readonly createDeadlineMs: DurationMs;
  /** The bound starts over: this many milliseconds are left. */
  readonly renewed: (boundMs: DurationMs) => void;
}

/**
 * Ends the stop once it exceeds its bound. In an outage nothing can be canceled or proved: while orders may be open,
 * the stop waits for its end, and the bound starts over with the first answer. While the exchange answers with
 * refusals, the bound is suspended. A slowed lane gets the time that its slowest pace needs.
 */
export function watchStopDeadline(loop: StoppingLoop, parts: StopWatchParts) {
  const { clock, createDeadlineMs } = parts;
  let from = clock.monotonic();
  let lookedAt = from;
  let wasSilent = false;
  let slowest = Number.POSITIVE_INFINITY;

  const boundMs = (): DurationMs => {
    const trader = loop.state().settings;
    return stopBoundMs({ trader, deadlineMs: createDeadlineMs, requestsPerSecond: slowest });
  };

  const look = (): void => {
    const state = loop.state();
    const now = clock.monotonic();
    const contact = laneContact(state, 'private', clock.now());
    slowest = Math.min(slowest, state.requests.pace.private);
    // Refused requests are only late; those lost in an outage are canceled and proved once more.
    if (contact === 'refuses') from += now - lookedAt;
    else if (contact === 'answers' && wasSilent) {
      from = now;
      parts.renewed(boundMs());
    }
    wasSilent = contact === 'silent' || (wasSilent && contact === 'refuses');
    lookedAt = now;
    if (now - from < boundMs() || isHeldBySilence(loop.state())) return;
    clearInterval(looking);
    loop.tell({ kind: 'stop-deadline' });
  };

  const looking = setInterval(look, LOOK_MS);
  look();
  /** How long the stop may still take, at the slowest pace since it began. */
  const leftMs = (): DurationMs => Math.max(0, boundMs() - (clock.monotonic() - from));
  return { leftMs, end: () => clearInterval(looking) };
}

/** Whether orders may be open while the exchange does not answer. */
function isHeldBySilence({ contact, durable, markets }: With<'durable' | 'markets' | 'contact'>): boolean {
  return (
    contact.private.silentSince !== null &&
    (durable.orders.intents.size > 0 || [...markets.values()].some(({ lastHorizon }) => lastHorizon > 0))
  );
}
