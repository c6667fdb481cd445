// The watchdog's process: looks, asks `watch.ts` what to do, and does it. It makes no decisions itself.
import type { Clock } from '../ports/clock.ts';
import type { KillLatch, Lease } from '../ports/lease.ts';
import type { Completed } from '../venue/outcomes.ts';
import type { StampedVenue } from './run-sweep.ts';
import type { SweepSending } from './sweep.ts';
import { apply, startWatch } from './watch.ts';
import type {
  BotSight,
  Evidence,
  Moment,
  Rearmed,
  WatchEffect,
  WatchInput,
  WatchSettings,
  WatchState,
} from './watch-state.ts';

export type Tell = Omit<Extract<WatchEffect, { kind: 'tell' }>, 'kind'>;

export interface WatchdogPorts {
  readonly clock: Clock;
  readonly venue: StampedVenue;
  readonly latch: KillLatch;
  /** Null without a readable one. */
  lease(): Lease | null;
  evidence(): Evidence;
  bot(): BotSight;
  /** Signals the process in the lease, if it is still that process. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void;
  forgetOrders(): void;
  /** Removes the watchdog's own latch, if allowed. */
  rearm(): Rearmed;
  /** Makes a latch that the watchdog would remove a person's to remove. */
  leaveToPerson(why: string): void;
  /** After every look: the watchdog's own sign of life. */
  showLife(state: WatchState): void;
  tell(what: Tell): void;
  /** Called for every answered request, for statistics. */
  answered(completed: Completed): void;
}

export interface Watchdog {
  /** True when it acted and proved that nothing is open, false when it gave up, null when it was stopped. */
  readonly ended: Promise<boolean | null>;
  state(): WatchState;
  stop(): void;
}

export function runWatchdog(settings: WatchSettings, ports: WatchdogPorts): Watchdog {
  const { clock } = ports;
  let state = startWatch(settings, momentOf(clock));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let end: (how: boolean | null) => void = () => {};
  const ended = new Promise<boolean | null>((resolve) => {
    end = resolve;
  });

  function finish(how: boolean | null): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    end(how);
  }

  function look(): void {
    feed({ kind: 'look', lease: ports.lease() });
    if (!isOver) ports.showLife(state);
  }

  /** An effect may have an immediate answer, which is processed before the next input. */
  function feed(first: WatchInput): void {
    const inputs: WatchInput[] = [first];
    for (let input = inputs.shift(); input !== undefined && !isOver; input = inputs.shift()) {
      const turn = apply(state, input, momentOf(clock));
      state = turn.state;
      for (const effect of turn.effects) inputs.push(...carryOut(effect));
      if (isOver) return;
      clearTimeout(timer);
      timer = setTimeout(look, Math.max(1, turn.wakeAt - clock.monotonic()));
    }
  }

  function carryOut(effect: WatchEffect): WatchInput[] {
    switch (effect.kind) {
      case 'send':
        void send(effect);
        return [];
      case 'end':
        finish(effect.flat);
        return [];
      default:
        return doAtOnce(effect, ports);
    }
  }

  async function send({ request, leftAt }: SweepSending): Promise<void> {
    const completed = await ports.venue.perform(request);
    ports.answered(completed);
    if (!isOver) feed({ kind: 'completed', completed, leftAt });
  }

  look();
  return { ended, state: () => state, stop: () => finish(null) };
}

const momentOf = (clock: Clock): Moment => ({ wall: clock.now(), mono: clock.monotonic() });

/** Effects with an immediate answer, or none. */
function doAtOnce(effect: Exclude<WatchEffect, { kind: 'send' | 'end' }>, ports: WatchdogPorts): WatchInput[] {
  switch (effect.kind) {
    case 'gather':
      return [{ kind: 'evidence', evidence: ports.evidence() }];
    case 'latch':
      return [{ kind: 'latched', failure: setLatch(ports.latch, effect.reason) }];
    case 'look-at-bot':
      return [{ kind: 'bot', bot: ports.bot() }];
    case 'rearm':
      return [ports.rearm()];
    case 'leave-to-person':
      ports.leaveToPerson(effect.why);
      return [];
    case 'signal':
      ports.signal(effect.signal);
      return [];
    case 'forget-orders':
      ports.forgetOrders();
      return [];
    case 'tell':
      ports.tell(effect);
      return [];
  }
}

/** Returns why it could not be set; null if it is set. */
function setLatch(latch: KillLatch, reason: string): string | null {
  try {
    latch.set(reason);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'The kill latch could not be written.';
  }
}
