// Requests and what became of them by kind, so that one function can serve all kinds and keep each question with its
// own answer.
import type { AnswerFacts, CancelOutcome, Completed, ReadOutcome } from '../../venue/outcomes.ts';
import type {
  CancelKind,
  CancelRequest,
  EndpointName,
  ReadKind,
  ReadRequest,
  ReadTable,
} from '../../venue/requests.ts';

/** A request of this kind with what became of it. */
export type CompletedOf<K extends EndpointName> = Extract<Completed, { kind: K }>;

/** The same for a read whose kind is a type parameter: the compiler sees no further into `Extract` there. */
export type CompletedReadOf<K extends ReadKind> = {
  [N in K]: {
    readonly kind: N;
    readonly request: ReadRequest<N>;
    readonly outcome: ReadOutcome<ReadTable[N]['answer']>;
    readonly facts: AnswerFacts;
  };
}[K];

export type CompletedCancelOf<K extends CancelKind> = {
  [N in K]: {
    readonly kind: N;
    readonly request: Extract<CancelRequest, { kind: N }>;
    readonly outcome: CancelOutcome;
    readonly facts: AnswerFacts;
  };
}[K];
