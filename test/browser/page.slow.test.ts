// The page in a real browser: it shows what the status says, follows it, and says so when there is no news.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { BotStatus } from '../../src/bot/status/bot-status.ts';
import { pastStatus } from '../../src/bot/web/past-status.ts';
import { startWeb, type WebServer } from '../../src/bot/web/web-server.ts';
import { realClock } from '../../src/ports/clock.ts';
import { absent } from '../process/tools.ts';
import { type Chromium, chromiumPath, startChromium, type Tab } from './chromium.ts';
import { LIVELY_PAST, OPEN_PAGE, type PageOptions, pageOptions } from './page-options.ts';
import { exchangeGone, leaving, withoutWatchdog } from './status-cases.ts';
import { btc, eth, NOW, statusFixture } from './status-fixture.ts';

const PRESSED = 'A person pressed it.';
const JUMPED = 'Halted: the price jumped and stayed there.';
const DENIED = { code: 'funds', message: 'There are not enough free funds for it.' } as const;

const executable = chromiumPath();
if (executable === null)
  absent('Chromium is not installed', { skipped: 'the page in a browser', remedy: 'install the package `chromium`' });
const describeIn = executable === null ? describe.skip : describe;

describeIn('the page in Chromium', () => {
  let chromium: Chromium;
  let tab: Tab;
  let web: WebServer;
  let status: BotStatus;
  let page: PageOptions;
  let ahead = 0;
  let rendered = 0;
  /** That of a bot that has ended stands still. */
  let isStill = false;
  /** Else each rendering is true a moment later than the one before. */
  const later = (shown: BotStatus): BotStatus => {
    if (!isStill) rendered += 1;
    return { ...shown, trader: { ...shown.trader, at: shown.trader.at + rendered } };
  };
  const LONG = { width: 1_440, height: 12_000, deviceScaleFactor: 1, mobile: false };

  async function serve(port = 0): Promise<void> {
    web = await startWeb({ ...page.options, web: { ...OPEN_PAGE, port } });
  }

  /** Opens the page and waits until it has drawn a status. */
  async function open(screen?: typeof LONG): Promise<void> {
    ahead += 1_000;
    tab = await chromium.newTab();
    if (screen !== undefined) await tab.send('Emulation.setDeviceMetricsOverride', screen);
    await tab.open(`${web.url}/`);
    await tab.until("document.querySelector('.masthead') !== null", 'The page drew nothing.');
  }

  const text = (selector: string) =>
    tab.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`);
  const texts = (selector: string) =>
    tab.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.innerText.trim())`);
  const card = (symbol: string) => `[data-symbol="${symbol}"]`;

  beforeAll(async () => {
    status = statusFixture();
    // Pages share a status for a second: a test begins with its own.
    const clock = { now: realClock.now, monotonic: () => realClock.monotonic() + ahead };
    page = pageOptions({ past: LIVELY_PAST, status: () => later(status), clock });
    chromium = await startChromium(executable ?? '');
    await serve();
  });
  afterAll(async () => {
    await chromium?.close();
    await web?.close();
    page.end();
  });
  beforeEach(() => {
    status = statusFixture();
    isStill = false;
  });

  test('says in its title and in a badge that this is paper, and what the bot does', async () => {
    await open();
    expect(await tab.evaluate('document.title')).toBe('PAPER · Quoting in part · quotekeeper');
    expect(await text('.mode')).toBe('PAPER');
    expect(await text('.masthead .sentence')).toBe('Both sides of BTC/INR; only the bid of ETH/INR.');
    expect(await tab.evaluate("document.querySelector('.attentions').hidden")).toBe(true);
  });

  test('says LIVE where it is live, and shows what needs a person', async () => {
    status = statusFixture({ latched: 'The loss limit of the day is reached.', unknownOrders: 2 }, { mode: 'live' });
    await open();
    expect(await tab.evaluate('document.title')).toBe('LIVE · Latched · quotekeeper');
    expect(await text('.mode')).toBe('LIVE');
    expect(await text('.masthead .sentence')).toContain('The loss limit of the day is reached.');
    expect(await text('.masthead .next')).toContain('`quotekeeper rearm`');
    expect(await texts('.attentions li')).toEqual([expect.stringContaining('What became of 2 orders is not known.')]);
  });

  test('shows the numbers of the status, with separators and units', async () => {
    await open();
    const figures = String(await text(`${card('BTC/INR')} .figures`));
    expect(figures).toContain('5,508,460.5 INR');
    expect(figures).toContain('186.4 bps');
    expect(figures).toContain('market 214.4 bps');
    expect(figures).toContain('0.48271 BTC');
    expect(figures).toContain('target 0.47681, +0.00590');
    expect(await texts(`${card('BTC/INR')} .profits .value`)).toEqual([
      '+11,160.52 INR',
      '+21,408.33',
      '−6,120.48',
      '−4,127.33',
      '3,912.07',
    ]);
    expect(String(await text(`${card('ETH/INR')} .profits`))).toContain('and 0.00812000 SOL, not counted');
    expect(String(await text(`${card('BTC/INR')} .profits`))).not.toContain('not counted');
    expect(String(await text(`${card('ETH/INR')} .sides`))).toContain('Inventory is 8.1204 ETH against a target');
  });

  test('says per symbol how much of the last hour it was quoted, and what the rest was lost to', async () => {
    await open();
    expect(await text(`${card('BTC/INR')} .presence`)).toBe(
      'Two-sided and fresh 98.2 % of the last hour (bid 99.1 %, ask 99.0 %); lost: 32 s waiting for room behind ' +
        'leaving orders, 30 s no fresh order book, 3 s waiting for a turn on the lane.',
    );
    expect(await text(`${card('ETH/INR')} .presence`)).toBe(
      'Two-sided and fresh 0.0 % of the last hour (bid 99.9 %, ask 0.0 %); lost: 1 h inventory at its bound.',
    );
  });

  test('marks own orders in their place on the book', async () => {
    await open();
    expect(await texts(`${card('BTC/INR')} .ladder .own .price`)).toEqual([
      '5,581,840',
      '5,559,806',
      '5,457,114',
      '5,435,080',
    ]);
    expect(await texts(`${card('BTC/INR')} .ladder .own-size`)).toEqual(
      expect.arrayContaining(['▸ 0.00694', '▹ 0.01379']),
    );
    const prices = (await texts(`${card('BTC/INR')} .ladder .price`)) as string[];
    const numbers = prices.map((price) => Number(price.replaceAll(',', '')));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  });

  test('lists orders, fills, balances and requests', async () => {
    await open();
    const rows = (label: string) => `[aria-label="${label}"] tbody tr`;
    expect(await texts(rows('Own orders of BTC/INR'))).toHaveLength(4);
    expect(await texts(rows('Recent fills of BTC/INR'))).toHaveLength(6);
    expect(await texts(`${rows('Balances')} td:nth-child(4)`)).toEqual(['equal', 'equal', 'equal']);
    expect(await texts(rows('Requests by kind and outcome'))).toContainEqual(
      expect.stringMatching(/^private\s+create\s+2,203\s+2 unknown, 1 soft-rejected$/),
    );
  });

  test('shows what requests were spent on, markouts, headroom of limits, and when locks end', async () => {
    const lock = { code: 'losing-sales', side: 'buy', reason: 'Sold below cost.', since: NOW - 60_000 } as const;
    const used = btc().risk.limitsUsed.map((each) =>
      each.name === 'maxInventoryBase' ? { ...each, used: '0.91', share: 0.91 } : each,
    );
    const losses = [{ code: 'loss-drawdown' as const, loss: '-35580', limit: '400000' }];
    const risk = { ...btc().risk, limitsUsed: used, losses, locks: [{ ...lock, until: NOW + 3_600_000 }] };
    status = statusFixture({ symbols: [btc({ risk }), eth()] });
    await open();
    const rows = (label: string) => texts(`[aria-label="${label}"] tbody tr`);
    expect(await rows('What the last requests were spent on')).toEqual([
      expect.stringMatching(/create\s+BTC\/INR\s+quote buy:0\s+37,872\.37\s+accepted\s+84 ms/),
    ]);
    expect(await rows('Markouts')).toEqual([
      expect.stringMatching(/BTC\/INR\s+buy\s+0 s\s+4\s+\+412\.50\s+42\.1 bps/),
      expect.stringMatching(/BTC\/INR\s+buy\s+60 s\s+4\s+−31\.20\s+-?−?3\.2 bps/),
    ]);
    const [fullest] = (await rows('Limits')) as string[];
    expect(fullest).toMatch(/maxInventoryBase\s+BTC\/INR\s+▲ 91 %\s+0\.91000\s+1\.00000\s+BTC/);
    const limits = (await rows('Limits')) as string[];
    const named = limits.map((each) => each.split(/\s+/).slice(0, 3).join(' '));
    expect(named).toEqual([...new Set(named)]);
    expect(limits.filter((each) => each.includes('OverAll'))).toEqual([
      expect.stringMatching(/maxOpenNotionalOverAll\s+all in INR\s+39 %\s+429,000\.00\s+1,100,000\.00\s+INR/),
      expect.stringMatching(/maxOpenOrdersOverAll\s+all symbols\s+15 %\s+6\s+40\s+orders/),
    ]);
    expect(await rows('Locks')).toEqual([
      expect.stringMatching(
        /BTC\/INR\s+buy\s+losing-sales\s+1m 0\ds ago\s+in (?:59m 5\ds|1h 00m)\s+Resume …\s+Sold below cost\./,
      ),
    ]);
    expect(await rows('Limits')).toContainEqual(
      expect.stringMatching(/maxDrawdown\s+BTC\/INR\s+0 %\s+0\.00\s+400,000\.00\s+INR/),
    );
  });

  test('follows the status, leaves an opened explanation open, and lets ages grow in between', async () => {
    await open();
    await tab.evaluate(`document.querySelector('${card('BTC/INR')} details').open = true`);
    const book = `document.querySelector('${card('BTC/INR')} .figures time').innerText`;
    await tab.until(`${book} >= '1.0s ago'`, 'The age of the book did not grow.');
    status = statusFixture({ at: NOW + 1_000, symbols: [btc({ referencePrice: '5600000', bookSentAt: NOW + 900 })] });
    await tab.until("document.body.innerText.includes('5,600,000.0')", 'The page does not follow the status.');
    expect(await tab.evaluate(`document.querySelector('${card('BTC/INR')} details').open`)).toBe(true);
    expect(String(await text(`${card('BTC/INR')} .why`))).toContain('A round trip costs 94.4 bps');
    expect(await texts('article h2')).toEqual(['BTC/INR']);
  });

  test('turns gray with a sentence when the bot is gone, and back when it is there again', async () => {
    await open();
    const port = Number(new URL(web.url).port);
    await web.close();
    await tab.until("document.body.classList.contains('stale')", 'The page did not notice that the bot is gone.');
    expect(await text('#stale')).toMatch(/^No news from the bot since \d\d:\d\d:\d\d\. What is below was true then\.$/);
    expect(await tab.evaluate("getComputedStyle(document.getElementById('page')).filter")).toBe('grayscale(1)');
    expect(await tab.evaluate('document.title')).toBe('PAPER · no news · quotekeeper');
    await serve(port);
    await tab.until("!document.body.classList.contains('stale')", 'The page stayed gray.');
    expect(await tab.evaluate("document.getElementById('stale').hidden")).toBe(true);
  });

  test('says of a bot that does not run that it is stopped, and offers nothing', async () => {
    status = statusFixture({ phase: 'stopped' }, { isPast: true });
    await open();
    expect(await text('#stale')).toMatch(/^STOPPED, as of 2026-03-17 09:42:31 UTC: this bot does not run\./);
    await tab.until("document.title === 'PAPER · STOPPED · quotekeeper'", 'The title does not say that it is stopped.');
    const seen = "[...document.querySelectorAll('#page button[data-action]')].filter((each) => each.offsetParent)";
    expect(await tab.evaluate(`${seen}.map((each) => each.dataset.action).filter((each) => each !== 'life')`)).toEqual([
      'sign-in',
    ]);
    expect(String(await text('.figures.account time'))).toMatch(/d \d+h ago|too old/);
  });

  test('says of a bot that was killed that its process is gone, and counts no order as live', async () => {
    status = pastStatus(statusFixture()) ?? status;
    isStill = true;
    await open();
    expect(await text('#stale')).toMatch(/^GONE, as of 2026-03-17 09:42:31 UTC: .*may rest.*`quotekeeper cancel-all`/);
    expect(await tab.evaluate('document.title')).toBe('PAPER · GONE · quotekeeper');
    expect(await text('.masthead .state-word')).toBe('■ Gone');
    expect(await text('.masthead .sentence')).toContain('and fill: 6 own orders of then, and all placed since. Start');
    expect(String(await text('.masthead .aside'))).toMatch(/^gone; /);
    expect(String(await text('.figures.account'))).toMatch(/Own orders\s+6\s+0 live, 6 unknown/);
    expect(await texts('.card .state-word')).toEqual(['■ Gone', '■ Gone']);
    expect(String(await text('#page'))).not.toMatch(/● |Quoting/);
    await tab.send('Emulation.setDeviceMetricsOverride', LONG);
    await tab.until("document.querySelectorAll('.plot canvas').length >= 4", 'Its past was not drawn.');
  });

  test('shows a bot that has just started, with what comes next in place of what is not there', async () => {
    const nothing = { referencePrice: null, bids: [], asks: [], orders: [], recentFills: [], explain: [], wanted: [] };
    const unread = {
      bookSentAt: null,
      openOrdersSentAt: null,
      tradesSentAt: null,
      marketSpreadBps: null,
      quotedSpreadBps: null,
    };
    const reason = "The exchange's clock is not known yet.";
    status = statusFixture({
      phase: 'starting',
      blockers: [reason],
      symbols: [btc({ ...nothing, ...unread, state: 'waiting', reason })],
      clock: null,
      walletSentAt: null,
      reconciledAt: null,
      requests: [],
    });
    await open();
    const shown = String(await text('#page'));
    expect(shown).toContain('The book has not been read yet');
    expect(shown).toContain('If this stays, run `quotekeeper check`.');
    expect(shown).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  test('takes text for text, whoever wrote it', async () => {
    const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    status = statusFixture({
      blockers: [markup, markup],
      symbols: [btc({ symbol: markup, state: 'halted', reason: markup })],
    });
    await open();
    expect(await text('.masthead .sentence')).toContain('<img src=x');
    expect(await tab.evaluate("document.querySelectorAll('#page img, #page script').length")).toBe(0);
    expect(await tab.evaluate('document.title')).toMatch(/^PAPER/);
  });

  test.each([
    [360, 740],
    [768, 1_024],
    [1_440, 900],
    [2_560, 1_440],
  ])('fits a screen of %i × %i without scrolling sideways', async (width, height) => {
    await open({ width, height, deviceScaleFactor: 1, mobile: width < 500 });
    expect(await tab.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });

  test.each([390, 1_440])('cuts no number of two symbols where it is %i wide', async (width) => {
    await open();
    const mobile = width < 500;
    await tab.send('Emulation.setDeviceMetricsOverride', { ...LONG, width, mobile });
    const wider = await tab.evaluate(
      `[...document.querySelectorAll('.scroll')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((each) => each.ariaLabel)`,
    );
    expect(wider).toEqual([]);
    const text = `document.querySelector('[aria-label="Own orders of BTC/INR"] tbody tr').innerText`;
    const expected = mobile ? /Price 5,581,840[\s\S]*1-9007199254741187-1/ : /5,581,840[\s\S]*1-9007199254741187-1/;
    expect(await tab.evaluate(text)).toMatch(expected);
  });

  test('shows on a telephone why each price is as it is, without scrolling', async () => {
    await open({ width: 390, height: 844, deviceScaleFactor: 1, mobile: true });
    await tab.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    const reasons = (await tab.evaluate(
      `[...document.querySelectorAll('.steps tbody td:last-child')].map((each) => {
        const { left, right, height } = each.getBoundingClientRect();
        return left >= 0 && right <= innerWidth && height > 0;
      })`,
    )) as boolean[];
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasons).not.toContain(false);
  });

  test.each<[string, () => BotStatus]>([
    ['all is well', () => statusFixture()],
    ['the exchange is gone', exchangeGone],
    ['all orders leave', () => statusFixture({ symbols: [btc({ orders: btc().orders.map(leaving) })] })],
    ['the latch is set', () => statusFixture({ latched: PRESSED, blockers: [`The kill latch is set: ${PRESSED}`] })],
    ['a symbol is halted', () => statusFixture({ symbols: [btc({ state: 'halted', reason: JUMPED })] })],
    ['the watchdog is gone', withoutWatchdog],
    ['the risk gate refuses', () => statusFixture({ symbols: [btc({ orders: [], denied: DENIED })] })],
  ])('says no sentence twice while %s', async (_words, make) => {
    status = make();
    await open();
    const shown = String(await text('#page'));
    const sentences: readonly string[] = shown.match(/[A-Z][^.!?\n]{24,}[.!?]/g) ?? [];
    expect(sentences.filter((each, index) => sentences.indexOf(each) !== index)).toEqual([]);
  });

  test('names an exchange that does not answer first, and counts no order as live', async () => {
    status = exchangeGone();
    await open();
    expect(await tab.evaluate('document.title')).toBe('PAPER · No answer · quotekeeper');
    expect(await text('.masthead .sentence')).toMatch(
      /^The exchange has not answered for 42 s, since 09:41:49 UTC\. 4 own orders may rest there, and may fill/,
    );
    expect(String(await text('.figures.account'))).toMatch(/Own orders\s+4\s+0 live, 4 leaving/);
    expect(await texts(`${card('BTC/INR')} .sides dd`)).toEqual([
      'no live order, 2 leaving.',
      'no live order, 2 leaving.',
    ]);
    // It counts on while the page is read.
    expect(String(await text(`${card('BTC/INR')} .profits`))).toMatch(/▲ [45]\ds ago, too old/);
  });

  test('keeps what was wide where there is room, and puts it below where there is none', async () => {
    const across =
      "document.querySelector('.stack > .section').offsetLeft > document.querySelector('.ladder').offsetLeft";
    const chartInside =
      "[...document.querySelectorAll('.plot canvas')].every((one) => one.getBoundingClientRect().right <= innerWidth)";
    await open();
    await tab.send('Emulation.setDeviceMetricsOverride', LONG);
    await tab.until("document.querySelectorAll('.plot canvas').length >= 4", 'The chart was not drawn.');
    for (const [width, beside] of [
      [1_440, true],
      [390, false],
    ] as const) {
      await tab.send('Emulation.setDeviceMetricsOverride', { ...LONG, width });
      expect(await tab.evaluate(across)).toBe(beside);
      await tab.until(chartInside, 'The chart is wider than the page.');
    }
  });

  test('asks nobody but the bot, breaks no rule of its own policy, and writes nothing to the console', async () => {
    await open();
    await tab.send('Emulation.setDeviceMetricsOverride', LONG);
    await tab.until("document.querySelectorAll('.plot canvas').length >= 4", 'The chart was not drawn.');
    const strangers = tab.requested.filter((url) => !url.startsWith(`${web.url}/`) && !url.startsWith('data:'));
    // A bot that keeps no history says so by its answer, which the browser writes to its console.
    const complaints = tab.complaints.filter((each) => !each.includes('/api/history?'));
    expect([strangers, complaints]).toEqual([[], []]);
    const asked = "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/status')).length";
    await tab.until(`${asked} > 1`, 'The page asks for its status no more.');
  });

  test('and this file would notice: a broken rule of the policy is a complaint', async () => {
    await open();
    await tab.evaluate("document.body.setAttribute('style', 'color: red')");
    await tab.evaluate(
      "new Promise((resolve) => { const i = new Image(); i.onerror = resolve; i.src = 'http://127.0.0.1:1/x.png'; })",
    );
    expect(tab.complaints.filter((complaint) => /style-src|img-src/.test(complaint)).length).toBeGreaterThanOrEqual(2);
  });
});
