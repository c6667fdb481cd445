// The daily line about the time in the market: of what was counted since the line before.
import { countedMs, shareSince, type TimeShares } from '../../trader/presence/presence-view.ts';
import type { StatusSnapshot } from '../../trader/status/snapshot.ts';
import type { Log } from '../base/log.ts';
import { presenceSentence } from '../status/presence-words.ts';
import { duration } from '../status/status-words.ts';

export interface Watched {
  readonly status: () => { readonly trader: Pick<StatusSnapshot, 'symbols'> };
  readonly log: Pick<Log, 'logEvent'>;
}

/** To be called once a day; the first call tells of the time since the start of the process. */
export function dailyPresence({ status, log }: Watched): () => void {
  const told = new Map<string, TimeShares>();
  return () => {
    for (const { symbol, presence } of status().trader.symbols) {
      const { sinceStart: now } = presence;
      const before = told.get(symbol) ?? null;
      told.set(symbol, now);
      const since = between(before, now);
      const span = `${duration(countedMs(since.both))} since ${before === null ? 'the start' : 'the last summary'}`;
      log.logEvent({ op: 'day-ended', symbol, message: `${symbol}: ${presenceSentence(since, span)}` });
    }
  };
}

const between = (before: TimeShares | null, now: TimeShares): TimeShares => ({
  buy: shareSince(before?.buy ?? null, now.buy),
  sell: shareSince(before?.sell ?? null, now.sell),
  both: shareSince(before?.both ?? null, now.both),
});
