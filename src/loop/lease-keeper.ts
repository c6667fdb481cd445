// Renews the bot's lease only from passes of its loop. The renewal records what the loop has chosen.
import type { DurationMs } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { Lease } from '../ports/lease.ts';
import { contactView } from '../trader/contact/responsive.ts';
import type { TraderState } from '../trader/state/state.ts';
import { LONGEST_PASS_MS, type Loop, type PrivatePass } from './loop.ts';
import { progressJudge, refusedWords } from './progress.ts';
import type { Trading } from './start-trading.ts';

/** Fields written along with a renewal. */
export type Renewal = Pick<Lease, 'contact' | 'pace'>;

export interface LeaseKeeperParts {
  readonly clock: Clock;
  /** A watchdog ends the bot after this long without a renewal. */
  readonly ttlMs: DurationMs;
  /** The longest deadline of a request. */
  readonly deadlineMs: DurationMs;
  /** Whether the watchdog asks with the bot's key. */
  readonly sharesKey: boolean;
  /** Records the own orders that the state knows before the renewal. If it throws, the lease stays as it was. */
  readonly agree: (state: Pick<TraderState, 'durable' | 'orders'>) => void;
  readonly renew: (renewal: Renewal) => void;
  /** The loop is stuck: no renewal from here on until it makes progress. Called once. */
  readonly withhold: (why: string) => void;
  /** Called once, until a renewal succeeds again. */
  readonly failed: (error: unknown) => void;
}

/** Call it with each pass over the private lane. */
export type LeaseKeeper = (pass: PrivatePass, trading: Trading) => void;

export function leaseKeeper(parts: LeaseKeeperParts): LeaseKeeper {
  const { clock, sharesKey } = parts;
  const judge = progressJudge({ deadlineMs: parts.deadlineMs });
  const renewEveryMs = Math.min(LONGEST_PASS_MS / 2, parts.ttlMs / 4);
  let hasFailed = false;
  let isStuck = false;
  let renewedAt = Number.NEGATIVE_INFINITY;

  function renew({ loop, lanes }: Trading): void {
    try {
      parts.agree(loop.state());
      const pace = { intervalMs: lanes.private.figures().intervalMs, pausedUntil: lanes.private.pausedUntil() };
      parts.renew({ ...contactIn(loop, clock), pace });
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) parts.failed(error);
      hasFailed = true;
    }
  }

  return (pass, trading) => {
    const lane = trading.lanes.private;
    const waits = { ...lane.figures(), isPaused: lane.pausedUntil() !== null };
    const stuck = judge(pass, waits) ?? refusedWords(trading.loop.state().refusal, { sharesKey });
    if (stuck !== null && !isStuck) parts.withhold(stuck);
    isStuck = stuck !== null;
    if (isStuck || pass.at - renewedAt < renewEveryMs) return;
    renewedAt = pass.at;
    renew(trading);
  };
}

/** Whether the exchange answers: the watchdog tells a hung bot from one that gets no answers. */
function contactIn(loop: Loop, clock: Clock): Pick<Lease, 'contact'> {
  const { usedAt, silentSince, because } = contactView(loop.state(), clock.now());
  return { contact: { usedAt, silentSince, because } };
}
