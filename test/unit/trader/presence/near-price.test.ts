// How far from the price an order may rest to be a fresh quote: what the strategy says, or else what it wants.
import { expect, test } from '@jest/globals';
import type { Strategy } from '../../../../src/quoting/strategy.ts';
import { noteRanges } from '../../../../src/trader/presence/presence.ts';
import { marketOf, runOf } from '../../../../src/trader/state/state.ts';
import { startTime } from '../../../../src/trader/state/time-account.ts';
import { strategy } from '../../../../strategies/fixed-spread.ts';
import { BTC } from '../desk-settings.ts';
import { quotingDesk } from '../trader-kit.ts';

/** 2 % from the middle of 100,000 is wanted; 10 bps of tolerance, 20 away from the market. */
function rangeWith(widthBps: Strategy['widthBps']): string[] {
  const state = quotingDesk().state();
  const { widthBps: _, ...rest } = strategy as Strategy;
  const run = { ...runOf(state, BTC), strategy: widthBps === undefined ? rest : { ...rest, widthBps } };
  const time = startTime(0);
  noteRanges(time, marketOf(state, BTC).decision, run);
  const { buy, sell } = time.ranges;
  return [buy?.least, buy?.most, sell?.least, sell?.most].map((price) => String(price?.toFixed()));
}

const WANTED = ['97800', '100000', '100000', '102200'];

test.each<[string, Strategy['widthBps'], readonly string[]]>([
  ['nothing: the outermost quote that is wanted', undefined, WANTED],
  ['more than it wants now', () => 300, ['96800', '100000', '100000', '103200']],
  ['less: costs moved the quote out', () => 50, WANTED],
  ['no number', () => Number.NaN, WANTED],
  [
    'an error',
    () => {
      throw new Error('no');
    },
    WANTED,
  ],
])('the strategy says %s', (_what, widthBps, range) => {
  expect(rangeWith(widthBps)).toEqual(range);
});
