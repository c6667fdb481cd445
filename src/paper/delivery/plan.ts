// How a request and its answer travel under a fault, written out for whoever carries them: late, twice, cut, or never.
import { assertNever } from '../../domain/invariant.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { DeliveryFault } from './fault.ts';

/** How one request and its answer travel. */
export interface Delivery {
  readonly ruleId: string;
  readonly beforeMs: DurationMs;
  /** How many copies of the request the exchange gets, and how far apart. */
  readonly copies: 0 | 1 | 2;
  readonly gapMs: DurationMs;
  readonly afterMs: DurationMs;
  readonly answer: AnswerDelivery;
}

export interface SentAnswer {
  readonly kind: 'sent';
  /** `null`: what the exchange gave. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: { readonly text: string; readonly repeat: number } | null;
  readonly framing: 'content-length' | 'chunked' | 'until-close';
  readonly flow: AnswerFlow;
}

export type AnswerDelivery =
  /** Not a byte; the connection ends by FIN or by RST. */
  { readonly kind: 'none'; readonly end: 'closed' | 'reset' } | SentAnswer;

export type AnswerFlow =
  | { readonly kind: 'whole' }
  | { readonly kind: 'cut'; readonly atByte: number; readonly ending: 'close' | 'hold' | 'reset' }
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: DurationMs };

const WHOLE: AnswerFlow = { kind: 'whole' };
const OURS: SentAnswer = {
  kind: 'sent',
  status: null,
  headers: {},
  body: null,
  framing: 'content-length',
  flow: WHOLE,
};

/** What the fault of a rule asks for. */
export function planOf({ id, fault }: { readonly id: string; readonly fault: DeliveryFault }): Delivery {
  const { beforeMs, afterMs } = fault;
  const isProcessed = 'processed' in fault ? fault.processed : true;
  return {
    ruleId: id,
    beforeMs,
    copies: fault.kind === 'duplicate' ? 2 : isProcessed ? 1 : 0,
    gapMs: fault.kind === 'duplicate' ? fault.gapMs : 0,
    afterMs,
    answer: answerOf(fault),
  };
}

function answerOf(fault: DeliveryFault): AnswerDelivery {
  switch (fault.kind) {
    case 'drop':
      return { kind: 'none', end: 'closed' };
    case 'reset': {
      const { atByte } = fault;
      return atByte === null
        ? { kind: 'none', end: 'reset' }
        : { ...OURS, flow: { kind: 'cut', atByte, ending: 'reset' } };
    }
    case 'delay':
    case 'duplicate':
      return OURS;
    case 'status': {
      const { status, headers, body: text } = fault;
      return { ...OURS, status, headers, body: { text, repeat: 1 } };
    }
    case 'body': {
      const { headers, framing, body: text, repeat } = fault;
      return { ...OURS, headers, framing, body: { text, repeat } };
    }
    case 'truncate': {
      const { atByte, framing, ending } = fault;
      return { ...OURS, framing, flow: { kind: 'cut', atByte, ending } };
    }
    case 'drip': {
      const { bytes, everyMs } = fault;
      return { ...OURS, flow: { kind: 'drip', bytes, everyMs } };
    }
    default:
      return assertNever(fault);
  }
}
