// Answers that come late, in a real browser: a person sees only what was asked for last.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page, Route } from 'playwright-core';
import { pageTokenFile } from '../../src/bot/web/page-tokens.ts';
import { startWeb, type WebServer } from '../../src/bot/web/web-server.ts';
import { absent } from '../process/tools.ts';
import { chromiumPath, launchChromium } from './chromium.ts';
import { type PageOptions, pageOptions } from './page-options.ts';
import { btc, eth, statusFixture } from './status-fixture.ts';

const executable = chromiumPath();
if (executable === null)
  absent('Chromium is not installed', { skipped: 'late answers', remedy: 'install the package `chromium`' });
const describeIn = executable === null ? describe.skip : describe;

describeIn('of late answers', () => {
  let browser: Browser;
  let page: Page;
  let made: PageOptions;
  let web: WebServer;
  let symbols = [btc(), eth()];

  beforeAll(async () => {
    made = pageOptions({ status: () => statusFixture({ symbols }), steer: () => ({ done: ['Locked.'] }) });
    web = await startWeb(made.options);
    browser = await launchChromium(executable);
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${web.url}/`);
    await button('Sign in …').click();
    const token = readFileSync(pageTokenFile(made.options.stateFolder, 'steer'), 'utf8').trim();
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.keyboard.press('Enter');
    await button('Sign out').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await web.close();
    made.end();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });

  /** The next answer from there, as it is now, comes when it is released. */
  async function hold(address: string) {
    const [held, passed, drawn] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const deliver = async (route: Route) => {
      const response = await route.fetch();
      held?.resolve();
      await passed?.promise;
      await route.fulfill({ response });
      // Long enough to be drawn, and shorter than to the next status.
      await page.waitForTimeout(300);
      drawn?.resolve();
    };
    await page.route(`**${address}`, deliver, { times: 1 });
    const release = (): Promise<void> | undefined => {
      passed?.resolve();
      return drawn?.promise;
    };
    return { held: held?.promise, release };
  }

  test('parameters do not replace the dialog that was opened meanwhile', async () => {
    const late = await hold('/api/parameters');
    await button('Parameters of BTC/INR').click();
    await late.held;
    await button('Pause all …').click();
    await late.release();
    await heading('Pause everything').waitFor({ timeout: 1_000 });
    await page.keyboard.press('Escape');
  });

  test('the answer to a command does not replace the dialog of another', async () => {
    const late = await hold('/api/command');
    await button('Pause all …').click();
    await page.getByLabel('Type PAUSE to confirm').fill('PAUSE');
    await page.keyboard.press('Enter');
    await late.held;
    await page.keyboard.press('Escape');
    await button('Stop …').click();
    await late.release();
    await heading('Stop the bot').waitFor({ timeout: 1_000 });
    await page.keyboard.press('Escape');
  });

  test('an older status does not replace a newer one', async () => {
    const late = await hold('/api/status');
    await late.held;
    symbols = [btc()];
    // Until then, pages share a status.
    await page.waitForTimeout(1_000);
    await button('Sign out').click();
    await heading('ETH/INR').waitFor({ state: 'detached' });
    await late.release();
    expect(await heading('ETH/INR').count()).toBe(0);
  });
});
