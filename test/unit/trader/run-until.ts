// Lets time pass at a desk until something is so. A test in which it never comes to that fails.
import { type Desk, ops } from './trader-kit.ts';

const STEPS_AT_MOST = 3_000;

/** `pass` lets a little time pass; without it lanes open for a tenth of a second. */
export function runUntil(desk: Desk, isSo: () => boolean, pass: () => void = () => desk.run(100)): void {
  for (let steps = 0; !isSo(); steps += 1) {
    if (steps >= STEPS_AT_MOST) throw new Error(`It did not come to that in ${steps} steps: ${ops(desk).join(' ')}.`);
    pass();
  }
}
