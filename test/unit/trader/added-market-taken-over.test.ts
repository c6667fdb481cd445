// A journal from a backup of before a market was added, whose orders there a person takes over.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { BOTH, codes, INEXACT, move, putBack } from './added-market-kit.ts';
import { ETH } from './desk-settings.ts';

const MINUTE = 60_000;

describe('an order that is taken over in a market that waits to be opened', () => {
  test.each([{ waits: true }, { waits: false }])(
    'is canceled, as a person was promised (waits: $waits)',
    ({ waits }) => {
      // An amount that is not exact keeps the market from being opened.
      const desk = putBack({ side: 'buy', price: decimal(9_700) }, (each) => waits && move(each, 'ETH', INEXACT));
      desk.restart(BOTH, [], 0, { answer: 'adopt' });
      desk.look('book', 'orders');
      desk.run(10 * MINUTE, 500);
      expect(codes(desk, ETH).includes('starting')).toBe(waits);
      expect(desk.shows.orders.map(({ orderId: id }) => id)).not.toContain('1-900-1');
    },
  );
});
