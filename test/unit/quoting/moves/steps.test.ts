import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { QuoteLine, quoteText, shown } from '../../../../src/quoting/pipeline/draft.ts';
import { skewRatios } from '../../../../src/quoting/pipeline/inventory-steps.ts';
import { instrument } from '../market.ts';

const steps = { ...instrument, tickSize: decimal('0.1'), lotSize: decimal('0.01'), minNotional: decimal('10') };
const quote = (price: string, quantity: string) => ({
  ...({ side: 'buy', level: 1, price: decimal(price), quantity: decimal(quantity) } as const),
});

test('numbers are shown with two digits beyond their step', () => {
  expect(shown(decimal('1.23456'), decimal('0.1'))).toBe('1.235');
  expect(shown(decimal('1.234'), decimal('0.1'))).toBe('1.234');
  expect(quoteText(quote('1.23456', '0.1234567'), steps)).toBe('0.1235 @ 1.235');
});

test('a line about a quote is the same in JSON as where it is read', () => {
  const change = { name: 'round', quote: quote('100.05', '1'), after: quote('100', '1'), why: 'So.' };
  const line = { name: 'round', slot: 'buy:1', before: '1 @ 100.05', after: '1 @ 100', why: 'So.' };
  expect(JSON.parse(JSON.stringify(new QuoteLine(change, steps)))).toEqual(line);
  const { name, slot, before, after, why } = new QuoteLine({ ...change, before: '7', after: null }, steps);
  expect({ name, slot, before, after, why }).toEqual({ ...line, before: '7', after: 'no quote' });
});

describe('sizes lean', () => {
  // At a price of 10, with orders of 2 and a multiplier of 3 the range is 60, or half of what is held.
  test.each<[string, { base: string; quote: string; target: string }, string, string]>([
    ['not at the target', { base: '10', quote: '100', target: '10' }, '1', '1'],
    ['to the bids below it', { base: '7', quote: '130', target: '10' }, '1.5', '0.5'],
    ['to the asks above it', { base: '13', quote: '70', target: '10' }, '0.5', '1.5'],
    ['to the bids alone a whole range below it', { base: '4', quote: '160', target: '10' }, '2', '0'],
    ['no farther below that', { base: '1', quote: '190', target: '10' }, '2', '0'],
    ['to the asks alone a whole range above it', { base: '16', quote: '40', target: '10' }, '0', '2'],
    ['no farther above that', { base: '19', quote: '10', target: '10' }, '0', '2'],
    ['within half of what is held', { base: '5', quote: '50', target: '2.5' }, '0.5', '1.5'],
    ['within the target, from below', { base: '1', quote: '190', target: '2' }, '1.5', '0.5'],
    ['not where nothing is held', { base: '0', quote: '0', target: '0' }, '1', '1'],
    ['not where nothing is wanted and nothing is held of it', { base: '0', quote: '100', target: '0' }, '1', '1'],
  ])('%s', (_, held, buy, sell) => {
    const { base, quote: cash, target } = held;
    const ratios = skewRatios({
      ...{ base: decimal(base), quote: decimal(cash), target: decimal(target) },
      ...{ price: decimal('10'), orderSize: decimal('2'), multiplier: 3 },
    });
    expect([ratios.buy.toFixed(), ratios.sell.toFixed()]).toEqual([buy, sell]);
  });

  test('not without orders', () => {
    const held = { base: decimal('1'), quote: decimal('10'), target: decimal('5') };
    const ratios = skewRatios({ ...held, price: decimal('10'), orderSize: decimal('0'), multiplier: 3 });
    expect([ratios.buy.toFixed(), ratios.sell.toFixed()]).toEqual(['1', '1']);
  });
});
