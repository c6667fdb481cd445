// How long the specification lets lists trail, and how exactly the moments are known that are compared.
import { type DurationMs, SECOND } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';

/** LsBound. */
export const lagBoundMs = ({ settings }: CheckContext): DurationMs => settings.assumptions.readLagBoundMs;

/** Whether the account is the bot's alone. */
export const isAlone = ({ foreignOrders }: Pick<CheckContext['settings'], 'foreignOrders'>): boolean =>
  foreignOrders === 'refuse';

/** Rounding, and a clock that drifts by less than a thousandth. */
export const slackMs = (bound: DurationMs): DurationMs => 20 + bound / 1_000;

/**
 * A step of the clock between two processes that is smaller than both estimates can be wrong is not seen (decision
 * 0016).
 */
export const OTHER_PROCESS_SLACK_MS: DurationMs = 3 * SECOND;
