// What an answer tells beside its content: times, status, the venue's clock, its limits, and which paper exchange it
// is.

import type { HttpResult } from '../../ports/transport.ts';
import { PAPER_INSTANCE_HEADER } from '../../venue/endpoints.ts';
import type { AnswerFacts } from '../../venue/outcomes.ts';
import { readHttpDate, readRateLimit } from './rate-limit-headers.ts';

const PAPER_INSTANCE = PAPER_INSTANCE_HEADER.toLowerCase();
const INSTANCE_NAME = /^[\w.:-]{1,64}$/;

/** The facts of one exchange of messages; of a fault where no answer had begun only its times. */
export function answerFacts(result: HttpResult): AnswerFacts {
  const { sentAt, receivedAt } = result;
  const status = result.kind === 'fault' ? result.fault.status : result.status;
  const { headers = {} } = result;
  const venueDate = readHttpDate(headers.date);
  const rateLimit = readRateLimit(headers, { receivedAt, ...(venueDate !== undefined && { venueDate }) });
  const instance = headers[PAPER_INSTANCE];
  return {
    sentAt,
    receivedAt,
    ...(status !== undefined && { status }),
    ...(venueDate !== undefined && { venueDate }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(instance !== undefined && INSTANCE_NAME.test(instance) && { paperInstance: instance }),
  };
}
