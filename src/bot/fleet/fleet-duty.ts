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
import { keepShares, returnRequests } from './fleet-shares.ts';
import { fleetStatus, samplesOf } from './fleet-status.ts';

export const BEAT_MS = SECOND;
const SAMPLE_EVERY_MS = 5 * MINUTE;

interface Parts {
  readonly settings: Pick<Settings, 'fleet'>;
  readonly fleet: FleetAccount;
  readonly loop: Loop;
  readonly steering: Steering;
  readonly status: () => BotStatus;
  /** Address of the bot's page. */
  readonly page: string;
}

export function startFleetDuty({ settings, fleet, loop, steering, status, page }: Parts) {
  const limits = settings.fleet;
  const answered = new Set<string>();
  let sampledAt = realClock.monotonic();
  const tell = (): void => {
    for (const { id, request } of fleet.report('bot', fleetStatus(status(), page))) {
      // Once, also where the answer is lost.
      if (answered.has(id)) continue;
      answered.add(id);
      void answerCommand(request, steering).then((answer) => fleet.answer(id, answer));
    }
  };
  const beat = (): void => {
    if (limits !== null && !loop.isBroken()) keepShares(limits, loop, { fleet, now: realClock.now() });
    tell();
    if (realClock.monotonic() - sampledAt < SAMPLE_EVERY_MS) return;
    sampledAt = realClock.monotonic();
    fleet.sample(samplesOf(status().trader));
  };
  beat();
  const timer = setInterval(beat, BEAT_MS);
  return {
    /** Tells how the bot has ended. */
    end(): void {
      clearInterval(timer);
      tell();
      returnRequests(fleet);
    },
  };
}
