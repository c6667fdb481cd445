// The catalogue of faults (order-truth §7): cancels and the list of open orders.
import { group, OFTEN, SELDOM, SOMETIMES, simulated } from './catalogue-row.ts';
import type { FaultSpec } from './fault-kinds.ts';

export const ORDERS_FAULTS: readonly FaultSpec[] = [
  ...group('cancel', [
    simulated(
      'F23',
      'cancel executed, response lost',
      { via: 'message', fault: 'lost-after', on: 'cancel' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F24',
      'full fill races cancel',
      { via: 'message', fault: 'held-briefly', on: 'cancel' },
      { magnitude: OFTEN, partly: 'a held request' },
    ),
    simulated(
      'F25',
      'partial fill races cancel',
      { via: 'message', fault: 'late-answer', on: 'cancel' },
      { magnitude: OFTEN, partly: 'a held answer' },
    ),
    simulated(
      'F26',
      'cancel 200 but order stays listed/fillable for Ls',
      { via: 'venue', fault: 'cancel-lag' },
      { magnitude: [100, 30000] },
    ),
    simulated(
      'F27',
      'cancel-by-symbol cancels k of n then 504',
      { via: 'message', fault: 'some-done', on: 'cancel-symbol' },
      { magnitude: [0.3, 0.9] },
    ),
    simulated(
      'F28',
      'create in flight lands *after* cancel-all',
      { via: 'venue', fault: 'matching-lag' },
      { magnitude: [50, 8000] },
    ),
    simulated(
      'F29',
      'cancel gets 429 during kill',
      { via: 'message', fault: 'throttled', on: 'cancel' },
      { magnitude: OFTEN },
    ),
    simulated(
      'F30',
      'cancel of already closed id returns 200 success',
      { via: 'message', fault: 'twice', on: 'cancel' },
      { magnitude: OFTEN },
    ),
  ]),
  ...group('open-orders', [
    simulated(
      'F31',
      'limit ignored → 20 rows while 30 live',
      { via: 'venue', fault: 'capped-list' },
      { magnitude: [20, 20], excuses: ['funds'], halts: ['order-unknown'] },
    ),
    simulated(
      'F32',
      'exactly 50 rows',
      { via: 'venue', fault: 'capped-list' },
      { magnitude: [50, 50], excuses: ['funds'], halts: ['order-unknown'] },
    ),
    simulated(
      'F33',
      'stale: closed order still listed for Ls (zombie)',
      { via: 'venue', fault: 'orders-lag' },
      { magnitude: [100, 30000] },
    ),
    simulated(
      'F34',
      'hole: live order missing for 1..k consecutive reads',
      { via: 'answer', fault: 'hole', on: 'open-orders' },
      { magnitude: SOMETIMES, excuses: ['hole'] },
    ),
    simulated(
      'F35',
      'duplicate rows / random order',
      { via: 'answer', fault: 'shuffled', on: 'open-orders' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F36',
      'fill or cancel happens between list read and balance read',
      { via: 'message', fault: 'late-answer', on: 'open-orders' },
      { magnitude: SOMETIMES, partly: 'a held answer' },
    ),
    simulated(
      'F37',
      'unknown status enum, extra/missing field, type flip, null qty',
      { via: 'answer', fault: 'garbled-row', on: 'open-orders' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F38',
      '[] returned with HTTP 200 during an outage',
      { via: 'answer', fault: 'no-rows', on: 'open-orders' },
      { magnitude: SELDOM },
    ),
    simulated(
      'F39',
      "user's manual order with identical price/qty",
      { via: 'owner', fault: 'twin-order' },
      { magnitude: [1, 6], excuses: ['funds'], halts: ['order-unknown', 'journal-stale'] },
    ),
  ]),
];
