// Findings of `check`: what it examined, and its verdict.

import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';
import type { EndpointName } from '../../venue/requests.ts';
import { inColumns } from '../base/columns.ts';

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

// Outcomes of reads as sentences and as one word: `ok`, an error code, a status, or why there is no answer.

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

/** `ok`, `-2003`, `HTTP 429`, `timeout`. `incomplete` if some rows were not understood. */
function resultWord({ outcome }: Completed): string {
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

// One row per endpoint with what it answered, in the order of the specification.

export interface EndpointRow {
  readonly endpoint: EndpointName;
  readonly ok: boolean;
  /** `ok`, an error code, a status, or why there is no answer. The worst of several requests. */
  readonly result: string;
  readonly requests: number;
  /** The slowest answer. */
  readonly ms: number;
  /** A sentence if it is not ok. */
  readonly detail: string;
}

const OK = 'ok';

/** Endpoints that were not asked have no row. */
export function endpointRows(completed: readonly Completed[]): readonly EndpointRow[] {
  return Object.values(ENDPOINTS).flatMap(({ name }) => {
    const asked = completed.filter(({ kind }) => kind === name);
    const worst = asked.find((each) => resultWord(each) !== OK) ?? asked[0];
    if (worst === undefined) return [];
    const result = resultWord(worst);
    const ms = Math.max(...asked.map(({ facts }) => facts.receivedAt - facts.sentAt));
    const detail = result === OK ? '' : detailOf(worst);
    return [{ endpoint: name, ok: result === OK, result, requests: asked.length, ms, detail }];
  });
}

function detailOf(completed: Completed): string {
  const { outcome } = completed;
  return outcome.kind === 'read' ? (outcome.read.incompleteBecause ?? '') : whyNot(completed);
}

/** The rows as a table for a person. */
export function endpointLines(rows: readonly EndpointRow[]): readonly string[] {
  const cells = rows.map(({ endpoint, result, ms, detail }) => [endpoint, result, `${Math.round(ms)} ms`, detail]);
  return inColumns(cells, { right: [2] });
}
