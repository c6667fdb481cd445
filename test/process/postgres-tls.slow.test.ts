// The way to the database: encrypted and proven as the URL asks, or not taken; and no server that is too old.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PASSWORD } from '../../bench/postgres-cluster.ts';
import { databaseAddress } from '../../src/bot/postgres/database-address.ts';
import { openPostgresJournal } from '../../src/bot/postgres/postgres-journal.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { realClock } from '../../src/ports/clock.ts';
import { newFolder, removeFolders } from './journal-processes.ts';
import { clusterForTests } from './postgres.ts';
import { startCuttingProxy } from './postgres-kit.ts';
import { findTool } from './tools.ts';

const { withServer: withCluster, cluster } = clusterForTests('TLS to the database');
const openssl = findTool('openssl', 'TLS to the database');
const withServer = openssl === null ? test.skip : withCluster;

let folder = '';
beforeAll(() => {
  if (openssl === null) return;
  folder = newFolder();
  for (const name of ['ours', 'others']) makeAuthority(name);
});
afterAll(removeFolders);

const run = (...args: readonly string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
};

function makeAuthority(name: string): void {
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`];
  run('req', '-x509', ...key, '-subj', `/CN=${name}`, '-days', '2', '-out', `${name}.crt`);
}

/** The server speaks TLS from then on, as `host`. */
function speakTls(host: string): void {
  const data = cluster().primary.query('SHOW data_directory');
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'server.key'];
  run('req', '-new', ...key, '-subj', '/CN=server', '-out', 'server.csr');
  writeFileSync(path.join(folder, 'names'), `subjectAltName=${host}`);
  const signed = ['-CA', 'ours.crt', '-CAkey', 'ours.key', '-CAcreateserial', '-extfile', 'names'];
  run('x509', '-req', '-in', 'server.csr', ...signed, '-days', '2', '-out', 'server.crt');
  const { uid, gid } = statSync(data);
  for (const file of ['server.crt', 'server.key']) {
    const target = path.join(data, file);
    copyFileSync(path.join(folder, file), target);
    chmodSync(target, 0o600);
    chownSync(target, uid, gid);
  }
  cluster().primary.query('ALTER SYSTEM SET ssl = on');
  cluster().primary.query('SELECT pg_reload_conf()');
  execFileSync('sleep', ['0.3']);
}

function opened(query: string, port = cluster().primary.port): string {
  const database = cluster().newDatabase();
  const url = `${cluster().url(database, { ports: [port] })}${query}`;
  const place = { address: databaseAddress(new Secret(url)), account: 'main', waitMs: 5_000, leaseMs: 30_000 };
  try {
    const journal = openPostgresJournal(place, 'host', realClock);
    const isEncrypted = cluster().primary.query(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = '${database}'`,
    );
    journal.close();
    return isEncrypted === 't' ? 'encrypted' : 'in the clear';
  } catch (error) {
    const { message } = error as Error;
    expect(message).not.toContain(PASSWORD);
    return message;
  }
}

const authority = (name: string): string => `?sslmode=verify-full&sslrootcert=${path.join(folder, `${name}.crt`)}`;

withServer('a server without TLS is not spoken to where the URL asks for it', () => {
  expect(opened('?sslmode=require')).toMatch(/must be reachable and writable/);
  expect(opened('?sslmode=disable')).toBe('in the clear');
});

withServer('a certificate proves the host, by the authority that the URL names', () => {
  speakTls('IP:127.0.0.1');
  expect(opened(authority('ours'))).toBe('encrypted');
  expect(opened(authority('others'))).toMatch(/must be reachable and writable.*(CERT|SIGNATURE|ISSUER)/);
  expect(opened('?sslmode=verify-full')).toMatch(/must be reachable and writable/);
  expect(opened('?sslmode=require')).toBe('encrypted');
});

withServer('a certificate of another host is none', () => {
  speakTls('DNS:elsewhere.example');
  expect(opened(authority('ours'))).toMatch(/must be reachable and writable.*ALTNAME/);
  speakTls('IP:127.0.0.1');
  expect(opened(authority('ours'))).toBe('encrypted');
});

withServer('a server older than 14 is refused with its version', async () => {
  const version = cluster().primary.query("SELECT current_setting('server_version_num')");
  const old = `13${version.slice(2)}`;
  const proxy = startCuttingProxy(cluster().primary.port, [version, old]);
  expect(opened('?sslmode=disable', proxy.port)).toContain(
    `PostgreSQL 14 or newer is needed. The server is of version ${old}.`,
  );
  await proxy.end();
});
