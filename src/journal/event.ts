// What the program writes down: a type and data, as JSON.
import { invariant } from '../domain/invariant.ts';
import type { JournalRecord } from '../ports/journal-storage.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface JournalEvent {
  /** Lower-case words joined by `-` or `.`, such as `intent` or `fill-booked`. */
  readonly type: string;
  /** Money, prices and ids are strings in it: JSON numbers are only for counts and times. */
  readonly payload: Json;
}

const TYPE = /^[a-z][a-z0-9.-]{0,63}$/;

/** The payload's text. What JSON would change or lose silently (NaN, undefined, a bigint) is a bug and throws. */
export function payloadText(event: JournalEvent): string {
  invariant(TYPE.test(event.type), () => `'${event.type}' is not a type of a journal event.`);
  return JSON.stringify(event.payload, (key: string, value: unknown) => {
    const kept =
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      typeof value === 'object' ||
      Number.isFinite(value);
    invariant(kept, () => `Event '${event.type}' has ${String(value)} at '${key}', which JSON does not keep.`);
    return value;
  });
}

/** The event of a record whose hash has been checked: its payload is what `payloadText` wrote. */
export function eventOf(record: JournalRecord): JournalEvent {
  return { type: record.type, payload: JSON.parse(record.payload) as Json };
}
