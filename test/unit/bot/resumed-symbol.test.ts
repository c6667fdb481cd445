// Valid values of --resume.
import { describe, expect, test } from '@jest/globals';
import { resumedSymbol } from '../../../src/bot/commands/run.ts';
import { decimal } from '../../../src/domain/decimal.ts';

describe('--resume', () => {
  test('takes a symbol, a price for it, and several of them', () => {
    const first = resumedSymbol('BTC/INR@5600000.5');
    expect(first).toEqual([{ symbol: 'BTC/INR', price: decimal('5600000.5') }]);
    expect(resumedSymbol('ETH/INR', first)).toEqual([...first, { symbol: 'ETH/INR', price: null }]);
  });

  test.each([
    ['btc', '"btc" is not a symbol such as BTC/INR, or a symbol and a price such as BTC/INR@5600000.'],
    ['BTC/INR@1@2', '"BTC/INR@1@2" is not a symbol such as BTC/INR, or a symbol and a price such as BTC/INR@5600000.'],
    ['BTC/INR@', '"" is not a price of BTC/INR: a number above 0 was expected.'],
    ['BTC/INR@5,600,000', '"5,600,000" is not a price of BTC/INR: a number above 0 was expected.'],
    ['BTC/INR@0', '"0" is not a price of BTC/INR: a number above 0 was expected.'],
    ['BTC/INR@-1', '"-1" is not a price of BTC/INR: a number above 0 was expected.'],
  ])('refuses %s with a sentence', (text, sentence) => {
    expect(() => resumedSymbol(text)).toThrow(sentence);
  });

  test('refuses a symbol that is named twice', () => {
    const first = resumedSymbol('BTC/INR@1');
    expect(() => resumedSymbol('BTC/INR@2', first)).toThrow('BTC/INR is named twice.');
  });
});
