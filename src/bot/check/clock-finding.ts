// What `check` says of the exchange's clock beside this machine's.
import type { ClockEstimate } from '../../client/clock/server-clock.ts';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import { type Finding, good, note, wrong } from './finding.ts';

/** The bot goes by the exchange's clock; from here on a person should know whose is wrong. */
const FAR_APART_MS: DurationMs = 2 * SECOND;

/** `known` is null where no answer carried a `Date`. */
export function clockFinding(known: ClockEstimate | null, maxClockUncertaintyMs: DurationMs): Finding {
  const what = 'clock';
  if (known === null)
    return wrong(what, 'The exchange sends no Date header: its clock cannot be known, and nothing would be created.');
  const { offsetMs, uncertaintyMs } = known;
  const apart = `${Math.round(Math.abs(offsetMs))} ms ${offsetMs < 0 ? 'behind' : 'ahead of'}`;
  const words = `The exchange's clock is ${apart} ours, known to ${Math.round(uncertaintyMs)} ms.`;
  if (Math.abs(offsetMs) >= FAR_APART_MS) {
    const question = "Whose clock is wrong, this machine's or the exchange's? Compare `date -u` with a third clock.";
    return note(what, `${words} The bot goes by the exchange's. ${question}`);
  }
  return uncertaintyMs > maxClockUncertaintyMs
    ? note(what, `${words} More answers will narrow it.`)
    : good(what, words);
}
