// Who may address the page: only whoever calls it by its own name. A page that a browser got elsewhere may not.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { realClock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import type { WebSettings } from '../settings/types.ts';
import { isSecure, type PageAddress } from './page-address.ts';

/** Nothing is loaded from elsewhere, nothing is framed, nothing is kept. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Of every answer. A browser that was here by HTTPS once never comes in the clear again. */
export const securityHeaders = (web: WebSettings): Readonly<Record<string, string>> =>
  isSecure(web) ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' } : SECURITY_HEADERS;

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];
/** What changes something, and nothing else does. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  '/api/session': ['POST', 'DELETE'],
  '/api/command': ['POST'],
};
/** A port scan or a forgotten tab must not fill the log. */
const SAY_AGAIN_MS = 60_000;

interface Refusal {
  readonly status: number;
  readonly sentence: string;
}

const writesAt = (url: string): readonly string[] => WRITES[url] ?? [];

/** Why a request is not answered; null where it is. */
function refusalOf(
  { method, headers, raw, url }: Pick<FastifyRequest, 'method' | 'headers' | 'raw' | 'url'>,
  { hosts, origins }: PageAddress,
): Refusal | null {
  const { host = '', origin } = headers;
  if (!hosts.has(host.toLowerCase()) || raw.headersDistinct.host?.length !== 1) {
    return { status: 403, sentence: 'This page answers only under its own name.' };
  }
  if (origin !== undefined && !origins.has(origin.toLowerCase())) {
    return { status: 403, sentence: 'This page does not answer other pages.' };
  }
  if (SAFE_METHODS.includes(method)) return null;
  if (!writesAt(url).includes(method)) {
    const sentence = `Nothing can be changed here: ${allowedAt(url)} are all that this address takes.`;
    return { status: 405, sentence };
  }
  if (origin !== undefined) return null;
  return { status: 403, sentence: 'A change is asked for by this page itself, and its browser says so (Origin).' };
}

const allowedAt = (url: string): string => [...SAFE_METHODS, ...writesAt(url)].join(', ');

/** Answers what is refused and logs it: the first at once, then a count a minute. */
export function createGuard(
  web: WebSettings,
  address: () => PageAddress,
  log: Log,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined {
  const headers = securityHeaders(web);
  let quietUntil = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (request, reply) => {
    reply.headers(headers);
    const refusal = refusalOf(request, address());
    if (refusal === null) return undefined;
    unsaid += 1;
    if (realClock.monotonic() >= quietUntil) {
      quietUntil = realClock.monotonic() + SAY_AGAIN_MS;
      const { host = '', origin = '' } = request.headers;
      log.logEvent({
        op: 'web-refused',
        level: 'warn',
        message: `The page refused a request: ${refusal.sentence}`,
        method: request.method,
        host: host.slice(0, 100),
        origin: origin.slice(0, 100),
        count: unsaid,
      });
      unsaid = 0;
    }
    if (refusal.status === 405) reply.header('allow', allowedAt(request.url));
    return reply.code(refusal.status).type('text/plain; charset=utf-8').send(`${refusal.sentence}\n`);
  };
}
