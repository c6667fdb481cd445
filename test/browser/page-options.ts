// What a page is started with in tests: tokens in a folder of its own, nothing to steer unless a test brings it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLog } from '../../src/bot/base/log.ts';
import { datesOf } from '../../src/bot/books/local-time.ts';
import { columnsOf, type HistorySource } from '../../src/bot/memory/history.ts';
import { createMetrics } from '../../src/bot/metrics/metrics.ts';
import { makePageTokens } from '../../src/bot/web/page-tokens.ts';
import type { WebOptions } from '../../src/bot/web/routes.ts';
import { realClock } from '../../src/ports/clock.ts';
import { statusFixture } from './status-fixture.ts';

export const OPEN_PAGE: WebOptions['web'] = { host: '127.0.0.1', port: 0, origin: null, tls: null, behindProxy: false };

/** A price every ten seconds of the time that is asked for, so that charts are drawn. */
export const LIVELY_PAST: HistorySource = {
  profitBefore: () => null,
  symbols: () => ['BTC/INR', 'ETH/INR'],
  history: ({ symbol, from, to }) => {
    const own = { ownBid: 98, ownAsk: 102, reference: 100, inventory: 1, equity: 1_000, profit: 0 };
    const rows = Array.from({ length: Math.min(100, Math.floor((to - from) / 10_000)) }, (_, index) => ({
      ...{ at: to - 10_000 * index, marketBid: 99 - (index % 3), marketAsk: 101 + (index % 2), ...own },
    })).reverse();
    const about = { symbol, from, to, level: 'second', knownFrom: from } as const;
    return { ...about, ...columnsOf(rows, 60_000), fills: [], fillsLeftOut: 0 };
  },
};

export interface PageOptions {
  readonly options: WebOptions;
  /** Takes the folder away. */
  end(): void;
}

export function pageOptions(change: Partial<WebOptions> = {}): PageOptions {
  const stateFolder = mkdtempSync(path.join(tmpdir(), 'page-'));
  makePageTokens(stateFolder);
  const metrics = createMetrics();
  const always = () => true;
  const options: WebOptions = {
    web: OPEN_PAGE,
    stateFolder,
    status: () => statusFixture(),
    parameters: () => [],
    orderLife: () => null,
    steer: null,
    ...{ ready: always, healthy: always },
    metrics,
    ...{ past: null, trades: null, dates: datesOf({ timeZone: 'UTC', yearBegins: '04-01' }) },
    clock: realClock,
    log: createLog({ level: 'silent' }, { stream: { write: () => true }, isTerminal: false }),
    ...change,
  };
  return {
    options,
    end() {
      metrics.close();
      rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}
