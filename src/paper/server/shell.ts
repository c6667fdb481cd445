// Holds the exchange between requests, and stops permanently when it contradicts itself.
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { reader } from '../../matching/engine.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RequestLog } from '../control/route.ts';
import { deliveryOf, type RequestFacts } from '../delivery/delivery.ts';
import type { DeliveryFault } from '../delivery/fault.ts';
import { advance } from '../engine/advance.ts';
import { answer, collect, INSTANCE_HEADER, refusePublic } from '../exchange.ts';
import { endpointOf, marketKey, parseFields } from '../gate/gate.ts';
import type { PaperSettings } from '../state/settings.ts';
import type { ExchangeState } from '../state/state.ts';
import {
  errorBody,
  headerOf,
  httpDate,
  type PaperRequest,
  type PaperResponse,
  plainAddress,
  refuse,
} from '../wire/messages.ts';
import { NO_QUERY, parameter, parseQuery } from '../wire/query.ts';
import type { Quirks } from '../wire/quirks.ts';

interface ShellOptions {
  readonly settings: Pick<PaperSettings, 'quirks'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where requests are recorded, if anywhere. */
  readonly requests?: RequestLog;
}

/** An arrived request, still to be answered. */
interface Arrival {
  readonly fault: DeliveryFault | null;
  readonly answered: (response: PaperResponse) => void;
}

const PLAIN_ARRIVAL: Arrival = { fault: null, answered: () => {} };

export class Shell {
  broken = false;
  #state: ExchangeState | null = null;
  readonly #options: ShellOptions;

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  open(state: ExchangeState): void {
    this.#state = state;
  }

  get isOpen(): boolean {
    return this.#state !== null;
  }

  get state(): ExchangeState {
    invariant(this.#state !== null, 'The paper exchange was used before it was open.');
    return this.#state;
  }

  /** Waits if the exchange announces its answer for later; null if the server closes meanwhile. */
  async respond(request: FastifyRequest, waits: Waits): Promise<PaperResponse> {
    if (!this.isOpen) return this.refuseWith({ status: 503, code: -1125, msg: 'The exchange is opening.' });
    const { clock } = this.#options;
    let answered = this.#guard(() => answer(this.state, requestOf(request), clock.now()));
    while (answered?.kind === 'later') {
      const { create, dueAt } = answered;
      const isOver = await waits.wait(dueAt - clock.now());
      if (!isOver) return this.refuseWith({ status: 503, code: -1125, msg: 'The exchange is closing.' });
      answered = this.#guard(() => collect(this.state, create, clock.now()));
    }
    return answered?.response ?? this.refuseWith({ status: 500, code: -4001, msg: 'Internal server error.' });
  }

  /**
   * Returns the fault for this request, counted; `null` if none was ordered. If `requests` are kept, records the
   * arrival and what `answered` receives.
   */
  receive(request: FastifyRequest): Arrival {
    const { requests = null } = this.#options;
    if (!this.isOpen || (requests === null && this.state.controls.delivery.rules.length === 0)) return PLAIN_ARRIVAL;
    const asked = requestOf(request);
    const facts = factsOf(this.state, asked);
    const { rules, hitBy } = deliveryOf(this.state.controls.delivery, facts);
    this.state.controls.delivery = rules;
    const { clock } = this.#options;
    const at = clock.now();
    const outcome = requests?.note({ ...facts, at, timestamp: timestampOf(asked), fault: hitBy?.id ?? null });
    return { fault: hitBy?.fault ?? null, answered: (response) => outcome?.(response, clock.now()) };
  }

  /** Applies a function to the present exchange; `null` once it has contradicted itself, and before it is open. */
  change<T>(work: (state: ExchangeState, now: EpochMs) => T): T | null {
    if (!this.isOpen) return null;
    const now = this.#options.clock.now();
    return this.#guard(() => {
      advance(this.state, now);
      return work(this.state, now);
    });
  }

  /**
   * Counts a request for a public document, which is no endpoint; returns the refusal where the rate limit has no room.
   */
  countPublic(request: FastifyRequest): PaperResponse | null {
    return this.change((state, now) => refusePublic(state, plainAddress(request.ip), now));
  }

  tick(): void {
    this.#guard(() => advance(this.state, this.#options.clock.now()));
  }

  /** An answer not from the exchange itself. */
  refuseWith({ status, code, msg }: { status: number; code: number; msg: string }): PaperResponse {
    return { status, headers: this.#headers(), body: errorBody(refuse(code, msg), this.quirks) };
  }

  /** The present quirks. */
  get quirks(): Quirks {
    return this.#state?.controls.quirks ?? this.#options.settings.quirks;
  }

  /** A refusal by HTTP before the interface is reached: it has no code, as none fits. */
  refuseHttp(status: number, sentence: string): PaperResponse {
    return { status, headers: this.#headers(), body: JSON.stringify({ error: sentence }) };
  }

  /** Before it is open it has no name. */
  #headers(): Readonly<Record<string, string>> {
    const instance = this.#state === null ? {} : { [INSTANCE_HEADER]: this.#state.instanceId };
    return { 'content-type': 'application/json; charset=utf-8', date: this.date(), ...instance };
  }

  date(): string {
    const now = this.#options.clock.now();
    return httpDate(now + (this.#state?.controls.clockOffsetMs ?? 0));
  }

  /** After a contradiction the state must not be used any more: it may be half changed. */
  #guard<T>(work: () => T): T | null {
    if (this.broken) return null;
    try {
      return work();
    } catch (error) {
      this.broken = true;
      const why = error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown error';
      this.#options.log.fatal(`The paper exchange contradicted itself and answers no more: ${why}`);
      return null;
    }
  }
}

// The facts of a request that rules can match before the exchange checks it: recognized only, not validated.

const LONGEST_TIMESTAMP = 40;

/** Never throws, for any request. */
export function factsOf(state: ExchangeState, request: PaperRequest): RequestFacts {
  const { method, path } = request;
  const fields = parseFields(request.body ?? '') ?? {};
  const order = orderOf(state, fields.order_id);
  return {
    endpoint: endpointOf(request)?.name ?? null,
    method,
    path,
    account: state.callers.get(headerOf(request, state.keyHeader) ?? '')?.account ?? null,
    symbol: order?.symbol ?? textOf(fields.symbol) ?? symbolInQuery(state, request.query),
    side: order?.side ?? sideOf(fields.action),
  };
}

/** The timestamp stated in a request, unchecked. */
function timestampOf({ query }: Pick<PaperRequest, 'query'>): string | null {
  return parameter(parseQuery(query) ?? NO_QUERY, 'timestamp')?.slice(0, LONGEST_TIMESTAMP) ?? null;
}

function symbolInQuery(state: ExchangeState, raw: string): InstrumentSymbol | null {
  const query = parseQuery(raw);
  if (query === null) return null;
  const market = parameter(query, 'market');
  const legacy = state.settings.engine.instruments.find(
    (instrument) => market !== undefined && marketKey(instrument) === market,
  );
  return parameter(query, 'symbol') ?? legacy?.symbol ?? null;
}

function orderOf(state: ExchangeState, id: unknown): { symbol: InstrumentSymbol; side: Side } | null {
  if (typeof id !== 'string') return null;
  return reader(state.engine).order(id) ?? state.backOffice.waiting.get(id) ?? null;
}

function sideOf(action: unknown): Side | null {
  if (action === 'BUY') return 'buy';
  return action === 'SELL' ? 'sell' : null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

// Converts between sockets and the values of `answer`.

/** The request for the exchange; path and query are those of the request line, not decoded. */
function requestOf({ raw, body, ip }: FastifyRequest): PaperRequest {
  const url = originForm(raw.url ?? '/');
  const cut = url.indexOf('?');
  return {
    method: raw.method ?? '',
    path: cut < 0 ? url : url.slice(0, cut),
    query: cut < 0 ? '' : url.slice(cut + 1),
    headers: raw.headers,
    body: typeof body === 'string' && body !== '' ? body : null,
    ip: plainAddress(ip),
  };
}

/** `/path?query` of a request line that contains the whole address, as on the way to a proxy (RFC 9112, 3.2.2). */
function originForm(url: string): string {
  const [, rest] = /^https?:\/\/[^/?]*(.*)$/is.exec(url) ?? [];
  return rest === undefined ? url : rest.startsWith('/') ? rest : `/${rest}`;
}

export function sendResponse(reply: FastifyReply, { status, headers, body }: PaperResponse): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

// Waits that end with the server: anything still held back never arrives.

export class Waits {
  readonly #closed = new AbortController();

  /** `true` after `ms`; `false` as soon as the server closes, and at once if it has. */
  async wait(ms: DurationMs): Promise<boolean> {
    const { signal } = this.#closed;
    if (ms <= 0 || signal.aborted) return !signal.aborted;
    return setTimeout(ms, true, { signal }).catch(() => false);
  }

  close(): void {
    this.#closed.abort();
  }
}
