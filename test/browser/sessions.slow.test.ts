// A session in a real browser: it is of the tab that signed in.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { pageTokenFile } from '../../src/bot/web/page-tokens.ts';
import { startWeb, type WebServer } from '../../src/bot/web/web-server.ts';
import { absent } from '../process/tools.ts';
import { chromiumPath, launchChromium } from './chromium.ts';
import { type PageOptions, pageOptions } from './page-options.ts';

const executable = chromiumPath();
if (executable === null)
  absent('Chromium is not installed', { skipped: 'sessions in a browser', remedy: 'install the package `chromium`' });
const describeIn = executable === null ? describe.skip : describe;

/** What is waited for comes at once on a machine that has nothing else to do. */
const PATIENCE_MS = 60_000;

describeIn('whoever is signed in', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let made: PageOptions;
  let web: WebServer;
  let commands: unknown[] = [];

  beforeAll(async () => {
    browser = await launchChromium(executable);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    commands = [];
    made = pageOptions({ steer: (command) => ({ done: [`Performed: ${commands.push(command)}.`] }) });
    web = await startWeb(made.options);
    context = await browser.newContext();
    page = await newTab();
    await button('Sign in …').click();
    await fillSignIn('asha');
    await page.getByText('asha@page, may steer').waitFor();
  });
  afterEach(async () => {
    await context.close();
    await web.close();
    made.end();
  });

  async function newTab(): Promise<Page> {
    const tab = await context.newPage();
    tab.setDefaultTimeout(PATIENCE_MS);
    await tab.goto(`${web.url}/`);
    await tab.locator('.masthead').waitFor();
    return tab;
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');

  async function fillSignIn(name: string): Promise<void> {
    const token = readFileSync(pageTokenFile(made.options.stateFolder, 'steer'), 'utf8').trim();
    await dialog().getByLabel('Your name').fill(name);
    await dialog().getByLabel('Token', { exact: true }).fill(token);
    await dialog().getByRole('button', { name: 'Sign in' }).click();
  }

  async function confirm(word: string, label: string): Promise<void> {
    await dialog().getByLabel(`Type ${word} to confirm`).fill(word);
    await dialog().getByRole('button', { name: label, exact: true }).click();
  }

  test('steers on after a reload, and from a second tab once signed in there; a sign-out is of one tab', async () => {
    await page.reload();
    await page.getByText('asha@page, may steer').waitFor();

    const [first, second] = [page, await newTab()];
    page = second;
    await button('Sign in …').waitFor();
    await button('Stop …').click();
    await fillSignIn('ravi');
    await confirm('STOP', 'Stop');
    await dialog().getByRole('status').waitFor();
    page = first;
    await button('Stop …').click();
    await confirm('STOP', 'Stop');
    await dialog().getByRole('status').waitFor();
    expect(commands).toEqual([
      { command: 'stop', by: 'ravi@page' },
      { command: 'stop', by: 'asha@page' },
    ]);

    await button('Close').click();
    await button('Sign out').click();
    await button('Sign in …').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await context.cookies()).toEqual([]);
    await second.getByText('ravi@page, may steer').waitFor();
  });
});
