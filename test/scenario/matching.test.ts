// Markets that a trader can read: one command per line, its result behind the arrow. The words are in market-script.ts.
//
// BTC/INR, tick 0.5, lot 0.001, at least 10 INR an order; no fees and no tax where a script gives none.
import { describe, expect, test } from '@jest/globals';
import { play } from './market-script.ts';

/** The script must come back as it is: a failure shows, line by line, what happened instead. */
function comesTrue(name: string, script: string): void {
  test(name, () => expect(play(script)).toBe(script));
}

describe('the queue', () => {
  comesTrue(
    'the better price first, at one price the older order',
    `
    asha   deposit 5 BTC       → done
    bela   deposit 5 BTC       → done
    chand  deposit 1000 INR    → done
    asha   sell 1 @ 101        → 1 rests with 1
    bela   sell 1 @ 100        → 2 rests with 1
    asha   sell 1 @ 100        → 3 rests with 1
    asks                       → 2 @ 100 | 1 @ 101
    asks at 100                → bela 2 with 1 | asha 3 with 1
    chand  buy 1.5 @ 100       → 1 @ 100 with bela 2 | 0.5 @ 100 with asha 3 | 4 filled
    asks                       → 0.5 @ 100 | 1 @ 101
    bids                       → empty
    `,
  );

  comesTrue(
    'a partly filled order keeps its place, and those behind it wait',
    `
    asha   deposit 1000 INR    → done
    bela   deposit 1000 INR    → done
    chand  deposit 5 BTC       → done
    asha   buy 2 @ 100         → 1 rests with 2
    bela   buy 2 @ 100         → 2 rests with 2
    chand  sell 0.5 @ 100      → 0.5 @ 100 with asha 1 | 3 filled
    chand  sell 0.5 @ 100      → 0.5 @ 100 with asha 1 | 4 filled
    bids at 100                → asha 1 with 1 | bela 2 with 2
    chand  sell 1.5 @ 99       → 1 @ 100 with asha 1 | 0.5 @ 100 with bela 2 | 5 filled
    bids at 100                → bela 2 with 1.5
    `,
  );

  comesTrue(
    'taking quantity away keeps the place, canceling and coming back loses it',
    `
    crowd  joins               → done
    asha   deposit 5 BTC       → done
    crowd  sell 2 @ 100        → 1 rests with 2
    asha   sell 1 @ 100        → 2 rests with 1
    crowd  reduce 1 by 1.5     → done
    asks at 100                → crowd 1 with 0.5 | asha 2 with 1
    crowd  cancel 1            → 1 canceled with 0.5 left
    crowd  sell 0.5 @ 100      → 3 rests with 0.5
    asks at 100                → asha 2 with 1 | crowd 3 with 0.5
    crowd  reduce 3 by 9       → 3 canceled with 0.5 left
    crowd  reduce 3 by 1       → refused unknown-order
    crowd  reduce 2 by 1       → refused unknown-order
    `,
  );

  comesTrue(
    'cancel-by-symbol and cancel-all take the own orders, the oldest first, and no others',
    `
    asha   deposit 1000 INR    → done
    asha   deposit 5 BTC       → done
    bela   deposit 1000 INR    → done
    asha   sell 1 @ 110        → 1 rests with 1
    asha   buy 1 @ 90          → 2 rests with 1
    bela   buy 1 @ 90          → 3 rests with 1
    asha   cancel 3            → refused unknown-order
    asha   cancel BTC/INR      → 1 canceled with 1 left | 2 canceled with 1 left
    asha   buy 1 @ 91          → 4 rests with 1
    asha   cancel all          → 4 canceled with 1 left
    asha   cancel all          → done
    asha   cancel 4            → refused unknown-order
    asha   wallet              → 1000 INR | 5 BTC
    bids                       → 1 @ 90
    `,
  );
});

describe('the taker', () => {
  comesTrue(
    'goes through several levels at their prices, and rests at his own',
    `
    asha   deposit 6 BTC       → done
    bela   deposit 1000 INR    → done
    asha   sell 1 @ 100        → 1 rests with 1
    asha   sell 2 @ 100.5      → 2 rests with 2
    asha   sell 3 @ 102        → 3 rests with 3
    # he pays 100 + 201, and locks 101 for what rests
    bela   buy 4 @ 101         → 1 @ 100 with asha 1 | 2 @ 100.5 with asha 2 | 4 rests with 1
    bela   wallet              → 598 INR and 101 locked | 3 BTC
    asha   wallet              → 301 INR | 0 BTC and 3 locked
    bids                       → 1 @ 101
    asks                       → 3 @ 102
    `,
  );

  comesTrue(
    'what an immediate order leaves is dropped and its money comes back',
    `
    asha   deposit 6 BTC       → done
    bela   deposit 1000 INR    → done
    asha   sell 1 @ 100        → 1 rests with 1
    bela   buy-now 3 @ 100.5   → 1 @ 100 with asha 1 | 2 canceled with 2 left
    bela   buy-now 3 @ 100.5   → 3 canceled with 3 left
    bela   wallet              → 900 INR | 1 BTC
    bids                       → empty
    `,
  );

  comesTrue(
    'where the venue refuses to cross, only an immediate order takes',
    `
    given  crossing rejected
    asha   deposit 6 BTC       → done
    bela   deposit 1000 INR    → done
    asha   sell 1 @ 100        → 1 rests with 1
    bela   buy 1 @ 100         → refused would-cross
    bela   buy 1 @ 99.5        → 2 rests with 1
    asha   sell 1 @ 99.5       → refused would-cross
    asha   sell-now 1 @ 99.5   → 1 @ 99.5 with bela 2 | 3 filled
    `,
  );
});

describe('meeting an own order', () => {
  const meeting = (selfTrade: string, result: string, bids: string): string => `
    given  selfTrade ${selfTrade}
    asha   deposit 1000 INR    → done
    asha   deposit 5 BTC       → done
    bela   deposit 5 BTC       → done
    bela   sell 1 @ 100        → 1 rests with 1
    asha   sell 1 @ 100        → 2 rests with 1
    bela   sell 1 @ 100        → 3 rests with 1
    asha   buy 1 @ 100         → 1 @ 100 with bela 1 | 4 filled
    asha   buy 2.5 @ 100       → ${result}
    bids                       → ${bids}
    `;
  comesTrue(
    'it trades with itself',
    meeting('allow', '1 @ 100 with asha 2 | 1 @ 100 with bela 3 | 5 rests with 0.5', '0.5 @ 100'),
  );
  comesTrue('nothing happens', meeting('reject', 'refused self-trade', 'empty'));
  comesTrue(
    'the resting one is canceled and matching goes on',
    meeting('cancel-resting', '2 canceled with 1 left | 1 @ 100 with bela 3 | 5 rests with 1.5', '1.5 @ 100'),
  );
});

describe('money', () => {
  comesTrue(
    'a buy locks its money and the dearer fee, and every fill gives back what it did not need',
    `
    given  makerFeeRatio 0.004
    given  takerFeeRatio 0.005
    dinesh deposit 10000 INR   → done
    esha   deposit 1 BTC       → done
    # 5000 and 25 of fee
    dinesh buy 0.5 @ 10000     → 1 rests with 0.5
    dinesh wallet              → 4975 INR and 5025 locked | 0 BTC
    dinesh buy 0.5 @ 10000     → refused insufficient-funds
    # 4950 and 24.75 of fee
    dinesh buy 0.495 @ 10000   → 2 rests with 0.495
    dinesh withdraw 0.3 INR    → refused insufficient-funds
    dinesh withdraw 0.25 INR   → done
    dinesh wallet              → 0 INR and 9999.75 locked | 0 BTC
    dinesh cancel 1            → 1 canceled with 0.5 left
    dinesh wallet              → 5025 INR and 4974.75 locked | 0 BTC
    # as maker he pays 1000 and 4, not 5: the rest of the order needs 3950 and 19.75
    esha   sell 0.1 @ 9000     → 0.1 @ 10000 with dinesh 2 | 3 filled
    dinesh wallet              → 5026 INR and 3969.75 locked | 0.1 BTC
    esha   wallet              → 995 INR | 0.9 BTC
    `,
  );

  comesTrue(
    'a sell locks what it still has to deliver',
    `
    asha   deposit 2 BTC       → done
    bela   deposit 1000 INR    → done
    asha   sell 1.5 @ 100      → 1 rests with 1.5
    asha   wallet              → 0 INR | 0.5 BTC and 1.5 locked
    asha   sell 0.501 @ 100    → refused insufficient-funds
    bela   buy 0.5 @ 100       → 0.5 @ 100 with asha 1 | 2 filled
    asha   wallet              → 50 INR | 0.5 BTC and 1 locked
    `,
  );

  comesTrue(
    'maker and taker pay their fees, whoever sells pays the tax, and nothing is lost',
    `
    given  makerFeeRatio 0.004
    given  takerFeeRatio 0.00472
    given  tdsRatio 0.01
    asha   deposit 1 BTC       → done
    bela   deposit 20000 INR   → done
    asha   sell 0.2 @ 50000    → 1 rests with 0.2
    # 10000: the maker sells and pays 40 and 100 of tax, the taker buys and pays 47.2
    bela   buy 0.2 @ 50010     → 0.2 @ 50000 with asha 1 | 2 filled
    asha   wallet              → 9860 INR | 0.8 BTC
    bela   wallet              → 9952.8 INR | 0.2 BTC
    fees   wallet              → 87.2 INR | 0 BTC
    tax    wallet              → 100 INR | 0 BTC
    # 4900: the maker buys and pays 19.6, the taker sells and pays 23.128 and 49 of tax
    bela   buy 0.1 @ 49000     → 3 rests with 0.1
    bela   wallet              → 5029.672 INR and 4923.128 locked | 0.2 BTC
    asha   sell 0.1 @ 49000    → 0.1 @ 49000 with bela 3 | 4 filled
    asha   wallet              → 14687.872 INR | 0.7 BTC
    bela   wallet              → 5033.2 INR | 0.3 BTC
    fees   wallet              → 129.928 INR | 0 BTC
    tax    wallet              → 149 INR | 0 BTC
    `,
  );

  comesTrue(
    'a buyer may pay his fee in what he bought',
    `
    given  buyerFeeAsset base
    given  makerFeeRatio 0.004
    given  takerFeeRatio 0.005
    asha   deposit 2 BTC       → done
    bela   deposit 200 INR     → done
    asha   sell 2 @ 100        → 1 rests with 2
    bela   buy 2 @ 100         → 2 @ 100 with asha 1 | 2 filled
    bela   wallet              → 0 INR | 1.99 BTC
    asha   wallet              → 199.2 INR | 0 BTC
    fees   wallet              → 0.8 INR | 0.01 BTC
    `,
  );

  const rounded = (rounding: string, buyer: string, seller: string, fees: string): string => `
    given  assetDecimals 4
    given  rounding ${rounding}
    given  makerFeeRatio 0.005
    given  takerFeeRatio 0.005
    asha   deposit 1 BTC       → done
    bela   deposit 20 INR      → done
    asha   sell 0.1 @ 100.5    → 1 rests with 0.1
    # each owes 10.05 × 0.005 = 0.05025
    bela   buy 0.1 @ 100.5     → 0.1 @ 100.5 with asha 1 | 2 filled
    bela   wallet              → ${buyer} INR | 0.1 BTC
    asha   wallet              → ${seller} INR | 0.9 BTC
    fees   wallet              → ${fees} INR | 0 BTC
    `;
  comesTrue('half a unit of fee rounds up', rounded('half-up', '9.8997', '9.9997', '0.1006'));
  comesTrue('half a unit of fee rounds down', rounded('floor', '9.8998', '9.9998', '0.1004'));

  comesTrue(
    'rounding each fill up never takes more than the buyer has',
    `
    given  assetDecimals 4
    given  makerFeeRatio 0.005
    given  takerFeeRatio 0.005
    asha   deposit 1 BTC       → done
    bela   deposit 20.2005 INR → done
    bela   buy 0.2 @ 100.5     → 1 rests with 0.2
    bela   wallet              → 0 INR and 20.2005 locked | 0 BTC
    # 0.0503 is due, but 10.1003 must stay locked: 0.0502 is left
    asha   sell 0.1 @ 100.5    → 0.1 @ 100.5 with bela 1 | 2 filled
    bela   wallet              → 0 INR and 10.1003 locked | 0.1 BTC
    asha   sell 0.1 @ 100.5    → 0.1 @ 100.5 with bela 1 | 3 filled
    bela   wallet              → 0 INR | 0.2 BTC
    asha   wallet              → 19.9994 INR | 0.8 BTC
    fees   wallet              → 0.2011 INR | 0 BTC
    `,
  );
});

describe('who is refused', () => {
  comesTrue(
    'an order too small, off the grid, of a stranger or without the funds; the crowd always has them',
    `
    asha   deposit 1000 INR    → done
    nemo   buy 1 @ 100         → refused unknown-account
    asha   buy 0.099 @ 100     → refused below-min-notional
    asha   buy 0.1 @ 100       → 1 rests with 0.1
    asha   buy 1 @ 100.25      → refused invalid-price
    asha   buy 1 @ 0           → refused invalid-price
    asha   buy 0.0005 @ 100000 → refused invalid-quantity
    asha   sell 1 @ 100        → refused insufficient-funds
    crowd  joins               → done
    # a refused order uses up no number
    crowd  sell 1 @ 100        → 0.1 @ 100 with asha 1 | 2 rests with 0.9
    crowd  wallet              → 10 INR | -1 BTC and 0.9 locked
    `,
  );
});
