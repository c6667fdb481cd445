// The page with fifty symbols: what three open pages cost the bot, and when a page first shows something.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { parse } from 'yaml';
import { freePort } from './free-port.ts';
import { type BenchResult, median } from './measure.ts';

/** Read by main.ts: it wants a Chromium. */
export const onlyByName = true;

const SYMBOLS = 50;
const PAGES = 3;
const WATCHED_MS = 20_000;
/** Until the first orders stand and the compiler has learned. */
const WARM_UP_MS = 40_000;
/** Until an opened page has its charts: what it asks for once is no standing cost. */
const SETTLE_MS = 10_000;
const ROUNDS = 7;
const START_WITHIN_MS = 120_000;
/** Of the kernel's clock: what /proc counts in. */
const TICKS_PER_SECOND = 100;
const CHROMIUM = '/usr/bin/chromium';
const ROOT = path.resolve(import.meta.dirname, '..');

export async function run(): Promise<BenchResult> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there: install the package chromium.`);
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-page-'));
  const port = await freePort();
  const bot = startBot(folder, { page: port, exchange: await freePort() });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const url = `http://127.0.0.1:${port}/`;
    await ready(url, bot);
    const paints: number[] = [];
    const pages: Page[] = [];
    const shares: { alone: number; watched: number }[] = [];
    // In turn: what else the machine does in between falls on both.
    await delay(WARM_UP_MS);
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await shareOf(bot);
      for (let each = 0; each < PAGES; each += 1) {
        const { page, paintMs } = await openPage(browser, url);
        pages.push(page);
        paints.push(paintMs);
      }
      await delay(SETTLE_MS);
      shares.push({ alone, watched: await shareOf(bot) });
      for (const page of pages.splice(0)) await page.context().close();
    }
    return { title: `Page with ${SYMBOLS} symbols, ${PAGES} pages open`, lines: linesOf(shares, paints) };
  } finally {
    await browser.close();
    if (bot.exitCode === null) {
      bot.kill('SIGTERM');
      await once(bot, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function linesOf(shares: readonly { alone: number; watched: number }[], paints: readonly number[]): string[] {
  const percent = (value: number): string => `${(value * 100).toFixed(1)} %`.padStart(7);
  const alone = median(shares.map((each) => each.alone));
  const differences = shares.map((each) => each.watched - each.alone);
  const swing = differences.map((each) => percent(each).trim()).join(', ');
  const range = `${Math.min(...paints).toFixed(0)}–${Math.max(...paints).toFixed(0)} ms`;
  return [
    `the bot without a page   ${percent(alone)} of a core`,
    `more with ${PAGES} pages       ${percent(median(differences))} of a core   must be ≤ 5 %  (${swing})`,
    `first paint              ${median(paints).toFixed(0).padStart(4)} ms             must be ≤ 1000 ms  (${range})`,
  ];
}

function startBot(folder: string, ports: { readonly page: number; readonly exchange: number }): ChildProcess {
  const config = path.join(folder, 'config/page.yaml');
  mkdirSync(path.dirname(config));
  writeFileSync(config, configuration(ports));
  const main = path.join(ROOT, 'src/bot/main.ts');
  return spawn(process.execPath, [main, 'run', config], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The first market of the shipped example, fifty times, with room on the lanes for as many. */
function configuration({ page, exchange }: { readonly page: number; readonly exchange: number }): string {
  const shipped = parse(readFileSync(path.join(ROOT, 'config/paper.yaml'), 'utf8'));
  const names = Array.from({ length: SYMBOLS }, (_, index) => `C${index + 10}`);
  const [run] = shipped.runs;
  const [market] = shipped.paper.crowd.markets;
  const perSecond = 25;
  const lane = { requestsPerSecond: 22 };
  const limits = { ...run.limits, maxOpenNotionalOverAll: 60_000_000 };
  // Of each coin about what it starts with.
  const quoting = { inventory: { targetRatio: 0.011 } };
  return JSON.stringify({
    ...shipped,
    web: { port: page },
    paper: {
      ...shipped.paper,
      port: exchange,
      openingBalances: { INR: 250_000_000, ...Object.fromEntries(names.map((name) => [name, 0.5])) },
      crowd: { ...shipped.paper.crowd, markets: names.map((name) => ({ ...market, symbol: `${name}/INR` })) },
      rateLimits: { public: perSecond, private: perSecond },
    },
    lanes: { public: lane, private: lane },
    advanced: { bookMs: 5_000, bookMaxAgeMs: 30_000 },
    messageRate: { ...shipped.messageRate, maxPerMinute: 1_500 },
    runs: names.map((name) => ({ ...run, symbol: `${name}/INR`, limits, quoting })),
  });
}

async function ready(url: string, bot: ChildProcess): Promise<void> {
  const until = performance.now() + START_WITHIN_MS;
  while (performance.now() < until) {
    if (bot.exitCode !== null) throw new Error(`The bot ended with ${bot.exitCode}.`);
    const answer = await fetch(`${url}ready`).catch(() => null);
    if (answer?.ok) return;
    await delay(250);
  }
  throw new Error(`The bot was not ready within ${START_WITHIN_MS / 1_000} s.`);
}

/** Of a core, over the time that is watched. */
async function shareOf({ pid }: ChildProcess): Promise<number> {
  const [from, started] = [secondsOf(pid ?? 0), performance.now()];
  await delay(WATCHED_MS);
  return (secondsOf(pid ?? 0) - from) / ((performance.now() - started) / 1_000);
}

/** User and system time. */
function secondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

async function openPage(browser: Browser, url: string): Promise<{ page: Page; paintMs: number }> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.locator('.masthead').waitFor();
  const found = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime");
  if (typeof found !== 'number') throw new Error('The page has painted nothing.');
  return { page, paintMs: found };
}
