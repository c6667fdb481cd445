// Check 14: losses since the session began, since midnight UTC and below the peak, of own fills alone, exact, over
// restarts.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { DAY } from '../../../src/domain/time.ts';
import { valueText } from '../../../src/ledger/amount.ts';
import { lossesOf } from '../../../src/trader/decision/limits.ts';
import { marketIn } from '../../../src/trader/durable/market.ts';
import { marketOf } from '../../../src/trader/state/state.ts';
import { wakeAt } from '../../../src/trader/turns/next.ts';
import { stepsAtMost } from '../steps-at-most.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import { haltsIn } from './durable-kit.ts';
import { type Desk, fillNow, inSlot, quotingDesk } from './trader-kit.ts';

const limited = (limits: Record<string, string>) => deskSettings({ limits });
/** Wide enough never to be met: what is lost is measured all the same. */
const WIDE = { maxSessionLoss: '1000', maxDayLoss: '1000', maxDrawdown: '1000' };

const haltOf = (desk: Desk) => marketIn(desk.state().durable, BTC).halt?.code;
const losses = (desk: Desk): Record<string, string> =>
  Object.fromEntries(
    lossesOf(desk.state(), marketOf(desk.state(), BTC)).map(({ code, loss }) => [code, valueText(loss)]),
  );

/** The middle of the market goes there in steps that are no jump. */
function moveTo(desk: Desk, mid: number): void {
  const step = stepsAtMost();
  for (;;) {
    step();
    const [bid, ask] = desk.shows.books[BTC] ?? [0, 0];
    const from = (bid + ask) / 2;
    if (from === mid) break;
    const to = Math.abs(mid - from) <= 5_000 ? mid : from + Math.sign(mid - from) * 5_000;
    desk.shows.books[BTC] = [to - 1_000, to + 1_000];
    desk.run(2_000);
  }
}

/** A bid of 0.01 at 98,000 has filled at a mid of 100,000: 20 of spread less a fee of 9.8. */
function withInventory(settings = limited(WIDE)): Desk {
  const desk = quotingDesk(settings);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(3_000);
  return desk;
}

/** Other limits, of which the parameters tell. */
function revise(desk: Desk, limits: Record<string, string>): void {
  const [run] = limited(limits).runs;
  if (run === undefined) throw new Error('No run.');
  const parameters = { ...limits, maxOrderQuantity: '10' };
  desk.tell({ kind: 'revise-run', run: { ...run, parameters }, by: 'asha' });
}

describe('the loss', () => {
  test('is nothing before the first fill, and a profit counts as a loss below zero', () => {
    const desk = quotingDesk(limited(WIDE));
    expect(losses(desk)).toEqual({ 'loss-session': '0', 'loss-day': '0', 'loss-drawdown': '0' });
    fillNow(desk, inSlot(desk, 'buy:0'));
    desk.run(3_000);
    expect(losses(desk)).toEqual({ 'loss-session': '-10.2', 'loss-day': '-10.2', 'loss-drawdown': '0' });
  });

  test('is exact: fees, and holdings at the reference price', () => {
    const desk = withInventory();
    moveTo(desk, 95_000);
    // 0.01 × (98,000 − 95,000) + 9.8
    expect(losses(desk)).toEqual({ 'loss-session': '39.8', 'loss-day': '39.8', 'loss-drawdown': '50' });
  });

  test('does not change while there is no price, and nothing is quoted meanwhile', () => {
    const desk = withInventory();
    const before = losses(desk);
    desk.shows.books[BTC] = null;
    desk.run(5_000);
    expect(losses(desk)).toEqual(before);
    expect(desk.shows.orders).toEqual([]);
  });

  test.each<[string, readonly [number, number] | null | 'no answer']>([
    ['there is no price', null],
    ['the price has jumped', [9_900, 10_100]],
    ['the book is too old', 'no answer'],
  ])('does not take in a fill while %s, and does when it is well again', (_words, book) => {
    const desk = withInventory();
    const before = losses(desk);
    if (book === 'no answer') desk.pass(6_000);
    else {
      desk.shows.books[BTC] = book;
      desk.look('book');
    }
    wakeAt(desk.state(), 'private', desk.now());
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.004') });
    desk.look('trades');
    expect(marketIn(desk.state().durable, BTC).tally.sells).toBe(1);
    expect(losses(desk)).toEqual(before);
    desk.shows.books[BTC] = [99_000, 101_000];
    desk.run(15_000);
    // 0.004 × (102,000 − 100,000) less a fee of 4.08 is earned beside what was.
    expect(losses(desk)['loss-session']).toBe('-14.12');
  });

  test('does not follow a price that jumped and is not confirmed', () => {
    const desk = withInventory(limited({ ...WIDE, maxDrawdown: '100' }));
    desk.shows.books[BTC] = [9_900, 10_100];
    desk.run(5_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(losses(desk)['loss-drawdown']).toBe('0');
  });

  test("never includes the owner's withdrawals, nor his deposits as profit", () => {
    const desk = withInventory();
    const before = losses(desk);
    desk.shows.balances.INR = desk.shows.balances.INR?.sub(500_000) ?? decimal(0);
    desk.shows.balances.BTC = desk.shows.balances.BTC?.add(3) ?? decimal(0);
    desk.restart(limited(WIDE));
    desk.run(30_000);
    expect(desk.state().durable.differences.byAsset.size).toBe(2);
    expect(losses(desk)).toEqual(before);
  });
});

describe('a limit', () => {
  test.each([
    [
      'maxSessionLoss',
      '39',
      'Session loss (since the session began) was 39.8 INR; its limit maxSessionLoss is 39 INR.',
    ],
    ['maxDayLoss', '39', 'Day loss (since midnight UTC) was 39.8 INR; its limit maxDayLoss is 39 INR.'],
    ['maxDrawdown', '49', 'Drawdown (below the highest profit so far) was 50 INR; its limit maxDrawdown is 49 INR.'],
  ])('%s halts the symbol, cancels, and calls a person', (key, limit, reason) => {
    const desk = withInventory(limited({ [key]: limit }));
    moveTo(desk, 95_000);
    expect(haltOf(desk)).toBe('loss');
    expect(haltsIn(desk.state().durable).get(BTC)).toBe(reason);
    expect(desk.shows.orders).toEqual([]);
    expect(desk.notices.filter(({ op, level }) => op === 'symbol-halted' && level === 'page')).toHaveLength(1);
    const creates = desk.sent.filter(({ chosen }) => chosen.request.kind === 'create').length;
    moveTo(desk, 105_000);
    expect(desk.sent.filter(({ chosen }) => chosen.request.kind === 'create')).toHaveLength(creates);
  });

  test('is reached at the last paisa and not before', () => {
    const safe = withInventory(limited({ maxSessionLoss: '39.800001' }));
    moveTo(safe, 95_000);
    expect(haltOf(safe)).toBeUndefined();
    const met = withInventory(limited({ maxSessionLoss: '39.8' }));
    moveTo(met, 95_000);
    expect(haltOf(met)).toBe('loss');
  });

  test('counts a change of tax treatment neither as loss nor as profit', () => {
    const treated = (taxTreatment: 'cost' | 'credit', limits: Record<string, string> = { maxDrawdown: '100' }) => {
      const settings = limited(limits);
      return { ...settings, runs: settings.runs.map((run) => ({ ...run, taxTreatment })) };
    };
    const desk = withInventory(treated('credit'));
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001'), tds: decimal(250), commission: decimal(0) });
    desk.run(5_000);
    moveTo(desk, 98_000);
    const before = losses(desk)['loss-drawdown'];
    desk.restart(treated('cost'));
    desk.run(10_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(losses(desk)['loss-drawdown']).toBe(before);
    moveTo(desk, 96_000);
    desk.restart(treated('credit'));
    desk.run(10_000);
    // What is held, 0.009, lost 2,000 in price.
    expect(Number(losses(desk)['loss-drawdown'])).toBeCloseTo(Number(before) + 18, 9);
    fillNow(desk, inSlot(desk, 'sell:0'), { quantity: decimal('0.001'), tds: decimal(250), commission: decimal(0) });
    desk.run(5_000);
    desk.restart(treated('cost'));
    desk.run(10_000);
    expect(haltOf(desk)).toBeUndefined();
  });

  test('on the session goes on after a crash, and begins anew after a clean stop', () => {
    const settings = limited({ maxSessionLoss: '100' });
    const desk = withInventory(settings);
    moveTo(desk, 95_000);
    desk.restart(settings);
    desk.run(10_000);
    expect(losses(desk)['loss-session']).toBe('39.8');
    desk.tell({ kind: 'stop' });
    desk.run(60_000);
    expect(desk.state().durable.journal.endedFlat).toBe(true);
    desk.restart(settings);
    desk.run(10_000);
    expect(losses(desk)['loss-session']).toBe('0');
    expect(losses(desk)['loss-drawdown']).toBe('50');
  });

  test('on the day begins at midnight UTC with the last known profit, so that no loss falls between two days', () => {
    const settings = limited({ maxDayLoss: '100' });
    const desk = withInventory(settings);
    moveTo(desk, 95_000);
    desk.pass(DAY);
    desk.shows.books[BTC] = [92_000, 94_000];
    desk.restart(settings);
    desk.run(10_000);
    expect(losses(desk)['loss-day']).toBe('20');
    expect(losses(desk)['loss-session']).toBe('59.8');
  });

  test('on the day, set after days without one, only counts this day', () => {
    const desk = withInventory(limited({ maxDayLoss: '100' }));
    revise(desk, {});
    moveTo(desk, 86_000);
    desk.pass(2 * DAY);
    desk.run(5_000);
    revise(desk, { maxDayLoss: '100' });
    desk.run(5_000);
    expect(losses(desk)['loss-day']).toBe('0');
    moveTo(desk, 84_000);
    expect(losses(desk)['loss-day']).toBe('20');
  });

  test('on the day, lowered or set again on the same day, keeps the whole day', () => {
    const desk = withInventory(limited({ maxDayLoss: '1000' }));
    moveTo(desk, 95_000);
    revise(desk, { maxDayLoss: '900' });
    desk.run(5_000);
    expect(losses(desk)['loss-day']).toBe('39.8');
    revise(desk, {});
    moveTo(desk, 90_000);
    revise(desk, { maxDayLoss: '900' });
    desk.run(5_000);
    expect(losses(desk)['loss-day']).toBe('89.8');
  });

  test('holds over restarts until a person resumes, whose losses begin anew', () => {
    const settings = limited({ maxDayLoss: '39' });
    const desk = withInventory(settings);
    moveTo(desk, 95_000);
    desk.restart(settings);
    desk.run(10_000);
    expect(haltOf(desk)).toBe('loss');
    expect(desk.shows.orders).toEqual([]);
    desk.restart(settings, [{ symbol: BTC, price: null }]);
    desk.run(10_000);
    expect(haltOf(desk)).toBeUndefined();
    expect(losses(desk)['loss-day']).toBe('0');
    expect(desk.shows.orders.length).toBeGreaterThan(0);
  });

  test('reached while the symbol was halted for another reason halts it again once that is resumed', () => {
    const settings = limited({ maxDayLoss: '39' });
    const desk = withInventory(settings);
    desk.shows.books[BTC] = [990_000, 1_010_000];
    desk.run(70_000, 250);
    expect(haltOf(desk)).toBe('price');
    desk.shows.books[BTC] = [94_000, 96_000];
    desk.restart(settings, [{ symbol: BTC, price: decimal('95000') }]);
    desk.run(10_000);
    expect(haltOf(desk)).toBe('loss');
  });

  test('is measured as often as needed: a calm market records no marks', () => {
    const desk = withInventory();
    const marks = () => desk.events.filter(({ type }) => type === 'profit-marked').length;
    const before = marks();
    for (const mid of [100_010, 100_000, 100_020, 100_000]) moveTo(desk, mid);
    expect(marks()).toBe(before);
  });
});
