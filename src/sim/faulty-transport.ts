// A network that loses, delays, doubles and garbles messages on the way to an exchange that never does.
import { assertNever } from '../domain/invariant.ts';
import type { DurationMs } from '../domain/time.ts';
import { httpDate } from '../paper/headers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { HttpRequest, HttpResult, Transport } from '../ports/transport.ts';
import type { Fault } from '../venue/outcomes.ts';
import { drawFault, type FaultPlan, type MessageFault } from './fault-plan.ts';

export interface FaultyTransportParts {
  readonly inner: Transport;
  readonly plan: FaultPlan;
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  /** Told of every fault as it is injected: for counters and for people. */
  readonly onFault?: (fault: MessageFault, request: HttpRequest) => void;
}

const OK = 200;
/** A reset is noticed soon, a message that vanished only by the deadline. */
const RESET_MS = 50;
/** The second copy of a doubled message comes so much later. */
const SECOND_COPY_MS = 80;
/** A message is held at most for so many times the client's deadline. */
const LONGEST_HOLD_RATIO = 1.5;
const SAYS_NOTHING = ['""', '{}', 'null', '[]', '{"data":null}', '{"data":{}}', '{"data":{"order_id":""}}'];

type Sent = Pick<HttpResult, 'sentAt' | 'receivedAt'>;

/** Wraps a transport. Draws once per message that the plan may hit, so that calm and faulty runs part only at a fault. */
export function faultyTransport(parts: FaultyTransportParts): Transport {
  const { inner, plan, clock, random, sleep } = parts;

  async function send(request: HttpRequest): Promise<HttpResult> {
    const open = clock.now() < plan.until && (plan.hits?.(request) ?? true);
    const fault = open ? drawFault(plan, random.next()) : null;
    if (fault === null) return inner.send(request);
    parts.onFault?.(fault, request);
    return befall(fault, request, { sentAt: clock.now(), receivedAt: clock.now() });
  }

  async function befall(kind: MessageFault, request: HttpRequest, { sentAt }: Sent): Promise<HttpResult> {
    const timing = (): Sent => ({ sentAt, receivedAt: clock.now() });
    const broken = (fault: Fault): HttpResult => ({ kind: 'fault', fault, ...timing() });
    const said = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpResult => {
      const type = body.startsWith('<') ? 'text/html' : 'application/json; charset=utf-8';
      const all = { 'content-type': type, date: httpDate(clock.now()), ...headers };
      return { kind: 'response', status, headers: all, body, ...timing() };
    };
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
        return hold(request, broken);
      case 'twice': {
        const first = await inner.send(request);
        await sleep(SECOND_COPY_MS);
        await inner.send(request);
        return { ...first, ...timing() };
      }
      case 'throttled':
        await sleep(RESET_MS);
        return said(429, '{"code":-1003,"msg":"Too many requests."}', { 'retry-after': '1' });
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
      case 'page':
        await sleep(RESET_MS);
        return said(OK, '<html><body>Please sign in to this network.</body></html>');
      case 'cut':
        return cut(await inner.send(request), timing);
      case 'empty':
        await inner.send(request);
        return said(OK, SAYS_NOTHING[Math.floor(random.next() * SAYS_NOTHING.length)] ?? '');
      case 'denied-done':
        await inner.send(request);
        return said(OK, '{"msg":"The order was rejected by risk checks."}');
      default:
        return assertNever(kind);
    }
  }

  /** Arrives after up to one and a half deadlines: answered in time, or given up while it is still on its way. */
  async function hold(request: HttpRequest, broken: (fault: Fault) => HttpResult): Promise<HttpResult> {
    const delay = Math.ceil(random.next() * LONGEST_HOLD_RATIO * request.deadlineMs);
    const late = sleep(delay).then(() => inner.send(request));
    const givenUp = sleep(request.deadlineMs).then(() => null);
    const first = await Promise.race([late, givenUp]);
    if (first === null) return broken(timeout(request));
    return { ...first, sentAt: first.sentAt - delay };
  }

  function cut(result: HttpResult, timing: () => Sent): HttpResult {
    if (result.kind === 'fault') return result;
    const body = result.body.slice(0, Math.floor(random.next() * result.body.length));
    return { ...result, body, ...timing() };
  }

  return { send, close: () => inner.close() };
}

function timeout({ deadlineMs }: HttpRequest): Fault {
  return { sent: true, reason: 'timeout', detail: `No complete answer within ${deadlineMs} ms.` };
}
