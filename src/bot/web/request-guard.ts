// Accepts requests only under the page's own name. Another site's page in a browser can't send any.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { realClock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import { isLoopback } from '../settings/fields.ts';
import { urlHost } from '../settings/resolve.ts';
import type { WebSettings } from '../settings/types.ts';

/** Loads nothing from elsewhere, allows no framing, and no storing. */
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

/** Headers of every answer. A browser that used HTTPS once never returns unencrypted. */
export const securityHeaders = (web: WebSettings): Readonly<Record<string, string>> =>
  isSecure(web) ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' } : SECURITY_HEADERS;

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];
/** The only requests that change something. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  '/api/session': ['POST', 'DELETE'],
  '/api/command': ['POST'],
};
/** Port scans or forgotten tabs must not fill the log. */
const SAY_AGAIN_MS = 60_000;

const writesAt = (url: string): readonly string[] => WRITES[url] ?? [];

/** Why a request is refused; null if it is not. */
function refusalOf(
  { method, headers, raw, url }: Pick<FastifyRequest, 'method' | 'headers' | 'raw' | 'url'>,
  { hosts, origins }: PageAddress,
): { readonly status: number; readonly sentence: string } | null {
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
  const sentence = 'Changes are accepted only from this page itself, as the browser confirms (Origin).';
  return origin === undefined ? { status: 403, sentence } : null;
}

const allowedAt = (url: string): string => [...SAFE_METHODS, ...writesAt(url)].join(', ');

/** Answers refused requests and logs them: the first at once, then a count per minute. */
export function createGuard(web: WebSettings, address: () => PageAddress, log: Log) {
  const headers = securityHeaders(web);
  let quietUntil = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    reply.headers(headers);
    const refusal = refusalOf(request, address());
    if (refusal === null) return undefined;
    unsaid += 1;
    if (realClock.monotonic() >= quietUntil) {
      quietUntil = realClock.monotonic() + SAY_AGAIN_MS;
      const { host = '', origin = '' } = request.headers;
      log.logEvent({
        op: 'page',
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

// The names of the page, and the origins that may send it commands: only its own.

export interface PageAddress {
  /** Allowed `Host` headers. An outsider's name that resolves to loopback (DNS rebinding) is not among them. */
  readonly hosts: ReadonlySet<string>;
  /** Allowed `Origin` headers: scheme, name and port of the page itself. */
  readonly origins: ReadonlySet<string>;
}

/** Whether everybody who reaches the page may read it: only this machine can, without a proxy in front. */
export const isOpen = ({ host, behindProxy, origin }: WebSettings): boolean =>
  isLoopback(host) && !behindProxy && origin === null;

/** Whether browsers reach the page by HTTPS. */
export const isSecure = ({ tls, behindProxy }: WebSettings): boolean => tls !== null || behindProxy;

/** The path under which browsers have the page, as in `/bot`; empty if it is the whole site. */
export const pagePath = ({ origin }: WebSettings): string =>
  origin === null ? '' : new URL(origin).pathname.replace(/\/$/, '');

/** `port`: the actual one. */
export function pageAddress(web: WebSettings, port: number): PageAddress {
  const scheme = web.tls === null ? 'http' : 'https';
  const local = new Set(['127.0.0.1', 'localhost', '[::1]', urlHost(web.host).toLowerCase()]);
  const usual = scheme === 'http' ? 80 : 443;
  const bare = port === usual ? [...local] : [];
  const withPort = [...local].map((name) => `${name}:${port}`);
  // Browsers omit a default port from both headers.
  const localOrigins = (port === usual ? bare : withPort).map((name) => `${scheme}://${name}`);
  if (web.origin === null) return { hosts: new Set([...bare, ...withPort]), origins: new Set(localOrigins) };
  const { origin, host, hostname } = new URL(web.origin);
  // A proxy may use the name by which it reaches the bot. That opens nothing: beyond this machine, reading needs a
  // session, and commands need the origin that the browser states.
  const hosts = new Set([...bare, ...withPort, host, ...(host === hostname ? [`${host}:443`] : [])]);
  return { hosts, origins: new Set(web.behindProxy ? [origin] : [origin, ...localOrigins]) };
}
