// The catalogue of faults (order-truth §7): own trades, the wallet and what happens outside.
import { elsewhere, group, SOMETIMES, simulated } from './catalogue-row.ts';
import type { FaultSpec } from './fault-kinds.ts';

export const TRADES_FAULTS: readonly FaultSpec[] = [
  ...group('trades', [
    simulated(
      'F40',
      'trade visible while order still listed open',
      { via: 'venue', fault: 'orders-lag' },
      { magnitude: [500, 20000] },
    ),
    simulated(
      'F41',
      'order gone, trade appears Ls ∈ {5,30,120 s} later',
      { via: 'venue', fault: 'trades-lag' },
      { magnitude: [100, 60000] },
    ),
    simulated(
      'F42',
      'ids committed out of order (lower id later)',
      { via: 'owner', fault: 'delay-trade' },
      { magnitude: [2, 20] },
    ),
    simulated(
      'F43',
      'exactly 50, 51, 500 trades between polls',
      { via: 'owner', fault: 'burst-of-trades' },
      {
        magnitude: [0.5, 3],
        excuses: ['funds'],
        halts: ['order-unknown'],
        partly: '50, 51, 120 or 500 trades, 3 ms apart',
      },
    ),
    simulated(
      'F44',
      'many trades in one ms over a page boundary',
      { via: 'owner', fault: 'trades-at-once' },
      {
        magnitude: [0.5, 3],
        excuses: ['funds', 'difference', 'unbooked'],
        halts: ['order-unknown', 'trades-gap'],
        partly: '60 trades',
      },
    ),
    simulated(
      'F45',
      'bot down 1 h / 73 h / 10 d',
      { via: 'crash', fault: 'long-absence' },
      { magnitude: [1, 240], halts: ['trades-gap', 'order-unknown'] },
    ),
    simulated(
      'F46',
      'row in both rolling window and archive; archive lags 1 h',
      { via: 'venue', fault: 'archive-overlaps' },
      { magnitude: [1, 1], partly: 'in both; the archive does not lag' },
    ),
    simulated(
      'F47',
      'duplicate row in page',
      { via: 'answer', fault: 'repeated-row', on: 'spot-trades' },
      { magnitude: SOMETIMES },
    ),
    elsewhere(
      'F48',
      'forbidden parameter combination',
      'the types allow none: test/unit/client/request-message.test.ts',
    ),
    simulated(
      'F49',
      'commission in base / quote / third asset; tds present, absent, string, appears later',
      { via: 'venue', fault: 'fee-in-base' },
      {
        magnitude: [1, 1],
        partly:
          'in base; a third asset and late tax: test/unit/trader/other-markets.slow.test.ts, ' +
          'test/unit/trader/corrections.test.ts',
      },
    ),
    simulated(
      'F50',
      'trade busted: same id with other price/qty, or vanishes; matching wallet reversal',
      { via: 'owner', fault: 'bust-trade' },
      {
        magnitude: [1, 4],
        excuses: ['difference', 'funds', 'unbooked'],
        // If the last known trade is taken back, the trades listed after it can't be joined to it.
        halts: ['answers-untrue', 'order-unknown', 'trades-gap'],
      },
    ),
    simulated(
      'F51',
      'self-trade: both sides ours',
      { via: 'owner', fault: 'take-own-order' },
      {
        magnitude: [1, 6],
        excuses: ['funds'],
        // Hundreds of the owner's trades take minutes on a slow lane: a create waits behind them until its deadline
        // (seed 22155, tight).
        halts: ['order-unknown', 'journal-stale'],
      },
    ),
  ]),
  ...group('wallet', [
    simulated(
      'F52',
      'deposit mid-run (any asset)',
      { via: 'owner', fault: 'deposit' },
      {
        magnitude: [1, 4],
        excuses: ['difference', 'funds'],
        halts: ['order-unknown'],
        partly: 'coins and INR; some with a fee, some pending first or failing',
      },
    ),
    simulated(
      'F53',
      'withdrawal / freeze mid-run',
      { via: 'owner', fault: 'withdrawal' },
      {
        magnitude: [1, 4],
        excuses: ['difference', 'funds'],
        // During a difference no wallet proves a create's fate.
        halts: ['order-unknown'],
        partly: 'withdrawals like F52',
      },
    ),
    simulated(
      'F54',
      'simple buy/sell, conversion, reward, dust sweep',
      { via: 'owner', fault: 'simple-trade' },
      {
        magnitude: [1, 4],
        excuses: ['difference', 'funds'],
        halts: ['order-unknown'],
        partly: 'no conversions; a quarter in coins that no run trades, a fifth rewards or dust that no list shows',
      },
    ),
    simulated(
      'F55',
      'user trades by hand (unknown order_id fills)',
      { via: 'owner', fault: 'manual-trade' },
      { magnitude: [1, 8], excuses: ['funds'], halts: ['order-unknown'] },
    ),
    simulated(
      'F56',
      'balance trails trades by Ls, or leads',
      { via: 'venue', fault: 'wallet-lag' },
      { magnitude: [100, 60000], partly: 'trails' },
    ),
    simulated(
      'F57',
      'free+locked ≠ total; negative; missing asset; 1e-8 noise; exponent format',
      { via: 'answer', fault: 'odd-wallet', on: 'wallet' },
      { magnitude: SOMETIMES, partly: 'an account has no total that could differ' },
    ),
    simulated(
      'F58',
      'lock by manual order uses funds we planned',
      { via: 'owner', fault: 'manual-order' },
      { magnitude: [1, 8], excuses: ['funds'], halts: ['order-unknown', 'journal-stale'] },
    ),
  ]),
];
