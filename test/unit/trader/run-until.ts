// Lets time pass at a desk until something is so. A test in which it never comes to that fails.
import { stepsAtMost } from '../steps-at-most.ts';
import { type Desk, ops } from './trader-kit.ts';

/** `pass` lets a little time pass; without it lanes open for a tenth of a second. */
export function runUntil(desk: Desk, isSo: () => boolean, pass: () => void = () => desk.run(100)): void {
  const step = stepsAtMost(undefined, () => ops(desk).join(' '));
  while (!isSo()) {
    step();
    pass();
  }
}
