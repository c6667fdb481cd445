// How long a stop may take: its bound counts while the exchange answers, at the pace that it lets the bot have.
import type { DurationMs } from '../../domain/time.ts';
import type { Loop } from '../../loop/loop.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TraderState } from '../../trader/state/state.ts';
import { stopBoundMs } from '../../trader/status/stop-bound.ts';

const LOOK_MS: DurationMs = 250;

/** What the watch needs of the loop. */
export type StoppingLoop = Pick<Loop, 'state' | 'tell'>;

export interface StopWatchParts {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The longest that the answer to a create may take. */
  readonly createDeadlineMs: DurationMs;
  /** The bound begins anew: so many milliseconds are left. */
  readonly renewed: (boundMs: DurationMs) => void;
}

/**
 * Ends the stop once it has taken longer than its bound. In a silence nothing can be canceled or proved: while orders
 * may rest the stop goes on until it is over, and its bound begins anew with the first answer. A lane that was slowed
 * down has the time that its slowest pace asks for.
 */
export function watchStopDeadline(loop: StoppingLoop, parts: StopWatchParts): { end(): void } {
  const { clock, createDeadlineMs } = parts;
  let from = clock.monotonic();
  let { againAt } = loop.state().contact.private;
  let slowest = Number.POSITIVE_INFINITY;

  const boundMs = (): DurationMs => {
    const trader = loop.state().settings;
    return stopBoundMs({ trader, deadlineMs: createDeadlineMs, requestsPerSecond: slowest });
  };

  const look = (): void => {
    const { contact, requests } = loop.state();
    slowest = Math.min(slowest, requests.pace.private);
    if (contact.private.againAt !== againAt) {
      againAt = contact.private.againAt;
      from = clock.monotonic();
      parts.renewed(boundMs());
    }
    if (clock.monotonic() - from < boundMs() || isHeldBySilence(loop.state())) return;
    clearInterval(looking);
    loop.tell({ kind: 'stop-deadline' });
  };

  const looking = setInterval(look, LOOK_MS);
  look();
  return { end: () => clearInterval(looking) };
}

/** Whether orders may rest, and the exchange does not answer. */
export function isHeldBySilence({ contact, durable, markets }: TraderState): boolean {
  return (
    contact.private.silentSince !== null &&
    (durable.orders.intents.size > 0 || [...markets.values()].some(({ lastHorizon }) => lastHorizon > 0))
  );
}
