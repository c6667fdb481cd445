// The charts in a browser, narrow and wide, light and dark: nothing is cut, fills of every symbol, gaps, range and zoom
// by mouse, touch and keys, candles.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { columnsOf, type HistoryQuery, type HistorySource } from '../../src/bot/memory/history.ts';
import { startWeb, type WebServer } from '../../src/bot/web/web-server.ts';
import { HOUR, MINUTE, SECOND } from '../../src/domain/time.ts';
import { absent } from '../process/tools.ts';
import { chromiumPath, launchChromium } from './chromium.ts';
import { type PageOptions, pageOptions } from './page-options.ts';
import { btc, eth, NOW, statusFixture } from './status-fixture.ts';

const executable = chromiumPath();
const remedy = 'install the package `chromium`';
if (executable === null) absent('Chromium is not installed', { skipped: 'charts in a browser', remedy });
const describeIn = executable === null ? describe.skip : describe;

const GAP = { from: NOW - 3 * HOUR, to: NOW - 2 * HOUR };
/** A fill above all prices of its time, and one below. */
const FILLS = [
  { at: NOW - 5 * HOUR, side: 'buy', price: 12_345_000, quantity: 1, tradeId: '1' },
  { at: NOW - HOUR, side: 'sell', price: 12_357_000, quantity: 1, tradeId: '2' },
] as const;

/** Twelve hours of long numbers, of which nobody watched one. */
function history({ symbol, from, to, points }: HistoryQuery) {
  const stepMs = Math.max(SECOND, Math.ceil((to - from) / points));
  const rows = [];
  for (let at = Math.max(from, NOW - 12 * HOUR); at < Math.min(to, NOW); at += stepMs) {
    if (at > GAP.from && at < GAP.to) continue;
    const reference = 12_350_000 + 3_000 * Math.sin(at / HOUR);
    const market = { marketBid: reference - 2_000, marketAsk: reference + 2_000 };
    const own = { ownBid: reference - 1_000, ownAsk: reference + 1_000, inventory: -123_456.12345, equity: 1 };
    rows.push({ at, reference, ...market, ...own, profit: -123_456_789 + (at - NOW) / SECOND });
  }
  const about = { symbol, from, to, level: 'second', knownFrom: from } as const;
  const fills = FILLS.filter(({ at }) => at >= from && at < to);
  return { ...about, ...columnsOf(rows, 2 * stepMs + MINUTE), fills, fillsLeftOut: 12 };
}

/** As its points lie. */
const SIX_HOURS = /^last (?:6h 00m|5h 59m)$/;

const past: HistorySource = { symbols: () => ['BTC/INR', 'ETH/INR'], profitBefore: () => null, history };

describeIn.each([
  [390, 'light'],
  [390, 'dark'],
  [1_440, 'light'],
  [1_440, 'dark'],
] as const)('the charts %i wide, %s', (width, colorScheme) => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let made: PageOptions;
  let web: WebServer;
  const complaints: string[] = [];

  let symbols = [btc(), eth()];

  beforeAll(async () => {
    made = pageOptions({ past, status: () => statusFixture({ symbols }) });
    web = await startWeb(made.options);
    browser = await launchChromium(executable);
    context = await browser.newContext({ viewport: { width, height: 6_000 }, colorScheme, hasTouch: true });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${web.url}/`);
    await page.locator('.plot canvas').nth(7).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await web.close();
    made.end();
  });
  afterEach(async () => {
    await page.locator(`${BTC} [data-span="21600000"]`).click();
    await shows(SIX_HOURS);
    expect(complaints).toEqual([]);
  });

  const BTC = '[data-symbol="BTC/INR"]';
  const price = () => page.locator(`${BTC} .plot.price`);
  const shows = (words: string | RegExp) => page.locator(`${BTC} .stack h3`).first().getByText(words).waitFor();
  const spanWords = () => page.locator(`${BTC} .stack h3 .aside`).first().innerText();

  /** Pixels of a color, or of any, in columns of the canvas that the expression `within` of x and width accepts. */
  const ink = (place: string, color: string | null, within = 'true') =>
    page.evaluate(`(() => {
      const canvas = document.querySelector(${JSON.stringify(place)} + ' canvas');
      const { width, height } = canvas;
      const wanted = getComputedStyle(document.documentElement).getPropertyValue('--${color}').trim();
      const channels = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
      const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const x = (at / 4) % width;
        const isIt = ${color === null} || channels.every((each, index) => Math.abs(data[at + index] - each) < 3);
        if (data[at + 3] > 0 && isIt && (${within})) count += 1;
      }
      return count;
    })()`) as Promise<number>;

  test('no digit is cut at an edge', async () => {
    const plots = ['price', 'spread', 'inventory', 'profit'].map((kind) => `${BTC} .plot.${kind}`);
    for (const plot of plots) {
      expect([plot, await ink(plot, null, 'x === 0 || x === width - 1')]).toEqual([plot, 0]);
      expect(await ink(plot, 'quiet', 'x > width - 60')).toBeGreaterThan(50);
    }
  });

  test('fills of every symbol are marked, wherever they lie, and how many are not', async () => {
    for (const symbol of ['BTC/INR', 'ETH/INR']) {
      // A filled triangle, whole; lines are a pixel thin.
      expect(await ink(`[data-symbol="${symbol}"] .plot.price`, 'buy', 'x < width / 2')).toBeGreaterThan(60);
      expect(await ink(`[data-symbol="${symbol}"] .plot.price`, 'sell', 'x > width / 2')).toBeGreaterThan(60);
    }
    await price().locator('xpath=..').getByText('12 older fills not marked').waitFor();
  });

  test('a time that nobody watched is a gap, also as candles', async () => {
    const area = await page.locator(`${BTC} .plot.profit .u-over`).boundingBox();
    const canvas = await page.locator(`${BTC} .plot.profit canvas`).boundingBox();
    const left = (area?.x ?? 0) - (canvas?.x ?? 0);
    const at = (hoursAgo: number) => left + (area?.width ?? 0) * (1 - hoursAgo / 6);
    const within = `x > ${at(2.9)} && x < ${at(2.1)}`;
    expect(await ink(`${BTC} .plot.profit`, 'text', within)).toBe(0);
    expect(await ink(`${BTC} .plot.profit`, 'text', `x > ${at(1.9)} && x < ${at(1.1)}`)).toBeGreaterThan(10);
    const line = await ink(`${BTC} .plot.price`, 'text');
    await page.locator(`${BTC} [data-candles]`).click();
    await page.getByText('of the reference in 5m 00s').first().waitFor();
    expect(await ink(`${BTC} .plot.price`, 'text')).not.toBe(line);
    expect(await ink(`${BTC} .plot.price`, 'text')).toBeGreaterThan(100);
    expect(await page.locator('[data-candles]').first().getAttribute('aria-pressed')).toBe('true');
    await page.locator(`${BTC} [data-candles]`).click();
  });

  test('a button chooses the range, for this symbol alone', async () => {
    await page.locator(`${BTC} [data-span="900000"]`).click();
    await shows(/last 1[45]m/);
    await page.locator(`${BTC} [data-span="86400000"]`).click();
    // No more is recorded.
    await shows(/last 1[12]h/);
    await page.locator('[data-symbol="ETH/INR"]').getByText(SIX_HOURS).waitFor();
  });

  test('the mouse drags a range, and a double click ends that', async () => {
    const area = await price().locator('.u-over').boundingBox();
    const [x, y] = [area?.x ?? 0, (area?.y ?? 0) + 50];
    await page.mouse.move(x + (area?.width ?? 0) * 0.25, y);
    await page.mouse.down();
    await page.mouse.move(x + (area?.width ?? 0) * 0.5, y, { steps: 4 });
    await page.mouse.up();
    await shows(/ to /);
    expect(await minutesShown()).toBeCloseTo(90, -1);
    await price().dblclick();
    await shows(SIX_HOURS);
  });

  /** Of `03-17 05:42:31 to 03-17 07:12:31`. */
  async function minutesShown(): Promise<number> {
    const [from = '', to = ''] = (await spanWords()).split(' to ').map((each) => `2026-${each.replace(' ', 'T')}Z`);
    return (Date.parse(to) - Date.parse(from)) / MINUTE;
  }

  test('keys move and zoom', async () => {
    await price().focus();
    await page.keyboard.press('ArrowLeft');
    await shows(/ to /);
    expect(await minutesShown()).toBeCloseTo(360, -1);
    for (const key of ['+', '+']) await page.keyboard.press(key);
    await expectMinutes(160);
    await page.keyboard.press('0');
    await shows(SIX_HOURS);
  });

  const expectMinutes = async (minutes: number) => {
    for (let tries = 0; tries < 600 && Math.abs((await minutesShown()) - minutes) > 2; tries += 1)
      await page.waitForTimeout(50);
    expect(await minutesShown()).toBeCloseTo(minutes, -1);
  };

  test('one finger moves, two zoom', async () => {
    const area = await price().locator('.u-over').boundingBox();
    const [left, wide, y] = [area?.x ?? 0, area?.width ?? 0, (area?.y ?? 0) + 50];
    const session = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...shares: number[]) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: shares.map((share, id) => ({ x: left + share * wide, y, id })),
      });
    await touch('touchStart', 0.3);
    const begunAt = performance.now();
    let asked = 0;
    page.on('request', (request) => (asked += Number(/history\?symbol=BTC/.test(request.url()))));
    /** On a busy machine the finger may rest between two moves. */
    let rests = 0;
    for (let share = 0.4; share < 0.8; share += 0.01) {
      const movedAt = performance.now();
      await touch('touchMove', share);
      await page.waitForTimeout(20);
      rests += Number(performance.now() - movedAt > 100);
    }
    await touch('touchEnd');
    await shows(/ to /);
    await page.waitForTimeout(1_000);
    // Once it rests, and with each status.
    expect(asked).toBeLessThan(3 + rests + (performance.now() - begunAt) / SECOND);
    expect(asked).toBeGreaterThan(0);
    expect(await minutesShown()).toBeCloseTo(360, -1);
    await touch('touchStart', 0.4, 0.6);
    for (const apart of [0.15, 0.2, 0.3, 0.4]) await touch('touchMove', 0.5 - apart, 0.5 + apart);
    await touch('touchEnd');
    await expectMinutes(90);
  });

  test('a range of the past moves within it, also where nothing is recorded', async () => {
    await price().focus();
    for (const key of ['+', '+', '+', '+', '+', 'ArrowRight', 'ArrowRight', '+', '+']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
    }
    const before = await spanWords();
    expect(await minutesShown()).toBeCloseTo(21, -1);
    await page.keyboard.press('ArrowLeft');
    for (let tries = 0; tries < 600 && (await spanWords()) === before; tries += 1) await page.waitForTimeout(50);
    expect(await minutesShown()).toBeCloseTo(21, -1);
    // Until it has reached the present.
    for (let presses = 0; presses < 400 && !/^last /.test(await spanWords()); presses += 1)
      await page.keyboard.press('ArrowRight');
    await shows(/^last 2\dm/);
  });

  test('a card that becomes that of another symbol gets its charts', async () => {
    const first = page.locator('.symbols > article').first();
    symbols = [eth()];
    await first.getByRole('heading', { name: 'ETH/INR' }).waitFor();
    await page.waitForTimeout(1_000);
    await first.locator('.plot.price').focus();
    await page.keyboard.press('ArrowLeft');
    await first.locator('h3 .aside', { hasText: ' to ' }).first().waitFor({ timeout: 5_000 });
    symbols = [btc(), eth()];
    await page.locator(BTC).waitFor();
  });
});
