// Where quotes stand: rounding, the cost floor and the lean of prices against inventory.
import { scenario } from './quoting-table.ts';

scenario(
  'a bid is rounded down and an ask up, away from the market',
  `
  market   tick 50  lot 0.001  notional 100
  book     4999900 | 5000100
  hold     1 BTC  5000000 INR
  want     fixed-spread  halfSpreadBps 10.03  orderSize "0.0109"  sizeUnit base
  # 5000000 less and more 10.03 bps is 4994985 and 5005015
  quote    → buy 0.01 @ 4994950 | sell 0.01 @ 5005050
  why      buy:0 round → 0.0109 @ 4994985 becomes 0.01 @ 4994950
  `,
);

scenario(
  'three levels, each further out and larger',
  `
  book     4999000 | 5001000
  hold     1 BTC  5000000 INR
  want     fixed-spread  levels 3  halfSpreadBps 40  halfSpreadStepBps 20  orderSize "0.01"  orderSizeStep "0.005"  sizeUnit base
  quote    → buy 0.01 @ 4980000 | buy 0.015 @ 4970000 | buy 0.02 @ 4960000 | sell 0.01 @ 5020000 | sell 0.015 @ 5030000 | sell 0.02 @ 5040000
  `,
);

scenario(
  'fees of 0.40 % and GST push both sides out to what a round trip costs',
  `
  book     4999000 | 5001000
  hold     1 BTC  5000000 INR
  want     fixed-spread  halfSpreadBps 10  orderSize "0.01"  sizeUnit base

  # the fee alone: 0.472 % a side is a half-spread of 47.2 bps
  costs    fee 0.40  gst 18
  quote    → buy 0.01 @ 4976400 | sell 0.01 @ 5023600
  why      sell:0 cost floor → 0.01 @ 5005000 becomes 0.01 @ 5023600

  # 1 % withheld on sales comes back in a year; at 10 % interest the wait costs 0.0909 % of a sale: 51.77 bps in all
  costs    fee 0.40  gst 18  tds 1  years 1  interest 10
  quote    → buy 0.01 @ 4974115 | sell 0.01 @ 5025885

  # back at once it costs nothing
  costs    fee 0.40  gst 18  tds 1  years 0  interest 10
  quote    → buy 0.01 @ 4976400 | sell 0.01 @ 5023600

  # ten bps of profit come on top
  set      costFloor.minimumProfitBps 10
  quote    → buy 0.01 @ 4971400 | sell 0.01 @ 5028600

  # a spread that is wide enough already stays
  want     fixed-spread  halfSpreadBps 100  orderSize "0.01"  sizeUnit base
  quote    → buy 0.01 @ 4950000 | sell 0.01 @ 5050000
  `,
);

scenario(
  'with too much base both prices lean down, with too little up',
  `
  book     4999000 | 5001000
  want     fixed-spread  halfSpreadBps 40  skewBps 100  orderSize "0.01"  sizeUnit base
  hold     1 BTC  5000000 INR
  quote    → buy 0.01 @ 4980000 | sell 0.01 @ 5020000

  # three quarters in base: half of the skew, the middle is 4975000
  hold     1.5 BTC  2500000 INR
  quote    → buy 0.01 @ 4955100 | sell 0.01 @ 4999001
  # the ask leans to 4994900 and would take: the guard holds it a tick over the best bid
  why      sell:0 post-only guard → 0.01 @ 4994900 becomes 0.01 @ 4999001

  hold     0.5 BTC  7500000 INR
  quote    → buy 0.01 @ 5000999 | sell 0.01 @ 5045100
  # the bid leans to 5004900 and would take: the guard holds it a tick under the best ask
  why      buy:0 post-only guard → 0.01 @ 5004900 becomes 0.01 @ 5000999
  `,
);

scenario(
  'joining the best prices is moved out to the cost floor',
  `
  book     4999000 | 5001000
  hold     1 BTC  5000000 INR
  want     join-best  orderSizeBase "0.01"
  quote    → buy 0.01 @ 4999000 | sell 0.01 @ 5001000
  costs    fee 0.40  gst 18
  quote    → buy 0.01 @ 4976400 | sell 0.01 @ 5023600
  `,
);
