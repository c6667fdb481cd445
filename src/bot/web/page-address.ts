// Under which names the page answers, and which pages may send it commands: its own alone.
import { isLoopback } from '../settings/checks/loopback.ts';
import { urlHost } from '../settings/resolve.ts';
import type { WebSettings } from '../settings/types.ts';

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
