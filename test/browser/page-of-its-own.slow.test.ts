// The page that `report` and `backtest` write, in Chromium: it draws its charts on a phone and in the dark, asks
// nothing of any network, and nothing complains.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { historyCharts, htmlPage } from '../../src/bot/html/html-page.ts';
import { columnsOf, type History } from '../../src/bot/memory/history.ts';
import { MINUTE } from '../../src/domain/time.ts';
import { absent } from '../process/tools.ts';
import { type Chromium, chromiumPath, startChromium, type Tab } from './chromium.ts';

const AT = Date.UTC(2026, 6, 1);
const executable = chromiumPath();
const skipped = 'the page that `report` writes, in a browser';
if (executable === null) absent('Chromium is not installed', { skipped, remedy: 'install the package `chromium`' });
const describeIn = executable === null ? describe.skip : describe;

function history(): History {
  const rows = Array.from({ length: 120 }, (_, minute) => {
    const reference = 5_500_000 + 20_000 * Math.sin(minute / 9);
    // Between the two hours nobody looked.
    const at = AT + (minute + (minute < 60 ? 0 : 30)) * MINUTE;
    const market = { marketBid: reference - 70_000, marketAsk: reference + 70_000 };
    const own = { ownBid: minute % 7 === 0 ? null : reference - 40_000, ownAsk: reference + 40_000 };
    return { at, reference, ...market, ...own, inventory: 0.5 + minute / 1_000, equity: 1e7 + minute, profit: minute };
  });
  const about = { symbol: 'BTC/INR', from: AT, to: AT + 150 * MINUTE, level: 'minute' } as const;
  const fill = { at: AT + 20 * MINUTE, side: 'buy', price: 5_470_000, quantity: 0.001, tradeId: '1' } as const;
  return { ...about, knownFrom: AT, ...columnsOf(rows, 2 * MINUTE), fills: [fill], fillsLeftOut: 0 };
}

describeIn('a page of its own', () => {
  let chromium: Chromium;
  let tab: Tab;
  const folder = mkdtempSync(path.join(tmpdir(), 'quotekeeper-page-'));
  const file = path.join(folder, 'report.html');

  beforeAll(async () => {
    const charts = historyCharts(history(), { base: 'BTC', quote: 'INR' });
    const rows = [{ label: 'profit', value: '1 INR' }];
    const sections = [{ title: 'BTC/INR', rows, charts }];
    const page = { title: 'Report of a test', about: ['It is one.'], warnings: ['It is not over.'] };
    writeFileSync(file, htmlPage({ ...page, timeZone: 'Asia/Kolkata', sections }));
    chromium = await startChromium(executable ?? '');
    tab = await chromium.newTab();
    const phone = { width: 390, height: 800, deviceScaleFactor: 2, mobile: true };
    await tab.send('Emulation.setDeviceMetricsOverride', phone);
    await tab.open(`file://${file}`);
    await tab.until("document.querySelectorAll('canvas').length === 4", 'Four charts were to be drawn.');
  });
  afterAll(async () => {
    await chromium?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** How many pixels of the first chart are of a color. */
  const pixelsIn = (name: string): string => `(() => {
      const canvas = document.querySelector('canvas');
      const wanted = getComputedStyle(document.documentElement).getPropertyValue('--${name}').trim();
      const channels = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4)
        if (channels.every((channel, index) => Math.abs(data[at + index] - channel) < 3) && data[at + 3] > 250) count += 1;
      return count;
    })()`;
  const pixels = (name: string): Promise<unknown> => tab.evaluate(pixelsIn(name));

  test('draws lines, quotes and fills within the width of a phone', async () => {
    for (const name of ['reference', 'buy', 'sell', 'market']) expect(await pixels(name)).toBeGreaterThan(100);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('is drawn anew in the colors of the dark', async () => {
    const dark = { features: [{ name: 'prefers-color-scheme', value: 'dark' }] };
    await tab.send('Emulation.setEmulatedMedia', dark);
    await tab.until("matchMedia('(prefers-color-scheme: dark)').matches", 'It was to be dark.');
    await tab.until(`${pixelsIn('reference')} > 100`, 'The chart was to be drawn anew.');
    expect(await tab.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(22, 24, 26)');
  });

  test('asks nothing of any network, and nothing complains', () => {
    expect(tab.requested.filter((address) => !address.startsWith('file:'))).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });
});
