// What is remembered of a symbol as charts: the price between own quotes, with fills; inventory; money.
import type { History } from '../../memory/history.ts';
import type { Chart, ChartSeries } from './html-page.ts';

type Column = keyof Pick<
  History,
  'marketBid' | 'marketAsk' | 'ownBid' | 'ownAsk' | 'reference' | 'inventory' | 'equity' | 'profit'
>;
type Look = Omit<ChartSeries, 'values'> & { readonly column: Column };

const steps = { isSteps: true, isDashed: false } as const;
const line = { isSteps: false, isDashed: false } as const;

const PRICE: readonly Look[] = [
  { column: 'marketBid', label: 'market bid', role: 'market', ...steps },
  { column: 'marketAsk', label: 'market ask', role: 'market', ...steps },
  { column: 'reference', label: 'reference', role: 'reference', ...line },
  { column: 'ownBid', label: 'own bid', role: 'buy', isSteps: true, isDashed: true },
  { column: 'ownAsk', label: 'own ask', role: 'sell', isSteps: true, isDashed: true },
];

export interface Assets {
  readonly base: string;
  readonly quote: string;
}

export function historyCharts(history: History, { base, quote }: Assets): readonly Chart[] {
  const { fills } = history;
  const left = history.fillsLeftOut === 0 ? '' : `; ${history.fillsLeftOut} older fills are not marked`;
  return [
    chart(history, `Price and own quotes in ${quote}; ▲ bought, ▼ sold${left}`, PRICE, fills),
    chart(history, `Inventory in ${base}`, [{ column: 'inventory', label: 'inventory', role: 'plain', ...steps }], []),
    chart(history, `Profit in ${quote}`, [{ column: 'profit', label: 'profit', role: 'plain', ...line }], []),
    chart(history, `Equity in ${quote}`, [{ column: 'equity', label: 'equity', role: 'plain', ...line }], []),
  ];
}

function chart(history: History, title: string, looks: readonly Look[], marks: Chart['marks']): Chart {
  const { times, gapMs } = history;
  // Where nobody looked nothing is drawn.
  const gaps = times.flatMap((at, index) => (index > 0 && at - (times[index - 1] ?? at) > gapMs ? [index] : []));
  const isGap = new Set(gaps);
  const opened = <T>(values: readonly T[], between: (index: number) => T): T[] =>
    values.flatMap((value, index) => (isGap.has(index) ? [between(index), value] : [value]));
  return {
    title,
    times: opened(times, (index) => (times[index - 1] ?? 0) + 1),
    series: looks.map(({ column, ...look }) => ({
      ...look,
      values: opened<number | null>(history[column], () => null),
    })),
    marks,
  };
}
