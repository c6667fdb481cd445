// How large quotes are: the lean of sizes against inventory, its bounds, and what the funds allow.
import { scenario } from './quoting-table.ts';

scenario(
  'sizes lean toward the inventory target',
  `
  book     99 | 101
  market   tick 1  lot 0.1  notional 1
  want     fixed-spread  halfSpreadBps 500  orderSize "1"  sizeUnit base
  set      inventorySkew.multiplier 1

  hold     10 BTC  1000 INR
  quote    → buy 1 @ 95 | sell 1 @ 105

  # 10.5 of 21 wanted, 11 held: a quarter of the way to no bids at all
  hold     11 BTC  1000 INR
  quote    → buy 0.7 @ 95 | sell 1.2 @ 105

  hold     16 BTC  400 INR
  quote    → no buy: Inventory is 16 BTC against a target of 10: size × 0. | sell 2 @ 105

  hold     4 BTC  1600 INR
  quote    → buy 2 @ 95 | no sell: Inventory is 4 BTC against a target of 10: size × 0.
  `,
);

scenario(
  'inventory stops at its bounds',
  `
  book     99 | 101
  market   tick 1  lot 0.1  notional 1
  want     fixed-spread  levels 2  halfSpreadBps 500  halfSpreadStepBps 500  orderSize "1"  sizeUnit base
  hold     10 BTC  1000 INR
  limit    maxInventoryBase 11.5
  limit    minInventoryBase 9
  quote    → buy 1 @ 95 | buy 0.5 @ 90 | sell 1 @ 105

  # nothing held, nothing sold
  hold     0 BTC  1000 INR
  limit    minInventoryBase 0
  quote    → buy 1 @ 95 | buy 1 @ 90 | no sell: 0 BTC are held and with all asks filled it must be 0 at least.
  `,
);

scenario(
  'orders shrink to the funds, innermost first, and what is too small is dropped',
  `
  book     99 | 101
  market   tick 1  lot 0.1  notional 20
  want     fixed-spread  levels 2  halfSpreadBps 500  halfSpreadStepBps 500  orderSize "1"  sizeUnit base
  hold     10 BTC  185 INR
  quote    → buy 1 @ 95 | buy 1 @ 90 | sell 1 @ 105 | sell 1 @ 110

  hold     10 BTC  150 INR
  quote    → buy 1 @ 95 | buy 0.6 @ 90 | sell 1 @ 105 | sell 1 @ 110
  why      buy:1 budget → 1 @ 90 becomes 0.6 @ 90

  # 15 left would buy 0.1, worth 9: under the least notional
  hold     10 BTC  110 INR
  quote    → buy 1 @ 95 | sell 1 @ 105 | sell 1 @ 110
  why      buy:1 budget → 1 @ 90 becomes no quote

  hold     10 BTC  12 INR
  quote    → no buy: It needs 95 INR and 12 INR are left for it. | sell 1 @ 105 | sell 1 @ 110

  # what is kept back is not there
  hold     10 BTC  185 INR
  limit    reserveQuote 90
  set      budget.maxBase "1.5"
  quote    → buy 1 @ 95 | sell 1 @ 105 | sell 0.5 @ 110
  `,
);

scenario(
  'an own order lends what it locks to the quote of its own slot only',
  `
  book     99 | 101
  market   tick 1  lot 0.1  notional 1
  want     fixed-spread  levels 2  halfSpreadBps 500  halfSpreadStepBps 500  orderSize "1"  sizeUnit base
  hold     10 BTC  190 INR
  free     10 BTC  0 INR
  live     buy:0 2 @ 95 60s
  quote    → buy 1 @ 95 | sell 1 @ 105 | sell 1 @ 110
  # the other 95 INR come free when the old order has gone, not before
  diff     → create sell:0 1 @ 105 | create sell:1 1 @ 110 | replace buy:0
  `,
);
