// Which request became which order: what tests compare a client's own belief with. Bounded, and never a secret.
import type { EpochMs } from '../../domain/time.ts';
import type { RequestFacts } from '../delivery/delivery.ts';
import type { PaperResponse } from '../wire/messages.ts';

/** What the exchange itself answered to one copy, whatever became of it on the way back. */
export interface Outcome {
  readonly at: EpochMs;
  readonly status: number;
  readonly code: number | null;
  /**
   * The order that a create became. A failure by order (`POST /failures`) hides it: the order is in the truth all the
   * same.
   */
  readonly orderId: string | null;
}

/** One request as it came. */
export interface RequestLabel extends RequestFacts {
  /** From 1, in order of arrival. */
  readonly number: number;
  readonly at: EpochMs;
  /** As the request states it; the mark by which a client knows its own. */
  readonly timestamp: string | null;
  /** The rule that befell it. */
  readonly fault: string | null;
  /** One for each copy that the exchange got; none where it got none, or has not answered yet. */
  readonly outcomes: readonly Outcome[];
}

const LABELS_MAX = 5_000;
const LABELS_DROPPED = 500;

type Written = RequestLabel & { readonly outcomes: Outcome[] };

export class RequestLog {
  readonly #labels: Written[] = [];
  #nextNumber = 1;

  /** Notes an arrival; call what it returns for each answer that the exchange gives. */
  note(arrival: Omit<RequestLabel, 'number' | 'outcomes'>): (response: PaperResponse, at: EpochMs) => void {
    const label: Written = { number: this.#nextNumber, ...arrival, outcomes: [] };
    this.#nextNumber += 1;
    this.#labels.push(label);
    if (this.#labels.length > LABELS_MAX) this.#labels.splice(0, LABELS_DROPPED);
    return (response, at) => void label.outcomes.push(outcomeOf(response, at));
  }

  /** Those with a number above `after`, oldest first, `limit` at most. */
  since(after: number, limit: number): readonly RequestLabel[] {
    return this.#labels.filter(({ number }) => number > after).slice(0, limit);
  }
}

function outcomeOf({ status, body }: PaperResponse, at: EpochMs): Outcome {
  const [, code] = /^\{"code":"?(-\d+)/.exec(body) ?? [];
  const [, orderId] = /^\{"data":\{"order_id":"([^"]+)"/.exec(body) ?? [];
  return { at, status, code: code === undefined ? null : Number(code), orderId: orderId ?? null };
}
