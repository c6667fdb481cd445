// The crowd's own time: runs `speedFactor` times as fast as the venue's, and stands still while the exchange does.
import type { EpochMs } from '../../domain/time.ts';

/** At the venue's `venueAt` the crowd's clock showed `crowdAt`. */
export interface CrowdClock {
  readonly venueAt: EpochMs;
  readonly crowdAt: EpochMs;
}

export function crowdTime(clock: CrowdClock, speedFactor: number, now: EpochMs): EpochMs {
  return clock.crowdAt + Math.max(0, now - clock.venueAt) * speedFactor;
}

/** The venue's time at which the crowd's clock shows `crowdAt`: whole milliseconds, never before the clock's anchor. */
export function venueTime(clock: CrowdClock, speedFactor: number, crowdAt: EpochMs): EpochMs {
  return clock.venueAt + Math.max(0, Math.floor((crowdAt - clock.crowdAt) / speedFactor));
}
