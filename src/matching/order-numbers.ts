// Order ids are text around a number that may exceed 2^53 (Q20). Inside the engine an order is named by its distance
// from the first number, which is small.
import type { EngineOrderId } from './types.ts';

const PREFIX = '1-';
const SUFFIX = '-1';
/** Longer digits are no id of ours; reading them would take time that grows with the square of their number. */
const MOST_DIGITS = 40;
const DIGITS = /^(?:0|[1-9]\d*)$/;

export function orderIdOf(first: bigint, distance: number): EngineOrderId {
  return `${PREFIX}${first + BigInt(distance)}${SUFFIX}`;
}

/** The distance of an order id from the first number; `null` for text that is no order id. */
export function distanceOf(first: bigint, orderId: EngineOrderId): number | null {
  if (!orderId.startsWith(PREFIX) || !orderId.endsWith(SUFFIX)) return null;
  const digits = orderId.slice(PREFIX.length, -SUFFIX.length);
  if (digits.length > MOST_DIGITS || !DIGITS.test(digits)) return null;
  const distance = Number(BigInt(digits) - first);
  return Number.isSafeInteger(distance) ? distance : null;
}
