// A strategy that fails halts its own symbol, in `observe` and nowhere else; one bad quote is denied with a word.
import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../src/domain/decimal.ts';
import type { MarketView, QuoteSet } from '../../../src/quoting/strategy.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import type { TraderSettings } from '../../../src/trader/state/settings.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { wakeAt } from '../../../src/trader/turns/next.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { fail } from './failing-strategy.ts';
import { type Desk, deskWith, quotingDesk } from './trader-kit.ts';

/** The desk's strategy, whose answer for BTC goes through `change` while `on` is set. */
function twoMarkets(change: (usual: QuoteSet, view: MarketView) => unknown): {
  settings: TraderSettings;
  broken: { on: boolean; calls: number };
} {
  const broken = { on: false, calls: 0 };
  const plain = deskSettings({ symbols: [BTC, ETH] });
  const runs = plain.runs.map((run) => ({
    ...run,
    strategy: {
      ...run.strategy,
      ignoresNow: false,
      quote: (view: MarketView, params: unknown): QuoteSet => {
        const usual = run.strategy.quote(view, params, undefined);
        if (view.symbol !== BTC || !broken.on) return usual;
        broken.calls += 1;
        return change(usual, view) as QuoteSet;
      },
    },
  }));
  return { settings: { ...plain, runs }, broken };
}

const ordersOf = (desk: Desk, symbol: string) => desk.shows.orders.filter((order) => order.symbol === symbol).length;

describe('a strategy that throws', () => {
  test('halts its own symbol with message and place; its quotes are pulled, the other market goes on', () => {
    const { settings, broken } = twoMarkets(fail);
    const desk = quotingDesk(settings);
    expect([ordersOf(desk, BTC), ordersOf(desk, ETH)]).toEqual([2, 2]);
    broken.on = true;
    desk.run(8_000);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('strategy');
    expect(haltsIn(desk.state().durable).get(BTC)).toMatch(
      /^The strategy "fixed-spread" failed \(test\/unit\/trader\/failing-strategy\.ts:\d+\): σ is not known yet\.$/,
    );
    expect([ordersOf(desk, BTC), ordersOf(desk, ETH)]).toEqual([0, 2]);
    expect(desk.state().phase).toBe('running');
    const told = desk.notices.filter(({ op }) => op === 'symbol-halted');
    expect(told).toEqual([expect.objectContaining({ level: 'page', symbol: BTC })]);
    expect(marketOf(desk.state(), BTC).haltCounts.get('strategy')).toBe(1);
    expect(broken.calls).toBe(1);
  });

  test('stays halted over a restart; resumed, it is asked again', () => {
    const { settings, broken } = twoMarkets(fail);
    const desk = quotingDesk(settings);
    broken.on = true;
    desk.run(8_000);
    desk.restart(settings);
    desk.run(20_000);
    expect(broken.calls).toBe(1);
    broken.on = false;
    desk.restart(settings, [{ symbol: BTC, price: null }]);
    desk.run(40_000);
    expect([ordersOf(desk, BTC), ordersOf(desk, ETH)]).toEqual([2, 2]);
    broken.on = true;
    desk.run(8_000);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('strategy');
  });

  test('seen by a snapshot first changes nothing there: the next input halts it', () => {
    const { settings, broken } = twoMarkets(fail);
    const desk = quotingDesk(settings);
    broken.on = true;
    desk.pass(1_500);
    const before = desk.events.length;
    const shown = takeSnapshot(desk.state(), desk.now()).symbols.find(({ symbol }) => symbol === BTC);
    expect(shown?.reason).toContain('σ is not known yet');
    wakeAt(desk.state(), 'private', desk.now());
    expect(desk.events).toHaveLength(before);
    expect(haltsIn(desk.state().durable).size).toBe(0);
    desk.tell({ kind: 'tick' });
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('strategy');
  });

  test('from the first call on: nothing is ever placed for it', () => {
    const { settings, broken } = twoMarkets(() => null);
    broken.on = true;
    const desk = deskWith(settings);
    desk.tell({ kind: 'clock', offsetMs: 0, uncertaintyMs: 10, confirmed: true });
    desk.run(20_000);
    expect(haltsIn(desk.state().durable).get(BTC)).toBe(
      'The strategy "fixed-spread" failed: it returned null instead of { quotes, explain }.',
    );
    expect(
      desk.sent.filter(({ chosen: { request } }) => request.kind === 'create' && request.order.symbol === BTC),
    ).toEqual([]);
    expect(ordersOf(desk, ETH)).toBe(2);
  });
});

test('a price of NaN removes its own side, counts as denied, and is reported once with slot and value', () => {
  const { settings, broken } = twoMarkets((usual) => ({
    ...usual,
    quotes: usual.quotes.map((quote) => (quote.side === 'buy' ? { ...quote, price: new Decimal(Number.NaN) } : quote)),
  }));
  const desk = quotingDesk(settings);
  broken.on = true;
  desk.run(8_000);
  const why = 'The strategy wanted a price of NaN for buy:0.';
  expect(desk.shows.orders.filter(({ symbol }) => symbol === BTC).map(({ side }) => side)).toEqual(['sell']);
  expect(haltsIn(desk.state().durable).size).toBe(0);
  expect(desk.notices.filter(({ op }) => op === 'strategy-quote')).toEqual([
    { level: 'warn', op: 'strategy-quote', symbol: BTC, message: why },
  ]);
  expect(marketOf(desk.state(), BTC).denialCounts.get('strategy-quote')).toBeGreaterThan(0);
  const shown = takeSnapshot(desk.state(), desk.now()).symbols.find(({ symbol }) => symbol === BTC);
  expect(shown?.noQuote).toEqual({ buy: why, sell: null });
  expect(shown?.denied).toEqual({ code: 'strategy-quote', message: why });
  broken.on = false;
  desk.run(8_000);
  expect(ordersOf(desk, BTC)).toBe(2);
  broken.on = true;
  desk.run(8_000);
  expect(desk.notices.filter(({ op }) => op === 'strategy-quote')).toHaveLength(2);
});
