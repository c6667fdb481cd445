// Who may use the control interface: programs of this machine. A page in a browser may not, whatever it calls this
// machine.
import type { FastifyRequest } from 'fastify';

/** Bound to nothing else, whatever a configuration says. */
export const CONTROL_HOST = '127.0.0.1';

/**
 * What a `Host` header may say. A name from elsewhere that resolves to this machine (DNS rebinding) is not among these.
 */
export function controlHosts(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

interface GuardRefusal {
  readonly status: number;
  readonly field: string;
  readonly sentence: string;
}

/**
 * Why a request is not looked at; `null` where it is. A page can send neither of what is wanted here without asking
 * first (a preflight, which gets no leave): another `Host`, no `Origin`, or a body that says it is JSON.
 */
export function guardRefusal(
  { method, headers, raw }: Pick<FastifyRequest, 'method' | 'headers' | 'raw'>,
  hosts: ReadonlySet<string>,
): GuardRefusal | null {
  const { host = '', origin, 'sec-fetch-site': site, 'content-type': type = '' } = headers;
  if (!hosts.has(host.toLowerCase()) || raw.headersDistinct.host?.length !== 1) {
    return {
      status: 403,
      field: 'host',
      sentence: 'host: the control interface answers only to one name of this machine.',
    };
  }
  if (origin !== undefined || (typeof site === 'string' && site !== 'none')) {
    return {
      status: 403,
      field: 'origin',
      sentence: 'origin: the control interface does not answer pages in a browser.',
    };
  }
  const wantsJson = method === 'POST' || method === 'PATCH' || method === 'PUT';
  if (wantsJson && !/^application\/json\s*(?:;|$)/i.test(type)) {
    return {
      status: 415,
      field: 'content-type',
      sentence: 'content-type: must be application/json, with a body such as {}.',
    };
  }
  return null;
}
