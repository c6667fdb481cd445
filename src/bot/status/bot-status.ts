// What the page, the metrics and `status` show: the trader's snapshot and what only the process knows.

import type { LaneFigures } from '../../client/pace/lane.ts';
import type { Trading } from '../../loop/start-trading.ts';
import type { StatusSnapshot } from '../../trader/status/snapshot.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import type { DeadManStatus } from '../dead-man/dead-man-switch.ts';
import { type AccountNamed, accountNamed } from '../keys/account-named.ts';
import type { ChannelStatus } from '../notify/notifier.ts';
import type { Settings } from '../settings/types.ts';
import { type Attention, withAttentions } from './attentions.ts';
import { type Ending, type Headline, headlineOf, whyItEnds } from './headline.ts';
import { type PresenceSentence, presenceSentences } from './status-words.ts';

export interface BotStatus extends Omit<AccountNamed, 'mode'> {
  readonly mode: 'paper' | 'live';
  readonly program: string;
  readonly version: string;
  /** When the process started. */
  readonly startedAt: number;
  /** Name of the paper exchange instance; null for a live venue. */
  readonly paperInstance: string | null;
  readonly lanes: readonly ({ readonly lane: 'public' | 'private' } & LaneFigures)[];
  readonly trader: StatusSnapshot;
  /** Lease and watchdog. */
  readonly deadMan: DeadManStatus;
  /** Where people are told; empty where nobody is. */
  readonly channels: readonly ChannelStatus[];
  /** Why the last stop began, for a page that is open while it goes on; null before. */
  readonly stopping: string | null;
  /** The bot in one sentence, with what to do about it. */
  readonly headline: Headline;
  /** What else needs a person, most urgent first. */
  readonly attentions: readonly Attention[];
  /** Time in the market in the last hour, a sentence for each symbol of which any was counted. */
  readonly presence: readonly PresenceSentence[];
  /** What the market did after the fills of this process. */
  readonly markouts: readonly MarkoutSum[];
  /** Whether this is the last status of a bot that does not run. */
  readonly isPast: boolean;
}

type Given = 'startedAt' | 'paperInstance' | 'deadMan' | 'channels' | 'markouts';

export interface BotFacts extends Pick<BotStatus, Given> {
  readonly trading: Trading;
  readonly ending: Ending;
}

export function botStatus(settings: Settings, facts: BotFacts): BotStatus {
  const { trading, startedAt, paperInstance, deadMan, channels, markouts, ending } = facts;
  const trader = trading.loop.snapshot();
  const stopping = whyItEnds(trader, { ...ending, isBroken: trading.loop.isBroken() });
  const shown = { trader, deadMan, channels, stopping };
  return {
    program: PROGRAM,
    version: VERSION,
    ...accountNamed(settings),
    startedAt,
    paperInstance,
    lanes: (['public', 'private'] as const).map((lane) => ({ lane, ...trading.lanes[lane].figures() })),
    ...shown,
    ...withAttentions(shown, headlineOf(shown)),
    presence: presenceSentences(trader),
    ...{ markouts, isPast: false },
  };
}

// Markouts of this process as the page shows them: by symbol, side and time after the fill.

export interface MarkoutSum {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Seconds after the fill; 0 is the fill itself. */
  readonly horizon: number;
  readonly fills: number;
  /** In quote; above zero is in our favor. */
  readonly gained: number;
  /** What these fills were worth, in quote. */
  readonly filled: number;
}

export function markoutSums() {
  const sums = new Map<string, MarkoutSum>();
  return {
    add(symbol: string, { side, horizon, gained, filled }: Omit<MarkoutSum, 'symbol' | 'fills'>): void {
      const key = `${symbol} ${side} ${horizon}`;
      const before = sums.get(key) ?? { fills: 0, gained: 0, filled: 0 };
      sums.set(key, {
        ...{ symbol, side, horizon, fills: before.fills + 1 },
        gained: before.gained + gained,
        filled: before.filled + filled,
      });
    },
    all: (): readonly MarkoutSum[] => [...sums.values()],
  };
}
