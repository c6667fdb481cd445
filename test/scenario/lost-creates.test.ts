// The stories of creates whose answers are lost: an order is found by its name, which is its side, price and quantity.
// A bid and an ask of 1,000 INR, 2 % from the middle; every list may trail by 5 s, and the exchange takes a request for
// 4.5 s.
import { describe } from '@jest/globals';
import { story } from './trader-table.ts';

describe('names', () => {
  story(
    'no two orders that may be live have the same quantity, whatever their sides and prices',
    `
    set     orderSize "20000"
    set     levels 2
    book    99000 | 101000
    start
    run     3
    quotes  → buy:0 0.1998 @ 98000 open | buy:1 0.1996 @ 97500 open | sell:0 0.1997 @ 102000 open | sell:1 0.1995 @ 102500 open
  `,
  );
});

describe('the order of a lost create', () => {
  story(
    'is found by its name, beside an order of the owner’s at its price',
    `
    book    99000 | 101000
    next    lost-done
    start
    owner   buy 0.0075 @ 98000
    run     3
    quotes  → buy:0 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
    venue   → buy 0.0075 @ 98000 | buy 0.01 @ 98000 | sell 0.01 @ 102000
    halt    → none
  `,
  );

  story(
    'and the owner’s order of the same name: a person is asked, and neither is canceled',
    `
    book    99000 | 101000
    next    lost-done
    start
    run     0.1
    owner   buy 0.01 @ 98000
    run     20
    halt    → order-unknown
    asked   → 1-100-1, 1-101-1
    venue   → buy 0.01 @ 98000 | buy 0.01 @ 98000
  `,
  );
});

describe('an order at the price of a lost create that no list has shown', () => {
  story(
    'is its own where its trades add up to the name',
    `
    book    99000 | 101000
    lag     orders 4
    next    lost-done
    start
    run     0.1
    trades  1-100-1 0.0025
    trades  1-100-1 0.0075
    run     3
    told    → opened, ready, unknown, accepted, adopted, fill, closed
    held    → 1.01 BTC 999010.2 INR
    halt    → none
  `,
  );

  story(
    'is the owner’s where it filled in part and ended: the create is proved never placed, and nobody is asked',
    `
    book    99000 | 101000
    lag     orders 4
    next    lost-done
    start
    run     0.1
    trades  1-100-1 0.0025
    ends    1-100-1
    run     30
    held    → 1.0025 BTC 999752.55 INR
    halt    → none
    asked   →
    # Another order stood in for it meanwhile.
    venue   → buy 0.0099 @ 97999 | sell 0.01 @ 102000
  `,
  );
});

describe('a create that the exchange takes twice (F11)', () => {
  story(
    'on a shared account: the second order has the name of the first, a person is asked, and it is left alone',
    `
    book    99000 | 101000
    twice
    start
    run     3
    halt    → order-unknown
    asked   → 1-101-1
    run     10
    venue   → buy 0.01 @ 98000
  `,
  );

  story(
    'on an account that is the bot’s alone: the second order is canceled, and quoting goes on',
    `
    alone
    book    99000 | 101000
    twice
    start
    run     10
    halt    → none
    venue   → buy 0.01 @ 98000 | sell 0.01 @ 102000
  `,
  );

  story(
    'on an account that is the bot’s alone, and without an answer: one is its order, the other one is canceled',
    `
    alone
    book    99000 | 101000
    twice
    next    lost-done
    start
    run     20
    halt    → none
    venue   → buy 0.01 @ 98000 | sell 0.01 @ 102000
  `,
  );
});
