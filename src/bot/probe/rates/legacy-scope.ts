// Q18: whether the legacy interface shares the counter of the public one, from neighbors of the two in one window.
import type { DurationMs } from '../../../domain/time.ts';
import type { Answer } from '../facts/answer.ts';
import { isCounted, laneWindow } from './lane-samples.ts';

export type Scope = 'shared' | 'separate';

export interface LegacyScope {
  /** `null` where neighbors tell nothing or contradict each other. */
  readonly scope: Scope | null;
  /** How many neighbors told something. */
  readonly pairs: number;
  readonly contradict: boolean;
}

const THROTTLED = 429;

/** Of two neighbors, one of each interface, the second goes on counting, or counts for itself. */
export function legacyScope(answers: readonly Answer[]): LegacyScope {
  if (!answers.some(({ lane }) => lane === 'legacy')) return { scope: null, pairs: 0, contradict: false };
  const windowLowMs = laneWindow(answers, 'public')?.lowMs ?? 0;
  const asked = answers
    .filter((answer) => answer.lane !== 'private' && isCounted(answer))
    .toSorted((a, b) => a.receivedAt - b.receivedAt);
  const told = asked.slice(1).flatMap((later, index) => {
    const scope = scopeOf(asked[index], later, windowLowMs);
    return scope === null ? [] : [scope];
  });
  const contradict = told.some((scope) => scope !== told[0]);
  return { scope: contradict ? null : (told[0] ?? null), pairs: told.length, contradict };
}

/** Two that are further apart than a window may be of two windows, although their rounded resets are equal. */
function scopeOf(earlier: Answer | undefined, later: Answer, windowLowMs: DurationMs): Scope | null {
  if (earlier === undefined || earlier.lane === later.lane) return null;
  const { limit, remaining, reset } = earlier.headers;
  const next = later.headers;
  if (limit === undefined || remaining === undefined || next.limit === undefined) return null;
  if (next.limit !== limit) return 'separate';
  if (next.reset !== reset) return null;
  if (later.status === THROTTLED) return Number(remaining) === 0 ? 'shared' : null;
  if (Number(next.remaining) === Number(remaining) - 1) return 'shared';
  const inOneWindow = later.receivedAt - earlier.sentAt < windowLowMs;
  return inOneWindow && Number(next.remaining) === Number(limit) - 1 ? 'separate' : null;
}
