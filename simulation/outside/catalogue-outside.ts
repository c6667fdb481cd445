// Faults beyond order-truth §7: outside events for orders, cancels and lists, numbered after its last one.
import { MINUTE } from '../../src/domain/time.ts';
import { group, OFTEN, SOMETIMES, simulated } from '../faults/catalogue-row.ts';
import type { FaultSpec } from '../faults/fault-kinds.ts';

export const OUTSIDE_FAULTS: readonly FaultSpec[] = [
  ...group('outside', [
    simulated(
      'F112',
      'the owner cancels an order of the bot, or all of a symbol, by hand',
      { via: 'owner', fault: 'cancel-own-orders' },
      { magnitude: [2, 30], halts: ['order-unknown'] },
    ),
    simulated(
      'F113',
      'the exchange expires an order by itself, also one that has filled in part',
      { via: 'owner', fault: 'expire-order' },
      { magnitude: [2, 30], halts: ['order-unknown'] },
    ),
    simulated(
      'F114',
      'all orders of a market are purged as a maintenance begins',
      { via: 'timed', fault: 'purge', longestMs: 5 * MINUTE },
      { magnitude: [0.5, 4], halts: ['order-unknown'], partly: 'those of the account' },
    ),
    simulated(
      'F115',
      'a cancel is refused by 4xx as of an unknown order, and was done or not',
      { via: 'message', fault: 'cancel-refused', on: 'cancel' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F116',
      'every cancel is refused by 4xx as of an unknown order for a while, and then taken',
      { via: 'timed', fault: 'no-cancels', longestMs: 10 * MINUTE },
      { magnitude: [0.5, 4] },
    ),
    simulated(
      'F117',
      '20 to 30 rows on a page of any list, whatever `limit` says',
      { via: 'venue', fault: 'capped-pages' },
      {
        magnitude: [20, 30],
        excuses: ['funds'],
        // A burst of the owner's trades may exceed a short page in one millisecond, and on a slow lane it takes longer
        // to read than a create may be unresolved.
        halts: ['order-unknown', 'trades-gap'],
        partly: 'trades and transfers; bursts of trades by the owner',
      },
    ),
    simulated(
      'F118',
      'open orders with trailing digits, exponents, or floats off by their last digit',
      { via: 'answer', fault: 'odd-notation', on: 'open-orders' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F119',
      'own trades with trailing digits, exponents, or floats off by their last digit',
      { via: 'answer', fault: 'odd-notation', on: 'spot-trades' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F120',
      'the quantity of a trade is corrected to less; both wallets follow',
      { via: 'owner', fault: 'correct-quantity' },
      {
        magnitude: [1, 4],
        excuses: ['difference', 'funds', 'unbooked'],
        // An order of an unknown create looks partly filled once one of its trades is reduced.
        halts: ['answers-untrue', 'order-unknown'],
      },
    ),
    simulated(
      'F121',
      'open orders trail by up to three times the lag bound for a while',
      { via: 'timed', fault: 'late-orders', longestMs: 5 * MINUTE },
      { magnitude: [0.5, 4], excuses: ['trailing'], halts: ['answers-untrue'] },
    ),
    simulated(
      'F122',
      'own trades trail by up to three times the lag bound for a while',
      { via: 'timed', fault: 'late-trades', longestMs: 5 * MINUTE },
      { magnitude: [0.5, 4], excuses: ['trailing', 'difference'] },
    ),
    simulated(
      'F123',
      'the wallet trails by up to three times the lag bound for a while',
      { via: 'timed', fault: 'late-wallet', longestMs: 5 * MINUTE },
      // A wallet from after the create may come three lag bounds late, past the time left for a proof.
      { magnitude: [0.5, 4], excuses: ['trailing', 'difference'], halts: ['order-unknown'] },
    ),
  ]),
];

/** After the watchdog's, in order of number. */
export const LATER_FAULTS: readonly FaultSpec[] = [
  ...group('public-data', [
    simulated(
      'F128',
      'public data fails for a while, and everything with a key works',
      { via: 'timed', fault: 'no-books', longestMs: 10 * MINUTE },
      { magnitude: [0.5, 4], partly: '503' },
    ),
  ]),
  ...group('steering', [
    simulated(
      'F129',
      'a person locks a symbol or one side of it for a while, and may remove the lock early',
      { via: 'operator', fault: 'lock' },
      { magnitude: [2, 12] },
    ),
    simulated(
      'F130',
      'a person changes parameters of a run while the bot quotes by them, in the file or until the next start',
      { via: 'operator', fault: 'revise' },
      { magnitude: [2, 20], partly: 'distances, sizes, levels, target, tolerances' },
    ),
    simulated(
      'F131',
      'a person resumes what is halted while the bot runs',
      { via: 'operator', fault: 'resume' },
      { magnitude: [6, 60] },
    ),
    simulated(
      'F132',
      'no watchdog is to be seen for a while, and the bot must have one',
      { via: 'operator', fault: 'pause' },
      { magnitude: [1, 12] },
    ),
    simulated(
      'F133',
      'a second market is configured later, at a start; the owner trades meanwhile where the account is his as well',
      { via: 'operator', fault: 'add-market' },
      { magnitude: [3, 12], excuses: ['funds'], halts: ['order-unknown'] },
    ),
  ]),
];
