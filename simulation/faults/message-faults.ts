// Faults of one HTTP message: lost, late, doubled or garbled on its way to an exchange that itself is never faulty.
import { type DurationMs, type EpochMs, SECOND } from '../../src/domain/time.ts';
import { httpDate } from '../../src/paper/wire/messages.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Random } from '../../src/ports/random.ts';
import type { HttpRequest, HttpResult, Transport } from '../../src/ports/transport.ts';
import type { Fault } from '../../src/venue/outcomes.ts';
import type { MessageFault } from './fault-plan.ts';

export interface MessageFaultParts {
  readonly inner: Transport;
  readonly clock: Clock;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  /** Removes some, but not all, of the orders of a cancel by symbol. */
  readonly cancelSome?: (request: HttpRequest, random: Random) => void;
}

/** Sends a message with this fault; never rejects. Draws variations from `random`. */
export type Inject = (fault: MessageFault, request: HttpRequest, random: Random) => Promise<HttpResult>;

const OK = 200;
/** A reset is noticed soon, a lost message only by the deadline. */
const RESET_MS = 50;
/** Delay of a doubled message's second copy. */
const SECOND_COPY_MS = 80;
/** Longest hold of a message, as a multiple of the client's deadline. */
const LONGEST_HOLD_RATIO = 1.5;
/** Share of the deadline that leaves time for the answer. */
const IN_TIME_RATIO = 0.8;
const LONGEST_BRIEF_MS = 2.4 * SECOND;
const SAYS_NOTHING = [
  '""',
  '{}',
  'null',
  '[]',
  '{"data":null}',
  '{"data":{}}',
  '{"data":{"order_id":""}}',
  '{"data":{"order_id":0}}',
  '{"data":{"order_id":null}}',
];
const ODD_WAITS = ['-1', 'abc', '86400', '30', 'Thu, 01 Jan 1970 00:00:00 GMT', '', '1.5'];
export type Refusal = readonly [status: number, body: string];

const TOO_MANY: Refusal = [429, '{"code":-1003,"msg":"Too many requests."}'];
const MAINTENANCE: Refusal = [503, '{"code":-1125,"msg":"Maintenance."}'];
const GATEWAY_TIMEOUT: Refusal = [504, '<html><body>504 Gateway Time-out</body></html>'];
const ODD_ERRORS: readonly Refusal[] = [
  [200, '{"code":-9999,"msg":"Something else."}'],
  [400, '{"code":-9998,"msg":"Something new."}'],
  [400, '{"code":"odd","msg":"Something odd."}'],
  [422, '{"error":"unprocessable"}'],
  [451, '<html><body>Unavailable</body></html>'],
];
/** Undocumented codes, and a documented one with a status that it does not have. */
export const CANCEL_REFUSALS: readonly [Refusal, ...Refusal[]] = [
  [400, '{"code":-2011,"msg":"Unknown order sent."}'],
  [404, '{"code":-2013,"msg":"Order does not exist."}'],
  [422, '{"code":-5014,"msg":"Unable to cancel spot order."}'],
  [400, '{"code":-1124,"msg":"Order id format invalid."}'],
];

/** A message in which a fault is injected. */
interface Passage extends MessageFaultParts {
  readonly request: HttpRequest;
  readonly random: Random;
  readonly sentAt: EpochMs;
}

export const createMessageFaults =
  (parts: MessageFaultParts): Inject =>
  (fault, request, random) =>
    COURSES[fault]({ ...parts, request, random, sentAt: parts.clock.now() });

const COURSES: Readonly<Record<MessageFault, (passage: Passage) => Promise<HttpResult>>> = {
  'not-sent': async (passage) =>
    broken(passage, { sent: false, reason: 'refused', detail: 'The connection was refused.' }),
  'lost-before': async (passage) => {
    await passage.sleep(passage.request.deadlineMs);
    return broken(passage, timeout(passage.request));
  },
  'lost-after': async (passage) => {
    await passage.inner.send(passage.request);
    await passage.sleep(RESET_MS);
    return broken(passage, { sent: true, reason: 'reset', detail: 'The connection was reset before the answer.' });
  },
  held: async (passage) =>
    hold(passage, Math.ceil(passage.random.next() * LONGEST_HOLD_RATIO * passage.request.deadlineMs)),
  'held-too-long': async (passage) => {
    const { inner, sleep, request, random } = passage;
    void sleep(windowOf(request) + Math.ceil(random.next() * request.deadlineMs)).then(() => inner.send(request));
    await sleep(request.deadlineMs);
    return broken(passage, timeout(request));
  },
  'held-briefly': async (passage) => {
    const longestMs = Math.min(LONGEST_BRIEF_MS, IN_TIME_RATIO * passage.request.deadlineMs);
    return hold(passage, Math.ceil(passage.random.next() * longestMs));
  },
  'late-answer': async ({ inner, clock, sleep, request, random }) => {
    const late = Math.ceil(random.next() * IN_TIME_RATIO * request.deadlineMs);
    const answer = await inner.send(request);
    await sleep(late);
    return { ...answer, receivedAt: clock.now() };
  },
  twice: async (passage) => {
    const first = await passage.inner.send(passage.request);
    await passage.sleep(SECOND_COPY_MS);
    await passage.inner.send(passage.request);
    return { ...first, ...timing(passage) };
  },
  throttled: async (passage) => {
    await passage.sleep(RESET_MS);
    return said(passage, TOO_MANY, { 'retry-after': '1' });
  },
  'throttled-oddly': async (passage) => {
    await passage.sleep(RESET_MS);
    const wait = oneOf(ODD_WAITS, passage);
    return said(passage, TOO_MANY, wait === '' ? {} : { 'retry-after': wait });
  },
  'unavailable-done': async (passage) => {
    await passage.inner.send(passage.request);
    return said(passage, MAINTENANCE, { 'retry-after': '1' });
  },
  unavailable: async (passage) => {
    await passage.sleep(RESET_MS);
    return said(passage, MAINTENANCE, { 'retry-after': '1' });
  },
  gateway: async (passage) => {
    await passage.inner.send(passage.request);
    await passage.sleep(passage.request.deadlineMs / 2);
    return said(passage, GATEWAY_TIMEOUT);
  },
  'some-done': async (passage) => {
    const { sleep, request, random } = passage;
    await sleep(request.deadlineMs / 4);
    passage.cancelSome?.(request, random);
    await sleep(request.deadlineMs / 4);
    return said(passage, GATEWAY_TIMEOUT);
  },
  page: async (passage) => {
    await passage.sleep(RESET_MS);
    return said(passage, [OK, '<html><body>Please sign in to this network.</body></html>']);
  },
  cut: async (passage) => {
    const result = await passage.inner.send(passage.request);
    if (result.kind === 'fault') return result;
    const { body } = result;
    return { ...result, body: body.slice(0, Math.floor(passage.random.next() * body.length)), ...timing(passage) };
  },
  empty: async (passage) => {
    await passage.inner.send(passage.request);
    return said(passage, [OK, oneOf(SAYS_NOTHING, passage)]);
  },
  'denied-done': async (passage) => {
    await passage.inner.send(passage.request);
    return said(passage, [OK, '{"msg":"The order was rejected by risk checks."}']);
  },
  'odd-error': async (passage) => {
    await perhapsDone(passage);
    return said(passage, oneOf(ODD_ERRORS, passage));
  },
  'cancel-refused': async (passage) => {
    await perhapsDone(passage);
    return said(passage, oneOf(CANCEL_REFUSALS, passage));
  },
};

const timing = ({ sentAt, clock }: Passage) => ({ sentAt, receivedAt: clock.now() });

const broken = (passage: Passage, fault: Fault): HttpResult => ({ kind: 'fault', fault, ...timing(passage) });

function said(passage: Passage, [status, body]: Refusal, more: Readonly<Record<string, string>> = {}): HttpResult {
  const type = body.startsWith('<') ? 'text/html' : 'application/json; charset=utf-8';
  const headers = { 'content-type': type, date: httpDate(passage.clock.now()), ...more };
  return { kind: 'response', status, headers, body, ...timing(passage) };
}

const oneOf = <T>(list: readonly T[], { random }: Passage): T => list[Math.floor(random.next() * list.length)] as T;

const perhapsDone = ({ inner, sleep, request, random }: Passage): Promise<unknown> =>
  random.next() < 1 / 2 ? inner.send(request) : sleep(RESET_MS);

/** Arrives late: answered in time, or given up while it is still in transit. */
async function hold(passage: Passage, delay: DurationMs): Promise<HttpResult> {
  const { inner, sleep, request } = passage;
  const late = sleep(delay).then(() => inner.send(request));
  const givenUp = sleep(request.deadlineMs).then(() => null);
  const first = await Promise.race([late, givenUp]);
  if (first === null) return broken(passage, timeout(request));
  return { ...first, sentAt: first.sentAt - delay };
}

/** How long the exchange may still accept the message; zero if it is not signed. */
function windowOf({ url }: HttpRequest): DurationMs {
  return Number(/[?&]recvWindow=(\d+)/.exec(url)?.[1] ?? 0);
}

function timeout({ deadlineMs }: HttpRequest): Fault {
  return { sent: true, reason: 'timeout', detail: `No complete answer within ${deadlineMs} ms.` };
}
