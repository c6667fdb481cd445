// Signal handling from the first moment on: `main.ts` listens before it loads anything heavy, and keeps a signal until
// something can act on it. So this imports nothing that takes time.
import { isatty } from 'node:tty';
import type { DurationMs } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import type { ExitCode } from './exit-codes.ts';

/** Where the effect of a signal is logged. */
export interface SignalLog {
  logEvent(event: { readonly op: string; readonly level: 'info' | 'warn' | 'error'; readonly message: string }): void;
  /** Reopens the log file by name. Throws system errors; the old file stays in use then. */
  reopen(): void;
}

/** `at`: monotonic clock. */
type Stop = (signal: NodeJS.Signals, at: DurationMs) => void;

/** Commands that stop in an orderly way. All others have nothing to tidy up. */
const TIDIES_UP: ReadonlySet<string | undefined> = new Set([
  ...['run', 'watchdog', 'exchange', 'page', 'fleet page', 'probe'],
]);
/** Commands that run for weeks and have a log: SIGHUP reopens it. */
const HAS_LOG: ReadonlySet<string | undefined> = new Set(['run', 'watchdog', 'exchange']);

const kept: { readonly signal: NodeJS.Signals; readonly at: DurationMs }[] = [];
let stop: Stop = (signal, at) => void kept.push({ signal, at });
let log: SignalLog | null = null;

/** `args`: the command line. */
export function listenToSignals([first, second]: readonly string[]): void {
  const command = first === 'fleet' ? `fleet ${second}` : first;
  // Without a listener, SIGUSR2 would end the process with its orders open, and SIGUSR1 would open a debugger's port.
  for (const each of ['SIGUSR1', 'SIGUSR2'] as const) process.on(each, refuse);
  if (!TIDIES_UP.has(command)) return;
  const take = (signal: NodeJS.Signals): void => stop(signal, realClock.monotonic());
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  for (const each of ['SIGINT', 'SIGTERM'] as const) process.on(each, take);
  process.on('SIGHUP', (signal) => {
    // A closing terminal sends SIGHUP as well: then stop, because nobody could see any more what the program does.
    const isClosed = terminals.some((descriptor) => !isatty(descriptor));
    if (isClosed || !HAS_LOG.has(command)) take(signal);
    else reopenLog();
  });
}

/** Passes stops to `taker`, including earlier ones. */
function takeStops(taker: Stop): void {
  stop = taker;
  for (const { signal, at } of kept.splice(0)) taker(signal, at);
}

/** From now on, signals are logged to `target`, and SIGHUP reopens its file. */
export function logSignalsTo(target: SignalLog): void {
  log = target;
}

function refuse(signal: NodeJS.Signals): void {
  const message = `${signal} does nothing here. SIGTERM stops, SIGHUP reopens the log.`;
  if (log === null) process.stderr.write(`${message}\n`);
  else log.logEvent({ op: 'steering', level: 'warn', message });
}

function reopenLog(): void {
  if (log === null) return;
  try {
    log.reopen();
    log.logEvent({ op: 'steering', level: 'info', message: 'SIGHUP: the log is reopened.' });
  } catch {
    const message = 'SIGHUP: the log cannot be reopened; it continues in the old file.';
    log.logEvent({ op: 'log-not-reopened', level: 'error', message });
  }
}

// SIGINT, SIGTERM and a closed terminal do the same: the first one asks for an orderly end, the second ends at once.

/**
 * One Ctrl-C may arrive twice: from the terminal to the whole process group, and through npm; a closing terminal sends
 * several, too. No person presses again this soon.
 */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves with the first signal, even one that came before this call. A second one ends the process with `secondCode`,
 * after `lastWords` and without tidying up.
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

/** Whether it has come, for loops that look now and then. */
export function hasCome(told: Promise<unknown>): () => boolean {
  let isTold = false;
  void told.then(() => {
    isTold = true;
  });
  return () => isTold;
}

/** Even if `lastWords` throws. */
function endWith(code: ExitCode, lastWords: () => void): never {
  try {
    lastWords();
  } finally {
    process.exit(code);
  }
}
