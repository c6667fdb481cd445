// One HTTP message out, one answer or fault back. got implements it in production, the simulator in virtual time.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Completed, Fault } from '../venue/outcomes.ts';
import type { VenueRequest } from '../venue/requests.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute, with the query string exactly as signed. A secret when it is signed. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Total time until the answer must be complete. */
  readonly deadlineMs: DurationMs;
  /** Ends the request on this side: before it leaves, or while its answer is awaited. */
  readonly signal?: AbortSignal | undefined;
}

export type HttpResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** Names in lower case; repeated headers joined by a comma. */
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly sentAt: EpochMs;
      readonly receivedAt: EpochMs;
    }
  | {
      readonly kind: 'fault';
      readonly fault: Fault;
      /** Headers of an answer that had begun: they may name a wait, even if the body failed. */
      readonly headers?: Readonly<Record<string, string>>;
      readonly sentAt: EpochMs;
      readonly receivedAt: EpochMs;
    };

export interface Transport {
  /** Never throws and never retries; a fault is a value. */
  send(request: HttpRequest): Promise<HttpResult>;
  /** Closes kept-alive connections. */
  close(): void;
}

// The exchange for the program: a request in, its outcome out.

export interface Venue {
  /**
   * Signs, sends once, classifies. Never throws for a failure of network or venue. A request whose signal has aborted
   * is not sent.
   */
  perform(request: VenueRequest, signal?: AbortSignal): Promise<Completed>;
  close(): void;
}
