// What a strategy is told beside its own book: it says what it needs, the trader reads it, and its memory takes note.
import { describe, expect, test } from '@jest/globals';
import { type Decimal, decimal } from '../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../src/domain/fill.ts';
import type { MarketEvent, MarketView, Needs } from '../../../src/quoting/strategy.ts';
import { decisionOf } from '../../../src/trader/decision/decide.ts';
import { touchDependents } from '../../../src/trader/knowledge/record-reads.ts';
import type { RunSettings, TraderSettings } from '../../../src/trader/state/settings.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../src/trader/status/snapshot.ts';
import { refused } from '../refused.ts';
import { BTC, deskSettings, ETH } from './desk-settings.ts';
import { type Desk, deskWith, fillNow, inSlot, makeReady, START } from './trader-kit.ts';

/** The desk's own strategy, which needs more, remembers what it is told, and lets the test look at its view. */
function curious(needs: Needs, remember?: (event: MarketEvent) => string) {
  const seen: { view: MarketView | null; memory: unknown } = { view: null, memory: undefined };
  const plain = deskSettings({ symbols: [BTC, ETH] });
  const ask = (run: RunSettings): RunSettings => ({
    ...run,
    strategy: {
      ...run.strategy,
      ignoresNow: false,
      needs: () => needs,
      ...(remember && {
        memory: {
          start: () => [] as string[],
          reduce: (memory, event) => [...(memory as string[]), remember(event)],
        },
      }),
      quote(view, params, memory) {
        Object.assign(seen, { view, memory });
        return run.strategy.quote(view, params, undefined);
      },
    },
  });
  const runs = plain.runs.map((run) => (run.instrument.symbol === BTC ? ask(run) : run));
  const settings: TraderSettings = { ...plain, runs };
  return { settings, seen };
}

const asked = (desk: Desk, kind: string): readonly string[] =>
  desk.sent.flatMap(({ chosen: { request } }) =>
    request.kind === kind && 'symbol' in request ? [String(request.symbol)] : [],
  );

const trade = (price: string, at: number): PublicTrade => ({
  price: decimal(price),
  quantity: decimal('0.01'),
  takerSide: 'buy',
  venueTime: at,
});

function begin(settings: TraderSettings, shows: Partial<Desk['shows']> = {}): Desk {
  const desk = deskWith(settings);
  Object.assign(desk.shows, shows);
  makeReady(desk);
  desk.run(3_000);
  return desk;
}

describe('public trades', () => {
  test('are read for the strategy that needs them, and for no other', () => {
    const { settings, seen } = curious({ trades: true });
    const trades = [trade('100000', START - 2_000), trade('100100', START - 1_000)];
    const desk = begin(settings, { publicTrades: { [BTC]: trades } });
    expect(new Set(asked(desk, 'public-trades'))).toEqual(new Set([BTC]));
    expect(seen.view?.trades).toMatchObject({ trades, hasGap: false });
    desk.shows.publicTrades[BTC] = [...trades, trade('100200', START + 4_000)];
    desk.run(5_000);
    expect(seen.view?.trades?.trades.map(({ price }) => price.toFixed())).toEqual(['100000', '100100', '100200']);
  });

  test('are requested again after a failure, and earlier ones stay', () => {
    const { settings, seen } = curious({ trades: true });
    const desk = begin(settings, { publicTrades: { [BTC]: [trade('100000', START - 2_000)] } });
    const before = asked(desk, 'public-trades').length;
    desk.reply = ({ kind }) => (kind === 'public-trades' ? refused(-5002, { msg: 'No trades.' }) : undefined);
    desk.run(10_000);
    expect(asked(desk, 'public-trades').length).toBeGreaterThan(before);
    expect(seen.view?.trades?.trades).toHaveLength(1);
  });
});

describe('books of other symbols', () => {
  test('one without a run is read; one with a run comes without our own orders', () => {
    const { settings, seen } = curious({ books: ['BTC/USDT', ETH] });
    const desk = begin(settings, {
      books: { [BTC]: [99_000, 101_000], [ETH]: [9_900, 10_100], 'BTC/USDT': [1_150, 1_151] },
    });
    expect(asked(desk, 'order-book')).toContain('BTC/USDT');
    expect(seen.view?.books.get('BTC/USDT')?.book.bids[0]?.price.toFixed()).toBe('1150');
    const own = inSlot(desk, 'buy:0', ETH);
    expect(seen.view?.books.get(ETH)?.book.bids.map(({ price }) => price.toFixed())).not.toContain(own.price.toFixed());
  });

  test('a new one renews the decision', () => {
    const { settings, seen } = curious({ books: ['BTC/USDT'] });
    const desk = begin(settings, { books: { [BTC]: [99_000, 101_000], [ETH]: [9_900, 10_100], 'BTC/USDT': [1, 2] } });
    const { version } = marketOf(desk.state(), BTC);
    desk.shows.books['BTC/USDT'] = [3, 4];
    desk.run(3_000);
    expect(marketOf(desk.state(), BTC).version).toBeGreaterThan(version);
    expect(seen.view?.books.get('BTC/USDT')?.book.asks[0]?.price.toFixed()).toBe('4');
  });

  test('one that a strategy does not need, or failed to ask for, renews no decision', () => {
    const settings = deskSettings({ symbols: [BTC, ETH] });
    const needs = (): never => {
      throw new Error('No.');
    };
    const runs = settings.runs.map((run) => ({ ...run, strategy: { ...run.strategy, needs } }));
    const state = begin({ ...settings, runs }).state();
    const before = marketOf(state, BTC).version;
    touchDependents(state, ETH);
    expect(marketOf(state, BTC).version).toBe(before);
  });
});

describe('own fills', () => {
  test('come with their slot, and whether they completed their order; their cost is the price and the fee', () => {
    const { settings, seen } = curious({});
    const desk = begin(settings);
    const bid = inSlot(desk, 'buy:0');
    const half = bid.quantity.div(2);
    fillNow(desk, bid, { quantity: half, quoteQuantity: half.mul(bid.price) });
    desk.look('orders', 'trades', 'wallet');
    desk.run(500);
    expect(seen.view?.ownFills).toEqual([
      expect.objectContaining({ side: 'buy', slot: 'buy:0', quantity: half, completesOrder: false }),
    ]);
    const fee = settings.runs[0]?.costs.makerFeeRatio ?? decimal(0);
    expect(seen.view?.averageCost?.toFixed()).toBe(bid.price.mul(fee.add(1)).toFixed());
    fillNow(desk, bid, { quantity: half, quoteQuantity: half.mul(bid.price) });
    desk.look('orders', 'trades', 'wallet');
    desk.run(500);
    expect(seen.view?.ownFills.map(({ completesOrder }) => completesOrder)).toEqual([false, true]);
  });

  test.each([
    ['taken off in quote', 'INR', (notional: Decimal) => notional.mul('0.03'), '1.03'],
    ['in a third asset, which has no price here: as configured', 'BNB', () => decimal(1), '1.01'],
  ])('cost what was taken off, whatever fee is configured: %s', (_how, commissionAsset, commissionOf, factor) => {
    const { settings, seen } = curious({});
    const desk = begin(settings);
    const bid = inSlot(desk, 'buy:0');
    // As where an order took liquidity, or a tier has ended.
    fillNow(desk, bid, { commissionAsset, commission: commissionOf(bid.price.mul(bid.quantity)) });
    desk.look('orders', 'trades', 'wallet');
    desk.run(500);
    expect(seen.view?.averageCost?.toFixed()).toBe(bid.price.mul(factor).toFixed());
  });

  test('come oldest first, whenever their rows came: the last one is the last that happened', () => {
    const plain = deskSettings({ params: { levels: 2, halfSpreadStepBps: 100 } });
    const runs = plain.runs.map((run) => ({ ...run, referenceSource: 'ownLastFill' as const }));
    const desk = begin({ ...plain, runs });
    const [inner, outer] = [inSlot(desk, 'buy:0'), inSlot(desk, 'buy:1')];
    const first = fillNow(desk, inner);
    desk.pass(2_000);
    const second = fillNow(desk, outer);
    desk.shows.fills = [second];
    desk.look('orders', 'trades');
    desk.run(1_000);
    desk.shows.fills = [first, second];
    desk.run(10_000);
    const { view } = decisionOf(desk.state(), marketOf(desk.state(), BTC), desk.now());
    expect(view?.ownFills.map(({ slot }) => slot)).toEqual(['buy:0', 'buy:1']);
    expect(view?.referencePrice.toFixed()).toBe(second.price.toFixed());
  });
});

test('estimates come with each good book: unknown at first, and then with samples and age; people see them', () => {
  const { settings, seen } = curious({ trades: true });
  const desk = begin(settings, { publicTrades: { [BTC]: [trade('100000', START - 2_000)] } });
  const volatility = () => seen.view?.estimates.volatilityBpsPerSqrtSecond;
  expect(volatility()).toMatchObject({ kind: 'unknown', why: expect.any(String) });
  for (let step = 0; step < 120; step += 1) {
    const mid = 100_000 + (step % 2) * 100;
    desk.shows.books[BTC] = [mid - 1_000, mid + 1_000];
    desk.run(2_000);
  }
  expect(volatility()).toMatchObject({ kind: 'known' });
  const known = volatility();
  expect(known?.kind === 'known' && known.value).toBeGreaterThan(0.5);
  const { estimates } = takeSnapshot(desk.state(), desk.now()).symbols[0] ?? { estimates: [] };
  expect(estimates[0]).toMatch(/^Volatility: [\d.]+ bps per √s, of \d+ samples, the last \d+ s old\.$/);
  expect(estimates).toHaveLength(3);
  expect(takeSnapshot(desk.state(), desk.now()).symbols[1]?.estimates).toHaveLength(1);
});

describe('memory', () => {
  test('records books and trades, and begins anew with a process', () => {
    const { settings, seen } = curious({ trades: true }, ({ kind }) => kind);
    const desk = begin(settings, { publicTrades: { [BTC]: [trade('100000', START - 2_000)] } });
    expect(new Set(seen.memory as string[])).toEqual(new Set(['book', 'trades']));
    desk.restart(settings);
    expect(marketOf(desk.state(), BTC).knowledge.memory).toEqual({ kind: 'kept', memory: [] });
  });

  test.each([
    ['begins anew', 'a decimal off', 1_000_000, true],
    ['goes on', 'near', 150_000, false],
  ])('%s where a person resumes the symbol at a price %s the last good one', (_does, _how, price, isNew) => {
    const { settings } = curious({}, ({ kind }) => kind);
    const desk = begin(settings);
    desk.shows.books[BTC] = [price * 0.99, price * 1.01];
    desk.run(90_000);
    const resumed = { symbol: BTC, price: decimal(price) };
    desk.tell({ kind: 'resume-symbol', resumed, by: 'asha' });
    const { memory } = marketOf(desk.state(), BTC).knowledge;
    expect(memory).toEqual({ kind: 'kept', memory: isNew ? [] : expect.arrayContaining(['book']) });
  });

  test('that throws halts its own symbol and names the place', () => {
    const { settings } = curious({ trades: true }, ({ kind }) => {
      if (kind === 'trades') throw new Error('Trades are not welcome.');
      return kind;
    });
    const desk = begin(settings, { publicTrades: { [BTC]: [trade('100000', START - 2_000)] } });
    const halted = desk.notices.filter(({ op }) => op === 'symbol-halted');
    expect(halted.map(({ symbol, message }) => [symbol, message])).toEqual([
      [BTC, expect.stringContaining('Trades are not welcome.')],
    ]);
  });
});
