// A key that the exchange has refused since the start, while no order can rest: there is nothing to wait for, and
// nothing to cancel.
import type { TraderState } from '../../trader/state/state.ts';
import { errorCode } from '../../venue/error-codes.ts';

const LOOK_MS = 250;

/** The sentence of the refusal; null while there is something to wait for: an answer, or orders that may rest. */
function refusedForGood({ refusal, contact, session, durable }: TraderState): string | null {
  if (refusal?.kind !== 'keys' || contact.private.usedAt !== null) return null;
  if (!session.beganFlat || durable.orders.intents.size > 0) return null;
  const known = errorCode(refusal.code);
  return known?.remedy === 'stop-all' ? `The exchange refuses the key: ${known.code} ${known.meaning}` : null;
}

/**
 * Resolves with the sentence. A key that was taken once, or that orders wait for, is asked for again at the pace of
 * refusals.
 */
export function watchKey(state: () => TraderState): { refused: Promise<string>; end(): void } {
  let looking: ReturnType<typeof setInterval> | undefined;
  const refused = new Promise<string>((resolve) => {
    looking = setInterval(() => {
      const sentence = refusedForGood(state());
      if (sentence !== null) resolve(sentence);
    }, LOOK_MS);
  });
  return { refused, end: () => clearInterval(looking) };
}
