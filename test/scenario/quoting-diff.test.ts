// What is done about live orders when quotes change.
import { scenario } from './quoting-table.ts';

scenario(
  'orders stay within tolerance and move beyond it, each by itself',
  `
  book     4999000 | 5001000
  hold     1 BTC  5000000 INR
  want     fixed-spread  levels 2  halfSpreadBps 40  halfSpreadStepBps 40  orderSize "0.01"  sizeUnit base
  quote    → buy 0.01 @ 4980000 | buy 0.01 @ 4960000 | sell 0.01 @ 5020000 | sell 0.01 @ 5040000
  refresh  priceToleranceBps 5
  refresh  sizeToleranceRatio 0.1
  refresh  refreshMs 10000

  live     buy:0 0.01 @ 4980000 60s
  live     buy:1 0.01 @ 4962400 60s
  live     sell:0 0.011 @ 5020000 60s
  live     sell:1 0.01 @ 5046000 60s
  # 4962400 is 4.8 bps too near, 0.011 is 9.1 % too much, 5046000 is 11.9 bps too far, and may be 10
  diff     → replace sell:1 | keep buy:0 | keep buy:1 | keep sell:0

  # the market moves by 12 bps: the inner bid follows, the outer one is 7 bps too far out and stays; the ask is too near
  book     5005000 | 5007000
  diff     → cancel sell:0 | replace buy:0 | keep buy:1 | keep sell:1
  `,
);

scenario(
  'a young order waits for its refresh time, unless others could pick it off',
  `
  book     4999000 | 5001000
  hold     1 BTC  5000000 INR
  want     fixed-spread  halfSpreadBps 40  orderSize "0.01"  sizeUnit base
  refresh  refreshMs 10000
  refresh  minHalfSpreadBps 10
  live     buy:0 0.01 @ 4960000 9s
  live     sell:0 0.01 @ 5004900 1s
  # the bid is too low and young: it stays. The ask is 9.8 bps from the middle: it goes at once
  diff     → cancel sell:0 | keep buy:0
  `,
);

scenario(
  'a slot whose order may be live gets no second one',
  `
  book     4999000 | 5001000
  hold     1 BTC  5000000 INR
  want     fixed-spread  halfSpreadBps 40  orderSize "0.01"  sizeUnit base
  live     buy:0 0.01 @ 4900000 600s pending
  diff     → create sell:0 0.01 @ 5020000 | wait buy:0
  `,
);

scenario(
  'a bid stays under an own ask that may be live, even where the market has passed it',
  `
  book     5059000 | 5061000
  hold     1 BTC  5000000 INR
  want     fixed-spread  halfSpreadBps 40  orderSize "0.01"  sizeUnit base
  live     sell:0 0.01 @ 5020000 60s
  quote    → buy 0.01 @ 5019999 | sell 0.01 @ 5080240
  # the old ask is under the best bid of others: it goes at once
  diff     → cancel sell:0 | create buy:0 0.01 @ 5019999
  `,
);

scenario(
  'a book without one side gives no quotes and takes all orders away',
  `
  book     5001000 | 4999000
  hold     1 BTC  5000000 INR
  want     fixed-spread  halfSpreadBps 40  orderSize "0.01"  sizeUnit base
  live     buy:0 0.01 @ 4980000 1s
  quote    → no buy: The book of BTC/INR is empty on a side, or crossed. | no sell: The book of BTC/INR is empty on a side, or crossed.
  diff     → cancel buy:0
  `,
);
