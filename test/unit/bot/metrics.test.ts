// The metrics for Prometheus: their sources, which are absent, and that counters only increase.
import { afterEach, describe, expect, test } from '@jest/globals';
import { createMetrics, type Metrics } from '../../../src/bot/metrics/metrics.ts';
import { type BotStatus, markoutSums } from '../../../src/bot/status/bot-status.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import { btc, eth, NOW, statusFixture } from '../../browser/status-fixture.ts';
import { samplesOf } from './metrics-samples.ts';

const open: Metrics[] = [];
afterEach(() => {
  for (const metrics of open.splice(0)) metrics.close();
});

function newMetrics(): Metrics {
  const metrics = createMetrics();
  open.push(metrics);
  return metrics;
}

/** The samples after one update, by name and labels. */
async function samples(status: BotStatus, metrics = newMetrics()): Promise<ReadonlyMap<string, number>> {
  metrics.update(status);
  return samplesOf(await metrics.text());
}

const answer = (change: Partial<Completed['facts']> = {}): Completed => ({
  kind: 'create',
  request: {} as never,
  outcome: { kind: 'unknown', fault: { sent: true, reason: 'timeout', detail: 'No answer came.' } },
  facts: { sentAt: 1_000, receivedAt: 1_250, ...change },
});

describe('values from the status', () => {
  test.each([
    ['build_info{program="quotekeeper",version="0.1.0",mode="paper",node="NODE"}', 1],
    ['state{phase="running"}', 1],
    ['blockers', 0],
    ['read_lag_at_most_seconds{kind="listed",quantile="0.99"}', 1.96],
    ['read_lag_at_least_seconds{kind="trades",quantile="1"}', 1.31],
    ['read_lag_assumed_seconds', 120],
    ['read_lag_broken_seconds', 0],
    ['kill_level', 0],
    ['reference_price{symbol="BTC/INR"}', 5_508_460.5],
    ['market_price{symbol="BTC/INR",side="sell"}', 5_567_500],
    ['quoted_price{symbol="BTC/INR",side="buy"}', 5_457_114],
    ['market_spread_ratio{symbol="BTC/INR"}', 0.021436],
    ['quoted_spread_ratio{symbol="BTC/INR"}', 0.018643],
    ['quote_state{symbol="ETH/INR",side="sell",reason="no-quote"}', 1],
    ['open_orders{symbol="BTC/INR",side="buy",status="open"}', 1],
    ['open_order_value{symbol="BTC/INR",side="sell"}', 5_581_840 * 0.01343 + 5_559_806 * 0.00899],
    ['foreign_orders{symbol="BTC/INR"}', 0],
    ['inventory_base{symbol="BTC/INR"}', 0.48271],
    ['inventory_target_base{symbol="BTC/INR"}', 0.47681204],
    ['inventory_ratio{symbol="BTC/INR"}', (0.48271 * 5_508_460.5) / (0.48271 * 5_508_460.5 + 5_093_418.2715)],
    ['pnl_quote{symbol="BTC/INR",component="total"}', 11_160.5194],
    ['pnl_price_age_seconds{symbol="BTC/INR"}', 0.64],
    ['fills_total{symbol="BTC/INR",side="buy",liquidity="maker"}', 40],
    ['fills_total{symbol="BTC/INR",side="buy",liquidity="taker"}', 1],
    ['filled_quote_total{symbol="BTC/INR"}', 874_521.2204],
    ['fees_quote_total{symbol="BTC/INR"}', 4_127.3321],
    ['other_fees_total{symbol="ETH/INR",asset="SOL"}', 0.00812],
    ['tax_withheld_quote_total{symbol="BTC/INR"}', 3_912.07],
    ['balance{asset="INR",kind="expected"}', 5_093_418.2715],
    ['reconcile_drift{asset="BTC"}', 0],
    ['unknown_orders', 0],
    ['last_heartbeat_timestamp_seconds', (NOW - 310) / 1_000],
    ['exchange_silent_seconds{lane="private"}', 0],
    ['surface_age_seconds{surface="book",symbol="BTC/INR"}', 0.64],
    ['surface_age_limit_seconds{surface="open-orders"}', 15],
    ['clock_offset_seconds', -0.0124],
    ['clock_uncertainty_seconds', 0.0318],
    ['clock_uncertainty_limit_seconds', 0.5],
    ['rate_limit_limit{lane="public"}', 10],
    ['rate_limit_remaining{lane="public"}', 8],
    ['throttled_total{lane="private"}', 3],
    ['request_interval_seconds{lane="private"}', 0.148],
    ['requests_in_flight{lane="private"}', 2],
    ['requests_waiting{lane="private"}', 1],
    ['unknown_resolution_seconds_count', 2],
    ['limit_used_ratio{symbol="BTC/INR",limit="maxInventoryBase"}', 0.505],
    ['markout_quote_total{symbol="BTC/INR",side="buy",horizon="300",result="loss"}', 0],
    ['markout_filled_quote_total{symbol="ETH/INR",side="sell",horizon="0"}', 0],
    ['answers_total{lane="public",status="429"}', 0],
    ['denied_total{symbol="BTC/INR",code="funds"}', 3],
    ['halts_total{symbol="ETH/INR",code="repeated-fills"}', 0],
    ['halt_state{symbol="BTC/INR",code="loss"}', 0],
    ['loss_quote{symbol="BTC/INR",code="loss-session"}', -1_160.25],
    ['loss_limit_quote{symbol="BTC/INR",code="loss-day"}', 50_000],
    ['presence_seconds_total{symbol="BTC/INR",side="buy"}', 3_570],
    ['presence_lost_seconds_total{symbol="BTC/INR",side="both",reason="leaving"}', 32],
    ['messages{window="minute"}', 42],
    ['messages_limit{window="day"}', 100_000],
  ])('%s is %d', async (name, value) => {
    const found = await samples(statusFixture());
    expect(found.get(`quotekeeper_${name.replace('NODE', process.version.slice(1))}`)).toBeCloseTo(value, 8);
  });
});

test('seconds in the market and seconds lost add up to all seconds', async () => {
  const found = [...(await samples(statusFixture()))].filter(([name]) => /_presence_/.test(name));
  for (const symbol of ['BTC/INR', 'ETH/INR'])
    for (const side of ['buy', 'sell', 'both']) {
      const own = found.filter(([name]) => name.includes(`symbol="${symbol}",side="${side}"`));
      expect(own.reduce((sum, [, seconds]) => sum + seconds, 0)).toBe(3_600);
    }
});

test('a pause is shown with its reason, and only while it lasts', async () => {
  const told = async (status: BotStatus) =>
    [...(await samples(status)).keys()].filter((name) => /_paused\b/.test(name));
  expect(await told(statusFixture())).toEqual([]);
  const reason = 'No watchdog shows that it lives.';
  expect(await told(statusFixture({ phase: 'paused', paused: reason }))).toEqual([
    `quotekeeper_paused{reason="${reason}"}`,
  ]);
});

describe('unknown values are absent, not zero', () => {
  const nothing = {
    referencePrice: null,
    market: null,
    marketSpreadBps: null,
    quotedSpreadBps: null,
    bookSentAt: null,
    openOrdersSentAt: null,
    tradesSentAt: null,
    inventoryTarget: '0',
  };
  const start = statusFixture(
    {
      symbols: [btc(nothing)],
      clock: null,
      walletSentAt: null,
      reconciledAt: null,
      contact: { ...statusFixture().trader.contact, usedAt: null },
      assets: statusFixture().trader.assets.map((each) => ({ ...each, wallet: null, difference: null })),
    },
    { lanes: [{ ...statusFixture().lanes[0], lane: 'public', remaining: null, limit: null }] as BotStatus['lanes'] },
  );
  const gone = [
    ...['reference_price', 'market_spread_ratio', 'quoted_spread_ratio', 'market_price', 'inventory_target_base'],
    ...['inventory_ratio', 'inventory_target_ratio', 'foreign_orders', 'surface_age_seconds', 'reconcile_drift'],
    ...['clock_offset_seconds', 'clock_uncertainty_seconds', 'rate_limit_limit', 'rate_limit_remaining'],
    'last_heartbeat_timestamp_seconds',
  ];

  test.each(gone)('%s', async (name) => {
    const names = [...(await samples(start)).keys()];
    expect(names.filter((each) => each.replace(/\{.*/, '') === `quotekeeper_${name}`)).toEqual([]);
  });

  test('and disappear again when they become unknown', async () => {
    const metrics = newMetrics();
    expect([...(await samples(statusFixture(), metrics)).keys()]).toContain('quotekeeper_clock_offset_seconds');
    const after = [...(await samples(start, metrics)).keys()];
    expect(after.filter((name) => gone.some((each) => name.startsWith(`quotekeeper_${each}`)))).toEqual([]);
  });

  test('nothing is NaN', async () => {
    const found = await samples(start);
    expect([...found].filter(([name, value]) => name.startsWith('quotekeeper_') && Number.isNaN(value))).toEqual([]);
  });
});

describe('counters', () => {
  const volume = (quoteVolume: string): BotStatus =>
    statusFixture({ symbols: [btc({ fills: { buys: 1, sells: 0, takers: 0, takerBuys: 0, quoteVolume } })] });

  test('follow the totals of the ledger and never decrease', async () => {
    const metrics = newMetrics();
    const shown: (number | undefined)[] = [];
    for (const total of ['100.5', '130', '120', '131', '131']) {
      shown.push((await samples(volume(total), metrics)).get('quotekeeper_filled_quote_total{symbol="BTC/INR"}'));
    }
    expect(shown).toEqual([100.5, 130, 130, 131, 131]);
  });

  test('fills are counted by side and liquidity', async () => {
    const fills = { buys: 5, sells: 4, takers: 3, takerBuys: 2, quoteVolume: '100' };
    const found = await samples(statusFixture({ symbols: [btc({ fills })] }));
    const count = (side: string, liquidity: string) =>
      found.get(`quotekeeper_fills_total{symbol="BTC/INR",side="${side}",liquidity="${liquidity}"}`);
    expect([count('buy', 'maker'), count('buy', 'taker')]).toEqual([3, 2]);
    expect([count('sell', 'maker'), count('sell', 'taker')]).toEqual([3, 1]);
  });

  test('each resolution of an unknown create is observed once', async () => {
    const metrics = newMetrics();
    const count = async (total: number, ...newest: readonly number[]) => {
      const last = newest.map((seconds) => ({ by: 'match', seconds }) as const);
      const found = await samples(statusFixture({ unknownResolutions: { total, last } }), metrics);
      return found.get('quotekeeper_unknown_resolution_seconds_count');
    };
    expect([await count(0), await count(1, 3), await count(1, 3), await count(3, 3, 90, 4)]).toEqual([0, 1, 1, 3]);
    // Only the newest are kept: of four new ones, two are still there.
    expect(await count(7, 8, 9)).toBe(5);
  });

  test('requests count by lane, endpoint and outcome, with their duration', async () => {
    const metrics = newMetrics();
    metrics.countRequest('private', answer());
    metrics.countRequest('private', answer());
    const found = await samples(statusFixture(), metrics);
    const labels = 'lane="private",endpoint="create"';
    expect(found.get(`quotekeeper_requests_total{${labels},outcome="unknown"}`)).toBe(2);
    expect(found.get(`quotekeeper_request_duration_seconds_sum{${labels}}`)).toBeCloseTo(0.5, 9);
  });

  test.each<[number | undefined, string]>([
    [200, '2xx'],
    [302, '3xx'],
    [400, '4xx'],
    [429, '429'],
    [500, '5xx'],
    [503, '503'],
    [504, '504'],
    [999, 'none'],
    [undefined, 'none'],
  ])('an answer with status %s counts as %s', async (status, word) => {
    const metrics = newMetrics();
    metrics.countRequest('private', answer(status === undefined ? {} : { status }));
    const found = [...(await samples(statusFixture(), metrics))].filter(([name]) => /_answers_total/.test(name));
    expect(found.filter(([, count]) => count > 0)).toEqual([
      [`quotekeeper_answers_total{lane="private",status="${word}"}`, 1],
    ]);
    expect(found).toHaveLength(16);
  });

  test('markouts add up, gains apart from losses', async () => {
    const sums = markoutSums();
    for (const gained of [12.5, -4, 7.5]) sums.add('BTC/INR', { side: 'buy', horizon: 60, gained, filled: 1_000 });
    const found = await samples({ ...statusFixture(), markouts: sums.all() });
    const labels = 'symbol="BTC/INR",side="buy",horizon="60"';
    expect(found.get(`quotekeeper_markout_quote_total{${labels},result="gain"}`)).toBe(20);
    expect(found.get(`quotekeeper_markout_quote_total{${labels},result="loss"}`)).toBe(4);
    expect(found.get(`quotekeeper_markout_filled_quote_total{${labels}}`)).toBe(3_000);
  });

  test('requests that time out renew no heartbeat, and silence is measured per lane', async () => {
    const metrics = newMetrics();
    const silentSinceBy = { public: NOW - 10_000, private: NOW - 80_000 };
    const contact = { ...statusFixture().trader.contact, usedAt: NOW - 90_000, silentSinceBy };
    for (const receivedAt of [2_000, 3_000, 4_000]) metrics.countRequest('private', answer({ receivedAt }));
    const found = await samples(statusFixture({ contact }), metrics);
    expect(found.get('quotekeeper_last_heartbeat_timestamp_seconds')).toBe((NOW - 90_000) / 1_000);
    expect(found.get('quotekeeper_exchange_silent_seconds{lane="private"}')).toBe(80);
    expect(found.get('quotekeeper_exchange_silent_seconds{lane="public"}')).toBe(10);
  });

  test('notices are counted by level, from zero: the first one is an increase that an alert can see', async () => {
    const metrics = newMetrics();
    const pages = async () => (await samples(statusFixture(), metrics)).get('quotekeeper_notices_total{level="page"}');
    expect(await pages()).toBe(0);
    metrics.countNotice({ level: 'page' });
    expect(await pages()).toBe(1);
  });
});

describe('the event loop', () => {
  test('is measured when blocked', async () => {
    const metrics = newMetrics();
    const until = performance.now() + 120;
    await new Promise((resolve) => setTimeout(resolve, 30));
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const found = await samples(statusFixture(), metrics);
    const count = found.get('quotekeeper_event_loop_delay_seconds_count') ?? 0;
    expect(count).toBeGreaterThan(0);
    expect(found.get('quotekeeper_event_loop_delay_seconds_bucket{le="0.01"}')).toBeLessThan(count);
  });
});

describe('the whole', () => {
  test('labels are bounded: a reason, an order id or a sentence never is one', async () => {
    const wordy = statusFixture({
      latched: 'CANARY one',
      blockers: ['CANARY two'],
      symbols: [
        btc({ reason: 'CANARY three', state: 'waiting', denied: { code: 'collar', message: 'CANARY' } }),
        eth({ noQuote: { buy: 'CANARY', sell: 'CANARY' } }),
      ],
    });
    const metrics = newMetrics();
    metrics.update(wordy);
    const text = await metrics.text();
    expect(text).not.toContain('CANARY');
    expect(text).not.toContain('1-90071992547');
  });

  test('every metric has a help sentence', async () => {
    const metrics = newMetrics();
    metrics.update(statusFixture());
    const helps = (await metrics.text()).split('\n').filter((line) => line.startsWith('# HELP quotekeeper_'));
    expect(helps.length).toBeGreaterThan(35);
    expect(helps.filter((line) => !/^# HELP \S+ [A-Z0-9`].{8,}[.;]?/.test(line))).toEqual([]);
  });
});

test('a channel has failed for so long, or works', async () => {
  const works = { form: 'email', waiting: 0, oldestAt: null, failingSince: null, because: null, counts: {} } as const;
  const mail = { ...works, name: 'mail', failingSince: NOW - 90_000, because: 'The mail server refused a@b.c.' };
  const found = await samples(statusFixture({}, { channels: [mail, { ...works, name: 'night' }] }));
  expect(found.get('quotekeeper_notifications_failing_seconds{channel="mail"}')).toBe(90);
  expect(found.get('quotekeeper_notifications_failing_seconds{channel="night"}')).toBe(0);
});
