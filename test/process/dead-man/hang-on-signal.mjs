// Preloaded into a bot (`node --import`): on SIGUSR2 it hangs while its timers still fire. `HANG_ON_SIGNAL` says how:
// `loop`: timers of the loop and its lanes come no more. `request`: no request ends by its deadline any more.
import { promisify } from 'node:util';

const LOST = {
  loop: /\/src\/(?:loop|client)\//,
  request: /\/node_modules\/got\/|\/src\/client\/(?:got-|exchange-client|signed)/,
};
const lost = LOST[process.env.HANG_ON_SIGNAL];
let isHung = false;
const real = globalThis.setTimeout;

const setOrLose = (run, ms, ...rest) => {
  const timer = real((...given) => (isHung && timer.isLost ? undefined : run(...given)), ms, ...rest);
  // Ten frames do not reach through the queue of a lane.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  timer.isLost = lost.test(new Error('where').stack);
  Error.stackTraceLimit = stackTraceLimit;
  return timer;
};
globalThis.setTimeout = Object.assign(setOrLose, { [promisify.custom]: real[promisify.custom] });

process.on('SIGUSR2', () => {
  isHung = true;
});
