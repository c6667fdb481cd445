// Holds the exchange between requests, and stops for good when it contradicts itself.

import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RequestLog } from '../control/request-log.ts';
import { deliveryOf } from '../delivery/delivery.ts';
import type { Delivery } from '../delivery/plan.ts';
import { advance } from '../engine/advance.ts';
import { type Answered, answer, collect, INSTANCE_HEADER, refusePublic } from '../exchange.ts';
import type { PaperSettings } from '../state/settings.ts';
import type { ExchangeState } from '../state/state.ts';
import { plainAddress } from '../wire/address.ts';
import { httpDate } from '../wire/headers.ts';
import type { Answer, PaperResponse } from '../wire/messages.ts';
import type { Quirks } from '../wire/quirks.ts';
import { errorBody, refuse } from '../wire/reply.ts';
import { factsOf, timestampOf } from './delivery-facts.ts';
import { requestOf } from './messages.ts';
import type { Waits } from './waits.ts';

interface ShellOptions {
  readonly settings: Pick<PaperSettings, 'quirks'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where requests are noted, if anywhere. */
  readonly requests?: RequestLog;
}

/** A request that has come, and is to be answered. */
interface Arrival {
  readonly delivery: Delivery | null;
  readonly answered: (response: PaperResponse) => void;
}

const PLAIN_ARRIVAL: Arrival = { delivery: null, answered: () => {} };

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

  /** Waits where the exchange promises its answer for later; a server that closes meanwhile has none. */
  async respond(request: FastifyRequest, waits: Waits): Promise<PaperResponse> {
    if (!this.isOpen) return this.refuseWith({ status: 503, code: -1125, msg: 'The exchange is opening.' });
    const { clock } = this.#options;
    let answered = this.#ask((state) => answer(state, requestOf(request), clock.now()));
    while (answered?.kind === 'later') {
      const { ticket, dueAt } = answered;
      const isOver = await waits.wait(dueAt - clock.now());
      if (!isOver) return this.refuseWith({ status: 503, code: -1125, msg: 'The exchange is closing.' });
      answered = this.#ask((state) => collect(state, ticket, clock.now()));
    }
    return answered?.response ?? this.refuseWith({ status: 500, code: -4001, msg: 'Internal server error.' });
  }

  #ask(question: (state: ExchangeState) => Answered): Answer | null {
    const answered = this.#guard(() => question(this.state));
    if (answered === null) return null;
    this.#state = answered.state;
    return answered.answer;
  }

  /**
   * What befalls the request on its way, counted; `null` where no fault was ordered for it. Where somebody keeps
   * `requests`, its arrival is noted, and so is what `answered` is told.
   */
  receive(request: FastifyRequest): Arrival {
    const { requests = null } = this.#options;
    if (!this.isOpen || (requests === null && this.state.controls.delivery.rules.length === 0)) return PLAIN_ARRIVAL;
    const asked = requestOf(request);
    const facts = factsOf(this.state, asked);
    const { rules, delivery } = deliveryOf(this.state.controls.delivery, facts);
    this.state.controls.delivery = rules;
    const { clock } = this.#options;
    const at = clock.now();
    const outcome = requests?.note({ ...facts, at, timestamp: timestampOf(asked), fault: delivery?.ruleId ?? null });
    return { delivery, answered: (response) => outcome?.(response, clock.now()) };
  }

  /** Does something to the exchange as it is now; `null` once it has contradicted itself, and before it is open. */
  change<T>(work: (state: ExchangeState, now: EpochMs) => T): T | null {
    if (!this.isOpen) return null;
    const now = this.#options.clock.now();
    return this.#guard(() => work(advance(this.state, now), now));
  }

  /** Counts a request for what is public beside the endpoints; the refusal where the rate limit has no room. */
  countPublic(request: FastifyRequest): PaperResponse | null {
    return this.change((state, now) => refusePublic(state, plainAddress(request.ip), now));
  }

  tick(): void {
    this.#state = this.#guard(() => advance(this.state, this.#options.clock.now())) ?? this.#state;
  }

  /** An answer that the exchange itself did not give. */
  refuseWith({ status, code, msg }: { status: number; code: number; msg: string }): PaperResponse {
    return { status, headers: this.#headers(), body: errorBody(refuse(code, msg), this.quirks) };
  }

  /** As they are now. */
  get quirks(): Quirks {
    return this.#state?.controls.quirks ?? this.#options.settings.quirks;
  }

  /** What HTTP refuses before the interface is asked: none of its codes fits, so it has none. */
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

  /** After a contradiction nothing may be done with the state any more: it may be half changed. */
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
