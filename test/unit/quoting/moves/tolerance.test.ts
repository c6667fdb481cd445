import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../../src/domain/decimal.ts';
import { intentId } from '../../../../src/domain/ids.ts';
import type { Side } from '../../../../src/domain/order.ts';
import { innermostOf, type LiveOrder, outermost, outwardBy } from '../../../../src/quoting/live-order.ts';
import { priceDrift, priceToleranceAwayBps, sizeDrift, tolerancesFrom } from '../../../../src/quoting/moves/diff.ts';
import { diffSettingsSchema } from '../../../../src/quoting/moves/refresh-settings.ts';

const settings = diffSettingsSchema.parse({ priceToleranceBps: 10 });
const tolerances = tolerancesFrom(settings, 0);

const order = (side: Side, price: string, remaining = '1'): LiveOrder => ({
  ...{ intentId: intentId('1-1'), slot: `${side}:0`, side, price: decimal(price), quantity: decimal('2') },
  ...{ remaining: decimal(remaining), sentAt: 0, status: 'open' },
});
const quote = (side: Side, price: string, quantity = '1') => ({
  ...{ side, level: 0, price: decimal(price), quantity: decimal(quantity) },
});

describe('an order moves', () => {
  test.each<[string, Side, string, boolean]>([
    ['a bid that is nearer by all that is tolerated', 'buy', '999', false],
    ['a bid that is nearer by more', 'buy', '998.99', true],
    ['a bid that is farther by all that is tolerated', 'buy', '1002', false],
    ['a bid that is farther by more', 'buy', '1002.01', true],
    ['an ask that is nearer by all that is tolerated', 'sell', '1001', false],
    ['an ask that is nearer by more', 'sell', '1001.01', true],
    ['an ask that is farther by all that is tolerated', 'sell', '998', false],
    ['an ask that is farther by more', 'sell', '997.99', true],
    ['one at its price', 'buy', '1000', false],
  ])('at 1000 and as tolerances have it: %s', (_, side, wanted, moves) => {
    expect(priceDrift(order(side, '1000'), quote(side, wanted), tolerances) !== null).toBe(moves);
  });

  test.each<[string, string, string, boolean]>([
    ['a tenth more left than is wanted', '1', '0.9', false],
    ['more than that', '1', '0.89', true],
    ['half of what is wanted', '1', '2', false],
    ['less than that', '1', '2.01', true],
    ['just what is wanted', '1', '1', false],
  ])('for its size as well: it has %s', (_, remaining, wanted, moves) => {
    expect(sizeDrift(order('buy', '1000', remaining), quote('buy', '1000', wanted)) !== null).toBe(moves);
  });

  test('and says why', () => {
    expect(priceDrift(order('buy', '1000'), quote('buy', '990'), tolerances)).toBe(
      '990 is wanted, farther from the market by more than 10 bps of its 1000.',
    );
    expect(priceDrift(order('sell', '1000'), quote('sell', '990'), tolerances)).toBe(
      '990 is wanted, nearer to the market by more than 20 bps of its 1000.',
    );
    expect(sizeDrift(order('sell', '1000', '0.5'), quote('sell', '1000', '3'))).toBe(
      'A size of 3 is wanted and 0.5 of it remains.',
    );
  });
});

describe('tolerances', () => {
  test.each([
    [0, '0.001', '0.002'],
    [15, '0.0015', '0.002'],
    [40, '0.004', '0.004'],
  ])('are never smaller than the %i bps that the price travels meanwhile', (travelBps, nearer, farther) => {
    const made = tolerancesFrom(settings, travelBps);
    expect([made.nearer, made.farther].map(String)).toEqual([nearer, farther]);
  });

  test('away from the market are twice those toward it', () => {
    expect(priceToleranceAwayBps(settings)).toBe(20);
  });
});

describe('outwards', () => {
  test('is down for a bid and up for an ask', () => {
    expect(outwardBy('buy', decimal(100), decimal(3)).toFixed()).toBe('97');
    expect(outwardBy('sell', decimal(100), decimal(3)).toFixed()).toBe('103');
    expect(outermost('buy', decimal(100), decimal(99)).toFixed()).toBe('99');
    expect(outermost('sell', decimal(100), decimal(99)).toFixed()).toBe('100');
  });

  test('the innermost of a side is its best price, whatever the order', () => {
    const orders = [
      order('buy', '97'),
      order('sell', '104'),
      order('buy', '99'),
      order('buy', '98'),
      order('sell', '103'),
    ];
    expect(innermostOf('buy', orders)?.toFixed()).toBe('99');
    expect(innermostOf('sell', orders)?.toFixed()).toBe('103');
    expect(innermostOf('sell', [order('buy', '97')])).toBeNull();
  });
});
