// The list of trades and the profit by day in a browser, narrow and wide, light and dark: from a journal and a memory
// file on disk.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { memoryPath, openMemory } from '../../src/bot/memory/memory-file.ts';
import { readMemory } from '../../src/bot/memory/read-memory.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { startWeb } from '../../src/bot/web/web-server.ts';
import { DAY, HOUR, SECOND } from '../../src/domain/time.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import { absent } from '../process/tools.ts';
import { batch, point } from '../unit/bot/memory/memory-kit.ts';
import { chromiumPath, launchChromium } from './chromium.ts';
import { LIVELY_PAST, pageOptions } from './page-options.ts';
import { NOW } from './status-fixture.ts';
import { tradeRecords } from './trade-records.ts';

const executable = chromiumPath();
const remedy = 'install the package `chromium`';
if (executable === null) absent('Chromium is not installed', { skipped: 'trades in a browser', remedy });
const describeIn = executable === null ? describe.skip : describe;

/** A page over the trades and the profits at the ends of the last days, newest first. */
async function startBooks(trades: readonly JournalRecord[], profits: readonly number[]) {
  const { options, end } = pageOptions();
  const { stateFolder } = options;
  const journal = openSqliteJournal(path.join(stateFolder, 'journal.sqlite'));
  journal.append(trades.toReversed());
  const memory = openMemory(memoryPath(stateFolder), { at: NOW, putAside: () => {} });
  const points = profits.flatMap((profit, ago) => [
    point(NOW - ago * DAY, { level: 'quarter', profit }),
    // Of small numbers with many places.
    point(NOW - ago * DAY, { level: 'quarter', symbol: 'ETH/BTC', profit: profit / 1e10 }),
  ]);
  memory.write(batch({ points }));
  const reader = readMemory(memoryPath(stateFolder));
  const symbols = () => ['BTC/INR', 'ETH/INR', 'ETH/BTC'];
  const past = { ...LIVELY_PAST, symbols, profitBefore: reader?.profitBefore ?? LIVELY_PAST.profitBefore };
  const clock = { now: () => NOW, monotonic: () => performance.now() };
  const web = await startWeb({ ...options, past, trades: journal.trades, clock });
  return {
    url: web.url,
    async close(): Promise<void> {
      await web.close();
      for (const each of [reader, memory, journal]) each?.close();
      end();
    },
  };
}

describeIn.each([
  [390, 'light'],
  [390, 'dark'],
  [1_440, 'light'],
  [1_440, 'dark'],
] as const)('the books %i wide, %s', (width, colorScheme) => {
  let browser: Browser;
  let page: Page;
  let books: Awaited<ReturnType<typeof startBooks>>;
  const complaints: string[] = [];

  beforeAll(async () => {
    // One an hour, back from now, of two symbols and sides in turn.
    books = await startBooks(tradeRecords(120, NOW, HOUR), [1_272_941.5, 1_234_000.25, 1_234_800]);
    browser = await launchChromium(executable);
    page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${books.url}/`);
    await page.locator('.masthead').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await books.close();
  });
  afterEach(async () => {
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(wide)).toBe(0);
    expect(complaints).toEqual([]);
  });

  const rows = () => page.getByRole('region', { name: 'Trades', exact: true }).locator('tbody tr');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** Waits for so many rows. */
  async function expectRows(many: number): Promise<void> {
    for (let tries = 0; tries < 600 && (await rows().count()) !== many; tries += 1) await page.waitForTimeout(50);
    expect(await rows().count()).toBe(many);
  }

  test('list trades in pages, newest first', async () => {
    // By the keyboard.
    await page.locator('[data-opens="trades"] summary').focus();
    await page.keyboard.press('Enter');
    await expectRows(50);
    const cells = (await rows().first().locator('td').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ');
    expect(cells).toMatch(/03-17 09:42:31 BTC\/INR Buy .*5,500,120 .*0\.00100 .*5,500\.12 .*25\.96 INR .*– maker/);
    await button('Older').click();
    await rows().first().getByText('03-15 07:42:31').waitFor();
    await button('Older').click();
    await expectRows(20);
    expect(await button('Older').isDisabled()).toBe(true);
    await button('Newer').click();
    await button('Newest').click();
    await rows().first().getByText('03-17 09:42:31').waitFor();
    expect(await button('Newer').isDisabled()).toBe(true);
  });

  test('filter them by symbol, side and days, and save what is chosen', async () => {
    await page.locator('[data-filter="symbol"]').selectOption('ETH/INR');
    await page.locator('[data-filter="side"]').selectOption('sell');
    await page.locator('[data-filter="from"]').fill('2026-03-15');
    await page.locator('[data-filter="to"]').fill('2026-03-16');
    await expectRows(12);
    const [download] = await Promise.all([page.waitForEvent('download'), button('All as CSV').click()]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines[0]).toMatch(/^record,booked_at,booked_at_ms,traded_at,.*,commission_asset,tds,date,year$/);
    expect(lines).toHaveLength(13);
    expect(
      new Set(lines.slice(1).map((line) => /,(ETH\/INR|BTC\/INR),.*,(buy|sell),/.exec(line)?.slice(1).join())),
    ).toEqual(new Set(['ETH/INR,sell']));
    for (const name of ['symbol', 'side']) await page.locator(`[data-filter="${name}"]`).selectOption('');
    for (const name of ['from', 'to']) await page.locator(`[data-filter="${name}"]`).fill('');
    await expectRows(50);
    const [all] = await Promise.all([page.waitForEvent('download'), button('All as CSV').click()]);
    expect(
      readFileSync(await all.path(), 'utf8')
        .trimEnd()
        .split('\n'),
    ).toHaveLength(121);
  });

  const filter = (name: string) => page.locator(`[data-filter="${name}"]`);
  /** Until `end`, each answer to such a question waits for `pass`. */
  async function hold(about: string) {
    const { promise, resolve: pass } = Promise.withResolvers<void>();
    const address = (url: URL): boolean => url.pathname.startsWith('/api/') && url.search.includes(about);
    await page.route(address, async (route) => promise.then(() => route.continue()));
    return { pass, end: () => page.unroute(address) };
  }

  test('an answer that comes late does not replace the newer one', async () => {
    const late = await hold('side=buy');
    const asked = page.waitForRequest(/side=buy/);
    await filter('side').selectOption('buy');
    await asked;
    await filter('side').selectOption('sell');
    await rows().first().getByText('Sell').waitFor();
    const answered = page.waitForResponse(/side=buy/);
    late.pass();
    await (await answered).finished();
    await page.waitForTimeout(200);
    expect(await rows().first().getByText('Sell').count()).toBe(1);
    await late.end();
    await filter('side').selectOption('');
    await expectRows(50);
  });

  test('where the bot does not answer, nothing older stays, and nothing is saved', async () => {
    await page.route(/format=csv/, (route) => route.abort());
    await button('All as CSV').click();
    await page.getByRole('status').getByText('The bot does not answer.').waitFor();
    await page.route(/side=buy/, (route) => route.fulfill({ status: 503, body: '{"error":"Busy."}' }));
    await filter('side').selectOption('buy');
    await page.locator('[data-opens="trades"] .empty', { hasText: 'Busy.' }).waitFor();
    expect(await rows().count()).toBe(0);
    await page.unrouteAll();
    await filter('side').selectOption('');
    await expectRows(50);
    await button('All as CSV').click();
    await page.getByText('The bot does not answer.').waitFor({ state: 'detached' });
    complaints.splice(0);
  });

  test('show profit by day, as a calendar and as a table', async () => {
    await page.locator('[data-opens="days"] summary').click();
    const table = page.getByRole('region', { name: 'Profit by day' }).locator('tbody tr');
    await table.nth(2).waitFor();
    const texts = (await table.allInnerTexts()).map((each) => each.replaceAll(/\s+/g, ' ').replace('Profit ', ''));
    expect(texts).toEqual(['2026-03-17 +38,941.25 INR', '2026-03-16 −799.75 INR', '2026-03-15 +1,234,800.00 INR']);
    const calendar = page.getByRole('table', { name: 'Profit of 2026-03' });
    const week = (await calendar.locator('tbody tr').nth(3).innerText()).split(/\s+/);
    expect(week.slice(0, 4)).toEqual(['16', '−800', '17', '+38,941']);
    expect(await calendar.innerText()).toContain('+1.2M');
    const cut = "[...document.querySelectorAll('.calendar td')].filter((each) => each.scrollWidth > each.clientWidth)";
    for (const chosen of ['all in INR', 'ETH/BTC']) {
      await page.locator('[data-days]').selectOption(chosen);
      await table.first().getByText(chosen.slice(-3)).waitFor();
      expect([chosen, await page.evaluate(`${cut}.map((each) => each.innerText)`)]).toEqual([chosen, []]);
    }
    await page.locator('[data-days]').selectOption('ETH/INR');
    await page.getByText('No day of this month is recorded.').waitFor();
    await button('2026-02').click();
    await page.getByRole('table', { name: 'Profit of 2026-02' }).waitFor();
  });
});

describeIn('a file of trades', () => {
  test('has all of them, however many', async () => {
    const books = await startBooks(tradeRecords(50_001, NOW, SECOND), []);
    const browser = await launchChromium(executable);
    const page = await browser.newPage();
    await page.goto(`${books.url}/`);
    await page.locator('[data-opens="trades"] summary').click();
    const save = page.getByRole('button', { name: 'All as CSV' });
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 120_000 }), save.click()]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(new Set(lines).size).toBe(50_002);
    await browser.close();
    await books.close();
  });
});
