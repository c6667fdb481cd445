// Faults that a watchdog is for: a run with one of them has a watchdog next to the bot.
import { group, simulated } from '../faults/catalogue-row.ts';
import type { FaultSpec } from '../faults/fault-kinds.ts';

const PER_HOUR = [1, 6] as const;

/**
 * An order whose create had no answer is canceled while only the watchdog sees a list with its quantity: the next bot
 * knows only the price of its filled part, and a person is asked.
 */
const IN_DOUBT = ['order-unknown'] as const;

export const WATCHDOG_FAULTS: readonly FaultSpec[] = [
  ...group('watchdog', [
    simulated(
      'F124',
      'the bot stands still for less or more than its time to live, and may wake under the latch',
      { via: 'watchdog', fault: 'hang' },
      { magnitude: PER_HOUR, halts: IN_DOUBT, partly: 'a fifth of the hangs lets no signal through' },
    ),
    simulated(
      'F125',
      'the bot dies, and nobody starts it',
      { via: 'watchdog', fault: 'death' },
      { magnitude: PER_HOUR, halts: IN_DOUBT },
    ),
    simulated(
      'F126',
      'the bot dies, the watchdog dies while it acts, and another one takes over',
      { via: 'watchdog', fault: 'death-of-both' },
      { magnitude: PER_HOUR, halts: IN_DOUBT },
    ),
    simulated(
      'F127',
      'the bot dies, and a person runs `cancel-all`, beside a watchdog that may act, too',
      { via: 'watchdog', fault: 'cancel-all' },
      { magnitude: PER_HOUR, halts: IN_DOUBT },
    ),
  ]),
];
