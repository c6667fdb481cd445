// Counts how often a run reached each fault and each state of interest: a campaign that never did proves nothing.

export interface Counters {
  add(name: string, count?: number): void;
  readonly all: ReadonlyMap<string, number>;
}

export function createCounters(): Counters {
  const all = new Map<string, number>();
  return {
    add: (name, count = 1) => {
      all.set(name, (all.get(name) ?? 0) + count);
    },
    all,
  };
}

/** States that a campaign must have reached, by the counters' names. */
export const INTERESTING: readonly string[] = [
  'create accepted',
  'create not-sent',
  'create rejected',
  'create soft-rejected',
  'create unknown',
  'stood in for an unknown create',
  'created beside a leaving order',
  'adopted by open-order',
  'adopted by fill',
  'closed filled',
  'closed canceled',
  'closed not-placed',
  'canceled after a partial fill',
  'cancel unknown',
  'external fill',
  'taker fill',
  'difference',
  'symbol halted',
  'restart',
  'restart with an unknown create',
  'restart with open orders',
  'order filled while its create was unknown',
  'same order delivered twice',
  'wallet equals ledger at rest',
  'stopped flat',
  'nothing new after a stop',
  'snapshot',
  'records retired',
  'compared with the fold',
  'proved flat by the watchdog',
  'proved flat by cancel-all',
  'kill within its bound',
  'kill that was held up',
];
