// How often an exchange that does not answer is asked, by everybody who waits for it.
import { type DurationMs, SECOND } from '../domain/time.ts';

/**
 * While orders may rest and nothing answers, a request leaves at least this often: whoever waits longer finds out
 * late that the exchange is back. A request that was not answered for so long keeps no other from leaving. Only waits
 * that the exchange names are longer.
 */
export const PROBE_EVERY_MS: DurationMs = 5 * SECOND;
