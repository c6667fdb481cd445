// How long a stop may take: its bound counts while the exchange answers, at the pace that it lets the bot have.
import type { DurationMs } from '../../domain/time.ts';
import type { Loop } from '../../loop/loop.ts';
import type { Clock } from '../../ports/clock.ts';
import { laneContact } from '../../trader/contact/responsive.ts';
import { stopBoundMs } from '../../trader/observe/stopping.ts';
import type { TraderState } from '../../trader/state/state.ts';

const LOOK_MS: DurationMs = 250;

/** What the watch needs of the loop. */
export type StoppingLoop = Pick<Loop, 'state' | 'tell'>;

export interface StopWatchParts {
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  /** The longest that the answer to a create may take. */
  readonly createDeadlineMs: DurationMs;
  /** The bound begins anew: so many milliseconds are left. */
  readonly renewed: (boundMs: DurationMs) => void;
}

export interface StopWatch {
  /** How long the stop may still take, at the slowest pace since it began. */
  leftMs(): DurationMs;
  end(): void;
}

/**
 * Ends the stop once it has taken longer than its bound. In a silence nothing can be canceled or proved: while orders
 * may rest the stop goes on until it is over, and its bound begins anew with the first answer. While the exchange
 * answers and refuses, the bound stands still. A lane that was slowed down has the time that its slowest pace asks for.
 */
export function watchStopDeadline(loop: StoppingLoop, parts: StopWatchParts): StopWatch {
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
    // What was refused is only late; what was lost in a silence is canceled and proved once more.
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
  const leftMs = (): DurationMs => Math.max(0, boundMs() - (clock.monotonic() - from));
  return { leftMs, end: () => clearInterval(looking) };
}

/** Whether orders may rest, and the exchange does not answer. */
function isHeldBySilence({ contact, durable, markets }: TraderState): boolean {
  return (
    contact.private.silentSince !== null &&
    (durable.orders.intents.size > 0 || [...markets.values()].some(({ lastHorizon }) => lastHorizon > 0))
  );
}
