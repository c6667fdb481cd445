// What the page needs of the bot.
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import type { HistorySource } from '../memory/history-route.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { WebSettings } from '../settings/types.ts';
import type { BotStatus } from '../status/bot-status.ts';
import type { Steer } from './command-route.ts';
import type { OrderLife } from './order-lives.ts';
import type { RunningParameters } from './running-parameters.ts';

export interface WebOptions {
  /** Port 0 lets the system choose. */
  readonly web: WebSettings;
  /** Where the tokens are. */
  readonly stateFolder: string;
  readonly status: () => BotStatus;
  /** What each symbol is quoted by now. */
  readonly parameters: () => readonly RunningParameters[];
  readonly orderLife: (id: string) => OrderLife | null;
  /** Null where nothing is there to steer. */
  readonly steer: Steer | null;
  /** Whether the first reconciliation was clean. */
  readonly ready: () => boolean;
  /** False once the program has contradicted itself or can't write. */
  readonly healthy: () => boolean;
  /** Null where there is nothing to measure. */
  readonly metrics: Metrics | null;
  /** What happened until now; null where nothing is remembered. */
  readonly past: HistorySource | null;
  readonly clock: Clock;
  readonly log: Log;
}
