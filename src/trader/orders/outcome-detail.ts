// The detail of a create's or cancel's answer, for journal and notices.
import { assertNever } from '../../domain/invariant.ts';
import type { CancelOutcome, CreateOutcome } from '../../venue/outcomes.ts';

/** The words of the answer, preceded by the exchange's code for a refusal. */
export function detailOf(outcome: CreateOutcome | CancelOutcome): string {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.orderId;
    case 'acknowledged':
    case 'soft-rejected':
      return outcome.msg;
    case 'rejected':
      return `${outcome.code} ${outcome.msg}`;
    case 'throttled':
      return `HTTP ${outcome.status}`;
    case 'not-sent':
    case 'unknown':
      return outcome.fault.detail;
    default:
      return assertNever(outcome);
  }
}
