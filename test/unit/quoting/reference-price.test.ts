import { describe, expect, test } from '@jest/globals';
import { referencePrice } from '../../../src/quoting/reference-price.ts';
import { book } from './market.ts';

const uneven = book(['99 x 3', '98 x 1'], ['101 x 1', '102 x 7']);

describe('reference price', () => {
  test.each([
    ['mid', '100'],
    ['micro', '100.5'],
    ['sizeWeightedMid', '99.66666667'],
  ] as const)('%s of 99 x 3 and 101 x 1 with 1 and 7 behind them is %s', (source, expected) => {
    expect(referencePrice(uneven, source)?.toDecimalPlaces(8).toFixed()).toBe(expected);
  });

  test('size beyond the fifth level does not count', () => {
    const levels = ['99 x 1', '98 x 1', '97 x 1', '96 x 1', '95 x 1'];
    const asks = ['101 x 1', '102 x 1', '103 x 1', '104 x 1', '105 x 1'];
    expect(referencePrice(book([...levels, '94 x 1000'], asks), 'sizeWeightedMid')?.toFixed()).toBe('100');
  });

  test.each([
    ['has no bids', book([], ['101 x 1'])],
    ['has no asks', book(['99 x 1'], [])],
    ['is empty', book([], [])],
    ['is locked', book(['100 x 1'], ['100 x 1'])],
    ['is crossed', book(['101 x 1'], ['100 x 1'])],
  ])('there is none where the book %s', (_words, empty) => {
    expect(referencePrice(empty, 'mid')).toBeNull();
    expect(referencePrice(empty, 'micro')).toBeNull();
    expect(referencePrice(empty, 'sizeWeightedMid')).toBeNull();
  });
});
