// A real Prometheus scrapes the page: it finds the target up, stores the numbers, and evaluates the rules.
import { afterEach, expect, test } from '@jest/globals';
import { startWeb } from '../../src/bot/web/web-server.ts';
import { pageOptions } from '../browser/page-options.ts';
import { statusFixture } from '../browser/status-fixture.ts';
import { query, startPrometheus } from './prometheus.ts';
import { findTool } from './tools.ts';

const executable = findTool('prometheus', 'a real Prometheus that scrapes the page');
const withTool = executable === null ? test.skip : test;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openPage(): Promise<string> {
  const { options, end } = pageOptions({ status: () => statusFixture({ latched: 'A test set it.' }) });
  const web = await startWeb(options);
  closing.push(end, () => web.close());
  return new URL(web.url).host;
}

withTool('Prometheus finds the bot up, reads its numbers, and raises the alert of the kill latch', async () => {
  const prometheus = await startPrometheus(executable ?? '', { quotekeeper: await openPage() });
  closing.push(prometheus.end);
  const [reference] = await query(prometheus, 'quotekeeper_reference_price{symbol="BTC/INR"}');
  expect(reference?.value[1]).toBe('5508460.5');
  expect((await query(prometheus, 'up{job="quotekeeper"}'))[0]?.value[1]).toBe('1');
  expect((await query(prometheus, 'quotekeeper_event_loop_delay_seconds_count'))[0]?.metric.job).toBe('quotekeeper');
  const [alert] = await query(prometheus, 'ALERTS{alertname="QuotekeeperLatched", alertstate="firing"}');
  expect(alert?.metric.severity).toBe('critical');
});
