// Findings of `check`: what it examined, and its verdict.
import type { Completed } from '../../venue/outcomes.ts';

/** One thing examined. `wrong` keeps the bot from quoting as configured. */
export interface Finding {
  readonly what: string;
  readonly verdict: 'good' | 'note' | 'wrong';
  /** A sentence. */
  readonly detail: string;
}

export const good = (what: string, detail: string): Finding => ({ what, verdict: 'good', detail });
export const note = (what: string, detail: string): Finding => ({ what, verdict: 'note', detail });
export const wrong = (what: string, detail: string): Finding => ({ what, verdict: 'wrong', detail });

// Outcomes of reads as sentences.

/** One sentence: why there are no rows. */
export function whyNot({ outcome }: Completed): string {
  switch (outcome.kind) {
    case 'rejected':
      return `It answers ${outcome.code}: ${outcome.msg}`;
    case 'throttled':
      return outcome.refusal === 'maintenance'
        ? `It answers HTTP ${outcome.status} with ${outcome.code}: it is in maintenance.`
        : `It answers HTTP ${outcome.status}: too many requests, or closed for the moment.`;
    case 'failed':
    case 'unknown':
    case 'not-sent':
      return outcome.fault.detail;
    default:
      return `Its answer was unexpected (${outcome.kind}).`;
  }
}
