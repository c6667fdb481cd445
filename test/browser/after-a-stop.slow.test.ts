// The page of a bot that has stopped, under a path of a proxy: how it ended, since when its profit counts, and when, in
// the configured zone.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { pageTokenFile } from '../../src/bot/web/page-tokens.ts';
import { startWeb } from '../../src/bot/web/web-server.ts';
import { showTimesIn } from '../../src/domain/time-text.ts';
import { absent } from '../process/tools.ts';
import { chromiumPath, launchChromium } from './chromium.ts';
import { LIVELY_PAST, OPEN_PAGE, pageOptions } from './page-options.ts';
import { statusFixture } from './status-fixture.ts';

const executable = chromiumPath();
if (executable === null)
  absent('Chromium is not installed', { skipped: 'the page after a stop', remedy: 'install the package `chromium`' });
const describeIn = executable === null ? describe.skip : describe;

const ZONE = { timeZone: 'Asia/Kolkata', stopping: 'SIGTERM.' };
const stopped = () => {
  const symbols = statusFixture().trader.symbols.map((symbol) => ({ ...symbol, orders: [] }));
  return statusFixture({ phase: 'stopped', flat: true, symbols }, ZONE);
};

describeIn('after a stop', () => {
  let browser: Browser;
  let context: BrowserContext;
  const ends: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    showTimesIn(ZONE.timeZone);
    browser = await launchChromium(executable);
  });
  afterAll(async () => {
    showTimesIn('UTC');
    await browser?.close();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function open(width: number, colorScheme: 'light' | 'dark') {
    let status = statusFixture({}, ZONE);
    const web = { ...OPEN_PAGE, origin: 'https://example.com/bot' };
    const { options, end } = pageOptions({ web, status: () => status, past: LIVELY_PAST });
    ends.push(end);
    const server = await startWeb(options);
    context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    ends.push(() => context.close());
    const page = await context.newPage();
    // Without the slash, as people type it.
    await page.goto(`http://127.0.0.1:${server.port}/bot`);
    await page.getByRole('button', { name: 'Sign in …' }).click();
    const token = readFileSync(pageTokenFile(options.stateFolder, 'read'), 'utf8').trim();
    await page.getByRole('dialog').getByLabel('Token', { exact: true }).fill(token);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.masthead').waitFor();
    const stop = async (): Promise<void> => {
      status = stopped();
      await server.close();
    };
    return { page, stop };
  }

  const isWhole = (page: Page): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1_440, 'light'],
    [1_440, 'dark'],
  ] as const)('at %i px, %s: an open page learns the proof before the bot is gone', async (width, scheme) => {
    const { page, stop } = await open(width, scheme);
    await page.getByText('times of Asia/Kolkata').waitFor();
    await page.getByText('since 2026-03-17 12:58:24 GMT+5:30').first().waitFor();
    expect(await isWhole(page)).toBe(true);
    await stop();
    const proof =
      'Stopped: SIGTERM. It was proved at 2026-03-17 15:12:31 GMT+5:30 that none of its orders rests on the exchange.';
    await page.locator('#stale', { hasText: proof }).waitFor();
    expect(await isWhole(page)).toBe(true);
  });
});
