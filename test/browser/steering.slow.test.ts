import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { BotStatus } from '../../src/bot/status/bot-status.ts';
import type { SteerAnswer } from '../../src/bot/steer/command.ts';
import { pageTokenFile } from '../../src/bot/web/page-tokens.ts';
import { SESSION_MS } from '../../src/bot/web/sign-in.ts';
import { startWeb, type WebServer } from '../../src/bot/web/web-server.ts';
import { realClock } from '../../src/ports/clock.ts';
import { freePort } from '../process/free-port.ts';
import { absent, findTool } from '../process/tools.ts';
import { chromiumPath, launchChromium } from './chromium.ts';
import { OPEN_PAGE, type PageOptions, pageOptions } from './page-options.ts';
import { btc, eth, NOW, statusFixture } from './status-fixture.ts';
import { PREVIEW, STEERED, selfSigned, TWO_HOURS } from './steering-fixtures.ts';

const executable = chromiumPath();
if (executable === null)
  absent('Chromium is not installed', { skipped: 'steering in a browser', remedy: 'install the package `chromium`' });
const describeIn = executable === null ? describe.skip : describe;

const withOpenssl = findTool('openssl', 'the page by HTTPS') === null ? test.skip : test;

/** 404: a bot that keeps no history. */
const REFUSAL = /the server responded with a status of (?:401|403|404|409) /;
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1_440, height: 900 };
/** What is waited for comes at once on a machine that has nothing else to do. */
const PATIENCE_MS = 60_000;

describeIn('who is signed in at the page', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let made: PageOptions;
  let web: WebServer;
  let status: BotStatus;
  let commands: unknown[] = [];
  let answer: SteerAnswer;
  let ahead = 0;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium(executable);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    status = statusFixture();
    commands = [];
    complaints.length = 0;
    ahead = 0;
    answer = { done: ['Locked until it is removed: BTC/INR.'] };
    const steer = (command: unknown): SteerAnswer => {
      commands.push(command);
      return answer;
    };
    const clock = { now: () => realClock.now() + ahead, monotonic: () => realClock.monotonic() };
    // Each rendering is true a moment later than the one before.
    let rendered = 0;
    const later = () => ({ ...status, trader: { ...status.trader, at: status.trader.at + rendered++ } });
    made = pageOptions({ status: later, steer, clock, ...STEERED });
    web = await startWeb(made.options);
    await openIn({});
  });
  afterEach(async () => {
    await context.close();
    await web.close();
    made.end();
    expect(complaints).toEqual([]);
  });

  async function openIn(options: Parameters<Browser['newContext']>[0]): Promise<void> {
    await context?.close();
    context = await browser.newContext(options);
    page = await context.newPage();
    // A browser writes each answer that refuses something to its console by itself.
    page.on('console', (message) => !REFUSAL.test(message.text()) && complaints.push(message.text()));
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${web.url}/`);
    await page.locator('.masthead').waitFor();
  }

  const token = (role: 'steer' | 'read'): string =>
    readFileSync(pageTokenFile(made.options.stateFolder, role), 'utf8').trim();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');

  async function signIn(role: 'steer' | 'read' = 'steer', name = 'asha'): Promise<void> {
    await button('Sign in …').click();
    await fillSignIn(role, name);
  }

  async function signedIn(): Promise<void> {
    await signIn();
    await page.getByText('asha@page, may steer').waitFor();
  }

  async function fillSignIn(role: 'steer' | 'read', name: string): Promise<void> {
    await dialog().getByLabel('Your name').fill(name);
    await dialog().getByLabel('Token', { exact: true }).fill(token(role));
    await dialog().getByRole('button', { name: 'Sign in' }).click();
  }

  async function confirm(word: string, label: string): Promise<void> {
    await dialog().getByLabel(`Type ${word} to confirm`).fill(word);
    await dialog().getByRole('button', { name: label, exact: true }).click();
  }

  test('sees it, steers each way, and is told in place what came of it', async () => {
    await signedIn();

    await page.locator('[data-symbol="BTC/INR"]').getByRole('button', { name: 'Pause BTC/INR' }).click();
    await dialog().getByLabel('Side').selectOption('buy');
    await dialog().getByLabel('For').selectOption({ label: '1 hour' });
    await dialog().getByLabel('Why').fill('News at noon');
    await confirm('BTC/INR', 'Pause');
    await dialog().getByRole('status').getByText('Locked until it is removed: BTC/INR.').waitFor();
    await page.keyboard.press('Enter');
    await expectClosed();

    await button('Resume BTC/INR').click();
    await confirm('BTC/INR', 'Resume');
    await button('Close').click();
    await button('Pause all …').click();
    await confirm('PAUSE', 'Pause');
    await button('Close').click();
    await button('Resume all …').click();
    await confirm('RESUME', 'Resume');
    await button('Close').click();
    await button('Stop …').click();
    await confirm('STOP', 'Stop');
    await button('Close').click();
    const by = 'asha@page';
    const pause = { command: 'pause', symbol: null, side: null, forMs: null, reason: 'Paused at the page.', by };
    const resume = { command: 'resume', symbol: null, side: null, price: null, halt: null, by };
    expect(commands).toEqual([
      { ...pause, symbol: 'BTC/INR', side: 'buy', forMs: 3_600_000, reason: 'News at noon' },
      { ...resume, symbol: 'BTC/INR' },
      pause,
      resume,
      { command: 'stop', by },
    ]);

    await button('Sign out').click();
    await button('Sign in …').waitFor();
  });

  const expectClosed = () => dialog().waitFor({ state: 'hidden' });

  test('sends nothing without the word, and reads in place what the bot refuses', async () => {
    await signIn();
    await button('Stop …').click();
    await confirmWrong();
    expect(commands).toEqual([]);
    answer = { refused: 'The bot is stopping already.' };
    await confirm('STOP', 'Stop');
    await dialog().getByRole('alert').getByText('The bot is stopping already.').waitFor();
    await page.keyboard.press('Escape');
    await expectClosed();
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Stop …');
  });

  async function confirmWrong(): Promise<void> {
    await dialog().getByLabel('Type STOP to confirm').fill('stop');
    await page.keyboard.press('Enter');
    await dialog().getByRole('alert').getByText('Type STOP to continue. Nothing was sent.').waitFor();
  }

  test('is shown what a change would make before it is applied, and applies just that', async () => {
    await signedIn();
    const parts = ['BTC/INR: revision 1 becomes 2', '  params.x 1 → 2'];
    answer = { preview: { id: '0123456789ab', parts, lines: parts } };
    await button('Change BTC/INR').click();
    await dialog().getByLabel('Parameter').selectOption('params.halfSpreadBps');
    await dialog().getByLabel('New value').fill('2');
    await page.keyboard.press('Enter');
    await dialog().getByText('revision 1 becomes 2').waitFor();
    answer = { refused: 'Nothing is changed: since this was shown, the bot or its files have changed. Look again.' };
    await confirm('BTC/INR', 'Apply');
    await dialog().getByRole('alert').getByText('Nothing is changed').waitFor();
    answer = { done: ['Changed: BTC/INR.'] };
    await confirm('BTC/INR', 'Apply');
    await dialog().getByRole('status').getByText('Changed: BTC/INR.').waitFor();
    await button('Close').click();
    const changes = [{ path: 'params.halfSpreadBps', value: '2' }];
    const set = { command: 'set', symbol: 'BTC/INR', changes, temporary: false, by: 'asha@page' };
    const applied = { ...set, confirm: '0123456789ab' };
    expect(commands).toEqual([{ ...set, confirm: null }, applied, applied]);

    answer = { refused: 'config/a.yaml:3: runs[0].symbol: missing.' };
    await button('Reload …').click();
    await page.keyboard.press('Enter');
    await dialog().getByRole('alert').getByText('config/a.yaml:3').waitFor();
    await page.keyboard.press('Escape');
    await button('Cancel all …').click();
    answer = { done: ['The kill latch is set.'] };
    await confirm('CANCEL ALL', 'Cancel all');
    await dialog().getByRole('status').waitFor();
    expect(commands.slice(3)).toEqual([
      { command: 'reload', confirm: null, by: 'asha@page' },
      { command: 'cancel-all', by: 'asha@page' },
    ]);
  });

  test.each([
    [PHONE, 'light'],
    [PHONE, 'dark'],
    [WIDE, 'light'],
    [WIDE, 'dark'],
  ] as const)('is offered the parameters with value, unit and bounds: %j, %s', async (viewport, colorScheme) => {
    await openIn({ viewport, colorScheme });
    await signedIn();
    await button('Change BTC/INR').click();
    const choice = dialog().getByLabel('Parameter');
    await choice.waitFor();
    expect(await choice.locator('option').allTextContents()).toEqual([
      'limits.maxSessionLoss: 400000 INR',
      'params.halfSpreadBps: 90 bps',
      'quoting.pingPong: false ',
      'protections.turnover.quotePerDay: not set',
    ]);
    await choice.selectOption('params.halfSpreadBps');
    await dialog().getByText('Now 90 bps. May be a number > 0 and ≤ 9999; 100 if left out.').waitFor();
    await dialog().getByText('What params.halfSpreadBps is.').waitFor();
    expect(await dialog().getByLabel('New value, in bps').inputValue()).toBe('90');
    await choice.selectOption('quoting.pingPong');
    await dialog().getByLabel('New value').selectOption('true');
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide)).toBe(0);
    await dialog().getByRole('button', { name: 'Show' }).click();
    await dialog().getByRole('status').waitFor();
    expect(commands).toMatchObject([{ changes: [{ path: 'quoting.pingPong', value: 'true' }], confirm: null }]);
  });

  test('gets from a red page to what helps in two clicks, with the price where one is wanted', async () => {
    const reason = 'The reference price jumped from 5508460 to 5600000 and stayed: look at the market.';
    const halt = { code: 'price' as const, reason, since: NOW - 60_000 };
    const risk = { ...btc().risk, halt };
    status = statusFixture({ symbols: [btc({ state: 'halted', reason, risk }), eth()] });
    await signedIn();
    const remedy = page.locator('button.remedy');
    await remedy.first().waitFor();
    expect(await remedy.allTextContents()).toEqual(['Resume BTC/INR …']);
    await remedy.click();
    await dialog().getByLabel('The price you believe is correct').fill('5,600,000');
    await confirm('BTC/INR', 'Resume');
    await dialog().getByRole('status').waitFor();
    const shown = { 'BTC/INR': { code: 'price', since: NOW - 60_000 } };
    expect(commands).toEqual([
      { command: 'resume', symbol: 'BTC/INR', side: null, price: '5600000', halt: shown, by: 'asha@page' },
    ]);
  });

  const momentOf = (at: number): string =>
    new Date(at)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z/, ' UTC');

  test.each([
    { of: 'BTC/INR', opened: 'Resume BTC/INR', word: 'BTC/INR' },
    { of: null, opened: 'Resume all …', word: 'RESUME' },
  ])('is shown what halted since the dialog was opened, and confirms that anew: $opened', async (asked) => {
    const { of, opened, word } = asked;
    await signedIn();
    await button(opened).click();
    const [reason, since] = ['Day loss (since midnight UTC) was 39.8 INR.', NOW - 1_000];
    const risk = { ...btc().risk, halt: { code: 'loss' as const, reason, since } };
    status = statusFixture({ symbols: [btc({ state: 'halted', reason, risk }), eth()] });
    answer = { refused: 'Nothing is changed: this was not shown before.' };
    // As after each command.
    web.forget();
    await confirm(word, 'Resume');
    await dialog().getByRole('alert').getByText('Nothing is changed').waitFor();
    await dialog()
      .getByText(`BTC/INR is halted as loss since ${momentOf(since)}: ${reason}`)
      .waitFor();
    // What was typed before confirmed something else.
    await dialog().getByRole('button', { name: 'Resume', exact: true }).click();
    await dialog().getByRole('alert').getByText(`Type ${word} to continue.`).waitFor();
    answer = { done: ['Resumed: BTC/INR; halt as loss.'] };
    await confirm(word, 'Resume');
    await dialog().getByRole('status').getByText('halt as loss').waitFor();
    const resume = { command: 'resume', symbol: of, side: null, price: null, by: 'asha@page' };
    expect(commands).toEqual([
      { ...resume, halt: null },
      { ...resume, halt: { 'BTC/INR': { code: 'loss', since } } },
    ]);
  });

  test('by the keyboard alone; one who is not signed in signs in on the way', async () => {
    await button('Pause all …').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('asha');
    await page.keyboard.press('Tab');
    await page.keyboard.type(token('steer'));
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Type PAUSE to confirm').waitFor();
    for (const key of ['Tab', 'Tab', 'Tab']) await page.keyboard.press(key);
    await page.keyboard.type('PAUSE');
    await page.keyboard.press('Enter');
    await dialog().getByRole('status').waitFor();
    expect(commands).toHaveLength(1);
  });

  test('is told of a wrong token, of one that only looks, and of a session that has ended', async () => {
    await button('Sign in …').click();
    await dialog().getByLabel('Token', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await dialog().getByRole('alert').getByText('Wrong token').waitFor();
    await fillSignIn('read', '');
    await page.getByText('page, may look').waitFor();
    await button('Stop …').click();
    await fillSignIn('read', '');
    await dialog().getByText('To steer, sign in with the one').waitFor();
    await button('Close').click();
    await button('Sign out').click();
    await signedIn();
    await button('Stop …').click();
    ahead = SESSION_MS;
    await confirm('STOP', 'Stop');
    await dialog().getByRole('alert').getByText('sign in again').waitFor();
    expect(commands).toEqual([]);
  });

  test('sees charts that begin with what the bot has kept', async () => {
    const asked: string[] = [];
    await page.route('**/api/history?*', (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('symbol') ?? '');
      return route.fulfill({ contentType: 'application/json', body: JSON.stringify(TWO_HOURS) });
    });
    await page.reload();
    await page.locator('[data-symbol="BTC/INR"] .plot.price').scrollIntoViewIfNeeded();
    await page.locator('[data-symbol="BTC/INR"]').getByText('last 2h').waitFor();
    expect(await page.locator('[data-symbol="BTC/INR"] .plot.price canvas').count()).toBe(1);
    expect(asked.filter((each) => each === 'BTC/INR')).toHaveLength(1);
  });

  test.each(['light', 'dark'] as const)('reaches everything on a telephone, %s', async (colorScheme) => {
    await openIn({ viewport: PHONE, colorScheme, hasTouch: true, isMobile: true });
    await signIn();
    await button('Stop …').tap();
    const box = await dialog().boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide)).toBe(0);
    const brightness = "getComputedStyle(document.querySelector('dialog')).backgroundColor.match(/\\d+/g)[0] > 127";
    expect(await page.evaluate(brightness)).toBe(colorScheme === 'light');
    await confirm('STOP', 'Stop');
    await dialog().getByRole('status').waitFor();
  });

  test.each([PHONE, WIDE])('reads every number of a dialog, $width wide', async (viewport) => {
    await openIn({ viewport });
    const cut = () =>
      page.evaluate(`[...document.querySelectorAll('dialog, dialog *')]
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
          .map((each) => each.textContent)`);
    await button('Parameters of BTC/INR').click();
    await dialog().getByText('400000').waitFor();
    expect(await cut()).toEqual([]);
    await button('Close').click();
    await button('1-9007199254741187-1').click();
    await dialog().getByText('create-outcome').waitFor();
    await dialog().getByText('outcome accepted').waitFor();
    expect(await cut()).toEqual([]);
    await button('Close').click();

    await signIn();
    answer = PREVIEW.answer();
    await button('Change BTC/INR').click();
    await dialog().getByRole('button', { name: 'Show' }).click();
    await dialog().getByText('no quote: x.').waitFor();
    expect(await cut()).toEqual([]);
    const row = dialog().getByRole('region').locator('tbody tr').first();
    const plain = (text: string) => text.replaceAll(/\s+/g, ' ');
    expect(plain((await row.locator('td').allInnerTexts()).join(' '))).toContain(PREVIEW.shown(viewport === PHONE));
  });

  withOpenssl('sees nothing before where the page is reached by HTTPS, and everything then', async () => {
    const { certificate, key } = selfSigned(made.options.stateFolder);
    const port = await freePort();
    const origin = `https://localhost:${port}`;
    // First the page: it asks again and again.
    await context.close();
    await web.close();
    web = await startWeb({ ...made.options, web: { ...OPEN_PAGE, port, origin, tls: { certificate, key } } });
    context = await browser.newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
    await page.goto(`${origin}/`);
    await page.getByText('Sign in to see this page.').waitFor();
    expect(await page.content()).not.toContain('BTC/INR');
    await signIn('read');
    await page.getByRole('heading', { name: 'BTC/INR' }).waitFor();
    await button('Sign out').click();
    await page.getByText('Sign in to see this page.').waitFor();
  });
});
