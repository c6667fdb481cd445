// What befalls one HTTP message: lost, late, doubled or garbled on the way to an exchange that itself never is.
import { assertNever } from '../../src/domain/invariant.ts';
import { type DurationMs, SECOND } from '../../src/domain/time.ts';
import { httpDate } from '../../src/paper/wire/headers.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Random } from '../../src/ports/random.ts';
import type { HttpRequest, HttpResult, Transport } from '../../src/ports/transport.ts';
import type { Fault } from '../../src/venue/outcomes.ts';
import type { MessageFault } from './fault-plan.ts';

export interface MessageFaultParts {
  readonly inner: Transport;
  readonly clock: Clock;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  /** Takes away some of the orders that a cancel by symbol names, and not all where there are any. */
  readonly cancelSome?: (request: HttpRequest, random: Random) => void;
}

/** Sends a message as this fault has it; never rejects. Draws what varies from `random`. */
export type Befall = (fault: MessageFault, request: HttpRequest, random: Random) => Promise<HttpResult>;

const OK = 200;
/** A reset is noticed soon, a message that vanished only by the deadline. */
const RESET_MS = 50;
/** The second copy of a doubled message comes so much later. */
const SECOND_COPY_MS = 80;
/** A message is held at most for so many times the client's deadline. */
const LONGEST_HOLD_RATIO = 1.5;
/** Of the deadline: what still leaves time for the answer. */
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
type Refusal = readonly [status: number, body: string];

const ODD_ERRORS: readonly Refusal[] = [
  [200, '{"code":-9999,"msg":"Something else."}'],
  [400, '{"code":-9998,"msg":"Something new."}'],
  [400, '{"code":"odd","msg":"Something odd."}'],
  [422, '{"error":"unprocessable"}'],
  [451, '<html><body>Unavailable</body></html>'],
];
/** Codes that nobody documented, and one that is, with a status that it does not have. */
export const CANCEL_REFUSALS: readonly [Refusal, ...Refusal[]] = [
  [400, '{"code":-2011,"msg":"Unknown order sent."}'],
  [404, '{"code":-2013,"msg":"Order does not exist."}'],
  [422, '{"code":-5014,"msg":"Unable to cancel spot order."}'],
  [400, '{"code":-1124,"msg":"Order id format invalid."}'],
];

export function createMessageFaults({ inner, clock, sleep, cancelSome }: MessageFaultParts): Befall {
  return async (kind, request, random) => {
    const sentAt = clock.now();
    const timing = () => ({ sentAt, receivedAt: clock.now() });
    const broken = (fault: Fault): HttpResult => ({ kind: 'fault', fault, ...timing() });
    const said = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpResult => {
      const type = body.startsWith('<') ? 'text/html' : 'application/json; charset=utf-8';
      const all = { 'content-type': type, date: httpDate(clock.now()), ...headers };
      return { kind: 'response', status, headers: all, body, ...timing() };
    };
    const oneOf = <T>(list: readonly [T, ...T[]] | readonly T[]): T =>
      list[Math.floor(random.next() * list.length)] as T;
    switch (kind) {
      case 'not-sent':
        return broken({ sent: false, reason: 'refused', detail: 'The connection was refused.' });
      case 'lost-before':
        await sleep(request.deadlineMs);
        return broken(timeout(request));
      case 'lost-after':
        await inner.send(request);
        await sleep(RESET_MS);
        return broken({ sent: true, reason: 'reset', detail: 'The connection was reset before the answer.' });
      case 'held':
        return hold(Math.ceil(random.next() * LONGEST_HOLD_RATIO * request.deadlineMs));
      case 'held-too-long':
        void sleep(windowOf(request) + Math.ceil(random.next() * request.deadlineMs)).then(() => inner.send(request));
        await sleep(request.deadlineMs);
        return broken(timeout(request));
      case 'held-briefly':
        return hold(Math.ceil(random.next() * Math.min(LONGEST_BRIEF_MS, IN_TIME_RATIO * request.deadlineMs)));
      case 'late-answer': {
        const late = Math.ceil(random.next() * IN_TIME_RATIO * request.deadlineMs);
        const answer = await inner.send(request);
        await sleep(late);
        return { ...answer, receivedAt: clock.now() };
      }
      case 'twice': {
        const first = await inner.send(request);
        await sleep(SECOND_COPY_MS);
        await inner.send(request);
        return { ...first, ...timing() };
      }
      case 'throttled':
      case 'throttled-oddly': {
        await sleep(RESET_MS);
        const wait = kind === 'throttled' ? '1' : oneOf(ODD_WAITS);
        return said(429, '{"code":-1003,"msg":"Too many requests."}', wait === '' ? {} : { 'retry-after': wait });
      }
      case 'unavailable-done':
        await inner.send(request);
        return said(503, '{"code":-1125,"msg":"Maintenance."}', { 'retry-after': '1' });
      case 'unavailable':
        await sleep(RESET_MS);
        return said(503, '{"code":-1125,"msg":"Maintenance."}', { 'retry-after': '1' });
      case 'gateway':
        await inner.send(request);
        await sleep(request.deadlineMs / 2);
        return said(504, '<html><body>504 Gateway Time-out</body></html>');
      case 'some-done':
        await sleep(request.deadlineMs / 4);
        cancelSome?.(request, random);
        await sleep(request.deadlineMs / 4);
        return said(504, '<html><body>504 Gateway Time-out</body></html>');
      case 'page':
        await sleep(RESET_MS);
        return said(OK, '<html><body>Please sign in to this network.</body></html>');
      case 'cut': {
        const result = await inner.send(request);
        if (result.kind === 'fault') return result;
        return { ...result, body: result.body.slice(0, Math.floor(random.next() * result.body.length)), ...timing() };
      }
      case 'empty':
        await inner.send(request);
        return said(OK, oneOf(SAYS_NOTHING));
      case 'denied-done':
        await inner.send(request);
        return said(OK, '{"msg":"The order was rejected by risk checks."}');
      case 'odd-error':
        if (random.next() < 1 / 2) await inner.send(request);
        else await sleep(RESET_MS);
        return said(...oneOf(ODD_ERRORS));
      case 'cancel-refused':
        if (random.next() < 1 / 2) await inner.send(request);
        else await sleep(RESET_MS);
        return said(...oneOf(CANCEL_REFUSALS));
      default:
        return assertNever(kind);
    }

    /** Arrives late: answered in time, or given up while it is still on its way. */
    async function hold(delay: DurationMs): Promise<HttpResult> {
      const late = sleep(delay).then(() => inner.send(request));
      const givenUp = sleep(request.deadlineMs).then(() => null);
      const first = await Promise.race([late, givenUp]);
      if (first === null) return broken(timeout(request));
      return { ...first, sentAt: first.sentAt - delay };
    }
  };
}

/** How long the exchange may still take the message; nothing where it is not signed. */
function windowOf({ url }: HttpRequest): DurationMs {
  return Number(/[?&]recvWindow=(\d+)/.exec(url)?.[1] ?? 0);
}

function timeout({ deadlineMs }: HttpRequest): Fault {
  return { sent: true, reason: 'timeout', detail: `No complete answer within ${deadlineMs} ms.` };
}
