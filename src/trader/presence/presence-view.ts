// Time in the market as plain data for people, metrics and reports.

import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Block } from '../../quoting/block.ts';
import type { TraderState } from '../state/state.ts';
import { lastHourOf, type TimeAccount, type Track } from '../state/time-account.ts';
import { presenceAt } from './presence.ts';

/** Whole milliseconds: what was fresh and all that was lost add up to the time that was counted. */
export interface TimeShare {
  /** A live order rested near enough to the price, as a young book and a young list of own orders showed. */
  readonly freshMs: DurationMs;
  /** The rest, by reason, the longest first. */
  readonly lost: readonly { readonly reason: Block; readonly ms: DurationMs }[];
}

/** `both` is two-sided: fresh on both sides, else lost to the graver reason. */
export type TimeShares = Readonly<Record<Track, TimeShare>>;

export interface PresenceView {
  /** Since the start of the process: a restart begins anew. */
  readonly sinceStart: TimeShares;
  /** To a minute; less where the process is younger. */
  readonly lastHour: TimeShares;
}

export function presenceView(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): PresenceView {
  const { buy, sell, both } = presenceAt(state, symbol, now).tracks;
  const last = { buy: lastHourOf(buy), sell: lastHourOf(sell), both: lastHourOf(both) };
  return {
    sinceStart: sharesOf({ buy: buy.all, sell: sell.all, both: both.all }),
    lastHour: sharesOf(last),
  };
}

const sharesOf = ({ buy, sell, both }: Readonly<Record<Track, TimeAccount>>): TimeShares => ({
  buy: shareOf(buy),
  sell: shareOf(sell),
  both: shareOf(both),
});

function shareOf(account: TimeAccount): TimeShare {
  const lost: TimeShare['lost'][number][] = [];
  for (const [reason, ms] of account) if (reason !== 'fresh') lost.push({ reason, ms });
  return { freshMs: account.get('fresh') ?? 0, lost: lost.toSorted((a, b) => b.ms - a.ms) };
}

export const countedMs = ({ freshMs, lost }: TimeShare): DurationMs => lost.reduce((sum, { ms }) => sum + ms, freshMs);

/** What was counted between two looks at the same account. */
export function shareSince(before: TimeShare | null, now: TimeShare): TimeShare {
  if (before === null) return now;
  const lost = now.lost
    .map(({ reason, ms }) => ({ reason, ms: ms - (before.lost.find((each) => each.reason === reason)?.ms ?? 0) }))
    .filter(({ ms }) => ms > 0);
  return { freshMs: now.freshMs - before.freshMs, lost: lost.toSorted((a, b) => b.ms - a.ms) };
}
