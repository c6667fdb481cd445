// Public trades for tests.
import { decimal } from '../../../src/domain/decimal.ts';
import type { PublicTrade } from '../../../src/domain/fill.ts';
import type { Side } from '../../../src/domain/order.ts';

/** `buy 1.5 @ 100 at 7`: taker side, quantity, price, and time in ms. */
export function trade(text: string): PublicTrade {
  const [side, quantity = '', , price = '', , time] = text.split(' ');
  return {
    takerSide: side === 'buy' ? 'buy' : 'sell',
    quantity: decimal(quantity),
    price: decimal(price),
    venueTime: Number(time),
  };
}

export const tradeAt = (venueTime: number, price: number, takerSide: Side = 'buy'): PublicTrade => ({
  price: decimal(price),
  quantity: decimal(1),
  takerSide,
  venueTime,
});

/** What a trade is, as text that can be compared. */
export const shown = ({ takerSide, quantity, price, venueTime }: PublicTrade): string =>
  `${takerSide} ${quantity.toFixed()} @ ${price.toFixed()} at ${venueTime}`;
