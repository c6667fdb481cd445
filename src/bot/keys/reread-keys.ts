// A key that the exchange refuses may have been replaced where it is kept: whoever cancels with it reads it again,
// instead of trying the old one for hours.

import { errorCode } from '../../venue/error-codes.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { StampedVenue } from '../../watchdog/run-sweep.ts';
import type { ApiKeys } from './keys.ts';

export interface KeyedVenueParts {
  readonly keys: ApiKeys;
  /** Reads them anew. What it throws leaves the old ones in use: the file may be just being written. */
  readonly read: () => ApiKeys;
  readonly open: (keys: ApiKeys) => StampedVenue;
  /** Other keys were found; nothing has been signed with them yet. */
  readonly replaced: (keys: ApiKeys) => void;
}

/** Signs with the keys as they were last read. They are read again after each refusal of them. */
export function venueWithRereadKeys({ keys: first, read, open, replaced }: KeyedVenueParts): StampedVenue {
  let keys = first;
  let venue = open(keys);

  function reread(): void {
    const found = readOrNull(read);
    if (found === null || isSame(found, keys)) return;
    replaced(found);
    venue.close();
    keys = found;
    venue = open(keys);
  }

  return {
    perform: async (request) => {
      const completed = await venue.perform(request);
      if (refusesKeys(completed)) reread();
      return completed;
    },
    close: () => venue.close(),
  };
}

function readOrNull(read: () => ApiKeys): ApiKeys | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const isSame = (a: ApiKeys, b: ApiKeys): boolean =>
  a.key.reveal() === b.key.reveal() && a.secret.reveal() === b.secret.reveal();

const UNAUTHORIZED = 401;

/** Whatever else the answer leaves open: to read a file once more costs nothing. */
function refusesKeys({ outcome, facts }: Completed): boolean {
  const answered = 'fault' in outcome ? outcome.fault : outcome;
  const code = 'code' in answered ? answered.code : undefined;
  return facts.status === UNAUTHORIZED || (code !== undefined && errorCode(code)?.remedy === 'stop-all');
}
