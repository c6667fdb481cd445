// Carries HTTP messages to the paper exchange in the same process, with the latency of a network, in virtual time.
import type { DurationMs } from '../domain/time.ts';
import { answer, collect } from '../paper/exchange.ts';
import type { ExchangeState } from '../paper/state/state.ts';
import type { PaperRequest, PaperResponse } from '../paper/wire/messages.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { HttpRequest, HttpResult, Transport } from '../ports/transport.ts';

/** Time of a message in one direction: `leastMs` plus an exponential part with the mean `spreadMs`. */
export interface Latency {
  readonly leastMs: DurationMs;
  readonly spreadMs: DurationMs;
}

export interface ExchangeTransportParts {
  /** Owned by the transport from here on: every message changes it. */
  readonly exchange: ExchangeState;
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  readonly latency: Latency;
  /** Sees each request that reaches the exchange and its reply, before any fault changes the reply. */
  readonly witness?: DeliveryWitness;
}

export interface DeliveryWitness {
  /** The message is about to be handed to the exchange. */
  delivered(request: HttpRequest): void;
  /** After it was handed over; `response` is null while the answer waits for the book. */
  handed(request: HttpRequest, response: PaperResponse | null): void;
}

const CALLER = '127.0.0.1';

export function createExchangeTransport(parts: ExchangeTransportParts): Transport & { state(): ExchangeState } {
  const { clock, exchange, sleep } = parts;

  async function send(request: HttpRequest): Promise<HttpResult> {
    const sentAt = clock.now();
    await sleep(delay(parts));
    const { path, query } = targetOf(request.url);
    const message = {
      method: request.method,
      path,
      query,
      headers: lowerCase(request.headers),
      body: request.body,
      ip: CALLER,
    };
    const response = await ask(request, message);
    await sleep(delay(parts));
    return { kind: 'response', ...response, sentAt, receivedAt: clock.now() };
  }

  /** Waits if the exchange announces its answer for later. */
  async function ask(request: HttpRequest, message: PaperRequest): Promise<PaperResponse> {
    parts.witness?.delivered(request);
    let answered = answer(exchange, message, clock.now());
    while (answered.kind === 'later') {
      parts.witness?.handed(request, null);
      const { create, dueAt } = answered;
      await sleep(Math.max(0, dueAt - clock.now()));
      answered = collect(exchange, create, clock.now());
    }
    parts.witness?.handed(request, answered.response);
    return answered.response;
  }

  return { send, close: () => {}, state: () => exchange };
}

function delay({ random, latency }: ExchangeTransportParts): DurationMs {
  return Math.round(latency.leastMs - latency.spreadMs * Math.log(1 - random.next()));
}

/** Path and query of an address that the client built, exactly as on the wire. */
function targetOf(url: string): { path: string; query: string } {
  const host = url.indexOf('//') + 2;
  const [path = '', query = ''] = url.slice(url.indexOf('/', host)).split('?', 2);
  return { path, query };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) lower[name.toLowerCase()] = value;
  return lower;
}
