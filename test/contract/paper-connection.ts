// Plain HTTP over node:http and node:net for contract tests: nothing of ours between the test and the socket.
import http from 'node:http';
import net from 'node:net';
import type { PaperRequest } from '../../src/paper/wire/messages.ts';
import { realClock } from '../../src/ports/clock.ts';
import { ENDPOINTS, RECV_WINDOW_MAX_MS } from '../../src/venue/endpoints.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { type RequestOptions, requestFor } from '../unit/paper/small-exchange.ts';

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method: string;
  /** Path with query, as it goes onto the request line. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | null;
  readonly agent?: http.Agent;
}

export function send(base: string, { method, target, headers = {}, body = null, agent }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const options = { method, hostname, port, path: target, headers, ...(agent ? { agent } : {}) };
    const request = http.request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

/** Sends what a test made for `answer`. */
export function sendRequest(base: string, request: PaperRequest, agent?: http.Agent): Promise<Answer> {
  const target = request.query === '' ? request.path : `${request.path}?${request.query}`;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers[name] = value;
  const { method, body } = request;
  return send(base, { method, target, headers, body, ...(agent ? { agent } : {}) });
}

/** A request of this moment, which is not too old for the exchange where the machine stands still a while. */
export function requestNow(name: EndpointName, options: RequestOptions = {}): PaperRequest {
  const { query, ...rest } = options;
  const patient = ENDPOINTS[name].signed ? { recvWindow: String(RECV_WINDOW_MAX_MS) } : {};
  return requestFor(name, { ...rest, query: { ...patient, ...query } }, realClock.now());
}

/** A request as bytes on a connection that may go on after it. */
export function bytesOf(request: PaperRequest): string {
  const target = request.query === '' ? request.path : `${request.path}?${request.query}`;
  const headers = Object.entries({ host: 'x', ...request.headers }).map(([name, value]) => `${name}: ${String(value)}`);
  if (request.body !== null) headers.push(`content-length: ${Buffer.byteLength(request.body)}`);
  return `${request.method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${request.body ?? ''}`;
}

/** What came over a raw connection, and how it ended. */
export interface Heard {
  readonly text: string;
  /** `open`: nothing had ended it when the time was up. */
  readonly end: 'fin' | 'reset' | 'open';
  /** When each part came, in milliseconds after the connection was made. */
  readonly at: readonly number[];
}

export interface RawOptions {
  /** Listens for so long, from when the bytes are written. */
  readonly forMs?: number;
  /** Listens for so long from when this is so of what has come. */
  readonly has?: (text: string) => boolean;
  /** Closes its own half after writing. */
  readonly half?: boolean;
}

/** Only what hangs meets it. */
const PATIENCE_MS = 300_000;

/** Writes bytes to a socket and collects what comes back until the other side ends or the time is up. */
export function raw(url: string, bytes: string | Buffer, options: RawOptions = {}): Promise<Heard> {
  const { has = () => true, forMs = options.has ? 0 : PATIENCE_MS, half = false } = options;
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    let end: Heard['end'] = 'open';
    const at: number[] = [];
    const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const startedAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      if (timer === undefined && has(text)) timer = setTimeout(() => socket.destroy(), forMs);
    };
    socket.on('connect', () => {
      if (half) socket.end(bytes, look);
      else socket.write(bytes, look);
    });
    socket.on('data', (part) => {
      text += part.toString('latin1');
      at.push(performance.now() - startedAt);
      look();
    });
    socket.on('end', () => {
      end = 'fin';
      socket.destroy();
    });
    socket.on('error', () => {
      end = 'reset';
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ text, end, at });
    });
  });
}

/** Status and body of the answer that some bytes are; the body as it came. */
export function partsOf(text: string): { readonly status: number; readonly head: string; readonly body: string } {
  const cut = text.indexOf('\r\n\r\n');
  const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
  return { status: Number(status), head: text.slice(0, cut).toLowerCase(), body: text.slice(cut + 4) };
}
