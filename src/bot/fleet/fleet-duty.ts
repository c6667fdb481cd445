// What a bot does for its fleet while it runs: tells its status, carries out the commands that come through the
// database, and keeps its reservations.
import { MINUTE, SECOND } from '../../domain/time.ts';
import type { Loop } from '../../loop/loop.ts';
import { realClock } from '../../ports/clock.ts';
import type { Settings } from '../settings/types.ts';
import type { FleetAccount } from '../state-folder/fleet-account.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { answerCommand } from '../steer/control-socket.ts';
import type { Steering } from '../steer/steering.ts';
import { reserveRequests, returnRequests, shareKeeper } from './fleet-shares.ts';
import { fleetStatus, samplesOf } from './fleet-status.ts';

const BEAT_MS = SECOND;
const SAMPLE_EVERY_MS = 5 * MINUTE;

type ShareKeeper = ReturnType<typeof shareKeeper>;

interface Parts {
  readonly loop: Loop;
  readonly steering: Steering;
  readonly status: () => BotStatus;
  /** Address of the bot's page. */
  readonly page: string;
  readonly scrub: (text: string) => string;
}

/**
 * Joins the fleet where the journal is shared (`fleet`), before anything is asked of the exchange. Throws `StartError`
 * (69) where the public requests of the address are reserved by others.
 */
export function joinFleet({ fleet: limits, lanes }: Pick<Settings, 'fleet' | 'lanes'>, fleet?: FleetAccount) {
  if (limits !== null && fleet !== undefined) reserveRequests(limits, lanes.public.requestsPerSecond, fleet);
  let shares: ShareKeeper | null = null;
  return {
    /** To be called in the turn in which trading begins. */
    begin(loop: Loop): void {
      if (limits !== null && fleet !== undefined) shares = shareKeeper({ limits, loop, fleet });
      shares?.keep(realClock.now());
    },
    /** Null without a fleet. */
    work: (parts: Parts) => (fleet === undefined ? null : startDuty(shares, fleet, parts)),
  };
}

function startDuty(shares: ShareKeeper | null, fleet: FleetAccount, parts: Parts) {
  const { loop, steering, status, page, scrub } = parts;
  const answered = new Set<string>();
  let sampledAt = realClock.monotonic();
  const report = () => fleet.report('bot', JSON.parse(scrub(JSON.stringify(fleetStatus(status(), page)))));
  const answerAll = (): void => {
    for (const { id, request } of report()) {
      // Once, also where the answer is lost.
      if (answered.has(id)) continue;
      answered.add(id);
      void answerCommand(request, steering).then((answer) => fleet.answer(id, answer));
    }
  };
  const beat = (): void => {
    if (!loop.isBroken()) shares?.keep(realClock.now());
    answerAll();
    if (realClock.monotonic() - sampledAt < SAMPLE_EVERY_MS) return;
    sampledAt = realClock.monotonic();
    fleet.sample(samplesOf(status().trader));
  };
  beat();
  const timer = setInterval(beat, BEAT_MS);
  return {
    /** Tells how the bot has ended; takes no command any more. */
    end(): void {
      clearInterval(timer);
      report();
      if (!loop.isBroken()) shares?.giveBack(realClock.now());
      returnRequests(fleet);
    },
  };
}
