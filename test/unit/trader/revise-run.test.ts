// Parameters are changed while the bot quotes: only orders that must move do, and each order names its revision.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE } from '../../../src/domain/time.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { changesBetween, withChanges } from '../../../src/trader/durable/revision.ts';
import { decisionUnder, revisionOf, whyNotRevised } from '../../../src/trader/observe/revise-run.ts';
import type { RunSettings, TraderSettings } from '../../../src/trader/state/settings.ts';
import { marketOf, runOf } from '../../../src/trader/state/state.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { type Desk, quotingDesk } from './trader-kit.ts';

const written = (settings: TraderSettings): TraderSettings => ({
  ...settings,
  runs: settings.runs.map((run) => ({ ...run, parameters: { strategy: 'fixed-spread', ...texts(run.params) } })),
});

const texts = (params: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(params as object).map(([key, value]) => [`params.${key}`, String(value)]));

const withParams = (params: Record<string, unknown>): TraderSettings =>
  written(deskSettings({ params: { levels: 2, halfSpreadStepBps: 100, ...params } }));

function runWith(params: Record<string, unknown>): RunSettings {
  const [run] = withParams(params).runs;
  if (run === undefined) throw new Error('The desk has no run.');
  return run;
}

const begun = (): Desk => quotingDesk(withParams({}));
const bySlot = (desk: Desk): Map<string, { price: number; revision: number; id: string }> =>
  new Map(
    [...desk.state().durable.orders.intents.values()]
      .filter(({ state }) => state === 'open')
      .map(({ slot, price, revision, intentId }) => [slot, { price: price.toNumber(), revision, id: intentId }]),
  );
const sentSince = (desk: Desk, from: number) =>
  desk.events.slice(from).filter(({ type }) => type === 'intent' || type === 'cancel-sent').length;

/** A run that takes its reference price from there. */
function runBy(referenceSource: RunSettings['referenceSource'], fixed: number | null = null): RunSettings {
  const stated = fixed === null ? {} : { fixedReference: String(fixed) };
  const source = fixed === null ? {} : { fixedReference: decimal(fixed) };
  const { fixedReference: _before, ...run } = runWith({});
  return { ...run, referenceSource, ...source, parameters: { ...run.parameters, referenceSource, ...stated } };
}

/** Fixed at 100,000, which the market leaves in small steps for 112,000. */
function leftBehind(): Desk {
  const desk = quotingDesk({ ...deskSettings(), runs: [runBy('fixed', 100_000)] });
  for (let mid = 100_000; mid <= 112_000; mid += 1_000) {
    desk.shows.books[BTC] = [mid - 1_000, mid + 1_000];
    desk.run(4_000);
  }
  return desk;
}

describe("a change of the reference price's source is no jump of the market", () => {
  const quoted = ['buy:0 open', 'buy:1 open', 'sell:0 open', 'sell:1 open'];

  test.each<[string, RunSettings]>([
    ['fixed anew', runBy('fixed', 112_000)],
    ['of the book', runBy('mid')],
  ])('%s, while the bot runs and over a start', (_words, run) => {
    const running = leftBehind();
    const shown = decisionUnder(running.state(), run, running.now());
    expect([shown.creates.length > 0, shown.denied.size]).toEqual([true, 0]);
    running.tell({ kind: 'revise-run', run, by: 'asha' });
    running.run(2 * MINUTE);
    expect([marketIn(running.state().durable, BTC).halt, running.slots()]).toEqual([null, quoted]);
    const started = leftBehind();
    started.restart({ ...deskSettings(), runs: [run] });
    started.run(2 * MINUTE);
    expect([marketIn(started.state().durable, BTC).halt, started.slots()]).toEqual([null, quoted]);
  });

  test('even if the process ends before anything was placed by it', () => {
    const desk = leftBehind();
    const run = runBy('fixed', 112_000);
    desk.tell({ kind: 'revise-run', run, by: 'asha' });
    desk.restart({ ...deskSettings(), runs: [run] });
    desk.run(2 * MINUTE);
    expect(desk.slots()).toEqual(quoted);
  });

  test('but a slipped decimal is reported', () => {
    const desk = leftBehind();
    desk.shows.books[BTC] = [1_119_000, 1_121_000];
    desk.tell({ kind: 'revise-run', run: runBy('mid'), by: 'asha' });
    desk.run(2 * MINUTE);
    expect(marketIn(desk.state().durable, BTC).halt?.code).toBe('price');
  });
});

describe('a level is moved out', () => {
  test('its two orders are replaced, the inner ones stay', () => {
    const desk = begun();
    desk.run(20_000);
    const before = bySlot(desk);
    expect([...before.keys()].sort()).toEqual(['buy:0', 'buy:1', 'sell:0', 'sell:1']);
    const from = desk.events.length;
    desk.tell({ kind: 'revise-run', run: runWith({ halfSpreadStepBps: 150 }), by: 'asha' });
    desk.run(60_000);
    const after = bySlot(desk);
    expect(after.get('buy:0')).toEqual(before.get('buy:0'));
    expect(after.get('sell:0')).toEqual(before.get('sell:0'));
    expect(after.get('buy:1')?.price).toBe(96_500);
    expect(after.get('sell:1')?.price).toBe(103_500);
    expect(sentSince(desk, from)).toBe(4);
  });

  test('orders name the revision by which they were placed, and the journal who changed what', () => {
    const desk = begun();
    desk.run(20_000);
    desk.tell({ kind: 'revise-run', run: runWith({ halfSpreadStepBps: 150 }), by: 'asha' });
    desk.run(60_000);
    expect([...bySlot(desk).entries()].map(([slot, { revision }]) => `${slot} ${revision}`).sort()).toEqual([
      'buy:0 1',
      'buy:1 2',
      'sell:0 1',
      'sell:1 2',
    ]);
    expect(revisionOf(desk.state().durable, BTC)).toBe(2);
    expect(desk.events.filter(({ type }) => type === 'run-revised').at(-1)?.payload).toMatchObject({
      ...{ symbol: BTC, revision: 2, by: 'asha' },
      changes: [{ path: 'params.halfSpreadStepBps', from: '100', to: '150' }],
    });
    expect(desk.notices.map(({ message }) => message)).toContain(
      'BTC/INR is quoted by revision 2 of its parameters, changed by asha: params.halfSpreadStepBps 100 → 150.',
    );
  });
});

test('a preview of the decision changes nothing', () => {
  const desk = begun();
  desk.run(20_000);
  const { decision, inputs, version } = marketOf(desk.state(), BTC);
  const events = desk.events.length;
  const wouldBe = decisionUnder(desk.state(), runWith({ halfSpreadStepBps: 150 }), desk.now());
  expect(wouldBe.result?.quotes.map(({ price }) => price.toNumber()).sort()).toEqual([
    102_000, 103_500, 96_500, 98_000,
  ]);
  expect(wouldBe.creates.length + wouldBe.cancels.length).toBeGreaterThan(0);
  expect(marketOf(desk.state(), BTC)).toMatchObject({ version });
  expect(marketOf(desk.state(), BTC).decision).toBe(decision);
  expect(marketOf(desk.state(), BTC).inputs).toBe(inputs);
  expect(desk.events).toHaveLength(events);
  expect(runOf(desk.state(), BTC).parameters['params.halfSpreadStepBps']).toBe('100');
});

test('the same parameters are no revision', () => {
  const desk = begun();
  desk.run(20_000);
  const events = desk.events.length;
  desk.tell({ kind: 'revise-run', run: runWith({}), by: 'asha' });
  expect(desk.events).toHaveLength(events);
});

describe('parameters that can’t change while the bot runs', () => {
  test('another strategy', () => {
    const run = runWith({});
    const other = { ...run, parameters: { ...run.parameters, strategy: 'join-best' } };
    expect(whyNotRevised(marketOf(begun().state(), BTC), other)).toBe(
      "BTC/INR: strategy fixed-spread → join-best can't change while the bot runs.",
    );
  });

  test("the watchdog's bound of orders", () => {
    const run = runWith({});
    const more = { ...run, parameters: { ...run.parameters, 'limits.maxOpenOrders': '9' } };
    expect(whyNotRevised(marketOf(begun().state(), BTC), more)).toMatch(/limits\.maxOpenOrders unset → 9 can't change/);
  });

  test('the reads it needs', () => {
    const run: RunSettings = { ...runWith({}), referenceSource: 'lastTrade' };
    expect(whyNotRevised(marketOf(begun().state(), BTC), run)).toMatch(/its strategy needs other reads than now/);
  });
});

test('a start with other parameters is a revision; one with the same is none', () => {
  const desk = begun();
  expect(marketIn(desk.state().durable, BTC).revision).toMatchObject({ number: 1 });
  desk.restart();
  expect(revisionOf(desk.state().durable, BTC)).toBe(1);
  desk.restart(withParams({ halfSpreadBps: 250 }));
  expect(revisionOf(desk.state().durable, BTC)).toBe(2);
  expect(desk.events.filter(({ type }) => type === 'run-revised').at(-1)?.payload).toMatchObject({ by: 'start' });
});

test('changes lead from one to the other', () => {
  const before = { 'params.a': '1', 'limits.b': '2' };
  const after = { 'params.a': '3', 'limits.c': '4' };
  const changes = changesBetween(before, after);
  expect(changes).toEqual([
    { path: 'limits.b', from: '2', to: null },
    { path: 'limits.c', from: null, to: '4' },
    { path: 'params.a', from: '1', to: '3' },
  ]);
  expect(withChanges(before, changes)).toEqual(after);
});
