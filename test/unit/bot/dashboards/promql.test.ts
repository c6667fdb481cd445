// The reader of expressions that other tests rely on: it must see what Prometheus would answer with nothing.
import { describe, expect, test } from '@jest/globals';
import { type Catalogue, labelsOf } from './promql.ts';

const TARGET = ['job', 'instance'];
const catalogue: Catalogue = new Map([
  ['state', new Set([...TARGET, 'phase'])],
  ['price', new Set([...TARGET, 'symbol'])],
  ['loss', new Set([...TARGET, 'symbol', 'code'])],
  ['wait_bucket', new Set([...TARGET, 'lane', 'le'])],
]);
const has = (expr: string): string[] => [...labelsOf(expr, catalogue).has].sort();
const varies = (expr: string): string[] => [...labelsOf(expr, catalogue).varies].sort();

describe('labels', () => {
  test.each<[string, string]>([
    ['price', 'instance job symbol'],
    ['rate(loss[5m])', 'code instance job symbol'],
    ['sum(loss)', ''],
    ['sum by (symbol) (loss)', 'symbol'],
    ['max without (code, job) (loss)', 'instance symbol'],
    ['price * 2 + 1', 'instance job symbol'],
    ['time() - price', 'instance job symbol'],
    ['loss / on (symbol) price', 'symbol'],
    ['loss / ignoring (code) group_left loss', 'code instance job symbol'],
    ['price * on (job, instance) group_left (phase) state', 'instance job phase symbol'],
    ['loss and on (job) state', 'code instance job symbol'],
    ['loss unless on (job) state == 1', 'code instance job symbol'],
    ['price or state', 'instance job'],
    ['histogram_quantile(0.9, sum by (lane, le) (rate(wait_bucket[5m])))', 'lane'],
    ['label_replace(price, "quote", "$1", "symbol", ".+/(.+)")', 'instance job quote symbol'],
  ])('of %s are %s', (expr, labels) => {
    expect(has(expr).join(' ')).toBe(labels);
  });

  test('that a matcher pins do not tell series apart', () => {
    expect(varies('state{phase="running"}')).toEqual(['instance', 'job']);
    expect(varies('state{phase=~"running|paused"}')).toEqual(['instance', 'job', 'phase']);
    expect(varies('sum by (phase) (state{phase="running"})')).toEqual([]);
  });
});

describe('is refused', () => {
  test.each<[string, RegExp]>([
    ['prices', /no metric prices/],
    ['price{side="buy"}', /price has no label side/],
    ['sum by (side) (price)', /side has no such label/],
    ['sum without (side) (price)', /side has no such label/],
    ['loss / on (symbol, code) price', /code has no such label/],
    ['price / loss', /code is on one side of Div only/],
    ['price * on (job) group_left (mode) state', /mode has no such label/],
    ['histogram_quantile(0.9, price)', /needs le/],
    ['label_replace(price, "a", "$1", "b", "(.+)")', /no label b/],
    ['price +', /No PromQL/],
    ['rate(price[5m)', /No PromQL/],
  ])('%s', (expr, why) => {
    expect(() => labelsOf(expr, catalogue)).toThrow(why);
  });
});
