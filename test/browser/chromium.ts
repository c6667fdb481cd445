// A headless Chromium by Playwright, and tabs of it by the DevTools protocol.
import { existsSync } from 'node:fs';
import { type Browser, type CDPSession, chromium } from 'playwright-core';

// The shell draws no window around the page: its tests take half the time of the cores.
const CANDIDATES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Null where there is none. */
export const chromiumPath = (): string | null =>
  CANDIDATES.map((name) => `/usr/bin/${name}`).find((candidate) => existsSync(candidate)) ?? null;

export const launchChromium = (executablePath: string | null): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox', '--disable-quic', '--lang=en-US'] });

export interface Tab {
  open(url: string): Promise<void>;
  /** The value of an expression, as JSON can hold it. Waits where it is a promise. */
  evaluate(expression: string): Promise<unknown>;
  /** Resolves once the expression is true; rejects with `sentence` when it was not for ten seconds. */
  until(expression: string, sentence: string): Promise<void>;
  readonly send: CDPSession['send'];
  /** Everything that the console, the page's policy and uncaught errors said since the start. */
  readonly complaints: readonly string[];
  /** Addresses of all requests of the page. */
  readonly requested: readonly string[];
}

export interface Chromium {
  /** Closes the one before: each open page takes a tenth of a core. */
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export async function startChromium(executablePath: string): Promise<Chromium> {
  const browser = await launchChromium(executablePath);
  const context = await browser.newContext({ viewport: null });
  return {
    async newTab() {
      await Promise.all(context.pages().map((page) => page.close()));
      return tabOf(await context.newCDPSession(await context.newPage()));
    },
    close: () => browser.close(),
  };
}

/** Console output, uncaught errors, failed loads, and what the browser itself finds wrong: violations are issues. */
const COMPLAINTS = [
  'Runtime.consoleAPICalled',
  'Runtime.exceptionThrown',
  'Log.entryAdded',
  'Audits.issueAdded',
] as const;

async function tabOf(session: CDPSession): Promise<Tab> {
  const complaints: string[] = [];
  const requested: string[] = [];
  session.on('Network.requestWillBeSent', ({ request }) => requested.push(request.url));
  for (const event of COMPLAINTS) session.on(event, (params) => complaints.push(`${event} ${JSON.stringify(params)}`));
  for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Audits'] as const) await session.send(`${domain}.enable`);
  const evaluate: Tab['evaluate'] = async (expression) => {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { exceptionDetails, result } = await session.send('Runtime.evaluate', options);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  };
  return {
    open: async (url) => void (await session.send('Page.navigate', { url })),
    evaluate,
    until: (expression, sentence) => untilTrue(evaluate, expression, sentence),
    send: (method, params) => session.send(method, params),
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
