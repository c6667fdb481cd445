// Who may address the page: only whoever calls it by its own name. A page that a browser got elsewhere may not.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { realClock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import { isLoopback } from '../settings/checks/judged.ts';
import { urlHost } from '../settings/resolve.ts';
import type { WebSettings } from '../settings/types.ts';

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

// Under which names the page answers, and which pages may send it commands: its own alone.

export interface PageAddress {
  /** What a `Host` header may say. An outsider's name that resolves to loopback (DNS rebinding) is not among these. */
  readonly hosts: ReadonlySet<string>;
  /** What an `Origin` header may say: scheme, name and port of the page itself. */
  readonly origins: ReadonlySet<string>;
}

/** Whether whoever reaches the page may read it: only this machine reaches it, with no proxy in front of it. */
export const isOpen = ({ host, behindProxy, origin }: WebSettings): boolean =>
  isLoopback(host) && !behindProxy && origin === null;

/** Whether browsers reach the page by HTTPS: the cookie is sent by nothing else then. */
export const isSecure = ({ tls, behindProxy }: WebSettings): boolean => tls !== null || behindProxy;

/** `port` is the one that the system gave. */
export function pageAddress(web: WebSettings, port: number): PageAddress {
  const scheme = web.tls === null ? 'http' : 'https';
  const local = new Set(['127.0.0.1', 'localhost', '[::1]', urlHost(web.host).toLowerCase()]);
  const usual = scheme === 'http' ? 80 : 443;
  const bare = port === usual ? [...local] : [];
  const withPort = [...local].map((name) => `${name}:${port}`);
  // A browser leaves a usual port out of both headers.
  const localOrigins = (port === usual ? bare : withPort).map((name) => `${scheme}://${name}`);
  if (web.origin === null) return { hosts: new Set([...bare, ...withPort]), origins: new Set(localOrigins) };
  const { origin, host, hostname } = new URL(web.origin);
  // A proxy may ask for the name that it reaches the bot by. That is no way in: beyond this machine a read needs a
  // session, and a command the origin that the browser names.
  const hosts = new Set([...bare, ...withPort, host, ...(host === hostname ? [`${host}:443`] : [])]);
  return { hosts, origins: new Set(web.behindProxy ? [origin] : [origin, ...localOrigins]) };
}
