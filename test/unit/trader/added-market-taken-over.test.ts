// A journal from a backup of before a market was added, whose orders there a person takes over.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import { BOTH, codes, INEXACT, move } from './added-market-kit.ts';
import { ETH } from './desk-settings.ts';
import { quotingDesk, rowOf } from './trader-kit.ts';

const MINUTE = 60_000;

describe('an order that is taken over in a market that waits to be opened', () => {
  test.each([{ waits: true }, { waits: false }])(
    'is canceled, as a person was promised (waits: $waits)',
    ({ waits }) => {
      const desk = quotingDesk();
      desk.run(5_000);
      desk.tell({ kind: 'stop' });
      desk.run(30_000);
      desk.pass(10 * MINUTE);
      const bid = { symbol: ETH, side: 'buy', price: decimal(9_700), quantity: decimal('0.1') } as const;
      desk.shows.orders.push(rowOf(bid, '1-900-1', desk.now()));
      desk.pass(5 * MINUTE);
      const doubt = { why: 'The journal was put back from a backup.', ownMarks: new Set([orderId('1-900-1')]) };
      // An amount that is not exact keeps the market from being opened.
      if (waits) move(desk, 'ETH', INEXACT);
      desk.restart(BOTH, [], 0, { doubt });
      desk.look('book', 'orders');
      desk.run(500);
      desk.restart(BOTH, [], 0, { answer: 'adopt' });
      desk.look('book', 'orders');
      desk.run(10 * MINUTE, 500);
      expect(codes(desk, ETH).includes('market-unopened')).toBe(waits);
      expect(desk.shows.orders.map(({ orderId: id }) => id)).not.toContain('1-900-1');
    },
  );
});
