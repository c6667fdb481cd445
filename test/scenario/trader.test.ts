// The stories of the trader: a bid and an ask of 1,000 INR, 2 % from the middle, with 1 BTC and 1,000,000 INR to begin
// with. Every list may trail by 5 s, and the exchange takes a request for 4.5 s: a slot is free again only when its
// order is proved gone.
import { describe } from '@jest/globals';
import { story } from './trader-table.ts';

describe('quoting', () => {
  story(
    'two quotes, a part of one fills, the rest stays',
    `
    book    99000 | 101000
    start
    run     2
    quotes  → buy:0 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
    told    → opened, ready, accepted
    fill    buy:0 0.0005
    run     2
    # 49 INR for it, and a fee of 1 %
    quotes  → buy:0 0.0095 of 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
    held    → 1.0005 BTC 999950.51 INR
    told    → fill
  `,
  );

  story(
    'an order that is full makes room for the next',
    `
    book    99000 | 101000
    start
    run     2
    fill    sell:0 0.01
    run     2
    quotes  → buy:0 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
    held    → 0.99 BTC 1001009.8 INR
    told    → opened, ready, accepted, fill, closed
  `,
  );

  story(
    'the market moves: canceled at once, created anew when the cancel is acknowledged',
    `
    book    99000 | 101000
    start
    run     3
    book    97000 | 99000
    run     1
    quotes  → buy:0 0.01 @ 98000 closing | buy:0 0.0102 @ 96040 open | sell:0 0.01 @ 102000 closing | sell:0 0.0102 @ 99960 open
    venue   → buy 0.0102 @ 96040 | sell 0.0102 @ 99960
    run     7
    quotes  → buy:0 0.0102 @ 96040 open | sell:0 0.0102 @ 99960 open
  `,
  );

  story(
    'a little move leaves the orders their place in the queue',
    `
    book    99000 | 101000
    start
    run     3
    book    99050 | 101050
    run     3
    quotes  → buy:0 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
  `,
  );

  story(
    'skew: less base than wanted moves both prices up',
    `
    set     skewBps 100
    book    99000 | 101000
    start
    run     2
    # all holdings are worth 1,100,000 INR; half would be 5.5 BTC and 1 is held: 82 % of the way to none, so 82 bps up
    quotes  → buy:0 0.0099 @ 98801 open | sell:0 0.0099 @ 102835 open
  `,
  );

  story(
    'no book, no quote',
    `
    book    99000 | 101000
    start
    run     2
    book    none
    run     2
    venue   →
    why     → The order book has an empty side or is crossed: there is no reference price.
    run     6
    book    99000 | 101000
    run     2
    venue   → buy 0.01 @ 98000 | sell 0.01 @ 102000
  `,
  );
});

describe('an answer that never came', () => {
  story(
    'the order is there: it is found, and used',
    `
    book    99000 | 101000
    next    lost-done
    start
    run     2
    quotes  → buy:0 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
    venue   → buy 0.01 @ 98000 | sell 0.01 @ 102000
    told    → opened, ready, unknown, accepted, adopted
  `,
  );

  story(
    'the order is not there: another one stands in until that is proved, and stays',
    `
    book    99000 | 101000
    next    lost
    start
    run     2
    quotes  → buy:0 0.01 @ 98000 unknown | sell:0 0.01 @ 102000 open
    run     15
    quotes  → buy:0 0.0099 @ 97999 open | sell:0 0.01 @ 102000 open
    venue   → buy 0.0099 @ 97999 | sell 0.01 @ 102000
    told    → opened, ready, unknown, accepted, not-placed
  `,
  );

  story(
    'the order comes three seconds later: it is found then, and goes, as another one stands in for it',
    `
    book    99000 | 101000
    next    late-done
    start
    run     2
    quotes  → buy:0 0.01 @ 98000 unknown | sell:0 0.01 @ 102000 open
    run     10
    quotes  → buy:0 0.0099 @ 97999 open | sell:0 0.01 @ 102000 open
    venue   → buy 0.0099 @ 97999 | sell 0.01 @ 102000
  `,
  );

  story(
    'the cancel is lost but done: it is sent again, and the order closes',
    `
    book    99000 | 101000
    start
    run     3
    next    lost-done
    pause
    run     9
    quotes  →
    venue   →
    phase   → paused
  `,
  );

  story(
    'the order fills while its list trails: nothing is missing',
    `
    book    99000 | 101000
    start
    run     3
    lag     trades 4
    lag     wallet 2
    fill    buy:0 0.01
    run     2
    held    → 1 BTC 1000000 INR
    run     4
    held    → 1.01 BTC 999010.2 INR
    told    → opened, ready, accepted, fill, closed
  `,
  );
});

describe('crash and restart', () => {
  story(
    'with quotes on the book: they are found as they were',
    `
    book    99000 | 101000
    start
    run     3
    restart
    run     2
    quotes  → buy:0 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
    phase   → running
  `,
  );

  story(
    'before the answer to a create: unknown, then found',
    `
    book    99000 | 101000
    next    slow
    start
    run     0.1
    quotes  → buy:0 0.01 @ 98000 sent
    restart
    quotes  → buy:0 0.01 @ 98000 unknown
    run     2
    quotes  → buy:0 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
    venue   → buy 0.01 @ 98000 | sell 0.01 @ 102000
  `,
  );

  story(
    'and a fill while nobody looked: booked at the start, to the last digit',
    `
    book    99000 | 101000
    start
    run     3
    fill    sell:0 0.01
    restart
    run     2
    held    → 0.99 BTC 1001009.8 INR
    quotes  → buy:0 0.01 @ 98000 open | sell:0 0.01 @ 102000 open
  `,
  );
});

describe('the end', () => {
  story(
    'stop: all canceled, proved by two lists, flat',
    `
    book    99000 | 101000
    start
    run     3
    stop
    run     1
    venue   →
    phase   → stopping
    run     9
    phase   → stopped flat
    quotes  →
  `,
  );

  story(
    'stop while a create is unknown: what comes late is canceled too',
    `
    book    99000 | 101000
    next    late-done
    start
    run     1
    stop
    run     4
    phase   → stopping
    run     20
    venue   →
    phase   → stopped flat
  `,
  );

  story(
    'the kill latch: nothing new, whatever the market does',
    `
    book    99000 | 101000
    start
    run     3
    latch
    book    95000 | 97000
    run     12
    venue   →
    phase   → stopped flat
    why     → The kill latch is set: Somebody pressed the button.
  `,
  );
});
