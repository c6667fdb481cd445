// Signing in at the page and sending commands, over a real socket: who may, how, and that nobody else can.
import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createLog, type Log } from '../../../src/bot/base/log.ts';
import type { SteerAnswer } from '../../../src/bot/steer/command.ts';
import { answerCommand } from '../../../src/bot/steer/control-socket.ts';
import { makePageTokens, type PageRole, pageTokenFile, renewPageToken } from '../../../src/bot/web/page-tokens.ts';
import type { WebOptions } from '../../../src/bot/web/routes.ts';
import { createSessions, SESSION_MS } from '../../../src/bot/web/sign-in.ts';
import { startWeb } from '../../../src/bot/web/web-server.ts';
import { realClock } from '../../../src/ports/clock.ts';
import { OPEN_PAGE, pageOptions } from '../../browser/page-options.ts';
import { statusFixture } from '../../browser/status-fixture.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const PROXIED = { ...OPEN_PAGE, origin: 'https://bot.example.com', behindProxy: true };
const CANARY = 'CANARY-kEy-0123456789abcdefABCDEF';
const PAUSE = { command: 'pause', symbol: null, side: null, forMs: null, reason: 'Noon' };

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string | undefined>;
}

class Page {
  readonly commands: unknown[] = [];
  readonly lines: string[] = [];
  /** How far the page's clock is ahead. */
  ahead = 0;
  /** How much more time has passed for it. */
  passed = 0;
  answer: () => SteerAnswer | Promise<SteerAnswer> = () => ({ done: ['Locked.'] });
  log: Log | null = null;
  port = 0;
  stateFolder = '';
  origin = '';

  async open(change: Partial<WebOptions> = {}): Promise<this> {
    const stream = { write: (line: string) => this.lines.push(line) > 0 };
    this.log = createLog({ level: 'info' }, { stream, isTerminal: false });
    const { options, end } = pageOptions({
      log: this.log,
      clock: { now: () => realClock.now() + this.ahead, monotonic: () => realClock.monotonic() + this.passed },
      steer: (command) => {
        this.commands.push(command);
        return this.answer();
      },
      ...change,
    });
    closing.push(end);
    this.stateFolder = options.stateFolder;
    const web = await startWeb(options);
    closing.push(() => web.close());
    this.origin = web.url;
    this.port = web.port;
    return this;
  }

  token(role: PageRole): string {
    return readFileSync(pageTokenFile(this.stateFolder, role), 'utf8').trim();
  }

  async send(path: string, { method = 'POST', body, headers = {} }: Sent = {}) {
    const all = { 'content-type': 'application/json', origin: this.origin, ...headers };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const outgoing = request({ port: this.port, host: '127.0.0.1', path, method, headers: given, agent: false });
    outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    const isJson = String(answer.headers['content-type']).includes('json');
    return { status: answer.statusCode, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null };
  }

  /** Returns the secret that the tab stores. */
  async signIn(role: PageRole, name = ''): Promise<string> {
    const { status, json } = await this.send('/api/session', { body: { token: this.token(role), name } });
    expect(status).toBe(200);
    return json.secret;
  }

  command(secret: string | undefined, body: unknown = PAUSE, headers: Sent['headers'] = {}) {
    return this.send('/api/command', { body, headers: { 'x-session': secret, ...headers } });
  }
}

const open = (change: Partial<WebOptions> = {}): Promise<Page> => new Page().open(change);

describe('the tokens', () => {
  test('are made once, each 32 random bytes that only the owner can read, and never logged', async () => {
    const page = await open();
    const files = (['steer', 'read'] as const).map((role) => pageTokenFile(page.stateFolder, role));
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    const tokens = [page.token('steer'), page.token('read')];
    expect(new Set(tokens.map((token) => Buffer.from(token, 'base64url').length))).toEqual(new Set([32]));
    expect(new Set(tokens).size).toBe(2);
    expect(makePageTokens(page.stateFolder)).toEqual([]);
    await page.signIn('steer');
    await page.send('/api/session', { body: { token: tokens[1], name: 'x'.repeat(60) } });
    for (const token of tokens) expect(page.lines.join('')).not.toContain(token);
  });

  test('that others could read are not accepted; the log says why, the page does not', async () => {
    const page = await open();
    chmodSync(pageTokenFile(page.stateFolder, 'steer'), 0o644);
    const { status, text } = await page.send('/api/session', { body: { token: page.token('steer') } });
    expect(status).toBe(401);
    expect(text).not.toContain(page.stateFolder);
    expect(page.lines.join('')).toContain('has mode 0644; run `chmod 600');
  });
});

describe('a session', () => {
  test('begins with a token, and has a secret of its own that only its tab gets', async () => {
    const page = await open();
    const { headers, json } = await page.send('/api/session', { body: { token: page.token('steer'), name: 'asha' } });
    expect(headers['set-cookie']).toBeUndefined();
    expect(json).toMatchObject({ role: 'steer', by: 'asha@page', secret: expect.stringMatching(/^[\w-]{43}$/) });
    const known = await page.send('/api/session', { method: 'GET', headers: { 'x-session': json.secret } });
    expect(known.json).toEqual({ role: 'steer', by: 'asha@page', expiresAt: json.expiresAt, isOpen: true });
  });

  test.each([
    ['its time is over', (page: Page) => Object.assign(page, { ahead: SESSION_MS })],
    [
      'its time is over, by a clock that was set back meanwhile',
      (page: Page) => Object.assign(page, { ahead: -SESSION_MS, passed: SESSION_MS }),
    ],
    ['its token was renewed', (page: Page) => renewPageToken(page.stateFolder, 'steer')],
    ['its token was taken away', (page: Page) => rmSync(pageTokenFile(page.stateFolder, 'steer'))],
  ])('ends when %s', async (_when, end) => {
    const page = await open();
    const secret = await page.signIn('steer');
    expect((await page.command(secret)).status).toBe(200);
    end(page);
    const { status, json } = await page.command(secret);
    expect([status, json.refused]).toEqual([401, expect.stringContaining('sign in again')]);
    expect(page.commands).toHaveLength(1);
  });

  test('ends with a sign-out, and no other with it', async () => {
    const page = await open();
    const [first, second] = [await page.signIn('steer', 'asha'), await page.signIn('steer', 'ravi')];
    const headers = { 'x-session': first, 'content-type': undefined };
    expect((await page.send('/api/session', { method: 'DELETE', headers })).status).toBe(200);
    expect((await page.command(first)).status).toBe(401);
    expect((await page.command(second)).status).toBe(200);
    expect(page.commands).toEqual([{ ...PAUSE, by: 'ravi@page' }]);
  });

  test('beyond the maximum ends the oldest of its role, and none of the other', () => {
    // Enough to exceed each limit on attempts; this test is about sessions.
    const sessions = createSessions({ isCurrent: () => true }, { now: () => 0, monotonic: () => 0 });
    const begin = (role: PageRole) => sessions.begin({ role, fingerprint: '' }, 'page').secret;
    const steering = [begin('steer')];
    const reading = Array.from({ length: 33 }, () => begin('read'));
    expect(reading.map((each) => sessions.of(each) === null)).toEqual([true, ...Array(32).fill(false)]);
    expect(steering.map((each) => sessions.of(each)?.role)).toEqual(['steer']);
    steering.push(...Array.from({ length: 32 }, () => begin('steer')));
    expect(steering.map((each) => sessions.of(each)?.role)).toEqual([undefined, ...Array(32).fill('steer')]);
    expect(reading.filter((each) => sessions.of(each) !== null)).toHaveLength(32);
  });
});

describe('a sign-in is refused', () => {
  test.each([
    ['without a token', {}, 400],
    ['with a token that does not fit', { token: 'A'.repeat(43) }, 401],
    ['with an empty token', { token: '' }, 401],
    ['with a name that is none', { token: 'A'.repeat(43), name: 'a\nb' }, 400],
    ['with more than it wants', { token: 'A'.repeat(43), role: 'steer' }, 400],
    ['in a text that is no JSON', '{"token":', 400],
  ])('%s', async (_how, body, code) => {
    const page = await open();
    const { status, json } = await page.send('/api/session', { body });
    expect([status, json.secret]).toEqual([code, undefined]);
    expect(json.refused).toMatch(/\.$/);
  });

  test.each<[string, (page: Page) => string]>([
    ['the token to steer', (page) => page.token('steer')],
    ['the token to look', (page) => page.token('read')],
    ['a part of a token', (page) => page.token('steer').slice(3, 30)],
    ['a token in another case', (page) => page.token('read').toLowerCase()],
    ['a token with what is put between', (page) => page.token('steer').slice(0, 24).match(/.{4}/g)?.join('.') ?? ''],
    ['a key of the exchange', () => CANARY],
  ])('with %s as the name, and nothing of it is kept', async (_what, name) => {
    const page = await open();
    page.log?.registerSecret(CANARY);
    const typed = name(page);
    const body = { token: page.token('steer'), name: typed };
    const { status, text } = await page.send('/api/session', { body });
    expect([status, text.includes('secret'), text.includes(typed)]).toEqual([400, false, false]);
    expect(JSON.parse(text).refused).toMatch(/^The name holds a token or a key of the bot.*\.$/);
    expect(page.lines.join('')).not.toContain(typed);
  });

  test('after ten attempts in a minute, even with the right token', async () => {
    const page = await open();
    for (let each = 0; each < 10; each += 1) {
      expect((await page.send('/api/session', { body: { token: 'wrong' } })).status).toBe(401);
    }
    const { status, json } = await page.send('/api/session', { body: { token: page.token('steer') } });
    expect([status, json.refused]).toEqual([429, expect.stringContaining('Wait a minute')]);
  });
});

describe('a command', () => {
  test('is performed in the name of the signed-in person', async () => {
    const page = await open();
    const { status, json } = await page.command(await page.signIn('steer', 'asha'));
    expect([status, json]).toEqual([200, { done: ['Locked.'] }]);
    expect(page.commands).toEqual([{ ...PAUSE, by: 'asha@page' }]);
  });

  test('to resume says which halt was shown, and is refused if another one holds', async () => {
    const performed: unknown[] = [];
    const refused = 'Nothing is changed: this was not shown before.';
    const steering = { perform: async (command: unknown) => performed.push(command) > 0 && { refused } };
    const page = await open({ steer: (command) => answerCommand(command, steering as never) });
    const secret = await page.signIn('steer', 'asha');
    const halt = { 'BTC/INR': { code: 'loss', since: 1_700_000_000_000 } };
    const resume = { command: 'resume', symbol: 'BTC/INR', side: null, price: null };
    const { status, json } = await page.command(secret, { ...resume, halt });
    expect([status, json]).toEqual([409, { refused }]);
    const unread = await page.command(secret, { ...resume, halt: 'loss' });
    expect([unread.status, unread.json.refused]).toEqual([409, expect.stringContaining("can't be read: halt")]);
    expect(performed).toEqual([{ ...resume, halt, by: 'asha@page' }]);
  });

  test('never waits: a second one during the first is refused', async () => {
    const page = await open();
    const secret = await page.signIn('steer');
    const { promise, resolve } = Promise.withResolvers<SteerAnswer>();
    page.answer = () => promise;
    const first = page.command(secret);
    while (page.commands.length === 0) await new Promise((wait) => setTimeout(wait, 5));
    const second = await page.command(secret);
    expect([second.status, second.json.refused]).toEqual([409, expect.stringContaining('Another command')]);
    resolve({ done: ['Locked.'] });
    expect((await first).status).toBe(200);
    expect(page.commands).toHaveLength(1);
  });

  type Try = readonly [body: unknown, headers: Record<string, string | undefined>, role: 'steer' | 'read' | null];
  test.each<[string, Try, number]>([
    ['of nobody', [PAUSE, {}, null], 401],
    ['of who may only look', [PAUSE, {}, 'read'], 403],
    ['with a token and no session', [PAUSE, { authorization: 'Bearer STEER' }, null], 401],
    ['with an empty secret', [PAUSE, { 'x-session': '' }, 'steer'], 401],
    ['with another secret', [PAUSE, { 'x-session': 'A'.repeat(43) }, 'steer'], 401],
    ['with the token as the secret', [PAUSE, { 'x-session': 'STEER' }, 'steer'], 401],
    ['with the secret as a cookie', [PAUSE, { 'x-session': undefined, cookie: 'x-session=SECRET' }, 'steer'], 401],
    ['with the secret as a token', [PAUSE, { 'x-session': undefined, authorization: 'Bearer SECRET' }, 'steer'], 401],
    ['of another page', [PAUSE, { origin: 'https://example.com' }, 'steer'], 403],
    ['of a page of another port', [PAUSE, { origin: 'http://127.0.0.1:1' }, 'steer'], 403],
    ['of a page without a place', [PAUSE, { origin: 'null' }, 'steer'], 403],
    ['that no page sent', [PAUSE, { origin: undefined }, 'steer'], 403],
    ['under a name that was rebound', [PAUSE, { host: 'rebound.example' }, 'steer'], 403],
    ['as a form sends it', [JSON.stringify(PAUSE), { 'content-type': 'text/plain' }, 'steer'], 415],
    ['as a form encodes it', ['command=stop', { 'content-type': 'application/x-www-form-urlencoded' }, 'steer'], 415],
    ['that says who says it', [{ ...PAUSE, by: 'somebody' }, {}, 'steer'], 400],
    ['that is a list', [[PAUSE, PAUSE], {}, 'steer'], 400],
    ['that is longer than any', [{ ...PAUSE, reason: 'x'.repeat(5_000) }, {}, 'steer'], 413],
  ])('%s', async (_what, [body, headers, role], code) => {
    const page = await open();
    const secret = role === null ? undefined : await page.signIn(role);
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value?.replace('STEER', page.token('steer')).replace('SECRET', secret ?? ''),
      ]),
    );
    expect((await page.command(secret, body, filled)).status).toBe(code);
    expect(page.commands).toEqual([]);
  });
});

describe('beyond this machine', () => {
  const READ = ['/api/status', '/api/parameters', '/metrics', '/api/orders/1-1/life'];

  test('nothing can be read without a session or a token', async () => {
    const blockers = ['CANARY is waited for.'];
    const page = await open({
      web: PROXIED,
      ready: () => false,
      healthy: () => false,
      status: () => statusFixture({ blockers, latched: 'CANARY' }),
    });
    for (const path of [...READ, '/health', '/ready']) {
      const { status, text } = await page.send(path, { method: 'GET', headers: { authorization: 'Bearer wrong' } });
      expect([path, status]).toEqual([path, READ.includes(path) ? 401 : 503]);
      expect(text).not.toMatch(/CANARY|BTC/);
    }
    const secret = await page.signIn('read');
    expect((await page.send('/api/status', { method: 'GET', headers: { 'x-session': secret } })).status).toBe(200);
    const authorization = `Bearer ${page.token('read')}`;
    expect((await page.send('/metrics', { method: 'GET', headers: { authorization } })).status).toBe(200);
    expect((await page.send('/ready', { method: 'GET', headers: { authorization } })).text).toContain('CANARY');
  });

  test('it answers under its public name and the proxy’s, and accepts one origin', async () => {
    const page = await open({ web: PROXIED });
    const secret = await page.signIn('steer');
    const tries = [
      [{ host: 'bot.example.com' }, 200],
      [{ host: 'BOT.example.com:443' }, 200],
      [{ host: `127.0.0.1:${page.port}` }, 200],
      [{ host: 'bot.example.com.evil.example' }, 403],
      [{ host: 'bot.example.com', origin: `http://127.0.0.1:${page.port}` }, 403],
      [{ host: 'bot.example.com', origin: 'http://bot.example.com' }, 403],
    ] as const;
    for (const [headers, code] of tries) {
      expect([headers, (await page.command(secret, PAUSE, headers)).status]).toEqual([headers, code]);
    }
  });
});
