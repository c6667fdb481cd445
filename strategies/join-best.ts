// Joins the best bid and the best ask of others with one order each. How little a strategy needs: the pipeline moves
// the quotes out to what fees and tax cost, rounds them, fits them to the funds and keeps them off the other side.
import { z } from 'zod';
import type { Decimal } from '../src/domain/decimal.ts';
import { touchOf } from '../src/domain/order-book.ts';
import { amount } from '../src/quoting/amount.ts';
import { defineStrategy } from '../src/quoting/strategy.ts';

export const strategy = defineStrategy<{ orderSizeBase: Decimal }>({
  name: 'join-best',
  params: z
    .object({ orderSizeBase: amount('positive', 'base').describe('Size of each of the two orders, in base.') })
    .describe('One order at each best price of others.'),
  ignoresNow: true,
  quote(view, { orderSizeBase: quantity }) {
    const touch = touchOf(view.book);
    if (touch === null) return { quotes: [], explain: [] };
    const bid = { side: 'buy', level: 0, price: touch.bid.price, quantity } as const;
    const ask = { side: 'sell', level: 0, price: touch.ask.price, quantity } as const;
    return { quotes: [bid, ask], explain: [] };
  },
});
