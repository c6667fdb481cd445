// What a route of the control interface is: its address, what it takes, what it does and an example, in one row.
import { z } from 'zod';
import type { EpochMs } from '../../domain/time.ts';
import type { PaperKey } from '../state/settings.ts';
import type { ExchangeState } from '../state/state.ts';
import type { RequestLog } from './request-log.ts';
import { type Refusal, refusalsOf } from './sentences.ts';

/** What routes work on. The state was advanced to `now`. */
export interface ControlContext {
  readonly state: ExchangeState;
  readonly now: EpochMs;
  readonly requests: RequestLog;
  /** A key that nobody can guess. */
  readonly newKey: () => Pick<PaperKey, 'apiKey' | 'secret'>;
}

export type ControlAnswer =
  | { readonly kind: 'done'; readonly value: unknown }
  /** `status` 400: what was sent is wrong; 404: what it names is not there; 409: the exchange can't do it now. */
  | { readonly kind: 'refused'; readonly status: 400 | 404 | 409; readonly refusals: readonly Refusal[] };

export const done = (value: unknown): ControlAnswer => ({ kind: 'done', value });
export const refused = (status: 404 | 409, field: string, sentence: string): ControlAnswer => ({
  kind: 'refused',
  status,
  refusals: [{ field, sentence }],
});

export type ControlMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What came with a request, not judged yet. */
export interface ControlInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface ControlRoute {
  readonly method: ControlMethod;
  /** `:name` stands for what the caller puts there. */
  readonly path: string;
  readonly summary: string;
  /** Names of the fields of the body, or of the query of a GET. */
  readonly fields: readonly string[];
  /** A body that it takes in every exchange with an account `owner` and the symbol BTC/INR. */
  readonly example: object | null;
  /** What it does outlives a crash: it is stored before it is answered. */
  readonly lasts: boolean;
  readonly answer: (context: ControlContext, input: ControlInput) => ControlAnswer;
}

interface RouteOf<Params extends z.ZodType, Given extends z.ZodType>
  extends Pick<ControlRoute, 'method' | 'path' | 'summary'> {
  readonly example?: object;
  readonly lasts?: true;
  readonly params?: Params;
  /** Of the body, or of the query of a GET. */
  readonly given?: Given;
  readonly answer: (context: ControlContext, input: Judged<Params, Given>) => ControlAnswer;
}

interface Judged<Params extends z.ZodType, Given extends z.ZodType> {
  readonly params: z.output<Params>;
  readonly given: z.output<Given>;
}

const NOTHING = z.strictObject({});

/** A row of the table: what it is sent is judged by its schemas, and only what passed reaches `answer`. */
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
