// The rows of a read where they are all there; else the reason in one sentence.
import { assertNever } from '../domain/invariant.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { ReadOutcome } from '../venue/outcomes.ts';

/** For callers that can do nothing with half of a list. */
export function completeRows<T>(outcome: ReadOutcome<T>): Result<T> {
  switch (outcome.kind) {
    case 'read': {
      const { rows, complete, incompleteBecause = 'The answer is not complete.' } = outcome.read;
      return complete ? ok(rows) : fail(incompleteBecause);
    }
    case 'rejected':
      return fail(`HTTP ${outcome.status} ${outcome.code}: ${outcome.msg}`);
    case 'throttled':
      return fail(`HTTP ${outcome.status}: to be asked again at ${new Date(outcome.retryAt).toISOString()}.`);
    case 'failed':
      return fail(outcome.fault.detail);
    default:
      return assertNever(outcome);
  }
}
