// A band of prices outside of which nothing is bid above, or asked below: fixed, moving, or both.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { quotingSettingsSchema } from '../../../src/quoting/quoting-settings.ts';
import { becomes, NOW, type Situation, wordsOf } from './market.ts';

const PAIR = ['buy:0 1 @ 99', 'sell:0 1 @ 101'];

/** What the step says of the pair. */
const words = (situation: Situation): string[] => wordsOf('price band', PAIR, situation);

describe('price band', () => {
  test.each([
    [{ ceiling: '100' }, ['sell:0 1 @ 101']],
    [{ ceiling: '100.01' }, PAIR],
    [{ floor: '100' }, ['buy:0 1 @ 99']],
    [{ floor: '99.99' }, PAIR],
    [{ floor: '90', ceiling: '99' }, ['sell:0 1 @ 101']],
  ])('%j', (priceBand, expected) => {
    expect(becomes(PAIR, { settings: { priceBand } })).toEqual(expected);
  });

  test('one that moves stands around the price of its last refresh', () => {
    // Refreshed at whole minutes; the present one began up to a minute ago.
    const began = Math.floor(NOW / 60_000) * 60_000;
    const at = (price: string, fixed: { floor?: string; ceiling?: string } = {}): Situation => ({
      settings: { priceBand: { bandBps: 200, bandRefreshMs: 60_000, ...fixed } },
      view: { references: [{ at: began - 3_000, price: decimal(price) }] },
    });
    expect(becomes(PAIR, at('100'))).toEqual(PAIR);
    expect(becomes(PAIR, at('98'))).toEqual(['sell:0 1 @ 101']);
    expect(becomes(PAIR, at('102.05'))).toEqual(['buy:0 1 @ 99']);
    expect(words(at('98'))).toEqual(['The reference price of 100 is at its ceiling of 99.96: no bid.']);
    // Beside one that is fixed the tighter of the two holds.
    expect(becomes(PAIR, at('100', { floor: '98.5', ceiling: '99.5' }))).toEqual(['sell:0 1 @ 101']);
    expect(becomes(PAIR, at('100', { floor: '100.5', ceiling: '102.5' }))).toEqual(['buy:0 1 @ 99']);
    expect(becomes(PAIR, at('98', { ceiling: '110' }))).toEqual(['sell:0 1 @ 101']);
    expect(becomes(PAIR, at('102.05', { floor: '90' }))).toEqual(['buy:0 1 @ 99']);
    const unknown = { settings: { priceBand: { bandBps: 200, bandRefreshMs: 60_000 } } };
    expect(becomes(PAIR, unknown)).toEqual(PAIR);
    expect(words(unknown)[0]).toContain('not known yet');
  });

  test.each([
    [{ floor: '100', ceiling: '100' }, 'The floor must be below the ceiling.'],
    [{ bandRefreshMs: 60_000 }, 'A band wants a floor, a ceiling or bandBps.'],
  ])('%j is refused', (priceBand, message) => {
    const read = quotingSettingsSchema.safeParse({ priceBand });
    expect(read.success ? [] : read.error.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
