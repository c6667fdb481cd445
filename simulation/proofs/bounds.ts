// How far lists may trail by the specification, and the precision of compared times.
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
 * A clock step between two processes is not noticed if it is smaller than the errors of both estimates (decision 0016).
 */
export const OTHER_PROCESS_SLACK_MS: DurationMs = 3 * SECOND;
