// One status for all pages that are open: it is made once a second however many ask.
import type { DurationMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BotStatus } from '../status/bot-status.ts';

/** A page asks once a second: two that ask in one second get the same. */
const SHARED_MS: DurationMs = 900;

export interface SharedStatus {
  /** As JSON, and how long ago it was true. */
  text(): { readonly text: string; readonly ageMs: DurationMs };
  status(): BotStatus;
  /** Something was changed: the next one who asks sees it. */
  forget(): void;
}

export function sharedStatus(
  make: () => BotStatus,
  { clock, scrub }: { readonly clock: Clock; readonly scrub: (text: string) => string },
): SharedStatus {
  let made: { readonly at: DurationMs; readonly status: BotStatus; text: string | null } | null = null;
  const current = () => {
    const now = clock.monotonic();
    if (made === null || now - made.at >= SHARED_MS) made = { at: now, status: make(), text: null };
    return made;
  };
  return {
    text() {
      const found = current();
      found.text ??= scrub(JSON.stringify(found.status));
      return { text: found.text, ageMs: Math.round(clock.monotonic() - found.at) };
    },
    status: () => current().status,
    forget() {
      made = null;
    },
  };
}
