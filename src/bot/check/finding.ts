// What `check` looked at and what it thinks of it.
import type { Completed } from '../../venue/outcomes.ts';

/** One thing that was looked at. `wrong` keeps the bot from quoting as configured. */
export interface Finding {
  readonly what: string;
  readonly verdict: 'good' | 'note' | 'wrong';
  /** A sentence. */
  readonly detail: string;
}

export const good = (what: string, detail: string): Finding => ({ what, verdict: 'good', detail });
export const note = (what: string, detail: string): Finding => ({ what, verdict: 'note', detail });
export const wrong = (what: string, detail: string): Finding => ({ what, verdict: 'wrong', detail });

// Outcomes of reads in words and in one word: `ok`, an error code, a status, or what kept the answer away.

/** The exchange's code for it (specification §7). */
export const MAINTENANCE = -1125;

/** Why there are no rows, one sentence. */
export function whyNot({ outcome }: Completed): string {
  switch (outcome.kind) {
    case 'rejected':
      return `It answers ${outcome.code}: ${outcome.msg}`;
    case 'throttled':
      return outcome.code === MAINTENANCE
        ? `It answers HTTP ${outcome.status} with ${MAINTENANCE}: it is in maintenance.`
        : `It answers HTTP ${outcome.status}: too many requests, or closed for the moment.`;
    case 'failed':
    case 'unknown':
    case 'not-sent':
      return outcome.fault.detail;
    default:
      return `Its answer was unexpected (${outcome.kind}).`;
  }
}

/** `ok`, `-2003`, `HTTP 429`, `timeout`. An answer whose rows were not all understood is `incomplete`. */
export function resultWord({ outcome }: Completed): string {
  switch (outcome.kind) {
    case 'read':
      return outcome.read.complete ? 'ok' : 'incomplete';
    case 'rejected':
      return String(outcome.code);
    case 'throttled':
      return `HTTP ${outcome.status}`;
    case 'failed':
      return outcome.fault.code === undefined ? faultWord(outcome.fault) : String(outcome.fault.code);
    default:
      return outcome.kind;
  }
}

function faultWord({ status, reason }: { readonly status?: number; readonly reason: string }): string {
  return status === undefined ? reason : `HTTP ${status}`;
}

/** The code of a refusal, or `null`. */
export function codeOf({ outcome }: Completed): number | null {
  return outcome.kind === 'rejected' ? outcome.code : null;
}
