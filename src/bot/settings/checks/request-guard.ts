// Who may read the page: only whoever addresses this machine by a name of it. A page that a browser got elsewhere may
// not.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { realClock } from '../../../ports/real-clock.ts';
import type { Log } from '../../base/log.ts';
import { urlHost } from '../resolve.ts';

/** Nothing is loaded from elsewhere, nothing is framed, nothing is kept. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
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

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;
/** A port scan or a forgotten tab must not fill the log. */
const SAY_AGAIN_MS = 60_000;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/** What a `Host` header may say. An outsider's name that resolves to loopback (DNS rebinding) is not among these. */
export function allowedHosts(host: string, port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]', urlHost(host).toLowerCase()];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

interface Refusal {
  readonly status: number;
  readonly sentence: string;
}

/** Why a request is not answered; null where it is. */
function refusalOf(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  hosts: ReadonlySet<string>,
): Refusal | null {
  const { host = '', origin } = headers;
  if (!hosts.has(host.toLowerCase())) {
    return { status: 403, sentence: 'This page answers only under the names of this machine.' };
  }
  if (origin !== undefined && !hosts.has(origin.toLowerCase().replace(/^http:\/\//, ''))) {
    return { status: 403, sentence: 'This page does not answer other pages.' };
  }
  if (!SAFE_METHODS.includes(method)) {
    return { status: 405, sentence: 'This page only shows: GET and HEAD are all that it takes.' };
  }
  return null;
}

/** Answers what is refused and logs it: the first at once, then a count a minute. */
export function createGuard(
  hosts: () => ReadonlySet<string>,
  log: Log,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined {
  let quietUntil = Number.NEGATIVE_INFINITY;
  let unsaid = 0;
  return (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    const refusal = refusalOf(request, hosts());
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
    if (refusal.status === 405) reply.header('allow', SAFE_METHODS.join(', '));
    return reply.code(refusal.status).type('text/plain; charset=utf-8').send(`${refusal.sentence}\n`);
  };
}
