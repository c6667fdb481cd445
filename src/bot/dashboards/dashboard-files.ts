// The dashboards as files that Grafana imports; docs/operations.md says how.
import type { Board } from './board.ts';
import { grafanaDashboard } from './grafana.ts';
import { ORDER_TRUTH } from './order-truth.ts';
import { OVERVIEW } from './overview.ts';
import { REQUESTS } from './requests.ts';
import { SYMBOL } from './symbol.ts';

const BOARDS: readonly Board[] = [OVERVIEW, SYMBOL, REQUESTS, ORDER_TRUTH];

/** Path from the root → what Grafana imports. */
export function dashboardFiles(): Readonly<Record<string, object>> {
  return Object.fromEntries(BOARDS.map((board) => [`config/grafana/${board.name}.json`, grafanaDashboard(board)]));
}
