// Reads `YYYY-MM-DDTHH:MM:SS` as the legacy interface writes it (specification 2.4): local time without a zone.
import { type DurationMs, type EpochMs, HOUR, MINUTE } from '../../domain/time.ts';

const LOCAL_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:T|\s+)(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
const LONGEST_ZONE: DurationMs = 14 * HOUR;

/**
 * Epoch milliseconds, read as if it were UTC; where a zone stands at the end, by that zone. Fractions of a second are
 * cut to milliseconds. `null` for a moment that is on no calendar.
 */
export function readLocalTime(text: string): EpochMs | null {
  const match = LOCAL_TIME.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second);
  // Date.UTC makes the 2nd of March of the 30th of February: what comes out must be what went in.
  if (!sameMoment(new Date(seconds), match)) return null;
  const zone = zoneOf(match[8]);
  const at = seconds + Number((match[7] ?? '').padEnd(3, '0').slice(0, 3)) - (zone ?? 0);
  return zone === null || at <= 0 ? null : at;
}

function sameMoment(date: Date, [, year, month, day, hour, minute, second]: RegExpExecArray): boolean {
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  return Number.isFinite(date.getTime()) && date.toISOString().startsWith(written);
}

/** Ahead of UTC. Nothing, `Z`, `UTC` and `GMT` are zero; `null` is further than any zone. */
function zoneOf(text: string | undefined): DurationMs | null {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(text ?? '') ?? [];
  if (sign === undefined) return 0;
  const ahead = Number(hours) * HOUR + Number(minutes) * MINUTE;
  if (Number(minutes) >= 60 || ahead > LONGEST_ZONE) return null;
  return sign === '-' ? -ahead : ahead;
}
