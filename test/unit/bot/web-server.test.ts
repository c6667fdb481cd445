// The page over a real socket: its answers, its refusals, and that nothing can be changed through it.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { StartError } from '../../../src/bot/base/exit-codes.ts';
import { createLog, type Log } from '../../../src/bot/base/log.ts';
import type { BotStatus } from '../../../src/bot/status/bot-status.ts';
import type { WebOptions } from '../../../src/bot/web/routes.ts';
import { startWeb, type WebServer } from '../../../src/bot/web/web-server.ts';
import { OPEN_PAGE, pageOptions } from '../../browser/page-options.ts';
import { statusFixture } from '../../browser/status-fixture.ts';

const closing: (() => Promise<void> | void)[] = [];
// At once: each waits for a page that could ask.
afterAll(() => Promise.all(closing.map((close) => close())));

interface Page extends WebServer {
  readonly port: number;
  readonly log: Log;
  readonly lines: string[];
}

async function openPage(change: Partial<WebOptions> = {}): Promise<Page> {
  const lines: string[] = [];
  const log = createLog(
    { level: 'info' },
    { stream: { write: (line: string) => lines.push(line) > 0 }, isTerminal: false },
  );
  const { options, end } = pageOptions({ log, ...change });
  let web: WebServer;
  try {
    web = await startWeb(options);
  } catch (error) {
    end();
    throw error;
  }
  closing.push(() => web.close().then(end));
  return { ...web, log, lines };
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

async function ask(page: Page, address: string, { method = 'GET', headers = {} }: Asked = {}) {
  const outgoing = request({ port: page.port, host: '127.0.0.1', path: address, method, headers, agent: false });
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, headers: answer.headers, body };
}

describe('the page answers', () => {
  test('scripts of its own that are 60 kB at most on their way', async () => {
    const page = await openPage();
    const folder = path.resolve(import.meta.dirname, '../../../src/bot/web/page');
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    const sizes = await Promise.all(
      scripts.map(async (name) => {
        const { headers } = await ask(page, `/${name}`, { headers: { 'accept-encoding': 'gzip' } });
        expect(headers['content-encoding']).toBe('gzip');
        return Number(headers['content-length']);
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  });

  test('itself, its style and its scripts, every file of its folder', async () => {
    const page = await openPage();
    const folder = path.resolve(import.meta.dirname, '../../../src/bot/web/page');
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    expect(scripts).toContain('app.js');
    for (const name of scripts) {
      const { status, headers } = await ask(page, `/${name}`);
      expect([name, status, headers['content-type']]).toEqual([name, 200, 'text/javascript; charset=utf-8']);
    }
    expect((await ask(page, '/')).headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await ask(page, '/app.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  test('under a path, whether a proxy takes it off or leaves it', async () => {
    const page = await openPage({ web: { ...OPEN_PAGE, origin: 'https://example.com/bot', behindProxy: true } });
    expect(await ask(page, '/bot')).toMatchObject({ status: 302, headers: { location: '/bot/' } });
    for (const address of ['/bot/', '/', '/bot/steer/session.js', '/steer/session.js'])
      expect([address, (await ask(page, address)).status]).toEqual([address, 200]);
    for (const address of ['/bots/', '/other/bot/', '/bot/bot/'])
      expect([address, (await ask(page, address)).status]).toEqual([address, 404]);
    const command = { method: 'POST', headers: { origin: 'https://example.com' } };
    expect((await ask(page, '/bot/api/command', command)).status).toBe(401);
    expect((await ask(page, '/bot/api/status', command)).status).toBe(405);
  });

  test('its own scripts in at most 60 kB, where the browser takes them compressed', async () => {
    const page = await openPage();
    const folder = path.resolve(import.meta.dirname, '../../../src/bot/web/page');
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
    const sizes = await Promise.all(
      scripts.map(async (name) => {
        const { headers } = await ask(page, `/${name}`, { headers: { 'accept-encoding': 'br, gzip' } });
        expect(headers['content-encoding']).toBe('gzip');
        return Number(headers['content-length']);
      }),
    );
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(60_000);
    expect((await ask(page, '/app.js')).headers['content-encoding']).toBeUndefined();
  });

  test('the status as JSON, as it is at that moment', async () => {
    let phase: BotStatus['trader']['phase'] = 'starting';
    let now = 0;
    const clock = { now: () => now, monotonic: () => now };
    const page = await openPage({ status: () => statusFixture({ phase }), clock });
    const first = JSON.parse((await ask(page, '/api/status')).body);
    phase = 'running';
    // Requests within the same second get the same status.
    now += 500;
    const { body, headers } = await ask(page, '/api/status');
    expect([JSON.parse(body), headers['age-ms']]).toEqual([first, '500']);
    now += 500;
    const second = JSON.parse((await ask(page, '/api/status')).body);
    expect(first).toEqual(JSON.parse(JSON.stringify(statusFixture({ phase: 'starting' }))));
    expect(second.trader.phase).toBe('running');
  });

  test('the metrics, updated at each request', async () => {
    const page = await openPage({ status: () => statusFixture({ unknownOrders: 7 }) });
    const { status, headers, body } = await ask(page, '/metrics');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(body).toContain('\nquotekeeper_unknown_orders 7\n');
  });
});

describe('the endpoints for machines', () => {
  const blockers = ["The exchange's clock is not known yet."];
  const starting = { status: () => statusFixture({ phase: 'starting', blockers }) };
  const stopping = { status: () => statusFixture({}, { stopping: 'By SIGTERM.' }) };

  test.each<[string, string, Partial<WebOptions>, number, object]>([
    ['healthy', '/health', {}, 200, { ok: true }],
    ['stopping', '/health', { ...stopping, healthy: () => false }, 503, { ok: false, reason: 'By SIGTERM.' }],
    ['not reconciled yet', '/ready', { ...starting, ready: () => false }, 503, { ready: false, blockers }],
    ['reconciled', '/ready', {}, 200, { ready: true }],
  ])('of a bot that is %s: %s', async (_what, path, change, code, body) => {
    const answer = await ask(await openPage(change), path);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([code, body]);
  });
});

describe('the page refuses', () => {
  test.each([
    ['a name of somebody else that leads here', { host: 'rebound.example:PORT' }, 403],
    ['the right name with another port', { host: '127.0.0.1:1' }, 403],
    ['the right name without its port', { host: '127.0.0.1' }, 403],
    ['a name that only begins right', { host: '127.0.0.1.example:PORT' }, 403],
    ['a page from elsewhere', { host: '127.0.0.1:PORT', origin: 'https://example.com' }, 403],
    ['a page without a place', { host: '127.0.0.1:PORT', origin: 'null' }, 403],
  ])('%s', async (_name, headers, status) => {
    const page = await openPage();
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(page.port))]),
    );
    for (const address of ['/', '/api/status', '/metrics', '/health', '/nowhere']) {
      const answer = await ask(page, address, { headers: filled });
      expect([address, answer.status]).toEqual([address, status]);
      expect(answer.body).not.toMatch(/quotekeeper|example/);
    }
    expect(page.lines.join('')).toContain('"op":"page"');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s, whatever the address', async (method) => {
    let asked = 0;
    const page = await openPage({
      status: () => {
        asked += 1;
        return statusFixture();
      },
    });
    for (const address of ['/', '/api/status', '/api/stop', '/nowhere']) {
      const { status, headers } = await ask(page, address, { method });
      expect([address, status, headers.allow]).toEqual([address, 405, 'GET, HEAD']);
    }
    expect(asked).toBe(0);
  });

  test.each([
    '/nowhere',
    '/tsconfig.json',
    '/web-server.ts',
    '/page/app.js',
    '/uplot.cjs.js',
    '/index.html',
    '/../bot-status.ts',
    '/%2e%2e/keys.ts',
    '//',
  ])('what it does not serve: %s', async (address) => {
    const { status, body } = await ask(await openPage(), address);
    expect([status, body]).toEqual([404, 'There is nothing at this address.\n']);
  });
});

describe('the names of this machine', () => {
  test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('%s is one', async (name) => {
    const page = await openPage();
    const host = `${name}:${page.port}`;
    const { status } = await ask(page, '/api/status', { headers: { host, origin: `http://${host}` } });
    expect(status).toBe(200);
  });
});

test('every answer forbids what the page does not need, even refusals', async () => {
  const page = await openPage();
  const answers = [
    await ask(page, '/'),
    await ask(page, '/api/status'),
    await ask(page, '/metrics'),
    await ask(page, '/nowhere'),
    await ask(page, '/', { method: 'POST' }),
    await ask(page, '/', { headers: { host: 'rebound.example' } }),
  ];
  for (const { headers } of answers) {
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test.each<[string, Partial<WebOptions['web']>, string | undefined]>([
  ['in the clear', {}, undefined],
  ['by HTTPS of a proxy', { origin: 'https://bot.example.com', behindProxy: true }, 'max-age=31536000'],
])('where browsers come %s they are told whether that is the only way', async (_how, web, wanted) => {
  const page = await openPage({ web: { ...OPEN_PAGE, ...web } });
  const refused = { headers: { host: 'rebound.example' } };
  for (const answer of [await ask(page, '/'), await ask(page, '/nowhere'), await ask(page, '/', refused)])
    expect(answer.headers['strict-transport-security']).toBe(wanted);
});

test('a secret in the status does not get out', async () => {
  const canary = 'CANARY-7c1d5f0e9b';
  const blockers = [`The exchange refuses requests: bad key ${canary}`];
  const page = await openPage({ ready: () => false, status: () => statusFixture({ blockers, latched: canary }) });
  page.log.registerSecret(canary);
  for (const address of ['/api/status', '/metrics', '/health', '/ready']) {
    expect((await ask(page, address)).body).not.toContain(canary);
  }
  expect((await ask(page, '/api/status')).body).toContain('[secret]');
});

test('an error in the bot is a 500 that does not quote its message', async () => {
  const page = await openPage({
    status: () => {
      throw new Error('CANARY https://exchange/?signature=abc');
    },
  });
  const { status, body } = await ask(page, '/api/status');
  expect([status, body]).toEqual([500, 'The page could not answer; its log says more.\n']);
  expect(page.lines.join('')).not.toContain('CANARY');
  expect(page.lines.join('')).toContain('"op":"page"');
});

test('a flood of refused requests is one line in the log, not a thousand', async () => {
  const page = await openPage();
  for (let count = 0; count < 50; count += 1) await ask(page, '/', { method: 'POST' });
  expect(page.lines.filter((line) => line.includes('"op":"page"'))).toHaveLength(1);
});

async function idle(page: Page, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(page.port, '127.0.0.1'));
  closing.push(() => void sockets.map((socket) => socket.destroy()));
  await Promise.all(
    sockets.map((socket) =>
      once(
        socket.on('error', () => undefined),
        'connect',
      ),
    ),
  );
  return sockets;
}

test.each([64, 200])('%i idle connections keep nobody out, and the oldest of them are closed', async (count) => {
  const page = await openPage();
  const sockets = await idle(page, count);
  for (let each = 0; each < 3; each += 1) expect((await ask(page, '/api/status')).status).toBe(200);
  await Promise.all(sockets.slice(0, count - 63).map((socket) => socket.destroyed || once(socket.resume(), 'close')));
  expect(sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length).toBeLessThanOrEqual(63);
});

test('64 requests whose bodies never arrive block nobody', async () => {
  const page = await openPage();
  const host = `127.0.0.1:${page.port}`;
  const head = `POST /api/session HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\n`;
  const slow = await idle(page, 64);
  for (const socket of slow) socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let each = 0; each < 3; each += 1) expect((await ask(page, '/api/status')).status).toBe(200);
});

test('a connection with regular requests is kept longer than idle ones', async () => {
  const page = await openPage({ ready: () => true });
  const asking = connect(page.port, '127.0.0.1');
  closing.push(() => void asking.destroy());
  await once(asking, 'connect');
  for (let each = 0; each < 3; each += 1) {
    await idle(page, 40);
    asking.write(`GET /ready HTTP/1.1\r\nhost: 127.0.0.1:${page.port}\r\n\r\n`);
    const [answer] = await once(asking, 'data');
    expect(String(answer)).toContain('200 OK');
  }
});

test.each(['1.1', '1.0'])('two Host headers are refused, even if they agree (HTTP/%s)', async (version) => {
  const page = await openPage();
  const host = `host: 127.0.0.1:${page.port}\r\n`;
  const answerTo = async (hosts: string): Promise<string> => {
    const socket = connect(page.port, '127.0.0.1');
    socket.end(`GET /api/status HTTP/${version}\r\n${hosts}connection: close\r\n\r\n`);
    return (await socket.setEncoding('utf8').toArray()).join('');
  };
  expect(await answerTo(host)).toMatch(/^HTTP\/1\.1 200 /);
  for (const second of [host, 'Host: elsewhere.example\r\n', 'HOST:\r\n'])
    for (const hosts of [host + second, second + host]) {
      const answer = await answerTo(hosts);
      expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
      expect(answer).not.toContain('"phase"');
    }
});

describe('the page does not start', () => {
  test('on a taken port, and says which', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    closing.push(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const failed = openPage({ web: { ...OPEN_PAGE, port } });
    await expect(failed).rejects.toBeInstanceOf(StartError);
    await expect(failed).rejects.toMatchObject({ code: 69, message: expect.stringContaining(`Port ${port}`) });
  });

  test.each(['0.0.0.0', '::', '192.168.1.20', 'my-host', '127.0.0.1.example'])(
    'on %s, where others could read it',
    async (host) => {
      await expect(openPage({ web: { ...OPEN_PAGE, host } })).rejects.toThrow(
        `The page would be read in the clear on ${host}`,
      );
    },
  );
});
