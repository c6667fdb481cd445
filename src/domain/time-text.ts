// Moments for people, in one named zone. The process chooses it once; without a choice it is UTC, as in every test.
import { type EpochMs, MINUTE, SECOND } from './time.ts';

let timeZone = 'UTC';
/** Made for the first time that is shown: making it takes 25 ms, and many commands show none. */
let format: Intl.DateTimeFormat | null = null;

/** From now on the process shows times in this zone, a name of the IANA database; before, in UTC. */
export function showTimesIn(name: string): void {
  timeZone = name;
  format = null;
}

/** The zone in which the process shows times. */
export const zoneShown = (): string => timeZone;

/** `2026-11-26 09:12:03 UTC`, `2026-11-26 14:42:03 GMT+5:30`. */
export const timeText = (at: EpochMs): string => {
  const { year, month, day } = partsOf(at);
  return `${year}-${month}-${day} ${clockText(at)}`;
};

/** `09:12:03 UTC`. */
export const clockText = (at: EpochMs): string => {
  const { hour, minute, second, timeZoneName } = partsOf(at);
  return `${hour}:${minute}:${second} ${timeZoneName}`;
};

/** `2026-11-26T14:42:03.120+05:30`: a moment for people and programs. */
export const isoText = (at: EpochMs): string => {
  const { year, month, day, hour, minute, second } = partsOf(at);
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${String(at % SECOND).padStart(3, '0')}`;
  const ahead = (Date.parse(`${local}Z`) - at) / MINUTE;
  const two = (count: number): string => String(Math.floor(count)).padStart(2, '0');
  const offset = `${ahead < 0 ? '-' : '+'}${two(Math.abs(ahead) / 60)}:${two(Math.abs(ahead) % 60)}`;
  return `${local}${ahead === 0 ? 'Z' : offset}`;
};

function partsOf(at: EpochMs): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  format ??= formatIn(timeZone);
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

function formatIn(name: string): Intl.DateTimeFormat {
  const two = '2-digit';
  return new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: name, timeZoneName: 'short', calendar: 'iso8601', hourCycle: 'h23' },
    ...{ year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
  });
}
