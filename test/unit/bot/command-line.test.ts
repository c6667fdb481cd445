// The command line without a process: each command has an example, and what is not understood is a sentence.
import { expect, test } from '@jest/globals';
import { createCommandLine } from '../../../src/bot/command-line.ts';

async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    ...{ isTerminal: false, environment: {} },
  };
  const code = await createCommandLine(io).run(args);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test.each([
  ...['run', 'exchange', 'probe', 'check', 'plan', 'status', 'watchdog', 'cancel-all', 'backtest', 'rearm', 'export'],
  'statement',
])('%s --help has an example', async (command) => {
  const { code, out } = await run(command, '--help');
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^Examples?:\n  quotekeeper ${command}`, 'm'));
});

test('hours below zero are refused', async () => {
  const { code, err } = await run('backtest', '--hours', '-3');
  expect([code, err]).toEqual([64, expect.stringContaining('"-3" is not a number above 0')]);
});
