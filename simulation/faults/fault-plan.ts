// The faults of order-truth §7 that a run injects into HTTP messages, how often, and until when.
import type { EpochMs } from '../../src/domain/time.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';

/**
 * Faults of one message. "Done" means that the exchange acted.
 * - `not-sent`: no byte leaves (F08, F70). `lost-before`: sent, never arrives. `lost-after`: done, the answer is lost
 *   (F01).
 * - `held`: arrives late, the answer still in time or not (F09). `held-too-long`: arrives after its recvWindow, the
 *   answer is lost (F10). `held-briefly`: arrives some seconds late and is answered (F22, F24). `late-answer`: done,
 *   answered late (F13).
 * - `twice`: the same bytes arrive twice (F11). `throttled`: 429, not done (F18). `throttled-oddly`: the same with a
 *   nonsensical Retry-After. `unavailable`: 503 `{code, msg}`, not done. `unavailable-done`: the same, done (F03).
 * - `gateway`: 504 with an HTML body, done (F02). `page`: 200 with HTML, not done (F75).
 * - `cut`: done, the answer's JSON ends somewhere (F04). `empty`: done, 200 with an empty body or one without meaning
 *   (F05).
 * - `some-done`: a cancel by symbol removes only a part of the orders, 504 (F27).
 * - `denied-done`: done, 200 `{msg}` as if refused (F07). `odd-error`: done or not, an undocumented code (F19).
 * - `cancel-refused`: 4xx as if there were no such order, done or not.
 */
export const MESSAGE_FAULTS = [
  'not-sent',
  'lost-before',
  'lost-after',
  'held',
  'twice',
  'throttled',
  'unavailable',
  'unavailable-done',
  'gateway',
  'page',
  'cut',
  'empty',
  'denied-done',
  'held-too-long',
  'held-briefly',
  'late-answer',
  'throttled-oddly',
  'odd-error',
  'some-done',
  'cancel-refused',
] as const;

export type MessageFault = (typeof MESSAGE_FAULTS)[number];

export interface FaultPlan {
  /** Chance of each fault per eligible message; their sum is at most 1. */
  readonly chances: Readonly<Partial<Record<MessageFault, number>>>;
  /** Messages that may be hit; absent: all. */
  readonly hits?: (request: HttpRequest) => boolean;
  /** Afterwards the network is calm. */
  readonly until: EpochMs;
}

/** The fault for a draw from [0, 1), in the order of the catalogue; `null` spares the message. */
export function drawFault({ chances }: FaultPlan, draw: number): MessageFault | null {
  let left = draw;
  for (const fault of MESSAGE_FAULTS) {
    left -= chances[fault] ?? 0;
    if (left < 0) return fault;
  }
  return null;
}
