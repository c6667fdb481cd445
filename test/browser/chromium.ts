// Drives a headless Chromium over its DevTools protocol, with nothing but what Node brings.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Null where there is none. */
export const chromiumPath = (): string | null => CANDIDATES.find((candidate) => existsSync(candidate)) ?? null;

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
  '--lang=en-US',
  '--remote-debugging-port=0',
];
const START_WITHIN_MS = 90_000;

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

export interface Tab {
  open(url: string): Promise<void>;
  /** The value of an expression, as JSON can hold it. Waits where it is a promise. */
  evaluate(expression: string): Promise<unknown>;
  /** Resolves once the expression is true; rejects with `sentence` when it was not for ten seconds. */
  until(expression: string, sentence: string): Promise<void>;
  send(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Everything that the console, the page's policy and uncaught errors said since the start. */
  readonly complaints: readonly string[];
  /** Addresses of all requests of the page. */
  readonly requested: readonly string[];
}

export interface Chromium {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

/** Ends by `close`, which ends the processes that were started and removes what they wrote. */
export async function startChromium(executable: string): Promise<Chromium> {
  const profile = mkdtempSync(path.join(tmpdir(), 'quotekeeper-chromium-'));
  const child = spawn(executable, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const connection = await connect(await debuggerUrl(child));
  return {
    newTab: () => newTab(connection),
    async close() {
      connection.socket.close();
      await ended(child);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function debuggerUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`Chromium did not start: ${said}`)), START_WITHIN_MS);
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}: ${said}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = /DevTools listening on (ws:\/\/\S+)/.exec(said) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

/** The whole group: the launcher, the browser and its children are all ours. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await gone;
}

interface Connection {
  readonly socket: WebSocket;
  send(method: string, params: Record<string, unknown>, sessionId?: string): Promise<Record<string, unknown>>;
  /** Called with every event of a session. */
  readonly listeners: Map<string, (method: string, params: Record<string, unknown>) => void>;
}

async function connect(url: string): Promise<Connection> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`Chromium does not answer at ${url}.`)), { once: true });
  });
  const listeners: Connection['listeners'] = new Map();
  const waiting = new Map<number, { resolve(value: Record<string, unknown>): void; reject(error: Error): void }>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, sessionId = '', params = {}, result = {}, error } = message.parse(JSON.parse(String(data)));
    if (method !== undefined) listeners.get(sessionId)?.(method, params);
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id !== undefined) waiting.delete(id);
    if (error) asked?.reject(new Error(error.message));
    else asked?.resolve(result);
  });
  let last = 0;
  return {
    socket,
    listeners,
    send(method, params, sessionId) {
      last += 1;
      const id = last;
      socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
  };
}

async function newTab({ send, listeners }: Connection): Promise<Tab> {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const attached = await send('Target.attachToTarget', { targetId, flatten: true });
  const sessionId = z.string().parse(attached.sessionId);
  const complaints: string[] = [];
  const requested: string[] = [];
  listeners.set(sessionId, (method, params) => {
    if (method === 'Network.requestWillBeSent') requested.push(addressOf(params));
    const complaint = complaintOf(method, params);
    if (complaint !== null) complaints.push(complaint);
  });
  const sendHere: Tab['send'] = (method, params = {}) => send(method, params, sessionId);
  for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Audits']) await sendHere(`${domain}.enable`);
  const evaluate: Tab['evaluate'] = async (expression) => {
    const answer = await sendHere('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails !== undefined) throw new Error(JSON.stringify(answer.exceptionDetails));
    return z.object({ value: z.unknown().optional() }).parse(answer.result).value;
  };
  return {
    open: async (url) => void (await sendHere('Page.navigate', { url })),
    evaluate,
    until: (expression, sentence) => untilTrue(evaluate, expression, sentence),
    send: sendHere,
    complaints,
    requested,
  };
}

async function untilTrue(evaluate: Tab['evaluate'], expression: string, sentence: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if ((await evaluate(expression)) === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(sentence);
}

function addressOf(params: Record<string, unknown>): string {
  return z.object({ request: z.object({ url: z.string() }) }).parse(params).request.url;
}

/**
 * Console output, uncaught errors, failed loads, and what the browser itself finds wrong (policy violations are
 * issues).
 */
function complaintOf(method: string, params: Record<string, unknown>): string | null {
  const loud = ['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded', 'Audits.issueAdded'];
  return loud.includes(method) ? `${method} ${JSON.stringify(params)}` : null;
}
