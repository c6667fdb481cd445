// Where the database is: the parts of its URL, checked. The URL holds the password, so no sentence quotes it.
import { readFileSync } from 'node:fs';
import type { Secret } from '../../client/wire/secret.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { systemCode } from '../base/system-error.ts';
import { isLoopback } from '../settings/fields.ts';

export interface DatabaseAddress {
  /** Tried in this order until one can be written. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** `verified`: the certificate must be the host's, by the system's authorities or those of the file. */
  readonly tls: 'off' | 'unverified' | { readonly authorities: string | null };
}

const FORM = /^postgres(?:ql)?:\/\/([^:@/?#]+)(?::([^@/?#]*))?@([^@/?#]+)\/([^/?#]+)(?:\?([^#]*))?$/;
const HOST = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/;
const STANDARD_PORT = 5_432;
const TLS_WORDS = 'disable, require or verify-full';

/**
 * Parses `postgres://user:password@host:port,host:port/database?sslmode=…&sslrootcert=…`. Without `sslmode` hosts other
 * than this machine must prove themselves by a certificate. Throws `StartError` (78).
 */
export function databaseAddress(url: Secret): DatabaseAddress {
  const [, user, password = '', hosts, database, query = ''] = FORM.exec(url.reveal()) ?? [];
  if (user === undefined || hosts === undefined || database === undefined)
    throw refusal('has not the form postgres://user:password@host:port,host:port/database.');
  const found = hosts.split(',').map(hostOf);
  const isHere = found.every(({ host }) => isLoopback(host));
  return {
    hosts: found,
    database: decoded('database', database),
    user: decoded('user', user),
    password: decoded('password', password),
    tls: tlsOf(new URLSearchParams(query), isHere),
  };
}

function hostOf(text: string): DatabaseAddress['hosts'][number] {
  const [, host, digits] = HOST.exec(text) ?? [];
  const port = Number(digits ?? STANDARD_PORT);
  if (host === undefined || port < 1 || port > 65_535) throw refusal('names a host that is not `name` or `name:port`.');
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

function decoded(what: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusal(`has a ${what} with a % that is no escape; write %25.`);
  }
}

function tlsOf(query: URLSearchParams, isHere: boolean): DatabaseAddress['tls'] {
  const unknown = [...query.keys()].find((key) => key !== 'sslmode' && key !== 'sslrootcert');
  if (unknown !== undefined) throw refusal('has an option other than sslmode and sslrootcert.');
  switch (query.get('sslmode')) {
    case 'disable':
      return 'off';
    case 'require':
      return 'unverified';
    case 'verify-full':
      return { authorities: authoritiesIn(query.get('sslrootcert')) };
    case null:
      return isHere ? 'off' : { authorities: authoritiesIn(query.get('sslrootcert')) };
    default:
      throw refusal(`has an sslmode that is not ${TLS_WORDS}.`);
  }
}

function authoritiesIn(file: string | null): string | null {
  if (file === null) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw refusal(`names in sslrootcert a file that can't be read (${systemCode(error)}).`);
  }
}

const refusal = (what: string): StartError =>
  new StartError(EXIT.configurationInvalid, `The database's URL (journal.url) ${what}`);

/** For people: without user and password. */
export const hostsText = ({ hosts }: Pick<DatabaseAddress, 'hosts'>): string =>
  hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
