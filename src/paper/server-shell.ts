// Holds the exchange between requests, and stops for good when it contradicts itself.
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { invariant } from '../domain/invariant.ts';
import type { Clock } from '../ports/clock.ts';
import { advance, answer, type ExchangeState } from './exchange.ts';
import { httpDate } from './headers.ts';
import type { PaperResponse } from './messages.ts';
import { errorBody, refuse } from './reply.ts';
import { requestOf } from './server-messages.ts';
import type { PaperSettings } from './settings.ts';

interface ShellOptions {
  readonly settings: Pick<PaperSettings, 'quirks'>;
  readonly clock: Clock;
  readonly log: Logger;
}

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

  respond(request: FastifyRequest): PaperResponse {
    if (!this.isOpen) return this.refuseWith({ status: 503, code: -1125, msg: 'The exchange is opening.' });
    const now = this.#options.clock.now();
    const answered = this.#guard(() => answer(this.state, requestOf(request), now));
    if (answered === null) return this.refuseWith({ status: 500, code: -4001, msg: 'Internal server error.' });
    this.#state = answered.state;
    return answered.response;
  }

  tick(): void {
    this.#state = this.#guard(() => advance(this.state, this.#options.clock.now())) ?? this.#state;
  }

  /** An answer that the exchange itself did not give. */
  refuseWith({ status, code, msg }: { status: number; code: number; msg: string }): PaperResponse {
    const headers = { 'content-type': 'application/json; charset=utf-8', date: this.date() };
    const quirks = this.#state?.controls.quirks ?? this.#options.settings.quirks;
    return { status, headers, body: errorBody(refuse(code, msg), quirks) };
  }

  date(): string {
    return httpDate(this.#options.clock.now());
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
