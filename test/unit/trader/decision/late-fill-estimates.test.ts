// Own fills that are known late: where their orders rested is measured from the price of when they happened.
import { expect, test } from '@jest/globals';
import { MINUTE, SECOND } from '../../../../src/domain/time.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { deskWith, fillNow, inSlot, makeReady, unknown } from '../trader-kit.ts';

test.each([
  ['is measured from the last price before it', 20 * SECOND, [1, 200]],
  ['is not measured where none was known then', 5 * MINUTE, [0, 0]],
])('one of an outage, after which the price is another one, %s', (_does, afterMs, expected) => {
  const settings = deskSettings();
  const runs = settings.runs.map((run) => ({
    ...run,
    strategy: { ...run.strategy, needs: () => ({ trades: true }) },
  }));
  const desk = deskWith({ ...settings, runs });
  makeReady(desk);
  desk.run(5_000);
  const fault = { sent: true, reason: 'timeout', detail: 'No answer.' } as const;
  desk.reply = ({ kind }) => (kind === 'create' || kind === 'cancel' ? unknown : { kind: 'failed', fault });
  desk.run(afterMs, 1_000);
  fillNow(desk, inSlot(desk, 'buy:0'));
  desk.run(10 * MINUTE - afterMs, 1_000);
  desk.reply = () => undefined;
  desk.shows.books[BTC] = [96_500, 98_500];
  desk.look('book');
  desk.run(20_000);
  const { fills, fillsBps } = marketOf(desk.state(), BTC).knowledge.noted.own.buy;
  expect(marketOf(desk.state(), BTC).lastGoodReference?.toFixed()).toBe('97500');
  expect([fills, fills && fillsBps / fills].map((each) => Math.round(each))).toEqual(expected);
});
