// The paper exchange over real sockets: what it answers to what is no proper request, and what it keeps over a stop.
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { PaperServer } from '../../src/paper/server/server.ts';
import { PaperStartError, PaperStateError } from '../../src/paper/server/state-file.ts';
import { orderBody } from '../unit/paper/small-exchange.ts';
import { type Answer, send, sendRequest, requestNow as signedNow } from './paper-connection.ts';
import { startSmall } from './paper-servers.ts';

const running: PaperServer[] = [];
const messages: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void messages.push(line) });

async function start(given: Parameters<typeof startSmall>[0] = {}): Promise<PaperServer> {
  const server = await startSmall({ log, ...given });
  running.push(server);
  return server;
}

async function stop(server: PaperServer): Promise<void> {
  running.splice(running.indexOf(server), 1);
  await server.close();
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
  messages.length = 0;
});

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'paper-state-'));

describe('a proper request', () => {
  test('is answered as the exchange answers it', async () => {
    const { url, instanceId } = await start();
    const answer = await sendRequest(url, signedNow('create', { body: orderBody('BUY 1.000 @ 5000') }));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-paper-instance': instanceId,
      date: expect.stringMatching(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/),
    });
    expect(JSON.parse(answer.body)).toEqual({ data: { order_id: '1-9007199254740993-1' } });
    expect(JSON.parse((await sendRequest(url, signedNow('open-orders', {}))).body)).toHaveLength(1);
    expect((await sendRequest(url, signedNow('cancel-all', {}))).status).toBe(200);
  });

  test('in parallel on kept connections, all are served', async () => {
    const { url } = await start();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
    const body = orderBody('BUY 0.100 @ 5000');
    const answers = await Promise.all(
      [...Array(200)].map(() => sendRequest(url, signedNow('create', { body }), agent)),
    );
    agent.destroy();
    const ids = new Set(answers.map(({ body: text }) => JSON.parse(text).data.order_id));
    expect(ids.size).toBe(200);
  });
});

describe('the local paths', () => {
  test('/paper/health says which exchange this is', async () => {
    const { url, instanceId } = await start();
    const answer = await send(url, { method: 'GET', target: '/paper/health' });
    expect(JSON.parse(answer.body)).toMatchObject({ ok: true, instanceId, maintenance: false });
  });

  test('/paper/truth shows every account without a key', async () => {
    const { url } = await start();
    await sendRequest(url, signedNow('create', { body: orderBody('BUY 1.000 @ 5000') }));
    const { accounts } = JSON.parse((await send(url, { method: 'GET', target: '/paper/truth?fills=true' })).body);
    expect(accounts).toMatchObject([
      { account: 'alice', balances: { INR: { free: '994975', locked: '5025' } }, orders: [{ side: 'BUY' }], fills: [] },
      { account: 'bob', orders: [] },
    ]);
    expect(JSON.stringify(accounts)).not.toMatch(/secret|api/i);
  });
});

describe('a port that is taken', () => {
  test('is said in a sentence, and the exchange that has it is not disturbed', async () => {
    const stateFile = path.join(newFolder(), 'exchange.json');
    const first = await start({ stateFile });
    const port = Number(new URL(first.url).port);
    const failure = start({ port, stateFile });
    await expect(failure).rejects.toThrow(PaperStartError);
    await expect(failure).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`);
    expect(readdirSync(path.dirname(stateFile))).toEqual(['exchange.json', 'exchange.json.lock']);
  });
});

describe('the state file', () => {
  test('is one exchange’s at a time, and lets it go on after a stop: same instance and orders', async () => {
    const stateFile = path.join(newFolder(), 'exchange.json');
    const first = await start({ stateFile });
    const failure = start({ stateFile });
    await expect(failure).rejects.toThrow(PaperStateError);
    await expect(failure).rejects.toThrow('in use by another exchange');
    expect(readdirSync(path.dirname(stateFile))).toEqual(['exchange.json', 'exchange.json.lock']);
    await sendRequest(first.url, signedNow('create', { body: orderBody('BUY 1.000 @ 5000') }));
    await stop(first);
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(stateFile, 'utf8')).not.toContain('secret');
    const second = await start({ stateFile });
    expect(second.instanceId).toBe(first.instanceId);
    expect(JSON.parse((await sendRequest(second.url, signedNow('open-orders', {}))).body)).toHaveLength(1);
  });

  test('of an exchange that was killed is set aside, and the accounts start anew under a new name', async () => {
    const folder = newFolder();
    const stateFile = path.join(folder, 'exchange.json');
    const first = await start({ stateFile });
    const killed = readFileSync(stateFile);
    await stop(first);
    writeFileSync(stateFile, killed);
    const second = await start({ stateFile });
    expect(second.instanceId).not.toBe(first.instanceId);
    expect(existsSync(`${stateFile}.aside-1`)).toBe(true);
    expect(messages.join('')).toContain('did not stop in good order');
  });

  test('holds a key that was made, and no key that was revoked, as soon as that is answered', async () => {
    const stateFile = path.join(newFolder(), 'exchange.json');
    const first = await start({ stateFile, controlPort: 0 });
    const control = (method: string, target: string, body?: object): Promise<Answer> =>
      send(first.controlUrl ?? '', {
        method,
        target,
        ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
      });
    const make = (): Promise<Answer> => control('POST', '/keys', { account: 'alice', permissions: ['wallet'] });
    const keys = (await Promise.all([make(), make()])).map(({ body }) => JSON.parse(body));
    const asKilled = readFileSync(stateFile);
    expect((await control('DELETE', `/keys/${keys[1].apiKey}`)).status).toBe(200);
    expect(readFileSync(stateFile, 'utf8')).not.toContain(keys[1].apiKey);
    await stop(first);
    writeFileSync(stateFile, asKilled);
    const second = await start({ stateFile });
    for (const key of keys) expect((await sendRequest(second.url, signedNow('wallet', { key }))).status).toBe(200);
  });

  test.each([
    ['is no JSON', '{"format":'],
    ['is of something else', '{"hello":"world"}'],
    ['contradicts itself', '{"format":"quotekeeper-paper","clean":true,"snapshot":{"version":1}}'],
    ['has no snapshot', '{"format":"quotekeeper-paper","clean":true}'],
  ])('that %s is set aside', async (_what, text) => {
    const stateFile = path.join(newFolder(), 'exchange.json');
    writeFileSync(stateFile, text);
    const server = await start({ stateFile });
    expect((await sendRequest(server.url, signedNow('wallet', {}))).status).toBe(200);
    expect(readFileSync(`${stateFile}.aside-1`, 'utf8')).toBe(text);
  });

  test('in a folder that can’t be written is a start error', async () => {
    const stateFile = path.join(newFolder(), 'missing', 'exchange.json');
    await expect(start({ stateFile })).rejects.toThrow(PaperStartError);
  });
});
