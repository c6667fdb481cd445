// One route of the control interface: address, input, action and example in one row.
import { z } from 'zod';
import type { EpochMs } from '../../domain/time.ts';
import type { RequestFacts } from '../delivery/delivery.ts';
import type { PaperKey } from '../state/settings.ts';
import type { ExchangeState } from '../state/state.ts';
import type { PaperResponse } from '../wire/messages.ts';
import { type Refusal, refusalsOf } from './sentences.ts';

/** A route's context. The state was advanced to `now`. */
export interface ControlContext {
  readonly state: ExchangeState;
  readonly now: EpochMs;
  readonly requests: RequestLog;
  /** A key that can't be guessed. */
  readonly newKey: () => Pick<PaperKey, 'apiKey' | 'secret'>;
}

export type ControlAnswer =
  | { readonly kind: 'done'; readonly value: unknown }
  /** `status` 400: invalid input; 404: something it names does not exist; 409: not possible now. */
  | { readonly kind: 'refused'; readonly status: 400 | 404 | 409; readonly refusals: readonly Refusal[] };

export const done = (value: unknown): ControlAnswer => ({ kind: 'done', value });
export const refused = (status: 404 | 409, field: string, sentence: string): ControlAnswer => ({
  kind: 'refused',
  status,
  refusals: [{ field, sentence }],
});

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:name` is a placeholder for the caller's value. */
  readonly path: string;
  readonly summary: string;
  /** Names of the fields of the body, or of the query of a GET. */
  readonly fields: readonly string[];
  /** A body accepted by every exchange with an account `owner` and the symbol BTC/INR. */
  readonly example: object | null;
  /** Its effect survives a crash: it is stored before it is answered. */
  readonly lasts: boolean;
  /** The request's input is not yet validated. */
  readonly answer: (context: ControlContext, input: Record<'params' | 'query' | 'body', unknown>) => ControlAnswer;
}

interface RouteOf<Params extends z.ZodType, Given extends z.ZodType>
  extends Pick<ControlRoute, 'method' | 'path' | 'summary'> {
  readonly example?: object;
  readonly lasts?: true;
  readonly params?: Params;
  /** Fields of the body, or of the query of a GET. */
  readonly given?: Given;
  readonly answer: (context: ControlContext, input: Judged<Params, Given>) => ControlAnswer;
}

interface Judged<Params extends z.ZodType, Given extends z.ZodType> {
  readonly params: z.output<Params>;
  readonly given: z.output<Given>;
}

const NOTHING = z.strictObject({});

/** A row of the table: its schemas check the input, and only valid input reaches `answer`. */
export function route<Params extends z.ZodType = typeof NOTHING, Given extends z.ZodType = typeof NOTHING>(
  row: RouteOf<Params, Given>,
): ControlRoute {
  const { method, path, summary, example = null, lasts = false } = row;
  const paramsSchema: z.ZodType = row.params ?? NOTHING;
  const givenSchema: z.ZodType = row.given ?? NOTHING;
  return {
    method,
    path,
    summary,
    example,
    lasts,
    fields: fieldsOf(givenSchema),
    answer: (context, input) => {
      const given = method === 'GET' ? input.query : (input.body ?? {});
      const params = paramsSchema.safeParse(input.params);
      const judged = givenSchema.safeParse(given);
      if (params.success && judged.success) {
        // Both were made by the schemas that the row's own types come from.
        return row.answer(context, { params: params.data, given: judged.data } as Judged<Params, Given>);
      }
      const refusals = [
        ...refusalsOf(params.error?.issues ?? [], input.params),
        ...refusalsOf(judged.error?.issues ?? [], given),
      ];
      return { kind: 'refused', status: 400, refusals };
    },
  };
}

function fieldsOf(schema: z.ZodType): readonly string[] {
  if (schema instanceof z.ZodDiscriminatedUnion) return ['kind', '…'];
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

// Maps requests to the orders they became, so that tests can compare them with a client's view. Bounded, without
// secrets.

/** The exchange's own answer to one copy, whether or not it arrived. */
interface Outcome {
  readonly at: EpochMs;
  readonly status: number;
  readonly code: number | null;
  /** The order created by a create. A fault with `processed` hides it, but the order exists all the same. */
  readonly orderId: string | null;
}

interface RequestLabel extends RequestFacts {
  /** From 1, in order of arrival. */
  readonly number: number;
  readonly at: EpochMs;
  /** As stated in the request; a client recognizes its own requests by it. */
  readonly timestamp: string | null;
  /** The rule that hit it. */
  readonly fault: string | null;
  /** One per copy that the exchange received; empty while none was answered. */
  readonly outcomes: readonly Outcome[];
}

const LABELS_MAX = 5_000;
const LABELS_DROPPED = 500;

type Written = RequestLabel & { readonly outcomes: Outcome[] };

export class RequestLog {
  readonly #labels: Written[] = [];
  #nextNumber = 1;

  /** Records an arrival; call the function it returns for each answer of the exchange. */
  note(arrival: Omit<RequestLabel, 'number' | 'outcomes'>): (response: PaperResponse, at: EpochMs) => void {
    const label: Written = { number: this.#nextNumber, ...arrival, outcomes: [] };
    this.#nextNumber += 1;
    this.#labels.push(label);
    if (this.#labels.length > LABELS_MAX) this.#labels.splice(0, LABELS_DROPPED);
    return (response, at) => void label.outcomes.push(outcomeOf(response, at));
  }

  /** Requests with a number above `after`, oldest first, at most `limit`. */
  since(after: number, limit: number): readonly RequestLabel[] {
    return this.#labels.filter(({ number }) => number > after).slice(0, limit);
  }
}

function outcomeOf({ status, body }: PaperResponse, at: EpochMs): Outcome {
  const [, code] = /^\{"code":"?(-\d+)/.exec(body) ?? [];
  const [, orderId] = /^\{"data":\{"order_id":"([^"]+)"/.exec(body) ?? [];
  return { at, status, code: code === undefined ? null : Number(code), orderId: orderId ?? null };
}
