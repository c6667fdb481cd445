#!/usr/bin/env node
import { listenToSignals } from './base/signals.ts';
// The program: reads the command line, runs one command, ends with its exit code.
import type { CommandIo } from './io/command-io.ts';

// Comes first, before anything else is loaded: a signal meanwhile must not end the process in Node's way.
listenToSignals(process.argv.slice(2));
const { createCommandLine, exitCodeOf } = await import('./command-line.ts');
const { plainLines } = await import('../domain/text.ts');

const io: CommandIo = {
  out: (text) => void process.stdout.write(`${plainLines(text)}\n`),
  err: (text) => void process.stderr.write(`${plainLines(text)}\n`),
  isTerminal: process.stdout.isTTY === true,
  environment: process.env,
};

/** Flushes the output before the end, even through a slow pipe. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()));

// A reader that has gone away (`quotekeeper status | head -1`) is not an error.
process.stdout.on('error', () => undefined);

// An uncaught error ends like a caught one: with 70, and without a library's message, which may hold a secret. A
// command with something to clean up first (a bot its orders) has its own listener, and is left to it.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    if (process.listenerCount(event) === 1) process.exit(exitCodeOf(error, io));
  });
}

const code = await createCommandLine(io).run(process.argv.slice(2));
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
process.exit(code);
