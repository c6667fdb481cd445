// What a refusal says of the question that was refused, and what only of keys, clock or exchange.
import { errorCode } from './error-codes.ts';

/** An endpoint that the exchange has switched off: that one, not the keys. */
const ENDPOINT_DISABLED = -1404;
/** What the key may not do: of a list that is only looked at for an explanation, not of trading. */
const NOT_PERMITTED = -2003;
/** Of a read that nothing depends on these say nothing more. */
export const OPTIONAL_READ: readonly number[] = [ENDPOINT_DISABLED, NOT_PERMITTED];

/** Whether a refusal is about the question itself: asking it again brings nothing. */
export function isOfTheQuestion(code: number): boolean {
  if (OPTIONAL_READ.includes(code)) return true;
  const remedy = errorCode(code)?.remedy;
  return remedy !== 'stop-all' && remedy !== 'sync-clock' && remedy !== 'retry';
}

const SERVER_ERROR = 500;

/**
 * Whether a read that was refused will be refused again. With a code that nobody knows a server error is a failure like
 * any other.
 */
export const isRefusedForGood = ({ code, status }: { readonly code: number; readonly status: number }): boolean =>
  isOfTheQuestion(code) && (errorCode(code) !== undefined || status < SERVER_ERROR);
