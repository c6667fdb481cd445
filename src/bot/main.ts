#!/usr/bin/env node
import { listenToSignals } from './base/signals.ts';
// The program: reads the command line, runs one command, ends with its exit code.
import type { CommandIo } from './io/command-io.ts';

// First of all, and the rest is loaded after it: a signal meanwhile must not end the process in its own way.
listenToSignals(process.argv[2]);
const { createCommandLine, exitCodeOf } = await import('./command-line.ts');
const { plainLines } = await import('../domain/text.ts');

const io: CommandIo = {
  out: (text) => void process.stdout.write(`${plainLines(text)}\n`),
  err: (text) => void process.stderr.write(`${plainLines(text)}\n`),
  isTerminal: process.stdout.isTTY === true,
  environment: process.env,
};

/** What was written goes out before the end, also through a slow pipe. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()));

// A reader that has gone away (`quotekeeper status | head -1`) is no fault of ours.
process.stdout.on('error', () => undefined);

// An error that nobody caught ends like one that was: with 70, and without the words of a library, which may be a
// secret. A command that has something to take back first (a bot its orders) listens itself, and is left to it.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    if (process.listenerCount(event) === 1) process.exit(exitCodeOf(error, io));
  });
}

const code = await createCommandLine(io).run(process.argv.slice(2));
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(code);
