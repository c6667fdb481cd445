// What the pipeline works on: a strategy with its parameters, a view of the market, and our own orders.
import type { LiveOrder } from './live-order.ts';
import type { QuotingSettings } from './quoting-settings.ts';
import type { Limits } from './risk/risk-limits.ts';
import type { MarketView, Strategy } from './strategy.ts';

export interface QuotingInput {
  readonly strategy: Strategy;
  /** As `strategy.params` returned them: checked, with defaults. */
  readonly params: unknown;
  readonly view: MarketView;
  /** What the strategy keeps between decisions; `undefined` where it has no memory. */
  readonly memory?: unknown;
  readonly settings: QuotingSettings;
  /** Own orders of the symbol that are or may be live. */
  readonly live: readonly LiveOrder[];
  /** What the risk gate lets one order be; left out where nothing is to be sent. */
  readonly mostPerOrder?: MostPerOrder;
}

export type MostPerOrder = Pick<Limits, 'maxOrderQuantity' | 'maxOrderNotional'>;
