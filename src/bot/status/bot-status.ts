// The status shown by page, metrics and `status`: the trader's snapshot plus facts about the process.
import type { LaneFigures } from '../../client/pace/lane.ts';
import { shownPlain } from '../../domain/decimal.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { zoneShown } from '../../domain/time-text.ts';
import type { Trading } from '../../loop/start-trading.ts';
import type { Chosen } from '../../trader/state/session.ts';
import type { StatusSnapshot } from '../../trader/status/snapshot.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import type { DeadManStatus } from '../dead-man/dead-man-switch.ts';
import { type AccountNamed, accountNamed } from '../keys/account-named.ts';
import type { ChannelStatus } from '../notify/notifier.ts';
import type { Settings } from '../settings/types.ts';
import { type Attention, withAttentions } from './attentions.ts';
import { type Ending, type Headline, headlineOf, whyItEnds } from './headline.ts';
import { presenceSentences } from './status-words.ts';

export interface BotStatus extends Omit<AccountNamed, 'mode'> {
  readonly mode: 'paper' | 'live';
  readonly program: string;
  readonly version: string;
  /** The zone of every time that is shown. */
  readonly timeZone: string;
  /** When the process started. */
  readonly startedAt: number;
  /** Name of the paper exchange instance; null for a live venue. */
  readonly paperInstance: string | null;
  readonly lanes: readonly ({ readonly lane: 'public' | 'private' } & LaneFigures)[];
  readonly trader: StatusSnapshot;
  /** Lease and watchdog. */
  readonly deadMan: DeadManStatus;
  /** Notification channels; empty if there are none. */
  readonly channels: readonly ChannelStatus[];
  /** Why the current stop began, for a page open meanwhile; null before. */
  readonly stopping: string | null;
  /** The bot in one sentence, with what to do about it. */
  readonly headline: Headline;
  /** Everything else that needs a person, most urgent first. */
  readonly attentions: readonly Attention[];
  /** Time in the market in the last hour, one sentence per symbol with any. */
  readonly presence: ReturnType<typeof presenceSentences>;
  /** What the last requests were spent on, newest first. */
  readonly spent: readonly SpentRequest[];
  /** Price moves after this process's fills. */
  readonly markouts: readonly MarkoutSum[];
  /** Whether this is the last status of a bot that no longer runs. */
  readonly isPast: boolean;
}

type Given = 'startedAt' | 'paperInstance' | 'deadMan' | 'channels' | 'spent' | 'markouts';

export interface BotFacts extends Pick<BotStatus, Given> {
  readonly trading: Trading;
  readonly ending: Ending;
}

export function botStatus(settings: Settings, facts: BotFacts): BotStatus {
  const { trading, startedAt, paperInstance, deadMan, channels, spent, markouts, ending } = facts;
  const trader = trading.loop.snapshot();
  const stopping = whyItEnds(trader, { ...ending, isBroken: trading.loop.isBroken() });
  const shown = { trader, deadMan, channels, stopping };
  return {
    program: PROGRAM,
    version: VERSION,
    ...accountNamed(settings),
    timeZone: zoneShown(),
    startedAt,
    paperInstance,
    lanes: (['public', 'private'] as const).map((lane) => ({ lane, ...trading.lanes[lane].figures() })),
    ...shown,
    ...withAttentions(shown, headlineOf(shown)),
    presence: presenceSentences(trader),
    ...{ spent, markouts, isPast: false },
  };
}

// Markouts of this process for the page: by symbol, side and time after the fill.

export interface MarkoutSum {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Seconds after the fill; 0 is the fill itself. */
  readonly horizon: number;
  readonly fills: number;
  /** In quote: gains minus losses; positive is in our favor. */
  readonly gained: number;
  /** The losses alone. */
  readonly lost: number;
  /** Value of these fills, in quote. */
  readonly filled: number;
}

export function markoutSums() {
  const sums = new Map<string, MarkoutSum>();
  return {
    add(symbol: string, { side, horizon, gained, filled }: Omit<MarkoutSum, 'symbol' | 'fills' | 'lost'>): void {
      const key = `${symbol} ${side} ${horizon}`;
      const before = sums.get(key) ?? { fills: 0, gained: 0, lost: 0, filled: 0 };
      sums.set(key, {
        ...{ symbol, side, horizon, fills: before.fills + 1 },
        gained: before.gained + gained,
        lost: before.lost + Math.max(0, -gained),
        filled: before.filled + filled,
      });
    },
    all: (): readonly MarkoutSum[] => [...sums.values()],
  };
}

// What the last requests were spent on: they are scarce, and each was chosen over others.

export interface SpentRequest {
  readonly at: EpochMs;
  readonly lane: string;
  readonly kind: string;
  /** Null if it is about the account. */
  readonly symbol: string | null;
  readonly purpose: string;
  /** For a create, the order's value in quote, as plain text. */
  readonly notional: string | null;
  readonly outcome: string;
  readonly tookMs: number;
}

const MOST = 20;

export type SpentRequests = ReturnType<typeof spentRequests>;

export function spentRequests() {
  let last: readonly SpentRequest[] = [];
  return {
    take({ request, purpose }: Chosen, { kind, outcome, facts }: Completed): void {
      const order = request.kind === 'create' ? request.order : null;
      const symbol = order?.symbol ?? ('symbol' in request ? (request.symbol ?? null) : null);
      const spent: SpentRequest = {
        at: facts.sentAt,
        lane: ENDPOINTS[kind].lane,
        kind,
        symbol,
        purpose,
        notional:
          order === null ? null : shownPlain(order.price.mul(order.quantity), parseSymbol(order.symbol)?.quote ?? ''),
        outcome: outcome.kind,
        tookMs: facts.receivedAt - facts.sentAt,
      };
      last = [spent, ...last].slice(0, MOST);
    },
    /** Newest first. */
    last: (): readonly SpentRequest[] => last,
  };
}
