// One HTTP request and its answer as plain values, and an endpoint's reply before headers are added.
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { DIALECT, errorIn, LEGACY_STATUSES } from '../../venue/dialect.ts';
import type { Quirks } from './quirks.ts';
import type { RateReading } from './rate-limit.ts';

export interface PaperRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** The raw query, without `?`; empty when there is none. */
  readonly query: string;
  /** Names in lower case, as node:http gives them: only headers that the exchange never reads can be lists. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body, or `null` when there is none. */
  readonly body: string | null;
  /** The caller's address: public calls are counted by it, keys may be restricted to it. */
  readonly ip: string;
}

export function headerOf({ headers }: Pick<PaperRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

export interface PaperResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Reply =
  | { readonly kind: 'ok'; readonly json: string }
  | { readonly kind: 'error'; readonly code: number; readonly msg: string }
  /** A refusal of the legacy interface, which has no codes. */
  | { readonly kind: 'status'; readonly status: number };

export type ErrorReply = Extract<Reply, { kind: 'error' }>;
export type RefusalReply = Exclude<Reply, { kind: 'ok' }>;

export const okText = (json: string): Reply => ({ kind: 'ok', json });
export const ok = (value: unknown): Reply => okText(JSON.stringify(value));
/** 200 `{msg}`: an acknowledged cancel, or a create refused by a check behind the gate. */
export const okMsg = (msg: string): Reply => ok({ msg });
export const refuse = (code: number, msg: string): ErrorReply => ({ kind: 'error', code, msg });

export const refuseByStatus = (status: number): RefusalReply => ({ kind: 'status', status });

/** A documented error in the specification's words. Throws on an undocumented code. */
export function refuseByCode(code: number): ErrorReply {
  return refuse(code, documentedCode(code).meaning);
}

/** The same for the legacy interface: the status of an error without its code. */
export function withoutCode(reply: Reply): Reply {
  return reply.kind === 'error' ? refuseByStatus(documentedCode(reply.code).status) : reply;
}

/** HTTP status and body of a reply. */
export function render(reply: Reply, quirks: Pick<Quirks, 'codeAs'>): { status: number; body: string } {
  if (reply.kind === 'ok') return { status: 200, body: reply.json };
  if (reply.kind === 'error') return { status: documentedCode(reply.code).status, body: errorBody(reply, quirks) };
  const { status } = reply;
  const error = LEGACY_STATUSES.find((row) => row.status === status)?.meaning ?? 'Server problem.';
  return { status, body: JSON.stringify({ error }) };
}

function documentedCode(code: number) {
  const documented = errorIn(DIALECT, code);
  invariant(documented !== undefined, `Code ${code} is not documented.`);
  return documented;
}

export function errorBody({ code, msg }: ErrorReply, quirks: Pick<Quirks, 'codeAs'>): string {
  return JSON.stringify({ code: quirks.codeAs === 'number' ? code : String(code), msg });
}

// The rate-limit headers (specification 8), in the forms of Q14 and Q15.

type Headers = Readonly<Record<string, string>>;

let lastDate = { second: Number.NaN, text: '' };

/** IMF-fixdate of a moment, floored to the second. Caches the last one: a second has thousands of answers. */
export function httpDate(at: EpochMs): string {
  const second = Math.floor(at / 1000);
  if (lastDate.second !== second) lastDate = { second, text: new Date(second * 1000).toUTCString() };
  return lastDate.text;
}

/**
 * Empty where no limit applies. `X-RateLimit-Reset` is in seconds since epoch, rounded up: at that second there is
 * room.
 */
export function rateHeaders(
  rate: RateReading | null,
  quirks: Pick<Quirks, 'rateHeaders' | 'retryAfter'>,
  now: EpochMs,
): Headers {
  if (rate === null) return {};
  const retryAfter = rate.allowed ? {} : retryAfterHeader(rate, quirks, now);
  const shown = quirks.rateHeaders === 'always' || (quirks.rateHeaders === 'when-throttled' && !rate.allowed);
  if (!shown) return retryAfter;
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(Math.ceil(rate.resetAt / 1000)),
    ...retryAfter,
  };
}

function retryAfterHeader(rate: RateReading, { retryAfter }: Pick<Quirks, 'retryAfter'>, now: EpochMs): Headers {
  switch (retryAfter) {
    case 'seconds':
      return { 'retry-after': String(Math.max(1, Math.ceil((rate.resetAt - now) / 1000))) };
    case 'date':
      return { 'retry-after': httpDate(Math.ceil(rate.resetAt / 1000) * 1000) };
    case 'missing':
      return {};
  }
}

/**
 * `10.0.0.1` also for `::ffff:10.0.0.1`, an IPv4 caller of a dual-stack socket; IPv6 in its shortest form (RFC 5952).
 */
export function plainAddress(written: string): string {
  if (!written.includes(':')) return written;
  const [address = written, ...zone] = written.split('%');
  const shortest = shortestForm(address);
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(shortest) ?? [];
  if (high !== undefined && low !== undefined) return [...bytesOf(high), ...bytesOf(low)].join('.');
  return [shortest, ...zone].join('%');
}

/** In the form of a URL's host; any text but an address stays as it is. */
function shortestForm(address: string): string {
  const url = URL.parse(`http://[${address}]`);
  return url === null ? address : url.hostname.slice(1, -1);
}

function bytesOf(word: string): readonly [number, number] {
  const value = Number.parseInt(word, 16);
  return [value >> 8, value & 0xff];
}
