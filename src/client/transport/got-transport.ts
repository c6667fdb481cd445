// HTTP over got: sends once, follows no redirect, ends in time, and reports whether any byte of the request can have
// left.
import { type ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import got, { type Got } from 'got';
import { invariant } from '../../domain/invariant.ts';
import { parsedUrl } from '../../domain/text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpRequest, HttpResult, Transport } from '../../ports/transport.ts';
import type { Fault, FaultReason } from '../../venue/outcomes.ts';

export interface GotTransportSettings {
  /** The only allowed destinations: https, or http on this machine. */
  readonly baseUrls: readonly string[];
  /** Allows http to other machines too: for public data from servers that are not trusted. */
  readonly allowsPlainHttp?: boolean;
  /** An answer with a longer body is a fault. */
  readonly maxBodyBytes?: number;
  /** Connections per host. Further requests wait for one and count as not sent until they have it. */
  readonly maxConnections?: number;
  /**
   * An additional trusted authority, as PEM: for a venue behind a private gateway. Verification itself can't be turned
   * off.
   */
  readonly certificateAuthority?: string;
}

const MAX_BODY_BYTES_DEFAULT = 4 * 1024 * 1024;
const MAX_CONNECTIONS_DEFAULT = 32;

const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

/** Throws at start for a base URL that is not https or local. Afterward nothing throws: failures are a `Fault`. */
export function createGotTransport(settings: GotTransportSettings, clock: Clock): Transport {
  const origins = new Set(settings.baseUrls.map((url) => allowedOrigin(url, settings.allowsPlainHttp ?? false)));
  const agents = agentsOf(settings.maxConnections ?? MAX_CONNECTIONS_DEFAULT);
  const client = clientOf(agents, settings.certificateAuthority);
  const maxBodyBytes = settings.maxBodyBytes ?? MAX_BODY_BYTES_DEFAULT;
  let closed = false;

  async function send(request: HttpRequest): Promise<HttpResult> {
    const sentAt = clock.now();
    const journey = startJourney(request.url);
    const { signal } = request;
    if (closed || signal?.aborted === true)
      return faultResult(faultOfError(null, { ...journey, closed, signal }), sentAt);
    const refused = refusalOf(request.url, origins);
    if (refused !== null) return faultResult({ sent: false, reason: 'aborted', detail: refused }, sentAt);
    try {
      const response = await exchange(client, request, { journey, maxBodyBytes });
      return resultOf(response, sentAt, clock.now());
    } catch (error) {
      const fault = faultOfError(error, { ...journey, closed, signal });
      if (journey.answered === null) return faultResult(fault, sentAt);
      const { status, headers } = journey.answered;
      return { ...faultResult({ ...fault, status }, sentAt), headers };
    }
  }

  function faultResult(fault: Fault, sentAt: number): Extract<HttpResult, { kind: 'fault' }> {
    return { kind: 'fault', fault, sentAt, receivedAt: clock.now() };
  }

  function close(): void {
    closed = true;
    agents.http.destroy();
    agents.https.destroy();
  }

  return { send, close };
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

function agentsOf(maxSockets: number): Agents {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets };
  return { http: new HttpAgent(options), https: new HttpsAgent({ ...options, rejectUnauthorized: true }) };
}

function clientOf(agents: Agents, certificateAuthority: string | undefined): Got {
  return got.extend({
    agent: agents,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    responseType: 'text',
    // Explicit, because an environment variable can turn the default off.
    https: { rejectUnauthorized: true, ...(certificateAuthority !== undefined && { certificateAuthority }) },
  });
}

/** https, or http on this machine: nobody on the way can read it. */
export const isPrivate = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));

function allowedOrigin(baseUrl: string, allowsPlainHttp: boolean): string {
  const url = parsedUrl(baseUrl);
  invariant(url !== null, `Base URL ${baseUrl} is not a URL.`);
  const isAllowed = isPrivate(url) || (allowsPlainHttp && url.protocol === 'http:');
  invariant(isAllowed, `Base URL ${url.origin} is neither https nor http on this machine.`);
  invariant(url.username === '' && url.password === '', `Base URL ${url.origin} carries a name or a password.`);
  return url.origin;
}

/** Why this request must not leave, or `null`. The sentence does not show the URL: it is a secret. */
function refusalOf(text: string, origins: ReadonlySet<string>): string | null {
  const url = parsedUrl(text);
  if (url === null) return 'The address of the request is not a URL.';
  if (!origins.has(url.origin)) return `Host ${url.host} is not among the configured ones.`;
  // The URL that was signed must arrive unchanged: a URL parser rewrites some characters.
  return url.href === text ? null : 'The address of the request would change on its way.';
}

/** The progress of a request, from its socket's events. */
function startJourney(url: string): Journey {
  return { secure: url.startsWith('https:'), connected: false, sent: false, tooLarge: false, answered: null };
}

interface ExchangeOptions {
  readonly journey: Journey;
  readonly maxBodyBytes: number;
}

type TextResponse = Awaited<ReturnType<typeof exchange>>;

function exchange(client: Got, request: HttpRequest, { journey, maxBodyBytes }: ExchangeOptions) {
  const promise = client(request.url, {
    method: request.method,
    headers: { ...request.headers, 'accept-encoding': 'identity' },
    ...(request.body !== null && { body: request.body }),
    timeout: { request: request.deadlineMs },
    signal: request.signal,
  });
  let clientRequest: ClientRequest | undefined;
  const tooLarge = (): void => {
    journey.tooLarge = true;
    clientRequest?.destroy(new Error('The answer is too large.'));
  };
  promise.on('request', (outgoing) => {
    clientRequest = outgoing;
    follow(outgoing, journey);
    outgoing.once('response', (answer) => {
      if (answer.statusCode !== undefined)
        journey.answered = { status: answer.statusCode, headers: headersOf(answer.headers) };
      if (Number(answer.headers['content-length'] ?? 0) > maxBodyBytes) tooLarge();
    });
  });
  promise.on('downloadProgress', ({ transferred }) => {
    if (transferred > maxBodyBytes) tooLarge();
  });
  return promise;
}

/**
 * `sent` turns true at the first moment at which Node may pass bytes of this request to the kernel: on a new connection
 * when it is open (with TLS: when the handshake is over and the certificate verified), on a kept connection when it is
 * assigned. Before that the bytes are in this process, and destroying the socket destroys them. Counting `bytesWritten`
 * proves less: it includes waiting bytes, and those the kernel refused.
 */
function follow(outgoing: ClientRequest, journey: Journey): void {
  // A second error after the first would have no listener: it would end the process and print the request.
  outgoing.on('error', () => undefined);
  outgoing.once('socket', (socket) => {
    if (outgoing.reusedSocket || !socket.connecting) {
      journey.connected = true;
      journey.sent = true;
      return;
    }
    socket.prependOnceListener('connect', () => {
      journey.connected = true;
      if (!journey.secure) journey.sent = true;
    });
    if (journey.secure) {
      socket.prependOnceListener('secureConnect', () => {
        journey.sent = true;
      });
    }
  });
}

function resultOf(response: TextResponse, sentAt: number, receivedAt: number): HttpResult {
  const { statusCode: status } = response;
  const headers = headersOf(response.headers);
  const fault = (reason: FaultReason, detail: string): HttpResult => ({
    ...{ kind: 'fault', fault: { sent: true, reason, status, detail }, headers, sentAt, receivedAt },
  });
  if (status >= 300 && status < 400) return fault('redirect', `HTTP ${status}: a redirect, not followed.`);
  if (typeof response.body !== 'string' || !isPlain(headers['content-encoding']))
    return fault('content-type', `HTTP ${status} with a compressed body, which was not asked for.`);
  return { kind: 'response', status, headers, body: response.body, sentAt, receivedAt };
}

const isPlain = (contentEncoding: string | undefined): boolean =>
  /^(?:identity)?$/i.test((contentEncoding ?? '').trim());

function headersOf(headers: TextResponse['headers']): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}

// An HTTP library's error → our fault. Only the error's code survives: its message, cause and options hold the signed
// URL.

/** The progress of a request when it ended. */
interface Journey {
  readonly secure: boolean;
  /** The TCP connection is open. */
  connected: boolean;
  /** A byte of the request can have left this machine. */
  sent: boolean;
  tooLarge: boolean;
  /** Status and headers of the answer, once they have come. */
  answered: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null;
}

export interface EndedJourney extends Readonly<Journey> {
  /** The transport was closed meanwhile. */
  readonly closed: boolean;
  /** The caller's. */
  readonly signal?: AbortSignal | undefined;
}

const DNS_CODES = /^(?:EAI_[A-Z]+|ENOTFOUND|ENODATA|ESERVFAIL)$/;
const RESET_CODES =
  /^(?:ECONNRESET|EPIPE|ECONNABORTED|ERR_HTTP_CONTENT_LENGTH_MISMATCH|ERR_STREAM_PREMATURE_CLOSE|ERR_SOCKET_CLOSED)$/;
const PLAIN_CODE = /^[A-Z][A-Z0-9_]{1,60}$/;

/** The fault for an error thrown by got. */
export function faultOfError(error: unknown, journey: EndedJourney): Fault {
  const code = codeOf(error);
  const reason = reasonOf(code, journey);
  const when = journey.sent ? 'after bytes of the request may have left' : 'before any byte of the request left';
  const told = code === null ? '' : ` (${code})`;
  return { sent: journey.sent, reason, detail: `${SENTENCES[reason]}, ${when}${told}.` };
}

function reasonOf(code: string | null, journey: EndedJourney): FaultReason {
  if (journey.tooLarge) return 'too-large';
  if (journey.closed) return 'aborted';
  if (journey.signal?.aborted === true && !isTimeout(journey.signal.reason)) return 'aborted';
  if (code === 'ETIMEDOUT' || journey.signal?.aborted === true) return journey.sent ? 'timeout' : 'connect-timeout';
  if (code !== null && DNS_CODES.test(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  if (journey.secure && journey.connected && !journey.sent) return 'tls';
  return code !== null && RESET_CODES.test(code) ? 'reset' : 'other';
}

/** Whether a signal aborted because its time was over (`AbortSignal.timeout`). */
const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';

/** Codes are constants of Node and OpenSSL; anything else is not shown. */
function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && PLAIN_CODE.test(error.code) ? error.code : null;
}

const SENTENCES: Readonly<Record<FaultReason, string>> = {
  dns: 'The host name was not resolved',
  refused: 'The connection was refused',
  'connect-timeout': 'The connection was not made in time',
  tls: 'The TLS handshake failed',
  aborted: 'The client was closed, or the call was aborted',
  timeout: 'The answer was not complete in time',
  reset: 'The connection ended before the answer was complete',
  status: 'The status is not one that was expected',
  redirect: 'The answer is a redirect',
  'content-type': 'The answer is of another type',
  'too-large': 'The answer is larger than allowed',
  'bad-json': 'The answer is not JSON',
  'bad-shape': 'The answer has another shape',
  other: 'The exchange of messages failed',
};
