// Who may use the control interface: programs of this machine, and no page in a browser, whatever it calls this
// machine.
import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { PaperStartError } from '../../src/paper/server/state-file.ts';
import { send } from './paper-connection.ts';
import { startSmall } from './paper-servers.ts';

let server: PaperServer;
let control = '';

const others: PaperServer[] = [];

const start = ({ host = '127.0.0.1', controlPort }: { host?: string; controlPort?: number }) =>
  startSmall({ host, ...(controlPort === undefined ? {} : { controlPort }) });

beforeAll(async () => {
  server = await start({ controlPort: 0 });
  control = server.controlUrl ?? '';
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
});
afterAll(() => server.close());

describe('who may use it', () => {
  const mutation = { method: 'PATCH', target: '/quirks', body: '{"codeAs":"string"}' };
  const json = { 'content-type': 'application/json' };

  test.each<[string, Record<string, string>, number, string]>([
    ['a name that resolves to this machine', { ...json, host: 'rebound.example' }, 403, 'host'],
    ['the right name with another port', { ...json, host: '127.0.0.1:1' }, 403, 'host'],
    ['a page from elsewhere', { ...json, origin: 'https://evil.example' }, 403, 'origin'],
    ['a page from a file', { ...json, origin: 'null' }, 403, 'origin'],
    ['a page of this very address', { ...json, origin: 'SELF' }, 403, 'origin'],
    ['what a browser says is cross-site', { ...json, 'sec-fetch-site': 'cross-site' }, 403, 'origin'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'content-type'],
    ['plain text, which needs no leave', { 'content-type': 'text/plain' }, 415, 'content-type'],
    ['text that only begins like JSON', { 'content-type': 'application/jsonish' }, 415, 'content-type'],
    ['no type at all', {}, 415, 'content-type'],
  ])('not %s', async (_what, headers, status, field) => {
    const own = Object.entries(headers).map(([name, value]) => [name, value.replace('SELF', control)]);
    const answer = await send(control, { ...mutation, headers: Object.fromEntries(own) });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(`^${field}: .*\\.$`), fields: [field] });
    const quirks = await send(control, { method: 'GET', target: '/quirks' });
    expect(JSON.parse(quirks.body)).toMatchObject({ codeAs: 'number' });
  });

  test('a preflight gets no leave', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'PATCH' };
    const answer = await send(control, { method: 'OPTIONS', target: '/quirks', headers });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['localhost', '[::1]'])('%s is a name of this machine', async (name) => {
    const host = `${name}:${new URL(control).port}`;
    expect((await send(control, { method: 'GET', target: '/', headers: { host } })).status).toBe(200);
  });

  test('it listens on loopback although the exchange listens everywhere', async () => {
    const wide = await start({ host: '0.0.0.0', controlPort: 0 });
    others.push(wide);
    expect(wide.controlUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(wide.controlUrl ?? '').port);
    // Another address of this machine, on which a socket for every interface would answer.
    const refused = await new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.2', () => {
        socket.destroy();
        resolve('connected');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(refused).toBe('ECONNREFUSED');
  });

  test('there is none where nobody asked for it', async () => {
    const plain = await start({});
    others.push(plain);
    expect(plain.controlUrl).toBeNull();
  });

  test('a port that is taken is said in a sentence, and nothing stays open', async () => {
    const taken = Number(new URL(control).port);
    const failure = start({ controlPort: taken });
    await expect(failure).rejects.toThrow(PaperStartError);
    await expect(failure).rejects.toThrow(`Port ${taken} of 127.0.0.1, the control interface's, is taken`);
  });
});
