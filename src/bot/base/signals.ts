// What signals do to this process, from its first moment on: `main.ts` listens before it loads anything heavy. A signal
// that comes before somebody can act on it is kept. Imports nothing that takes time.
import { isatty } from 'node:tty';
import type { DurationMs } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { ExitCode } from './exit-codes.ts';

/** Where it is said what a signal did. */
export interface SignalLog {
  logEvent(event: { readonly op: string; readonly level: 'info' | 'warn' | 'error'; readonly message: string }): void;
  /** Opens its file anew, by name. Throws what the file system throws; the old one is written on then. */
  reopen(): void;
}

/** `at`: by the monotonic clock. */
type Stop = (signal: NodeJS.Signals, at: DurationMs) => void;

/** They end in their own time when they are told to stop. Any other command has nothing to tidy up. */
const TIDIES_UP: ReadonlySet<string | undefined> = new Set(['run', 'watchdog', 'exchange', 'page', 'probe']);
/** They run for weeks and have a log: SIGHUP asks them to open it anew. */
const HAS_LOG: ReadonlySet<string | undefined> = new Set(['run', 'watchdog', 'exchange']);

const kept: { readonly signal: NodeJS.Signals; readonly at: DurationMs }[] = [];
let stop: Stop = (signal, at) => void kept.push({ signal, at });
let log: SignalLog | null = null;

export function listenToSignals(command: string | undefined): void {
  // Without a listener the one ends the process with its orders open, and the other opens a debugger's port.
  for (const each of ['SIGUSR1', 'SIGUSR2'] as const) process.on(each, refuse);
  if (!TIDIES_UP.has(command)) return;
  const take = (signal: NodeJS.Signals): void => stop(signal, realClock.monotonic());
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  for (const each of ['SIGINT', 'SIGTERM'] as const) process.on(each, take);
  process.on('SIGHUP', (signal) => {
    // A terminal that is closed sends it as well: nobody would see any more what the program does.
    const isClosed = terminals.some((descriptor) => !isatty(descriptor));
    if (isClosed || !HAS_LOG.has(command)) take(signal);
    else reopenLog();
  });
}

/** From now on `taker` gets them; those that came before, too. */
function takeStops(taker: Stop): void {
  stop = taker;
  for (const { signal, at } of kept.splice(0)) taker(signal, at);
}

/** From now on it is said there what a signal did, and SIGHUP opens its file anew. */
export function logSignalsTo(target: SignalLog): void {
  log = target;
}

function refuse(signal: NodeJS.Signals): void {
  const message = `${signal} does nothing here. SIGTERM stops, SIGHUP opens the log anew.`;
  if (log === null) process.stderr.write(`${message}\n`);
  else log.logEvent({ op: 'steering', level: 'warn', message });
}

function reopenLog(): void {
  if (log === null) return;
  try {
    log.reopen();
    log.logEvent({ op: 'steering', level: 'info', message: 'SIGHUP: the log is opened anew.' });
  } catch {
    const message = 'SIGHUP: the log cannot be opened anew; the file that was open is written on.';
    log.logEvent({ op: 'log-not-reopened', level: 'error', message });
  }
}

// SIGINT, SIGTERM and a terminal that is closed do the same: the first asks for an orderly end, the second ends at
// once.

/**
 * One Ctrl-C may come twice: from the terminal to the whole process group, and passed on by npm; a closing terminal
 * says so more than once. Nobody asks again so soon.
 */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves with the first signal, also with one that came before this was called. A second one ends the process with
 * `secondCode`, after `lastWords` and without any tidying.
 */
export function stopSignal(secondCode: ExitCode, lastWords: () => void = () => undefined): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    takeStops((signal, at) => {
      if (firstAt === null) {
        firstAt = at;
        resolve(signal);
      } else if (at - firstAt > SAME_PRESS_MS && signal !== 'SIGHUP') {
        endWith(secondCode, lastWords);
      }
    });
  });
}

/** Whatever becomes of the words. */
function endWith(code: ExitCode, lastWords: () => void): never {
  try {
    lastWords();
  } finally {
    process.exit(code);
  }
}
